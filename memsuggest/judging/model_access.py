"""Having a model at hand, or not: the engine that a run uses, ready to ask within its budgets."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from memsuggest.core.config import OFFLINE
from memsuggest.core.context import Context
from memsuggest.core.database import open_database
from memsuggest.core.errors import ConsentError
from memsuggest.core.workspace import is_ci
from memsuggest.judging.asking import answers, usage_ledger
from memsuggest.judging.asking.answers import Answers
from memsuggest.judging.asking.ask_model import Asker
from memsuggest.judging.asking.consent_store import is_own_folder
from memsuggest.judging.asking.outcomes import failure
from memsuggest.judging.asking.prices import MICROS, Usage, cost
from memsuggest.judging.asking.question import Question, as_sent, body_of
from memsuggest.judging.asking.usage_ledger import RESERVE, Budgets, Ledger, UsageRow, day_of
from memsuggest.judging.assistant_documents import written_in
from memsuggest.judging.engine_choice import (
    NOBODY,
    Asking,
    chosen_engine,
    connect,
    program_of,
    program_path,
    receiver_of,
    record_consent,
    require_consent,
    require_ready,
)
from memsuggest.judging.engines.receiver import LOCAL
from memsuggest.judging.model_reports import PeriodUse, PurposeUse, Request, UsageShown
from memsuggest.judging.offline import offline
from memsuggest.judging.offline.findings import Extractor

if TYPE_CHECKING:
    from memsuggest.judging.by_model.engine import HaikuEngine

__all__ = ["NOBODY", "Asking"]

LOCAL_PORTION = 6_000
"""Tokens of a session in one question to a model on this machine, which has less room and less care."""


@contextmanager
def engine_at(context: Context, asking: Asking = NOBODY) -> Iterator[Extractor]:
    """Give the engine that the settings choose.

    `auto` is the first engine that may be asked, else our own rules. One that is set by name and may not be asked
    raises ModelError or ConsentError. At a context where nothing may be stored, nothing is asked either.
    """
    name = chosen_engine(context, asking)
    if name == OFFLINE:
        yield offline
        return
    from memsuggest.judging.by_model.engine import HaikuEngine
    from memsuggest.judging.by_model.packets import PORTION
    from memsuggest.transcripts.raw_sessions import token_usage

    with asker_at(context, asking, engine=name) as asker:
        yield HaikuEngine(
            asks=asker,
            read_written=lambda transcript: written_in(context.root, transcript),
            tell_token_usage=lambda chat: None if name == LOCAL else token_usage(Path(chat.origin), chat.format),
            portion=LOCAL_PORTION if name == LOCAL else PORTION,
            NAME=name,
        )


@contextmanager
def asker_at(
    context: Context, asking: Asking = NOBODY, *, engine: str | None = None, seconds: float | None = None
) -> Iterator[Asker]:
    """Give a model that may be asked; raises ModelError without one, ConsentError without consent.

    With `seconds`, an answer that takes longer is given up, and no question is asked a second time.
    """
    name = engine or chosen_engine(context, asking)
    if not context.is_dry:
        require_ready(context, name)
    receiver = receiver_of(context, name)
    if not context.is_dry:
        try:
            require_consent(context, name, asking)
        except ConsentError:
            can_ask = not is_ci(context.machine.environ) and is_own_folder(context.root)
            if not (asking.ask_person and can_ask and asking.ask_person(context, receiver)):
                raise
            record_consent(context, receiver)
    with ExitStack() as opened:
        kept = open_database(answers_path(context), answers.MIGRATIONS, read_only=context.is_dry)
        opened.callback(kept.close)
        yield Asker(
            model=receiver.model or "default",
            billed_as=receiver.billed_as,
            most_requests=int(context.settings.number("requestsPerDay")) if receiver.is_program else None,
            permit=lambda: require_consent(context, receiver.engine, asking),
            connect=lambda: connect(context, receiver.engine, opened, seconds=seconds),
            kept=Answers(kept),
            ledger=open_ledger(context, opened),
            now=context.now,
            sleep=time.sleep if seconds is None else _hurry,
        )


def _hurry(_pause: float) -> None:
    raise failure("timeout", "no time left to retry")


def open_ledger(context: Context, opened: ExitStack) -> Ledger:
    """Open what this person's models cost."""
    connection = open_database(
        context.folders.state / usage_ledger.FILE, usage_ledger.MIGRATIONS, read_only=context.is_dry
    )
    opened.callback(connection.close)
    budgets = Budgets(
        run=micros_of(context, "budgetPerRun"),
        day=micros_of(context, "budgetPerDay"),
        month=micros_of(context, "budgetPerMonth"),
        tokens=int(context.settings.number("tokensPerMonth")),
    )
    return Ledger(connection, workspace=context.place.key, budgets=budgets)


