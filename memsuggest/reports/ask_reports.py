"""Reports on questions to the assistant in the chat, and on its answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping


PathHistory: TypeAlias = Literal["suggested", "new", "known", "maybe", "waits", "dropped"]
"""What became of one thing in an answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Left:
    """The questions that wait besides."""

    packets: int = 0
    """Of the same chat."""
    chats: int = 0
    """Other chats that were not looked into yet; most of them come to one packet, some to none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The next packet."""

    id: str
    purpose: str
    about: str
    system: str
    packet: str
    schema: Mapping[str, object]
    text: str
    """All of it, as an assistant can follow it."""
    left: Left


@dataclass(frozen=True, slots=True, kw_only=True)
class NothingAsked:
    """Nothing waits for a mind."""

    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """The outcome for one item of an answer."""

    content: str
    outcome: PathHistory
    why: str = ""
    fact_id: str | None = None
    target: str | None = None
    """The file that it is suggested for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """The outcome for an answer."""

    id: str
    about: str
    items: tuple[Item, ...]
    is_whole: bool
    """Whether all of the chat was answered, and was learned from."""
    next_id: str | None
    """The packet that waits now."""
    left: Left
