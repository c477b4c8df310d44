"""Judgement: how likely a statement is to be worth remembering, and what becomes of it.

A logistic model over the features; its weights stand in `weights.json`, which `tests/evaluation/statement_training.py`
writes. A second step makes a probability of the sum, calibrated on repositories that the weights had not seen: a
statement that has one of the `SURE` readings is believed more.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, NamedTuple

from memsuggest.extraction.features import features_of
from memsuggest.extraction.plain_reasons import why_not, why_so
from memsuggest.extraction.statement_readings import SURE
from memsuggest.extraction.statements import speaks_of_work
from memsuggest.model import SUGGEST_FROM

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memsuggest.extraction.statements import Statement

MAYBE_FROM = 0.15
"""Probability from which a statement is kept aside: below, hardly one in ten is worth remembering."""
_MOST = 0.95  # nothing is certain
_EVEN = 0.5  # probability from which a statement is suggested, which is where confidence reaches SUGGEST_FROM


class StatementWeights(NamedTuple):
    """The weights that training found."""

    bias: float
    weights: Mapping[str, float]
    """Logits, by the name of a feature; one that is not there counts nothing."""
    slope: float
    shift: float
    sure: float
    """Calibration: the probability is the logistic of `slope * sum + shift`, and `sure` where a reading is sure."""

    def total(self, features: frozenset[str]) -> float:
        """Return the sum of the weights of some features, in logits."""
        return self.bias + sum(self.weights.get(name, 0.0) for name in sorted(features))

    def probability(self, total: float, *, is_sure: bool) -> float:
        """Return the probability for a sum of weights."""
        return 1 / (1 + math.exp(-(self.slope * total + self.shift + self.sure * is_sure)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """A judgement of a statement."""

    probability: float
    features: frozenset[str]
    is_sure: bool
    """Whether its form says that it is to last, rather than its words together."""

    @property
    def confidence(self) -> float:
        """The probability on the scale of confidence, on which even odds are enough for a suggestion."""
        if self.probability < _EVEN:
            return self.probability * SUGGEST_FROM / _EVEN
        return SUGGEST_FROM + (self.probability - _EVEN) * (_MOST - SUGGEST_FROM) / (1 - _EVEN)

    @property
    def why(self) -> str:
        """The strongest reason for it, in plain words."""
        return why_so(self.features, weights().weights)

    @property
    def why_not(self) -> str:
        """The strongest reason against it."""
        return why_not(self.features, weights().weights)


def judge(statement: Statement) -> Judgement:
    """Judge a statement."""
    features = features_of(statement)
    is_sure = is_sure_of(statement, features)
    probability = weights().probability(weights().total(features), is_sure=is_sure)
    return Judgement(probability=round(probability, 3), features=features, is_sure=is_sure)


def is_sure_of(statement: Statement, features: frozenset[str]) -> bool:
    """Tell whether a statement's form says that it is to last; amid small talk, only what is about software counts."""
    is_about_work = statement.is_amid_work or speaks_of_work(statement.plain)
    return is_about_work and any(f"is:{name}" in features for name in SURE)


@cache
def weights() -> StatementWeights:
    """Load the weights when the first statement is judged."""
    raw = json.loads(files(__package__).joinpath("weights.json").read_text(encoding="utf-8"))
    return StatementWeights(
        bias=raw["bias"], weights=raw["weights"], slope=raw["slope"], shift=raw["shift"], sure=raw["sure"]
    )
