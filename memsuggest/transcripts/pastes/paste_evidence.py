"""Evidence by rule in a typed message: what is certainly quoted or pasted, what may be, hints for the line model.

Pure. Each rule owns one kind of evidence and returns stretches; this module asks them all, once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from memsuggest.transcripts.pastes.line_voices import Stretch, VoicedLine, bridged, covers, lines_of, united, without
from memsuggest.transcripts.pastes.machine_output import assistant_phrases, machine_output, templates
from memsuggest.transcripts.pastes.pasted_texts import comments, documents, histories, mappings, posts, reviews, talks
from memsuggest.transcripts.pastes.quotations import delimited, introduced, lazy_quotes, marked, quotations

# Words that the assistant said before: its answer, or much of it, copied into the person's message.

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


_Rule = Callable[[Sequence[VoicedLine], str], list[Stretch]]

_MARKS: dict[str, _Rule] = {"marked": marked, "delimited": delimited, "comment": comments}
"""The person's own marks: what stands in them is quoted, and other rules look at the rest only."""

_CERTAIN: dict[str, _Rule] = {
    "machine": machine_output,
    "history": histories,
    "talk": talks,
    "template": templates,
}
"""Shapes that nobody types: hardly a line of these was composed in the messages that the model was fitted on."""

_LIKELY: dict[str, _Rule] = {
    "introduced": introduced,
    "document": documents,
    "review": reviews,
    "mapping": mappings,
    "post": posts,
    "lazy": lazy_quotes,
    "assistant": assistant_phrases,
}
"""What is mostly pasted, and now and then composed: in doubt at least."""


class PasteEvidence(NamedTuple):
    """The findings of the rules in one message."""

    lines: Sequence[VoicedLine]
    certain: tuple[Stretch, ...]
    """Quoted or pasted."""
    likely: tuple[Stretch, ...]
    """In doubt at least; these may overlap the certain ones."""
    hints: Sequence[frozenset[str]]
    """Of each line, which rules found it whole."""


def evidence(text: str, heard: Sequence[str] = ()) -> PasteEvidence:
    """Ask all rules about a message; `heard` is what the assistant said before it."""
    lines = lines_of(text)
    hints: list[set[str]] = [set() for _ in lines]
    certain = _found(_MARKS, lines, text, hints)
    likely = [*quotations(text)]
    _note("quotation", likely, lines, hints)
    if _is_all_quoted(text):  # a prompt such as "> use tabs" or one in quotation marks is not a quotation of others
        likely += certain
        certain = []
    open_lines = without(lines, united(certain))
    certain += _found(_CERTAIN, open_lines, text, hints, lines)
    likely += _found(_LIKELY, open_lines, text, hints, lines)
    repeated, some = echoes(lines, heard)
    _note("echo", repeated, lines, hints)
    pasted = bridged(united([*certain, *repeated]), text)
    return PasteEvidence(lines, pasted, united([*likely, *some]), [frozenset(names) for names in hints])


def _found(
    rules: dict[str, _Rule],
    lines: Sequence[VoicedLine],
    text: str,
    hints: list[set[str]],
    all_lines: Sequence[VoicedLine] = (),
) -> list[Stretch]:
    every: list[Stretch] = []
    for name, rule in rules.items():
        found = rule(lines, text)
        _note(name, found, all_lines or lines, hints)
        every += found
    return every


def _note(name: str, stretches: Sequence[Stretch], lines: Sequence[VoicedLine], hints: list[set[str]]) -> None:
    """Note of each line that lies in the stretches as a whole, which rule found it."""
    if not stretches:
        return
    ordered, at = united(list(stretches)), 0
    for line, noted in zip(lines, hints, strict=True):
        while at < len(ordered) and ordered[at][1] <= line.start:
            at += 1
        if at == len(ordered):
            return
        if covers(ordered[at], line):
            noted.add(name)


def _is_all_quoted(text: str) -> bool:
    return text.lstrip()[:1] == ">" and all(line.lstrip()[:1] in (">", "") for line in text.split("\n"))
