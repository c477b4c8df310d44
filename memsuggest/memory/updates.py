"""Statements that end what the person said before, so that nobody has to be asked. Pure.

`contradictions` knows what cannot both hold; here are the ways in which people say that something changes: "no longer",
"we switched from X to Y", "use Y instead of X", another value for what holds so far.
"""

from __future__ import annotations

import re
from collections import Counter

from memsuggest.memory import meaning_words
from memsuggest.memory.contradictions import RULE_LENGTH, is_update_of, why_contradicting
from memsuggest.memory.rule_meaning import Wording, read_wording
from memsuggest.memory.stem_groups import stem_of
from memsuggest.text.words import word_set

_ENDS = re.compile(
    r"""\b(?:
      no\ need\ (?:to|for)
    | no\ longer
    | no\ more
    | any\ ?more
    | needn't
    | (?:not|n't|never)\ (?:\w+\ ){0,2}(?:need\w*|have\ to|required|necessary|mandatory)
    | (?:can|may)\ (?:now\ |also\ )?(?:stop|skip|drop|omit|leave\ out|forget)
    | (?:is|are)\ (?:now\ )?(?:optional|obsolete|history|gone)
    )\b""",
    re.IGNORECASE | re.VERBOSE,
)
"""What ends a demand."""
_ALLOWS = re.compile(
    r"""\b(?:
      you\ (?:may|can)\ (?:now|again)
    | may\ .{1,60}\b(?:again|now)
    | feel\ free
    | (?:is|are)\ (?:perfectly\ |totally\ |now\ )?(?:fine|ok|okay|allowed|welcome|acceptable)
    )\b""",
    re.IGNORECASE | re.VERBOSE,
)
"""What ends a prohibition."""
_GIVEN_UP = re.compile(
    r"""\b(?:
      drop(?:ping|ped)?
    | ditch(?:ing|ed)?
    | replac(?:e|ing|ed)
    | retir(?:e|ing|ed)
    | (?:switch|mov|migrat)\w{1,3}\ (?:away\ )?from
    )\ (\w[\w-]*)""",
    re.VERBOSE,
)
"""What is given up by name: "we're dropping X in favour of Y"."""
_PASSED_OVER = re.compile(r"\b(?:rather than|instead of|in place of) (?:with |to |from |in )?(?:an? |the )?(\w[\w-]*)")
_DIGITS = re.compile(r"\d{1,9}")
_CLAUSE_END = re.compile(r"[,;:]\s(?!please|so )")
_WORDS_OF_ENDS = frozenset(
    stem_of(word)
    for word in word_set(
        "need needed require required necessary mandatory optional obsolete history gone may now again any more"
        " anymore longer fine okay ok free feel welcome allowed acceptable stop skip drop omit leave forget thing"
        " rule convention worry bother matter care always use"
    )
)
"""Stems that say that something ends, not what."""
_COVERED = 0.75
"""The share of what an end names that the ended rule must say."""


def replaces(new: str, old: str, *, is_change: bool) -> bool:
    """Tell whether a rule ends an older one of the same person; `is_change` when they said that something changes."""
    if not may_replace(new, is_change=is_change) or _are_of_a_series(new, old):
        return False
    if _is_end(new):
        return (not _is_end(old) and _is_ended_by(old, new)) or (is_change and why_contradicting(new, old) is not None)
    return _is_given_up(old, new) or is_update_of(new, old)


def may_replace(new: str, *, is_change: bool) -> bool:
    """Tell whether a rule can end any older one at all."""
    return is_change or _is_end(new)


def _are_of_a_series(a: str, b: str) -> bool:
    """Tell whether two rules are about two of many: each says its own number again, "part 3 goes to src/part3.py"."""
    first, second = (Counter(_DIGITS.findall(text)) for text in (a, b))
    own = [{number for number, times in one.items() if times > 1} for one in (first - second, second - first)]
    return all(own) and not own[0] & own[1]


def _is_end(text: str) -> bool:
    """Tell whether a rule only says that something is no longer asked for, or no longer forbidden."""
    is_long = len(read_wording(text).heavy) > RULE_LENGTH
    if is_long or not (_ENDS.search(text) or _ALLOWS.search(text)):
        return False
    names = [term for term in read_wording(text).terms if term.is_name]
    is_exchange = any(name.is_negated for name in names) and not all(name.is_negated for name in names)
    return not is_exchange  # "`a_`, no longer `b_`" asks for something


def _is_ended_by(old: str, end: str) -> bool:
    """Tell whether an old rule is the one that an end names."""
    named, ruled = _named_by(end), read_wording(old)
    shared = named & (ruled.asserted | ruled.negated)
    if not named or len(shared) < _COVERED * len(named):
        return False
    if _ALLOWS.search(end) and not _ENDS.search(end):
        return bool(ruled.negations or ruled.negated or ruled.limiters)
    return bool(shared & ruled.asserted)


def _named_by(end: str) -> frozenset[str]:
    """Return the stems of what an end is about: its first clause, without the words that make it an end."""
    return _subject(read_wording(_CLAUSE_END.split(end)[0])) or _subject(read_wording(end))


def _subject(wording: Wording) -> frozenset[str]:
    said = {term.stem for term in wording.terms if term.weight >= 1 and not term.is_number}
    return frozenset(said - _WORDS_OF_ENDS - meaning_words.ORDERS)


def _is_given_up(old: str, new: str) -> bool:
    """Tell whether the new rule names something as not taken any more that the old one asks for."""
    first, second = read_wording(new), read_wording(old)
    if len(first.heavy) > RULE_LENGTH:
        return False
    names = {term.stem for term in second.terms if term.is_name and not term.is_negated}
    gone = first.refused | {term.stem for term in first.terms if term.is_name and term.is_negated}
    if (gone - first.asserted) & names or _named_in(new, _GIVEN_UP) & second.asserted:
        return True
    passed_over = _named_in(new, _PASSED_OVER) & second.asserted - first.asserted
    return bool(passed_over & names or (passed_over and (first.heavy & second.heavy) - passed_over))


def _named_in(text: str, words: re.Pattern[str]) -> set[str]:
    """Return the words that a pattern names, as they are and as stems."""
    named = words.findall(text.casefold())
    return {*named, *map(stem_of, named)}
