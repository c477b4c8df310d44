"""Texts in which two speakers take turns, each message behind a line that names its speaker; pure.

The person's line does not count inside an answer's code. An answer that was cut off inside code must not swallow what
the person said next, though: where the next fence begins other code, the code before it was never closed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from memsuggest.transcripts.parsing.fences import Fences, fence_language

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class Opening(NamedTuple):
    """A line that begins a message."""

    is_person: bool
    rest: str = ""
    """What is said in this line already."""


class Message(NamedTuple):
    """The words of one of the two."""

    is_person: bool
    text: str


def messages(text: str, *, opening: Callable[[str, bool], Opening | None]) -> Iterator[Message]:
    """Split a text into messages; `opening` is asked about a line and whether a blank one came before it."""
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    begins_code = _next_begins_code(lines)
    said: list[str] | None = None
    is_person, fences = False, Fences()
    for place, line in enumerate(lines):
        found = opening(line, place == 0 or not lines[place - 1].strip())
        if found and not (found.is_person and fences.is_open and not begins_code[place]):
            if said is not None:
                yield Message(is_person, "\n".join(said).strip())
            is_person, said, fences = found.is_person, [found.rest], Fences()
            fences.take(found.rest.lstrip())
        elif said is not None:
            said.append(line)
            fences.take(line)
    if said is not None:
        yield Message(is_person, "\n".join(said).strip())


def _next_begins_code(lines: list[str]) -> list[bool]:
    """Tell of each line whether the next fence names a language, and so cannot be the end of code."""
    told = []
    begins = False
    for line in reversed(lines):
        told.append(begins)
        if (language := fence_language(line)) is not None:
            begins = bool(language)
    return told[::-1]
