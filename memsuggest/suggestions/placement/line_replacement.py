"""Replacement of words that a rule corrects or completes, or else none: it is added. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memsuggest.customizations.blocks.block import BlockKind
from memsuggest.customizations.blocks.line_kinds import bare, item_of
from memsuggest.memory.contradictions import why_contradicting
from memsuggest.memory.duplicates import has_other_sign, is_same, similarity
from memsuggest.memory.rule_meaning import read_wording
from memsuggest.model import normalised
from memsuggest.suggestions.existing.clauses import goes_on, main_clause
from memsuggest.suggestions.existing.conditions import why_sharper
from memsuggest.suggestions.existing.rewordings import without_others
from memsuggest.suggestions.existing.rule_lines import ExistingRule, plain_line
from memsuggest.suggestions.placement.content_safety import one_line
from memsuggest.suggestions.placement.layouts import layout_of
from memsuggest.suggestions.placement.line_format import (
    NARROWEST,
    as_item,
    begin_like,
    end_like,
    lead_in_of,
    line_end,
    wrap_width,
)
from memsuggest.text.german import in_english, is_german
from memsuggest.text.words import word_set

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memsuggest.customizations.blocks.sections import Layout
    from memsuggest.suggestions.existing.existing_rules import Like
PARTLY = 0.4
"""Similarity from which a line that says a part of the rule is its earlier wording, not a neighbour."""
TURNED = 0.7
"""Similarity from which "never X" is about the X of a line."""
SURELY_TURNED = 0.9
"""The same, of whatever form the line is: hardly a word is another."""
_MODAL = re.compile(
    r"\b(?:must|should|shall|may|can|always|never|no|do\s+not|don't|prefer(?:red)?|avoid|required|forbidden|only|fine"
    r"|ok(?:ay)?|allowed|permitted|welcome|immer|nie|niemals|kein(?:e[nr]?)?|darf|dürfen"
    r"|muss|müssen|soll|toujours|jamais|doit|siempre|nunca|debe|sempre|deve)\b",
    re.IGNORECASE,
)
_ORDERS = word_set(
    "use keep write put run add apply create follow name call choose set prefer avoid mock stub test commit push"
    " merge squash rebase open close import export throw raise catch return log print format lint build deploy"
    " release install update upgrade pin generate delete remove drop skip ignore include exclude place store save"
    " read load fetch send validate check verify ensure make define declare extend implement inherit wrap split"
    " group sort order indent quote document comment describe explain answer reply start stop finish begin end"
    " enable disable allow deny expose hide cache retry handle pass convert translate render show display show ask"
    " tell mention cite link list order not no wait await block lock share copy move rename replace reuse refactor"
    " inline annotate type cast assert expect"
)
"""Verbs that orders begin with."""
_REPEATED = word_set("run execute call check read see start open install import test build")
"""Verbs of orders that do not exclude each other: one may run this and that."""
_PERMITTED = re.compile(
    r"\s+(?:is|are)\s+(?:now\s+|also\s+)?(?:fine|ok(?:ay)?|welcome|allowed|permitted|required|mandatory)\b",
    re.IGNORECASE,
)
"""What says that something may or must be, and nothing about what it is."""
_TURNED = "one forbids what the other asks for"
_QUOTES = ('"', "“", "'")
_NOUNS = 2
"""Words of weight of a text up to which it may be no sentence but a name: "Feature flags"."""
_GENERIC = word_set("use prefer choos take")
_TAKING = word_set("use prefer take choose")
_CLOSE = 0.6
"""Similarity from which a choice not taken is that of a line."""
_FEW = 3
"""Words of weight in a line that is about what to take."""
_SHOWN = 90  # characters of the old words that a reason shows


@dataclass(frozen=True, slots=True, kw_only=True)
class Replacement:
    """Words that give way to a rule, or that it speaks against, and why."""

    existing_rule: ExistingRule
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewritten:
    """A file in which a rule stands in the place of other words."""

    text: str
    content: str
    """The new lines of the item or paragraph."""


def find_contradictions(content: str, likes: Iterable[Like]) -> list[Replacement]:
    """Return the words that cannot hold beside a rule, whether or not they may give way."""
    rule = plain_line(content)
    # A German rule is compared in English, word by word: what a file says in English it would not meet otherwise.
    wordings = (rule, in_english(rule)) if is_german(rule) else (rule,)
    found = ((like.existing_rule, _first_why(wordings, like)) for like in likes)
    return [
        Replacement(existing_rule=existing_rule, why=f"it contradicts {_shown(existing_rule)}: {why}")
        for existing_rule, why in found
        if why
    ]


def _first_why(wordings: Sequence[str], like: Like) -> str | None:
    """Say why a text, or what it says before it goes on, cannot hold beside one of some wordings of a rule."""
    main = main_clause(like.text)
    parts = (like, like._replace(text=main)) if main != like.text else (like,)
    return next((why for part in parts for one in wordings if (why := _why_against(one, part))), None)


def find_earlier_wording(content: str, likes: Iterable[Like]) -> Replacement | None:
    """Return the words that a rule sharpens: they say a part of it and nothing else, or it for fewer or more things."""
    rule = plain_line(content)
    found = ((like.existing_rule, _why_earlier(like.text, rule)) for like in likes if like.similarity >= PARTLY)
    sharpened = (
        (existing_rule, f"sharpen this line: {_shown(existing_rule)} {why}") for existing_rule, why in found if why
    )
    return next((Replacement(existing_rule=existing_rule, why=why) for existing_rule, why in sharpened), None)


def _why_earlier(text: str, rule: str) -> str | None:
    if _is_earlier_wording(text, rule):
        return "says only a part of it"
    return why_sharper(text, rule)


def _why_against(rule: str, like: Like) -> str | None:
    """Say why a text cannot hold beside a rule: turned round, only an order that is about just the same."""
    if like.text.endswith(":") or like.text[:1] in _QUOTES or like.existing_rule.block.kind is BlockKind.HEADING:
        return None
    if _is_instead(rule, like):
        return "it says to take something else instead"
    old = _PERMITTED.sub("", like.text)
    parts = (_PERMITTED.sub("", part) for part in (main_clause(rule), rule))
    new = next((part for part in parts if has_other_sign(read_wording(part), read_wording(old))), None)
    if new is None:
        is_repeated = _first_word(rule) in _REPEATED and _first_word(rule) == _first_word(like.text)
        return None if is_repeated else why_contradicting(rule, like.text)
    if _is_exception(new, old):
        return None
    if _forbids_deed(new, old):
        return _TURNED
    return why_contradicting(new, old) if _is_turned(new, old, like) else None


def _forbids_deed(new: str, old: str) -> bool:
    """Tell whether one says no more than not to do what the other says to do: "Do not squash"."""
    said, general = read_wording(new), read_wording(old)
    is_bare = len(said.terms) == 1 and said.heavy <= said.negated and not (said.contrasts or general.limiters)
    return is_bare and bool(general.terms) and general.terms[0].stem in said.heavy & general.asserted


def _is_turned(new: str, old: str, like: Like) -> bool:
    """Tell whether two texts that differ in their sign are about just the same."""
    close = max(like.similarity, similarity(new, old))
    is_order = _first_word(like.text) in _ORDERS or _MODAL.search(like.text) is not None
    is_sentence = len(read_wording(old).heavy) > _NOUNS
    return (close >= SURELY_TURNED and is_sentence) or (close >= TURNED and is_order)


def _is_exception(rule: str, text: str) -> bool:
    """Tell whether a rule names something of its own, of which the text does not speak."""
    said, general = read_wording(rule), read_wording(text)
    return not said.heavy <= general.heavy | general.refused | said.refused and general.heavy <= said.heavy


def _is_instead(rule: str, like: Like) -> bool:
    """Tell whether a rule names as not to be taken just what a text says to take."""
    new, old = read_wording(rule), read_wording(like.text)
    given_up = {stem for stem in (new.refused | new.negated) - new.asserted if stem not in _GENERIC}
    taken = [term for term in old.terms if term.weight >= 1 and not term.is_negated]
    is_chosen_otherwise = bool(new.contrasts and given_up & old.heavy & old.asserted & new.heavy) and bool(
        new.heavy & new.asserted & old.asserted
    )
    is_swapped = bool(old.refused & new.asserted & new.heavy) and bool(new.refused & old.asserted)
    is_told_to_take = bool(new.contrasts and taken) and _first_word(like.text) in _TAKING
    is_taken = is_told_to_take and taken[0].stem in given_up and given_up <= old.asserted
    is_close = like.similarity >= _CLOSE and len(taken) <= 2 * _FEW
    return (is_close and (is_swapped or is_chosen_otherwise)) or (is_taken and len(taken) <= _FEW)


def _first_word(text: str) -> str:
    return text.split(" ", 1)[0].strip("*_\"'`,").casefold()


def _is_earlier_wording(text: str, rule: str) -> bool:
    """Tell if a rule says what a text says and then something more; one that says less of the same is another rule."""
    said = read_wording(text)
    is_label = len(said.terms) < 2 or (len(said.heavy) == 1 and not said.terms[-1].is_name)
    is_beginning = f"{normalised(rule)} ".startswith(f"{normalised(text)} ") and text[:1] not in _QUOTES and " " in text
    alone = without_others(rule, text)
    is_among = alone != rule and is_same(alone, text, threshold=SURELY_TURNED)
    return (is_beginning or not is_label) and (goes_on(rule, text) or is_among)


def _shown(existing_rule: ExistingRule) -> str:
    words = existing_rule.raw if len(existing_rule.raw) <= _SHOWN else f"{existing_rule.raw[:_SHOWN].rstrip()} …"
    return f"“{words}” in line {existing_rule.line}"


def rewritten(text: str, rule: str, existing_rule: ExistingRule) -> Rewritten | None:
    """Return the text with a rule in the place of the words: mark, number, box, lead-in and what is nested stay.

    None where the words cannot be told apart from the rest of their item.
    """
    found = layout_of(text)
    block = existing_rule.block
    if existing_rule.lines != "".join(found.lines[block.start : block.end]) or block.text.count(existing_rule.raw) != 1:
        return None
    words = block.text.replace(existing_rule.raw, _worded(rule, existing_rule, found))
    old = found.lines[block.start : block.end]
    rows = _rows(words, old, found, is_item=block.kind is BlockKind.ITEM)
    end = line_end(found.lines)
    last_end = old[-1][len(bare(old[-1])) :]
    new = end.join(rows) + last_end
    return Rewritten(
        text="".join([*found.lines[: block.start], new, *found.lines[block.end :]]),
        content="\n".join(rows),
    )


def _worded(rule: str, existing_rule: ExistingRule, found: Layout) -> str:
    """Return the rule in the manner of the words that it replaces, behind their lead-in."""
    lead_in = lead_in_of(existing_rule.raw)
    old = existing_rule.raw[len(lead_in) :]
    return lead_in + end_like(begin_like(one_line(rule), [old], code="".join(found.lines)), [old])


def _rows(words: str, old: Sequence[str], found: Layout, *, is_item: bool) -> list[str]:
    first = bare(old[0]).rstrip()
    item = item_of(first) if is_item else None
    own = item.text if item else first.strip("\ufeff \t")
    lead = first[: len(first) - len(own)]
    width = wrap_width(found)
    if len(old) > 1 and width is None:
        width = max(NARROWEST, *(len(bare(line)) for line in old))
    return as_item(words, lead=lead, hang=item.content_indent if item else len(lead), width=width)
