"""Progress of reading: which files were read as they are now, which turns were learned from, which were archived.

Volatile: losing it costs a second look."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from memsuggest.core.database import light_transaction, store_errors
from memsuggest.core.identity import hash_of
from memsuggest.core.model import Transcript, Trust, Turn
from memsuggest.transcripts.parsing.continuing import Checkpoint
from memsuggest.transcripts.storage.virtual_sessions import FileStatus

if TYPE_CHECKING:
    from memsuggest.transcripts.discovery import FoundTranscript

NEW, CHANGED, PROCESSED, FAILED, POSTPONED = "new", "changed", "processed", "failed", "postponed"


class State(NamedTuple):
    """The state of one transcript: how far it was learned from."""

    name: str  # `new`, `changed`, `processed`, `failed` or `postponed`
    why: str = ""


def transcripts_m001(connection: sqlite3.Connection) -> None:
    connection.execute(
        "CREATE TABLE transcripts (path TEXT PRIMARY KEY, size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL,"
        " inode INTEGER NOT NULL, format TEXT NOT NULL, session_id TEXT NOT NULL, last_turn INTEGER NOT NULL,"
        " trust TEXT NOT NULL, failure TEXT NOT NULL, checkpoint TEXT NOT NULL, at INTEGER NOT NULL)"
    )
    connection.execute(
        "CREATE TABLE turns (turn TEXT PRIMARY KEY, trust TEXT NOT NULL, path TEXT NOT NULL) WITHOUT ROWID"
    )
    connection.execute(
        "CREATE TABLE elsewhere (path TEXT PRIMARY KEY, size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL,"
        " inode INTEGER NOT NULL) WITHOUT ROWID"
    )


def archived_m001(connection: sqlite3.Connection) -> None:
    connection.execute(
        "CREATE TABLE archived (path TEXT PRIMARY KEY, size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL) WITHOUT ROWID"
    )


def archived_m002(connection: sqlite3.Connection) -> None:
    connection.execute("DELETE FROM archived")


MIGRATIONS = (transcripts_m001, archived_m001, archived_m002)


class Progress:
    """The record of what was read, in the state database of a clone."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._elsewhere: dict[str, tuple[int, int, int]] | None = None
        self._here: frozenset[str] = frozenset()

    def changed(self, found: Iterable[FoundTranscript]) -> list[FoundTranscript]:
        """Return what is worth opening: new, changed since, or failed and named again."""
        asked = list(found)
        query = f"{_SELECT} WHERE path IN (SELECT value FROM json_each(?))"  # noqa: S608  # nosec
        rows = self._connection.execute(query, (json.dumps([chat.place for chat in asked]),))
        known = {row["path"]: row for row in rows}
        return [
            chat
            for chat in asked
            if (row := known.get(chat.place)) is None
            or not _is_unchanged(chat, row)
            or (row["failure"] and chat.is_named)
        ]

    def state_of(self, chat: FoundTranscript) -> State:
        row = self._connection.execute(f"{_SELECT} WHERE path = ?", (chat.place,)).fetchone()
        if row is None:
            return State(NEW)
        if row["size"] == _NEVER:
            return State(POSTPONED, row["failure"])
        if not _is_unchanged(chat, row):
            return State(CHANGED)
        return State(FAILED if row["failure"] else PROCESSED, row["failure"])

    def places_of(self, session: str) -> tuple[str, ...]:
        rows = self._connection.execute(
            "SELECT path FROM transcripts WHERE session_id = ? AND failure = '' ORDER BY at DESC", (session,)
        )
        return tuple(row["path"] for row in rows)

    def has_news(self, transcript: Transcript, *, after: Checkpoint | None = None) -> bool:
        """Tell whether something was typed that was not learned from yet, in this file or in a copy of the session.

        A copy that is more trusted than the one before counts again. `after` is where the transcript was read from.
        """
        return bool(self.new_turns(transcript, after=after))

    def new_turns(self, transcript: Transcript, *, after: Checkpoint | None = None) -> set[int]:
        return {number for number, places in self._known_in(transcript, after).items() if not places}

    def only_news(
        self, chat: FoundTranscript, transcript: Transcript, *, after: Checkpoint | None = None
    ) -> Transcript:
        """Leave out what was learned from copies: sessions resumed, exported, or saved by other programs.

        What was learned from this very file stays: it is the context of what is new, and known again by itself.
        """
        known = self._known_in(transcript, after)
        copied = {number for number, places in known.items() if places and chat.place not in places}
        if not copied:
            return transcript
        return replace(transcript, turns=tuple(turn for turn in transcript.turns if turn.number not in copied))

    def _known_in(self, transcript: Transcript, after: Checkpoint | None) -> dict[int, set[str]]:
        """Return, of each turn that something was typed in, the files in which it was seen; none if it counts as new.

        It is known where one of them is trusted as much as the transcript.
        """
        keys = turn_keys(transcript, after)
        query = "SELECT turn, trust, path FROM turns WHERE turn IN (SELECT value FROM json_each(?))"
        asked = json.dumps([key for each in keys.values() for key in each])
        seen = {row["turn"]: row for row in self._connection.execute(query, (asked,))}
        enough = {Trust.TYPED.value, str(transcript.trust)}
        rows = {number: [seen[key] for key in each if key in seen] for number, each in keys.items()}
        return {
            number: {row["path"] for row in found} if any(row["trust"] in enough for row in found) else set()
            for number, found in rows.items()
        }

    def checkpoint(self, chat: FoundTranscript) -> Checkpoint | None:
        """Return where reading may go on; None where it has to begin, or where the words count more now."""
        row = self._connection.execute(
            "SELECT checkpoint FROM transcripts WHERE path = ? AND trust = ? AND failure = ''",
            (chat.place, str(chat.trust)),
        ).fetchone()
        return Checkpoint.from_text(row["checkpoint"]) if row else None

    def mark(
        self,
        chat: FoundTranscript,
        transcript: Transcript,
        *,
        now: int,
        after: Checkpoint | None = None,
        checkpoint: Checkpoint | None = None,
    ) -> None:
        """Remember that a transcript, as it was found, has been learned from, and where reading may go on."""
        keys = turn_keys(transcript, after)
        with light_transaction(self._connection):
            self._connection.executemany(
                "INSERT INTO turns VALUES (?, ?, ?) ON CONFLICT (turn) DO UPDATE"
                " SET trust = excluded.trust, path = excluded.path"
                " WHERE excluded.trust = 'typed' AND turns.trust <> 'typed'",
                [(key, str(transcript.trust), chat.place) for each in keys.values() for key in each],
            )
            reached = (
                replace(checkpoint, said=said_before(checkpoint, transcript, after)).as_text() if checkpoint else ""
            )
            self._write(chat, session=transcript.session_id, last=max(keys, default=0), checkpoint=reached, now=now)

    def fail(self, chat: FoundTranscript, *, why: str, now: int) -> None:
        """Remember that a transcript could not be read, and why; it is tried again when it changes or is named."""
        with light_transaction(self._connection):
            self._write(chat, failure=why, now=now)

    def postpone(self, chat: FoundTranscript, *, why: str, now: int) -> None:
        """Remember that a transcript could not be learned from this time, and why; the next run tries again."""
        with light_transaction(self._connection):
            self._write(replace(chat, size=_NEVER), failure=why, now=now)

    def is_elsewhere(self, path: str, status: FileStatus) -> bool | None:
        if self._elsewhere is None:
            rows = self._connection.execute("SELECT path, size, mtime_ns, inode FROM elsewhere")
            self._elsewhere = {row["path"]: (row["size"], row["mtime_ns"], row["inode"]) for row in rows}
            self._here = frozenset(row["path"] for row in self._connection.execute("SELECT path FROM transcripts"))
        if path in self._here:
            return False
        seen = self._elsewhere.get(path)
        return True if seen == (status.st_size, status.st_mtime_ns, status.st_ino) else None

    def note_elsewhere(self, found: Iterable[tuple[str, FileStatus]]) -> None:
        rows = [(path, status.st_size, status.st_mtime_ns, status.st_ino) for path, status in found]
        with light_transaction(self._connection):
            self._connection.executemany("INSERT OR REPLACE INTO elsewhere VALUES (?, ?, ?, ?)", rows)
        self._elsewhere = None

    def _write(
        self,
        chat: FoundTranscript,
        *,
        now: int,
        session: str = "",
        last: int = 0,
        failure: str = "",
        checkpoint: str = "",
    ) -> None:
        row = (chat.place, chat.size, chat.mtime_ns, chat.inode, chat.format, session, last, chat.trust, failure)
        self._connection.execute(
            "INSERT OR REPLACE INTO transcripts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", (*row, checkpoint, now)
        )


