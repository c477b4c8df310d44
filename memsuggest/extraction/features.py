"""Features: what can be seen of a statement, by name. The model gives each a weight.

The kinds of names: `cue:` for phrases of the table of cues, `is:` for readings of grammar, `at:` for length and place,
`near:` for what stands around it, `word:` for words and pairs of words.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from memsuggest.extraction.cues import cues_in
from memsuggest.extraction.statement_readings import form_of, readings_of
from memsuggest.text.words import plain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memsuggest.extraction.statements import Statement

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?|[?!:`]")
_AROUND = ("you-did", "wrong", "why", "do-not", "trouble", "task", "always", "never", "reason", "prefer")
_ECHO = 0.4  # share of a statement's long words that the assistant had just used
_HEARD = 400  # characters at the end of what the assistant said
_LONG = 5  # letters


def features_of(statement: Statement) -> frozenset[str]:
    """Return the names of the features that a statement has."""
    cues = cues_in(statement.plain)
    return frozenset(
        [
            *(f"cue:{name}" for name in cues),
            *(f"is:{name}" for name in readings_of(form_of(statement, cues))),
            *_placed(statement),
            *_around(statement),
            *_words(statement),
        ]
    )


def _placed(statement: Statement) -> Iterator[str]:
    """Yield length and place."""
    sentence, text = statement.sentence, statement.text.rstrip()
    yield f"at:words-{_step(len(statement.plain.split()), (4, 7, 12, 20, 35))}"
    yield f"at:sentences-{_step(sentence.count, (2, 4, 9, 21))}"
    yield f"at:place-{_step(sentence.position, (1, 3, 9))}"
    yield f"at:prompt-{_step(statement.prompt, (2, 4, 11))}"
    yield f"at:typed-{_step(len(statement.turn.typed), (80, 250, 700, 2000))}"
    if sentence.position == sentence.count - 1:
        yield "at:end"
    if sentence.in_list:
        yield "at:list"
    if sentence.heading:
        yield "at:heading"
    if statement.turn.quoted:
        yield "at:paste"
    if text[:1].islower():
        yield "at:lower-case"
    for name, mark in (("stop", "."), ("colon", ":"), ("exclamation", "!")):
        if text.endswith(mark):
            yield f"at:{name}"
    if not text.isascii():
        yield "at:foreign"
    if statement.told > 1:
        yield f"at:told-{min(statement.told, 3)}"


def _step(number: int, steps: tuple[int, ...]) -> int:
    return sum(number >= step for step in steps)


def _around(statement: Statement) -> Iterator[str]:
    """Yield what stands before and behind it, and whether it takes up what the assistant said."""
    for side, text in (("before", statement.sentence.before), ("after", statement.sentence.after)):
        cues = cues_in(plain(text[:300])) if text else frozenset()
        for name in _AROUND:
            if name in cues:
                yield f"near:{side}-{name}"
    if not statement.heard:
        return
    yield "near:answered"
    heard = set(_WORD.findall(plain(statement.heard[-_HEARD:])))
    words = [word for word in _WORD.findall(statement.plain) if len(word) >= _LONG]
    if words and sum(word in heard for word in words) > _ECHO * len(words):
        yield "near:echo"
    if statement.heard.rstrip().endswith("?"):
        yield "near:asked"
    signals = statement.turn.signals
    if signals.after_interruption or signals.rejected_tool:
        yield "near:stopped"


def _words(statement: Statement) -> Iterator[str]:
    """Yield words and pairs of words."""
    words = ["#" if word.isdigit() else word for word in _WORD.findall(statement.plain)]
    for word in words:
        yield f"word:{word}"
    for one, two in pairwise(words):
        yield f"word:{one} {two}"
