"""Conditions of rules: the same words may hold for more than a line says, or for less. Pure.

Only what is sure counts. A rule is wider where it says so itself ("always", "every", "anywhere") and a line says the
same under a condition; it is narrower where it says so itself ("only", "unless"). Whoever leaves a condition out
without such a word may only have been brief.
"""

from __future__ import annotations

import re
from functools import lru_cache

from memsuggest.memory.duplicates import difference
from memsuggest.memory.rule_meaning import read_wording
from memsuggest.text.verbs import VERBS
from memsuggest.text.words import word_set

WIDER, NARROWER = "holds for less than you say", "holds for more than you say"

_ALWAYS = re.compile(r"(?:always|never|under\s+no\s+circumstances)\b\s*", re.IGNORECASE)
_EVERY = re.compile(r"(?:all|every|each)\b\s*(?:of\s+)?(?:the\s+|our\s+)?", re.IGNORECASE)
_EVERYWHERE = re.compile(r",?\s*\b(?:everywhere|anywhere|without\s+exceptions?|no\s+exceptions?)$", re.IGNORECASE)
_CONDITION = re.compile(
    r"""
    \s (?P<tail>
        (?: when | whenever | if | while | during ) \s .+
      | for \s (?P<things> .+ )
      | (?: in | inside | within ) \s (?: the \s | our \s )? (?P<place> .+ )
    )
    """,
    re.IGNORECASE | re.VERBOSE,
)
_LIMIT = r"(?:for|in|inside|within|on|when|whenever|if|while|during|before|after|from|with)\s"
_NARROWED = (
    re.compile(rf"(?P<core>.+?),?\s+only\s+{_LIMIT}.+", re.IGNORECASE),
    re.compile(rf"(?P<core>.+?),?\s+{_LIMIT}.+\s+only", re.IGNORECASE),
    re.compile(rf"only\s+(?P<core>(?!use\b).+?)\s+{_LIMIT}.+", re.IGNORECASE),
    re.compile(r"(?P<core>.+?),?\s+unless\s.+", re.IGNORECASE),
)
_PLACES = word_set(
    "api apis app apps backend client code codebase component components controller controllers core docs documentation"
    " file files folder frontend handler handlers library migration migrations module modules package packages"
    " production repo script scripts server service services test tests view views web"
)
"""What "in" leads to where it says where a rule holds; "in English" and "in one line" say how."""
_PERSONS = re.compile(r"(?:[eo]rs|ees|people|persons|customers|colleagues|newcomers)$", re.IGNORECASE)
"""How those are called for whom something is done: no things that a rule holds for."""
_TOOL = re.compile(r"(?:use|using|take|prefer|choose|pick)\b", re.IGNORECASE)
"""How a rule begins that names a tool: what follows "for" is its purpose."""
_BREAK = re.compile(r"[,;:()]|\.\s|\s[-–—]\s")
LONGEST = 300
"""Characters of a rule or a line that may be one clause and a condition."""
_FEWEST = 2
"""Words of a rule from which it is known again: "always ask" may be about anything."""


@lru_cache(maxsize=4096)
def why_sharper(text: str, rule: str) -> str | None:
    """Say how a rule holds for more, or for less, than a text that says the same; None where that is not sure.

    >>> why_sharper("Write docstrings for public functions", "Always write docstrings")
    'holds for less than you say'
    """
    if is_wider(text, rule):
        return WIDER
    return NARROWER if _is_narrower(text, rule) else None


def is_wider(text: str, rule: str) -> bool:
    """Tell whether a rule says that it holds always, and a text says the same under a condition."""
    if len(text) > LONGEST or len(rule) > LONGEST:
        return False
    said, line = _bare(rule), _bare(text)
    whole = _EVERYWHERE.sub("", said)
    every = _EVERY.match(whole)
    if every and _is_of_some(line, whole[every.end() :]):
        return True
    is_universal = whole != said or _ALWAYS.match(said) is not None
    return is_universal and any(_are_same(core, whole) for core in _unconditional(line))


def _is_narrower(text: str, rule: str) -> bool:
    if len(text) > LONGEST or len(rule) > LONGEST:
        return False
    said, line = _bare(rule), _bare(text)
    found = (one.fullmatch(said) for one in _NARROWED)
    return any(one is not None and _are_same(one["core"], line) for one in found)


def _bare(text: str) -> str:
    return text.strip().rstrip(".!").strip()


def _unconditional(line: str) -> list[str]:
    """Return what a line says before each condition that may end it; none where it goes on to something else."""
    if _BREAK.search(line):
        return []
    starts = [found for at in range(len(line)) if (found := _CONDITION.fullmatch(line, at))]
    return [line[: one.start()] for one in starts if _is_sure(one, line[: one.start()])]


def _is_sure(condition: re.Match[str], core: str) -> bool:
    """Tell whether a phrase surely says where or when a rule holds, and not how, why or for whom."""
    if condition["things"]:
        last = condition["things"].split()[-1].casefold()
        is_plural = last.endswith("s") and not last.endswith("ss")
        return is_plural and not _PERSONS.search(last) and not _TOOL.match(_ALWAYS.sub("", core))
    if condition["place"]:
        last = condition["place"].split()[-1].casefold()
        return last in _PLACES or "/" in last
    return True


def _is_of_some(line: str, rest: str) -> bool:
    """Tell whether a line says of some kind of things what a rule says of all: of public functions, of functions."""
    first, _, after = line.partition(" ")
    if not after or _EVERY.match(line) or _ALWAYS.match(line):
        return False
    is_kind = bool(read_wording(line).heavy - read_wording(after).heavy) and first.casefold() not in VERBS
    return is_kind and _are_same(after, rest)


def _are_same(one: str, other: str) -> bool:
    """Tell whether two wordings have the same words, but for small ones, and mean the same by them."""
    first, second = read_wording(one), read_wording(other)
    is_known = len(first.terms) >= _FEWEST and bool(first.heavy)
    return is_known and set(first.stems) == set(second.stems) and difference(one, other) is None
