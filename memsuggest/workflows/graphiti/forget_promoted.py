"""Forgetting reaches the Graphiti server: what was promoted of a fact is taken back, as far as its API goes.

What cannot be taken back now is remembered, without a word of it, and tried again with each delivery. What has to stay
is said. Turns of chats that were sent stay: only whoever runs the server can purge them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.errors import MemsuggestError
from memsuggest.graphiti.chat_messages import name_of
from memsuggest.graphiti.message_state import MessageState
from memsuggest.graphiti.profile_tables import (
    forget_promotion,
    note_forgotten,
    promotions_of,
    promotions_to_take_back,
)
from memsuggest.identity import session_hash
from memsuggest.model import Role
from memsuggest.workflows.graphiti.groups import outbox_at
from memsuggest.workflows.graphiti.permission import connected, endpoint, require

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memsuggest.graphiti.client import GraphitiClient
    from memsuggest.graphiti.forgetting import TakenBack
    from memsuggest.graphiti.profile_tables import Promotion
    from memsuggest.model import MemoryFact
    from memsuggest.workflows.context import Context

_SECONDS = 5.0
"""For taking back one promotion."""
_ON_ITS_WAY = (MessageState.SENDING, MessageState.UNSURE, MessageState.QUEUED)


def forget_in_graph(context: Context, facts: Sequence[MemoryFact]) -> tuple[str, ...]:
    """Take back what was promoted of some facts, and say what became of it, a line each; nothing where nothing was."""
    if context.is_dry:
        return ()
    connection = context.profile.entries.connection
    notes = []
    for promotion in promotions_of(connection, [fact.id for fact in facts]):
        note_forgotten(connection, promotion)
        notes.append(_take_back_now(context, promotion))
    notes += _forget_turns(context, facts)
    return tuple(dict.fromkeys(notes))


def take_back_later(context: Context, client: GraphitiClient) -> list[str]:
    """Try again what could not be taken back before; say what became of it. Raises GraphitiError."""
    waiting = promotions_to_take_back(context.profile.entries.connection, client.endpoint)
    return [note for one in waiting if (note := _take_back(context, client, one))]


def _take_back_now(context: Context, promotion: Promotion) -> str:
    if outbox_at(context, promotion.endpoint).remove_waiting(names=[promotion.name]):
        forget_promotion(context.profile.entries.connection, promotion)
        return "graphiti: it had not been sent yet, and will not be"
    try:
        if require(context) != promotion.endpoint:
            return f"graphiti: its episode stays at {promotion.endpoint}: another server is set now"
        with connected(context) as client:
            note = _take_back(context, client, promotion)
    except MemsuggestError as error:
        return f"graphiti: its episode is still there ({error.message}); it is tried again later"
    return note or "graphiti: its episode is on its way into the graph; it is taken back once it is there"


def _take_back(context: Context, client: GraphitiClient, promotion: Promotion) -> str:
    """Take a promotion back; return what became of it, or nothing while it is not there yet."""
    from memsuggest.graphiti.forgetting import take_back  # noqa: PLC0415  (only where something was promoted)

    done = take_back(client, promotion.group_id, promotion.name, seconds=_SECONDS)
    sent = outbox_at(context, promotion.endpoint).named(promotion.name)
    is_coming = any(one.state in _ON_ITS_WAY for one in sent if one.group_id == promotion.group_id)
    if done.is_served:  # the record stays, to try again
        return _still_served(done, promotion.group_id)
    if not done.episodes and not done.left and is_coming:
        return ""
    forget_promotion(context.profile.entries.connection, promotion)
    return _told(done)


def _still_served(done: TakenBack, group_id: str) -> str:
    """Say what a search still finds, how to try again, and what deletes it in the database itself."""
    from memsuggest.graphiti.forgetting import database_commands  # noqa: PLC0415  (only where something was promoted)

    facts = len(done.served_facts)
    what = [
        *(["its episode"] if done.served_episodes else []),
        *([f"{facts} fact{'s' * (facts > 1)} made of it"] * bool(facts)),
    ]
    commands = " and ".join(f"`{one}`" for one in database_commands(group_id, done))
    return (
        f"graphiti: left behind: {' and '.join(what)}, still found there after the server was asked to delete it;"
        f" `memsuggest graphiti retry` asks again. With FalkorDB, who runs it can delete it: {commands}"
    )


def _told(done: TakenBack) -> str:
    if not done.episodes and not done.left:
        return "graphiti: nothing of it was there"
    gone = []
    if done.episodes:
        gone.append("its episode")
    if done.facts:
        gone.append(f"{done.facts} fact{'s' * (done.facts > 1)} made of it")
    told = f"graphiti: {' and '.join(gone)} deleted there; names of things in it may stay" if gone else "graphiti:"
    left = "; ".join(dict.fromkeys(done.left))
    return f"{told}{';' if gone else ''} left behind: {left}" if left else told


def _forget_turns(context: Context, facts: Sequence[MemoryFact]) -> list[str]:
    """Send no turn any more in which a fact was said; say that those which were sent stay."""
    address = _endpoint(context)
    cited = [one for fact in facts for one in fact.citations]
    names = list({name_of(session_hash(one.session_id), one.turn, Role.USER) for one in cited})
    if not address or not names:
        return []
    outbox = outbox_at(context, address)
    outbox.remove_waiting(names=names)
    if not outbox.left(names):
        return []
    return ["graphiti: the turns of chats in which you said it were sent, and stay there (docs/graphiti.md: purging)"]


def _endpoint(context: Context) -> str:
    try:
        return endpoint(context)
    except MemsuggestError:
        return ""
