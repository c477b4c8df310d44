"""Ranking the files that a rule may go to, and the section in each. Pure.

A small sum. Of a file: how well its words fit (BM25 of the whole and of its best section), whether its name, title or
description says a word of the rule, whether the cited files are its own (its folder, its `applyTo`, its name in their
paths), whether it is always loaded, and whether the rule only points to it. Of a section: its words, whether rules of
all sorts stand there, and whether its items are written like the rule. Each part is here because it helps on owners
whose repositories the weights were not fitted to (`docs/measure/placement_training.py`); those figures are below.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from heapq import nlargest
from typing import TYPE_CHECKING

from memsuggest.core.model import Scope, Section, Target
from memsuggest.suggestions.placement.lists import is_about_examples
from memsuggest.suggestions.ranking.repo_paths import NOTHING, Cover
from memsuggest.suggestions.ranking.target_index import (
    SATURATION,
    IndexedFile,
    TargetIndex,
    TargetKind,
    rarity,
    traits_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["NOT_LOADED", "Ranked", "Rule", "TargetIndex", "ranked"]

FILE_WEIGHTS: Mapping[str, float] = {
    "words": 2.25,
    "section": 2.5,
    "name": 3.0,
    "scope": 2.75,
    "paths": 3.25,
    "always loaded": 2.2,
    "pointed to": -6.0,
}
SECTION_WEIGHTS: Mapping[str, float] = {"words": 4.0, "general": 1.0, "style": 0.95}
"""In units of log-odds: one more means that a place is chosen 2.7 times as often."""
IN_USE: Mapping[TargetKind, float] = {TargetKind.SKILL: 4.0, TargetKind.AGENT: 4.0, TargetKind.PROMPT: 5.0}
"""What it counts that an agent, skill or prompt was in use when the rule was said: what one chooses to use tells more
than what hosts attach. Of bare commits nothing is known of it, so it is not fitted."""
CONSIDERED = 40
"""Files whose sections are looked at; of more files, those that fit best otherwise."""
NOT_LOADED = "the file is not loaded for the files this rule is about"
_NOWHERE = -9.0
"""What it counts that a file only sends its reader to another one, or is not loaded for what the rule is about."""
_LITTLE = 0.1
"""Share of the most that words can weigh under which even the best file shares too little to stand out."""
_LONGEST_PATH = 500  # characters
_SHORT = 20.0  # words; among shorter sections length says nothing
_SLOW = 3.0
"""Mentions of a word count on for long within a file: a section that keeps coming back to it is about it."""
_GENERAL = re.compile(
    r"\b(?:conventions?|rules?|guidelines?|general|best practices?|notes?|standards?|requirements?|principles?|key"
    r"|important|tips|common|pitfalls?|gotchas?|learnings?|style)\b",
    re.IGNORECASE,
)
"""Headings under which rules of all sorts are collected."""
_SHORTEST_NAMED = 3  # letters of a word that a reason gives


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """Something to be said in a file, as far as that tells which."""

    content: str
    paths: tuple[str, ...] = ()
    """Files that the evidence cites; relative to the root, or absolute."""
    in_use: tuple[str, ...] = ()
    """Agents, skills, prompts and instructions that were in use when it was said, by path or name."""
    scope: Scope = Scope.WORKSPACE


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """A file as a place for a rule."""

    target: Target
    section: Section | None
    """Where in it; None where no section was looked for, or none fits."""
    score: float
    """How likely the rule belongs there, among all the places, 0 to 1."""
    why: str
    look: Callable[[], Ranked] | None = None
    """Looks for the section and the reason, where that was not done yet."""

    @property
    def located(self) -> Ranked:
        return self.look() if self.look else self


class Question:
    """A rule as it is asked about, held against an index; files go by their numbers there."""

    def __init__(self, rule: Rule, index: TargetIndex) -> None:
        self.rule, self.index = rule, index
        self.said = index.vocabulary.words(rule.content)
        self.words = {word: 1 + math.log(times) for word, times in Counter(self.said).items()}
        common = index.vocabulary.words("always every never whenever")  # of any rule, so they choose no section
        self.subject = {word: weight for word, weight in self.words.items() if word not in common}
        cited = index.tracked.as_files(path for path in rule.paths if len(path) <= _LONGEST_PATH)
        found = index.tracked.named_in(rule.content)
        named = [path for path in found if not {path.lower(), path.lower().rpartition("/")[2]} & index.mentions.keys()]
        self.paths = list(dict.fromkeys([*cited, *named]))
        self.cover: Cover = index.territories.cover(self.paths) if self.paths else NOTHING
        self.pointed_to = index.pointed_to(rule.content)
        self.in_use = index.called(rule.in_use)

    @cached_property
    def path_words(self) -> dict[str, float]:
        """The words of the cited paths, by the share of paths that have them."""
        found: Counter[str] = Counter()
        for path in self.paths:
            found.update(set(self.index.vocabulary.words(path)))
        return {word: times / len(self.paths) for word, times in found.items()}

    @cached_property
    def not_loaded(self) -> frozenset[int]:
        """The files that no host loads for the files that the rule is about.

        One that was cited beside the rule tells less than one that the rule names: tests are spoken of over code, and
        instructions that are called "tests" may be meant.
        """
        if not self.paths:
            return frozenset()
        files, is_named = self.index.files, bool(self.index.tracked.named_in(self.rule.content))
        apart = {n for n, file in enumerate(files) if file.is_bound and n not in self.cover.applies}
        if not is_named:
            return frozenset(n for n in apart if self.words.keys().isdisjoint(files[n].name))
        nested = (n for n, file in enumerate(files) if file.target_kind is TargetKind.NESTED)
        return frozenset(apart.union(n for n in nested if n not in self.cover.under))

    def evidence(self) -> dict[str, dict[int, float]]:
        """Return for each part of the sum one number for each file that has some."""
        files, cover = self.index.files, self.cover
        weights = self.index.by_file.weighed(self.words)
        found = {
            "words": _relative(self.index.by_file.scores(weights), weights),
            "name": {
                number: shared / (1.5 + len(file.about))
                for number, file in enumerate(files)
                if (shared := len(file.about & self.words.keys()))
            },
            "scope": {n: max(cover.near.get(n, 0.0), cover.applies.get(n, 0.0)) for n in {*cover.near, *cover.applies}},
            "paths": {
                number: sum(self.path_words.get(word, 0.0) for word in file.name) / (1 + len(file.name))
                for number, file in enumerate(files)
                if self.paths
            },
            "always loaded": {n: 1.0 for n, file in enumerate(files) if file.target_kind is TargetKind.ROOT},
            "pointed to": dict.fromkeys(self.pointed_to, 1.0),
        }
        return found | {"section": self._best_sections(found)}

    def _best_sections(self, found: Mapping[str, Mapping[int, float]]) -> dict[int, float]:
        """Return the fit of each file's best section, for the files that fit best otherwise."""
        rough = _summed(found, FILE_WEIGHTS, range(len(self.index.files)))
        weights = self.index.by_section.weighed(self.words)
        best = {
            number: max(self.index.by_section.score(part, weights) for part in self.index.files[number].sections)
            for number in nlargest(CONSIDERED, rough, key=rough.__getitem__)
            if self.index.files[number].sections
        }
        return _relative(best, weights)

    def totals(self) -> dict[int, float]:
        """Return for each file what speaks for it."""
        found = _summed(self.evidence(), FILE_WEIGHTS, range(len(self.index.files)))
        for number, file in enumerate(self.index.files):
            found[number] += IN_USE.get(file.target_kind, 0.0) * (number in self.in_use)
            found[number] += _NOWHERE * (file.is_stub or number in self.not_loaded)
        return found

    def section_evidence(self, number: int) -> list[dict[str, float]]:
        """Return the same for the sections of a file, in order."""
        parts = [self.index.parts[part] for part in self.index.files[number].sections]
        everywhere = self.index.by_section.weighed(self.subject)
        weights = {
            word: (everywhere[word] + weight * rarity(sum(word in part.count for part in parts), len(parts))) / 2
            for word, weight in self.subject.items()
        }
        lengths = [part.count.total() for part in parts]
        mean = max(_SHORT, sum(lengths) / max(1, len(parts)))
        scores = [
            sum(
                weight * part.count[word] / (part.count[word] + _SLOW * (0.6 + 0.4 * length / mean))
                for word, weight in weights.items()
                if word in part.count
            )
            for part, length in zip(parts, lengths, strict=True)
        ]
        best, traits = max(scores, default=0.0) or 1.0, traits_of(self.rule.content)
        return [
            {
                "words": score / best,
                "general": float(_GENERAL.search(part.section.heading) is not None),
                "style": math.log1p(part.items[traits]),
            }
            for part, score in zip(parts, scores, strict=True)
        ]

    def section_of(self, number: int) -> Section | None:
        """Return the section of a file that fits best; None where none shares a word with the rule."""
        rows = self.section_evidence(number)
        found = [self.index.parts[part].section for part in self.index.files[number].sections]
        weighed = [
            (sum(SECTION_WEIGHTS[name] * value for name, value in row.items()), -place)
            for place, row in enumerate(rows)
            if (row["words"] or row["general"]) and not any(map(is_about_examples, found[place].path))
        ]
        return found[-max(weighed)[1]] if weighed else None

    def why(self, number: int, section: Section | None) -> str:
        """Return the one fact that speaks most for a file."""
        file, target = self.index.files[number], self.index.files[number].target
        if number in self.not_loaded:
            return NOT_LOADED
        if number in self.in_use and file.target_kind in IN_USE:
            return "the file was in use when you said this"
        if cited := self.cover.cited.get(number):
            verb = "applyTo covers" if number in self.cover.applies else f"{target.folder}/ contains"
            return f"{verb} {cited}"
        if section and section.heading and (words := self._shared(self._whole_words(file, section))):
            return f"the section “{section.heading}” mentions {words}"
        if words := self._shared(file.about):
            return f"the file is about {words}"
        return "the file is always loaded" if file.target_kind is TargetKind.ROOT else "no other file is a better match"

    def _whole_words(self, file: IndexedFile, section: Section) -> frozenset[str]:
        lines = [*file.target.text.split("\n")[section.start : section.end], *section.path]
        return self.index.vocabulary.whole("\n".join(lines))

    def _shared(self, there: frozenset[str]) -> str:
        """Return the rarest word that the rule and a text share, as it was said; empty for none."""
        weights = self.index.by_section.weighed(self.subject)
        surfaces = self.index.vocabulary.surfaces(self.rule.content)
        shared = [
            word for word in weights if word in there and word in surfaces and len(surfaces[word]) >= _SHORTEST_NAMED
        ]
        return f"“{surfaces[max(shared, key=weights.__getitem__)].lower()}”" if shared else ""


