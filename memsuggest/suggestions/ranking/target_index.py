"""The customization files of a scope, indexed once so that many rules can be ranked against them. Pure."""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, pairwise
from typing import TYPE_CHECKING

from memsuggest.customizations.applyto import is_unconditional
from memsuggest.model import TargetType
from memsuggest.suggestions.placement.layouts import layout_of
from memsuggest.suggestions.placement.style import LineStyle, line_style_of
from memsuggest.suggestions.ranking.bm25 import Bm25, Discounts, Rarity
from memsuggest.suggestions.ranking.path_coverage import Territories
from memsuggest.suggestions.ranking.repo_paths import Tracked
from memsuggest.suggestions.ranking.target_kinds import TargetKind, name_of, plain_name, target_kind_of
from memsuggest.suggestions.ranking.terms import Vocabulary
from memsuggest.text.words import main_language

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from memsuggest.customizations.blocks.block import Block
    from memsuggest.model import Section, Target


_IMPORT = re.compile(r"\s*(?:@\S+|(?:see|read)\s+\S+|\[[^\]\n]*\]\([^)\n]*\))\s*", re.IGNORECASE)
_CALLED = {TargetKind.SKILL, TargetKind.AGENT, TargetKind.PROMPT, TargetKind.INSTRUCTIONS}
"""Sorts of files that people call by a name: "the NAME skill"."""
_STUB = 120  # characters; a shorter file that only points to another holds no rules


@dataclass(frozen=True, slots=True, kw_only=True)
class Shelved:
    """A file in the index."""

    target: Target
    target_kind: TargetKind
    name: Counter[str]
    """The words of its name and of the folder that it is for."""
    title: Counter[str]
    description: Counter[str]
    sections: range
    """Numbers of its sections among all sections of the index."""
    line_style: LineStyle
    pairs: frozenset[tuple[str, str]]
    """Words that follow each other somewhere in it."""
    is_stub: bool
    """It only points to another file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A section in the index."""

    section: Section
    own: frozenset[str]
    """The words of its own heading."""
    line_style: LineStyle
    has_steps: bool
    count: Counter[str]
    """Its words; those of its own heading and of the ones above count once more."""


