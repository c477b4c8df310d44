"""Texts of others, pasted as their programs show them: comments, histories of commits, chats, consoles. Pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memsuggest.transcripts.pastes.line_voices import Stretch, VoicedLine

_COMMIT = re.compile(r"\A(?:commit [0-9a-f]{7,64}\b|From [0-9a-f]{40} Mon Sep 17)")
_HEADER = re.compile(r"\A(?:commit|Author|AuthorDate|Commit|CommitDate|Date|Merge|From|Subject|Signed-off-by)\b")

_TIME = r"\d{1,2}[:.]\d{2}(?:[:.]\d{2})?(?: ?[AaPp]\.?[Mm]\.?)?"
_NAME = r"[^\W\d_][\w.'@-]{0,30}(?: [^\W\d_][\w.'@-]{0,30}){0,2}"
_TIMED = re.compile(
    rf"\A\s{{0,4}}(?:\[(?:[\d./-]{{6,10}},? )?{_TIME}\] ?-? ?<?{_NAME}>?:|{_TIME} -? ?<?{_NAME}>?:|<{_NAME}> \S"
    rf"|{_NAME},? \[(?:[\d./-]{{6,10}},? )?{_TIME}\]:?|{_NAME} \({_TIME}\):?)"
)
"""A line of a chat with its time, or with its speaker in angle brackets."""
_HEAD = re.compile(rf"\A{_NAME} {{1,4}}(?:APP {{1,3}})?(?:(?:today|yesterday) at )?{_TIME}\s*\Z", re.IGNORECASE)
"""A line that names a speaker and a time, the message below it."""
_CONSOLE = re.compile(r"\A\s{0,4}(?:[\w.@:~/-]{0,60})[$❯➜] \S")


def comments(_lines: Sequence[VoicedLine], text: str) -> list[Stretch]:
    """Find comments of HTML and Markdown; one that stays open goes on to the end."""
    found: list[Stretch] = []
    start = text.find("<!--")
    while start >= 0:
        end = text.find("-->", start)
        found.append((start, end + 3 if end >= 0 else len(text)))
        start = text.find("<!--", found[-1][1])
    return found


def histories(lines: Sequence[VoicedLine], _text: str) -> list[Stretch]:
    """Find what `git log` and `git show` print: the heads of commits with the messages below them."""
    found: list[Stretch] = []
    for place, line in enumerate(lines):
        if _COMMIT.match(line.text) and any(_HEADER.match(after.text) for after in lines[place + 1 : place + 2]):
            found.append((line.start, _end_of_commit(lines[place:])))
    return found


def _end_of_commit(lines: Sequence[VoicedLine]) -> int:
    end = lines[0].end
    for line in lines:
        if line.text.strip() and not (line.text.startswith((" ", "\t")) or _HEADER.match(line.text)):
            break
        end = line.end
    return end


def talks(lines: Sequence[VoicedLine], _text: str) -> list[Stretch]:
    """Find lines of chats: with a time and a name, or below a head of both."""
    found: list[Stretch] = []
    is_message = False
    for line in lines:
        is_head = bool(_HEAD.match(line.text))
        is_message = is_head or (is_message and bool(line.text.strip()))
        if is_message or _TIMED.match(line.text):
            found.append((line.start, line.end))
    return found


def consoles(lines: Sequence[VoicedLine], _text: str) -> list[Stretch]:
    """Find what stands between two prompts of a shell."""
    prompts = [line for line in lines if _CONSOLE.match(line.text)]
    return [(prompts[0].start, prompts[-1].end)] if len(prompts) > 1 else []
