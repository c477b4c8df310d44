"""Claude Code's records beside the person's messages: the assistant's words and deeds, answers inside tool results."""

from __future__ import annotations

import re
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple

from memsuggest.transcripts.parsing.activity import WRITING_TOOLS, Activity, tool_call
from memsuggest.transcripts.parsing.json_records import (
    blocks_of,
    decode,
    fields_in,
    fields_of,
    instant,
    items_of,
    text_of,
)

QUESTION_TOOL = "AskUserQuestion"

_REJECTED = "The user doesn't want to "
_SAID = "the user said:\n"
_GENERATED = "The user wants to clarify these questions."
_NOTES = ("\n\nNote: The user's next message",)
_ANSWERED = ("User has answered your questions:", "Your questions have been answered:")
BEGINNINGS = (_REJECTED, *_ANSWERED)
"""How tools' results begin that carry the person's words."""


def result_text(block: dict[str, Any]) -> str:
    return "\n".join(text_of(part.get("text")) for part in blocks_of(block.get("content")))


def may_be_said(text: str) -> bool:
    return text.startswith(BEGINNINGS)


def is_rejection(block: dict[str, Any], *, tool: str, denial: object) -> bool:
    """Tell whether the person rejected the call.

    Errors of MCP tools are the server's own words, so for these, and for a call that is not in the file, only Claude
    Code's own mark counts.
    """
    if denial:
        return denial == "user-rejected"
    is_own = bool(tool) and not tool.startswith("mcp__")
    return is_own and bool(block.get("is_error")) and result_text(block).startswith(_REJECTED)


def words_of_rejection(text: str) -> str:
    """Return the words of a rejected call; empty where only the generated sentences are.

    >>> words_of_rejection("The user doesn't want to proceed. To tell you how, the user said:\\nuse the map")
    'use the map'
    """
    said = text.partition(_SAID)[2]
    for note in _NOTES:
        said = said.partition(note)[0]
    return "" if said.startswith(_GENERATED) else said.strip()


def questions_asked(arguments: dict[str, Any]) -> str:
    asked = [fields_of(question) for question in items_of(arguments.get("questions"))]
    return "\n".join(f"{text_of(each.get('question'))} ({' / '.join(_labels(each))})" for each in asked)


def free_answers(result: object, text: str, arguments: dict[str, Any]) -> str:
    """Return the person's own answers, without the options that the assistant had worded."""
    if not text.startswith(_ANSWERED):
        return ""
    asked = [fields_of(question) for question in items_of(arguments.get("questions"))]
    given = fields_of(fields_of(result).get("answers")) or _answers_in(text, asked)
    notes = fields_of(fields_of(result).get("annotations"))
    answers = [
        answer
        for question in asked
        for answer in (
            text_of(given.get(text_of(question.get("question")))),
            text_of(fields_of(notes.get(text_of(question.get("question")))).get("notes")),
        )
        if answer and not _is_chosen(answer, _labels(question))
    ]
    return "\n\n".join(dict.fromkeys(answers))


def _labels(question: dict[str, Any]) -> list[str]:
    return [text_of(fields_of(option).get("label")) for option in items_of(question.get("options"))]


def _is_chosen(answer: str, labels: list[str]) -> bool:
    """Tell whether an answer consists of offered labels only (several are joined by commas)."""
    for label in sorted(filter(None, labels), key=len, reverse=True):
        answer = answer.replace(label, "")
    return not answer.strip(" ,")


def _answers_in(text: str, asked: list[dict[str, Any]]) -> dict[str, str]:
    found = {}
    for question in filter(None, (text_of(each.get("question")) for each in asked)):
        rest = text.partition(f'"{question}"="')[2]
        ends = [end for mark in ('", "', '". You can now') if (end := rest.find(mark)) >= 0]
        found[question] = rest[: min(ends)] if ends else rest.removesuffix('"')
    return found


_HEAD = 2048  # bytes in which a call's name stands
_ARGUMENTS_HEAD = 1024  # bytes of a call's arguments in which the path is looked for
_KEPT = 3  # last lines that a turn's text is made of
_LONG = 128 * 1024  # bytes of a line that is not kept for its text
_CALLS_LIMIT = 200
_CALL = re.compile(rb'"type":"tool_use","id":"([^"\\]{1,100})","name":"([^"\\]{1,100})","input":\{')
_PATH = re.compile(rb'"(?:file|notebook)_path":("(?:[^"\\]|\\.){1,1000}+")')
_FIRST_BLOCK, _TOOL_USE = b'"content":[{', b'"type":"tool_use"'
_DECODED = frozenset({QUESTION_TOOL, "Skill"})


class Call(NamedTuple):
    """A tool call; of questions with their arguments."""

    tool: str = ""
    told: str = ""
    """The call in one short line."""
    arguments: dict[str, Any] | None = None


class AssistantReply(NamedTuple):
    """The assistant's part between two messages of the person."""

    activity: Activity
    cwd: str | None
    branch: str | None
    at: datetime | None
    key: str


