"""Engines that a person could choose with one key, and giving, withdrawing and showing consent."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from memsuggest.core.config import AUTO, OFFLINE, Mode
from memsuggest.core.context import Context
from memsuggest.core.errors import ConfigError, ConsentError, MemsuggestError, ModelError
from memsuggest.core.render.page import count
from memsuggest.core.workspace import is_ci
from memsuggest.judging import engine_choice
from memsuggest.judging.asking.consent_store import WHAT_IS_SENT, is_own_folder
from memsuggest.judging.asking.prices import UNKNOWN, price_of
from memsuggest.judging.asking.usage_ledger import dollars
from memsuggest.judging.engines.receiver import CHAT, LOCAL, Receiver
from memsuggest.judging.model_access import micros_of
from memsuggest.judging.model_reports import ConsentShown
from memsuggest.setup.write_settings import set_setting, unset_setting
from memsuggest.transcripts.find_transcripts import find, not_too_old

CHATS, QUESTIONS = 61, 14
"""Real chats, and the questions that they took together: what a guess of the number of questions is made of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """An engine that may be asked as soon as the person says so."""

    receiver: Receiver
    name: str
    state: str  # whether the person is known to it, or where it is
    who: str
    costs: str

    @property
    def command(self) -> str:
        """The command that chooses it later."""
        engine = self.receiver.engine
        return "memsuggest config set engine local" if engine == LOCAL else engine_choice.grant_command(engine)


def is_engine_open(context: Context) -> bool:
    """Tell whether nobody has said yet who judges in this workspace, and it may be asked."""
    may_ask = is_own_folder(context.root) and not is_ci(context.machine.environ) and not context.is_dry
    if context.settings.engine != AUTO or context.settings.mode is Mode.OFF or not may_ask:
        return False
    return (
        not engine_choice.consents_of(context).is_answered(context.place.key)
        and engine_choice.chosen_engine(context) == OFFLINE
    )


def new_chats(context: Context, paths: Sequence[Path], *, is_again: bool) -> int:
    """Return how many chats a run would read."""
    found = find(context, paths).transcripts
    within = found if paths else not_too_old(context, found)
    return len(within if is_again else context.progress.changed(within))


def offers(context: Context, *, chats: int) -> list[Offer]:
    """Return the engines that are here and could be asked, the best first; nothing is sent to any of them."""
    engines = _in_order(context)
    with ThreadPoolExecutor(max_workers=len(engines) or 1) as pool:  # each program takes a second to say what it can do
        return [offer for offer in pool.map(lambda engine: _offer(context, engine, chats), engines) if offer]


def _offer(context: Context, engine: str, chats: int) -> Offer | None:
    try:
        if engine == LOCAL:
            server, name = engine_choice.find_local(context, is_first=True)
            receiver = engine_choice.receiver_of(context, engine)
            who = "nothing leaves this machine"
            return Offer(receiver=receiver, name=name, state=f"at {server}", who=who, costs="free")
        engine_choice.require_ready(context, engine)
        if program := engine_choice.program_of(engine):
            engine_choice.require_usable(context, program)
        receiver = engine_choice.receiver_of(context, engine)
    except MemsuggestError:
        return None
    name, state = _name_and_state(context, engine)
    if program:
        most = int(context.settings.number("requestsPerDay"))
        about = count(max(1, round(chats * QUESTIONS / CHATS)), "question", "questions")
        costs = f"about {about} on your account, at most {most} per day"
    else:
        costs = f"a fraction of a cent per chat, at most {dollars(micros_of(context, 'budgetPerRun'))} per run"
    return Offer(receiver=receiver, name=name, state=state, who=f"visible to {receiver.who}", costs=costs)


def _name_and_state(context: Context, engine: str) -> tuple[str, str]:
    program = engine_choice.program_of(engine)
    if program is None:
        return context.settings.text("model"), "with your API key"
    is_known = program.is_signed_in(environ=context.machine.environ, home=context.folders.home)
    return program.NAME, "signed in" if is_known else "if you are signed in"


def who_could_judge(context: Context, *, maybes: int) -> str:
    """Say which engine that is here could judge, and the command for it; nothing after a no, or where nobody may be."""
    what, words = (
        ("this suggestion" if maybes == 1 else "these suggestions", "reconcile")
        if maybes
        else ("these chats better", "reconcile --again")
    )
    may_ask = is_own_folder(context.root) and not is_ci(context.machine.environ)
    if not may_ask or engine_choice.consents_of(context).is_declined(context.place.key):
        return ""
    engine = next(
        (engine for engine in _in_order(context) if engine != LOCAL and engine_choice.is_ready(context, engine)), ""
    )
    if not engine:
        return f"a model could evaluate {what}: run `memsuggest doctor` to see the available engines"
    name, state = _name_and_state(context, engine)
    return f"`{name}` ({state}) could evaluate {what}: run `memsuggest {words} --engine {engine}`"


