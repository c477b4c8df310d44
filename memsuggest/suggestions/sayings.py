"""What the customization files say already, line by line, ready to be asked about a rule. Pure.

A saying is a list item, a paragraph, or a sentence of one; what stands in a list of things *not* to do says the
opposite of its words, and what only shows how something looks says nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from memsuggest.customizations.block import Block, BlockKind
from memsuggest.customizations.sections import Layout, layout
from memsuggest.memory.duplicates import DEFAULT_SIMILARITY, difference, is_said_by, similarity
from memsuggest.memory.vocabulary import EMPTY
from memsuggest.memory.wording import read_wording, stem_of
from memsuggest.model import TargetType, normalised
from memsuggest.suggestions.inert import pieces
from memsuggest.suggestions.labels import is_about_examples, is_about_wrong, is_example_tag
from memsuggest.suggestions.siblings import label_above, open_tags
from memsuggest.suggestions.style import lead_in_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from memsuggest.model import Target

LIKE = 0.3
"""Similarity from which a line is worth a closer look."""
FULL = {0: 2.0, 1: 0.7, 2: 0.6, 3: 0.45}
"""Similarity from which a line that holds all of a rule's words says it, by how many words of weight the rule has."""
LONGEST = 600
"""Characters of a text that are compared as one; a longer one is an essay, and its sentences are looked at."""
_SENTENCES = 8
"""Sentences of a text that are looked at."""
_BETWEEN_SENTENCES = re.compile(r"(?<=[.!?])\s+(?=[^a-z\s])|(?<=[。！？])")
_LINK = re.compile(r"\[([^\[\]\n]{1,300})\]\([^()\s]{0,500}\)")
_MARKUP = re.compile(r"\*\*|(?<!\w)__(?=\w)|(?<=\w)__(?!\w)|~~|\\(?=[<>#*_\[\]+.|~`-])|<br ?/?>")
_SIGN = re.compile(r"^[\s✅✓✔❌🚫⛔✗✘⚠️❗📌👉]+")
_WORD = re.compile(r"[^\W_]\w+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Saying:
    """A line or sentence of a customization file."""

    uri: str
    line: int
    """From 1."""
    text: str
    """What it says, without marks; with "never" before it where its list is of things not to do."""
    raw: str
    """Its words in the file, on one line: an item's or paragraph's own, or one sentence of them."""
    block: Block
    lines: str
    """The lines of the file that hold the item or paragraph, as they are."""
    is_replaceable: bool
    """Whether the words may give way to others: not in a generated region, not part of a table or heading."""


def sayings_of(target: Target) -> list[Saying]:
    """Return what a file says: items, paragraphs and quotes, whole and by sentences; headings; table rows."""
    if target.type is TargetType.HOOK:
        return []
    found = layout(target.text)
    tags = open_tags(found.blocks)
    heading = ""
    sayings: list[Saying] = []
    for place, block in enumerate(found.blocks):
        if block.kind is BlockKind.HEADING:
            heading = block.text
        label = _label(found, place)
        if is_about_examples(heading) or is_about_examples(label) or any(map(is_example_tag, tags[block.start])):
            continue
        is_wrong = is_about_wrong(heading) or is_about_wrong(label)
        sayings += _in_block(target, found, block, is_wrong=is_wrong and block.kind is BlockKind.ITEM)
    return sayings


def _label(found: Layout, place: int) -> str:
    """Return what announces a block: the item that it is nested in, or the paragraph above its list."""
    block = found.blocks[place]
    if block.parent is not None:
        return found.blocks[block.parent].text[:80]
    first = place
    while first and found.blocks[first - 1].kind is BlockKind.ITEM and found.blocks[first - 1].group == block.group:
        first -= 1
    return label_above(found.blocks, first)


def _in_block(target: Target, found: Layout, block: Block, *, is_wrong: bool) -> Iterator[Saying]:
    lines = found.lines[block.start : block.end]
    is_text = block.kind in (BlockKind.ITEM, BlockKind.PARAGRAPH)
    for raw, part in _parts(block, lines):
        text = plain(part)
        if any(char.isalnum() for char in text):
            is_refusal = is_wrong or (_SIGN.match(raw) is not None and is_about_wrong(raw[:2]))
            yield Saying(
                uri=target.uri,
                line=block.start + 1,
                text=f"never {text}" if is_refusal and not read_wording(text).negations else text,
                raw=raw,
                block=block,
                lines="".join(lines),
                is_replaceable=is_text and raw == part and not (is_refusal or block.is_generated or raw.endswith(":")),
            )


def _parts(block: Block, lines: Sequence[str]) -> list[tuple[str, str]]:
    """Return the stretches of a block that say something, and of each what it says: whole, sentences, clauses."""
    if block.kind is BlockKind.TABLE:
        rows = [" ".join(row.strip(" |\r\n").split("|")) for row in (lines[0], *lines[2:])]
        return [(row, row) for row in rows]
    if block.kind is BlockKind.QUOTE:
        text = " ".join(line.strip().lstrip(">").strip() for line in lines)
    elif block.kind in (BlockKind.ITEM, BlockKind.PARAGRAPH, BlockKind.HEADING):
        text = block.text
    else:
        return []
    sentences = [part.strip() for part in _BETWEEN_SENTENCES.split(text)][:_SENTENCES]
    whole = [text] if len(text) <= LONGEST else []
    return [(part, part) for part in dict.fromkeys([*whole, *sentences])] + [
        (sentence, clause) for sentence in sentences for clause in sentence.split("; ") if clause != sentence
    ]


@lru_cache(maxsize=1024)
def plain(raw: str) -> str:
    """Return words without their markup: emphasis, link targets, escapes, signs."""
    text = _LINK.sub(r"\1", _SIGN.sub("", raw))
    return "".join(part if is_code else _MARKUP.sub("", part) for part, is_code in pieces(text)).strip()


class Sayings:
    """All that some files say."""

    def __init__(self, targets: Sequence[Target]) -> None:
        self._all: list[Saying] = []
        self._texts: list[str] = []
        self._sizes: list[int] = []
        self._by_stem: dict[str, list[int]] = {}
        for target in targets:
            for saying in sayings_of(target):
                self._add(saying, saying.text)
                lead_in = lead_in_of(saying.raw)
                if lead_in and saying.text.endswith(rest := plain(saying.raw[len(lead_in) :])):
                    self._add(saying, rest)

    def _add(self, saying: Saying, text: str) -> None:
        stems = _stems(text)
        for stem in stems:
            self._by_stem.setdefault(stem, []).append(len(self._all))
        self._all.append(saying)
        self._texts.append(text)
        self._sizes.append(len(stems))

    def like(self, content: str) -> list[tuple[float, Saying, str]]:
        """Return what is worth comparing with a rule, the most alike first: similarity, saying, what it says."""
        rule = plain(content)
        found = [(similarity(rule, self._texts[place]), place) for place in self._worth_comparing(rule)]
        found.sort(key=lambda one: (-one[0], one[1]))
        return [(score, self._all[place], self._texts[place]) for score, place in found if score >= LIKE]

    def said(self, content: str, *, counts: Callable[[Saying], bool] = lambda saying: True) -> Saying | None:
        """Return where a rule is said already, perhaps in other words, among the sayings that count."""
        rule = plain(content)
        likes = (one for one in self.like(content) if counts(one[1]))
        return next((saying for score, saying, text in likes if _says(saying, text, rule, score=score)), None)

    def _worth_comparing(self, rule: str) -> Iterator[int]:
        """Yield the places of texts that share enough words with a rule; one more may be mistyped."""
        stems = _stems(rule)
        counts = Counter(place for stem in stems for place in self._by_stem.get(stem, ()))
        return (place for place, count in counts.items() if 2 * (count + 1) >= LIKE * (len(stems) + self._sizes[place]))


def _says(saying: Saying, text: str, rule: str, *, score: float) -> bool:
    # Word for word is the same, even where a list turns it round: what was put there is there.
    if normalised(rule) in (normalised(text), normalised(plain(saying.raw))):
        return True
    if text.endswith(":") or saying.block.kind is BlockKind.HEADING:
        return False
    if score >= DEFAULT_SIMILARITY and difference(text, rule) is None:
        return True
    return score >= FULL[min(len(read_wording(rule).heavy), max(FULL))] and is_said_by(text, rule)


def _stems(text: str) -> set[str]:
    return {stem_of(word) for word in _WORD.findall(text.casefold()) if word not in EMPTY}
