"""The notes of chats in the state database, and the lines of files that they say. Losing it costs a second reading.

Sentences are numbered as they come, so that each is compared once with each text of a file.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from memsuggest.core.context import Context
from memsuggest.core.database import light_transaction, store_errors
from memsuggest.core.errors import Skipped, TranscriptError
from memsuggest.core.model import Candidate, Citation, Trust
from memsuggest.facts.forget_quotes import forgotten_evidence
from memsuggest.held.chat_note import ChatNote, NotedSentence, note_of, united
from memsuggest.judging.offline import offline
from memsuggest.transcripts.discovery import FoundTranscript, newest_first, read_found
from memsuggest.transcripts.parsing.continuing import ReadOn

NOTES = 1  # version of what is noted; older notes are taken anew from chats that are still there


class NumberedSentence(NamedTuple):
    """A sentence with its number, and the chat that it was said in."""

    number: int
    session_id: str
    sentence: NotedSentence


class NoteStore:
    """The notes of a clone, and what is known of the rules of one working tree."""

    def __init__(self, connection: sqlite3.Connection, *, worktree: str) -> None:
        self._connection = connection
        self._tree = worktree

    def _rows(self, query: str, *values: object) -> list[sqlite3.Row]:
        with store_errors(self._connection):
            return self._connection.execute(query, values).fetchall()

    def write(self, *statements: tuple[str, Iterable[tuple[object, ...]]]) -> None:
        with light_transaction(self._connection):
            for statement, rows in statements:
                self._connection.executemany(statement, rows)

    def noted(self) -> set[tuple[object, ...]]:
        """Return the place, size and time of each chat whose note is of this version."""
        return set(map(tuple, self._rows("SELECT place, size, mtime_ns FROM chat_notes WHERE version = ?", NOTES)))

    def keep(self, chat: FoundTranscript, note: ChatNote, *, is_whole: bool) -> None:
        """Keep the note of a chat; of one that was only read on, together with what was noted before."""
        place = chat.place
        with light_transaction(self._connection):
            before = [] if is_whole else self.notes("place = ?", place)
            whole = united(before[0], note) if before else note
            # Not `INSERT OR REPLACE`: that would take the sentences with the row.
            self._connection.execute(
                "INSERT INTO chat_notes VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (place) DO UPDATE SET"
                " size = excluded.size, mtime_ns = excluded.mtime_ns, version = excluded.version,"
                " session_id = excluded.session_id, format = excluded.format, assistant = excluded.assistant,"
                " begun = excluded.begun, touched = excluded.touched, exchanges = excluded.exchanges,"
                " in_use = excluded.in_use",
                (
                    *(place, chat.size, chat.mtime_ns, NOTES),
                    *(whole.session_id, whole.format, whole.assistant, whole.begun),
                    *(json.dumps(sorted(whole.touched)), _packed(whole.exchanges), json.dumps(sorted(whole.in_use))),
                ),
            )
            if is_whole:
                kept = {(said.turn, said.quote) for said in note.said}
                rows = self._rows("SELECT number, turn, quote FROM chat_sentences WHERE place = ?", place)
                gone = [(row["number"],) for row in rows if (row["turn"], row["quote"]) not in kept]
                self._connection.executemany("DELETE FROM chat_sentences WHERE number = ?", gone)
            self._connection.executemany(
                "INSERT OR IGNORE INTO chat_sentences (place, turn, quote, rule, at, is_correction)"
                " VALUES (?, ?, ?, ?, ?, ?)",
                [(place, said.turn, said.quote, said.rule, said.at, said.is_correction) for said in note.said],
            )

    def notes(self, where: str = "1 ORDER BY place", *values: object) -> list[ChatNote]:
        """Return all notes, or some; their sentences come from `sentences`."""
        return [
            ChatNote(
                place=row["place"],
                session_id=row["session_id"],
                format=row["format"],
                assistant=row["assistant"],
                begun=row["begun"],
                touched=frozenset(json.loads(row["touched"])),
                exchanges=_unpacked(row["exchanges"]),
                in_use=frozenset(json.loads(row["in_use"])),
            )
            for row in self._rows(f"SELECT * FROM chat_notes WHERE session_id <> '' AND {where}", *values)  # noqa: S608  # nosec
        ]

    def sentences(self) -> list[NumberedSentence]:
        rows = self._rows(
            "SELECT number, session_id, turn, quote, rule, at, is_correction"
            " FROM chat_sentences JOIN chat_notes USING (place) ORDER BY number"
        )
        found = []
        for number, session, turn, quote, rule, at, is_correction in rows:
            said = NotedSentence(turn=turn, quote=quote, rule=rule, at=at, is_correction=bool(is_correction))
            found.append(NumberedSentence(number, session, said))
        return found

    def fingerprint(self) -> tuple[int, ...]:
        """Return numbers that change whenever a note or a sentence comes, changes or goes."""
        (notes,) = self._rows("SELECT count(*), total(size), total(mtime_ns / 1000000) FROM chat_notes")
        (said,) = self._rows("SELECT count(*), max(number) FROM chat_sentences")
        return tuple(int(note or 0) for note in (*notes, *said))

    def compared(self) -> Mapping[str, tuple[str, int]]:
        """Return by file the digest of the text that was compared, and up to which sentence."""
        rows = self._rows("SELECT uri, digest, upto FROM compared WHERE worktree = ?", self._tree)
        return {uri: (digest, upto) for uri, digest, upto in rows}

    def note_compared(
        self, digests: Mapping[str, str], *, anew: Collection[str], upto: int, found: Iterable[tuple[str, int, int]]
    ) -> None:
        """Remember that files were compared; `found` has file, line and sentence, `anew` whose text was another one."""
        tree = self._tree
        compared = [(tree, uri, digest, upto) for uri, digest in digests.items()]
        self.write(
            ("DELETE FROM said_matches WHERE worktree = ? AND uri = ?", [(tree, uri) for uri in anew]),
            ("INSERT OR REPLACE INTO compared VALUES (?, ?, ?, ?)", compared),
            ("INSERT OR IGNORE INTO said_matches VALUES (?, ?, ?, ?)", [(tree, *match) for match in found]),
        )

    def matches(self) -> Mapping[tuple[str, int], Sequence[int]]:
        found: dict[tuple[str, int], list[int]] = {}
        rows = self._rows("SELECT uri, line, number FROM said_matches WHERE worktree = ?", self._tree)
        for uri, line, number in rows:
            found.setdefault((uri, line), []).append(number)
        return found

    def line_times(self, uri: str, digest: str) -> list[int] | None:
        rows = self._rows(
            "SELECT times FROM line_times WHERE worktree = ? AND uri = ? AND digest = ?", self._tree, uri, digest
        )
        return json.loads(rows[0]["times"]) if rows else None

    def keep_line_times(self, uri: str, digest: str, times: Sequence[int]) -> None:
        row = (self._tree, uri, digest, json.dumps(times))
        self.write(("INSERT OR REPLACE INTO line_times VALUES (?, ?, ?, ?)", [row]))

    def seen(self, uri: str, ids: Collection[str], *, now: int) -> Mapping[str, int]:
        """Return when each rule of a file was seen first; those that are new are seen now, others are let go of."""
        rows = self._rows("SELECT id, at FROM rules_seen WHERE worktree = ? AND uri = ?", self._tree, uri)
        known: dict[str, int] = {row["id"]: row["at"] for row in rows}
        if known.keys() != set(ids):
            gone = [(self._tree, uri, name) for name in known.keys() - set(ids)]
            new = [(self._tree, uri, name, now) for name in ids]
            self.write(
                ("DELETE FROM rules_seen WHERE worktree = ? AND uri = ? AND id = ?", gone),
                ("INSERT OR IGNORE INTO rules_seen VALUES (?, ?, ?, ?)", new),
            )
        return {name: known.get(name, now) for name in ids}


def _packed(exchanges: Mapping[int, frozenset[str]]) -> bytes:
    """Write each word once, and by its place in every exchange that has it."""
    words = sorted(frozenset[str]().union(*exchanges.values()))
    places = {word: place for place, word in enumerate(words)}
    rows = {number: sorted(places[word] for word in here) for number, here in exchanges.items()}
    return zlib.compress(json.dumps([words, rows], ensure_ascii=False, separators=(",", ":")).encode(), 6)


def _unpacked(packed: bytes) -> dict[int, frozenset[str]]:
    words, rows = json.loads(zlib.decompress(packed))
    return {int(number): frozenset(words[place] for place in places) for number, places in rows.items()}


def note_store(context: Context) -> NoteStore:
    """Return the store of notes."""
    return NoteStore(context.state, worktree=context.place.worktree_key)


def forget_notes(context: Context, sessions: Collection[str]) -> None:
    """Drop the notes of some chats; taken anew, they are without what was forgotten."""
    if not context.is_dry:
        note_store(context).write(("DELETE FROM chat_notes WHERE session_id = ?", [(name,) for name in sessions]))


def evidence_of(session: str, said: NotedSentence) -> str:
    return Citation(session_id=session, turn=said.turn, quote=said.quote).evidence_key


def note_chat(context: Context, chat: FoundTranscript, read: ReadOn, candidates: Iterable[Candidate]) -> None:
    """Note what a chat that was just read says of rules; only of this person's own chats."""
    if chat.trust is not Trust.TYPED or context.is_dry:
        return
    note = note_of(read.transcript, candidates, place=chat.place)
    gone = forgotten_evidence(context) if note.said else frozenset()
    kept = tuple(said for said in note.said if evidence_of(note.session_id, said) not in gone)
    note_store(context).keep(chat, replace(note, said=kept), is_whole=read.after is None)


def note_backlog(
    context: Context, found: Sequence[FoundTranscript], *, progress: Callable[[int, int, str], None]
) -> tuple[Skipped, ...]:
    """Read the chats of which there is no note as they are now, the newest first; nothing is learned from them."""
    store = note_store(context)
    noted = store.noted()
    new = (chat for chat in found if (chat.place, chat.size, chat.mtime_ns) not in noted)
    due = newest_first([chat for chat in new if chat.trust is Trust.TYPED], now=context.now())
    skipped: list[Skipped] = []
    silenced = context.profile.silenced() if due else frozenset()
    for number, chat in enumerate(due):
        progress(number, len(due), chat.path.name)
        read = None
        try:
            read = read_found(chat, context.root)
        except TranscriptError as error:
            skipped.append(Skipped(what=chat.place, why=error.message))
        if read is None or read.transcript.session_id in silenced:
            nothing = ChatNote(place=chat.place, session_id="", format=chat.format, assistant="", begun=None)
            with context.exclusive():
                store.keep(chat, nothing, is_whole=True)
            continue
        candidates = offline.extract(read.transcript).candidates
        with context.exclusive():
            note_chat(context, chat, read, candidates)
    return tuple(skipped)
