"""Asking: the one way out to a model. Consent, budget, patience, ledger, in that order, for any question."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from email.utils import parsedate_to_datetime
from functools import partial
from typing import Any, Protocol, TypeVar

from memsuggest.core.errors import ModelError
from memsuggest.judging.asking.answers import Answers, Kept, PaidAnswer
from memsuggest.judging.asking.outcomes import ANSWERED, BY_STOP_REASON, OUTCOMES, Reply, ServiceError, failure
from memsuggest.judging.asking.prices import LONG_PROMPT, Usage
from memsuggest.judging.asking.question import Question, as_heard, as_sent, body_of, estimate
from memsuggest.judging.asking.usage_ledger import Ledger, engine_of

Found = TypeVar("Found")

PAUSES = (1.0, 4.0)  # seconds before the second and the third try; there is no fourth
LONGEST = 30.0  # seconds that a service may ask to wait; for more, the run ends and says so
IN_ROW = 3  # failures one after the other, of whatever sort, after which a run asks no more
_ROOM = 0.8  # share of the long prompt from which the service is asked to count, since our own count is a guess
OF_THE_CONTENT = frozenset(
    {
        *("refusal", "truncated", "unexpected-stop", "unreadable", "wrong-shape", "empty", "too-long", "bad-request"),
        *("too-large", "prose"),
    }
)
"""Outcomes that would come again."""


def patiently(ask: Callable[[], Found], *, sleep: Callable[[float], None], now: Callable[[], float]) -> Found:
    """Return what `ask` returns, asking again where that may help; raises ModelError.

    `now` is in seconds since the epoch, for services that name a date.
    """
    for pause in PAUSES:
        try:
            return ask()
        except ModelError as error:
            if not OUTCOMES[error.outcome].again:
                raise
            wait = _seconds_of(error.retry_after, now=now) if isinstance(error, ServiceError) else None
            if wait is not None and wait > LONGEST:
                raise failure("wait-too-long", f"{wait:.0f} seconds; {error.message}") from None
            sleep(pause if wait is None else wait)
    return ask()


def _seconds_of(retry_after: str | None, *, now: Callable[[], float]) -> float | None:
    """Return how many seconds a service asks to wait; None where it says nothing that can be understood."""
    with suppress(ValueError, TypeError, OverflowError):
        try:
            seconds = float(retry_after or "")
        except ValueError:
            seconds = parsedate_to_datetime(retry_after or "").timestamp() - now()
        return max(0.0, seconds) if math.isfinite(seconds) and seconds < 10**9 else None
    return None


class Sends(Protocol):
    """The client, or what stands for it."""

    def send(self, body: dict[str, Any]) -> Reply:
        """Send one request."""
        ...

    def count(self, body: dict[str, Any]) -> int:
        """Count the tokens of one request."""
        ...


@dataclass(slots=True, kw_only=True)
class Asks:
    """A model that is asked nothing: it has the answers that were handed in, and those that were paid for."""

    kept: Answers

    def answers(self, family: str) -> list[PaidAnswer]:
        return self.kept.of(family) if family else []

    def may_join(self, _question: Question) -> bool:
        """Tell whether another question may be asked in the place of this one and of others."""
        return False

    def ask(
        self,
        question: Question,
        read: Callable[[str], Found],
        *,
        family: str = "",
        covers: Collection[str] = (),
        sift: Callable[[Found], str] | None = None,
    ) -> Found:
        """Return what `read` makes of the answer; both raise ModelError, `read` for an answer that is of no use.

        `sift` returns what of the answer is worth keeping, as an answer; without it, all of it is kept.
        """
        key = as_sent(question).key

        def kept(found: Found, text: str) -> Iterable[Kept]:
            worth = text if sift is None else sift(found)
            return [Kept(question=key, text=worth, family=family, covers=covers)]

        return self.ask_together(question, read, keep=kept)

    def ask_together(
        self, question: Question, read: Callable[[str], Found], *, keep: Callable[[Found, str], Iterable[Kept]]
    ) -> Found:
        """Ask in the place of several questions; `keep` returns what of the answer is kept as the answer to each."""
        answer = self.kept.to(question)
        if answer is None:
            raise failure("no-answer", question.about)
        return read(answer)


@dataclass(slots=True, kw_only=True)
class Asker(Asks):
    """A model that may be asked, with everything that is written down about it."""

    model: str
    permit: Callable[[], None]  # raises ConsentError; asked before anything is sent
    connect: Callable[[], Sends]  # opens the client when it is first needed; raises ModelError without a key
    ledger: Ledger
    now: Callable[[], int]  # milliseconds since the epoch
    billed_as: str
    most_requests: int | None = None  # questions that it may be asked in a day; None where only money counts
    sleep: Callable[[float], None] = time.sleep
    _client: Sends | None = field(default=None, init=False)
    _stopped: ModelError | None = field(default=None, init=False)
    _failures: int = field(default=0, init=False)

    def may_join(self, question: Question) -> bool:
        return not self.kept.was_in_vain(as_sent(question))

    def ask_together(
        self, question: Question, read: Callable[[str], Found], *, keep: Callable[[Found, str], Iterable[Kept]]
    ) -> Found:
        """Ask, read the answer, and keep what is worth it when it could be read; raises ModelError and ConsentError."""
        sent = as_sent(question)
        answer = self.kept.to(sent)
        if answer is not None:
            return read(answer)
        if self._stopped:
            raise failure("given-up", self._stopped.message)
        vain = self.kept.hopeless(sent, now=self.now())
        if vain:
            raise failure(vain, "the same question has already been asked too many times today")
        try:
            text = as_heard(self._asked(sent))
            found = read(text)
        except ModelError as error:
            if error.outcome == "over-share":  # nothing was sent, and other questions may be about other assistants
                raise
            self._failures += 1
            if OUTCOMES[error.outcome].final or self._failures >= IN_ROW:
                self._stopped = error
            if error.outcome in OF_THE_CONTENT:
                self.kept.note_failure(sent.parts or (sent.key,), error.outcome, now=self.now())
            raise
        self._failures = 0
        self.kept.keep(*keep(found, text), judge=engine_of(self.billed_as), now=self.now())
        return found

    def _asked(self, question: Question) -> str:
        self.permit()
        for session, used in question.token_usage.items():
            self.ledger.note_token_usage(session, used, now=self.now())
        body = body_of(question, model=self.model)
        tokens = self._open().count(body) if question.tokens > _ROOM * LONG_PROMPT else question.tokens
        if tokens > LONG_PROMPT:
            raise failure("too-large", f"{tokens} tokens")
        model, purpose, most = self.billed_as, question.purpose, question.max_tokens

        def attempt() -> Reply:
            if self.most_requests is not None:
                self.ledger.check_requests(model=model, most=self.most_requests, now=self.now(), purpose=purpose)
            self.ledger.check(model=model, purpose=purpose, tokens=tokens, max_tokens=most, now=self.now())
            if question.token_usage:
                self.ledger.check_share(tokens=tokens, now=self.now())
            return self._sent(question, body, Usage(input=tokens, output=most))

        return patiently(attempt, sleep=self.sleep, now=lambda: self.now() / 1000).text

    def _sent(self, question: Question, body: dict[str, Any], guess: Usage) -> Reply:
        """Send once, and write down what it cost: of what failed, no more than the service said."""
        is_shared, purpose = bool(question.token_usage), question.purpose
        note = partial(self.ledger.note, model=self.billed_as, purpose=purpose, is_shared=is_shared)
        client = self._open()  # where that fails, nothing was asked, and nothing is written down
        try:
            reply = client.send(body)
        except ModelError as error:
            announced = error.announced if isinstance(error, ServiceError) else None
            usage = None if announced else Usage()
            note(usage=usage, guess=announced or Usage(), outcome=error.outcome, now=self.now())
            raise
        outcome = outcome_of(reply)
        if self.most_requests is not None:  # its tokens cost nobody money, so the guess need not be on the high side
            guess = replace(guess, output=estimate(reply.text))
        note(usage=reply.usage, guess=guess, outcome=outcome, now=self.now())
        if outcome != ANSWERED:
            raise failure(outcome, reply.stop_reason or "")
        return reply

    def _open(self) -> Sends:
        if self._client is None:
            self._client = self.connect()
        return self._client


def outcome_of(reply: Reply) -> str:
    """Return what a whole reply comes to, before anybody reads it."""
    if reply.stop_reason != "end_turn":
        return BY_STOP_REASON.get(reply.stop_reason or "", "unexpected-stop")
    return ANSWERED if reply.text.strip() else "empty"