class TargetIndex:
    """The files that rules of one scope may go to, ready to be ranked."""

    def __init__(self, targets: Sequence[Target], *, tracked_paths: Sequence[str] = (), root: str = "") -> None:
        """Index the files; hooks hold no rules and are left out."""
        self.targets = tuple(target for target in targets if target.type is not TargetType.HOOK)
        self.root = root
        self.tracked = Tracked(tracked_paths)
        self.vocabulary = Vocabulary(main_language(target.text for target in self.targets))
        self.files: list[Shelved] = []
        self.parts: list[Part] = []
        for target in self.targets:
            self._shelve(target)

    def _shelve(self, target: Target) -> None:
        words = self.vocabulary.words
        found = layout_of(target.text).blocks
        first = len(self.parts)
        lines = target.text.split("\n")
        said = [words("\n".join(lines[section.start : section.end])) for section in target.sections]
        self.parts += [self._part(*one, found) for one in zip(target.sections, said, strict=True)]
        heading = next((section.heading for section in target.sections if section.level), "")
        self.files.append(
            Shelved(
                target=target,
                target_kind=target_kind_of(target),
                name=Counter(words(name_of(target))),
                title=Counter(words(heading)),
                description=Counter(words(target.description)),
                sections=range(first, len(self.parts)),
                line_style=sum(
                    (part.line_style for part in self.parts[first + 1 :]), start=self.parts[first].line_style
                ),
                pairs=frozenset(chain.from_iterable(map(pairwise, said))),
                is_stub=len(target.text) < _STUB and bool(_IMPORT.fullmatch(target.text)),
            )
        )

    def _part(self, section: Section, said: Sequence[str], found: Sequence[Block]) -> Part:
        words = self.vocabulary.words
        first = bisect_left(found, section.start, key=_start)
        within = found[first : bisect_left(found, section.end, key=_start)]
        above = words(" ".join(section.path))
        return Part(
            section=section,
            own=frozenset(words(section.heading)),
            line_style=line_style_of(within),
            has_steps=any(block.number is not None for block in within),
            count=Counter([*said, *above]),
        )

    @cached_property
    def roots(self) -> frozenset[int]:
        """The files that are always loaded."""
        return frozenset(number for number, file in enumerate(self.files) if file.target_kind is TargetKind.ROOT)

    @cached_property
    def bound(self) -> frozenset[int]:
        """The files that hold for certain files only."""
        return frozenset(number for number, file in enumerate(self.files) if _is_bound(file))

    @cached_property
    def section_rarity(self) -> Rarity:
        """The rarity of words among the sections."""
        return Rarity(part.count for part in self.parts)

    @cached_property
    def _discounts(self) -> Discounts:
        return Discounts([part.count for part in self.parts], length_matters=0.3)

    def section_score(self, number: int, weights: Mapping[str, float]) -> float:
        """Return how well a section fits some weighted words (BM25)."""
        return self._discounts.score(number, self.parts[number].count, weights)

    @cached_property
    def by_file(self) -> Bm25:
        """The files' texts."""
        return Bm25(self.counts, length_matters=0.6)

    def file_score(self, number: int, weights: Mapping[str, float]) -> float:
        """Return how well a whole file fits some weighted words (BM25)."""
        return self.by_file.discounts.score(number, self.counts[number], weights)

    @cached_property
    def counts(self) -> list[Counter[str]]:
        """The words of each file."""
        return [self._count(file) for file in self.files]

    def _count(self, file: Shelved) -> Counter[str]:
        count: Counter[str] = Counter()
        for number in file.sections:
            count.update(self.parts[number].count)
        return count

    def with_below(self, number: int) -> list[Counter[str]]:
        """Return for each section of a file the words of it and of all sections below it."""
        known = self._with_below.get(number)
        if known is None:
            parts = [self.parts[part] for part in self.files[number].sections]
            known = self._with_below[number] = [_count_below(parts, place) for place in range(len(parts))]
        return known

    @cached_property
    def _with_below(self) -> dict[int, list[Counter[str]]]:
        return {}

    @cached_property
    def by_name(self) -> Bm25:
        """The files' names."""
        return Bm25([file.name for file in self.files])

    @cached_property
    def name_weights(self) -> list[float]:
        """The weight of the words of each file's name, and one more."""
        rarity = self.by_name.rarity
        return [1 + sum(map(rarity.of, file.name)) for file in self.files]

    @cached_property
    def sizes(self) -> list[float]:
        """The files' lengths, compared to the average (logarithm)."""
        known = self.by_file.discounts
        return [math.log1p(length / known.mean) for length in known.lengths]

    @cached_property
    def by_title(self) -> Bm25:
        """The files' first headings."""
        return Bm25([file.title for file in self.files])

    @cached_property
    def by_description(self) -> Bm25:
        """The files' descriptions."""
        return Bm25([file.description for file in self.files])

    @cached_property
    def territories(self) -> Territories:
        """The files' folders and patterns."""
        local = [n for n, file in enumerate(self.files) if file.target_kind in {TargetKind.NESTED, TargetKind.SKILL}]
        return Territories(self.targets, local=local, root=self.root, tracked=self.tracked)

    def called(self, names: Iterable[str]) -> frozenset[int]:
        """Return the files that some names mean: paths, ends of longer ones, what agents and skills are called."""
        found = (self._called(name.replace("\\", "/").strip("/").lower()) for name in names)
        return frozenset(number for number in found if number is not None)

    def _called(self, name: str) -> int | None:
        parts = name.split("/")
        # Of a path, the file's name alone would mean any file of that name.
        ends = ("/".join(parts[first:]) for first in range(max(1, len(parts) - 1)))
        keys = (*ends, *(f"{target_kind} {name}" for target_kind in sorted(_CALLED)))
        return next((self.mentions[key] for key in keys if key in self.mentions), None)

    @cached_property
    def mentions(self) -> dict[str, int]:
        """Ways in which a text may point to a file: its path, a name that no other file has, or "the NAME skill"."""
        names = Counter(_file_name(file.target) for file in self.files)
        found = {}
        for number, file in enumerate(self.files):
            found[file.target.uri.lower()] = number
            if names[_file_name(file.target)] == 1 and not file.target.always_on:
                found[_file_name(file.target)] = number
            if file.target_kind in _CALLED:
                found[f"{file.target_kind} {plain_name(file.target).lower()}"] = number
        return found


def _is_bound(file: Shelved) -> bool:
    applies_to = file.target.applies_to
    is_of_kind = file.target_kind in {TargetKind.INSTRUCTIONS, TargetKind.RULES}
    return is_of_kind and bool(applies_to) and not is_unconditional(applies_to)


def _count_below(parts: Sequence[Part], place: int) -> Counter[str]:
    path = parts[place].section.path
    count = parts[place].count.copy()
    for part in parts[place + 1 :]:
        if not path or part.section.path[: len(path)] != path:
            break
        count.update(part.count)
    return count


def _file_name(target: Target) -> str:
    return target.uri.rpartition("/")[2].lower()


def _start(block: Block) -> int:
    return block.start
