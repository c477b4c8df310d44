"""Pasted data without a mark: records of named values, nested data, questions with their answers."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from memsuggest.transcripts.pastes.line_voices import is_own_voice, paragraphs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memsuggest.transcripts.pastes.line_voices import Stretch, VoicedLine

_FIELD = re.compile(r"\A\s*(?:- )?[A-Za-z][\w./-]*(?: [\w./()-]+){0,3}: ?\S")
_RECORD = 6  # fields one below the other
_MACHINE_VALUE = re.compile(r"\d|://|\w\.\w")
_RESUMES = re.compile(r"\A(?:[a-z]|[-*] )")
"""How a person goes on behind a paste."""

_KEY = re.compile(r"\A(?P<indent> *)(?:- )?(?P<key>[\"']?[a-z][\w.$/-]*[\"']?):(?P<value>\Z| +\S)")
_ENTRY = re.compile(r"\A *- +[a-z][\w.$/-]*:(?: |\Z)")

_QUESTION = re.compile(r"(?<!\w)(?:Q(?:uestion)?|User|Human|Input) ?\d{0,2}: ")
_ANSWER = re.compile(r"(?<!\w)(?:A(?:nswer)?|Assistant|AI|Output) ?\d{0,2}: ")


def records(lines: Sequence[VoicedLine], text: str) -> list[Stretch]:
    """Find named values one below the other, with the notices in nobody's voice that come behind them."""
    found: list[Stretch] = []
    is_data = False
    for group in paragraphs(lines):
        start, end = group[0].start, group[-1].end
        is_data = _is_record(group) or (is_data and not _is_own(text[start:end]))
        if is_data:
            found.append((start, end))
    return found


def _is_own(paragraph: str) -> bool:
    return is_own_voice(paragraph) or bool(_RESUMES.match(paragraph))


def _is_record(group: Sequence[VoicedLine]) -> bool:
    fields = [line.text for line in group if _FIELD.match(line.text)]
    values = sum(bool(_MACHINE_VALUE.search(field.partition(":")[2])) for field in fields)
    return len(fields) >= _RECORD and 3 * len(fields) > 2 * len(group) and 2 * values >= len(fields)


def nested_data(lines: Sequence[VoicedLine], _text: str) -> list[Stretch]:
    """Find data such as YAML: keys of which one holds others, further in."""
    return [
        (group[0].start, group[-1].end)
        for group in paragraphs(lines)
        if len(group) > 2 and any(_holds(line.text, after.text) for line, after in pairwise(group)) and _is_data(group)
    ]


def _holds(line: str, after: str) -> bool:
    key, inner = _KEY.match(line), _KEY.match(after)
    if key is None or key["value"]:
        return False
    return bool(_ENTRY.match(after)) or bool(inner and len(inner["indent"]) > len(key["indent"]))


def _is_data(group: Sequence[VoicedLine]) -> bool:
    keys = [found for line in group if (found := _KEY.match(line.text))]
    outer = min(len(key["indent"]) for key in keys)
    siblings = sum(len(key["indent"]) == outer for key in keys)
    return 2 * len(keys) > len(group) and (siblings > 1 or any(_ENTRY.match(line.text) for line in group))


def examples(lines: Sequence[VoicedLine], text: str) -> list[Stretch]:
    """Find questions with their answers, one after the other: examples for a machine, or a page of them."""
    found = []
    for group in paragraphs(lines):
        start, end = group[0].start, group[-1].end
        first = _QUESTION.search(text, start, end)
        if first and len(_QUESTION.findall(text, start, end)) > 1 and len(_ANSWER.findall(text, start, end)) > 1:
            found.append((first.start(), end))
    return found
