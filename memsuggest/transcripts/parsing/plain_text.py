"""Chats as plain text: lines that name a speaker, fenced code, elements such as `<thinking>…</thinking>`. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

Opening = tuple[bool, str]
"""Of a line that begins a message: whether it is the person's, and what is said in it already."""


class Message(NamedTuple):
    """The words of one of the two."""

    is_person: bool
    text: str
    is_doubtful: bool
    """The assistant speaks twice running behind these words: its first message may hold them, and an end of its own."""


def messages(text: str, *, opening: Callable[[str, bool], Opening | None]) -> list[Message]:
    """Split a text into messages; `opening` is asked about a line and whether a blank one came before it."""
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    begins_code: list[bool] = []  # of each line, whether the next fence names a language, and so cannot end code
    begins = False
    for line in reversed(lines):
        begins_code.append(begins)
        language = fence_language(line)
        begins = begins if language is None else bool(language)
    begins_code.reverse()
    found: list[tuple[bool, list[str]]] = []
    fences = Fences()
    for place, line in enumerate(lines):
        opened = opening(line, place == 0 or not lines[place - 1].strip())
        if opened and not (opened[0] and fences.is_open and not begins_code[place]):
            found.append((opened[0], [opened[1]]))
            fences = Fences()
            fences.take(opened[1].lstrip())
        elif found:
            found[-1][1].append(line)
            fences.take(line)
    doubted = doubtful_turns([is_person for is_person, _ in found])
    return [
        Message(is_person, "\n".join(said).strip(), place in doubted) for place, (is_person, said) in enumerate(found)
    ]


def doubtful_turns(is_person: Sequence[bool]) -> set[int]:
    """Number the person's messages that an answer may have forged: roles take turns, and behind these they do not.

    Those before the first answer are the person's in any case.
    """
    return {
        place
        for place, (first, second, third) in enumerate(zip(is_person, is_person[1:], is_person[2:], strict=False))
        if first and not second and not third and not all(is_person[:place])
    }


_FENCE = re.compile(r"[ \t]{0,12}(?:[-*+>] )?(`{3,}|~{3,})([^`]*)$")


def fence_language(line: str) -> str | None:
    """Give what stands behind a fence's marks, empty for none; None for a line that is no fence."""
    fence = _FENCE.match(line)
    return fence[2].strip() if fence else None


class Fences:
    """Takes the lines of a text and tells of each whether it stands inside fenced code."""

    def __init__(self) -> None:
        self._mark = ""

    @property
    def is_open(self) -> bool:
        return bool(self._mark)

    def take(self, line: str) -> bool:
        """Take the next line; the fences themselves count as inside."""
        fence = _FENCE.match(line)
        if not self._mark:
            self._mark = fence[1] if fence else ""
            return bool(fence)
        if fence and fence[1].startswith(self._mark) and not fence[2].strip():
            self._mark = ""
        return True


def outside(text: str, name: str) -> list[str]:
    """Give the pieces of a text outside of an element; one that is not closed goes on to the end.

    >>> outside("a<x>b</x>c", "x")
    ['a', 'c']
    """
    start, end = f"<{name}>", f"</{name}>"
    pieces, position = [], 0
    while (opened := text.find(start, position)) >= 0:
        pieces.append(text[position:opened])
        closed = text.find(end, opened)
        position = closed + len(end) if closed >= 0 else len(text)
    return [*pieces, text[position:]]
