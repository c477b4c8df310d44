"""Rules clause by clause: what one says first, and what it goes on to say. Pure.

"Use pytest, with fixtures" says "Use pytest" and then more; "Use pytest in CI" does not: it says less.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import islice, takewhile

from memsuggest.memory.duplicates import difference, unmatched
from memsuggest.memory.meaning_words import LIMITERS, ORDERS, RELATORS
from memsuggest.memory.rule_meaning import Wording, read_wording
from memsuggest.memory.stem_groups import group_of, topic_of
from memsuggest.model import normalised
from memsuggest.text.verbs import VERBS

_CLAUSE_END = re.compile(
    r"[,;:.(]\s|\s[-–—(]|\s(?:and|but|because|since|so|including|with|by|using|via|e\.g|und|weil|mit|et|car|avec|y|con|e)\s|$"
)
"""Where a clause may end; what follows adds to it. Not before "in", "for", "when": those narrow what was said."""
_MAIN_END = re.compile(r"[,;:(]\s|\s[-–—(]|\.\s|\s(?:because|since|so that|weil|damit|car|porque)\s|$")
_PART_END = re.compile(
    rf"[.;]\s+|\s[-\u2013\u2014]\s|,\s+(?:and\s+)?(?=(?:no|never|always|do|don't|{'|'.join(sorted(VERBS))})\s)"
    rf"|\s+and\s+(?=(?:never|always|do|don't|{'|'.join(sorted(VERBS))})\s)",
    re.IGNORECASE,
)
"""Where a text ends one rule and begins another: "wrap it in …, and take … from …"."""
_LIMITED = re.compile(rf"(?:{'|'.join(sorted(LIMITERS))})\b", re.IGNORECASE)
_SCOPE = re.compile(
    r"(?:in|for|on|when|whenever|if|unless|from|as|with|during|before|after|within|only|inside|outside|except|where"
    r"|für|bei|im|wenn|dans|pour|en|para|si)\b",
    re.IGNORECASE,
)
"""How a clause begins that only says where the next one holds."""
_WITHOUT = re.compile(
    r"(?:please\s+)?(?:do\s+not|don['’]t|never|no)\s+(?P<what>[^,;:.]{2,120}?)\s+without\s+"
    r"(?:first\s+)?(?P<verb>[a-z]{2,20}ing)\b(?P<rest>[^,;:.]{0,80})[.!]?",
    re.IGNORECASE,
)
_MEANS = re.compile(
    r"(?:an?\s+|the\s+)?[\"“'`]?(?P<name>[^\"”'`]{2,60}?)[\"”'`]?\s+means\s+(?P<what>.{2,400})", re.IGNORECASE
)
_LACKS = re.compile(r"\b(?:missing|lack(?:s|ing)?|fehlt|fehlen|manque|falta)\b", re.IGNORECASE)
LONGEST = 600
"""Characters of a text that are looked at."""
_MOST = 12
"""Clauses of it."""
_NEAR = 3
"""Words that a word such as "before" leads to."""
_FEW = 3
"""Words of weight of a rule up to which their order says what is meant."""


@lru_cache(maxsize=4096)
def clauses(text: str) -> tuple[str, ...]:
    """Return the beginnings of a text that end with a clause, the shortest first; a few, and none of an essay's."""
    ends = (match.start() for match in _CLAUSE_END.finditer(text[:LONGEST]))
    return tuple(text[:end] for end in islice(ends, _MOST) if end)


def parts_of(text: str) -> tuple[str, ...]:
    """Return what a text says one after the other, each part a rule by itself; the whole where it cannot be parted.

    >>> parts_of("Deprecate symbols first, never remove them at once")
    ('Deprecate symbols first', 'never remove them at once')
    """
    found = [part.strip(" .,;:") for part in _PART_END.split(text[:LONGEST])]
    is_parted = all(len(read_wording(part).terms) > 1 and read_wording(part).heavy for part in found)
    is_bound = any(_SCOPE.match(part) or _LIMITED.match(part) for part in found)
    return tuple(found) if is_parted and not is_bound else (text,)


