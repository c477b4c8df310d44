"""Wrappers of programs around the person's words: commands, queries, editors' prompts. Pure."""

from __future__ import annotations

import re
from typing import NamedTuple

MEMORY, _QUERY = "user-memory-input", "user_query"
_UNWRAPPED = (_QUERY, MEMORY, "userRequest")
"""Elements around what was typed: where one is, nothing else in the message was."""

EDITOR = ("# Context from my IDE setup:", "# Files mentioned by the user:", "# Response annotations:")
"""Beginnings of messages that an editor wrote for Codex …"""
_REQUEST = "## My request for Codex:"
"""… in which what was typed follows the last of these."""
_REFERENCED, _END_OF_REFERENCED = "--- Content from referenced files ---", "--- End of content ---"
"""What Gemini CLI puts around the files that a prompt names. A file may hold the end mark: the last one counts."""

_WRAPPER = re.compile(r"<(/?)(" + "|".join(map(re.escape, _UNWRAPPED)) + r")>")
_COMMAND = ("<command-name>", "<command-args>")
_COMMAND_NAME = re.compile(r"<command-name>\s*/?([^<\n]{1,200}?)\s*</command-name>")
_COMMAND_ARGS = ("<command-args>", "</command-args>")
_STEERING = ("User steering update:\n<user_input>\n", "\n</user_input>")
_STEERED = re.compile(r"\s*(?:\Z|Internal instruction:)")
_USER_INPUT = ("## User Input\n\n```text\n", "\n```\n\nYou **MUST**")
"""How prompt files keep their arguments in a fence; where there are several, nobody knows which is theirs."""


class Command(NamedTuple):
    """A slash command that the person typed."""

    name: str
    arguments: str


class Wrapped(NamedTuple):
    """The contents of a wrapper."""

    name: str
    text: str


def request_for_codex(message: str) -> str:
    """Take what was typed out of a message that an editor wrote; nothing where there is no request."""
    _, mark, request = message.rpartition(_REQUEST)
    return request if mark else ""


def command_in(text: str) -> Command | None:
    """Read a slash command; one with more behind it was pasted by somebody."""
    found = _COMMAND_NAME.search(text) if text.startswith(_COMMAND) and text.endswith(">") else None
    return Command(found[1], _between(text, *_COMMAND_ARGS)) if found else None


def wrapped(text: str, *, is_cursor: bool) -> Wrapped | None:
    """Open the wrapper that ends a message, which nothing but elements may come before.

    A wrapper inside a sentence was pasted. Of several the last one counts: those before it were forged in what programs
    put there. One inside another is part of what was typed. Where the message `is_cursor`'s, anything may come before
    a query that begins a line: Cursor puts its own sentences there.
    """
    tags = list(_WRAPPER.finditer(text))
    if not tags or not tags[-1][1] or tags[-1].end() < len(text):
        return None
    opened: list[re.Match[str]] = []
    found = None
    for tag in tags:
        if not tag[1]:
            opened.append(tag)
        elif opened and opened[-1][2] == tag[2]:
            found = (opened.pop(), tag)
    if found is None or found[1] is not tags[-1]:
        return None
    start, end = found
    before = text[: start.start()]
    is_behind_elements = text.startswith("<") and before.rstrip()[-1:] in ("", ">")
    if is_behind_elements or (is_cursor and start[2] == _QUERY and before.rstrip(" \t")[-1:] in ("", "\n")):
        return Wrapped(start[2], text[start.end() : end.start()].strip())
    return None


def cut(text: str) -> str:
    """Cut what programs put before and after the typed text without wrapping it."""
    if text.startswith(_STEERING[0]) and _STEERED.match(text.partition(_STEERING[1])[2]):
        text = _between(text, *_STEERING)
    elif is_prompt_file(text):
        text = _between(text, *_USER_INPUT)
    return _without_referenced(text)


def is_prompt_file(text: str) -> bool:
    """Tell whether this is a prompt file with the person's words as its only argument."""
    return text.count(_USER_INPUT[0]) == 1 and _USER_INPUT[1] in text


def _without_referenced(text: str) -> str:
    """Cut out the content of files that a prompt named; without an end mark, all behind the first mark."""
    start = text.find(_REFERENCED)
    while start > 0 and text[start - 1] != "\n":  # a mark in the middle of a line is only mentioned
        start = text.find(_REFERENCED, start + 1)
    if start < 0:
        return text.strip()
    _, end, after = text[start:].rpartition(_END_OF_REFERENCED)
    return f"{text[:start].rstrip()}\n{after.lstrip() if end else ''}".strip()


def _between(text: str, before: str, after: str) -> str:
    return text.partition(before)[2].partition(after)[0].strip()
