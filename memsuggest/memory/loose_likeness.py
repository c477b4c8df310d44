"""Facts that may say the same, or replace each other, though they hardly share a word: worth a person's look. Pure.

Only what speaks for it counts (a shared word of weight, another language, alternatives of one thing), and nothing may
speak against it: other numbers, names, limits or signs. Code is never sure here.
"""

from __future__ import annotations

from memsuggest.memory.duplicates import similarity
from memsuggest.memory.merged_wording import LIKE, OTHER_SUBJECT, difference_between
from memsuggest.memory.rule_meaning import read_wording
from memsuggest.memory.stem_groups import group_of
from memsuggest.text.german import in_english, is_german
from memsuggest.text.words import main_language


def details_of(rule: str) -> set[str]:
    """Return what no other wording of a rule leaves out: numbers, names, limits."""
    wording = read_wording(rule)
    return {term.stem for term in wording.terms if term.is_number or term.is_name} | set(wording.limiters)


def is_loose(one: str, other: str) -> bool:
    """Tell whether two rules share too little for code to compare them."""
    return similarity(one, other) < LIKE


def how_same(one: str, other: str) -> str:
    """Say in which way two rules that share little may say the same; nothing where little speaks for it."""
    languages = _language_of(one), _language_of(other)
    first, second = (in_english(text) if is_german(text) else text for text in (one, other))
    if difference_between(first, second) not in (None, OTHER_SUBJECT) or details_of(first) != details_of(second):
        return ""
    if languages[0] != languages[1]:
        return "may say in another language the same as"
    is_same_subject = bool(read_wording(first).heavy & read_wording(second).heavy)
    return "may say in other words the same as" if is_same_subject and not _chosen_apart(first, second) else ""


def may_replace(new: str, old: str) -> bool:
    """Tell whether a rule may have taken the place of one that shares little with it: it chose another alternative."""
    return bool(read_wording(new).heavy & read_wording(old).heavy) or _chosen_apart(new, old)


def _language_of(rule: str) -> str:
    return "de" if is_german(rule) else main_language([rule])


def _chosen_apart(one: str, other: str) -> bool:
    """Tell whether they choose different alternatives of one thing: pnpm, bun."""
    first, second = _choices(one), _choices(other)
    return any(first[group] != second[group] for group in first.keys() & second.keys())


def _choices(rule: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for stem in read_wording(rule).heavy:
        if group := group_of(stem):
            found.setdefault(group, set()).add(stem)
    return found
