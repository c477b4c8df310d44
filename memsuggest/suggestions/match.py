"""Ranking the files that a rule may go to, and the section in each. Pure.

Every kind of evidence (`file_fit`) is a number, every number has a weight (`weights`), and the sum decides: explained,
and the same for a thousand rules. What shares nothing with a rule is left out where there is much.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memsuggest.model import Kind, Scope, Section, Target
from memsuggest.suggestions.evidence import Evidence, question_of
from memsuggest.suggestions.file_fit import FILE_EVIDENCE, shared_pairs
from memsuggest.suggestions.leanings import leaning
from memsuggest.suggestions.reasons import why_there
from memsuggest.suggestions.section_fit import section_scores
from memsuggest.suggestions.shelf import Shelf, Sort
from memsuggest.suggestions.weights import FILE_WEIGHTS, SORT_WEIGHTS, SURENESS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["FITS", "Ranked", "Rule", "Shelf", "ranked"]

FITS = 0.15
"""Score under which a file is as good as any: then a new file, or the file that is always loaded, is right.

Of the places that maintainers chose, nine in ten are above; of the best places in a repository that a rule was not
made for, four in five are below.
"""
WITH_SECTION = 3
"""Files, best first, for which the section is looked for unless more are asked for."""
_MANY_PAIRS = 1.5
_NO_PLACE = -9.0
"""What it counts that a file only sends its reader to another one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """Something to be said in a file, as far as that tells which."""

    content: str
    paths: tuple[str, ...] = ()
    """Files that the evidence cites; relative to the root, or absolute."""
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
    look: Callable[[], Ranked] | None = None
    """Looks for the section and the reasons, where that was not done yet."""

    @property
    def located(self) -> Ranked:
        """The same with its section and the reasons."""
        return self.look() if self.look else self


@dataclass(frozen=True, slots=True)
class _Weighed:
    number: int
    total: float
    values: Mapping[str, float]
    """What each kind of evidence adds."""


def ranked(rule: Rule, shelf: Shelf, *, with_section: int = WITH_SECTION) -> list[Ranked]:
    """Return the files that share something with a rule, best first; the first few with the section that fits best."""
    if not shelf.files:
        return []
    evidence = Evidence(question_of(rule.content, rule.paths, shelf), shelf)
    leanings = {sort: leaning(rule.content, rule.kind, sort) for sort in Sort}
    weighed = sorted((_weigh(evidence, number, leanings) for number in evidence.considered), key=_order)
    usual = _mean(weighed)
    sure = _sureness(evidence, weighed)
    return [
        _ranked(evidence, one, usual=usual, score=score, is_first=place < with_section)
        for place, (one, score) in enumerate(zip(weighed, sure, strict=True))
    ]


def _order(one: _Weighed) -> tuple[float, int]:
    return (-one.total, one.number)


def _weigh(evidence: Evidence, number: int, leanings: Mapping[Sort, float]) -> _Weighed:
    values = {name: FILE_WEIGHTS[name] * measure(evidence, number) for name, measure in FILE_EVIDENCE.items()}
    file = evidence.shelf.files[number]
    values["sort"] = SORT_WEIGHTS[file.sort] + leanings[file.sort] + (_NO_PLACE if file.is_stub else 0.0)
    return _Weighed(number, sum(values.values()), values)


def _mean(weighed: list[_Weighed]) -> dict[str, float]:
    return {name: sum(one.values[name] for one in weighed) / len(weighed) for name in weighed[0].values}


def _sureness(evidence: Evidence, weighed: list[_Weighed]) -> list[float]:
    """Return for each file, from the best down, how sure it is to be the place."""
    best = weighed[0].total
    odds = [math.exp(one.total - best) for one in weighed]
    total = sum(odds)
    return [_sure(evidence, one.number, own / total) for one, own in zip(weighed, odds, strict=True)]


def _sure(evidence: Evidence, number: int, chosen: float) -> float:
    if evidence.shelf.files[number].sort is Sort.ROOT:
        return chosen  # what fits nowhere else is right there
    cover = evidence.question.cover
    covered = max(cover.under.get(number, 0.0), cover.applies.get(number, 0.0))
    pairs = min(_MANY_PAIRS, shared_pairs(evidence, number))
    logit = SURENESS["base"] + SURENESS["chosen"] * chosen + SURENESS["pairs"] * pairs + SURENESS["covered"] * covered
    return 1 / (1 + math.exp(-logit))


def _ranked(evidence: Evidence, one: _Weighed, *, usual: Mapping[str, float], score: float, is_first: bool) -> Ranked:
    file = evidence.shelf.files[one.number]

    def located() -> Ranked:
        section = _best_section(evidence, one.number)
        apart = {name: value - usual[name] for name, value in one.values.items()}
        why = why_there(evidence, one.number, apart=apart, section=section)
        return Ranked(target=file.target, section=section, score=score, why=why)

    return located() if is_first else Ranked(target=file.target, section=None, score=score, why="", look=located)


def _best_section(evidence: Evidence, number: int) -> Section | None:
    scores = section_scores(evidence, number)
    parts = evidence.shelf.files[number].sections
    if not scores:
        return None
    best = max(range(len(scores)), key=lambda place: scores[place])
    return evidence.shelf.parts[parts[best]].section
