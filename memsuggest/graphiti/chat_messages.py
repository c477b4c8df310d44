"""The messages of a chat: what the person typed and what the assistant answered, a message each. Pure.

Long quotations and pastes are left out: a graph of logs helps nobody, and they are not the person's words. A message
has a name that is the same in every copy of the chat and at every reading.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memsuggest.graphiti.message_state import Outgoing
from memsuggest.identity import session_hash
from memsuggest.model import Role

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Sequence

    from memsuggest.graphiti.masking import Mask
    from memsuggest.model import Transcript, Turn

QUOTE_ROOM = 300
"""Characters of a quotation or a paste that are told."""
_CUT = "[…]"


def name_of(session: str, turn: int, role: str) -> str:
    """Return the name of a message; `session` is the hash of the chat's id.

    >>> name_of("0f", 3, "user")
    '0f:3:user'
    """
    return f"{session}:{turn}:{role}"


def names_in(transcript: Transcript) -> list[str]:
    """Return the names of the messages that the person's turns would have."""
    session = session_hash(transcript.session_id)
    return [name_of(session, turn.number, Role.USER) for turn in transcript.turns if turn.typed.strip()]


def turns_to_tell(
    transcript: Transcript, *, new: Container[int], told: Container[str], is_under_way: bool
) -> Iterator[tuple[str, Turn]]:
    """Yield the turns that are to be told, each with its name.

    Of the person's those with a number in `new`, of the assistant's those that answer one of these, or one that was
    `told` before. An answer that the assistant is still at has to wait: its name could not be used again.
    """
    session = session_hash(transcript.session_id)
    is_told = False
    for turn in transcript.turns:
        name = name_of(session, turn.number, turn.role)
        if turn.role is Role.USER:
            if turn.typed.strip():
                is_told = turn.number in new or name in told
                if turn.number in new:
                    yield name, turn
            continue
        is_last = turn is transcript.turns[-1]
        if is_told and turn.text.strip() and not (is_last and is_under_way):
            yield name, turn


def said_in(turn: Turn) -> str:
    """Return what was said in a turn, without long quotations and pastes."""
    if turn.role is not Role.USER:
        return turn.text
    return "".join(_pieces(turn.typed, sorted((*turn.quoted, *turn.doubtful)))).strip()


def _pieces(typed: str, quoted: Sequence[tuple[int, int]]) -> Iterator[str]:
    at = 0
    for start, end in quoted:
        yield typed[at:start]
        yield typed[start:end] if end - start <= QUOTE_ROOM else f"{typed[start : start + QUOTE_ROOM // 3]} {_CUT}"
        at = end
    yield typed[at:]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatAddress:
    """The address of a chat's messages: their group, and the names of both sides."""

    groups: Sequence[str]
    session: str
    """Hash of the chat's id."""
    person: str
    assistant: str
    mask: Mask
    source: Callable[[Turn], str]
    """Tells where a turn was said, in a line."""
    at: int
    """For turns without a time."""
    now: int
    """No turn was said later; the server would not list it."""


def messages_of(told: Iterable[tuple[str, Turn]], address: ChatAddress) -> Iterator[Outgoing]:
    """Yield the messages of turns, one for each group; a turn of which nothing is left has none."""
    for name, turn in told:
        is_persons = turn.role is Role.USER
        content = address.mask.text(said_in(turn))
        if not content.strip():
            continue
        for group in address.groups:
            yield Outgoing(
                group_id=group,
                name=name,
                role_type="user" if is_persons else "assistant",
                role=address.person if is_persons else address.assistant,
                content=content,
                at=min(round(turn.at.timestamp() * 1000) if turn.at else address.at, address.now),
                source=address.source(turn),
                session=address.session,
            )
