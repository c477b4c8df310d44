"""The rules of the customization files, line by line, ready to be asked about a rule. Pure.

An existing rule is a list item, a paragraph, or a sentence of one; what stands in a list of things *not* to do says the
opposite of its words, and what only shows how something looks says nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cached_property
from heapq import nlargest, nsmallest
from itertools import chain
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from rapidfuzz.distance import OSA

from memsuggest.customizations.blocks.block import BlockKind
from memsuggest.memory.duplicates import similarity_of
from memsuggest.memory.meaning_words import EMPTY, GENERIC
from memsuggest.memory.rule_meaning import read_wording
from memsuggest.memory.stem_groups import group_of, stem_of
from memsuggest.model import normalised
from memsuggest.suggestions.existing.paraphrases import plain_stem
from memsuggest.suggestions.existing.restatement import says
from memsuggest.suggestions.existing.rewordings import spelled_like, with_over
from memsuggest.suggestions.existing.rule_lines import NEVER, ExistingRule, existing_rules_of, plain_line
from memsuggest.suggestions.placement.line_format import lead_in_of
from memsuggest.text.german import in_english, is_german

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from memsuggest.model import Target

LIKE = 0.3
"""Similarity from which a line is worth a closer look."""
_COMPARED = 32
"""Texts whose words are counted, of all that share rare ones with a rule."""
_READ = 6
"""Texts that are read closely then: those that share most, for their length, and as many that hold most of the rule."""
_RAREST = 3
"""Words of a rule that are always looked up, the rarest first."""
_SHORTEST_TYPO = 5  # letters of a stem that may be a slip of the pen
_MANY = 300
"""Texts with a word up to which it is looked up even when it is not among the rarest."""
_WORD = re.compile(r"[^\W_]\w+")
_LIGHT = EMPTY | GENERIC


class Like(NamedTuple):
    """An existing rule that is like a rule."""

    similarity: float
    existing_rule: ExistingRule
    text: str
    """What is compared: the existing rule's text, or what follows its lead-in."""
    is_verbatim: bool
    """Word for word the same, even where a list turns it round: what was put there is there."""


