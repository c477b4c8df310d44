"""Reports on asking models: consent, usage, consolidation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memsuggest.asking.consent_store import Grant
    from memsuggest.asking.usage_ledger import Budgets, Share, UsageRow
    from memsuggest.model import MemoryFact, Skipped
    from memsuggest.reports.learning_reports import Request


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsentShown:
    """Consents, for this workspace and all others."""

    root: str
    engine: str
    endpoint: str
    """Whom it is for: an endpoint or a program."""
    is_granted: bool
    why_not_ready: str
    """Why nothing could be asked even with consent; empty when it could."""
    words: tuple[str, ...]
    """What a person is told before they agree."""
    grants: tuple[Grant, ...]
    path: str
    """Where they are kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PurposeUse:
    """The use for one purpose in a period."""

    purpose: str
    requests: int
    tokens: int
    micros: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PeriodUse:
    """The use in a day or a month, beside its budget, in millionths of a dollar."""

    name: str
    spent: int
    budget: int
    reserve: float
    """Share of the budget that what can wait leaves alone."""
    purposes: tuple[PurposeUse, ...] = ()

    @property
    def share(self) -> float:
        """The share of the budget that is used up."""
        return self.spent / self.budget if self.budget else 1.0

    @property
    def is_low(self) -> bool:
        """Tell whether what can wait waits."""
        return self.share >= 1 - self.reserve


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageShown:
    """The cost of models, per day, model and purpose."""

    rows: tuple[UsageRow, ...]
    budgets: Budgets
    day: int
    """Spent today, in millionths of a dollar."""
    month: int
    share: Share
    """Memory work beside the assistants' own this month."""
    periods: tuple[PeriodUse, ...] = ()
    """Today and this month."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tidied:
    """One thing that could be done to a fact."""

    verb: str
    """`update` or `delete`."""
    fact: MemoryFact
    content: str
    """The new wording."""
    because: MemoryFact | None
    """The fact that makes this one needless."""
    why: str
    is_sure: bool
    """Nothing is lost, as far as code can tell; anything else needs the person's look."""
    is_replacement: bool
    """The other one says something else, and later."""
    needs_update: bool = False
    """The other one says it only in the new wording that it gets in the same go."""

    @property
    def deed(self) -> str:
        """The deed, as people call it."""
        return "merge" if self.verb == "delete" and not self.is_replacement else self.verb


@dataclass(frozen=True, slots=True, kw_only=True)
class Consolidated:
    """Changes of facts by consolidation, proposed or done."""

    facts: int
    tokens: int
    facts_after: int
    tokens_after: int
    budget: int
    tier: str
    engine: str
    """Who proposed it: `offline`, or the engine that was asked."""
    why_offline: str
    """Why no model was asked."""
    is_failed: bool
    """A model was to be asked, and could not be."""
    operations: tuple[Tidied, ...]
    refused: tuple[Skipped, ...]
    """What was proposed and may not be done."""
    diff: str
    """Of the stores."""
    requests: tuple[Request, ...] = ()
    """For a dry run: what would be sent."""
    is_dry: bool = False
    is_changed: bool = False
