"""Lists of a section: which of them a rule may join, told by what announces them and how they are written. Pure.

A list of examples, or of what not to do, is no place for a plain rule.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from memsuggest.core.model import Kind, Section
from memsuggest.core.text.likeness import negations
from memsuggest.core.text.words import word_set
from memsuggest.customizations.blocks.scan import Block, BlockKind
from memsuggest.customizations.blocks.sections import Layout

_LABEL_LENGTH = 120
"""Characters of a paragraph that announces a list; a longer one says more than that."""
_SHOWN = word_set(
    "example examples e.g beispiel beispiele exemple exemples ejemplo ejemplos exemplo exemplos esempio esempi 例"
)
_SHOWN_IN_TAGS = _SHOWN | word_set("template templates sample samples")
_NO_RULES = _SHOWN | word_set(
    "output format sample samples template templates see also references reference links link files file user assistant"
    " structure layout"
)
_WRONG = word_set(
    "don't donts don'ts never avoid avoided antipattern antipatterns anti-pattern anti-patterns bad wrong incorrect"
    " forbidden prohibited disallowed unacceptable mistakes vermeiden verboten niemals éviter interdit jamais evitar"
    " nunca prohibido proibido 禁止 不要"
)
_SMALL = word_set(
    "for full here's complete this minimal good instance things to what not do you should must the these following"
    " common patterns practices rules in code general ever"
    " we please critical important examples example it anti is are never always usually often of all no - – — & and"
)
_REMEMBERED = 4096  # names
_WRONG_SIGN = re.compile(r"\s*[*_]*[❌🚫⛔✗✘]")
_WORD_OR_SIGN = re.compile(r"[^\s:*_`,!?()❌🚫⛔✗✘]+(?<!\.)")


@lru_cache(maxsize=_REMEMBERED)
def is_about_examples(name: str) -> bool:
    """Tell whether what a heading or lead-in announces only shows how something looks."""
    return _is_bare(name, _SHOWN, _NO_RULES)


def is_example_tag(name: str) -> bool:
    return any(part.rstrip("0123456789") in _SHOWN_IN_TAGS for part in re.split(r"[-_.:]", name.casefold()))


@lru_cache(maxsize=_REMEMBERED)
def is_about_wrong(name: str) -> bool:
    """Tell whether what a heading or lead-in announces is what one should *not* do, and nothing but that."""
    plain = " ".join(_words(name))
    says_so = "do not" in plain or "not to" in plain or "not allowed" in plain
    if _WRONG_SIGN.match(name) is not None and plain.count(" ") <= 1:
        return True
    return _is_bare(name, _WRONG, {"allowed"}) or (says_so and _is_bare(f"{name} never", _WRONG, {"allowed"}))


def _is_bare(name: str, telling: Collection[str], others: Collection[str]) -> bool:
    words = set(_words(name))
    return not words.isdisjoint(telling) and words <= {*telling, *others, *_SMALL}


def _words(name: str) -> list[str]:
    return [word.casefold() for word in _WORD_OR_SIGN.findall(name.replace("’", "'"))]


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemList:
    """Items of one list, in order, and what announces them."""

    items: tuple[Block, ...]
    label: str
    """The words right above: a paragraph, the item that they are nested in; empty where there is none."""
    tags: tuple[str, ...]
    """The names of the tags that they stand in, outermost first."""

    @property
    def is_example(self) -> bool:
        return _is_bare(self.label, _NO_RULES, _NO_RULES) or any(is_example_tag(tag) for tag in self.tags)


def open_tags(blocks: Sequence[Block]) -> dict[int, tuple[str, ...]]:
    """Map each block's first line to the names of the tags around it, outermost first; unclosed tags count for none."""
    closed = closed_tags(blocks)
    stack: list[str] = []
    found: dict[int, tuple[str, ...]] = {}
    for block in blocks:
        if block.kind is BlockKind.TAG and block.start in closed:
            if block.level:
                stack.append(block.text)
            else:
                stack.pop()
        found[block.start] = tuple(stack)
    return found


def closed_tags(blocks: Iterable[Block]) -> dict[int, int]:
    """Map the lines of tags that open and close each other, both ways."""
    stack: list[Block] = []
    pairs: dict[int, int] = {}
    for block in blocks:
        if block.kind is not BlockKind.TAG:
            continue
        if block.level:
            stack.append(block)
        elif any(tag.text == block.text for tag in stack):
            while stack[-1].text != block.text:
                stack.pop()
            opener = stack.pop()
            pairs |= {opener.start: block.start, block.start: opener.start}
    return pairs


def lists_of(found: Layout, section: Section) -> list[ItemList]:
    """Return the lists of a section that may be added to, in order; those nested in items belong to these."""
    tags = open_tags(found.blocks)
    index = {block.start: number for number, block in enumerate(found.blocks)}
    outer: dict[int, list[Block]] = {}
    for block in found.within(section):
        if block.kind is BlockKind.ITEM and not block.is_generated and block.parent is None:
            outer.setdefault(block.group, []).append(block)
    firsts = [(items, items[0].start) for items in outer.values()]
    return [
        ItemList(items=tuple(items), label=label_above(found.blocks, index[start]), tags=tags[start])
        for items, start in firsts
    ]


def label_above(blocks: Sequence[Block], place: int) -> str:
    """Return the words of the paragraph, or of the last line of it, that announces the list at a place.

    The end of another list announces nothing.
    """
    above = blocks[place - 1] if place else None
    is_short = above is not None and above.kind is BlockKind.PARAGRAPH and len(above.text) <= _LABEL_LENGTH
    return above.text if above is not None and is_short and above.parent is None else ""


def by_fitness(lists: Sequence[ItemList], rule: str, *, kind: Kind) -> list[ItemList]:
    """Return the lists that a rule may join, the best first: those of its form, and the last, where people add."""
    is_ban = bool(negations(rule))
    found = [
        item_list
        for item_list in reversed(lists)
        if not item_list.is_example and (is_ban or not is_about_wrong(item_list.label))
    ]
    return sorted(found, key=lambda item_list: (item_list.items[0].number is None) is (kind is Kind.PROCEDURE))