def _in_order(context: Context) -> list[str]:
    """Return the engines, programs first, as they cost nothing more; else as the person ordered them."""
    return sorted(context.settings.texts("engineOrder"), key=lambda engine: engine_choice.program_of(engine) is None)


def accept(context: Context, offer: Offer) -> str:
    """Remember that an engine may be asked in this workspace; return the command that takes it back."""
    if offer.receiver.engine == LOCAL:
        set_setting(context, "engine", LOCAL, where="workspace")
        return "memsuggest config unset engine"
    grant_consent(context, offer.receiver)
    return "memsuggest consent revoke"


def withdraw(context: Context, engine: str) -> None:
    """Forget that an engine was accepted: the person is as if they had not been asked."""
    if engine == LOCAL:
        for name in ("engine", "localEndpoint", "localModel"):
            unset_setting(context, name, where="workspace")
    else:
        receiver = engine_choice.receiver_of(context, engine)
        engine_choice.consents_of(context).forget(workspace=context.place.key, endpoint=receiver.address)


def decline(context: Context) -> None:
    """Remember that no engine is to be asked in this workspace, nor the person about one."""
    engine_choice.consents_of(context).decline(workspace=context.place.key, root=str(context.root), at=context.now())


def words_about(context: Context, receiver: Receiver) -> list[str]:
    """Return what a person is told before they agree, a line each."""
    sent = [f"  - {what}" for what in WHAT_IS_SENT]
    dry = "run `memsuggest reconcile --dry-run --engine"
    where = f"about the workspace {context.root}"
    if receiver.engine == CHAT:
        return [
            "Any assistant you use in this workspace could fetch questions (`memsuggest ask`)",
            f"{where}. Its vendor sees the questions, including text from chats with other assistants.",
            "What a question contains:",
            *sent,
            f"Nothing else. To print nearly the same text, {dry} haiku`.",
        ]
    if receiver.engine == LOCAL:
        return ["Nothing leaves this machine unless the server forwards it.", "What the model sees:", *sent]
    if receiver.is_program:
        model = f"its model {receiver.model}" if receiver.model else "its default model"
        most = int(context.settings.number("requestsPerDay"))
        who = [
            f"memsuggest would run the program `{receiver.address}` and ask {model}",
            f"{where}; at most {most} questions per day, on the account you are signed in to.",
            f"The data is visible to {receiver.who}.",
            "The program runs in an empty folder, without tools and without the repo's settings.",
        ]
    else:
        periods = ("Run", "Day", "Month")
        limits = (f"{dollars(micros_of(context, f'budgetPer{name}'))} per {name.lower()}" for name in periods)
        price = (
            "" if price_of(receiver.model) is not UNKNOWN else " (unknown price, so the highest known price is assumed)"
        )
        who = [
            f"memsuggest would send data {where} to the model {receiver.model}",
            f"at {receiver.address}, visible to {receiver.who}. Limits: {', '.join(limits)}{price}.",
        ]
    return [
        *who,
        "What is sent:",
        *sent,
        f"Nothing else. To print the exact text, {dry} {receiver.engine}`;",
        f"for data from apps, run `memsuggest memory learn PATH --dry-run --engine {receiver.engine}`.",
    ]


def show_consent(context: Context, receiver: Receiver) -> ConsentShown:
    """Return what was agreed to, and how things stand for this workspace and a receiver."""
    consents = engine_choice.consents_of(context)
    why_not_ready = ""
    try:
        engine_choice.require_ready(context, receiver.engine)
    except ModelError as error:
        why_not_ready = error.message
    return ConsentShown(
        root=str(context.root),
        engine=receiver.engine,
        endpoint=receiver.address,
        is_granted=receiver.engine == LOCAL or consents.has(workspace=context.place.key, endpoint=receiver.address),
        why_not_ready=why_not_ready,
        words=tuple(words_about(context, receiver)),
        grants=consents.grants(),
        path=str(consents.path),
    )


def grant_consent(context: Context, receiver: Receiver) -> ConsentShown:
    """Record that this workspace's words may go to a receiver; raises ConsentError for somebody else's folder."""
    if not is_own_folder(context.root):
        raise ConsentError(f"`{context.root}` belongs to another user", hint="use your own clone")
    if receiver.engine == LOCAL:
        raise ConfigError("a local model needs no consent", hint="run `memsuggest config set engine local`")
    engine_choice.record_consent(context, receiver)
    return show_consent(context, receiver)


def revoke_consent(context: Context, *, endpoint: str | None) -> ConsentShown:
    """Take back what was agreed to for this workspace, for one receiver or all."""
    engine_choice.consents_of(context).revoke(workspace=context.place.key, endpoint=endpoint)
    return show_consent(context, engine_choice.receiver_of(context, engine_choice.engine_to_grant(context, None)))