class ExistingRules:
    """All that some files say."""

    def __init__(self, targets: Sequence[Target]) -> None:
        self._all: list[ExistingRule] = []
        self._texts: list[str] = []
        self._stems: list[frozenset[str]] = []
        self._sizes: list[int] = []
        self._by_stem: dict[str, list[int]] = {}
        self._by_choice: dict[str, list[int]] = {}
        self._by_words: dict[str, list[int]] = {}
        for target in targets:
            for existing_rule in existing_rules_of(target):
                self._add(existing_rule, with_over(existing_rule.text))
                lead_in = lead_in_of(existing_rule.raw)
                if lead_in and existing_rule.text.endswith(rest := plain_line(existing_rule.raw[len(lead_in) :])):
                    self._add(existing_rule, rest)
        for places in self._by_choice.values():
            places.sort(key=self._sizes.__getitem__)

    def _add(self, existing_rule: ExistingRule, text: str) -> None:
        stems, place = _stems(text), len(self._all)
        for stem in stems:
            self._by_stem.setdefault(stem, []).append(place)
        for choice in _choices(stems):
            self._by_choice.setdefault(choice, []).append(place)
        self._by_words.setdefault(normalised(text), []).append(place)
        if text.startswith(NEVER) and text == f"{NEVER}{plain_line(existing_rule.raw)}":
            self._by_words.setdefault(normalised(existing_rule.raw), []).append(place)
        self._all.append(existing_rule)
        self._texts.append(text)
        self._stems.append(stems)
        self._sizes.append(len(stems))

    def like(self, content: str) -> list[Like]:
        """Return what is worth comparing with a rule, the most alike first: also what chooses otherwise.

        A German rule is looked up in English as well: files are in English more often than chats.
        """
        words = plain_line(content)
        found: dict[int, Like] = {}
        for wording in (words, *([in_english(words)] if is_german(words) else [])):
            for place, like in self._like(wording):
                known = found.setdefault(place, like)
                if known.similarity < like.similarity:
                    found[place] = like._replace(is_verbatim=known.is_verbatim or like.is_verbatim)
        return sorted(found.values(), key=lambda like: -like.similarity)

    def _like(self, words: str) -> Iterator[tuple[int, Like]]:
        rule, spoken = read_wording(words), _stems(words)
        stems = self._mended(spoken)
        same = set(self._by_words.get(normalised(words), ()))
        chosen = self._choosing(stems)
        for place in dict.fromkeys((*sorted(same), *chosen, *self._worth_comparing(stems))):
            text = self._texts[place]
            meant = rule if stems == spoken else read_wording(spelled_like(words, text))
            similarity = similarity_of(meant, read_wording(text))
            if similarity >= LIKE or place in same or place in chosen:
                yield place, Like(similarity, self._all[place], text, place in same)

    def said(self, content: str) -> list[ExistingRule]:
        """Return where a rule is said already, perhaps in other words, the most alike first."""
        return said_among(self.like(content), content)

    def _mended(self, stems: Iterable[str]) -> frozenset[str]:
        """Return stems with those that occur nowhere replaced by what they may be slips of: one letter, inside."""
        return frozenset(stem if stem in self._by_stem else self._meant(stem) or stem for stem in stems)

    def _meant(self, stem: str) -> str | None:
        shapes = ((stem[0], len(stem) + more) for more in (0, 1, -1) if len(stem) >= _SHORTEST_TYPO)
        alike = (one for shape in shapes for one in self._by_shape.get(shape, ()))
        return next((one for one in alike if OSA.distance(stem, one, score_cutoff=1) == 1), None)

    @cached_property
    def _by_shape(self) -> dict[tuple[str, int], list[str]]:
        """The stems by their first letter and their length."""
        found: dict[tuple[str, int], list[str]] = {}
        for stem in self._by_stem:
            found.setdefault((stem[0], len(stem)), []).append(stem)
        return found

    def _choosing(self, stems: Collection[str]) -> list[int]:
        """Return the places of the shortest texts that choose among the same things as a rule, as tabs or spaces."""
        most = 2 * _READ
        found = dict.fromkeys(place for choice in _choices(stems) for place in self._by_choice.get(choice, ())[:most])
        return nsmallest(most, found, key=self._sizes.__getitem__)

    def _worth_comparing(self, stems: frozenset[str]) -> list[int]:
        """Return the places of the few texts that share most words with a rule, for their length, and for its own."""
        rare = self._rare(stems)
        counts = Counter(chain.from_iterable(self._by_stem[stem] for stem in rare))
        slack = 1 + len(stems) - len(rare)  # a word may be mistyped, and common ones were not counted
        size, sizes = len(stems), self._sizes
        often = [(place, count) for place, count in counts.items() if count > 1]
        shares = [
            (count / (size + sizes[place]), count, place)
            for place, count in (often if len(often) > _COMPARED else counts.items())
            if 2 * (count + slack) >= LIKE * (size + sizes[place])
        ]
        few = {place for _, _, place in nlargest(_COMPARED, shares)}
        few.update(place for _, _, place in nlargest(_COMPARED // 2, shares, key=itemgetter(1)))
        shared = [(len(stems & self._stems[place]), place) for place in few]
        alike = nlargest(_READ, ((count / (size + sizes[place]), place) for count, place in shared))
        return list(dict.fromkeys(place for _, place in (*alike, *nlargest(_READ // 2, shared))))

    def _rare(self, stems: Iterable[str]) -> list[str]:
        """Return the stems that occur at all, without those that very many texts have, where others are left."""
        there = sorted((stem for stem in stems if stem in self._by_stem), key=lambda stem: len(self._by_stem[stem]))
        few = max(_MANY, len(self._texts) // 50)
        return there[:_RAREST] + [stem for stem in there[_RAREST:] if len(self._by_stem[stem]) <= few]


def said_among(likes: Iterable[Like], content: str) -> list[ExistingRule]:
    """Return those of the likes of a rule that say it."""
    rule = plain_line(content)
    return [like.existing_rule for like in likes if like.is_verbatim or _says(like, rule)]


def _says(like: Like, rule: str) -> bool:
    is_heading = like.existing_rule.block.kind is BlockKind.HEADING
    return not is_heading and says(like.text, rule, context=like.existing_rule.context)


def _choices(stems: Iterable[str]) -> set[str]:
    return {group for group in map(group_of, stems) if group}


def _stems(text: str) -> frozenset[str]:
    # A name with digits or underscores is inflected by nobody; and there are many of them.
    words = (word for word in _WORD.findall(text.casefold()) if word not in _LIGHT)
    return frozenset(plain_stem(stem_of(word)) if word.isalpha() else word for word in words)
