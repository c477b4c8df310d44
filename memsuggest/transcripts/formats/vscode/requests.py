"""The requests of a VS Code chat session, and their responses, as turns.

Owns what of a request the person typed: its text without the tokens of agents and commands.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from memsuggest.model import NO_SIGNALS, Role, Signals, Turn
from memsuggest.transcripts.formats.vscode.response_parts import take_parts
from memsuggest.transcripts.formats.vscode.uris import path_of
from memsuggest.transcripts.parsing.activity import Activity
from memsuggest.transcripts.parsing.json_records import fields_of, instant, items_of, text_of
from memsuggest.transcripts.typed_text import typed_in
from memsuggest.transcripts.typed_text.program_messages import is_from_program

if TYPE_CHECKING:
    from datetime import datetime

_NOT_HUMAN = (
    "isSystemInitiated",
    "requestSource",
    "hiddenFromTranscript",
    "requestHiddenFromTranscript",
    "isHidden",
    "origin",
    "confirmation",
)
_TOKENS = frozenset({"agent", "subcommand", "slash", "prompt"})
_FOLLOW = re.compile(r"\AFollow instructions in \[([^\]\n]{1,200})\]\([^)\n]{1,1000}\)\.?\s*")
_CANCELLED = 2


class Conversation:
    """Takes requests in their order; `turns` are what came of them."""

    def __init__(self, *, cwd: str | None, branch: str | None = None) -> None:
        self.turns: list[Turn] = []
        self.written: dict[str, None] = {}
        self.cwd = cwd
        self.branch = branch
        self._number = 0
        self._last_typed = ""
        self._reaction = NO_SIGNALS
        """What the next thing that the person types reacts to."""

    def take(self, request: dict[str, Any]) -> None:
        """Take the next request with its response; one that was undone or replaced leaves nothing."""
        if request.get("shouldBeRemovedOnSend"):
            return
        at = instant(request.get("timestamp"))
        typed, used = _typed_in_request(request)
        if typed != self._last_typed:  # a question asked again with `Try Again` is the same one
            self._say(typed, at=at, paths=_attached(request), used=used, key=text_of(request.get("requestId")))
            self._last_typed = typed or self._last_typed
        self._take_response(request, at=at)

    def _say(
        self, typed: str, *, at: datetime | None, paths: tuple[str, ...] = (), used: tuple[str, ...] = (), key: str = ""
    ) -> None:
        if not typed:
            return
        self._number += 1
        signals = Signals(
            after_interruption=self._reaction.after_interruption,
            rejected_tool=self._reaction.rejected_tool,
            customizations=used,
        )
        self._reaction = NO_SIGNALS
        turn = Turn(
            number=self._number,
            role=Role.USER,
            typed=typed,
            paths=paths,
            cwd=self.cwd,
            branch=self.branch,
            signals=signals,
            at=at,
            key=key,
        )
        self.turns.append(turn)

    def _take_response(self, request: dict[str, Any], *, at: datetime | None) -> None:
        activity = Activity()
        used = _customizations(request)
        if model := text_of(request.get("modelId")).rpartition("/")[2]:
            activity.signal(model=model)
        if agent := _agent(request):
            activity.signal(agent=agent)
        if used:
            activity.signal(customizations=used)
        typed, rejected = take_parts(request, activity)
        key = text_of(request.get("responseId"))
        turn = activity.as_turn(self._number + 1, cwd=self.cwd, branch=self.branch, at=at, key=key)
        if turn:
            self._number += 1
            self.turns.append(turn)
        self.written.update(activity.written)
        was_stopped = bool(request.get("isCanceled")) or fields_of(request.get("modelState")).get("value") == _CANCELLED
        self._reaction = Signals(after_interruption=was_stopped, rejected_tool=rejected)
        self._say("\n\n".join(typed), at=at)


def _typed_in_request(request: dict[str, Any]) -> tuple[str, tuple[str, ...]]:
    """Return what the person typed, and the customizations in use: those attached, one that the text points to."""
    message = request.get("message")
    text = text_of(message) or _without_tokens(fields_of(message))
    is_button = is_from_program(text_of(fields_of(message).get("text")))  # `@agent` is one of its marks
    followed = _FOLLOW.match(text)
    typed = typed_in(text[followed.end() :] if followed else text).text
    if is_button or any(request.get(mark) for mark in _NOT_HUMAN):
        typed = ""
    used = _customizations(request)
    return typed, (followed[1], *used) if followed else used


def _without_tokens(message: dict[str, Any]) -> str:
    """Cut `@agent` and `/command` out of a message; they are no words."""
    text = text_of(message.get("text"))
    for part in reversed([fields_of(part) for part in items_of(message.get("parts"))]):
        place = fields_of(part.get("range"))
        start, end = place.get("start"), place.get("endExclusive")
        if (
            text_of(part.get("kind")) in _TOKENS
            and isinstance(start, int)
            and isinstance(end, int)
            and 0 <= start < end
        ):
            text = text[:start] + text[end:].removeprefix(" ")
    return text


def _variables(request: dict[str, Any]) -> list[dict[str, Any]]:
    return [fields_of(each) for each in items_of(fields_of(request.get("variableData")).get("variables"))]


def _is_customization(variable: dict[str, Any]) -> bool:
    return variable.get("kind") == "promptFile" or text_of(variable.get("id")).startswith("vscode.prompt.")


def _attached(request: dict[str, Any]) -> tuple[str, ...]:
    """Files that the person attached or had open."""
    files = (
        path_of(variable.get("value")) or path_of(variable.get("uri"))
        for variable in _variables(request)
        if variable.get("kind") in ("file", "directory", "implicit", None) and not _is_customization(variable)
    )
    return tuple(dict.fromkeys(filter(None, files)))


def _agent(request: dict[str, Any]) -> str:
    """The custom agent or mode that answered, else the participant."""
    mode = fields_of(request.get("modeInfo"))
    custom = text_of(fields_of(mode.get("modeInstructions")).get("name"))
    return custom or text_of(fields_of(request.get("agent")).get("id")) or text_of(mode.get("kind"))


def _customizations(request: dict[str, Any]) -> tuple[str, ...]:
    """Instruction files, prompts and agents that were in use."""
    mode = fields_of(fields_of(request.get("modeInfo")).get("modeInstructions"))
    used = [path_of(variable.get("value")) for variable in _variables(request) if _is_customization(variable)]
    used.append(path_of(mode.get("uri")) or text_of(mode.get("name")))
    return tuple(dict.fromkeys(filter(None, used)))
