"""The assistant's last words, as far as a reply needs them: a question, a numbered list, the end. Pure.

Tool notes, logs and code are left out, and what is shown begins where a sentence begins.
"""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from memsuggest.judging.offline.cues import form

if TYPE_CHECKING:
    from collections.abc import Sequence

_form = partial(form, "assistant_words")

SAID = 300
"""Characters of a question, or of the end of what was said."""
LISTED = 900
"""Characters of a numbered list that is answered by its numbers."""
_ITEM = 160
"""Characters of one entry of it."""
_LOOKED_AT = 6_000
"""Characters of the end of what was said in which a question or a list is looked for."""
_LATE = 5
"""Sentences, from the last, among which a question still waits for its answer."""
_FENCE = re.compile(r"^[ \t]*(?:```|~~~)[ \t]*([\w+-]*)[^\n]*$", re.MULTILINE)
_NUMBERED = re.compile(r"\s*(?:[-*]\s+)?(?:\*\*|__)?[\[(]?(Q?\d{1,2}|[A-Za-z])[\])]?(?:\*\*|__)?\s?[.):][\s*]+(?=\S)")
_SENTENCE = re.compile(r"(?<=[.!?…:])[\"')\]*_]*\s+|(?<=[。！？])|\n+")
_MARKUP = re.compile(r"<[^<>\n]{12,}>|\*\*|__|^[ \t]*#{1,6}[ \t]+|^[ \t]*[-*•][ \t]+", re.MULTILINE)


def question_in(said: str, reply: str) -> str:
    """Return what a reply answers: the last question, with the list before it where the reply goes by its numbers."""
    lines = _prose(said)
    choices = _choices(lines) if _form("by-number").search(reply) else []
    asked = _question(_sentences(lines))
    if not choices:
        return asked
    listed = " | ".join(_cut(one, _ITEM) for one in choices)
    return _cut(listed, LISTED) + (f" — {asked}" if asked and asked not in listed else "")


def end_of(said: str) -> str:
    """Return how it ended: the last sentences."""
    return _last(_sentences(_prose(said)))


def _prose(said: str) -> list[str]:
    """Return the lines that were said, without code, logs and tool notes."""
    text = _without_code(said[-_LOOKED_AT:])
    return [line for line in text.split("\n") if not _form("no-prose").fullmatch(line)]


def _without_code(text: str) -> str:
    """Take fenced code out, also where the text begins or ends within a block."""
    marks = list(_FENCE.finditer(text))
    if len(marks) % 2 and marks and not marks[0][1]:  # a closing mark comes first: the text begins in code
        text = text[marks[0].end() :]
        marks = list(_FENCE.finditer(text))
    kept, at = [], 0
    for opening, closing in zip(marks[::2], [*marks[1::2], None], strict=False):
        kept.append(text[at : opening.start()])
        at = closing.end() if closing else len(text)
    return "\n".join([*kept, text[at:]])


def _choices(lines: Sequence[str]) -> list[str]:
    """Return the last list with numbers or letters, an entry each."""
    found: list[str] = []
    for line in lines:
        number = _NUMBERED.match(line)
        if not number:
            continue
        if number[1].lower().lstrip("q") in {"1", "a"}:
            found = []
        found.append(_flat(line))
    return found if len(found) > 1 else []


def _sentences(lines: Sequence[str]) -> list[str]:
    parts = _SENTENCE.split("\n".join(lines))
    found = [flat for part in parts if part and (flat := _flat(part))]
    begins_within = bool(found) and found[0][:1].islower()
    return found[1:] if begins_within and len(found) > 1 else found


def _flat(text: str) -> str:
    return " ".join(_MARKUP.sub("", text).split())


def _question(sentences: Sequence[str]) -> str:
    """Return the last question with the sentence before it, which often says what is in question."""
    for place in range(len(sentences) - 1, max(-1, len(sentences) - 1 - _LATE), -1):
        if sentences[place].rstrip("\"')*_ ").endswith(("?", "？")):
            return _last(sentences[max(0, place - 1) : place + 1])
    return ""


def _last(sentences: Sequence[str]) -> str:
    """Join the last sentences for which there is room, at least one."""
    kept: list[str] = []
    room = SAID
    for sentence in reversed(sentences):
        room -= len(sentence) + 1
        if kept and room < 0:
            break
        kept.append(sentence)
    return _cut(" ".join(reversed(kept)), SAID)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"
