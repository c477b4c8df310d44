"""Ranking the files that a rule may go to, and the section in each. Pure.

Every kind of evidence (`file_fit`) is a number, every number has a weight (`weights`), and the sum decides: explained,
and the same for a thousand rules. What shares nothing with a rule is left out where there is much.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING

from memsuggest.model import Kind, Scope, Section, Target
from memsuggest.suggestions.ranking.file_fit import FILE_EVIDENCE, shared_pairs
from memsuggest.suggestions.ranking.kind_priors import OF_USE, kind_prior
from memsuggest.suggestions.ranking.overlap import Overlap, question_of
from memsuggest.suggestions.ranking.reasons import why_there
from memsuggest.suggestions.ranking.section_fit import section_scores
from memsuggest.suggestions.ranking.target_index import TargetIndex
from memsuggest.suggestions.ranking.target_kinds import TargetKind
from memsuggest.suggestions.ranking.weights import FILE_WEIGHTS, KIND_WEIGHTS, SURENESS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["FITS", "Ranked", "Rule", "TargetIndex", "ranked"]

FITS = 0.15
"""Score under which a file is as good as any: then a new file, or the file that is always loaded, is right.

Of the places that maintainers chose, nine in ten are above; of the best places in a repository that a rule was not
made for, four in five are below.
"""
WITH_SECTION = 3
"""Files, best first, for which the section is looked for unless more are asked for."""
SECTIONS = 4
"""Sections of a file, best first, of which the first that is a place for the rule is taken."""
_MANY_PAIRS = 1.5
_NO_PLACE = -9.0
"""What it counts that a file only sends its reader to another one, or is not loaded for what the rule is about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """Something to be said in a file, as far as that tells which."""

    content: str
    paths: tuple[str, ...] = ()
    """Files that the evidence cites; relative to the root, or absolute."""
    in_use: tuple[str, ...] = ()
    """Agents, skills, prompts and instructions that were in use when it was said, by path or name."""
    kind: Kind = Kind.FACT
    scope: Scope = Scope.WORKSPACE


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """A file as a place for a rule."""

    target: Target
    section: Section | None
    """Where in it; None where no section was looked for."""
    score: float
    """How sure it is that the rule belongs there, 0 to 1; of what is always loaded, that nothing else fits better.

    The order is by the weight of all evidence, so that a file further down may be surer of the little it has."""
    why: str
    others: tuple[Section, ...] = ()
    """The next best sections of the file, best first."""
    look: Callable[[], Ranked] | None = None
    """Looks for the section and the reasons, where that was not done yet."""

    @property
    def located(self) -> Ranked:
        """The same with its section and the reasons."""
        return self.look() if self.look else self


class Scales:
    """The weighed evidence of each kind for the files that are considered."""

    def __init__(
        self, evidence: Overlap, kind_priors: Mapping[TargetKind, float], *, in_use: Mapping[int, float]
    ) -> None:
        self.evidence = evidence
        self._in_use = in_use
        self._of_kind = {
            target_kind: KIND_WEIGHTS[target_kind] + kind_priors[target_kind] for target_kind in TargetKind
        }
        self._columns = {name: measure(evidence) for name, measure in FILE_EVIDENCE.items()}

    def totals(self) -> dict[int, float]:
        """Return for each file what all its evidence weighs together."""
        found = {number: self._sort(number) for number in self.evidence.considered}
        found |= {number: self._sort(number) + weight for number, weight in self._in_use.items()}
        for name, column in self._columns.items():
            weight = FILE_WEIGHTS[name]
            for number, value in column.items():
                if number in found:
                    found[number] += weight * value
        for number in self.evidence.not_loaded.intersection(found):
            found[number] += _NO_PLACE
        return found

    def _sort(self, number: int) -> float:
        file = self.evidence.target_index.files[number]
        return self._of_kind[file.target_kind] + (_NO_PLACE if file.is_stub else 0.0)

    def apart(self, number: int) -> dict[str, float]:
        """Say for each kind of evidence how far it sets a file apart from the average of all."""
        numbers = self.evidence.considered
        found = {
            name: FILE_WEIGHTS[name]
            * (column.get(number, 0.0) - sum(filter(None, map(column.get, numbers))) / len(numbers))
            for name, column in self._columns.items()
        }
        found["in use"] = self._in_use.get(number, 0.0)
        return found | {"sort": self._sort(number) - fmean(map(self._sort, numbers))}


