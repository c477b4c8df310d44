"""Whether what the person says now ends what they said before: another value for the same thing, or no longer that.

Pure. `claims` knows what rules fix, `contradictions` what cannot both hold; here is decided when the newer one simply
replaces the older, so that nobody has to be asked.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from memsuggest.memory import vocabulary
from memsuggest.memory.claims import claims_of, is_same_thing
from memsuggest.memory.contradictions import is_update_of
from memsuggest.memory.marks import no_longer
from memsuggest.memory.stems import stem_of
from memsuggest.memory.wording import Wording, read_wording

if TYPE_CHECKING:
    from memsuggest.memory.claims import Claim

_ENDS = re.compile(
    r"\b(?:no need (?:to|for)|no more\b|leav(?:e|ing)\b.{1,40}\bout|(?:can|may) go\b|(?:have|'ve) stopped \w+ing"
    r"|(?:no longer|not|n't|never) (?:\w+ ){0,2}(?:need\w*|have to|required|necessary|mandatory)"
    r"|no longer"
    r"|any ?more\b|can (?:now |also )?(?:stop|skip|drop|omit|leave out|forget)|stop \w+ing|(?:is"
    r"|are) (?:now )?(?:history"
    r"|gone|optional|obsolete|out|off the table)|(?:drop|dropped|dropping|forget|scrap|scratch|undo|ditch|lose|lift"
    r"|remove"
    r"|abandon|retire)(?:ed|ped|ping|ing)? (?:about )?(?:the|that|those|our|all|it)|rid of|needn't)\b",
    re.IGNORECASE,
)
"""What ends a demand."""
_ALLOWS = re.compile(
    r"\b(?:you may|you can (?:now|again)|feel free|(?:is|are) (?:perfectly |totally |now )?(?:fine|ok|okay|allowed"
    r"|welcome"
    r"|acceptable)(?: again| now)?|may \w+ .{0,60}\bagain|(?:lifted|dropped) the (?:ban|rule))\b",
    re.IGNORECASE,
)
"""What ends a prohibition."""
_DIGITS = re.compile(r"\d{1,9}")
_CUES = frozenset(
    stem_of(word)
    for word in (  # noqa: SIM905  (words read better in a line)
        "history forget stop drop dropped need require required necessary mandatory fine okay ok again gone optional"
        " obsolete scrap scratch undo rid anymore skip leave omit write writing include including thing rule convention"
        " longer free feel welcome allowed decide decided agree agreed may now own new put place front ban lift lifted"
        " remove off table ditch lose abandon retire always everyone everybody start starting today one"
        " more worry bother matter care apply use"
    ).split()
)
_DROPPED = re.compile(
    r"\b(?:drop(?:ping|ped)?|ditch(?:ing|ed)?|replac(?:e|ing|ed)|retir(?:e|ing|ed)"
    r"|(?:switch|mov|migrat)\w{1,3} (?:away )?from)"
    r" (\w[\w-]*)"
)
"""What is given up by name: "we're dropping X in favour of Y"."""
_PASSED_OVER = re.compile(r"\b(?:rather than|instead of|in place of) (?:an? |the )?(\w[\w-]*)")
_DROPPED_BY = {"has prefix": ("start",), "has suffix": ("end",)}
"""What a rule fixes that is dropped under another name."""
_COVERED = 0.75
"""The share of what an end names that the ended rule must say."""


def replaces(new: str, old: str, *, is_change: bool) -> bool:
    """Whether a rule ends an older one of the same person; `is_change` when they said that something changes."""
    if _are_of_a_series(new, old) or _fix_other_things(new, old):
        return False
    if is_end(new):
        return _is_ended_by(old, new) or _does_without(new, old) or (is_change and is_update_of(new, old))
    if fixes_otherwise(new, old, loosely=is_change) or _takes_the_place_of(new, old):
        return True
    return is_change and (_names_as_gone(new, old) or is_update_of(new, old))


def _fix_other_things(a: str, b: str) -> bool:
    """Whether both fix something, of parts of code or in aspects that have nothing in common."""
    one, other = claims_of(a), claims_of(b)
    if not one or not other or not all(claim.subject for claim in (*one, *other)):
        return False
    if {claim.subject for claim in one}.isdisjoint(claim.subject for claim in other):
        return True
    first, second = ({name for claim in claims for name in _aspects(claim)} for claims in (one, other))
    return not first & second


def _aspects(claim: Claim) -> tuple[str, ...]:
    return (claim.aspect, *_DROPPED_BY.get(claim.aspect, ()))


def _are_of_a_series(a: str, b: str) -> bool:
    """Whether two rules are about two of many: each says its own number again, "part 3 goes to src/part3.py"."""
    first, second = (Counter(_DIGITS.findall(text)) for text in (a, b))
    own = [{number for number, times in one.items() if times > 1} for one in (first - second, second - first)]
    return all(own) and not own[0] & own[1]


def fixes_otherwise(new: str, old: str, *, loosely: bool = False) -> bool:
    """Whether both fix the same thing, to different values; a value that both name is no difference."""
    values = {claim.value for claim in claims_of(new)}
    return any(
        is_same_thing(one, other, loosely=loosely) and one.value != other.value and other.value not in values
        for one in claims_of(new)
        for other in claims_of(old)
        if not is_end(old)
    )


def _takes_the_place_of(new: str, old: str) -> bool:
    """Whether a value of the old rule is named as gone beside another one for the same: "`a_` is out, `b_` is in"."""
    gone = no_longer(new)
    return any(
        other.value in gone and one.value != other.value and one.aspect == other.aspect and _is_same_part(one, other)
        for one in claims_of(new)
        for other in claims_of(old)
    )


def _does_without(new: str, old: str) -> bool:
    """Whether the old rule asks for what the new one drops: docstrings, the prefix of functions, the value `a_`."""
    dropped = [claim for claim in claims_of(new) if claim.value == "no"]
    gone = no_longer(new)
    return any(
        other.value in gone
        or any(
            other.aspect in _DROPPED_BY.get(one.aspect, (one.aspect,))
            and other.value != "no"
            and _is_same_part(one, other)
            for one in dropped
        )
        for other in claims_of(old)
    )


def _is_same_part(one: Claim, other: Claim) -> bool:
    """Whether two claims may be about the same part of code, one of them perhaps saying less."""
    if one.subject and other.subject and one.subject != other.subject:
        return False
    return one.narrowed <= other.narrowed


def is_end(text: str) -> bool:
    """Whether a rule only says that something is no longer asked for, or no longer forbidden."""
    gone = no_longer(text)
    stated = {claim.value for claim in claims_of(text)} - gone
    is_ending = bool(_ENDS.search(text) or _ALLOWS.search(text))
    return (is_ending and not (stated and gone)) or bool(gone and not stated)


def _is_ended_by(old: str, end: str) -> bool:
    """Whether an old rule is the one that an end names."""
    named, ruled = _named_by(end), read_wording(old)
    said = ruled.asserted | ruled.negated
    if not named or is_end(old):
        return False
    shared = {stem for stem in named if stem in said}
    if len(shared) < _COVERED * len(named):
        return False
    if _ALLOWS.search(end) and not _ENDS.search(end):
        return bool(ruled.negations or ruled.negated or _limits(ruled))
    return bool(shared & ruled.asserted) or not shared


def _named_by(end: str) -> frozenset[str]:
    """Return the stems of what an end is about: its clause without the words that make it an end."""
    clause = re.split(r"[,;:]\s(?!please|so )", end)[0]
    clause = clause if len(_stems(clause)) else end
    return _stems(clause)


def _stems(clause: str) -> frozenset[str]:
    found = read_wording(clause)
    return frozenset(
        term.stem for term in found.terms if term.weight >= 1 and term.stem not in _CUES | vocabulary.ORDERS
    )


def _limits(ruled: Wording) -> bool:
    return bool(ruled.limiters) or any(term.is_number for term in ruled.terms)


def _names_as_gone(new: str, old: str) -> bool:
    """Whether the new rule names something as not taken any more that the old one asks for."""
    first, second = read_wording(new), read_wording(old)
    gone = no_longer(new) | first.refused | {term.stem for term in first.terms if term.is_name and term.is_negated}
    asked = {claim.value for claim in claims_of(old)} | {
        term.stem for term in second.terms if term.is_name and not term.is_negated
    }
    if gone & asked and not gone & first.asserted:
        return True
    dropped, passed_over = (_named_in(new, words) for words in (_DROPPED, _PASSED_OVER))
    chosen = {term.stem for term in second.terms if term.is_name and not term.is_negated}
    chosen |= set(next(((term.stem,) for term in second.terms if term.weight >= 1 and not term.is_negated), ()))
    if passed_over & chosen - first.asserted:
        return True
    is_about_both = bool((first.heavy & second.heavy) - passed_over)
    return bool(dropped & second.asserted) or (is_about_both and bool(passed_over & second.asserted))


def _named_in(text: str, words: re.Pattern[str]) -> set[str]:
    """Return the words that a pattern names, as they are and as stems."""
    named = words.findall(text.lower())
    return {*named, *map(stem_of, named)}