_NEVER = -1  # a size that no file has: what is kept with it is worth opening whatever the file is like
_SELECT = "SELECT path, size, mtime_ns, inode, trust, failure FROM transcripts"
_SHORT = 10  # letters of the hash of what was typed
_WORLDWIDE = 16  # characters from which on a message's own id is the same nowhere else


def turn_keys(transcript: Transcript, after: Checkpoint | None = None) -> dict[int, tuple[str, ...]]:
    """Return, by number, the identities of the turns that something was typed in; every copy of the session has one.

    Resumed and exported sessions keep the message's own id; copies by other programs keep the session's id, the words
    and how often they were said before.
    """
    keys: dict[int, tuple[str, ...]] = {}
    said = Counter(after.said if after else {})
    for turn in transcript.turns:
        if not turn.typed:
            continue
        words = _words_of(turn)
        said[_name_of(words)] += 1
        by_words = hash_of("turn", transcript.session_id, str(said[_name_of(words)]), words)
        has_id = len(turn.key) >= _WORLDWIDE
        keys[turn.number] = (by_words, hash_of("turn", turn.key, words)) if has_id else (by_words,)
    return keys


def said_before(checkpoint: Checkpoint, transcript: Transcript, after: Checkpoint | None) -> Mapping[str, int]:
    """Count how often each text was typed before a checkpoint of a transcript that was read from `after` on."""
    before = (turn for turn in transcript.turns if turn.typed and turn.number < checkpoint.number)
    return Counter(after.said if after else {}) + Counter(_name_of(_words_of(turn)) for turn in before)


