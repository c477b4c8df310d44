"""Reports on asking models: consent, usage, consolidation."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memsuggest.asking.consent_store import Grant
    from memsuggest.asking.usage_ledger import Budgets, Share, UsageRow
    from memsuggest.model import MemoryFact


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
class Merge:
    """A fact that goes for the sake of another one."""

    fact: MemoryFact
    because: MemoryFact
    """The one that stays."""
    why: str = ""
    is_sure: bool = True
    """Nothing is lost, as far as code can tell; anything else needs the person's look."""
    is_replacement: bool = False
    """The other one says something else, and later: its evidence is not this one's."""

    @property
    def deed(self) -> str:
        """The deed, as people call it."""
        return "delete" if self.is_replacement else "merge"

    @property
    def to_look_at(self) -> Merge:
        """The same, to be done by a person only."""
        return replace(self, is_sure=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Consolidated:
    """Changes of facts by consolidation, proposed or done."""

    facts: int
    tokens: int
    facts_after: int
    tokens_after: int
    budget: int
    tier: str
    operations: tuple[Merge, ...]
    diff: str
    """Of the stores."""
    is_dry: bool = False
    is_changed: bool = False
