"""Tasks of Cline and Roo Code: what the panel showed, what the model was sent, the Markdown export."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from memsuggest.errors import TranscriptError
from memsuggest.transcripts.formats.cline import model_messages
from memsuggest.transcripts.parsing.json_records import (
    blocks_of,
    decode,
    fields_of,
    instant,
    items_of,
    outline,
    text_of,
)
from memsuggest.transcripts.parsing.transcript_builder import TranscriptBuilder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memsuggest.model import Transcript
    from memsuggest.transcripts.storage.source import Source

NAME = "cline"

_FILES = frozenset({"ui_messages.json", "api_conversation_history.json"})
_SHOWN_KEYS = frozenset({"ts", "type"})
_SENT_MARKS = (b"<task>", b"<environment_details>", b"<user_message>")
_ROLES = {"**User:**": "user", "**Assistant:**": "assistant"}
_TYPED = frozenset({"task", "user_feedback"})
_SAID = frozenset({"text", "completion_result", "plan_mode_respond", "followup"})


def sniff(head: bytes, _name: str) -> bool:
    """Recognise an array of shown or of sent messages, or the export's first lines."""
    if head.startswith(b"**User:**"):
        return any(mark in head for mark in _SENT_MARKS)
    shape = outline(head)
    if shape.opening != "[":
        return False
    is_shown = shape.inner >= _SHOWN_KEYS and not shape.inner.isdisjoint({"say", "ask"})
    return is_shown or (
        shape.inner >= {"role", "content"} and any(mark in _first_message(head) for mark in _SENT_MARKS)
    )


def _first_message(head: bytes) -> bytes:
    """Cut off what comes behind the second role: later messages may hold anything."""
    return b"".join(head.split(b'"role"', 2)[:2])


def read(source: Source) -> Transcript:
    """Read one task."""
    builder = TranscriptBuilder(source, name=NAME)
    content = source.whole()
    if content.lstrip().startswith(b"**User:**"):
        _take_export(builder, content.decode("utf-8", "replace").replace("\r\n", "\n"))
        return builder.finished(is_export=True)
    try:
        messages = [fields_of(message) for message in items_of(decode(content))]
    except ValueError as error:
        raise TranscriptError(f"{source.name}: {error}", hint="the file may still be being written") from None
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
        if said in _TYPED or (said == "text" and place == 0):
            if text not in offered:
                builder.listen(text, at=at, key=str(message.get("ts") or ""), paths=_attached(message))
        elif said == "user_feedback_diff":
            _take_own_edit(builder, _inner(text))
        elif said == "tool":
            _take_tool(builder, _inner(text))
        elif said == "command":
            builder.use("command", {"command": text})
        elif said == "api_req_started" and not builder.workspace:
            builder.workspace = builder.cwd = model_messages.workspace_in(text.replace("\\\\", "\\")) or None
        elif said in _SAID and not message.get("partial"):
            builder.activity.say(text_of(_inner(text).get("question")) or text_of(_inner(text).get("response")) or text)
            builder.at = at
            offered = _options(_inner(text)) or offered


def _attached(message: dict[str, Any]) -> list[str]:
    return [path for path in items_of(message.get("files")) if isinstance(path, str)]


def _inner(text: str) -> dict[str, Any]:
    """Decode the JSON that some messages carry as their text."""
    try:
        return fields_of(decode(text.encode("utf-8", "replace"))) if text.startswith("{") else {}
    except ValueError:
        return {}


def _options(question: dict[str, Any]) -> set[str]:
    """Give the answers that the assistant offered: who picks one has not typed it."""
    suggested = items_of(question.get("options")) or items_of(question.get("suggest"))
    options = (option if isinstance(option, str) else fields_of(option).get("answer") for option in suggested)
    return {option for option in options if isinstance(option, str)}


def _take_tool(builder: TranscriptBuilder, call: dict[str, Any]) -> None:
    tool, path = text_of(call.get("tool")), text_of(call.get("path"))
    if tool:
        builder.use(tool, {"path": path} if path else {})
    if path and tool in {"editedExistingFile", "newFileCreated", "appliedDiff", "insertContent", "searchAndReplace"}:
        builder.activity.touch(path, is_written=True)


