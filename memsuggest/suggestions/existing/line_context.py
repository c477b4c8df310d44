"""Words of a rule that a line need not repeat, because its headings and its file say them already. Pure.

"Skill descriptions have at most 1024 characters" is what a file on skills means by "Descriptions have at most …". Only
words that narrow another word, or say where a rule holds, are left out: what a rule is about is never.
"""

from __future__ import annotations

import re
from functools import lru_cache

from memsuggest.memory.meaning_words import ARTICLES, EMPTY, KINDS, LIMITERS, NEGATORS, NUMBERS
from memsuggest.memory.rule_meaning import read_wording
from memsuggest.memory.stem_groups import stem_of
from memsuggest.suggestions.existing.paraphrases import plain_stem
from memsuggest.text.verbs import VERBS

_WORDS = re.compile(r"[^\W\d_]+")
_SCOPE = re.compile(
    r"(?P<start>^|,?\s+)(?:in|for|of|on|within|inside|when\s+(?:writing|working\s+(?:on|with)|editing))\s+"
    r"(?:(?:the|our|all|your|any|every|a|an)\s+)?(?P<what>[\w-]+(?:\s+[\w-]+)?)(?P<end>,\s+|[.!]?$|(?=\s))",
    re.IGNORECASE,
)
"""Where a rule holds: "in telemetry", "for Pester tests"."""
_MODIFIER = re.compile(r"(?<!\S)(?P<word>[^\W\d_]{3,})\s+(?=(?P<next>[^\W\d_]+))")
"""A word before another one: "Pester tests", "the planner must"."""
_IS_STATEMENT = re.compile(
    r"^(?:[\w-]+\s+){2,4}?(?:are|is|must|should|may|can|never|have|has|need|needs|stay|use)\b", re.IGNORECASE
)
_KEPT = NEGATORS | LIMITERS | KINDS | EMPTY | frozenset(NUMBERS)
_JOINING = frozenset({"and", "or", "und", "oder"})


def without_context(rule: str, text: str, context: str) -> str:
    """Return a rule without what a line lacks and its context says.

    >>> without_context("Skill descriptions are short", "Descriptions are short", "How to write a skill")
    'descriptions are short'
    """
    known = _stems(context) - _stems(text)
    if not known & _stems(rule):
        return rule
    rule = _SCOPE.sub(lambda found: _rest_of_scope(found, known), rule)
    while (shorter := _without_modifiers(rule, known)) != rule:
        rule = shorter
    return rule.strip(" ,")


def _without_modifiers(rule: str, known: frozenset[str]) -> str:
    return _MODIFIER.sub(lambda found: _rest_of_modifier(found, rule, known), rule)


def _rest_of_scope(found: re.Match[str], known: frozenset[str]) -> str:
    words = _WORDS.findall(found["what"].lower())
    is_known = bool(words) and all(_stem(word) in known or word in ARTICLES for word in words)
    is_limit = any(found.string[: found.start()].lower().endswith(limiter) for limiter in LIMITERS)
    return found["end"] if is_known and not is_limit and not _KEPT.intersection(words) else found.group()


def _rest_of_modifier(found: re.Match[str], rule: str, known: frozenset[str]) -> str:
    word, following = found["word"].lower(), found["next"].lower()
    *_, before = ("", *found.string[: found.start()].lower().split())
    is_order = not before and word in VERBS and not _IS_STATEMENT.match(rule)
    is_listed = following in _JOINING or before in _JOINING or before.endswith(",")
    return found.group() if _stem(word) not in known or word in _KEPT or is_listed or is_order else ""


@lru_cache(maxsize=4096)
def _stems(text: str) -> frozenset[str]:
    return frozenset(map(_stem, _WORDS.findall(text.lower()))) | frozenset(read_wording(text).heavy)


def _stem(word: str) -> str:
    return plain_stem(stem_of(word))