class Replies:
    """Takes the assistant's lines; `ended` gives what they come to."""

    def __init__(self) -> None:
        self.written: dict[str, None] = {}
        self.session_id = ""
        self._activity = Activity()
        self._lines: list[bytes] = []
        self._calls: dict[str, bytes | Call] = {}

    def take(self, line: bytes) -> None:
        block = line.find(_FIRST_BLOCK, 0, _HEAD) + len(_FIRST_BLOCK)
        call = _CALL.match(line, block)
        if call is None:
            if _TOOL_USE in line or not line.startswith(b'"type":"', block):
                self._take_calls(fields_in(line))
        elif line.find(_TOOL_USE, call.end()) >= 0 or not self._take_call(line, call):
            self._take_calls(fields_in(line))
        self._keep(line)

    def _take_call(self, line: bytes, call: re.Match[bytes]) -> bool:
        """Note a call and its file; False where they cannot be told without decoding."""
        has_arguments, is_writing = _about(call[2])
        if has_arguments:
            return False
        start = call.end()
        key = line.find(b'_path":"', start, start + _ARGUMENTS_HEAD)
        path = _PATH.search(line, max(key - 9, start), start + _ARGUMENTS_HEAD) if key >= 0 else None
        if path:
            self._activity.touch(_string(path[1]), is_written=is_writing)
        elif is_writing:
            return False
        self._remember(call[1].decode("utf-8", "replace"), line)
        return True

    def _keep(self, line: bytes) -> None:
        if len(line) < _LONG:
            self._lines.append(line)
        if len(self._lines) > 2 * _KEPT:
            del self._lines[1:-_KEPT]

    def _remember(self, call_id: str, call: bytes | Call) -> None:
        if len(self._calls) >= _CALLS_LIMIT:
            del self._calls[next(iter(self._calls))]
        self._calls[call_id] = call if isinstance(call, Call) or len(call) < _LONG else Call()

    def _take_calls(self, fields: dict[str, Any]) -> None:
        for call_id, tool, given in _calls(fields):
            self._remember(call_id, Call(tool, tool_call(tool, given), given if tool == QUESTION_TOOL else None))
            path = text_of(given.get("file_path") or given.get("notebook_path"))
            if path:
                self._activity.touch(path, is_written=tool.lower() in WRITING_TOOLS)
            if tool == "Skill":
                self.note_customization(text_of(given.get("skill") or given.get("command")))

    def note_customization(self, name: str) -> None:
        used = self._activity.signals.customizations
        if name and name not in used:
            self._activity.signal(customizations=(*used, name))

    def call(self, call_id: str) -> Call:
        """Return a call that a result belongs to; an empty one when it is not known."""
        found = self._calls.get(call_id, Call())
        if isinstance(found, Call):
            return found
        tool, given = next(
            ((tool, given) for each, tool, given in _calls(fields_in(found)) if each == call_id), ("", {})
        )
        return Call(tool, tool_call(tool, given))

    def forget_calls(self) -> None:
        self._calls.clear()

    def ended(self) -> AssistantReply:
        activity, last = self._activity, dict[str, Any]()
        for fields in map(fields_in, [*self._lines[:1], *self._lines[1:][-_KEPT:]]):
            message = fields_of(fields.get("message"))
            if not message or fields.get("isApiErrorMessage") or message.get("model") == "<synthetic>":
                continue
            last = fields
            for block in map(fields_of, items_of(message.get("content"))):
                _say(activity, block)
        if model := text_of(fields_of(last.get("message")).get("model")):
            activity.signal(model=model)
        self.session_id = self.session_id or text_of(last.get("sessionId"))
        self.written.update(activity.written)
        self._activity, self._lines = Activity(), []
        place = text_of(last.get("cwd")) or None, text_of(last.get("gitBranch")) or None
        return AssistantReply(activity, *place, instant(last.get("timestamp")), text_of(last.get("uuid")))


@lru_cache(maxsize=256)
def _about(tool: bytes) -> tuple[bool, bool]:
    name = tool.decode("utf-8", "replace")
    return name in _DECODED, name.lower() in WRITING_TOOLS


def _say(activity: Activity, block: dict[str, Any]) -> None:
    if block.get("type") == "text":
        activity.say(text_of(block.get("text")))
    elif block.get("type") == "tool_use":
        tool, given = text_of(block.get("name")), fields_of(block.get("input"))
        activity.use(tool, given)
        if tool == QUESTION_TOOL:
            activity.say(questions_asked(given))


def _calls(fields: dict[str, Any]) -> list[tuple[str, str, dict[str, Any]]]:
    blocks = map(fields_of, items_of(fields_of(fields.get("message")).get("content")))
    return [
        (text_of(block.get("id")), text_of(block.get("name")), fields_of(block.get("input")))
        for block in blocks
        if block.get("type") == "tool_use"
    ]


def _string(raw: bytes) -> str:
    if b"\\" not in raw:
        return raw[1:-1].decode("utf-8", "replace")
    try:
        return text_of(decode(raw))
    except ValueError:
        return raw.decode("utf-8", "replace").strip('"')
