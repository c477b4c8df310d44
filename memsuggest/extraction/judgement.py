"""Judgement: how far a remark is believed to be worth remembering, and why.

Adds up the weights of the rules that fire and turns the sum into a confidence. Knows nothing of wording or scope.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memsuggest.extraction.rulebook import RULES
from memsuggest.extraction.weights import BIAS, WEIGHTS

if TYPE_CHECKING:
    from memsuggest.extraction.remarks import Remark
    from memsuggest.extraction.rule import Rule

FLOOR = 0.6
"""Below this nothing is returned: of such sentences hardly one in ten is worth remembering. The default threshold."""

_SLOPE = 1.0
_SHIFT = 1.3
_MOST = 0.95  # a rule is never certain


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """The rules that fired for a remark, and what they come to."""

    fired: tuple[Rule, ...]
    confidence: float

    @property
    def cues(self) -> tuple[str, ...]:
        """The names of the rules that fired, the weightiest first."""
        return tuple(rule.name for rule in sorted(self.fired, key=lambda rule: -abs(WEIGHTS[rule.name])))

    @property
    def balance(self) -> str:
        """What speaks for it and what against it, the weightiest first."""
        against = [name for name in self.cues if WEIGHTS[name] < 0]
        support = [name for name in self.cues if WEIGHTS[name] >= 0]
        named = (
            f"for it: {', '.join(support)}" if support else "",
            f"against it: {', '.join(against)}" if against else "",
        )
        return "; ".join(part for part in named if part) or "no rule speaks of it"

    @property
    def best(self) -> str:
        """The rule that speaks most for it."""
        return max(self.fired, key=lambda rule: WEIGHTS[rule.name]).name if self.fired else ""


def judge(remark: Remark) -> Judgement:
    """Weigh a remark by all rules."""
    fired = tuple(rule for rule in RULES if rule.fires(remark))
    return Judgement(fired=fired, confidence=confidence_of(BIAS + sum(WEIGHTS[rule.name] for rule in fired)))


def confidence_of(score: float) -> float:
    """Confidence for a sum of weights: a logistic curve set so that of the candidates at 0.8 about 80 % are right."""
    return round(min(_MOST, max(0.01, 1 / (1 + math.exp(-(_SLOPE * score + _SHIFT))))), 2)
