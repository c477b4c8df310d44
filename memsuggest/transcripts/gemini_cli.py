"""Gemini CLI sessions (`chats/session-*.json` and `.jsonl`), its list of prompts (`logs.json`), saved checkpoints.

A `.jsonl` is a journal: a message may be written again (the last one counts), be taken back by `$rewindTo`, or all be
replaced by a checkpoint. Only what is needed of each message is kept while it is replayed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from memsuggest.errors import TranscriptError
from memsuggest.transcripts.commands import files_read
from memsuggest.transcripts.draft import Draft
from memsuggest.transcripts.json_records import decode, fields_of, instant, items_of, outline, records, text_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from memsuggest.model import Skipped, Transcript
    from memsuggest.transcripts.source import Source

NAME = "gemini-cli"

_IGNORED = ("/", "?", "<session_context>", "<hook_context>", "<state_snapshot>", "This is the Gemini CLI. We are ")
"""Beginnings of messages that are commands, or that Gemini CLI itself writes in the person's name."""
_ANSWERS = frozenset({"gemini", "model"})
_REFERENCED = "--- Content from referenced files ---"
_CANCELLED = "Request cancelled."
_LOG_KEYS = frozenset({"sessionId", "messageId", "message", "type"})
_STORED_ARGUMENT = 2_000  # characters of a tool's argument that are kept
_FILE_ARGUMENTS = {"absolute_path": "path", "dir_path": "path", "file_path": "file_path"}


class _Message(NamedTuple):
    """What is needed of one message."""

    kind: str
    text: str
    at: datetime | None = None
    key: str = ""
    model: str = ""
    calls: tuple[tuple[str, dict[str, str], bool], ...] = ()
    """Tool, short arguments, whether the person cancelled it."""


def sniff(head: bytes, _name: str) -> bool:
    """Recognise a session's header, a list of prompts, or a checkpoint's contents."""
    shape = outline(head)
    if shape.opening == "[":
        return shape.inner >= _LOG_KEYS or ({"role", "parts"} <= shape.inner and "content" not in shape.inner)
    return shape.keys.keys() >= {"sessionId", "projectHash"} or (
        shape.keys.get("history") == "[" and {"role", "parts"} <= shape.innermost
    )


def read(source: Source) -> Transcript:
    """Read one session; a sub-agent's has no turns of a person."""
    draft = Draft(source, name=NAME)
    shape = outline(source.head())
    is_journal = shape.opening == "{" and shape.keys.keys() >= {"sessionId", "projectHash"} - {"messages"}
    if is_journal and "messages" not in shape.keys:
        header, messages = _replayed(source, draft.skipped)
    else:
        header, messages = _stored(source)
    if header.get("kind") == "subagent":
        draft.skip("a sub-agent's session: no person typed in it")
        return draft.finished()
    draft.session_id = text_of(header.get("sessionId"))
    draft.workspace = next(iter(map(text_of, items_of(header.get("directories")))), "") or draft.workspace
    draft.cwd = draft.workspace
    for message in messages:
        _take(draft, message)
    return draft.finished()


def _replayed(source: Source, skipped: list[Skipped]) -> tuple[dict[str, Any], Iterable[_Message]]:
    """Replay a journal."""
    header: dict[str, Any] = {}
    messages: dict[str, _Message] = {}
    for record in records(source, skipped):
        fields = record.fields
        if isinstance(fields.get("$rewindTo"), str):
            _rewind(messages, fields["$rewindTo"])
        elif isinstance(fields.get("$set"), dict):
            changes = fields["$set"]
            header |= {key: value for key, value in changes.items() if key != "messages"}
            if isinstance(changes.get("messages"), list):
                messages = _replaced(messages, changes["messages"])
        elif "type" in fields and isinstance(fields.get("id"), str):
            messages[fields["id"]] = _message(fields)
        elif "sessionId" in fields:
            header |= {key: value for key, value in fields.items() if key != "messages"}
    return header, messages.values()


