"""The overlap of a rule with files of an index: words, names, paths, style. Pure; weighs nothing."""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from heapq import nlargest
from itertools import islice, pairwise
from typing import TYPE_CHECKING

from memsuggest.suggestions.placement.style import Traits, opening_of, traits_of
from memsuggest.suggestions.ranking.bm25 import SATURATION, relative
from memsuggest.suggestions.ranking.path_coverage import NOTHING, Cover, weight_of
from memsuggest.suggestions.ranking.target_kinds import plain_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memsuggest.suggestions.ranking.bm25 import Rarity
    from memsuggest.suggestions.ranking.target_index import TargetIndex

FEW = 40
"""Files up to which all are weighed in full."""
CONSIDERED = 12
"""Files per kind of evidence that are weighed in full where there are more."""
_POINTED = re.compile(
    r"(?<![\w./-])[\w./-]{1,200}\.md\b"
    r"|\b(?P<before>skill|agent|prompt|instructions)\s{1,3}[`*\"']{0,3}(?P<name>[\w-]{3,60})"
    r"|(?<![\w-])(?P<named>[\w-]{3,60})[`*\"']{0,3}\s{1,3}(?P<after>skill|agent|prompt|instructions)\b",
    re.IGNORECASE,
)
_THIS = re.compile(r"\bthis (skill|agent|prompt)\b", re.IGNORECASE)
_LONGEST_PATH = 500  # characters
_LITTLE = 0.1
"""Share of the most that words can weigh under which even the best file shares too little to stand out."""
_FLAT = 0.7
"""What even a word that all files have is worth, in units of rarity: among few files rarity says little."""


@dataclass(frozen=True, slots=True)
class RuleQuestion:
    """A rule as it is asked about."""

    text: str
    words: Mapping[str, float]
    """Its words; the second mention of one counts less than the first."""
    pairs: frozenset[tuple[str, str]]
    """Words that follow each other."""
    paths: tuple[str, ...]
    """The cited paths, and those that it names."""
    path_words: Mapping[str, float]
    """Words of the cited paths, by the share of paths that have them."""
    cover: Cover
    traits: Traits
    opening: str
    """Its first word."""
    names_paths: bool = False
    """Whether the rule itself says which files it is about."""


def _least(weights: Mapping[str, float]) -> float:
    return _LITTLE * (SATURATION + 1) * sum(weights.values())


def question_of(content: str, paths: Sequence[str], target_index: TargetIndex) -> RuleQuestion:
    """Read a rule for an index of targets."""
    said = target_index.vocabulary.words(content)
    paths = _all_paths(content, paths, target_index)
    path_words: Counter[str] = Counter()
    for path in paths:
        path_words.update(set(target_index.vocabulary.words(path)))
    return RuleQuestion(
        text=content,
        words={word: 1 + math.log(times) for word, times in Counter(said).items()},
        pairs=frozenset(pairwise(said)),
        paths=tuple(paths),
        path_words={word: times / len(paths) for word, times in path_words.items()},
        cover=target_index.territories.cover(paths) if paths else NOTHING,
        traits=traits_of(content),
        opening=opening_of(content),
        names_paths=bool(target_index.tracked.spoken_of(content)),
    )


def _all_paths(content: str, paths: Sequence[str], target_index: TargetIndex) -> list[str]:
    """Return the cited paths, and those that the rule names itself; customization files are no evidence of a place."""
    cited = target_index.tracked.as_files(path for path in paths if len(path) <= _LONGEST_PATH)
    named = (path for path in target_index.tracked.named_in(content) if not _is_in_index(path, target_index))
    return list(dict.fromkeys([*cited, *named]))


def _is_in_index(path: str, target_index: TargetIndex) -> bool:
    lowered = path.lower()
    return lowered in target_index.mentions or lowered.rpartition("/")[2] in target_index.mentions


