"""Engines that a person could choose with one key: what is here, who gets what it is asked, what it costs."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memsuggest.asking.consent_store import is_ci, is_own_folder
from memsuggest.asking.usage_ledger import dollars
from memsuggest.config import AUTO, OFFLINE, Mode
from memsuggest.engines.receiver import LOCAL, Receiver
from memsuggest.errors import MemsuggestError
from memsuggest.workflows.ask.engine_choice import (
    chosen_engine,
    consents_of,
    grant_command,
    is_ready,
    program_of,
    receiver_of,
    require_ready,
    require_usable,
)
from memsuggest.workflows.ask.grant_consent import grant_consent
from memsuggest.workflows.find_transcripts import find, not_too_old
from memsuggest.workflows.settings import set_setting

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from memsuggest.workflows.context import Context

CHATS, QUESTIONS = 61, 14
"""Real chats, and the questions that they took together: what a guess of the number of questions is made of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """An engine that may be asked as soon as the person says so."""

    receiver: Receiver
    name: str
    state: str
    """Whether the person is known to it, or where it is."""
    who: str
    """Who gets what it is asked."""
    costs: str

    @property
    def command(self) -> str:
        """The command that chooses it later."""
        engine = self.receiver.engine
        return "memsuggest config set engine local" if engine == LOCAL else grant_command(engine)


def is_engine_open(context: Context) -> bool:
    """Tell whether nobody has said yet who judges in this workspace, and it may be asked."""
    may_ask = is_own_folder(context.root) and not is_ci(context.machine.environ) and not context.is_dry
    if context.settings.engine != AUTO or context.settings.mode is Mode.OFF or not may_ask:
        return False
    return not consents_of(context).is_answered(context.place.key) and chosen_engine(context) == OFFLINE


def new_chats(context: Context, paths: Sequence[Path], *, is_again: bool) -> int:
    """Return how many chats a run would read."""
    found = find(context, paths).transcripts
    within = found if paths else not_too_old(context, found)
    return len(within if is_again else context.progress.changed(within))


def offers(context: Context, *, chats: int) -> list[Offer]:
    """Return the engines that are here and could be asked, the best first; nothing is sent to any of them."""
    engines = _in_order(context)
    with ThreadPoolExecutor(max_workers=len(engines) or 1) as pool:  # each program takes a second to say what it can do
        found = pool.map(lambda engine: _offer_if_any(context, engine, chats), engines)
        return [offer for offer in found if offer]


def _offer_if_any(context: Context, engine: str, chats: int) -> Offer | None:
    try:
        return _local(context) if engine == LOCAL else _offer(context, engine, chats)
    except MemsuggestError:
        return None


def _offer(context: Context, engine: str, chats: int) -> Offer:
    """Return what a person is told of an engine that sends something; raises MemsuggestError for one of no use."""
    require_ready(context, engine)
    require_usable(context, engine)
    receiver = receiver_of(context, engine)
    if receiver.is_program:
        most = int(context.settings.number("requestsPerDay"))
        about = max(1, round(chats * QUESTIONS / CHATS))
        costs = f"about {about} {'question' if about == 1 else 'questions'} on your account, at most {most} a day"
    else:
        run = dollars(round(context.settings.number("budgetPerRun") * 1_000_000))
        costs = f"a fraction of a cent for a chat, at most {run} a run"
    name, state = _name_and_state(context, engine)
    return Offer(receiver=receiver, name=name, state=state, who=f"seen by {receiver.who}", costs=costs)


def _local(context: Context) -> Offer:
    from memsuggest.workflows.ask.local_models import find_local  # noqa: PLC0415  (loads the API's client)

    server, model = find_local(context, is_first=True)
    who = "nothing leaves this machine"
    return Offer(receiver=receiver_of(context, LOCAL), name=model, state=f"at {server}", who=who, costs="costs nothing")


def _name_and_state(context: Context, engine: str) -> tuple[str, str]:
    """Return what an engine is called, and whether the person is known to it."""
    program = program_of(engine)
    if program is None:
        return context.settings.text("model"), "with your key"
    is_known = program.is_signed_in(environ=context.machine.environ, home=context.folders.home)
    return program.NAME, "signed in here" if is_known else "if you are signed in"


def who_could_judge(context: Context, *, maybes: int) -> str:
    """Say which engine that is here could judge, and the command for it; nothing after a no, or where nobody may be."""
    what, words = ("it" if maybes == 1 else "them", "reconcile") if maybes else ("this better", "reconcile --again")
    may_ask = is_own_folder(context.root) and not is_ci(context.machine.environ)
    if not may_ask or consents_of(context).is_declined(context.place.key):
        return ""
    engine = next((engine for engine in _in_order(context) if engine != LOCAL and is_ready(context, engine)), None)
    if engine is None:
        return f"a model could judge {what}: `memsuggest doctor` shows what can be asked"
    name, state = _name_and_state(context, engine)
    return f"`{name}` ({state}) could judge {what}: `memsuggest {words} --engine {engine}`"


def _in_order(context: Context) -> list[str]:
    """Return the engines, programs first, as they cost nothing more; else as the person ordered them."""
    return sorted(context.settings.texts("engineOrder"), key=lambda engine: program_of(engine) is None)


def accept(context: Context, offer: Offer) -> str:
    """Remember that an engine may be asked in this workspace; return the command that takes it back."""
    if offer.receiver.engine == LOCAL:
        set_setting(context, "engine", LOCAL, where="workspace")
        return "memsuggest config unset engine"
    grant_consent(context, offer.receiver)
    return "memsuggest consent revoke"


def decline(context: Context) -> None:
    """Remember that no engine is to be asked in this workspace, nor the person about one."""
    consents_of(context).decline(workspace=context.place.key, root=str(context.root), at=context.now())
