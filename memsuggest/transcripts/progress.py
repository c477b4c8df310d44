"""What is new since last time: which files were read as they are now, and which turns were learned from.

Volatile: losing it costs a second reading, never a fact, since evidence is known again by its key. A transcript is
marked only after its facts are stored; that is the caller's duty.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memsuggest.database import transaction
from memsuggest.model import Transcript, Turn, hash_of

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable

    from memsuggest.transcripts.discovery import FoundTranscript

NEW, CHANGED, PROCESSED, FAILED = "new", "changed", "processed", "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """How far one transcript has been learned from."""

    name: str
    """`new`, `changed`, `processed` or `failed`."""
    why: str = ""


def transcripts_m001(connection: sqlite3.Connection) -> None:
    """Create the tables."""
    connection.execute(
        "CREATE TABLE transcripts (path TEXT PRIMARY KEY, size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL,"
        " inode INTEGER NOT NULL, format TEXT NOT NULL, session_id TEXT NOT NULL, last_turn INTEGER NOT NULL,"
        " trust TEXT NOT NULL, failure TEXT NOT NULL, at INTEGER NOT NULL)"
    )
    connection.execute("CREATE TABLE turns (turn TEXT PRIMARY KEY, trust TEXT NOT NULL) WITHOUT ROWID")


MIGRATIONS = (transcripts_m001,)


class Progress:
    """What was read, in the state database of a clone."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def changed(self, found: Iterable[FoundTranscript]) -> list[FoundTranscript]:
        """Return what is worth opening: new, changed since, or failed and named again."""
        known = self._known()
        return [one for one in found if _is_open(one, known.get(str(one.path)))]

    def state_of(self, one: FoundTranscript) -> State:
        """Say how far a transcript has been learned from."""
        row = self._connection.execute(f"{_SELECT} WHERE path = ?", (str(one.path),)).fetchone()
        if row is None:
            return State(name=NEW)
        if not _is_unchanged(one, row):
            return State(name=CHANGED)
        return State(name=FAILED, why=row["failure"]) if row["failure"] else State(name=PROCESSED)

    def has_news(self, transcript: Transcript) -> bool:
        """Tell whether something was typed that was not learned from yet, in this file or in a copy of the session.

        A copy that is more trusted than the one before counts again.
        """
        keys = {turn_key(transcript, turn) for turn in transcript.turns if turn.typed}
        known = self._turns(keys)
        return any(known.get(key) not in {"typed", str(transcript.trust)} for key in keys)

    def mark(self, one: FoundTranscript, transcript: Transcript, *, now: int) -> None:
        """Remember that a transcript, as it was found, has been learned from."""
        typed = [turn for turn in transcript.turns if turn.typed]
        with transaction(self._connection):
            self._connection.executemany(
                "INSERT INTO turns VALUES (?, ?) ON CONFLICT (turn) DO UPDATE SET trust = excluded.trust"
                " WHERE excluded.trust = 'typed'",
                [(turn_key(transcript, turn), transcript.trust) for turn in typed],
            )
            self._write(
                one, session=transcript.session_id, last=max((turn.number for turn in typed), default=0), now=now
            )

    def fail(self, one: FoundTranscript, *, why: str, now: int) -> None:
        """Remember that a transcript could not be read, and why; it is tried again when it changes or is named."""
        with transaction(self._connection):
            self._write(one, failure=why, now=now)

    def _write(self, one: FoundTranscript, *, now: int, session: str = "", last: int = 0, failure: str = "") -> None:
        self._connection.execute(
            "INSERT OR REPLACE INTO transcripts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (str(one.path), one.size, one.mtime_ns, one.inode, one.format, session, last, one.trust, failure, now),
        )

    def _known(self) -> dict[str, sqlite3.Row]:
        return {row["path"]: row for row in self._connection.execute(_SELECT)}

    def _turns(self, keys: Iterable[str]) -> dict[str, str]:
        wanted = list(dict.fromkeys(keys))
        found: dict[str, str] = {}
        for start in range(0, len(wanted), _AT_ONCE):
            some = wanted[start : start + _AT_ONCE]
            marks = ", ".join("?" * len(some))
            rows = self._connection.execute(f"SELECT turn, trust FROM turns WHERE turn IN ({marks})", some)  # noqa: S608  # nosec
            found |= {row["turn"]: row["trust"] for row in rows}
        return found


_AT_ONCE = 500
_SELECT = "SELECT path, size, mtime_ns, inode, trust, failure FROM transcripts"


def turn_key(transcript: Transcript, turn: Turn) -> str:
    """Return the identity of what was typed in a turn: the same in every copy of the session."""
    return hash_of("turn", transcript.session_id, turn.key or str(turn.number), " ".join(turn.typed.split()))


def _is_open(one: FoundTranscript, row: sqlite3.Row | None) -> bool:
    if row is None or not _is_unchanged(one, row):
        return True
    return bool(row["failure"]) and one.is_named


def _is_unchanged(one: FoundTranscript, row: sqlite3.Row) -> bool:
    same = (row["size"], row["mtime_ns"], row["inode"]) == (one.size, one.mtime_ns, one.inode)
    return same and (row["trust"] == one.trust or row["trust"] == "typed")