def _words_of(turn: Turn) -> str:
    return " ".join(turn.typed.split())


def _name_of(words: str) -> str:
    return hash_of("said", words)[:_SHORT]


def _is_unchanged(chat: FoundTranscript, row: sqlite3.Row) -> bool:
    same = (row["size"], row["mtime_ns"], row["inode"]) == (chat.size, chat.mtime_ns, chat.inode)
    return same and (row["trust"] == chat.trust or row["trust"] == Trust.TYPED.value)


def not_archived(connection: sqlite3.Connection, found: Iterable[FoundTranscript]) -> list[FoundTranscript]:
    """Return the transcripts that were not archived as they are now."""
    asked = list(found)
    query = "SELECT path, size, mtime_ns FROM archived WHERE path IN (SELECT value FROM json_each(?))"
    with store_errors(connection):
        rows = connection.execute(query, (json.dumps([chat.place for chat in asked]),))
        known = {path: (size, at) for path, size, at in rows}
    return [transcript for transcript in asked if known.get(transcript.place) != (transcript.size, transcript.mtime_ns)]


def mark_archived(connection: sqlite3.Connection, chat: FoundTranscript) -> None:
    """Remember that a transcript was archived as it is."""
    with light_transaction(connection):
        connection.execute("INSERT OR REPLACE INTO archived VALUES (?, ?, ?)", (chat.place, chat.size, chat.mtime_ns))
