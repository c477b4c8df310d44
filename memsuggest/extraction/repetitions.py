"""Repetitions: in how many turns of a session the person said the same, typing errors aside."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from rapidfuzz import fuzz

from memsuggest.extraction.language.trade import content_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memsuggest.extraction.remarks import Remark

_SAME = 82  # of 100: from here on two statements say the same
_WORDS = 4  # a shorter statement is no rule that one repeats
_RESENT = 40  # characters at the start of a turn by which it is known as sent again
_COMMON = 60  # statements; a word in more of them says nothing about which are alike


def with_repetitions(remarks: Sequence[Remark]) -> list[Remark]:
    """Count for every remark in how many turns it was said; a turn that was merely sent again does not count."""
    openings = [remark.turn.typed[:_RESENT] for remark in remarks]
    texts = [remark.core if len(remark.words) >= _WORDS else "" for remark in remarks]
    by_word = _by_word(texts)
    told = [
        len({openings[position], *(openings[other] for other in _alike(position, texts, by_word))})
        for position in range(len(remarks))
    ]
    return [replace(remark, told=count) for remark, count in zip(remarks, told, strict=True)]


def _by_word(texts: Sequence[str]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = defaultdict(list)
    for position, text in enumerate(texts):
        for word in content_words(text):
            found[word].append(position)
    return {word: positions for word, positions in found.items() if 1 < len(positions) <= _COMMON}


def _alike(position: int, texts: Sequence[str], by_word: dict[str, list[int]]) -> set[int]:
    """The other statements that say the same: such as share a telling word and most letters."""
    text = texts[position]
    others = {other for word in content_words(text) for other in by_word.get(word, ())} - {position}
    return {
        other
        for other in others
        if abs(len(texts[other]) - len(text)) <= len(text) // 2
        and fuzz.ratio(text, texts[other], score_cutoff=_SAME) > 0
    }
