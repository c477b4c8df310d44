"""Words that the assistant said before: its answer, or much of it, copied into the person's message. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from memsuggest.transcripts.pastes.line_voices import Stretch, VoicedLine

_WORD = re.compile(r"\w+")
_RUN = 4  # words in a row that are looked up
_LEAST = 5  # words that a line has to have, to be an echo by most of them
_LEAST_SIZE = 18  # characters that a whole line has to have
_MOST = 0.6  # of a line's runs of words
_WHOLE, _WHOLE_LINES = 0.75, 8  # of a message's lines, for the rest to be an echo, too
_SOME = 3  # lines of a message; one or two may name what the assistant offered: "do option 2, the …"
HEARD = 20_000  # characters of the last that was heard that are looked at


def echoes(lines: Sequence[VoicedLine], heard: Sequence[str]) -> tuple[list[Stretch], list[Stretch]]:
    """Find lines that the assistant said before: those that surely were copied, and those that may have been."""
    filled = [line for line in lines if line.text.strip()]
    if len(filled) < _SOME or not any(heard):
        return [], []
    known = _Received(heard)
    found = [(line.start, line.end) for line in filled if known.said(line.text)]
    if len(found) < _SOME:
        return [], found
    if len(filled) >= _WHOLE_LINES and len(found) >= _WHOLE * len(filled):
        return [(filled[0].start, filled[-1].end)], []
    return found, []


class _Received:
    """The assistant's words, for looking up lines and runs of words."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._answers: list[_Answer] = []
        left = HEARD
        for text in reversed(texts):
            if not left:
                break
            near = text[-left:]
            left -= len(near)
            self._answers.append(_answer_of(near))

    def said(self, line: str) -> bool:
        """Tell whether the assistant said this line, or most of its words in a row."""
        words = _WORD.findall(line.casefold())
        folded = " ".join(words)
        if len(folded) >= _LEAST_SIZE and any(folded in answer.lines for answer in self._answers):
            return True
        runs = list(_runs(words))
        heard = sum(any(run in answer.runs for answer in self._answers) for run in runs)
        return len(runs) > _LEAST - _RUN and heard >= _MOST * len(runs)


class _Answer(NamedTuple):
    lines: frozenset[str]
    """Without signs."""
    runs: frozenset[tuple[str, ...]]


@lru_cache(maxsize=16)
def _answer_of(text: str) -> _Answer:
    """Look through an answer; several messages come after the same ones."""
    lines = list(map(_WORD.findall, text.casefold().split("\n")))
    return _Answer(frozenset(map(" ".join, lines)), frozenset(_runs(list(chain.from_iterable(lines)))))


def _runs(words: Sequence[str]) -> Iterable[tuple[str, ...]]:
    return zip(*(words[at:] for at in range(_RUN)), strict=False)
