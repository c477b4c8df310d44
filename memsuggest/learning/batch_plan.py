"""The plan of a batch: the packets as asked one by one, newest chats first, as many as the budgets allow."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from memsuggest.core.context import Context
from memsuggest.core.errors import ModelError
from memsuggest.facts.learned import Learned
from memsuggest.facts.stores import all_facts
from memsuggest.judging.asking.answers import Answers
from memsuggest.judging.asking.batch_client import MOST_BYTES, MOST_REQUESTS
from memsuggest.judging.asking.batch_ledger import BatchLedger
from memsuggest.judging.asking.batches import Batches
from memsuggest.judging.asking.prices import LONG_PROMPT, Usage, cost
from memsuggest.judging.asking.question import Question, body_of
from memsuggest.judging.asking.without_secrets import as_sent
from memsuggest.judging.by_model.engine import HaikuEngine
from memsuggest.judging.by_model.packets import Joined, family_of
from memsuggest.learning.learning import AHEAD
from memsuggest.learning.learning_reports import BatchEstimate
from memsuggest.learning.opened_chats import OpenedChat, open_chat
from memsuggest.notes import ask_notes
from memsuggest.transcripts.discovery import FoundTranscript
from memsuggest.transcripts.discovery.session_order import newest_first

_ROOM = 0.8
"""Share of the long prompt up to which our own count of its tokens is trusted; longer ones are asked one by one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedPart:
    """One session in a question, or some notes of assistants."""

    question: str
    family: str
    covers: frozenset[str]
    place: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedQuestion:
    """A question as it would be sent, and the sessions that it is about."""

    question: Question
    parts: tuple[PlannedPart, ...]

    @property
    def most(self) -> Usage:
        """The most that it may use."""
        return Usage(cache_write=self.question.tokens, output=self.question.max_tokens)


@dataclass(slots=True, kw_only=True)
class BatchPlan:
    """The questions that chats and notes still need."""

    context: Context
    engine: HaikuEngine
    kept: Answers
    batches: Batches
    ledger: BatchLedger
    model: str
    chats: Sequence[FoundTranscript]
    again: Collection[str]
    """Places of those that were learned from before."""
    person: str | None
    progress: Callable[[int, int, str], None]
    has_notes: bool = False
    """Whether it asks about notes of assistants as well."""
    left: int = field(default=0, init=False)
    """Questions for which the budgets have no room."""

    def questions(self) -> list[PlannedQuestion]:
        """Return what was not asked yet, as far as the budgets go."""
        self.left = 0
        found: list[PlannedQuestion] = []
        micros = shared = 0
        for planned in self._due():
            question = planned.question
            try:
                self._check(question, micros=micros, shared=shared)
            except ModelError:
                self.left += 1
                continue
            found.append(planned)
            micros += cost(self.model, planned.most, is_batch=True)
            shared += question.tokens if question.token_usage else 0
        return found

    def still_due(self, questions: Sequence[PlannedQuestion]) -> list[PlannedQuestion]:
        return [question for question in questions if not any(map(self._is_asked, question.parts))]

    def estimate(self, questions: Sequence[PlannedQuestion], *, endpoint: str) -> BatchEstimate:
        """Return what questions would cost."""
        return BatchEstimate(
            endpoint=endpoint,
            model=self.model,
            questions=len(questions),
            chats=len({part.place for question in questions for part in question.parts if part.place}),
            tokens=sum(question.question.tokens for question in questions),
            micros=sum(cost(self.model, question.most, is_batch=True) for question in questions),
            left=self.left,
        )

    def portions(self, questions: Sequence[PlannedQuestion]) -> Iterator[list[PlannedQuestion]]:
        """Cut questions into batches that the service takes."""
        portion: list[PlannedQuestion] = []
        size = 0
        for question in questions:
            length = len(str(self.body(question)).encode("utf-8", "replace"))
            if portion and (len(portion) == MOST_REQUESTS or size + length > MOST_BYTES):
                yield portion
                portion, size = [], 0
            portion.append(question)
            size += length
        if portion:
            yield portion

    def body(self, planned: PlannedQuestion) -> dict[str, Any]:
        """Return the body of a request."""
        return body_of(planned.question, model=self.model)

    def reserve(self, name: str, planned: PlannedQuestion) -> None:
        """Write a question down in the ledger, at the most that it may cost."""
        self.ledger.reserve(
            name,
            model=self.model,
            purpose=planned.question.purpose,
            most=planned.most,
            now=self.context.now(),
            is_shared=bool(planned.question.token_usage),
        )

    def _check(self, question: Question, *, micros: int, shared: int) -> None:
        """Raise ModelError for a question that would pass a budget, after those before it."""
        now = self.context.now()
        for session, used in question.token_usage.items():
            self.ledger.note_token_usage(session, used, now=now)
        self.ledger.check(
            model=self.model,
            purpose=question.purpose,
            tokens=question.tokens,
            max_tokens=question.max_tokens,
            now=now,
            in_batch=micros,
        )
        if question.token_usage:
            self.ledger.check_share(tokens=shared + question.tokens, now=now)

    def _due(self) -> Iterator[PlannedQuestion]:
        """Yield the questions that no answer and no batch covers, and that were not asked in vain often enough."""
        yield from self._about_notes() if self.has_notes else ()
        for opened in self._opened():
            places = {one.session: one.found.place for one in reversed(opened)}
            news = [found for one in opened if (found := one.news(self.context))]
            for joined in self.engine.plan_all(news, all_facts(self.context)):
                planned = _planned(joined, places)
                question = planned.question
                is_asked = any(map(self._is_asked, planned.parts))
                is_long = question.tokens > _ROOM * LONG_PROMPT
                if not (is_asked or is_long or self.kept.hopeless(question, now=self.context.now())):
                    yield planned

    def _about_notes(self) -> Iterator[PlannedQuestion]:
        for portion, question in ask_notes.questions(self.context):
            asked = as_sent(question)
            part = PlannedPart(question=asked.key, family=ask_notes.FAMILY, covers=frozenset(portion), place="")
            if not (self._is_asked(part) or self.kept.hopeless(asked, now=self.context.now())):
                yield PlannedQuestion(question=asked, parts=(part,))

    def _is_asked(self, part: PlannedPart) -> bool:
        if self.batches.waiting(part.family) & part.covers:
            return True
        return any(part.covers & answer.covers for answer in self.kept.of(part.family))

    def _opened(self) -> Iterator[list[OpenedChat]]:
        """Read the chats, newest first, as many at once as share questions when they are asked one by one."""
        ordered = newest_first(self.chats, now=self.context.now())
        unheard = Learned(engine=self.engine.NAME)  # what cannot be read is told when the rest is learned from
        for start in range(0, len(ordered), AHEAD):
            opened: list[OpenedChat] = []
            for number, transcript in enumerate(ordered[start : start + AHEAD], start):
                self.progress(number, len(ordered), transcript.path.name)
                is_again = transcript.place in self.again
                opened += open_chat(
                    self.context, transcript, person=self.person, learned=unheard, is_again=is_again, goes_on=False
                )
            yield opened


def _planned(joined: Joined, places: dict[str, str]) -> PlannedQuestion:
    parts = tuple(
        PlannedPart(
            question=as_sent(part.question).key,
            family=family_of(part.transcript),
            covers=part.covers,
            place=places[part.transcript.session_id],
        )
        for part in joined.parts
    )
    return PlannedQuestion(question=as_sent(joined.question), parts=parts)
