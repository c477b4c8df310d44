"""Asking in batches: at half the price, answered within a day, whatever becomes of this machine meanwhile.

A batch is written down with all its questions, then sent, then known by the service's id. A run that finds one goes on
with it. Between the last two steps nobody can tell whether it arrived: then the service's list is looked through for a
batch that was not there before, has as many requests, and brings back our ids. Only when there is none, and one that
was on its way would have arrived by now, are its questions free to be asked again.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from memsuggest.core.config import HAIKU
from memsuggest.core.errors import ModelError
from memsuggest.judging.asking.batches import Batch, Batches, BatchState, Part, name_of, new_mark
from memsuggest.judging.asking.retry import patiently
from memsuggest.judging.engine_choice import Hand, endpoint_of, require_consent

if TYPE_CHECKING:
    from memsuggest.core.context import Context
    from memsuggest.judging.asking.batch_client import BatchClient, RemoteBatch
    from memsuggest.judging.asking.batch_ledger import BatchLedger
    from memsuggest.judging.by_model.engine import HaikuEngine
    from memsuggest.learning.batch_answers import BatchAnswers
    from memsuggest.learning.batch_plan import BatchPlan, PlannedQuestion
    from memsuggest.learning.learning_reports import BatchEstimate, BatchReceipt

    Found = TypeVar("Found")

SETTLE = 20_000
"""Milliseconds after which a batch that was on its way has arrived, or never will."""
PAUSES = (2.0, 5.0, 10.0, 30.0, 60.0)
"""Seconds between two looks at a batch, the last one for all that follow."""
LONGEST = 30 * 24 * 60 * 60 * 1000
"""Milliseconds after which nothing comes of a batch: a day before, the service lets go of its answers."""
ROUNDS = 3
"""How often a batch that never arrived is sent in one run."""
_REFUSED = frozenset({"invalid-key", "no-credit", "forbidden", "bad-request", "too-large", "rate-limited", "redirect"})
"""Outcomes after which nothing was made; after any other, nobody can tell."""
_UNKNOWN = "unknown-model"
"""The outcome for whatever a service has not: here, the batch."""
GONE = "batch-gone"


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchWish:
    """The command line's words about batches."""

    agree: Callable[[BatchEstimate], bool]
    """Shows what a batch would cost, and asks."""
    progress: Callable[[Mapping[str, int], int], None]
    """Is told how far the batches are, and for how many milliseconds they have been asked."""
    is_waiting: bool = True
    is_canceled: bool = False
    """Whether what was sent before is taken back, and nothing new is asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathered:
    """The outcome of a run's work with batches."""

    receipt: BatchReceipt
    places: frozenset[str]
    """Transcripts about which something was answered."""


