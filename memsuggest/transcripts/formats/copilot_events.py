"""Copilot CLI event logs (`session-state/<id>/events.jsonl`) and the transcripts that VS Code writes for hooks."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from memsuggest.transcripts.parsing.continuing import Continued, whole_reader
from memsuggest.transcripts.parsing.json_records import fields_of, first_objects, instant, items_of, text_of
from memsuggest.transcripts.parsing.transcript_builder import TranscriptBuilder
from memsuggest.transcripts.storage.source import Source, is_other_than, objects

NAME = "copilot-cli"

_FAMILIES = ("session.", "user.", "assistant.", "system.", "tool.", "hook.", "permission.", "subagent.", "skill.")
_PERSONS = frozenset({"", "user", "human"})
_AGENTS = ("agentId", "parentToolCallId", "subagentId")
"""Marks of events from within an agent, on the event or in its data."""
_ASKED = ("fullCommandText", "fileName", "path", "toolName", "url", "intention")
_ASKED_LIMIT = 120  # characters of what permission was asked for

is_wanted = is_other_than(
    "tool.execution_complete", "tool.execution_partial_result", "tool.execution_progress", "hook.start", "hook.end",
    "system.message", "system.notification", "assistant.reasoning", "assistant.reasoning_delta", "session.usage_info",
    "assistant.message_delta", "assistant.streaming_delta", "assistant.usage", "session.compaction_complete",
    "session.compaction_start", "session.truncation", "pending_messages.modified", "session.tools_updated",
)  # fmt: skip


def sniff(head: bytes, _name: str) -> bool:
    first = next(first_objects(head), {})
    return isinstance(first.get("data"), dict) and text_of(first.get("type")).startswith(_FAMILIES)


def read_on(source: Source, notes: dict[str, Any]) -> Continued:
    builder = TranscriptBuilder(source, name=NAME, notes=notes)
    for event in objects(source, builder.skipped, is_wanted=is_wanted, stand=builder.stand):
        take, data = _EVENTS.get(text_of(event.get("type"))), fields_of(event.get("data"))
        if take and not any(event.get(mark) or data.get(mark) for mark in _AGENTS):
            take(builder, data, event)
    return builder.continued()


read = whole_reader(read_on)


def _begin(builder: TranscriptBuilder, data: dict[str, Any], _event: dict[str, Any]) -> None:
    builder.session_id = builder.session_id or text_of(data.get("sessionId"))
    builder.model = text_of(data.get("selectedModel")) or builder.model
    context = fields_of(data.get("context")) or data
    builder.cwd = text_of(context.get("cwd")) or builder.cwd
    builder.branch = text_of(context.get("branch")) or builder.branch
    builder.workspace = builder.workspace or text_of(context.get("gitRoot")) or builder.cwd


def _hear(builder: TranscriptBuilder, data: dict[str, Any], event: dict[str, Any]) -> None:
    """Take a prompt; `transformedContent` is never looked at, for programs wrote into it."""
    if data.get("isAutopilotContinuation") or text_of(data.get("source") or "") not in _PERSONS:
        return
    builder.agent = text_of(data.get("agentMode")) or builder.agent
    attachments = map(fields_of, items_of(data.get("attachments")))
    paths = (text_of(attachment.get("path") or attachment.get("filePath")) for attachment in attachments)
    _listen(builder, data.get("content"), event, filter(None, paths))


def _listen(builder: TranscriptBuilder, text: object, event: dict[str, Any], paths: Iterable[str] = ()) -> None:
    builder.listen(text_of(text), at=instant(event.get("timestamp")), key=text_of(event.get("id")), paths=paths)


def _say(builder: TranscriptBuilder, data: dict[str, Any], event: dict[str, Any]) -> None:
    builder.say(text_of(data.get("content")), at=instant(event.get("timestamp")), model=data.get("model"))


def _use(builder: TranscriptBuilder, data: dict[str, Any], _event: dict[str, Any]) -> None:
    tool = text_of(data.get("toolName"))
    if tool and tool != "report_intent":
        builder.use(tool, data.get("arguments"), call_id=text_of(data.get("toolCallId")))


def _ask_permission(builder: TranscriptBuilder, data: dict[str, Any], _event: dict[str, Any]) -> None:
    request = fields_of(data.get("permissionRequest")) or data
    wanted = next(filter(None, map(text_of, map(request.get, _ASKED))), "")[:_ASKED_LIMIT]
    known = builder.calls.get(text_of(request.get("toolCallId")))
    builder.know(text_of(data.get("requestId")), known or f"{text_of(request.get('kind')) or 'tool'}: {wanted}")


def _answer_permission(builder: TranscriptBuilder, data: dict[str, Any], event: dict[str, Any]) -> None:
    """Take a refusal, with the words that the person gave for it."""
    result = fields_of(data.get("result"))
    if result.get("kind") == "denied-interactively-by-user":
        builder.reject(text_of(data.get("requestId")))
        _listen(builder, result.get("feedback"), event)


def _answer_question(builder: TranscriptBuilder, data: dict[str, Any], event: dict[str, Any]) -> None:
    if data.get("wasFreeform") is True:
        _listen(builder, data.get("answer"), event)


def _use_skill(builder: TranscriptBuilder, data: dict[str, Any], _event: dict[str, Any]) -> None:
    if skill := text_of(data.get("path")) or text_of(data.get("name")):
        builder.customizations[skill] = None


_EVENTS: dict[str, Callable[[TranscriptBuilder, dict[str, Any], dict[str, Any]], None]] = {
    "session.start": _begin,
    "session.resume": _begin,
    "session.context_changed": _begin,
    "session.model_change": lambda builder, data, _event: builder.say("", at=builder.at, model=data.get("newModel")),
    "user.message": _hear,
    "assistant.message": _say,
    "tool.execution_start": _use,
    "permission.requested": _ask_permission,
    "permission.completed": _answer_permission,
    "user_input.completed": _answer_question,
    "abort": lambda builder, _data, _event: builder.hint(after_interruption=True),
    "skill.invoked": _use_skill,
}