def main_clause(text: str) -> str:
    """Return what a text says first, without reasons and remarks; all of it where it begins with a scope."""
    if _SCOPE.match(text):
        return text
    ends = (match.start() for match in _MAIN_END.finditer(text[:LONGEST]))
    return next((text[:end] for end in islice(ends, _MOST) if read_wording(text[:end]).heavy), text)


def goes_on(text: str, rule: str) -> bool:
    """Tell whether a text begins by saying what a rule says, no more and no less, and then goes on."""
    said, whole = read_wording(rule), read_wording(text)
    # Quickly told for nearly all texts: one that lacks a word of the rule cannot begin with it.
    if not said.heavy or not said.heavy.issubset((*whole.stems, *whole.refused)):
        return False
    for part in clauses(text):
        if read_wording(part).heavy == said.heavy and read_wording(text[len(part) :]).heavy:
            return difference(part, rule) is None and (_is_plain(said) or normalised(part) == normalised(rule))
    return False


def covers(text: str, rule: str) -> bool:
    """Tell whether a text leaves out no word of weight of a rule that is like it: what is left out would be lost."""
    left, _ = unmatched(read_wording(rule).terms, read_wording(text).terms)
    return not any(term.weight >= 1 for term in left)


def _is_plain(wording: Wording) -> bool:
    """Tell whether a rule has words enough to be known by: "Log with care" does not say "Use the logger"."""
    return len(wording.heavy) > 1 or any(term.is_name for term in wording.terms)


def is_by_chance(text: str, rule: str) -> bool:
    """Tell whether a text holds a rule's words and may well speak of something else.

    A question says nothing; "spaces" are those of an indent only beside another word of it; before is not after.
    """
    whole, part = read_wording(text), read_wording(rule)
    if text.endswith("?") or _LACKS.search(text) or _goes_elsewhere(whole, part):
        return True
    groups = {group_of(term.stem) for term in part.terms if term.weight >= 1 and not term.is_name}
    if None in groups or len(groups) != 1 or whole.heavy == part.heavy:
        return False
    others = (whole.heavy - part.heavy) | whole.refused
    stems = {term.stem for term in whole.terms}
    return not any(
        topic_of(group) & stems or any(group_of(one) == group for one in others) for group in groups if group
    )


def _goes_elsewhere(whole: Wording, part: Wording) -> bool:
    """Tell whether a small word such as "before" or "to" leads to other words in one than in the other."""
    there = _led_to(whole)
    return any(stem not in there[word] for word, stem in part.relations if word in there)


def _led_to(wording: Wording) -> dict[str, set[str]]:
    """Map each word such as "before" or "to" to the next words of weight: one may come between, "a new endpoint"."""
    found: dict[str, set[str]] = {}
    for place, term in enumerate(wording.terms):
        word = term.stem if term.stem in ORDERS else term.after
        if word in RELATORS:
            rest = wording.terms[place + (term.stem in ORDERS) :]
            near = (*rest[:1], *takewhile(lambda one: one.after not in RELATORS, rest[1:_NEAR]))
            found.setdefault(word, set()).update(one.stem for one in near)
    return found


def keeps_order(text: str, rule: str) -> bool:
    """Tell if the few words of a rule stand in a text in their order: "merge commits" is no "commits … merging"."""
    wanted, there = (
        [stem for stem in read_wording(rule).stems if stem in read_wording(rule).heavy],
        iter(read_wording(text).stems),
    )
    return len(wanted) > _FEW or all(stem in there for stem in wanted)


def put_otherwise(rule: str) -> str | None:
    """Return a rule in another form that says the same; None where there is none.

    "Never delete a file without asking": "asking before you delete a file". "A lot means ten boxes": "lot: ten boxes".
    """
    if named := _MEANS.fullmatch(rule.strip()):
        return f"{named['name']}: {named['what']}"
    found = _WITHOUT.fullmatch(rule.strip())
    if found is None:
        return None
    return f"{found['verb']}{found['rest']} before you {found['what']}"
