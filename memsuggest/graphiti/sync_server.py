"""Delivering what is pending in the outbox and taking back what was forgotten, where that is agreed to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memsuggest.core.context import Context
from memsuggest.core.errors import MemsuggestError, Skipped
from memsuggest.core.identity import session_hash
from memsuggest.core.model import MemoryFact, Role
from memsuggest.core.plain_reports import Text
from memsuggest.core.render.page import count
from memsuggest.facts.fact_reports import PromotedAs
from memsuggest.files import lock
from memsuggest.files.lock import is_locked
from memsuggest.graphiti.client import GraphitiClient
from memsuggest.graphiti.episodes import name_of
from memsuggest.graphiti.graphiti_reports import GraphitiDelivery
from memsuggest.graphiti.outbox import UNSETTLED, MessageState, ServerState
from memsuggest.graphiti.permission import (
    connected,
    endpoint_if_valid,
    is_on,
    mask_of,
    outbox_at,
    require,
    switched_on,
)
from memsuggest.graphiti.profile_tables import (
    USER,
    WORKSPACE,
    Promotion,
    forget_promotion,
    known_groups,
    note_forgotten,
    promotions_of,
    promotions_to_take_back,
)
from memsuggest.graphiti.send_outbox import Delivered, Delivery, database_commands, take_back
from memsuggest.setup.doctor_report import Check, Health

WAITED_FOR = 3.0  # seconds for which somebody waits for a delivery at the end of a command
UNATTENDED = 30.0  # the same of a program that nobody waits for
_LOCK = "graphiti.lock"
_AGAIN = "`memsuggest graphiti retry` resends lost messages"


def deliver(context: Context, *, seconds: float) -> Delivered | None:
    """Send what waits and look for what was sent; None where there is nothing to do, or another program does it.

    Raises MemsuggestError, of which a later run may be free: nothing is lost by it.
    """
    if context.is_dry or not switched_on(context):
        return None
    address = require(context)
    outbox = outbox_at(context, address)
    if not is_on(context, "ingest"):
        outbox.remove_chats()
    outbox.remove_waiting(sessions=[session_hash(item) for item in context.profile.silenced()])
    forgotten = promotions_to_take_back(context.profile.entries.connection, address)
    if outbox.counts().keys().isdisjoint(UNSETTLED) and not forgotten:
        return None
    path = context.state_path.with_name(_LOCK)
    if is_locked(path):
        return None
    with lock(path, wait_seconds=0.2), connected(context) as client:
        made = Delivery(outbox=outbox, client=client, mask=mask_of(context), clock=context.now, seconds=seconds)
        done = made.run()
        if forgotten and not done.why:
            done.taken_back = [note for item in forgotten if (note := _take_back(context, client, item))]
        return done


def retry(context: Context) -> Text:
    """Resend messages the server lost, and retry failed deletions."""
    address = require(context)
    outbox = outbox_at(context, address)
    again, without_text = outbox.send_lost_again(now=context.now())
    outbox.note_server_state(ServerState())  # asked for by hand: there is no pause
    done = deliver(context, seconds=UNATTENDED)
    lines = [f"resent {count(again, 'lost message', 'lost messages')}"] if again else []
    if without_text:
        lines.append(f"{count(without_text, 'message', 'messages')} not resent; the text is no longer stored")
    lines += done.taken_back if done else []
    if done and done.why:
        lines.append(f"{done.why}; pending messages will be retried")
    return Text(
        text="\n".join(lines) or "no lost messages and no pending deletions",
        payload={"sentAgain": again, "withoutText": without_text, "notes": lines},
    )


def deliver_quietly(context: Context, *, seconds: float = UNATTENDED) -> list[Skipped]:
    """Deliver, and say in a line each what went wrong or got lost, if anything did."""
    if context.is_dry or context.is_offline or not switched_on(context):
        return []  # whoever says `--offline` knows that nothing is sent
    try:
        outbox = outbox_at(context, require(context))
        dropped = outbox.take_untold_drops(now=context.now())
        refused = outbox.counts().get(MessageState.REFUSED, 0)
        done = deliver(context, seconds=seconds)
        refused = outbox.counts().get(MessageState.REFUSED, 0) - refused
    except MemsuggestError as error:
        return [Skipped(what="Graphiti", why=error.message)]
    lost, why = (done.lost, done.why) if done else (0, "")
    reasons = (
        (dropped, f"dropped {count(dropped, 'message', 'messages')}, oldest first, because too many were pending"),
        (lost, f"the server accepted but lost {count(lost, 'message', 'messages')}; {_AGAIN}"),
        (refused, f"the server rejected {count(refused, 'message', 'messages')}; memsuggest will not retry"),
        (why, f"{why}; pending messages will be retried"),
    )
    return [Skipped(what="Graphiti", why=why) for is_so, why in reasons if is_so]


def delivery_to(context: Context, address: str) -> GraphitiDelivery | None:
    """Return what became of the messages for a server; None without one."""
    if not address:
        return None
    quiet = context.dry()
    outbox = outbox_at(quiet, address)
    server = outbox.server_state()
    groups = known_groups(quiet.profile.entries.connection, context.place.key)
    return GraphitiDelivery(
        counts={str(state): number for state, number in outbox.counts().items()},
        why=server.why,
        failed_at=server.failed_at or None,
        next_try_at=server.next_try_at if server.next_try_at > context.now() else None,
        groups={scope: groups.of(scope) for scope in (WORKSPACE, USER)} if groups else {},
    )


def promotions_shown(context: Context, fact: MemoryFact) -> tuple[PromotedAs, ...]:
    """Return as what a fact was promoted, and whether it arrived."""
    found = []
    for item in promotions_of(context.profile.entries.connection, [fact.id]):
        sent = outbox_at(context, item.endpoint).named(item.name)
        state = next((str(row.state) for row in sent if row.group_id == item.group_id), "")
        found.append(PromotedAs(endpoint=item.endpoint, kind=item.kind, scope=item.scope, at=item.at, state=state))
    return tuple(found)


_BAD = (MessageState.LOST, MessageState.REFUSED, MessageState.DROPPED)


def look_at_delivery(context: Context, address: str) -> Iterator[Check]:
    """Say what waits and what got lost, and what went wrong last; nothing where nothing was ever to be sent."""
    delivery = delivery_to(context, address)
    if delivery is None or not delivery.counts:
        return
    words = ", ".join(f"{delivery.counts[state]:,} {state}" for state in MessageState if state in delivery.counts)
    text = f"{words}; {delivery.why}" if delivery.why else words
    is_bad = bool(delivery.why) or not delivery.counts.keys().isdisjoint(_BAD)
    health, hint = (Health.LOOK, "see `memsuggest graphiti show` for details") if is_bad else (Health.OK, "")
    yield Check(area="graphiti", name="messages", health=health, text=text, hint=hint)


_SECONDS = 5.0  # for taking back one promotion
_ON_ITS_WAY = (MessageState.SENDING, MessageState.UNSURE, MessageState.QUEUED)


def forget_in_graph(context: Context, facts: Sequence[MemoryFact]) -> tuple[str, ...]:
    """Take back what was promoted of some facts, and say what became of it, a line each; nothing where nothing was.

    No turn in which one was said is sent any more; those that were sent stay.
    """
    if context.is_dry:
        return ()
    connection = context.profile.entries.connection
    notes = []
    for promotion in promotions_of(connection, [fact.id for fact in facts]):
        note_forgotten(connection, promotion)
        notes.append(_take_back_now(context, promotion))
    address = endpoint_if_valid(context)
    cited = [citation for fact in facts for citation in fact.citations]
    names = list({name_of(session_hash(citation.session_id), citation.turn, Role.USER) for citation in cited})
    if address and names:
        outbox = outbox_at(context, address)
        outbox.remove_waiting(names=names)
        if outbox.known(names, is_sent=True):
            stays = "the chat messages that state the fact stay on the server"
            notes.append(f"graphiti: {stays}; docs/graphiti.md explains how to purge them")
    return tuple(dict.fromkeys(notes))


def _take_back_now(context: Context, promotion: Promotion) -> str:
    if outbox_at(context, promotion.endpoint).remove_waiting(names=[promotion.name]):
        forget_promotion(context.profile.entries.connection, promotion)
        return "graphiti: the fact had not been sent yet and was removed from the queue"
    try:
        if require(context) != promotion.endpoint:
            return f"graphiti: the fact stays on {promotion.endpoint} because a different server is now configured"
        with connected(context) as client:
            note = _take_back(context, client, promotion)
    except MemsuggestError as error:
        return f"graphiti: the fact could not be deleted yet ({error.message}); memsuggest will retry later"
    return note or "graphiti: the server is still processing the fact, which will be deleted once it is stored"


def _take_back(context: Context, client: GraphitiClient, promotion: Promotion) -> str:
    """Take a promotion back; return what became of it, or nothing while it is not there yet.

    What a search still finds keeps its record, to try again, and is named with what deletes it in the database itself.
    """

    def parts(episodes: int, facts: int) -> str:
        derived = f"{count(facts, 'fact', 'facts')} derived from the episode"
        return " and ".join(["the fact's episode"] * bool(episodes) + [derived] * bool(facts))

    done = take_back(client, promotion.group_id, promotion.name, seconds=_SECONDS)
    if done.served_episodes or done.served_facts:
        what = parts(len(done.served_episodes), len(done.served_facts))
        commands = " and ".join(f"`{command}`" for command in database_commands(promotion.group_id, done))
        return (
            f"graphiti: could not delete {what} (still found after a delete request); run `memsuggest graphiti "
            f"retry` to try again or, with FalkorDB, ask an administrator to run {commands}"
        )
    sent = outbox_at(context, promotion.endpoint).named(promotion.name)
    if not done.episodes and any(item.state in _ON_ITS_WAY for item in sent if item.group_id == promotion.group_id):
        return ""
    forget_promotion(context.profile.entries.connection, promotion)
    if not done.episodes:
        return "graphiti: the fact was not on the server"
    left = "; one fact was kept because it also comes from other episodes" if done.is_shared else ""
    return (
        f"graphiti: deleted {parts(done.episodes, done.facts)}; names from the deleted text may remain on the "
        f"server{left}"
    )
