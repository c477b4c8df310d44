"""The pending suggestions of a working tree, and the care that its files need, as they were computed: a cache.

Losing it loses nothing: the next `reconcile` makes them again from the facts and the targets. The facts themselves
are not in here, only their ids.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence

from memsuggest.core.database import transaction
from memsuggest.core.model import Cause, Edit, Maintenance, MemoryFact, MemorySuggestion, TargetType

_BEFORE_VERDICTS = 14
"""Columns of a row that an older version wrote into the journal."""
_COLUMNS = (
    "id, fact, target_type, target_uri, file_name, content, heading, replaces, why, base_digest, executable,"
    " edit_path, edit_before, edit_after, contradicts, weakens"
)


def pending_m001(connection: sqlite3.Connection) -> None:
    """Create the tables."""
    connection.execute(
        "CREATE TABLE pending (worktree TEXT NOT NULL, position INTEGER NOT NULL, id TEXT NOT NULL, fact TEXT NOT NULL,"
        " target_type TEXT NOT NULL, target_uri TEXT, file_name TEXT, content TEXT NOT NULL, heading TEXT,"
        " replaces TEXT, why TEXT NOT NULL, base_digest TEXT NOT NULL, executable INTEGER NOT NULL,"
        " edit_path TEXT NOT NULL, edit_before TEXT, edit_after TEXT NOT NULL, PRIMARY KEY (worktree, id))"
    )
    connection.execute("CREATE TABLE runs (worktree TEXT PRIMARY KEY, at INTEGER NOT NULL)")


def maintenance_m002(connection: sqlite3.Connection) -> None:
    connection.execute(
        "CREATE TABLE care (worktree TEXT NOT NULL, position INTEGER NOT NULL, id TEXT NOT NULL, fact TEXT NOT NULL,"
        " target_type TEXT NOT NULL, target_uri TEXT, file_name TEXT, content TEXT NOT NULL, heading TEXT,"
        " replaces TEXT, why TEXT NOT NULL, base_digest TEXT NOT NULL, executable INTEGER NOT NULL,"
        " edit_path TEXT NOT NULL, edit_before TEXT, edit_after TEXT NOT NULL, cause TEXT NOT NULL,"
        " trouble TEXT NOT NULL, PRIMARY KEY (worktree, id))"
    )


def maintenance_m003(connection: sqlite3.Connection) -> None:
    """Create the table of files that need no care as they are, so that they are not looked at again."""
    connection.execute(
        "CREATE TABLE care_clean (worktree TEXT NOT NULL, key TEXT NOT NULL, PRIMARY KEY (worktree, key))"
    )


def maintenance_m004(connection: sqlite3.Connection) -> None:
    """Create the tables of what git's history answered last, and of how much care more each file needs."""
    connection.execute(
        "CREATE TABLE history_answers (worktree TEXT NOT NULL, head TEXT NOT NULL, key TEXT NOT NULL,"
        " told TEXT NOT NULL, PRIMARY KEY (worktree, key))"
    )
    connection.execute(
        "CREATE TABLE care_held (worktree TEXT NOT NULL, path TEXT NOT NULL, held INTEGER NOT NULL,"
        " PRIMARY KEY (worktree, path))"
    )


def plans_m005(connection: sqlite3.Connection) -> None:
    connection.execute("CREATE TABLE plans (worktree TEXT PRIMARY KEY, key TEXT NOT NULL, told TEXT NOT NULL)")


def verdicts_m006(connection: sqlite3.Connection) -> None:
    """Know what a model says that keeps a suggestion out of every bulk."""
    for table in ("pending", "care"):
        connection.execute(f"ALTER TABLE {table} ADD COLUMN contradicts INTEGER NOT NULL DEFAULT 0")
        connection.execute(f"ALTER TABLE {table} ADD COLUMN weakens INTEGER NOT NULL DEFAULT 0")


MIGRATIONS = (pending_m001, maintenance_m002, maintenance_m003, maintenance_m004, plans_m005, verdicts_m006)


def save_pending(connection: sqlite3.Connection, worktree: str, suggestions: Iterable[MemorySuggestion]) -> None:
    """Replace the pending suggestions of a working tree, best first."""
    rows = [(worktree, place, *_row(suggestion)) for place, suggestion in enumerate(suggestions)]
    _replace(connection, "pending", worktree, f"worktree, position, {_COLUMNS}", rows)


def _replace(
    connection: sqlite3.Connection, table: str, worktree: str, columns: str, rows: Sequence[tuple[object, ...]]
) -> None:
    marks = ", ".join("?" * len(columns.split(",")))
    with transaction(connection):
        connection.execute(f"DELETE FROM {table} WHERE worktree = ?", (worktree,))  # noqa: S608  # nosec
        connection.executemany(f"INSERT INTO {table} ({columns}) VALUES ({marks})", rows)  # noqa: S608  # nosec


def load_pending(
    connection: sqlite3.Connection, worktree: str, *, facts: Mapping[str, MemoryFact]
) -> list[MemorySuggestion]:
    """Return the pending suggestions of a working tree, best first; those whose fact is gone are left out."""
    rows = connection.execute(
        f"SELECT {_COLUMNS} FROM pending WHERE worktree = ? ORDER BY position",  # noqa: S608  # nosec
        (worktree,),
    )
    return [_suggestion(row, fact=facts[row[1]]) for row in rows if row[1] in facts]


