"""The cost of customization files in a model's context, and when that is too much. Pure.

The unit is four characters, about a token: models' own counts differ by language and vendor, this one is the
same everywhere, and near enough to weigh one file against another.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from memsuggest.core.model import Target, TargetType
from memsuggest.customizations.applyto import is_unconditional
from memsuggest.customizations.frontmatter import parse
from memsuggest.customizations.loading import Loaded

CHARACTERS_PER_TOKEN = 4
SMALLEST = 3_000
"""Tokens that any file may cost."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextBudgets:
    """Limits of tokens from which a file's cost is said; none of these is a limit of a host."""

    always_on: int = 4_000
    """A file that is part of every request."""
    by_type: tuple[tuple[TargetType, int], ...] = (
        (TargetType.INSTRUCTIONS, SMALLEST),
        (TargetType.AGENT, 7_500),  # the cloud agent's own limit is 30,000 characters
        (TargetType.SKILL, 5_000),
        (TargetType.PROMPT, 5_000),
    )
    total: int = 10_000
    """All that is put before the model for one source file."""

    def of(self, target: Target) -> int | None:
        """Return the budget of one file; None for a kind that is not read into the context."""
        if target.always_on or (target.type is TargetType.INSTRUCTIONS and is_unconditional(target.applies_to)):
            return self.always_on
        return dict(self.by_type).get(target.type)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """The cost of one file, against what it may cost."""

    uri: str
    tokens: int
    budget: int | None

    @property
    def is_over(self) -> bool:
        """Tell whether it is past its budget."""
        return self.budget is not None and self.tokens > self.budget


@dataclass(frozen=True, slots=True, kw_only=True)
class Total:
    """The files that are put before the model for one source file, dearest first."""

    costs: tuple[Cost, ...]
    budget: int

    @property
    def tokens(self) -> int:
        """The sum."""
        return sum(cost.tokens for cost in self.costs)

    @property
    def is_over(self) -> bool:
        """Tell whether the sum is past its budget."""
        return self.tokens > self.budget


DEFAULT_BUDGETS = ContextBudgets()


def token_cost_of(text: str) -> int:
    """Estimate the tokens of a text: a quarter of its characters, rounded up."""
    return -(-len(text) // CHARACTERS_PER_TOKEN)


def cost_of(target: Target, *, added: str = "", budgets: ContextBudgets = DEFAULT_BUDGETS) -> Cost:
    """Say what a file costs, with the text that is to be added to it; front matter is not read into the context."""
    body = target.text if target.always_on else parse(target.text).body or ""
    return Cost(uri=target.uri, tokens=token_cost_of(body + added), budget=budgets.of(target))


def total_for(loaded: Iterable[Loaded], *, budgets: ContextBudgets = DEFAULT_BUDGETS) -> Total:
    """Add up what the hosts load for one source file; a file with the same text as another counts once."""
    texts: dict[str, Cost] = {}
    for one in loaded:
        if one.is_loaded:
            texts.setdefault(one.target.digest or one.target.text, cost_of(one.target, budgets=budgets))
    costs = tuple(sorted(texts.values(), key=lambda cost: (-cost.tokens, cost.uri)))
    return Total(costs=costs, budget=budgets.total)
