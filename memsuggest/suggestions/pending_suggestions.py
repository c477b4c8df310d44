"""The pending suggestions of a working tree and the maintenance of its files, as computed last; and the user's moves.

Losing the former loses nothing: the next `reconcile` makes them again from the facts and the targets. Of facts, only
the ids are in here.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter

from memsuggest.core.database import Migration, light_transaction, transaction
from memsuggest.core.model import Cause, Edit, Maintenance, MemoryFact, MemorySuggestion, TargetType

_COLUMNS = (
    "id, fact, target_type, target_uri, file_name, content, heading, replaces, why, base_digest, executable,"
    " edit_path, edit_before, edit_after, contradicts, weakens"
)


_PLANNED = (
    "(worktree TEXT NOT NULL, position INTEGER NOT NULL, id TEXT NOT NULL, fact TEXT NOT NULL,"
    " target_type TEXT NOT NULL, target_uri TEXT, file_name TEXT, content TEXT NOT NULL, heading TEXT,"
    " replaces TEXT, why TEXT NOT NULL, base_digest TEXT NOT NULL, executable INTEGER NOT NULL,"
    " edit_path TEXT NOT NULL, edit_before TEXT, edit_after TEXT NOT NULL,{} PRIMARY KEY (worktree, id))"
)


def _step(name: str, *statements: str) -> Migration:
    def step(connection: sqlite3.Connection) -> None:
        for statement in statements:
            connection.execute(statement)

    step.__name__ = name
    return step


MIGRATIONS = (
    _step(
        "pending_m001",
        f"CREATE TABLE pending {_PLANNED.format('')}",
        "CREATE TABLE runs (worktree TEXT PRIMARY KEY, at INTEGER NOT NULL)",
    ),
    _step("maintenance_m002", f"CREATE TABLE care {_PLANNED.format(' cause TEXT NOT NULL, trouble TEXT NOT NULL,')}"),
    _step(  # files without a finding, until an index of files took its place
        "maintenance_m003",
        "CREATE TABLE care_clean (worktree TEXT NOT NULL, key TEXT NOT NULL, PRIMARY KEY (worktree, key))",
    ),
    _step(
        "maintenance_m004",
        "CREATE TABLE history_answers (worktree TEXT NOT NULL, head TEXT NOT NULL, key TEXT NOT NULL,"
        " told TEXT NOT NULL, PRIMARY KEY (worktree, key))",
        "CREATE TABLE care_held (worktree TEXT NOT NULL, path TEXT NOT NULL, held INTEGER NOT NULL,"
        " PRIMARY KEY (worktree, path))",
    ),
    _step("plans_m005", "CREATE TABLE plans (worktree TEXT PRIMARY KEY, key TEXT NOT NULL, told TEXT NOT NULL)"),
    _step(
        "verdicts_m006",
        *(
            f"ALTER TABLE {table} ADD COLUMN {column} INTEGER NOT NULL DEFAULT 0"
            for table in ("pending", "care")
            for column in ("contradicts", "weakens")
        ),
    ),
    _step(
        "moves_m001",
        "CREATE TABLE moves (entry INTEGER PRIMARY KEY, worktree TEXT NOT NULL, fact TEXT NOT NULL, uri TEXT NOT NULL,"
        " heading TEXT, replaces TEXT)",
    ),
    _step("moves_m002", "ALTER TABLE moves ADD COLUMN makes INTEGER NOT NULL DEFAULT 0"),
    _step(
        "looks_m001",
        "CREATE TABLE looked_at (worktree TEXT NOT NULL, suggestion TEXT NOT NULL,"
        " PRIMARY KEY (worktree, suggestion)) WITHOUT ROWID",
    ),
    _step(
        "notices_m001",
        "CREATE TABLE told (worktree TEXT NOT NULL, suggestion TEXT NOT NULL, at INTEGER NOT NULL,"
        " PRIMARY KEY (worktree, suggestion)) WITHOUT ROWID",
    ),
)


def save_pending(connection: sqlite3.Connection, worktree: str, suggestions: Iterable[MemorySuggestion]) -> None:
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
    rows = connection.execute(
        f"SELECT {_COLUMNS} FROM pending WHERE worktree = ? ORDER BY position",  # noqa: S608  # nosec
        (worktree,),
    )
    return [_suggestion(row, fact=facts[row[1]]) for row in rows if row[1] in facts]


def save_maintenance(connection: sqlite3.Connection, worktree: str, found: Iterable[MemorySuggestion]) -> None:
    rows = [(worktree, place, *_row(suggestion), *_trouble(suggestion)) for place, suggestion in enumerate(found)]
    _replace(connection, "care", worktree, f"worktree, position, {_COLUMNS}, cause, trouble", rows)


def load_maintenance(connection: sqlite3.Connection, worktree: str) -> list[MemorySuggestion]:
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
    rows = [(worktree, path, count) for path, count in held.items()]
    _replace(connection, "care_held", worktree, "worktree, path, held", rows)


def load_held(connection: sqlite3.Connection, worktree: str) -> dict[str, int]:
    rows = connection.execute(
        "SELECT path, held FROM care_held WHERE worktree = ? ORDER BY held DESC, path", (worktree,)
    )
    return dict(rows.fetchall())


def save_answers(connection: sqlite3.Connection, worktree: str, *, head: str, key: str, answers: str) -> None:
    """Keep what git's history answered to a question; what it answered before another commit is dropped."""
    with transaction(connection):
        connection.execute("DELETE FROM history_answers WHERE worktree = ? AND head != ?", (worktree, head))
        connection.execute("INSERT OR REPLACE INTO history_answers VALUES (?, ?, ?, ?)", (worktree, head, key, answers))


