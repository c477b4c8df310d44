"""Results of reading chats, while they are gathered."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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

    def add(self, other: Learned | None) -> None:
        """Add what was found elsewhere in the same run."""
        if other is None:
            return
        self.skipped += other.skipped
        self.rules += other.rules
        self.new_facts += other.new_facts


def replacements(retired: Sequence[MemoryFact], known: Iterable[MemoryFact]) -> list[Contradiction]:
    """Return each fact that was retired beside the known one that replaced it."""
    facts = {fact.id: fact for fact in known} if retired else {}
    return [
        Contradiction(
            winner=facts[fact.superseded_by], loser=fact, why="the newer fact explicitly replaces the older one"
        )
        for fact in retired
        if fact.superseded_by in facts
    ]
