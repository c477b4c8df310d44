"""Giving consent, taking it back, looking at it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.asking.consent_store import WHAT_IS_SENT, Grant, is_own_folder
from memsuggest.asking.usage_ledger import dollars, is_price_known
from memsuggest.engines.receiver import CHAT, LOCAL
from memsuggest.errors import ConfigError, ConsentError, ModelError
from memsuggest.reports.model_reports import ConsentShown
from memsuggest.workflows.ask.engine_choice import consents_of, engine_to_grant, receiver_of, require_ready
from memsuggest.workflows.ask.model_access import micros_of

if TYPE_CHECKING:
    from memsuggest.engines.receiver import Receiver
    from memsuggest.workflows.context import Context


def words_about(context: Context, receiver: Receiver) -> list[str]:
    """Return what a person is told before they agree, a line each."""
    if receiver.engine == CHAT:
        return _chat_words(context)
    if receiver.engine == LOCAL:
        return ["Nothing leaves this machine, unless that server passes it on.", "What it is asked about:", *_sent()]
    who = _program_words(context, receiver) if receiver.is_program else _api_words(context, receiver)
    return [
        *who,
        "What is sent:",
        *_sent(),
        f"Nothing else. `memsuggest reconcile --dry-run --engine {receiver.engine}` prints it word for word;",
        f"so does `memsuggest apps learn PATH --dry-run --engine {receiver.engine}` of what apps remember.",
    ]


def _sent() -> list[str]:
    return [f"  - {what}" for what in WHAT_IS_SENT]


def _api_words(context: Context, receiver: Receiver) -> list[str]:
    budget = ", ".join(
        f"{dollars(micros_of(context, f'budgetPer{name}'))} a {name.lower()}" for name in ("Run", "Day", "Month")
    )
    price = "" if is_price_known(receiver.model) else " (its price is not known: counted as the dearest there is)"
    return [
        f"memsuggest would ask the model {receiver.model} at {receiver.address}, seen by {receiver.who},",
        f"about the workspace {context.root}; at most {budget}{price}.",
    ]


def _program_words(context: Context, receiver: Receiver) -> list[str]:
    model = f"its model {receiver.model}" if receiver.model else "the model that it chooses"
    most = int(context.settings.number("requestsPerDay"))
    return [
        f"memsuggest would run the program `{receiver.address}` and ask {model}",
        f"about the workspace {context.root}; at most {most} questions a day, on the account you are signed in with.",
        f"What is asked is seen by {receiver.who}.",
        "The program runs in an empty folder, with no tools and no settings of the repo.",
    ]


def _chat_words(context: Context) -> list[str]:
    return [
        "Whichever assistant you talk to in this workspace could ask memsuggest for packets (`memsuggest ask`)",
        f"about the workspace {context.root}, and its vendor sees what it is told, other assistants' chats included.",
        "What is in a packet:",
        *_sent(),
        "Nothing else. `memsuggest reconcile --dry-run --engine haiku` prints nearly the same, word for word.",
    ]


def show_consent(context: Context, receiver: Receiver) -> ConsentShown:
    """Return what was agreed to, and how things stand for this workspace and a receiver."""
    consents = consents_of(context)
    return ConsentShown(
        root=str(context.root),
        engine=receiver.engine,
        endpoint=receiver.address,
        is_granted=receiver.engine == LOCAL or consents.has(workspace=context.place.key, endpoint=receiver.address),
        why_not_ready=_why_not_ready(context, receiver.engine),
        words=tuple(words_about(context, receiver)),
        grants=consents.grants(),
        path=str(consents.path),
    )


def _why_not_ready(context: Context, engine: str) -> str:
    try:
        require_ready(context, engine)
    except ModelError as error:
        return error.message
    return ""


def grant_consent(context: Context, receiver: Receiver) -> ConsentShown:
    """Record that this workspace's words may go to a receiver; raises ConsentError for somebody else's folder."""
    if not is_own_folder(context.root):
        raise ConsentError(f"`{context.root}` belongs to another user", hint="work in a clone of your own")
    if receiver.engine == LOCAL:
        raise ConfigError("a model on this machine needs no consent", hint="`memsuggest config set engine local`")
    given = Grant(workspace=context.place.key, root=str(context.root), endpoint=receiver.address, at=context.now())
    consents_of(context).grant(given)
    return show_consent(context, receiver)


def revoke_consent(context: Context, *, endpoint: str | None) -> ConsentShown:
    """Take back what was agreed to for this workspace, for one receiver or all."""
    consents_of(context).revoke(workspace=context.place.key, endpoint=endpoint)
    return show_consent(context, receiver_of(context, engine_to_grant(context, None)))
