"""The notes of chats in the state database. Losing it costs a second reading.

Sentences are numbered as they come, so that each is compared once with each text of a file: see `rule_store`.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from memsuggest.core.context import Context
from memsuggest.core.database import light_transaction, store_errors
from memsuggest.core.errors import Skipped, TranscriptError
from memsuggest.core.model import Candidate, Citation, Trust
from memsuggest.facts.forgotten_words import forgotten_evidence
from memsuggest.held.chat_note import ChatNote, NotedSentence, merged, note_of
from memsuggest.judging.assistant_documents import own_rules
from memsuggest.transcripts.discovery import FoundTranscript, read_found
from memsuggest.transcripts.discovery.session_order import newest_first
from memsuggest.transcripts.parsing.continuing import ReadOn

if TYPE_CHECKING:
    from memsuggest.transcripts.discovery import FoundTranscript


class RuleStore:
    """The rules of one working tree."""

    def __init__(self, connection: sqlite3.Connection, *, worktree: str) -> None:
        self._connection = connection
        self._worktree = worktree

    def compared(self) -> Mapping[str, tuple[str, int]]:
        """Return by file the digest of the text that was compared, and up to which sentence."""
        rows = self._rows("SELECT uri, digest, upto FROM compared WHERE worktree = ?", self._worktree)
        return {row["uri"]: (row["digest"], row["upto"]) for row in rows}

    def note_compared(
        self, digests: Mapping[str, str], *, anew: Collection[str], upto: int, found: Iterable[tuple[str, int, int]]
    ) -> None:
        """Remember that files were compared; `found` has file, line and sentence, `anew` whose text was another one."""
        tree = self._worktree
        with light_transaction(self._connection):
            self._connection.executemany(
                "DELETE FROM said_matches WHERE worktree = ? AND uri = ?", [(tree, uri) for uri in anew]
            )
            self._connection.executemany(
                "INSERT OR REPLACE INTO compared VALUES (?, ?, ?, ?)",
                [(tree, uri, digest, upto) for uri, digest in digests.items()],
            )
            self._connection.executemany(
                "INSERT OR IGNORE INTO said_matches VALUES (?, ?, ?, ?)",
                [(tree, uri, line, number) for uri, line, number in found],
            )

    def matches(self) -> Mapping[tuple[str, int], Sequence[int]]:
        """Return by file and line the sentences that say it."""
        rows = self._rows("SELECT uri, line, number FROM said_matches WHERE worktree = ?", self._worktree)
        found: dict[tuple[str, int], list[int]] = {}
        for row in rows:
            found.setdefault((row["uri"], row["line"]), []).append(row["number"])
        return found

    def line_times(self, uri: str, digest: str) -> list[int] | None:
        """Return when each line of a file's text was changed last; None where nobody looked."""
        rows = self._rows(
            "SELECT times FROM line_times WHERE worktree = ? AND uri = ? AND digest = ?", self._worktree, uri, digest
        )
        return json.loads(rows[0]["times"]) if rows else None

    def keep_line_times(self, uri: str, digest: str, times: Sequence[int]) -> None:
        """Remember when each line of a file's text was changed last."""
        with light_transaction(self._connection):
            self._connection.execute(
                "INSERT OR REPLACE INTO line_times VALUES (?, ?, ?, ?)",
                (self._worktree, uri, digest, json.dumps(list(times))),
            )

    def seen(self, uri: str, ids: Collection[str], *, now: int) -> Mapping[str, int]:
        """Return when each rule of a file was seen first; those that are new are seen now, others are let go of."""
        rows = self._rows("SELECT id, at FROM rules_seen WHERE worktree = ? AND uri = ?", self._worktree, uri)
        known = {row["id"]: row["at"] for row in rows}
        if known.keys() != set(ids):
            with light_transaction(self._connection):
                self._connection.executemany(
                    "DELETE FROM rules_seen WHERE worktree = ? AND uri = ? AND id = ?",
                    [(self._worktree, uri, one) for one in known.keys() - set(ids)],
                )
                self._connection.executemany(
                    "INSERT OR IGNORE INTO rules_seen VALUES (?, ?, ?, ?)",
                    [(self._worktree, uri, one, now) for one in ids],
                )
        return {one: known.get(one, now) for one in ids}

    def _rows(self, query: str, *values: object) -> list[sqlite3.Row]:
        with store_errors(self._connection):
            return self._connection.execute(query, values).fetchall()