@dataclass(slots=True, kw_only=True)
class BatchRun:
    """One run's work with batches."""

    context: Context
    hand: Hand
    client: BatchClient
    batches: Batches
    ledger: BatchLedger
    engine: HaikuEngine
    answers: BatchAnswers
    receipt: BatchReceipt
    sleep: Callable[[float], None] = time.sleep
    _counts: dict[str, Mapping[str, int]] = field(default_factory=dict, init=False)
    """By mark, how far each unfinished batch is."""

    def go_on(self) -> bool:
        """Look at every batch that is not over, and take what came; whether one never arrived."""
        self._counts = {}
        self.receipt.is_unsure = False
        has_dropped = False
        for batch in self.batches.unfinished():
            if self.context.now() - batch.at > LONGEST:
                self._give_up(batch)
            elif batch.endpoint != endpoint_of(self.context):
                self.receipt.elsewhere = batch.endpoint
            elif batch.state is BatchState.SENDING:
                has_dropped = not self._find_lost(batch) or has_dropped
            else:
                self._look_at(batch)
        self.receipt.waiting = sum(counts.get("processing", 0) for counts in self._counts.values())
        return has_dropped

    def send(self, plan: BatchPlan, wish: BatchWish, *, is_agreed: bool = False) -> bool:
        """Send what was not asked yet; whether the person agreed, or had before."""
        questions = plan.questions()
        self.receipt.left = plan.left
        if not questions:
            return is_agreed
        estimate = plan.estimate(questions, endpoint=endpoint_of(self.context))
        if not is_agreed and not wish.agree(estimate):
            self.receipt.is_declined = True
            return False
        require_consent(self.context, HAIKU, self.hand)
        for portion in plan.portions(plan.still_due(questions)):
            self._send(plan, portion)
        return True

    def wait(self, wish: BatchWish) -> bool:
        """Wait until no batch is being asked any more; whether one never arrived."""
        has_dropped = False
        looks = 0
        while not has_dropped:
            has_dropped = self.go_on()
            if not self._counts and not self.receipt.is_unsure:
                break
            oldest = min((batch.at for batch in self.batches.unfinished()), default=self.context.now())
            wish.progress(self._told_counts(), self.context.now() - oldest)
            self.sleep(PAUSES[min(looks, len(PAUSES) - 1)])
            looks += 1
        return has_dropped

    def cancel(self) -> None:
        """Take back every batch that is being asked; what is answered by then still comes, and is paid."""
        for batch in self.batches.unfinished():
            if batch.state is BatchState.OPEN and batch.endpoint == endpoint_of(self.context):
                self._patiently(partial(self.client.cancel, batch.remote))

    def gathered(self) -> Gathered:
        return Gathered(receipt=self.receipt, places=frozenset(self.answers.places))

    def _send(self, plan: BatchPlan, questions: Sequence[PlannedQuestion]) -> None:
        """Write down what is about to be sent, send it, and write down what the service calls it."""
        batch = Batch(
            mark=new_mark(),
            endpoint=endpoint_of(self.context),
            model=plan.model,
            newest=self._patiently(self.client.newest),
            at=self.context.now(),
        )
        named = {name_of(batch.mark, question.question.key): question for question in questions}
        self.batches.begin(batch, [part for name, one in named.items() for part in _parts(name, one)])
        for name, one in named.items():
            plan.reserve(name, one)
        try:
            remote = self.client.create({name: plan.body(one) for name, one in named.items()})
        except ModelError as error:
            if error.outcome in _REFUSED:
                self._forget(batch)
                raise
            self.receipt.is_unsure = True
            return
        self.batches.name_remote(batch, remote.id)
        self.receipt.sent += len(named)

    def _forget(self, batch: Batch) -> None:
        self.ledger.release(self.batches.names(batch))
        self.batches.drop(batch)

    def _find_lost(self, batch: Batch) -> bool:
        """Find a batch whose reply was lost; False when it never arrived, and was let go of."""
        names = self.batches.names(batch)
        taken = self.batches.remotes()
        is_unsure = self.context.now() - batch.at < SETTLE
        for remote in reversed(self._patiently(lambda: self.client.newer_than(batch.newest))):
            if remote.id in taken or remote.total != len(names) or remote.is_archived:
                continue
            if not remote.is_ended:  # only its results bring back our ids
                self._counts[batch.mark] = remote.counts
                is_unsure = True
            elif self._is_ours(remote, names):
                self.batches.name_remote(batch, remote.id)
                self.receipt.sent += len(names)
                self._look_at(replace(batch, remote=remote.id, state=BatchState.OPEN))
                return True
        if is_unsure:
            self.receipt.is_unsure = True
            return True
        self._forget(batch)
        return False

    def _is_ours(self, remote: RemoteBatch, names: Collection[str]) -> bool:
        return self._patiently(lambda: {result.name for result in self.client.results(remote.id)}) == names

    def _look_at(self, batch: Batch) -> None:
        """Look how far a batch is, and take what came when it has ended."""
        try:
            remote = self._patiently(lambda: self.client.retrieve(batch.remote))
        except ModelError as error:
            if error.outcome != _UNKNOWN:
                raise
            self._give_up(batch)
            return
        if not remote.is_ended:
            self._counts[batch.mark] = remote.counts
        elif remote.is_archived:
            self._give_up(batch)
        else:
            self.answers.take_all(batch, self.client.results(remote.id))

    def _give_up(self, batch: Batch) -> None:
        for name in self.batches.open_parts(batch):
            self.ledger.settle(name, model=batch.model, usage=None, outcome=GONE)
            self.receipt.failed[GONE] += 1
        self.batches.close(batch)

    def _told_counts(self) -> dict[str, int]:
        kinds = {kind for counts in self._counts.values() for kind in counts}
        return {kind: sum(counts.get(kind, 0) for counts in self._counts.values()) for kind in sorted(kinds)}

    def _patiently(self, ask: Callable[[], Found]) -> Found:
        return patiently(ask, sleep=self.sleep, now=lambda: self.context.now() / 1000)


def _parts(name: str, planned: PlannedQuestion) -> Iterator[Part]:
    for place, part in enumerate(planned.parts, 1):
        yield Part(
            name=name,
            position=place if len(planned.parts) > 1 else 0,
            question=part.question,
            family=part.family,
            covers=part.covers,
            place=part.place,
        )