def ranked(rule: Rule, target_index: TargetIndex) -> list[Ranked]:
    """Return the files, best first, each ready to be looked into."""
    if not target_index.files:
        return []
    question = Question(rule, target_index)
    totals = question.totals()
    order = sorted(totals, key=lambda number: (-totals[number], number))
    odds = [math.exp(totals[number] - totals[order[0]]) for number in order]
    return [_ranked(question, number, odd / sum(odds)) for number, odd in zip(order, odds, strict=True)]


def _ranked(question: Question, number: int, score: float) -> Ranked:
    target = question.index.files[number].target

    def located() -> Ranked:
        section = question.section_of(number)
        return Ranked(target=target, section=section, score=score, why=question.why(number, section))

    return Ranked(target=target, section=None, score=score, why="", look=located)


def _summed(
    evidence: Mapping[str, Mapping[int, float]], weights: Mapping[str, float], numbers: range
) -> dict[int, float]:
    found = dict.fromkeys(numbers, 0.0)
    for name, column in evidence.items():
        for number, value in column.items():
            found[number] += weights[name] * value
    return found


def _relative(scores: Mapping[int, float], weights: Mapping[str, float]) -> dict[int, float]:
    """Return scores as shares of the highest of all, or of the least that counts as a high one."""
    least = _LITTLE * (SATURATION + 1) * sum(weights.values())
    highest = max(scores.values(), default=0.0)
    return {number: score / max(highest, least) for number, score in scores.items()} if highest > 0 else {}