def micros_of(context: Context, setting: str) -> int:
    return round(context.settings.number(setting) * MICROS)


def as_model(engine: Extractor) -> HaikuEngine | None:
    """Return an engine as the one that asks a model; None for one that asks nobody."""
    if engine.NAME == OFFLINE:  # of which the other one need not be loaded
        return None
    from memsuggest.judging.by_model.engine import HaikuEngine

    return engine if isinstance(engine, HaikuEngine) else None


def as_request(context: Context, question: Question, *, engine: str) -> Request:
    """Return a question as a person may look at it before it is sent: as the command line that asks, if one does."""
    receiver = receiver_of(context, engine)
    sent = as_sent(question)
    command: tuple[str, ...] = ()
    texts = tuple(text for text in (sent.prompt.text, sent.known, sent.fenced()) if text)
    if program := program_of(receiver.engine):
        from memsuggest.judging.engines.programs import shown_call

        call = shown_call(program, body_of(sent, model=receiver.billed_as), model=receiver.model)
        command = (str(program_path(context, program) or program.NAME), *call.arguments)
        texts = (*call.files.values(), call.stdin)
    return Request(
        endpoint=receiver.address,
        model=receiver.model or "default",
        purpose=sent.purpose,
        about=sent.about,
        tokens=sent.tokens,
        micros=cost(receiver.billed_as, Usage(cache_write=sent.tokens, output=sent.max_tokens)),
        token_usage=sum(sent.token_usage.values()) if sent.token_usage else None,
        command=command,
        texts=texts,
    )


def forget_answers(context: Context, texts: Collection[str]) -> None:
    """Take words that are forgotten out of the answers that were kept, where there are any."""
    path = answers_path(context)
    if not path.exists():
        return
    connection = open_database(path, answers.MIGRATIONS)
    try:
        Answers(connection).forget(texts)
    finally:
        connection.close()


def answers_path(context: Context) -> Path:
    return context.state_path.with_name("answers.db")


def show_usage(context: Context) -> UsageShown:
    """Return what was used, newest first, by purpose and period, and how much of the budgets."""
    with ExitStack() as opened:
        ledger = open_ledger(context.dry(), opened)
        rows, now = tuple(ledger.rows()), context.now()
        day, month = ledger.spent("day", now=now), ledger.spent("month", now=now)
        today, budgets = day_of(now), ledger.budgets
        periods = []
        for name, start, spent, budget in (
            ("day", today, day, budgets.day),
            ("month", today[:7], month, budgets.month),
        ):
            by_purpose: dict[str, list[UsageRow]] = {}
            for row in rows:
                if row.day.startswith(start):
                    by_purpose.setdefault(row.purpose, []).append(row)
            purposes = (
                PurposeUse(
                    purpose=purpose,
                    requests=sum(row.requests for row in found),
                    tokens=sum(row.usage.prompt + row.usage.output for row in found),
                    micros=sum(row.micros for row in found),
                )
                for purpose, found in sorted(by_purpose.items())
            )
            periods.append(PeriodUse(name=name, spent=spent, budget=budget, reserve=RESERVE, purposes=tuple(purposes)))
        return UsageShown(
            rows=rows, budgets=budgets, day=day, month=month, share=ledger.share(now=now), periods=tuple(periods)
        )
