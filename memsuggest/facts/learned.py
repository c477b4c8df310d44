"""Results of reading chats, while they are gathered."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from memsuggest.core.model import Contradiction, MemoryFact, Skipped

if TYPE_CHECKING:
    from memsuggest.judging.ask_reports import Postponed, Request


@dataclass(slots=True, kw_only=True)
class Learned:
    """The gatherings of reading."""

    engine: str
    skipped: list[Skipped] = field(default_factory=list)
    receipts: list[MemoryFact] = field(default_factory=list)
    retired: list[Contradiction] = field(default_factory=list)
    """Pairs of which the newer one said outright that it replaces the older."""
    postponed: list[Postponed] = field(default_factory=list)
    requests: list[Request] = field(default_factory=list)
    """With a dry context: what would be sent."""
    read: int = 0
    archived: int = 0
    """Chats that are finished, and were archived as they were read."""
    new_facts: int = 0
    rules: list[MemoryFact] = field(default_factory=list)
    """Those new facts that can be suggested, as they were found."""
    written: list[MemoryFact] = field(default_factory=list)
    """New facts that only a document says which an assistant wrote."""
    joined: int = 0
    """Facts that went into others, as a model judged."""
    raised: int = 0
    """Maybes that are suggested now, as a model judged."""
