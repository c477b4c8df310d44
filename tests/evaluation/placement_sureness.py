"""Fit `SURENESS` of `memsuggest.suggestions.ranking.weights`, and say how far its probabilities can be trusted.

    python tests/evaluation/placement_sureness.py DATA_FOLDER

Each rule is asked about twice: among the files of its own repo, and among those of another owner's, where nothing is
right. Looked at is the best file that is not always loaded. Logistic regression with a small penalty; the reliability
table and the shares below `FITS` are of owners that the fit has not seen.
"""

from __future__ import annotations

import math
import sys
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from placement_cases import read_cases
from placement_training import solved

from memsuggest.suggestions.ranking.match import FITS, Rule, TargetIndex, chances, scales_for, sure_evidence
from memsuggest.suggestions.ranking.overlap import Overlap, question_of
from memsuggest.suggestions.ranking.target_kinds import TargetKind
from memsuggest.suggestions.ranking.weights import SURENESS

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

PENALTY = 1.0
STEPS = 12
BINS = (0.0, 0.05, 0.15, 0.3, 0.5, 0.7, 0.85, 1.01)


class Seen(NamedTuple):
    """The best file for a rule, among its own files or foreign ones."""

    owner: str
    values: tuple[float, ...]
    is_right: bool
    is_own: bool


def main() -> None:
    """Read the cases, fit, print."""
    seen: list[Seen] = []
    before: tuple[str, TargetIndex] | None = None
    foreign: TargetIndex | None = None
    names: list[str] = []
    for case in read_cases(Path(sys.argv[1])):
        owner = case.repo.partition("/")[0]
        foreign = before[1] if before and before[0] != owner else foreign
        shelves = [(case.target_index, case.accept), *([(foreign, frozenset[str]())] if foreign else [])]
        for number, (target_index, accept) in enumerate(shelves):
            found = _best(case.rule, target_index, accept)
            if found:
                names, values, is_right = found
                seen.append(Seen(owner, values, is_right, not number))
        before = (owner, case.target_index)
    weights = fit(seen)
    print("SURENESS", {name: round(value, 2) for name, value in zip([*names, "base"], weights, strict=True)})
    _report(seen)
    now = [SURENESS[name] for name in (*names, "base")]
    _say_below("as it is now", [(_chance(now, one), one) for one in seen])


def _best(
    rule: Rule, target_index: TargetIndex, accept: Collection[str]
) -> tuple[list[str], tuple[float, ...], bool] | None:
    evidence = Overlap(question_of(rule.content, rule.paths, target_index), target_index)
    totals = scales_for(rule, evidence).totals()
    chosen = chances(totals)
    others = [number for number in totals if target_index.files[number].sort is not TargetKind.ROOT]
    if not others:
        return None
    best = max(others, key=lambda number: totals[number])
    known = sure_evidence(evidence, best, chosen=chosen[best])
    return list(known), tuple(known.values()), target_index.files[best].target.uri in accept


def fit(seen: Sequence[Seen]) -> list[float]:
    """Return the weights of the evidence, and the base at the end."""
    size = len(seen[0].values) + 1
    found = [0.0] * size
    for _ in range(STEPS):
        slope = [PENALTY * value for value in found[:-1]] + [0.0]
        bend = [[PENALTY * (row == column < size - 1) for column in range(size)] for row in range(size)]
        for one in seen:
            row = (*one.values, 1.0)
            chance = _chance(found, one)
            for a in range(size):
                slope[a] += (chance - one.is_right) * row[a]
                for b in range(size):
                    bend[a][b] += chance * (1 - chance) * row[a] * row[b]
        found = [value - step for value, step in zip(found, solved(bend, slope), strict=True)]
    return found


def _chance(weights: Sequence[float], one: Seen) -> float:
    logit = sum(weight * value for weight, value in zip(weights, (*one.values, 1.0), strict=True))
    return 1 / (1 + math.exp(-logit))


def _report(seen: Sequence[Seen]) -> None:
    judged = []
    for owner in sorted({one.owner for one in seen}):
        weights = fit([one for one in seen if one.owner != owner])
        judged += [(_chance(weights, one), one) for one in seen if one.owner == owner]
    print("said, by owners left out      n   mean   right")
    for low, high in pairwise(BINS):
        some = [(chance, one) for chance, one in judged if low <= chance < high]
        if some:
            mean = sum(chance for chance, _ in some) / len(some)
            right = sum(one.is_right for _, one in some) / len(some)
            print(f"{low:.2f} to {min(high, 1):.2f} {len(some):18d}  {mean:.3f}   {right:.3f}")
    _say_below("by owners left out", judged)


def _say_below(label: str, judged: Sequence[tuple[float, Seen]]) -> None:
    right = [chance for chance, one in judged if one.is_right]
    strange = [chance for chance, one in judged if not one.is_own]
    shares = f"{_share(right):.3f} of the right places, {_share(strange):.3f} of foreign repos' best"
    print(f"{label}: below FITS ({FITS}) are {shares}")


def _share(chances_: Sequence[float]) -> float:
    return sum(chance < FITS for chance in chances_) / max(1, len(chances_))


if __name__ == "__main__":
    main()