def save_maintenance(connection: sqlite3.Connection, worktree: str, found: Iterable[MemorySuggestion]) -> None:
    """Replace the care that the files of a working tree need, gravest first."""
    rows = [
        (worktree, place, *_row(suggestion), suggestion.maintenance.cause, suggestion.maintenance.content)
        for place, suggestion in enumerate(found)
        if suggestion.maintenance
    ]
    _replace(connection, "care", worktree, f"worktree, position, {_COLUMNS}, cause, trouble", rows)


def load_maintenance(connection: sqlite3.Connection, worktree: str) -> list[MemorySuggestion]:
    """Return the care that the files of a working tree need, gravest first."""
    rows = connection.execute(
        f"SELECT cause, trouble, {_COLUMNS} FROM care WHERE worktree = ? ORDER BY position",  # noqa: S608  # nosec
        (worktree,),
    )
    return [
        _suggestion(row, maintenance=Maintenance(id=row[1], cause=Cause(cause), content=trouble))
        for cause, trouble, *row in rows
        if cause in set(Cause)  # an older version knew more of them
    ]


def save_held(connection: sqlite3.Connection, worktree: str, held: Mapping[str, int]) -> None:
    """Replace how much care the files need beyond what is shown, by path."""
    rows = [(worktree, path, count) for path, count in held.items()]
    _replace(connection, "care_held", worktree, "worktree, path, held", rows)


def load_held(connection: sqlite3.Connection, worktree: str) -> dict[str, int]:
    """Return how much care the files need beyond what is shown, most first."""
    rows = connection.execute(
        "SELECT path, held FROM care_held WHERE worktree = ? ORDER BY held DESC, path", (worktree,)
    )
    return dict(rows.fetchall())


def save_answers(connection: sqlite3.Connection, worktree: str, *, head: str, key: str, told: str) -> None:
    """Keep what git's history answered to a question; what it answered before another commit is dropped."""
    with transaction(connection):
        connection.execute("DELETE FROM history_answers WHERE worktree = ? AND head != ?", (worktree, head))
        connection.execute("INSERT OR REPLACE INTO history_answers VALUES (?, ?, ?, ?)", (worktree, head, key, told))


def load_answers(connection: sqlite3.Connection, worktree: str, key: str) -> str | None:
    """Return what git's history answered to the very same question; None where it was another one."""
    found = connection.execute("SELECT told FROM history_answers WHERE worktree = ? AND key = ?", (worktree, key))
    row = found.fetchone()
    return str(row[0]) if row else None


def note_run(connection: sqlite3.Connection, worktree: str, *, now: int) -> None:
    """Remember when the last run was."""
    with transaction(connection):
        connection.execute("INSERT OR REPLACE INTO runs VALUES (?, ?)", (worktree, now))


def text_of(suggestions: Iterable[MemorySuggestion]) -> str:
    """Return suggestions as a text, to be kept in the journal; their facts are not in it, only their ids."""
    parts = [
        [
            *_row(suggestion),
            *((suggestion.maintenance.cause, suggestion.maintenance.content) if suggestion.maintenance else ("", "")),
        ]
        for suggestion in suggestions
    ]
    return json.dumps(parts, ensure_ascii=False)


def suggestions_of(text: str, *, facts: Mapping[str, MemoryFact]) -> list[MemorySuggestion]:
    """Return the suggestions of a text; those whose fact is gone are left out."""
    found = []
    for *row, cause, trouble in json.loads(text):
        maintenance = Maintenance(id=row[1], cause=Cause(cause), content=trouble) if cause else None
        if maintenance or row[1] in facts:
            found.append(_suggestion(row, fact=None if maintenance else facts[row[1]], maintenance=maintenance))
    return found


def _row(suggestion: MemorySuggestion) -> tuple[object, ...]:
    return (
        suggestion.id,
        suggestion.about,
        suggestion.target_type,
        suggestion.target_uri,
        suggestion.suggested_file_name,
        suggestion.suggested_merge_content,
        suggestion.heading,
        suggestion.replaces,
        suggestion.why,
        suggestion.base_digest,
        suggestion.executable,
        suggestion.edit.path,
        suggestion.edit.before,
        suggestion.edit.after,
        suggestion.contradicts,
        suggestion.weakens,
    )


def _suggestion(
    row: Sequence[str], *, fact: MemoryFact | None = None, maintenance: Maintenance | None = None
) -> MemorySuggestion:
    _, about, kind, uri, file_name, content, heading, replaces, why, digest, executable, path, before, after = row[
        :_BEFORE_VERDICTS
    ]
    return MemorySuggestion(
        id=about,  # a row of an older version has another one
        fact=fact,
        maintenance=maintenance,
        target_type=TargetType(kind),
        target_uri=uri,
        suggested_file_name=file_name,
        suggested_merge_content=content,
        heading=heading,
        replaces=replaces,
        why=why,
        base_digest=digest,
        executable=bool(executable),
        edit=Edit(path=path, before=before, after=after),
        contradicts=any(map(bool, row[_BEFORE_VERDICTS : _BEFORE_VERDICTS + 1])),
        weakens=any(map(bool, row[_BEFORE_VERDICTS + 1 :])),
    )
