"""What reading chats comes to, while it is gathered."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memsuggest.model import Contradiction, MemoryFact, Skipped
    from memsuggest.reports.learning_reports import Postponed, Request


@dataclass(slots=True, kw_only=True)
class Learned:
    """What reading gathers."""

    engine: str
    skipped: list[Skipped] = field(default_factory=list)
    receipts: list[MemoryFact] = field(default_factory=list)
    retired: list[Contradiction] = field(default_factory=list)
    """Pairs of which the newer one said outright that it replaces the older."""
    postponed: list[Postponed] = field(default_factory=list)
    requests: list[Request] = field(default_factory=list)
    """With a dry context: what would be sent."""
    read: int = 0
    new_facts: int = 0
    rules: list[str] = field(default_factory=list)
    """The words of those new facts that can be suggested, as they were found."""
    written: list[MemoryFact] = field(default_factory=list)
    """New facts that only a document says which an assistant wrote."""
    alike: int = 0
    """Facts that could be merged into others, as a model sees it."""

    @property
    def so_far(self) -> str:
        """What the line of progress says of it."""
        if not self.new_facts:
            return ""
        return f"{self.new_facts} rule{'s' * (self.new_facts > 1)} found so far, now "
