"""Having a model at hand, or not: the engine that a run uses, ready to ask within its budgets."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from memsuggest.config import OFFLINE
from memsuggest.database import open_database
from memsuggest.errors import ConsentError, ModelError
from memsuggest.haiku import answers, ledger
from memsuggest.haiku.answers import Answers
from memsuggest.haiku.asking import Asker, open_replay
from memsuggest.haiku.consent import Grant, is_ci, is_own_folder
from memsuggest.haiku.ledger import Budgets, Ledger
from memsuggest.haiku.prices import MICROS, Usage, cost
from memsuggest.haiku.question import body_of
from memsuggest.haiku.recording import Recorder
from memsuggest.haiku.redacted import as_sent
from memsuggest.minds.receiver import LOCAL
from memsuggest.reports.learning import Request
from memsuggest.workflows.documents import written_in
from memsuggest.workflows.engines import (
    NOBODY,
    Hand,
    chosen_engine,
    connect,
    consents_of,
    program_of,
    program_path,
    receiver_of,
    require_consent,
    require_ready,
)
from memsuggest.workflows.stores import all_facts
from memsuggest.workflows.understanding import own_rules

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from memsuggest.extraction.engines import Extractor
    from memsuggest.haiku.asking import Asks
    from memsuggest.haiku.question import Question
    from memsuggest.minds.receiver import Receiver
    from memsuggest.model import MemoryFact, Transcript
    from memsuggest.workflows.desk import Desk

__all__ = ["NOBODY", "Hand"]

LOCAL_PORTION = 6_000
"""Tokens of a session in one question to a model on this machine, which has less room and less care."""


@contextmanager
def engine_at(desk: Desk, hand: Hand = NOBODY) -> Iterator[Extractor]:
    """Give the engine that the settings choose.

    `auto` is the first engine that may be asked, else our own rules. One that is set by name and may not be asked
    raises ModelError or ConsentError. At a desk where nothing may be stored, nothing is asked either.
    """
    name = chosen_engine(desk, hand)
    if name == OFFLINE:
        yield own_rules(desk.root)
        return
    from memsuggest.extraction.haiku.engine import HaikuEngine  # noqa: PLC0415  (the schema of replies loads slowly)
    from memsuggest.extraction.haiku.packets import PORTION  # noqa: PLC0415  (as above)
    from memsuggest.transcripts.own_use import own_use  # noqa: PLC0415  (only a model's work is measured by it)

    def tell_own_use(transcript: Transcript) -> int | None:
        return None if name == LOCAL else own_use(Path(transcript.origin), transcript.format)

    with asker_at(desk, hand, engine=name) as asker:
        yield HaikuEngine(
            asks=asker,
            read_written=lambda transcript: written_in(desk.root, transcript),
            tell_own_use=tell_own_use,
            portion=LOCAL_PORTION if name == LOCAL else PORTION,
            NAME=name,
        )


@contextmanager
def asker_at(desk: Desk, hand: Hand = NOBODY, *, engine: str | None = None) -> Iterator[Asker]:
    """Give a model that may be asked; raises ModelError without one, ConsentError without consent."""
    name = engine or chosen_engine(desk, hand)
    if hand.replay is None and not desk.is_dry:
        require_ready(desk, name)
        _ask_first(desk, hand, name)
    with ExitStack() as opened:
        yield _asker(desk, hand, receiver_of(desk, name), opened)


def _ask_first(desk: Desk, hand: Hand, engine: str) -> None:
    """Ask the person once, where one can be asked, and remember a yes."""
    try:
        require_consent(desk, engine, hand)
    except ConsentError:
        receiver = receiver_of(desk, engine)
        can_ask = hand.ask_person and not is_ci(desk.machine.environ) and is_own_folder(desk.root)
        if not (can_ask and hand.ask_person and hand.ask_person(desk, receiver)):
            raise
        given = Grant(workspace=desk.place.key, root=str(desk.root), endpoint=receiver.address, at=desk.now())
        consents_of(desk).grant(given)


def _asker(desk: Desk, hand: Hand, receiver: Receiver, opened: ExitStack) -> Asker:
    kept = open_database(_answers_path(desk), answers.MIGRATIONS, read_only=desk.is_dry or hand.replay is not None)
    opened.callback(kept.close)
    return Asker(
        model=receiver.model or "default",
        billed_as=receiver.billed_as,
        most_requests=int(desk.settings.number("requestsPerDay")) if receiver.is_program else None,
        permit=lambda: require_consent(desk, receiver.engine, hand),
        connect=lambda: connect(desk, receiver.engine, opened),
        kept=Answers(kept),
        ledger=open_ledger(desk, opened),
        now=desk.now,
        recorder=Recorder(hand.record) if hand.record else None,
        replay=open_replay(hand.replay) if hand.replay else None,
    )


def open_ledger(desk: Desk, opened: ExitStack) -> Ledger:
    """Open what this person's models cost."""
    connection = open_database(desk.folders.state / ledger.FILE, ledger.MIGRATIONS, read_only=desk.is_dry)
    opened.callback(connection.close)
    budgets = Budgets(**{name: micros_of(desk, setting) for name, setting in _BUDGETS.items()})
    return Ledger(connection, workspace=desk.place.key, budgets=budgets)