NOTES = 1
"""Version of what is noted; older notes are taken anew from chats that are still there."""


class NumberedSentence(NamedTuple):
    """A sentence with its number, and the chat that it was said in."""

    number: int
    session_id: str
    sentence: NotedSentence


class NoteStore:
    """The notes of a clone."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def not_noted(self, found: Iterable[FoundTranscript]) -> list[FoundTranscript]:
        """Return the transcripts of which there is no note as they are now."""
        rows = self._rows("SELECT place, size, mtime_ns FROM chat_notes WHERE version = ?", NOTES)
        known = {row["place"]: (row["size"], row["mtime_ns"]) for row in rows}
        return [
            transcript for transcript in found if known.get(transcript.place) != (transcript.size, transcript.mtime_ns)
        ]

    def keep(self, one: FoundTranscript, note: ChatNote, *, is_whole: bool) -> None:
        """Keep the note of a chat; of one that was only read on, together with what was noted before."""
        with light_transaction(self._connection):
            before = None if is_whole else self._note(one.place)
            self._put(one, merged(before, note) if before else note)
            kept = {(said.turn, said.quote) for said in note.said}
            if is_whole:
                rows = self._rows("SELECT number, turn, quote FROM chat_sentences WHERE place = ?", one.place)
                gone = [(row["number"],) for row in rows if (row["turn"], row["quote"]) not in kept]
                self._connection.executemany("DELETE FROM chat_sentences WHERE number = ?", gone)
            self._connection.executemany(
                "INSERT OR IGNORE INTO chat_sentences (place, turn, quote, rule, at, is_correction)"
                " VALUES (?, ?, ?, ?, ?, ?)",
                [(one.place, said.turn, said.quote, said.rule, said.at, said.is_correction) for said in note.said],
            )

    def keep_empty(self, one: FoundTranscript) -> None:
        """Remember that there is nothing to note of a transcript as it is."""
        note = ChatNote(place=one.place, session_id="", format=one.format, assistant="", begun=None)
        self.keep(one, note, is_whole=True)

    def forget_chats(self, sessions: Collection[str]) -> None:
        """Drop all that was noted of some chats."""
        with light_transaction(self._connection):
            self._connection.executemany(
                "DELETE FROM chat_notes WHERE session_id = ?", [(session,) for session in sessions]
            )

    def notes(self) -> list[ChatNote]:
        """Return all notes; their sentences come from `sentences`."""
        rows = self._rows("SELECT * FROM chat_notes WHERE session_id <> '' ORDER BY place")
        return [_note_from(row) for row in rows]

    def sentences(self, *, after: int = 0) -> list[NumberedSentence]:
        """Return the sentences behind a number, in the order of their numbers."""
        rows = self._rows(
            "SELECT chat_sentences.*, session_id FROM chat_sentences JOIN chat_notes USING (place)"
            " WHERE number > ? ORDER BY number",
            after,
        )
        return [NumberedSentence(row["number"], row["session_id"], _sentence_from(row)) for row in rows]

    def fingerprint(self) -> tuple[int, ...]:
        """Return numbers that change whenever a note or a sentence comes, changes or goes."""
        (notes,) = self._rows("SELECT count(*), total(size), total(mtime_ns / 1000000) FROM chat_notes")
        (said,) = self._rows("SELECT count(*), max(number) FROM chat_sentences")
        return tuple(int(note or 0) for note in (*notes, *said))

    def _rows(self, query: str, *values: object) -> list[sqlite3.Row]:
        with store_errors(self._connection):
            return self._connection.execute(query, values).fetchall()

    def _note(self, place: str) -> ChatNote | None:
        rows = self._rows("SELECT * FROM chat_notes WHERE place = ? AND session_id <> ''", place)
        return _note_from(rows[0]) if rows else None

    def _put(self, one: FoundTranscript, note: ChatNote) -> None:
        # Not `INSERT OR REPLACE`: that would take the sentences with the row.
        self._connection.execute(
            "INSERT INTO chat_notes VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (place) DO UPDATE SET"
            " size = excluded.size, mtime_ns = excluded.mtime_ns, version = excluded.version,"
            " session_id = excluded.session_id, format = excluded.format, assistant = excluded.assistant,"
            " begun = excluded.begun, touched = excluded.touched, exchanges = excluded.exchanges,"
            " in_use = excluded.in_use",
            (
                *(one.place, one.size, one.mtime_ns, NOTES, note.session_id, note.format, note.assistant, note.begun),
                *(json.dumps(sorted(note.touched)), _packed(note.exchanges), json.dumps(sorted(note.in_use))),
            ),
        )


def _packed(exchanges: Mapping[int, frozenset[str]]) -> bytes:
    """Write each word once, and by its place in every exchange that has it."""
    words = sorted(frozenset[str]().union(*exchanges.values()))
    places = {word: place for place, word in enumerate(words)}
    told = {number: sorted(places[word] for word in here) for number, here in exchanges.items()}
    return zlib.compress(json.dumps([words, told], ensure_ascii=False, separators=(",", ":")).encode(), 6)


def _unpacked(packed: bytes) -> dict[int, frozenset[str]]:
    words, told = json.loads(zlib.decompress(packed))
    return {int(number): frozenset(words[place] for place in places) for number, places in told.items()}


def _note_from(row: sqlite3.Row) -> ChatNote:
    return ChatNote(
        place=row["place"],
        session_id=row["session_id"],
        format=row["format"],
        assistant=row["assistant"],
        begun=row["begun"],
        touched=frozenset(json.loads(row["touched"])),
        exchanges=_unpacked(row["exchanges"]),
        in_use=frozenset(json.loads(row["in_use"])),
    )


def _sentence_from(row: sqlite3.Row) -> NotedSentence:
    return NotedSentence(
        turn=row["turn"],
        quote=row["quote"],
        rule=row["rule"],
        at=row["at"],
        is_correction=bool(row["is_correction"]),
    )


def note_store(context: Context) -> NoteStore:
    """Return the store of notes."""
    return NoteStore(context.state)


def rule_store(context: Context) -> RuleStore:
    return RuleStore(context.state, worktree=context.place.worktree_key)


def forget_notes(context: Context, sessions: Collection[str]) -> None:
    """Drop the notes of some chats; taken anew, they are without what was forgotten."""
    if not context.is_dry:
        note_store(context).forget_chats(sessions)


def evidence_of(session: str, said: NotedSentence) -> str:
    return Citation(session_id=session, turn=said.turn, quote=said.quote).evidence_key


def note_chat(context: Context, one: FoundTranscript, read: ReadOn, candidates: Iterable[Candidate]) -> None:
    """Note what a chat that was just read says of rules; only of this person's own chats."""
    if one.trust is not Trust.TYPED or context.is_dry:
        return
    note = note_of(read.transcript, candidates, place=one.place)
    gone = forgotten_evidence(context) if note.said else frozenset()
    kept = tuple(said for said in note.said if evidence_of(note.session_id, said) not in gone)
    note_store(context).keep(one, replace(note, said=kept), is_whole=read.after is None)


def note_backlog(
    context: Context, found: Sequence[FoundTranscript], *, progress: Callable[[int, int, str], None]
) -> tuple[Skipped, ...]:
    """Read the chats of which there is no note as they are now, the newest first; nothing is learned from them."""
    store = note_store(context)
    due = store.not_noted(transcript for transcript in found if transcript.trust is Trust.TYPED)
    ordered = newest_first(due, now=context.now())
    skipped: list[Skipped] = []
    silenced = context.profile.silenced() if ordered else frozenset()
    rules = own_rules(context.root)
    for number, one in enumerate(ordered):
        progress(number, len(ordered), one.path.name)
        try:
            read = read_found(one, context.root)
        except TranscriptError as error:
            skipped.append(Skipped(what=one.place, why=error.message))
            with context.exclusive():
                store.keep_empty(one)
            continue
        candidates = rules.extract(read.transcript, ()).candidates
        with context.exclusive():
            if read.transcript.session_id in silenced:
                store.keep_empty(one)
            else:
                note_chat(context, one, read, candidates)
    return tuple(skipped)
