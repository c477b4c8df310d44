"""What asking models came to: consent, usage, consolidation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memsuggest.haiku.consent import Grant
    from memsuggest.haiku.ledger import Budgets, UsageRow
    from memsuggest.model import MemoryFact, Skipped


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsentShown:
    """How things stand with consent, for this workspace and all others."""

    root: str
    endpoint: str
    is_granted: bool
    has_key: bool
    words: tuple[str, ...]
    """What a person is told before they agree."""
    grants: tuple[Grant, ...]
    path: str
    """Where they are kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageShown:
    """What models cost, per day, model and purpose."""

    rows: tuple[UsageRow, ...]
    budgets: Budgets
    day: int
    """Spent today, in millionths of a dollar."""
    month: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Needless:
    """A fact that could go, and the one that makes it needless."""

    verb: str
    fact: MemoryFact
    because: MemoryFact | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Consolidated:
    """What could be done to what is remembered; nothing was."""

    facts: int
    tokens: int
    budget: int
    tier: str
    operations: tuple[Needless, ...]
    refused: tuple[Skipped, ...]
    """What was looked at and may not be done."""