_BUDGETS = {"run": "budgetPerRun", "day": "budgetPerDay", "month": "budgetPerMonth"}


def micros_of(desk: Desk, setting: str) -> int:
    """Return a setting in dollars, in millionths of one."""
    return round(desk.settings.number(setting) * MICROS)


def ask_together(desk: Desk, engine: Extractor, sessions: Sequence[Transcript]) -> Mapping[str, ModelError]:
    """Ask about the short ones of some sessions at once; return, by session, what went wrong where something did."""
    from memsuggest.extraction.haiku.engine import HaikuEngine  # noqa: PLC0415  (the schema of replies loads slowly)

    return engine.ask_together(sessions, all_facts(desk)) if isinstance(engine, HaikuEngine) else {}


def planned_requests(desk: Desk, engine: Extractor, sessions: Sequence[Transcript]) -> list[Request]:
    """Return what would be sent about some sessions; nothing for an engine that sends nothing."""
    from memsuggest.extraction.haiku.engine import HaikuEngine  # noqa: PLC0415  (the schema of replies loads slowly)

    if not isinstance(engine, HaikuEngine):
        return []
    return [as_request(desk, one, engine=engine.NAME) for one in engine.questions(sessions, all_facts(desk))]


def asks_of(engine: Extractor) -> Asks | None:
    """Return the model that an engine asks; None for one that asks nobody."""
    if engine.NAME == OFFLINE:
        return None
    from memsuggest.extraction.haiku.engine import HaikuEngine  # noqa: PLC0415  (the schema of replies loads slowly)

    return engine.asks if isinstance(engine, HaikuEngine) else None


def as_request(desk: Desk, question: Question, *, engine: str | None = None) -> Request:
    """Return a question as a person may look at it before it is sent."""
    receiver = receiver_of(desk, engine or chosen_engine(desk))
    sent = as_sent(question)
    command, texts = _as_run(desk, sent, receiver)
    return Request(
        endpoint=receiver.address,
        model=receiver.model or "of its own choice",
        purpose=sent.purpose,
        about=sent.about,
        tokens=sent.tokens,
        micros=cost(receiver.billed_as, Usage(cache_write=sent.tokens, output=sent.max_tokens)),
        own_use=sum(sent.own_use.values()) if sent.own_use else None,
        command=command,
        texts=texts,
    )


def _as_run(desk: Desk, sent: Question, receiver: Receiver) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the command line that would ask, if a program does, and all texts that would be sent."""
    program = program_of(receiver.engine)
    if program is None:
        return (), tuple(text for text in (sent.prompt.text, sent.known, sent.fenced()) if text)
    from memsuggest.minds.programs import shown_call  # noqa: PLC0415  (only a dry run shows it)

    call = shown_call(program, body_of(sent, model=receiver.billed_as), model=receiver.model)
    path = program_path(desk, program)
    return (str(path or program.NAME), *call.arguments), (*call.files.values(), call.stdin)


def forget_answers(desk: Desk, facts: Iterable[MemoryFact]) -> None:
    """Take what is forgotten out of the answers that were kept, where there are any."""
    path = _answers_path(desk)
    if not path.exists():
        return
    connection = open_database(path, answers.MIGRATIONS)
    try:
        Answers(connection).forget(
            [text for fact in facts for text in (fact.content, *(c.quote for c in fact.citations))]
        )
    finally:
        connection.close()


def _answers_path(desk: Desk) -> Path:
    return desk.state_path.with_name("answers.db")