def _rewind(messages: dict[str, _Message], to: str) -> None:
    ids = list(messages)
    for gone in ids[ids.index(to) :] if to in messages else ids:
        del messages[gone]


def _replaced(old: dict[str, _Message], checkpoint: list[Any]) -> dict[str, _Message]:
    """Take a checkpoint; one that only summarises what was said takes nothing of it back."""
    new = {text_of(fields.get("id")) or f"#{place}": _message(fields) for place, fields in _numbered(checkpoint)}
    is_summary = any(message.text.lstrip().startswith("<state_snapshot>") for message in new.values())
    return old | new if is_summary else new


def _numbered(messages: list[Any]) -> Iterable[tuple[int, dict[str, Any]]]:
    return ((place, fields) for place, fields in enumerate(messages) if isinstance(fields, dict))


def _stored(source: Source) -> tuple[dict[str, Any], list[_Message]]:
    """Read a session, a checkpoint or a list of prompts that is one piece of JSON."""
    try:
        whole = decode(source.whole())
    except ValueError as error:
        raise TranscriptError(f"{source.name}: {error}", hint="the file may still be being written") from None
    header = fields_of(whole)
    listed = items_of(whole) or items_of(header.get("messages")) or items_of(header.get("history"))
    messages = [_message(fields) for _, fields in _numbered(listed)]
    sessions = dict.fromkeys(text_of(fields.get("sessionId")) for _, fields in _numbered(listed))
    return header or {"sessionId": next(iter(sessions)) if len(sessions) == 1 else ""}, messages


def _message(fields: dict[str, Any]) -> _Message:
    kind = text_of(fields.get("type")) or text_of(fields.get("role"))
    shown = fields.get("displayContent") if kind == "user" else None
    content = next((fields[key] for key in ("content", "message", "parts") if key in fields), "")
    return _Message(
        kind,
        _text(content if shown is None else shown),
        instant(fields.get("timestamp")),
        text_of(fields.get("id")),
        text_of(fields.get("model")),
        tuple(_call(fields_of(call)) for call in items_of(fields.get("toolCalls"))),
    )


def _text(content: object) -> str:
    """Join the text of a message; what was read from files for it is cut off."""
    if isinstance(content, str):
        return content
    parts: list[str] = []
    for part in items_of(content) or [content]:
        text = part if isinstance(part, str) else text_of(fields_of(part).get("text"))
        if text.strip() == _REFERENCED:
            break
        parts.append(text)
    return "".join(parts)


def _call(call: dict[str, Any]) -> tuple[str, dict[str, str], bool]:
    given = {
        _FILE_ARGUMENTS.get(name, name): value[:_STORED_ARGUMENT]
        for name, value in fields_of(call.get("args")).items()
        if isinstance(value, str) and name in _FILE_ARGUMENTS.keys() | {"command", "path", "pattern", "query", "url"}
    }
    return text_of(call.get("name")), given, call.get("status") == "cancelled"


def _take(draft: Draft, message: _Message) -> None:
    if message.kind == "user":
        text = message.text.strip()
        if not text.startswith(_IGNORED) and text != draft.last_typed:
            draft.listen(text, at=message.at, key=message.key)
    elif message.kind in _ANSWERS:
        draft.model = message.model or draft.model
        draft.activity.say(message.text)
        draft.at = message.at
        for tool, given, is_cancelled in message.calls:
            _use(draft, tool, given, is_cancelled=is_cancelled)
    elif message.kind == "info" and message.text.strip() == _CANCELLED:
        draft.hint(after_interruption=True)


def _use(draft: Draft, tool: str, given: dict[str, str], *, is_cancelled: bool) -> None:
    draft.use(tool, given)
    for path in files_read(given.get("command", "")):
        draft.activity.touch(path)
    if is_cancelled:
        draft.reject("")  # the call just taken
