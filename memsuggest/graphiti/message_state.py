"""Messages on their way to a server, what may become of one, and how things stand with the server. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memsuggest.graphiti.wire import RoleType


class MessageState(StrEnum):
    """The state of a message."""

    WAITING = "waiting"
    SENDING = "sending"
    UNSURE = "unsure"
    """It left, and no answer came: whether it arrived, the list of episodes will tell."""
    QUEUED = "queued"
    """The server took it into its own queue."""
    STORED = "stored"
    """The server has it."""
    LOST = "lost"
    """The server took it and does not have it."""
    DROPPED = "dropped"
    """There was no room for it."""
    REFUSED = "refused"
    """The server does not take such a message."""


OPEN = (MessageState.SENDING, MessageState.UNSURE, MessageState.QUEUED)
"""States that the list of episodes decides."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outgoing:
    """A message on its way to a group of a server."""

    group_id: str
    name: str
    """Unique in its group."""
    role_type: RoleType
    role: str
    content: str
    at: int
    """When it was said, in milliseconds since the epoch."""
    source: str = ""
    session: str = ""
    """Hash of the chat it comes from; empty for what was promoted."""
    number: int = 0
    """Its place in the order of arrival."""
    tries: int = 0
    sent_at: int = 0
    """When it left, in milliseconds since the epoch."""
    looked_at: int = 0
    """When the server was last asked whether it is there."""
    state: MessageState = MessageState.WAITING


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerState:
    """The state of a server."""

    failures: int = 0
    """In a row."""
    next_try_at: int = 0
    why: str = ""
    """What went wrong last; empty since it went well."""
    failed_at: int = 0
