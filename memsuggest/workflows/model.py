"""Having a model at hand, or not: which engine a run uses, on whose word, with which key, endpoint and budgets."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from memsuggest.config import AUTO, OFFLINE
from memsuggest.database import open_database
from memsuggest.errors import ConsentError
from memsuggest.extraction.engines import OfflineEngine
from memsuggest.haiku import answers, ledger
from memsuggest.haiku.answers import Answers
from memsuggest.haiku.asking import Asker, as_sent, open_replay
from memsuggest.haiku.consent import Consents, Grant, is_ci, is_own_folder
from memsuggest.haiku.endpoint import find_endpoint, find_key
from memsuggest.haiku.ledger import Budgets, Ledger
from memsuggest.haiku.outcomes import failure
from memsuggest.haiku.prices import MICROS, Usage, cost
from memsuggest.haiku.recording import Recorder
from memsuggest.reports.learning import Request
from memsuggest.workflows.documents import OWN_LIMIT, written_in
from memsuggest.workflows.stores import all_facts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from memsuggest.extraction.engines import Extractor
    from memsuggest.haiku.asking import Asks, Sends
    from memsuggest.haiku.question import Question
    from memsuggest.model import MemoryFact, Transcript
    from memsuggest.workflows.desk import Desk


@dataclass(frozen=True, slots=True, kw_only=True)
class Hand:
    """What a command line says about asking a model."""

    is_agreed: bool = False
    """`--consent`: this once, without asking; in CI the only way."""
    ask_person: Callable[[Desk, str], bool] | None = None
    """Asks on a terminal whether things may go to an endpoint; None where nobody can be asked."""
    record: Path | None = None
    replay: Path | None = None


NOBODY = Hand()


@contextmanager
def engine_at(desk: Desk, hand: Hand = NOBODY) -> Iterator[Extractor]:
    """Give the engine that the settings choose.

    `auto` is the model where a key is set and consent was given, else our own rules. `haiku` without them raises
    ModelError or ConsentError. At a desk where nothing may be stored, nothing is asked either.
    """
    name = desk.settings.engine
    if hand.replay is None and (name == OFFLINE or (name == AUTO and not is_permitted(desk, hand))):
        yield OfflineEngine(read_written=lambda transcript: written_in(desk.root, transcript, limit=OWN_LIMIT))
        return
    from memsuggest.extraction.haiku.engine import HaikuEngine  # noqa: PLC0415  (the schema of replies loads slowly)
    from memsuggest.transcripts.own_use import own_use  # noqa: PLC0415  (only a model's work is measured by it)

    with asker_at(desk, hand) as asker:
        yield HaikuEngine(
            asks=asker,
            read_written=lambda transcript: written_in(desk.root, transcript),
            tell_own_use=lambda transcript: own_use(Path(transcript.origin), transcript.format),
        )


def is_permitted(desk: Desk, hand: Hand = NOBODY) -> bool:
    """Tell whether a model may be asked without any further word: there is a key, and consent for its endpoint."""
    if find_key(desk.machine.environ) is None:
        return False
    try:
        require_consent(desk, hand)
    except ConsentError:
        return False
    return True


def endpoint_of(desk: Desk) -> str:
    """Return where this person's models are asked; raises ConfigError."""
    return find_endpoint(desk.settings.text("endpoint"), desk.machine.environ)


def consents_of(desk: Desk) -> Consents:
    """Return what this person agreed to."""
    return Consents(desk.folders.config)


def require_consent(desk: Desk, hand: Hand = NOBODY) -> None:
    """Raise ConsentError unless this person agreed that this workspace's words go to the endpoint."""
    if desk.settings.engine == OFFLINE:
        raise ConsentError("nothing is sent: the engine is `offline`", hint="leave out `--offline`")
    if not is_own_folder(desk.root):
        raise ConsentError(
            f"nothing is sent: `{desk.root}` belongs to another user", hint="work in a clone of your own"
        )
    if hand.is_agreed:
        return
    if is_ci(desk.machine.environ):
        raise ConsentError(
            "nothing is sent: this is CI, where nobody can be asked", hint="`--consent` says that it may, for this run"
        )
    endpoint = endpoint_of(desk)
    if not consents_of(desk).has(workspace=desk.place.key, endpoint=endpoint):
        raise ConsentError(
            f"nothing is sent to {endpoint} without your consent for this workspace",
            hint="`memsuggest consent grant` shows what would be sent, and asks",
        )


@contextmanager
def asker_at(desk: Desk, hand: Hand = NOBODY) -> Iterator[Asker]:
    """Give a model that may be asked; raises ModelError without a key, ConsentError without consent."""
    if hand.replay is None and not desk.is_dry:
        if find_key(desk.machine.environ) is None:
            raise failure("no-key")
        _ask_first(desk, hand)
    with ExitStack() as opened:
        yield _asker(desk, hand, opened)


def _ask_first(desk: Desk, hand: Hand) -> None:
    """Ask the person once, where one can be asked, and remember a yes."""
    try:
        require_consent(desk, hand)
    except ConsentError:
        endpoint = endpoint_of(desk)
        can_ask = hand.ask_person and not is_ci(desk.machine.environ) and is_own_folder(desk.root)
        if not (can_ask and hand.ask_person and hand.ask_person(desk, endpoint)):
            raise
        consents_of(desk).grant(Grant(workspace=desk.place.key, root=str(desk.root), endpoint=endpoint, at=desk.now()))


def _asker(desk: Desk, hand: Hand, opened: ExitStack) -> Asker:
    kept = open_database(_answers_path(desk), answers.MIGRATIONS, read_only=desk.is_dry or hand.replay is not None)
    opened.callback(kept.close)

    def connect() -> Sends:
        from memsuggest.haiku.client import Client  # noqa: PLC0415  (the SDK takes a second to load)

        key = find_key(desk.machine.environ)
        if key is None:
            raise failure("no-key")
        client = Client(endpoint=endpoint_of(desk), key=key, proxy=desk.settings.text("proxy") or None)
        opened.callback(client.close)
        return client

    return Asker(
        model=desk.settings.text("model"),
        permit=lambda: require_consent(desk, hand),
        connect=connect,
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


def planned_requests(desk: Desk, engine: Extractor, transcript: Transcript) -> list[Request]:
    """Return what would be sent about a session; nothing for an engine that sends nothing."""
    from memsuggest.extraction.haiku.engine import HaikuEngine  # noqa: PLC0415  (the schema of replies loads slowly)

    if not isinstance(engine, HaikuEngine):
        return []
    return [as_request(desk, planned.question) for planned in engine.plan(transcript, all_facts(desk))]


def asks_of(engine: Extractor) -> Asks | None:
    """Return the model that an engine asks; None for one that asks nobody."""
    if engine.NAME == OFFLINE:
        return None
    from memsuggest.extraction.haiku.engine import HaikuEngine  # noqa: PLC0415  (the schema of replies loads slowly)

    return engine.asks if isinstance(engine, HaikuEngine) else None


def as_request(desk: Desk, question: Question) -> Request:
    """Return a question as a person may look at it before it is sent."""
    sent = as_sent(question)
    model = desk.settings.text("model")
    return Request(
        endpoint=endpoint_of(desk),
        model=model,
        purpose=sent.purpose,
        about=sent.about,
        tokens=sent.tokens,
        micros=cost(model, Usage(cache_write=sent.tokens, output=sent.max_tokens)),
        own_use=sent.own_use,
        texts=tuple(text for text in (sent.prompt.text, sent.known, sent.fenced()) if text),
    )


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
