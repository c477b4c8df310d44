"""How hard to merge: replace the words that a rule corrects or completes, or leave it to be added. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memsuggest.customizations.block import BlockKind
from memsuggest.customizations.lines import bare, item_of
from memsuggest.memory.contradictions import why_contradicting
from memsuggest.memory.duplicates import has_other_sign, is_said_by
from memsuggest.memory.wording import read_wording
from memsuggest.suggestions.inert import one_line
from memsuggest.suggestions.labels import words_of
from memsuggest.suggestions.layouts import layout_of
from memsuggest.suggestions.sayings import Like, Saying, plain
from memsuggest.suggestions.style import NARROWEST, as_item, begin_like, end_like, lead_in_of, line_end, wrap_width

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memsuggest.customizations.sections import Layout
PARTLY = 0.4
"""Similarity from which a line that says a part of the rule is its earlier wording, not a neighbour."""
TURNED = 0.7
"""Similarity from which "never X" is about the X of a line."""
_MODAL = re.compile(
    r"\b(?:must|should|shall|always|never|do\s+not|don't|prefer(?:red)?|avoid|required|forbidden|only|immer|nie|niemals"
    r"|muss|müssen|soll|toujours|jamais|doit|siempre|nunca|debe|sempre|deve)\b",
    re.IGNORECASE,
)
_ORDERS = words_of(
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
_CLAUSE_END = re.compile(r"[,;:.(]\s|\s[-–—(]|\s(?:and|but|because|since|so|including|e\.g|und|weil|et|car|y|e)\s|$")
_SHOWN = 90  # characters of the old words that a reason shows


@dataclass(frozen=True, slots=True, kw_only=True)
class Replacement:
    """Words that give way to a rule, or that it speaks against, and why."""

    saying: Saying
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewritten:
    """A file in which a rule stands in the place of other words."""

    text: str
    content: str
    """The new lines of the item or paragraph."""


def find_contradictions(content: str, likes: Iterable[Like]) -> list[Replacement]:
    """Return the words that cannot hold beside a rule, whether or not they may give way."""
    rule = plain(content)
    found = ((like.saying, why_contradicting(rule, like.text)) for like in likes if _may_contradict(rule, like))
    return [Replacement(saying=saying, why=f"it contradicts {_shown(saying)}: {why}") for saying, why in found if why]


def find_earlier_wording(content: str, likes: Iterable[Like]) -> Replacement | None:
    """Return the words that say a part of a rule, and nothing else."""
    rule = plain(content)
    found = (like.saying for like in likes if like.similarity >= PARTLY and _is_earlier_wording(like.text, rule))
    saying = next(found, None)
    return Replacement(saying=saying, why=f"{_shown(saying)} says only a part of it") if saying else None


def _may_contradict(rule: str, like: Like) -> bool:
    """Whether a text is one to be contradicted: turned round, only an order that is about just the same."""
    if like.text.endswith(":"):
        return False
    if not has_other_sign(read_wording(rule), read_wording(like.text)):
        return True
    first = like.text.split(" ", 1)[0].strip("*_\"'`,").casefold()
    return like.similarity >= TURNED and (first in _ORDERS or _MODAL.search(like.text) is not None)


def _is_earlier_wording(text: str, rule: str) -> bool:
    """Whether a rule says what a text says and then something more; one that says less of the same is another rule."""
    said = read_wording(text)
    if len(said.terms) < 2 or not is_said_by(rule, text) or (len(said.heavy) == 1 and not said.terms[-1].is_name):
        return False
    ends = [match.start() for match in _CLAUSE_END.finditer(rule)]
    return any(read_wording(rule[:end]).heavy == said.heavy for end in ends)


def _shown(saying: Saying) -> str:
    words = saying.raw if len(saying.raw) <= _SHOWN else f"{saying.raw[:_SHOWN].rstrip()} …"
    return f"“{words}” in line {saying.line}"


def rewritten(text: str, rule: str, saying: Saying) -> Rewritten | None:
    """Return the text with a rule in the place of the words: mark, number, box, lead-in and what is nested stay.

    None where the words cannot be told apart from the rest of their item.
    """
    found = layout_of(text)
    block = saying.block
    if saying.lines != "".join(found.lines[block.start : block.end]) or block.text.count(saying.raw) != 1:
        return None
    words = block.text.replace(saying.raw, _worded(rule, saying, found))
    old = found.lines[block.start : block.end]
    rows = _rows(words, old, found, is_item=block.kind is BlockKind.ITEM)
    end = line_end(found.lines)
    last_end = old[-1][len(bare(old[-1])) :]
    new = end.join(rows) + last_end
    return Rewritten(
        text="".join([*found.lines[: block.start], new, *found.lines[block.end :]]),
        content="\n".join(rows),
    )


def _worded(rule: str, saying: Saying, found: Layout) -> str:
    """Return the rule in the manner of the words that it replaces, behind their lead-in."""
    lead_in = lead_in_of(saying.raw)
    old = saying.raw[len(lead_in) :]
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
