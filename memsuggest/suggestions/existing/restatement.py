"""Restatement of a rule by a line, in its own words or in others. Pure.

Strict where it matters: what is taken for said is never shown again. Sign, limits, numbers, names and directions must
agree, no word of weight of the rule may be missing, and what the line says besides may not narrow it much.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.memory.duplicates import DEFAULT_SIMILARITY, difference, is_about_a_kind, is_said_by, similarity_of
from memsuggest.memory.rule_meaning import read_wording
from memsuggest.suggestions.existing.clauses import covers, goes_on, is_by_chance, keeps_order, parts_of
from memsuggest.suggestions.existing.conditions import is_wider
from memsuggest.suggestions.existing.line_context import without_context
from memsuggest.suggestions.existing.paraphrases import in_plain_words
from memsuggest.suggestions.existing.rewordings import (
    beginnings,
    scope_last,
    spelled_like,
    with_code_of,
    without_brackets,
    without_others,
    wordings_of,
)
from memsuggest.suggestions.existing.swaps import says_otherwise
from memsuggest.text.german import in_english, is_german

if TYPE_CHECKING:
    from collections.abc import Iterator

FULL = {0: 2.0, 1: 0.7, 2: 0.7, 3: 0.65}
"""Similarity from which a line that holds all of a rule's words says it, by how many words of weight the rule has."""
_LEAST_SHARED = 0.5
"""Share of a rule's words of weight that a line must hold as they are, before other wordings are tried."""


def says(text: str, rule: str, *, context: str = "") -> bool:
    """Tell whether a line says a rule: all of it, and nothing that makes the rule hold for less.

    `context` is what the line's file and headings say: words of the rule that the line need not repeat.
    """
    rule = with_code_of(rule, text)
    if text.endswith(":") or is_wider(text, rule):
        return False  # a line for certain cases does not say a rule for all
    if says_otherwise(text, rule):
        return False
    return _is_said(text, rule) or _is_said_in_plain_words(text, rule, context)


def _is_said(text: str, rule: str) -> bool:
    return _says_as_it_is(text, rule) or any(
        _says_as_it_is(part, wording, is_ordered=is_ordered) for part, wording, is_ordered in _otherwise(text, rule)
    )


def _is_said_in_plain_words(text: str, rule: str, context: str) -> bool:
    """Tell whether a line says a rule when both are put plainly, or each part of the rule in some part of it."""
    wordings = [rule, *([in_english(rule)] if is_german(rule) and not is_german(text) else [])]
    line = in_plain_words(text)
    for wording in wordings:
        plain = with_code_of(without_context(in_plain_words(wording), line, in_plain_words(context)), line)
        if (line, plain) != (text, rule) and _is_said(line, plain) and not is_wider(line, plain):
            return True
        parts = parts_of(plain)
        if len(parts) > 1 and all(any(_is_said(one, part) for one in (line, *parts_of(line))) for part in parts):
            return True
    return False


def _otherwise(text: str, rule: str) -> Iterator[tuple[str, str, bool]]:
    """Yield the parts of a line and the wordings of a rule that are worth comparing; and whether order counts."""
    is_translated = is_german(rule) and not is_german(text)
    for wording in wordings_of(rule):
        spelled = spelled_like(wording, text)
        if goes_on(spelled, text) or not _is_close(text, spelled):
            continue  # what it goes on to say would be lost
        for part in dict.fromkeys((text, *scope_last(text), *beginnings(text), without_brackets(text))):
            alone = without_others(part, spelled)
            for one in dict.fromkeys((part, alone)):
                if (one, spelled) != (text, rule):
                    yield one, spelled, not is_translated


def _is_close(text: str, rule: str) -> bool:
    wanted, there = read_wording(rule).heavy, read_wording(text)
    return bool(wanted) and len(wanted & {*there.stems, *there.refused}) >= _LEAST_SHARED * len(wanted)


def _says_as_it_is(text: str, rule: str, *, is_ordered: bool = True) -> bool:
    if goes_on(rule, text) or is_by_chance(text, rule) or is_about_a_kind(text, rule):
        return False  # what it goes on to say would be lost: a reason, something more
    similarity = similarity_of(read_wording(rule), read_wording(text))
    if similarity >= DEFAULT_SIMILARITY and difference(text, rule) is None:
        return covers(text, rule)
    if goes_on(text, rule) or _has_same_words(text, rule):
        return True
    heavy = [term for term in read_wording(rule).terms if term.weight >= 1]
    if len(heavy) == 1 and not heavy[0].is_name:
        return False  # "Use the logger": any line that logs has that word
    least = FULL[min(len(heavy), max(FULL))]
    return similarity >= least and is_said_by(text, rule) and (not is_ordered or keeps_order(text, rule))


def _has_same_words(text: str, rule: str) -> bool:
    """Tell whether two texts forbid the same with the same words, of which small ones end the reach of "never" early.

    "Never swap the source for a preview" says what "Never swap the source to a preview" says.
    """
    here, there = read_wording(text), read_wording(rule)
    if here.heavy != there.heavy or len(here.heavy) <= 2 or here.limiters != there.limiters:
        return False
    if here.orders != there.orders or not (here.negations == there.negations == 1) or here.contrasts or there.contrasts:
        return False
    ends = [(side.terms[0], side.terms[-1]) for side in (here, there)]
    is_order = all(first.is_negated and first.stem == ends[0][0].stem for first, _ in ends)
    return is_order and ends[0][1].stem == ends[1][1].stem and set(here.stems) == set(there.stems)