class Overlap:
    """The overlap of a rule with each file of an index; files and sections go by their numbers there."""

    def __init__(self, question: RuleQuestion, target_index: TargetIndex) -> None:
        self.question = question
        self.target_index = target_index

    def _weighed(self, rarity: Rarity, *, flat: float = 0.0) -> dict[str, float]:
        return {word: weight * (rarity.of(word) + flat) for word, weight in self.question.words.items()}

    @cached_property
    def considered(self) -> list[int]:
        """The files worth a closer look: those that share words, names or paths, and those always loaded."""
        files = self.target_index.files
        if len(files) <= FEW:
            return list(range(len(files)))
        cover, index = self.question.cover, self.target_index.by_file
        found = {*self.target_index.roots, *self.pointed_to}
        by_words = index.quick_scores(self._weighed(index.rarity), enough=len(files))
        by_paths = index.quick_scores(self.path_weights, enough=len(files))
        for scores in (by_words, by_paths, self._names, self._descriptions, cover.near, cover.under, cover.applies):
            is_few = len(scores) <= CONSIDERED
            found.update(scores if is_few else nlargest(CONSIDERED, scores, key=scores.__getitem__))
        unlike = (number for number in range(len(files)) if number not in found)
        return sorted([*found, *islice(unlike, max(0, CONSIDERED - len(found)))])

    @cached_property
    def best_sections(self) -> dict[int, float]:
        """The fit of each considered file's best section to the rule's words, of the best of all."""
        target_index, weights = self.target_index, self._weighed(self.target_index.section_rarity)
        found = {}
        for number in self.considered:
            there = {word: weights[word] for word in weights if word in target_index.counts[number]}
            scores = (
                [target_index.section_score(part, there) for part in target_index.files[number].sections]
                if there
                else []
            )
            found[number] = max(scores, default=0.0)
        return relative(found, least=_least(weights))

    @cached_property
    def files(self) -> dict[int, float]:
        """The fit of each considered file to the rule's words, of the best of all."""
        weights = self._weighed(self.target_index.by_file.rarity, flat=_FLAT)
        return relative(self._scores(weights), least=_least(weights))

    @cached_property
    def by_paths(self) -> dict[int, float]:
        """The fit of each considered file to the words of the cited paths, of the best of all."""
        return relative(self._scores(self.path_weights))

    def _scores(self, weights: Mapping[str, float]) -> dict[int, float]:
        return {number: self.target_index.file_score(number, weights) for number in self.considered} if weights else {}

    @cached_property
    def path_weights(self) -> dict[str, float]:
        """The weight of each word of the cited paths."""
        rarity = self.target_index.by_file.rarity
        return {word: share * rarity.of(word) for word, share in self.question.path_words.items()}

    @cached_property
    def _names(self) -> dict[int, float]:
        return self.target_index.by_name.shares(self.shares)

    @cached_property
    def descriptions(self) -> dict[int, float]:
        """The share of the rule that stands in each file's description, of the most of all."""
        return relative(self._descriptions)

    @cached_property
    def _descriptions(self) -> dict[int, float]:
        return self.target_index.by_description.shares(self.shares)

    @cached_property
    def shares(self) -> dict[str, float]:
        """The weight of each of the rule's words, by its rarity among the sections; all together 1."""
        weights = self._weighed(self.target_index.section_rarity)
        total = sum(weights.values()) or 1.0
        return {word: weight / total for word, weight in weights.items()}

    @cached_property
    def pointed_to(self) -> frozenset[int]:
        """The files that the rule itself points to: such a rule stands where people are sent from."""
        found = set()
        for match in _POINTED.finditer(self.question.text):
            target_kind = match["before"] or match["after"]
            key = f"{target_kind} {match['name'] or match['named']}" if target_kind else match.group()
            found.add(self.target_index.mentions.get(key.lower()))
        return frozenset(number for number in found if number is not None)

    @cached_property
    def not_loaded(self) -> frozenset[int]:
        """The files that no host loads for the files that the rule is about.

        One that was cited beside the rule tells less than one that the rule names: tests are spoken of over code, and
        instructions that are called "tests" may be meant.
        """
        cover, target_index = self.question.cover, self.target_index
        if not any(weight_of(path) >= 1 for path in self.question.paths):
            return frozenset()
        apart = target_index.bound.difference(cover.applies)
        if self.question.names_paths:
            return apart | {
                n for n, file in enumerate(target_index.files) if file.target_kind == "nested" and n not in cover.under
            }
        return frozenset(number for number in apart if not self._is_called(number))

    def _is_called(self, number: int) -> bool:
        own = self.target_index.vocabulary.words(plain_name(self.target_index.files[number].target))
        return not self.question.words.keys().isdisjoint(own)

    @cached_property
    def own_kind(self) -> str | None:
        """The sort of file that the rule calls "this"."""
        found = _THIS.search(self.question.text)
        return found.group(1).lower() if found else None
