"""The rules of the customization files, line by line, ready to be asked about a rule. Pure.

A line says a rule already when it has nearly the same words, and speaks against it when the same words differ in a
negation, a number or a name in one slot. Nothing else is sure enough: a rule that a line says in other words is
suggested, and the person sees both.
"""

from __future__ import annotations

from collections import Counter
from heapq import nlargest
from typing import TYPE_CHECKING, NamedTuple

from memsuggest.customizations.blocks.block import BlockKind
from memsuggest.identity import normalised
from memsuggest.suggestions.existing.rule_lines import NEVER, ExistingRule, existing_rules_of, plain_line
from memsuggest.suggestions.placement.line_format import lead_in_of
from memsuggest.suggestions.placement.rule_text import as_rule
from memsuggest.text.likeness import keys_of, likeness, opposed, same_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memsuggest.model import Target

LIKE = 0.2
"""Share of words from which a line is near a rule."""
_FEWEST = 2
"""Words of a rule from which on it is known again in another form."""
_COMPARED = 24
"""Texts that are compared, of all that share words with a rule: those that share most, for their length."""


class Like(NamedTuple):
    """An existing rule that is like a rule."""

    similarity: float
    existing_rule: ExistingRule
    text: str
    """What is compared: the existing rule's text, or what follows its lead-in."""


class ExistingRules:
    """All that some files say."""

    def __init__(self, targets: Sequence[Target]) -> None:
        self._texts: list[tuple[ExistingRule, str, int]] = []
        self._by_word: dict[str, list[int]] = {}
        self._by_words: dict[str, list[int]] = {}
        for target in targets:
            for existing_rule in existing_rules_of(target):
                self._add(existing_rule, existing_rule.text)
                lead_in = lead_in_of(existing_rule.raw)
                if lead_in and existing_rule.text.endswith(rest := plain_line(existing_rule.raw[len(lead_in) :])):
                    self._add(existing_rule, rest)

    def _add(self, existing_rule: ExistingRule, text: str) -> None:
        words = keys_of(text)
        self._by_words.setdefault(normalised(text), []).append(len(self._texts))
        for word in words:
            self._by_word.setdefault(word, []).append(len(self._texts))
        self._texts.append((existing_rule, text, len(words)))

    def like(self, content: str) -> list[Like]:
        """Return the lines that share most words with a rule, the most alike first."""
        rule, words = plain_line(content), keys_of(content)
        shared = Counter(place for word in words for place in self._by_word.get(word, ()))
        near = nlargest(_COMPARED, shared, key=lambda place: shared[place] / (len(words) + self._texts[place][2]))
        same = self._by_words.get(normalised(rule), [])
        found = [
            Like(1.0 if place in same else likeness(text, rule), line, text)
            for place in dict.fromkeys([*same, *near])
            for line, text, _ in [self._texts[place]]
        ]
        return sorted((like for like in found if like.similarity >= LIKE), key=lambda like: -like.similarity)

    def said(self, content: str) -> list[ExistingRule]:
        """Return the lines that say a rule already, the most alike first."""
        rule = as_rule(content)
        return said_among(self.like(rule), rule)


def said_among(likes: Iterable[Like], content: str) -> list[ExistingRule]:
    """Return those of the likes of a rule that say it."""
    rule = plain_line(content)
    return [like.existing_rule for like in likes if _says(like, rule)]


def _says(like: Like, rule: str) -> bool:
    if like.existing_rule.block.kind is BlockKind.HEADING:
        return False
    # What was put into a list of things not to do stands there word for word.
    if normalised(rule) in (normalised(like.text), like.text.startswith(NEVER) and normalised(like.existing_rule.raw)):
        return True
    return len(keys_of(rule)) >= _FEWEST and same_words(like.text, rule)


def opposed_among(likes: Iterable[Like], content: str) -> list[tuple[ExistingRule, str]]:
    """Return the lines that cannot hold beside a rule, each with the reason."""
    rule = plain_line(content)
    found = ((like.existing_rule, opposed(like.text, rule)) for like in likes)
    return [(line, why) for line, why in found if why and line.block.kind is not BlockKind.HEADING]
