"""The person's text, out of what assistants and their tools wrote around it and into it.

One filter for every format that keeps such texts: messages that only programs write are dropped (`messages`), elements
are stripped whole (`injected`), wrappers are opened (`wrappers`), passages that programs put between the person's words
are cut out (`passages`). Pure tables and text; knows no file.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memsuggest.transcripts.typed_text import wrappers
from memsuggest.transcripts.typed_text.injected import element_opened, without_injected
from memsuggest.transcripts.typed_text.program_messages import is_command, is_from_program, is_interruption
from memsuggest.transcripts.typed_text.program_passages import without_passages

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Typed", "element_opened", "joined", "typed_in", "without_injected"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Typed:
    """The rest of a message, and what its wrapping told."""

    text: str = ""
    is_interruption: bool = False
    """The message only says that the person stopped the assistant."""
    remember: bool = False
    """The person used the assistant's own command to remember this."""
    command: str | None = None
    """Name of the slash command whose arguments these are."""


def typed_in(message: str, *, is_cursor: bool = False) -> Typed:
    """Take from a user-role message what the person typed.

    `is_cursor` says that the message is Cursor's: then nothing before its `<user_query>` was typed.

    >>> typed_in("<system-reminder>Be brief.</system-reminder>use tabs").text
    'use tabs'
    >>> typed_in("<command-name>/fix</command-name> <command-args>issue 7</command-args>").text
    'issue 7'
    """
    if is_from_program(message):
        return Typed(is_interruption=is_interruption(message))
    if message.lstrip().startswith(wrappers.EDITOR):
        # Before any element is looked at: one may be open in a file that is mentioned.
        message = wrappers.request_for_codex(message)
    if "<" in message:
        found = _typed_among_elements(message, is_cursor=is_cursor)
    else:
        found = Typed(text=wrappers.cut(without_injected(message)))
    if is_from_program(found.text):
        return Typed(is_interruption=is_interruption(found.text))
    if found.command:
        return found
    text = without_passages(found.text)
    return replace(found, text="" if is_command(text) else text)


def joined(parts: Iterable[Typed]) -> Typed:
    """Join what was typed in the parts of one message."""
    told = list(parts)
    text = "\n".join(part.text for part in told if part.text)
    return Typed(
        text=text,
        is_interruption=any(part.is_interruption for part in told),
        remember=any(part.remember for part in told),
    )


def _typed_among_elements(message: str, *, is_cursor: bool) -> Typed:
    text = without_injected(message)
    if wrappers.is_prompt_file(text):
        return Typed(text=wrappers.cut(text))
    if wrappers.is_prompt_file(message) and not message.rstrip().endswith(">"):
        return Typed()  # an element that the prompt file left open has swallowed what was typed
    if command := wrappers.command_in(text):
        return Typed(text=command.arguments, command=command.name)
    text = wrappers.cut(text)
    wrapped = wrappers.wrapped(text, is_cursor=is_cursor)
    return Typed(text=wrapped.text, remember=wrapped.name == wrappers.MEMORY) if wrapped else Typed(text=text)
