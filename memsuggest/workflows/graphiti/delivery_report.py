"""The state of delivery to a Graphiti server; nobody is asked anything, and nothing changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.graphiti.group_ids import USER, WORKSPACE
from memsuggest.graphiti.message_state import MessageState
from memsuggest.graphiti.profile_tables import known_groups, promotions_of
from memsuggest.reports.doctor_report import Check, Health
from memsuggest.reports.fact_reports import PromotedAs
from memsuggest.reports.graphiti_reports import GraphitiDelivery
from memsuggest.workflows.graphiti.groups import outbox_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memsuggest.model import MemoryFact
    from memsuggest.workflows.context import Context


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
    for one in promotions_of(context.profile.entries.connection, [fact.id]):
        sent = outbox_at(context, one.endpoint).named(one.name)
        state = next((str(row.state) for row in sent if row.group_id == one.group_id), "")
        found.append(PromotedAs(endpoint=one.endpoint, kind=one.kind, scope=one.scope, at=one.at, state=state))
    return tuple(found)


_BAD = (MessageState.LOST, MessageState.REFUSED, MessageState.DROPPED)
_OPEN = (MessageState.WAITING, MessageState.UNSURE, MessageState.QUEUED)


def look_at_delivery(context: Context, address: str) -> Iterator[Check]:
    """Say what waits and what got lost, and what went wrong last; nothing where nothing was ever to be sent."""
    delivery = delivery_to(context, address)
    if delivery is None or not delivery.counts:
        return
    told = ", ".join(
        f"{delivery.counts[state]:,} {state}"
        for state in (*_OPEN, MessageState.STORED, *_BAD)
        if state in delivery.counts
    )
    is_amiss = bool(delivery.why) or any(state in delivery.counts for state in _BAD)
    text = f"{told}; {delivery.why}" if delivery.why else told
    yield Check(
        area="graphiti",
        name="messages",
        health=Health.LOOK if is_amiss else Health.OK,
        text=text,
        hint="`memsuggest graphiti show` says more" if is_amiss else "",
    )
