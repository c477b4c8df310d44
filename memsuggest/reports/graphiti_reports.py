"""Reports on a Graphiti server: its state, and what trying it came to."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memsuggest.graphiti.trial import Tried


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphitiSwitch:
    """One thing that can be switched on."""

    name: str
    is_on: bool
    why_not: str
    """Why it does nothing although it is on."""
    about: str
    source: str
    """Where its setting came from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphitiDelivery:
    """The state of the messages for a server, and what went wrong last."""

    counts: Mapping[str, int]
    """Messages by what became of them: `waiting`, `queued`, `stored`, `lost`, …"""
    why: str = ""
    """What went wrong last; empty where it went well since."""
    failed_at: int | None = None
    next_try_at: int | None = None
    """Both in milliseconds since the epoch."""
    groups: Mapping[str, str] = field(default_factory=dict)
    """The group of each scope; nothing before anything was told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphitiShown:
    """The server, the switches, and what was agreed to."""

    root: str
    endpoint: str
    endpoint_source: str
    is_granted: bool
    has_key: bool
    switches: tuple[GraphitiSwitch, ...]
    words: tuple[str, ...]
    """What a person is told before they agree."""
    delivery: GraphitiDelivery | None = None
    """None where no server is set."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Promoted:
    """Something that was promoted to the Graphiti server."""

    content: str
    kind: str
    scope: str
    fact_id: str | None
    """None for words that are no fact here."""
    is_new: bool
    """Whether it was not promoted before."""
    state: str
    """`waiting`, `queued`, `stored`, …"""
    why: str = ""
    """What kept it here for now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphitiTried:
    """The outcome of trying the server."""

    endpoint: str
    is_smoke: bool
    """Whether something was written."""
    tried: Tried