def load_answers(connection: sqlite3.Connection, worktree: str, key: str) -> str | None:
    found = connection.execute("SELECT told FROM history_answers WHERE worktree = ? AND key = ?", (worktree, key))
    row = found.fetchone()
    return str(row[0]) if row else None


def note_run(connection: sqlite3.Connection, worktree: str, *, now: int) -> None:
    """Remember when the last run was."""
    with transaction(connection):
        connection.execute("INSERT OR REPLACE INTO runs VALUES (?, ?)", (worktree, now))


def text_of(suggestions: Iterable[MemorySuggestion]) -> str:
    """Return suggestions as a text, to be kept in the journal; their facts are not in it, only their ids."""
    return json.dumps([[*_row(suggestion), *_trouble(suggestion)] for suggestion in suggestions], ensure_ascii=False)


def suggestions_of(text: str, *, facts: Mapping[str, MemoryFact]) -> list[MemorySuggestion]:
    """Return the suggestions of a text; those whose fact is gone are left out."""
    found = []
    for *row, cause, trouble in json.loads(text):
        if cause:
            found.append(_suggestion(row, maintenance=Maintenance(id=row[1], cause=Cause(cause), content=trouble)))
        elif row[1] in facts:
            found.append(_suggestion(row, fact=facts[row[1]]))
    return found


def _trouble(suggestion: MemorySuggestion) -> tuple[str, str]:
    need = suggestion.maintenance
    return (need.cause, need.content) if need else ("", "")


_row = attrgetter(
    *("id", "about", "target_type", "target_uri", "suggested_file_name", "suggested_merge_content", "heading"),
    *("replaces", "why", "base_digest", "executable", "edit.path", "edit.before", "edit.after"),
    *("contradicts", "weakens"),
)
"""A suggestion as the columns have it."""


def _suggestion(
    row: Sequence[str], *, fact: MemoryFact | None = None, maintenance: Maintenance | None = None
) -> MemorySuggestion:
    _, about, kind, uri, file_name, content, heading, replaces, why, digest, executable, path, old, new, *more = row
    contradicts, weakens = map(bool, more or (0, 0))  # an older version kept no verdicts in the journal
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
        edit=Edit(path=path, before=old, after=new),
        contradicts=contradicts,
        weakens=weakens,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """A file, and the heading in it, that the user chose for a rule: it counts before any ranking."""

    fact_id: str
    uri: str
    heading: str | None = None
    replaces: str | None = None
    """The line that the rule is to stand in the place of, where they chose that."""
    makes: bool = False
    """The file, or the heading, is made with the rule: they agreed to that."""


def note_move(connection: sqlite3.Connection, worktree: str, move: Move, *, entry: int) -> None:
    with transaction(connection):
        connection.execute(
            "INSERT INTO moves (entry, worktree, fact, uri, heading, replaces, makes) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (entry, worktree, move.fact_id, move.uri, move.heading, move.replaces, move.makes),
        )


def drop_move(connection: sqlite3.Connection, *, entry: int) -> None:
    """Forget the move of an entry that is undone; what was moved before counts again."""
    with transaction(connection):
        connection.execute("DELETE FROM moves WHERE entry = ?", (entry,))


def load_moves(connection: sqlite3.Connection, worktree: str) -> dict[str, Move]:
    rows = connection.execute(
        "SELECT fact, uri, heading, replaces, makes FROM moves WHERE worktree = ? ORDER BY entry", (worktree,)
    )
    return {
        fact: Move(fact_id=fact, uri=uri, heading=heading, replaces=replaces, makes=bool(makes))
        for fact, uri, heading, replaces, makes in rows
    }


def looked_at(connection: sqlite3.Connection, worktree: str) -> frozenset[str]:
    """Return the ids of the suggestions that were shown in a working tree."""
    return _ids(connection, "looked_at", worktree)


def note_look(connection: sqlite3.Connection, worktree: str, suggestions: Collection[str]) -> None:
    """Remember what was shown beside what was before: what is decided and taken back is not new again."""
    rows = [(worktree, suggestion) for suggestion in frozenset(suggestions) - looked_at(connection, worktree)]
    if rows:
        with light_transaction(connection):
            connection.executemany("INSERT OR IGNORE INTO looked_at VALUES (?, ?)", rows)


def told(connection: sqlite3.Connection, worktree: str) -> frozenset[str]:
    """Return the ids of the suggestions that the person was told of in a working tree."""
    return _ids(connection, "told", worktree)


def note_told(connection: sqlite3.Connection, worktree: str, suggestions: Iterable[str], *, now: int) -> None:
    """Remember that the person was told of suggestions."""
    rows = [(worktree, suggestion, now) for suggestion in suggestions]
    with transaction(connection):
        connection.executemany("INSERT OR IGNORE INTO told VALUES (?, ?, ?)", rows)


def _ids(connection: sqlite3.Connection, table: str, worktree: str) -> frozenset[str]:
    rows = connection.execute(f"SELECT suggestion FROM {table} WHERE worktree = ?", (worktree,))  # noqa: S608  # nosec
    return frozenset(row[0] for row in rows)
