"""Delivering what waits in the outbox, where that is agreed to, in the time that there is; never in anybody's way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.errors import MemsuggestError, Skipped
from memsuggest.graphiti.message_state import MessageState, ServerState
from memsuggest.graphiti.profile_tables import promotions_to_take_back
from memsuggest.identity import session_hash
from memsuggest.reports.plain import Text
from memsuggest.workflows.graphiti.forget_promoted import take_back_later
from memsuggest.workflows.graphiti.groups import mask_of, outbox_at
from memsuggest.workflows.graphiti.permission import connected, is_on, require, switched_on

if TYPE_CHECKING:
    from memsuggest.graphiti.delivery import Delivered
    from memsuggest.workflows.context import Context

WAITED_FOR = 3.0
"""Seconds for which somebody waits for a delivery at the end of a command."""
UNATTENDED = 30.0
"""The same of a program that nobody waits for."""
_LOCK = "graphiti.lock"
_AGAIN = "`memsuggest graphiti retry` sends them again"


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
    outbox.remove_waiting(sessions=[session_hash(one) for one in context.profile.silenced()])
    forgotten = promotions_to_take_back(context.profile.entries.connection, address)
    if not outbox.has_work() and not forgotten:
        return None
    from memsuggest.files import lock  # noqa: PLC0415
    from memsuggest.files.lock import is_locked  # noqa: PLC0415
    from memsuggest.graphiti.delivery import Delivery  # noqa: PLC0415  (only where something waits)

    path = context.state_path.with_name(_LOCK)
    if is_locked(path):
        return None
    with lock(path, wait_seconds=0.2), connected(context) as client:
        mask = mask_of(context)
        done = Delivery(outbox=outbox, client=client, mask=mask, clock=context.now, seconds=seconds).run()
        if forgotten and not done.why:
            done.taken_back = take_back_later(context, client)
        return done


def retry(context: Context) -> Text:
    """Send messages again that the server took and lost, and ask again for what it did not delete."""
    address = require(context)
    outbox = outbox_at(context, address)
    again, without_text = outbox.send_lost_again(now=context.now())
    outbox.note_server_state(ServerState())  # asked for by hand: there is no pause
    done = deliver(context, seconds=UNATTENDED)
    lines = [f"{again} lost message{'s' * (again != 1)} sent again"] if again else []
    if without_text:
        lines.append(f"{without_text} lost before their text was kept, or forgotten since: not sent again")
    lines += done.taken_back if done else []
    if done and done.why:
        lines.append(f"{done.why}; what waits is kept and tried again")
    return Text(
        text="\n".join(lines) or "nothing was lost, and nothing is to be taken back",
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
    told = (
        (dropped, f"{dropped} messages were dropped, the oldest: too many waited"),
        (
            done and done.lost,
            f"{done and done.lost} messages are lost: the server took them and does not have them; {_AGAIN}",
        ),
        (refused, f"{refused} messages are given up: the server refuses them and takes others"),
        (done and done.why, f"{done and done.why}; what waits is kept and tried again"),
    )
    return [Skipped(what="Graphiti", why=why) for is_so, why in told if is_so]