def scales_for(rule: Rule, evidence: Overlap) -> Scales:
    """Return what weighs the files for a rule."""
    files = evidence.target_index.files
    kind_priors = {target_kind: kind_prior(rule.content, rule.kind, target_kind) for target_kind in TargetKind}
    used = evidence.target_index.called(rule.in_use)
    return Scales(evidence, kind_priors, in_use={number: OF_USE[files[number].target_kind] for number in used})


def ranked(rule: Rule, target_index: TargetIndex, *, with_section: int = WITH_SECTION) -> list[Ranked]:
    """Return the files that share something with a rule, best first; the first few with the section that fits best."""
    if not target_index.files:
        return []
    evidence = Overlap(question_of(rule.content, rule.paths, target_index), target_index)
    scales = scales_for(rule, evidence)
    totals = scales.totals()
    order = sorted(totals, key=lambda number: (-totals[number], number))
    sure = _sureness(evidence, totals, order)
    return [
        _ranked(scales, number, score=score, is_first=place < with_section)
        for place, (number, score) in enumerate(zip(order, sure, strict=True))
    ]


def _sureness(evidence: Overlap, totals: Mapping[int, float], order: list[int]) -> list[float]:
    """Return for each file, from the best down, how sure it is to be the place."""
    chosen = chances(totals)
    return [_sure(evidence, number, chosen[number]) for number in order]


def _sure(evidence: Overlap, number: int, chosen: float) -> float:
    if number in evidence.not_loaded:
        return 0.0
    if evidence.target_index.files[number].target_kind is TargetKind.ROOT:
        return chosen  # what fits nowhere else is right there
    known = sure_evidence(evidence, number, chosen=chosen)
    return 1 / (1 + math.exp(-SURENESS["base"] - sum(SURENESS[name] * value for name, value in known.items())))


def sure_evidence(evidence: Overlap, number: int, *, chosen: float) -> dict[str, float]:
    """Return what tells whether a file is the right place at all; `chosen` is how it stands among the others."""
    cover = evidence.question.cover
    return {
        "chosen": chosen,
        "pairs": min(_MANY_PAIRS, shared_pairs(evidence, number)),
        "covered": max(cover.under.get(number, 0.0), cover.applies.get(number, 0.0)),
    }


def chances(totals: Mapping[int, float]) -> dict[int, float]:
    """Return for each file how likely it is the place, if any of them is."""
    best = max(totals.values())
    odds = {number: math.exp(total - best) for number, total in totals.items()}
    whole = sum(odds.values())
    return {number: own / whole for number, own in odds.items()}


def _ranked(scales: Scales, number: int, *, score: float, is_first: bool) -> Ranked:
    target = scales.evidence.target_index.files[number].target

    def located() -> Ranked:
        best = _best_sections(scales.evidence, number)
        section = best[0] if best else None
        why = why_there(scales.evidence, number, apart=scales.apart(number), section=section)
        return Ranked(target=target, section=section, score=score, why=why, others=tuple(best[1:]))

    return located() if is_first else Ranked(target=target, section=None, score=score, why="", look=located)


def _best_sections(evidence: Overlap, number: int) -> list[Section]:
    """Return the few sections of a file that fit best, best first."""
    scores = section_scores(evidence, number)
    parts = evidence.target_index.files[number].sections
    best = sorted(range(len(scores)), key=lambda place: -scores[place])[:SECTIONS]
    return [evidence.target_index.parts[parts[place]].section for place in best]
