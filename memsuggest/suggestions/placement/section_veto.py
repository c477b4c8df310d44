"""The veto against a section that is no place for a rule at all. Pure.

The best section of a file is the best of what there is, which may be nothing: then a rule goes where the file keeps
its rules, or under a heading of its own. A section is a place when it shares a word of weight with the rule, when its
heading is about the same topic, or when rules of all sorts stand there.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from memsuggest.customizations.blocks.block import BlockKind
from memsuggest.memory.rule_meaning import read_wording
from memsuggest.suggestions.placement.headings import near_section, weight_of
from memsuggest.suggestions.placement.labels import is_about_examples, is_about_use, is_explaining, says_when_used
from memsuggest.suggestions.placement.layouts import layout_of
from memsuggest.suggestions.placement.topics import sure_topic

if TYPE_CHECKING:
    from memsuggest.customizations.blocks.sections import Layout
    from memsuggest.model import Section
    from memsuggest.suggestions.ranking.match import Ranked

_NOTHING_BETTER = "no file fits better"
_SHORTEST_NAME = 4  # letters; a shorter one stands in many words
_ENTRY = re.compile(r"[*_]*(?:\[[^\]\n]{1,200}\]\(|`[\w.*/@-]*[./][\w.*/@-]*`|https?://)")
"""How an item begins that is a link, or a file."""


def settled(one: Ranked, content: str) -> Ranked:
    """Return a ranked file with its section, or without one that is no place for the rule."""
    if one.section is None or is_place_for(content, one.section, one.target.text):
        return one
    near = near_section(layout_of(one.target.text), content) or _next_best(one, content)
    clause = re.compile(
        rf"(?:, and )?its section “{re.escape(one.section.heading)}” speaks of (?:“[^”]*”(?:, | and )?)+"
    )
    why = clause.sub("", one.why).removeprefix(", and ")
    return replace(one, section=near, why=why or _NOTHING_BETTER)


def _next_best(one: Ranked, content: str) -> Section | None:
    """Return the best of the other sections that is a place: no heading is made up where one stands that will do."""
    return next((other for other in one.others if is_place_for(content, other, one.target.text)), None)


def is_place_for(content: str, section: Section, text: str) -> bool:
    """Tell whether a rule has its place in a section of a text, as far as words tell."""
    if (
        any(map(is_about_examples, section.path))
        or (any(map(is_about_use, section.path)) and not says_when_used(content))
        or _only_explains(section, content)
        or _is_an_index(section, text, content)
    ):
        return False
    if not section.heading or weight_of(section.heading) > 0 or _is_about(content, section):
        return True
    return _shares_a_word(content, section, layout_of(text)) or _shares_a_name(content, section, layout_of(text))


def _shares_a_word(content: str, section: Section, found: Layout) -> bool:
    """Tell whether a section says a word of weight of a rule in its headings or text; of tables only names count."""
    heavy = read_wording(content).heavy
    words = (*section.path, *(block.text for block in found.within(section)))
    return any(not heavy.isdisjoint(read_wording(some).heavy) for some in words)


def _shares_a_name(content: str, section: Section, found: Layout) -> bool:
    """Tell if a section holds a name that a rule speaks of, in code and tables, too: `sum.of` where `sum.ofAll` is."""
    names = [term.stem.strip("()[]{}") for term in read_wording(content).terms if term.is_name]
    lines = "".join(found.lines[section.start : section.end]).casefold()
    return any(len(name) >= _SHORTEST_NAME and name in lines for name in names)


def _only_explains(section: Section, content: str) -> bool:
    """Tell whether a heading announces how something is, and nothing of the rule: "What it checks"."""
    return is_explaining(section.heading) and not _is_about(content, section)


def _is_an_index(section: Section, text: str, content: str) -> bool:
    """Tell whether a section only lists links or files, and a rule does not begin as one of those does."""
    items = [
        block.text for block in layout_of(text).within(section) if block.kind is BlockKind.ITEM and not block.level
    ]
    entries = sum(_ENTRY.match(item) is not None for item in items)
    return len(items) > 1 and 3 * entries > 2 * len(items) and _ENTRY.match(content) is None


def _is_about(content: str, section: Section) -> bool:
    """Tell whether a heading names what a rule is about: by a word of it, or by its topic."""
    heading = " ".join(section.path[-2:])
    if read_wording(content).heavy & read_wording(heading).heavy:
        return True
    topic = sure_topic(content)
    return topic is not None and topic == sure_topic(section.heading)