def _take_own_edit(builder: TranscriptBuilder, edit: dict[str, Any]) -> None:
    """Note that the person changed the assistant's edit before saving it."""
    if path := text_of(edit.get("path")):
        builder.activity.touch(path, is_written=True)
        builder.activity.signal(changed=True)


def _take_sent(builder: TranscriptBuilder, messages: list[dict[str, Any]]) -> None:
    """Take `api_conversation_history.json`."""
    tools: dict[str, str] = {}
    answer = ""
    for message in messages:
        blocks = blocks_of(message.get("content"))
        if message.get("role") == "assistant":
            answer = _take_answer(builder, blocks, tools)
        elif message.get("role") == "user":
            for words in _words(builder, blocks, tools):
                _type(builder, words, answer)


def _take_answer(builder: TranscriptBuilder, blocks: list[dict[str, Any]], tools: dict[str, str]) -> str:
    said = [text_of(block.get("text")) for block in blocks if block.get("type") == "text"]
    for text in said:
        model_messages.take_answer(builder, text)
    for block in blocks:
        if block.get("type") == "tool_use":
            tools[text_of(block.get("id"))] = text_of(block.get("name"))
            builder.use(text_of(block.get("name")) or "tool", block.get("input"))
            said.append(json.dumps(block.get("input"), ensure_ascii=False))
    return "\n".join(said)


def _words(
    builder: TranscriptBuilder, blocks: list[dict[str, Any]], tools: dict[str, str]
) -> Iterator[model_messages.TypedWords]:
    """Find the person's words in a message."""
    for block in blocks:
        text = text_of(block.get("text")) or _result_text(block)
        builder.workspace = builder.cwd = builder.workspace or model_messages.workspace_in(text) or None
    for result in _results(blocks, tools):
        words = (
            model_messages.words_in(result.rest, call=result.call) if model_messages.is_closed(result.tool) else None
        )
        if words:
            yield words


def _results(blocks: list[dict[str, Any]], tools: dict[str, str]) -> Iterator[model_messages.Header]:
    """Give each text with the tool that it is the result of; the block after a header alone is its result."""
    header: model_messages.Header | None = None
    for block in blocks:
        text = text_of(block.get("text")) or _result_text(block)
        found = model_messages.header_of(text)
        if block.get("type") == "tool_result":
            tool = tools.get(text_of(block.get("tool_use_id")), "")
            yield found if found and found.tool == tool else model_messages.Header(tool, tool, text)
        elif header:
            yield header._replace(rest=text)
            header = None
        elif found and not found.rest:
            header = found
        else:
            yield found or model_messages.Header(None, "tool", text)


def _result_text(block: dict[str, Any]) -> str:
    return "\n".join(text_of(part.get("text")) for part in blocks_of(block.get("content")))


def _type(builder: TranscriptBuilder, words: model_messages.TypedWords, answer: str) -> None:
    """Take the person's words, unless they are an answer that the assistant had offered."""
    if words.tag == "answer" and json.dumps(words.text, ensure_ascii=False) in answer:
        return
    if words.rejected_tool:
        builder.hint(rejected_tool=words.rejected_tool)
    builder.type(words.text, after_interruption=words.is_resumed)


def _take_export(builder: TranscriptBuilder, text: str) -> None:
    """Take a Markdown export."""
    answer = ""
    for role, block in _blocks(text):
        if role == "assistant":
            answer = block
            model_messages.take_answer(builder, block)
            continue
        builder.workspace = builder.cwd = builder.workspace or model_messages.workspace_in(block) or None
        for words in model_messages.words_in_export(block):
            _type(builder, words, answer)


def _blocks(text: str) -> Iterator[tuple[str, str]]:
    """Split an export into messages; the same role twice running is one message, for roles take turns."""
    role, lines = "", [""]
    before = ["---", ""]  # the two lines that come before a role
    for line in text.split("\n"):
        new = _ROLES.get(line.rstrip()) if before == ["---", ""] else None
        if new and new != role:
            yield role, "\n".join(lines[:-3] if role else []).strip()
            role, lines = new, []
        else:
            lines.append(line)
        before = [before[1], line.strip()]
    yield role, "\n".join(lines).strip()
