"""Copilot CLI event logs (`session-state/<id>/events.jsonl`) and the transcripts that VS Code writes for hooks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memsuggest.transcripts.commands import files_patched
from memsuggest.transcripts.draft import Draft
from memsuggest.transcripts.json_records import fields_of, first_objects, instant, items_of, text_of
from memsuggest.transcripts.prefilter import is_other_than, objects

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from memsuggest.model import Transcript
    from memsuggest.transcripts.continuing import Continued
    from memsuggest.transcripts.source import Source

NAME = "copilot-cli"

_FAMILIES = ("session.", "user.", "assistant.", "system.", "tool.", "hook.", "permission.", "subagent.", "skill.")
_PERSONS = frozenset({"", "user", "human"})
_REJECTED = "denied-interactively-by-user"

is_wanted = is_other_than(
    "tool.execution_complete", "tool.execution_partial_result", "tool.execution_progress", "hook.start", "hook.end",
    "system.message", "system.notification", "assistant.reasoning", "assistant.reasoning_delta", "session.usage_info",
    "assistant.message_delta", "assistant.streaming_delta", "assistant.usage", "session.compaction_complete",
    "session.compaction_start", "session.truncation", "pending_messages.modified", "session.tools_updated",
)  # fmt: skip


def sniff(head: bytes, _name: str) -> bool:
    """Recognise events: a dotted type with data."""
    first = next(first_objects(head), {})
    return isinstance(first.get("data"), dict) and text_of(first.get("type")).startswith(_FAMILIES)


def read(source: Source) -> Transcript:
    """Read one session's events; those of sub-agents are passed over."""
    return read_on(source, {}).transcript


def read_on(source: Source, notes: dict[str, Any]) -> Continued:
    """Read one session from `source.start` on, where the `notes` of an earlier reading were taken."""
    draft = Draft(source, name=NAME, notes=notes)
    for event in objects(source, draft.skipped, is_wanted=is_wanted, stand=draft.stand):
        take = _EVENTS.get(text_of(event.get("type")))
        if take and not event.get("agentId"):
            take(draft, fields_of(event.get("data")), event)
    return draft.continued()


def _begin(draft: Draft, data: dict[str, Any], _event: dict[str, Any]) -> None:
    draft.session_id = draft.session_id or text_of(data.get("sessionId"))
    draft.model = text_of(data.get("selectedModel")) or draft.model
    context = fields_of(data.get("context")) or data
    draft.cwd = text_of(context.get("cwd")) or draft.cwd
    draft.branch = text_of(context.get("branch")) or draft.branch
    draft.workspace = draft.workspace or text_of(context.get("gitRoot")) or draft.cwd


def _change_model(draft: Draft, data: dict[str, Any], _event: dict[str, Any]) -> None:
    draft.model = text_of(data.get("newModel")) or draft.model


def _hear(draft: Draft, data: dict[str, Any], event: dict[str, Any]) -> None:
    """Take a prompt; `transformedContent` is never looked at, for programs wrote into it."""
    if data.get("isAutopilotContinuation") or text_of(data.get("source") or "") not in _PERSONS:
        return
    draft.agent = text_of(data.get("agentMode")) or draft.agent
    draft.listen(
        text_of(data.get("content")),
        at=instant(event.get("timestamp")),
        key=text_of(event.get("id")),
        paths=_attached(data),
    )


def _attached(data: dict[str, Any]) -> Iterator[str]:
    for attachment in map(fields_of, items_of(data.get("attachments"))):
        path = attachment.get("path") or attachment.get("filePath")
        if isinstance(path, str):
            yield path


def _say(draft: Draft, data: dict[str, Any], event: dict[str, Any]) -> None:
    draft.model = text_of(data.get("model")) or draft.model
    draft.activity.say(text_of(data.get("content")))
    draft.at = instant(event.get("timestamp"))


def _use(draft: Draft, data: dict[str, Any], _event: dict[str, Any]) -> None:
    tool, given = text_of(data.get("toolName")), data.get("arguments")
    if not tool or tool == "report_intent":
        return
    draft.use(tool, given, call_id=text_of(data.get("toolCallId")))
    for path in files_patched(text_of(given) or text_of(fields_of(given).get("input"))):
        draft.activity.touch(path, is_written=True)


def _ask_permission(draft: Draft, data: dict[str, Any], _event: dict[str, Any]) -> None:
    request = fields_of(data.get("permissionRequest")) or data
    wanted = next((text_of(request.get(key)) for key in _ASKED if text_of(request.get(key))), "")
    call = (
        draft.call(text_of(request.get("toolCallId"))) or f"{text_of(request.get('kind')) or 'tool'}: {wanted[:_TOLD]}"
    )
    draft.know(text_of(data.get("requestId")), call)


_TOLD = 120  # characters of what permission was asked for
_ASKED = ("fullCommandText", "fileName", "path", "toolName", "url", "intention")


def _answer_permission(draft: Draft, data: dict[str, Any], event: dict[str, Any]) -> None:
    """Take a refusal, with the words that the person gave for it."""
    result = fields_of(data.get("result"))
    if result.get("kind") != _REJECTED:
        return
    draft.reject(text_of(data.get("requestId")))
    draft.listen(text_of(result.get("feedback")), at=instant(event.get("timestamp")), key=text_of(event.get("id")))


def _answer_question(draft: Draft, data: dict[str, Any], event: dict[str, Any]) -> None:
    """Take an answer in the person's own words; a chosen one was written by the assistant."""
    if data.get("wasFreeform") is True:
        draft.listen(text_of(data.get("answer")), at=instant(event.get("timestamp")), key=text_of(event.get("id")))


def _interrupt(draft: Draft, _data: dict[str, Any], _event: dict[str, Any]) -> None:
    draft.hint(after_interruption=True)


def _use_skill(draft: Draft, data: dict[str, Any], _event: dict[str, Any]) -> None:
    if skill := text_of(data.get("path")) or text_of(data.get("name")):
        draft.customizations[skill] = None


_EVENTS: dict[str, Callable[[Draft, dict[str, Any], dict[str, Any]], None]] = {
    "session.start": _begin,
    "session.resume": _begin,
    "session.context_changed": _begin,
    "session.model_change": _change_model,
    "user.message": _hear,
    "assistant.message": _say,
    "tool.execution_start": _use,
    "permission.requested": _ask_permission,
    "permission.completed": _answer_permission,
    "user_input.completed": _answer_question,
    "abort": _interrupt,
    "skill.invoked": _use_skill,
}
