"""Answers of a batch: each is held against the chats that it is about, and kept as if they had been asked at once.

An answer is kept, and its question closed, in one transaction: whoever is interrupted takes the rest up again.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from memsuggest.core.context import Context
from memsuggest.core.database import transaction
from memsuggest.core.errors import ModelError, TranscriptError
from memsuggest.facts.stores import all_facts
from memsuggest.judging.asking.answers import Answers, Kept
from memsuggest.judging.asking.ask_model import OF_THE_CONTENT, outcome_of
from memsuggest.judging.asking.batch_ledger import BatchLedger
from memsuggest.judging.asking.batches import Batch, Batches, Part
from memsuggest.judging.asking.model_reply import Reply
from memsuggest.judging.asking.outcomes import ANSWERED
from memsuggest.judging.asking.prices import Usage
from memsuggest.judging.asking.without_secrets import as_heard
from memsuggest.judging.by_model.disposing import Hearing
from memsuggest.judging.by_model.engine import HaikuEngine, kept_of
from memsuggest.judging.by_model.extraction_reply import ExtractionReply, read_reply
from memsuggest.judging.by_model.packets import part_of
from memsuggest.learning.learning_reports import BatchReceipt
from memsuggest.notes import ask_notes
from memsuggest.notes.note_question import read_answer
from memsuggest.transcripts.discovery import FoundTranscript, read_found
from memsuggest.transcripts.find_transcripts import find
from memsuggest.transcripts.storage.virtual_sessions import status_of

if TYPE_CHECKING:
    from memsuggest.judging.asking.batch_client import Result


@dataclass(slots=True, kw_only=True)
class BatchAnswers:
    """Takes the answers of batches."""

    context: Context
    connection: sqlite3.Connection
    kept: Answers
    batches: Batches
    ledger: BatchLedger
    engine: HaikuEngine
    person: str | None
    receipt: BatchReceipt
    found: dict[str, FoundTranscript]
    """The transcripts of this run, by their places."""
    places: set[str] = field(default_factory=set)
    """Those about which something was answered."""

    def take_all(self, batch: Batch, results: Iterable[Result]) -> None:
        """Take what came back for questions without an outcome; the batch is over when all of them have one.

        A question that the results leave out was never answered. What is about a chat that was not found stays.
        """
        waiting = self.batches.open_parts(batch)
        for result in results:
            parts = waiting.pop(result.name, None)
            if parts:
                self._take(batch, parts, result)
        for name, parts in waiting.items():
            self._fail(batch, name, parts, "not-the-api", usage=Usage())
        if not self.batches.open_parts(batch):
            self.batches.close(batch)

    def _take(self, batch: Batch, parts: Sequence[Part], result: Result) -> None:
        reply = result.reply
        if reply is None:
            outcome = result.error.outcome if result.error else "not-the-api"
            self._fail(batch, result.name, parts, outcome, usage=Usage())
            return
        if parts[0].family == ask_notes.FAMILY:
            self._take_notes(batch, parts[0], reply)
            return
        outcome = outcome_of(reply)
        try:
            read = read_reply(as_heard(reply.text)) if outcome == ANSWERED else None
        except ModelError as error:
            read, outcome = None, error.outcome
        if read is None:
            self._fail(batch, result.name, parts, outcome, usage=reply.usage)
        elif self._is_placed(parts, read):
            self._count(batch, result.name, reply)
        else:
            self.receipt.unplaced += 1

    def _take_notes(self, batch: Batch, part: Part, reply: Reply) -> None:
        """Keep what is said of notes as it was said; it is taken in with the rest."""
        outcome, text = outcome_of(reply), as_heard(reply.text)
        try:
            if outcome == ANSWERED:
                read_answer(text, part.covers)
        except ModelError as error:
            outcome = error.outcome
        if outcome != ANSWERED:
            self._fail(batch, part.name, [part], outcome, usage=reply.usage)
            return
        with transaction(self.connection):
            kept = Kept(question=part.question, text=text, family=part.family, covers=part.covers)
            self.kept.keep(kept, judge=self.engine.NAME, now=self.context.now())
            self.batches.note([part], ANSWERED)
        self._count(batch, part.name, reply)

    def _is_placed(self, parts: Sequence[Part], reply: ExtractionReply) -> bool:
        """Keep what is said of each session; whether all of them were there."""
        for part in parts:
            try:
                hearing = self._hearing(part)
            except TranscriptError:
                continue
            said = part_of(reply, part.position) if part.position else reply
            self._keep(part, said, hearing)
        return not any(self.batches.waiting(part.family) & part.covers for part in parts)

    def _keep(self, part: Part, said: ExtractionReply, hearing: Hearing | None) -> None:
        """Keep what is said of a session; of one that is gone, or of which nothing is wanted, nothing."""
        with transaction(self.connection):
            if hearing:
                text = kept_of(said, hearing)
                kept = Kept(question=part.question, text=text, family=part.family, covers=part.covers)
                self.kept.keep(kept, judge=self.engine.NAME, now=self.context.now())
                self.places.add(part.place)
            self.batches.note([part], ANSWERED if hearing else "void")

    def _hearing(self, part: Part) -> Hearing | None:
        """Return what an answer about a session is held against; None where there is nothing left to learn from.

        Raises TranscriptError for a chat that is there and was not found, or cannot be read now.
        """
        found = self.found.get(part.place) or self._named(part.place)
        if found is None:
            return None
        transcript = read_found(found, self.context.root, person=self.person).transcript
        if transcript.session_id in self.context.profile.silenced():
            return None
        return self.engine.hearing(transcript, all_facts(self.context))

    def _named(self, place: str) -> FoundTranscript | None:
        """Find a transcript that a path named in an earlier run; None where it is gone."""
        try:
            status_of(Path(place))
        except OSError:
            return None
        found = {transcript.place: transcript for transcript in find(self.context, [Path(place)]).transcripts}
        if place not in found:
            raise TranscriptError(f"{place} is no longer a transcript")
        return self.found.setdefault(place, found[place])

    def _count(self, batch: Batch, name: str, reply: Reply) -> None:
        self._settle(batch, name, reply.usage, ANSWERED)
        self.receipt.answered += 1

    def _fail(self, batch: Batch, name: str, parts: Sequence[Part], outcome: str, *, usage: Usage | None) -> None:
        """Close a question that got no usable answer; it is asked again, unless that would only fail again."""
        self._settle(batch, name, usage, outcome)
        with transaction(self.connection):
            if outcome in OF_THE_CONTENT:
                self.kept.note_failure([part.question for part in parts], outcome, now=self.context.now())
            self.batches.note(parts, outcome)
        self.receipt.failed[outcome] += 1

    def _settle(self, batch: Batch, name: str, usage: Usage | None, outcome: str) -> None:
        self.receipt.micros += self.ledger.settle(name, model=batch.model, usage=usage, outcome=outcome)
        self.receipt.usage = _sum(self.receipt.usage, usage or Usage())


def _sum(one: Usage, other: Usage) -> Usage:
    return Usage(
        input=one.input + other.input,
        output=one.output + other.output,
        cache_read=one.cache_read + other.cache_read,
        cache_write=one.cache_write + other.cache_write,
    )


def by_place(found: Iterable[FoundTranscript]) -> dict[str, FoundTranscript]:
    """Return transcripts by their places."""
    places: Mapping[str, FoundTranscript] = {transcript.place: transcript for transcript in found}
    return dict(places)
