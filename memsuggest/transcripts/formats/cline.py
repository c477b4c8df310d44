"""Tasks of Cline and Roo Code: what the panel showed, what the model was sent, the Markdown export."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from memsuggest.core.model import Transcript
from memsuggest.transcripts.parsing.json_records import (
    blocks_of,
    fields_of,
    instant,
    items_of,
    object_in,
    outline,
    text_of,
)
from memsuggest.transcripts.parsing.plain_text import outside
from memsuggest.transcripts.parsing.transcript_builder import TranscriptBuilder
from memsuggest.transcripts.storage.source import Source, whole
from memsuggest.transcripts.typed_text import typed_in

NAME = "cline"

_FILES = frozenset({"ui_messages.json", "api_conversation_history.json"})
_SHOWN_KEYS = frozenset({"ts", "type"})
_SENT_MARKS = (b"<task>", b"<environment_details>", b"<user_message>")
_ROLES = {"**User:**": "user", "**Assistant:**": "assistant"}
_TYPED = frozenset({"task", "user_feedback"})
_SAID = frozenset({"text", "completion_result", "plan_mode_respond", "followup"})
_OBJECTS = _SAID | {"tool", "user_feedback_diff"}
_WRITING = frozenset({"editedExistingFile", "newFileCreated", "appliedDiff", "insertContent", "searchAndReplace"})


def sniff(head: bytes, _name: str) -> bool:
    if head.startswith(b"**User:**"):
        return any(mark in head for mark in _SENT_MARKS)
    shape, first = outline(head), b"".join(head.split(b'"role"', 2)[:2])  # later messages may hold anything
    if shape.opening != "[":
        return False
    is_shown = shape.inner >= _SHOWN_KEYS and not shape.inner.isdisjoint({"say", "ask"})
    return is_shown or (shape.inner >= {"role", "content"} and any(mark in first for mark in _SENT_MARKS))


def read(source: Source) -> Transcript:
    builder = TranscriptBuilder(source, name=NAME)
    if source.head().startswith(b"**User:**"):
        _take_export(builder, source.whole().decode("utf-8", "replace").replace("\r\n", "\n"))
        return builder.finished(is_export=True)
    content = whole(source, hint="another program may still be writing the file; try again later")
    messages = list(map(fields_of, items_of(content)))
    if source.path and source.path.name in _FILES:
        builder.session_id = source.path.parent.name  # the task's id: both files are the same session
    if any("ts" in message and "type" in message for message in messages[:3]):
        _take_shown(builder, messages)
    else:
        _take_sent(builder, messages)
    return builder.finished()


def _take_shown(builder: TranscriptBuilder, messages: list[dict[str, Any]]) -> None:
    """Take `ui_messages.json`; Roo's first text is the task."""
    offered: set[str] = set()
    for place, message in enumerate(messages):
        said = text_of(message.get("say")) or text_of(message.get("ask"))
        text, at = text_of(message.get("text")), instant(message.get("ts"))
        builder.model = text_of(fields_of(message.get("modelInfo")).get("modelId")) or builder.model
        is_object = said in _OBJECTS and text.startswith("{")
        inner = object_in(text.encode("utf-8", "replace")) if is_object else {}
        path = text_of(inner.get("path"))
        if said in _TYPED or (said == "text" and place == 0):
            if text not in offered:
                files = filter(None, map(text_of, items_of(message.get("files"))))
                builder.listen(text, at=at, key=str(message.get("ts") or ""), paths=files)
        elif said == "user_feedback_diff" and path:
            builder.activity.touch(path, is_written=True)
            builder.activity.signal(changed=True)
        elif said == "tool":
            if tool := text_of(inner.get("tool")):
                builder.use(tool, {"path": path} if path else {})
            if path and tool in _WRITING:
                builder.activity.touch(path, is_written=True)
        elif said == "command":
            builder.use("command", {"command": text})
        elif said == "api_req_started" and not builder.workspace:
            _note_workspace(builder, text.replace("\\\\", "\\"))
        elif said in _SAID and not message.get("partial"):
            builder.say(text_of(inner.get("question")) or text_of(inner.get("response")) or text, at=at)
            suggested = items_of(inner.get("options")) or items_of(inner.get("suggest"))
            options = (option if isinstance(option, str) else fields_of(option).get("answer") for option in suggested)
            offered = {option for option in options if isinstance(option, str)} or offered


_WORKSPACE = re.compile(r"# Current Working Directory \(([^)\n]{1,500})\)")
_LEFT_OUT = ("thinking", "content", "diff")
_PATH = re.compile(r"<(\w{1,60})>\s{0,20}<path>([^<\n]{1,500})</path>")


def _note_workspace(builder: TranscriptBuilder, text: str) -> None:
    """Take the folder that Cline works in from a message's environment details, if it is there."""
    if not builder.workspace and (found := _WORKSPACE.search(text)):
        builder.workspace = found[1]
    builder.cwd = builder.workspace


def _say(builder: TranscriptBuilder, text: str) -> None:
    for tool, path in _PATH.findall(text):
        builder.use(tool, {"path": path})
    for name in _LEFT_OUT:
        text = "".join(outside(text, name))
    builder.activity.say(text)


