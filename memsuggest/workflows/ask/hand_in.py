"""Handing in: an answer against its packet, whatever was asked. Who is told what to do next when it is of no use."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

from memsuggest.asking import chat_text
from memsuggest.asking.chat_packets import TRIES, PacketState
from memsuggest.asking.json_object import json_in
from memsuggest.asking.outcomes import failure
from memsuggest.asking.prices import Usage
from memsuggest.asking.recording import ANSWERED
from memsuggest.asking.token_count import BYTES_PER_TOKEN
from memsuggest.asking.without_secrets import as_heard
from memsuggest.errors import ModelError, UnknownId
from memsuggest.workflows.ask.model_access import open_ledger
from memsuggest.workflows.ask.next_packet import has_consent

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import TypeVar

    from memsuggest.asking.chat_packets import Packet
    from memsuggest.asking.question import Purpose
    from memsuggest.workflows.ask.next_packet import Chat, Waiting

    Read = TypeVar("Read")

_CLOSED: Mapping[PacketState, str] = {
    PacketState.ANSWERED: "was answered already; nothing was taken from this answer",
    PacketState.REPLACED: "is too old: a newer packet asks about the same, and about what came since",
    PacketState.FAILED: f"was answered in vain {TRIES} times, and is put aside until tomorrow",
    PacketState.VOID: "is about what is gone, was rewritten, or was judged meanwhile",
}
"""Why a packet cannot be answered any more."""


def open_packet(asked: Chat, name: str) -> Packet:
    """Return the packet of an id; raises UnknownId for one that cannot be answered."""
    packet = asked.packets.find(name)
    if packet is None:
        raise UnknownId(f"there is no packet `{name[:40]}` in this workspace", hint=_what_waits(asked))
    if packet.state is not PacketState.OPEN:
        raise _closed(asked, packet, packet.state)
    return packet


def void(asked: Chat, packet: Packet) -> UnknownId:
    """Close a packet that asks about what is not there any more; return the error that says so."""
    asked.packets.close(packet, PacketState.VOID, now=asked.context.now())
    return _closed(asked, packet, PacketState.VOID)


def handed_in(
    asked: Chat, packet: Packet, raw: bytes, read: Callable[[str], Read], *, purpose: Purpose, tokens: int
) -> Read:
    """Return what `read` makes of an answer, and write down that the assistant worked for us.

    Raises ModelError for an answer of no use, to us or to `read`: the packet stays open a few times.
    """
    try:
        found = read(as_heard(_json_of(raw)))
    except ModelError as error:
        _note(asked, purpose=purpose, tokens=tokens, outcome=error.outcome, size=len(raw))
        raise _refused(asked, packet, error) from None
    _note(asked, purpose=purpose, tokens=tokens, outcome=ANSWERED, size=len(raw))
    return found


def next_waiting(asked: Chat) -> Waiting | None:
    """Return what can be answered now; nothing without consent."""
    return asked.next() if has_consent(asked.context) else None


def _closed(asked: Chat, packet: Packet, state: PacketState) -> UnknownId:
    return UnknownId(f"packet `{packet.id}` {_CLOSED[state]}", hint=_what_waits(asked))


def _what_waits(asked: Chat) -> str:
    """Say which packet can be answered now."""
    following = next_waiting(asked)
    return f"packet `{following.packet.id}` waits: `memsuggest ask` prints it" if following else "no packet waits"


def _json_of(raw: bytes) -> str:
    if len(raw) > chat_text.ANSWER_LIMIT:
        raise failure("too-long", f"more than {chat_text.ANSWER_LIMIT // 1024} KiB")
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        raise failure("unreadable", "it is no UTF-8") from None
    return json_in(text)


def _refused(asked: Chat, packet: Packet, error: ModelError) -> ModelError:
    """Return the error for an answer of no use, with what to do next; the packet stays open a few times."""
    with asked.context.exclusive():
        state = asked.packets.note_failure(packet, now=asked.context.now())
    if state is PacketState.FAILED:
        hint = f"packet `{packet.id}` is put aside until tomorrow; {_what_waits(asked)}"
    else:
        left = TRIES - packet.tries - 1
        hint = (
            f"packet `{packet.id}` is still open ({left} more {'try' if left == 1 else 'tries'}): `memsuggest ask`"
            f" prints it again; hand in one JSON object with `memsuggest answer {packet.id}`"
        )
    return ModelError(error.message, outcome=error.outcome, hint=hint)


def _note(asked: Chat, *, purpose: Purpose, tokens: int, outcome: str, size: int) -> None:
    """Write down that the assistant worked for us; it costs nothing that we could count."""
    usage = Usage(input=tokens, output=round(size / BYTES_PER_TOKEN))
    with ExitStack() as opened:
        open_ledger(asked.context, opened).note(
            model=chat_text.NAME, purpose=purpose, usage=usage, guess=usage, outcome=outcome, now=asked.context.now()
        )
