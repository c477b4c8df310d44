"""Gemini CLI sessions (`chats/session-*.json` and `.jsonl`), its list of prompts (`logs.json`), saved checkpoints.

A `.jsonl` is a journal: a message may be written again (the last one counts), be taken back by `$rewindTo`, or all be
replaced by a checkpoint. Only what is needed of each message is kept while it is replayed.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from itertools import takewhile
from typing import Any, NamedTuple

from memsuggest.core.errors import Skipped
from memsuggest.core.model import Transcript
from memsuggest.transcripts.parsing.json_records import fields_of, instant, items_of, outline, text_of
from memsuggest.transcripts.parsing.prefilter import objects
from memsuggest.transcripts.parsing.transcript_builder import TranscriptBuilder
from memsuggest.transcripts.storage.source import Source, whole

NAME = "gemini-cli"

_IGNORED = ("/", "?", "<session_context>", "<state_snapshot>", "This is the Gemini CLI. We are ")
"""Beginnings of messages that are commands, or that Gemini CLI itself writes in the person's name."""
_ANSWERS = frozenset({"gemini", "model"})
_CANCELLED = "Request cancelled."
_LOG_KEYS = frozenset({"sessionId", "messageId", "message", "type"})


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
    builder = TranscriptBuilder(source, name=NAME)
    shape = outline(source.head())
    if shape.opening == "{" and shape.keys.keys().isdisjoint({"messages", "history"}):
        header, messages = _replayed(source, builder.skipped)
    else:
        header, messages = _stored(source)
    if header.get("kind") == "subagent":
        builder.skip("subagent session without typed messages")
        return builder.finished()
    builder.session_id = text_of(header.get("sessionId"))
    builder.workspace = next(iter(map(text_of, items_of(header.get("directories")))), "") or builder.workspace
    builder.cwd = builder.workspace
    for message in messages:
        _take(builder, message)
    return builder.finished()


def _replayed(source: Source, skipped: list[Skipped]) -> tuple[dict[str, Any], Iterable[GeminiMessage]]:
    """Replay a journal."""
    header: dict[str, Any] = {}
    messages: dict[str, GeminiMessage] = {}
    for fields in objects(source, skipped):
        if isinstance(fields.get("$rewindTo"), str):
            _rewind(messages, fields["$rewindTo"])
        elif isinstance(fields.get("$set"), dict):
            changes = fields["$set"]
            header |= {key: value for key, value in changes.items() if key != "messages"}
            if isinstance(changes.get("messages"), list):
                messages = _replaced(messages, changes["messages"])
        elif "type" in fields and isinstance(fields.get("id"), str):
            messages[fields["id"]] = message_of(fields)
        elif "sessionId" in fields:
            header |= {key: value for key, value in fields.items() if key != "messages"}
    return header, messages.values()


def _rewind(messages: dict[str, GeminiMessage], to: str) -> None:
    ids = list(messages)
    for gone in ids[ids.index(to) :] if to in messages else ids:
        del messages[gone]


def _replaced(old: dict[str, GeminiMessage], checkpoint: list[Any]) -> dict[str, GeminiMessage]:
    new = {text_of(fields.get("id")) or f"#{place}": message_of(fields) for place, fields in _numbered(checkpoint)}
    is_summary = any(message.text.lstrip().startswith("<state_snapshot>") for message in new.values())
    return old | new if is_summary else new


def _numbered(messages: list[Any]) -> Iterable[tuple[int, dict[str, Any]]]:
    return ((place, fields) for place, fields in enumerate(messages) if isinstance(fields, dict))


def _stored(source: Source) -> tuple[dict[str, Any], list[GeminiMessage]]:
    """Read a session, a checkpoint or a list of prompts that is one piece of JSON."""
    stored = whole(source, hint="another program may still be writing the file; try again later")
    header = fields_of(stored)
    listed = items_of(stored) or items_of(header.get("messages")) or items_of(header.get("history"))
    messages = [message_of(fields) for _, fields in _numbered(listed)]
    sessions = dict.fromkeys(text_of(fields.get("sessionId")) for _, fields in _numbered(listed))
    return header or {"sessionId": next(iter(sessions)) if len(sessions) == 1 else ""}, messages


def _take(builder: TranscriptBuilder, message: GeminiMessage) -> None:
    if message.kind == "user":
        text = message.text.strip()
        if not text.startswith(_IGNORED) and not builder.is_repeated(text):
            builder.listen(text, at=message.at, key=message.key)
    elif message.kind in _ANSWERS:
        builder.say(message.text, at=message.at, model=message.model)
        for call in message.calls:
            _use(builder, call)
    elif message.kind == "info" and message.text.strip() == _CANCELLED:
        builder.hint(after_interruption=True)


def _use(builder: TranscriptBuilder, call: ToolCall) -> None:
    builder.use(call.tool, call.arguments)
    if call.is_cancelled:
        builder.reject("")  # the call just taken


_REFERENCED = "--- Content from referenced files ---"
_STORED_ARGUMENT = 2_000  # characters of a tool's argument that are kept
_FILE_ARGUMENTS = {"absolute_path": "path", "dir_path": "path", "file_path": "file_path"}
_ARGUMENTS = frozenset({*_FILE_ARGUMENTS, "command", "path", "pattern", "query", "url"})


class ToolCall(NamedTuple):
    """A tool call."""

    tool: str
    arguments: dict[str, str]
    """The telling ones, shortened; paths by the names that other assistants give them."""
    is_cancelled: bool
    """The person refused it."""


class GeminiMessage(NamedTuple):
    """The needed part of one message."""

    kind: str
    text: str
    at: datetime | None = None
    key: str = ""
    model: str = ""
    calls: tuple[ToolCall, ...] = ()


def message_of(fields: dict[str, Any]) -> GeminiMessage:
    """Take what is needed out of a decoded message of any of the files."""
    kind = text_of(fields.get("type")) or text_of(fields.get("role"))
    shown = fields.get("displayContent") if kind == "user" else None
    content = next((fields[key] for key in ("content", "message", "parts") if key in fields), "")
    return GeminiMessage(
        kind,
        _text(content if shown is None else shown),
        instant(fields.get("timestamp")),
        text_of(fields.get("id")),
        text_of(fields.get("model")),
        tuple(_call(fields_of(call)) for call in items_of(fields.get("toolCalls"))),
    )


def _text(content: object) -> str:
    """Join the text of a message without the files that were read for it, which come behind all that was typed."""
    if isinstance(content, str):
        return content
    parts = [
        part if isinstance(part, str) else text_of(fields_of(part).get("text"))
        for part in items_of(content) or [content]
    ]
    return "".join(takewhile(lambda part: part.strip() != _REFERENCED, parts))


def _call(call: dict[str, Any]) -> ToolCall:
    given = {
        _FILE_ARGUMENTS.get(name, name): value[:_STORED_ARGUMENT]
        for name, value in fields_of(call.get("args")).items()
        if isinstance(value, str) and name in _ARGUMENTS
    }
    return ToolCall(text_of(call.get("name")), given, call.get("status") == "cancelled")