_RESULT = "] Result:"
_HEADER_LIMIT = 4_000  # characters of a result's header; it may quote a question
_TOOL = re.compile(r"\[(\w{1,60})")
_OPENING = re.compile(
    r"\s*"
    r"(?P<denied>The user denied this operation(?:\.\s*\n| and provided the following feedback:\n))?"
    r"(?:\[The user has switched to ACT MODE[^\n\]]{0,200}\]\s*)?"
    r"(?:The conversation was restored to a checkpoint[^\n<]{0,300}\s*)?"
    r"(?:(?:The user (?:(?:has|also) provided|provided|approved this operation)|You seem to be having trouble)"
    r"[^\n<]{0,200}\n)?"
    r"(?P<resumed>(?:\[TASK RESUMPTION\](?:[^<]|<(?!user_message>)){0,3000}?)?"
    r"New (?:instructions|message)[^\n<]{0,200}\n)?"
    r"<(?P<tag>task|feedback|user_message|answer)>"
)
_CLOSED_TOOLS = frozenset({
    "attempt_completion", "ask_followup_question", "plan_mode_respond", "plan_mode_response", "new_task", "condense",
    "write_to_file", "replace_in_file", "apply_diff", "insert_content", "search_and_replace", "new_rule",
    "execute_command", "browser_action", "switch_mode", "update_todo_list", "report_bug", "summarize_task",
})  # fmt: skip
"""Tools whose results begin with a sentence of Cline's own, never with a foreign text."""


class _Result(NamedTuple):
    """The result of a tool, and the line before it."""

    tool: str | None
    """None for a text that is no tool's."""
    call: str
    text: str

    @property
    def is_closed(self) -> bool:
        return self.tool is None or self.tool in _CLOSED_TOOLS


def _result_in(block: str) -> _Result | None:
    """Split the header off the result of a tool, such as `[write_to_file for 'a.py'] Result:`."""
    tool = _TOOL.match(block)
    end = block.find(_RESULT, 0, _HEADER_LIMIT)
    return _Result(tool[1], block[1:end], block[end + len(_RESULT) :].lstrip()) if tool and end >= 0 else None


def _take_sent(builder: TranscriptBuilder, messages: list[dict[str, Any]]) -> None:
    tools: dict[str, str] = {}
    answer = ""
    for message in messages:
        blocks = blocks_of(message.get("content"))
        if message.get("role") == "assistant":
            said = [text_of(block.get("text")) for block in blocks if block.get("type") == "text"]
            for text in said:
                _say(builder, text)
            for block in blocks:
                if block.get("type") == "tool_use":
                    tools[text_of(block.get("id"))] = text_of(block.get("name"))
                    builder.use(text_of(block.get("name")) or "tool", block.get("input"))
                    said.append(json.dumps(block.get("input"), ensure_ascii=False))
            answer = "\n".join(said)
        elif message.get("role") == "user":
            for block in blocks:
                _note_workspace(builder, _text_of_block(block))
            for result in _results(blocks, tools):
                if result.is_closed:
                    _type(builder, result.text, answer, call=result.call)


def _text_of_block(block: dict[str, Any]) -> str:
    parts = (text_of(part.get("text")) for part in blocks_of(block.get("content")))
    return text_of(block.get("text")) or "\n".join(parts)


def _results(blocks: list[dict[str, Any]], tools: dict[str, str]) -> Iterator[_Result]:
    """Give each text with the tool that it is the result of; the block after a header alone is its result."""
    header: _Result | None = None
    for block in blocks:
        text = _text_of_block(block)
        found = _result_in(text)
        if block.get("type") == "tool_result":
            tool = tools.get(text_of(block.get("tool_use_id")), "")
            yield found if found and found.tool == tool else _Result(tool, tool, text)
        elif header:
            yield header._replace(text=text)
            header = None
        elif found and not found.text:
            header = found
        else:
            yield found or _Result(None, "tool", text)


def _take_export(builder: TranscriptBuilder, content: str) -> None:
    answer = ""
    messages = list(_messages(content))
    for (role, text, _), behind in zip(messages, [*messages[1:], ("", "", False)], strict=True):
        if role == "assistant":
            answer = text
            _say(builder, text)
            continue
        _note_workspace(builder, text)
        for piece in outside(text, "environment_details"):  # all parts of a message have run together
            result = _result_in(piece.lstrip()) or _Result(None, "", piece)
            if not result.is_closed:
                break
            is_late = builder.has_begun  # only the first message holds the task
            _type(builder, result.text, answer, call=result.call, is_doubtful=behind[2], is_late=is_late)


def _type(
    builder: TranscriptBuilder, text: str, answer: str, *, call: str, is_doubtful: bool = False, is_late: bool = False
) -> None:
    """Take the person's words at the beginning of a text of Cline's own, unless the assistant had offered them."""
    opening = _OPENING.match(text)
    if not opening or (is_late and opening["tag"] == "task"):
        return
    words = typed_in(text[opening.end() :].partition(f"</{opening['tag']}>")[0]).text
    if opening["tag"] == "answer" and json.dumps(words, ensure_ascii=False) in answer:
        return
    if opening["denied"]:
        builder.hint(rejected_tool=call or "tool")
    builder.type(words, is_doubtful=is_doubtful, after_interruption=bool(opening["resumed"]))


def _messages(text: str) -> Iterator[tuple[str, str, bool]]:
    """Split an export into messages: role, text, and whether a role that did not take turns was found in it."""
    role, lines = "", [""]
    is_repeated = False
    before = ["---", ""]  # the two lines that come before a role
    for line in text.split("\n"):
        new = _ROLES.get(line.rstrip()) if before == ["---", ""] else None
        if new and new != role:
            yield role, "\n".join(lines[:-3] if role else []).strip(), is_repeated
            role, lines, is_repeated = new, [], False
        else:
            is_repeated = is_repeated or bool(new)
            lines.append(line)
        before = [before[1], line.strip()]
    yield role, "\n".join(lines).strip(), is_repeated
