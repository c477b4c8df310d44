"""Gemini CLI sessions (`chats/session-*.json` and `.jsonl`), its list of prompts (`logs.json`), saved checkpoints.

A `.jsonl` is a journal: a message may be written again (the last one counts), be taken back by `$rewindTo`, or all be
replaced by a checkpoint. Only what is needed of each message is kept while it is replayed.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import takewhile
from typing import Any

from memsuggest.core.errors import Skipped
from memsuggest.core.model import Transcript
from memsuggest.transcripts.parsing.json_records import fields_of, instant, items_of, outline, text_of
from memsuggest.transcripts.parsing.transcript_builder import TranscriptBuilder
from memsuggest.transcripts.storage.source import Source, objects, whole

NAME = "gemini-cli"

_IGNORED = ("/", "?", "<session_context>", "<state_snapshot>", "This is the Gemini CLI. We are ")
"""Beginnings of messages that are commands, or that Gemini CLI itself writes in the person's name."""
_ANSWERS = frozenset({"gemini", "model"})
_CANCELLED = "Request cancelled."
_LOG_KEYS = frozenset({"sessionId", "messageId", "message", "type"})


def sniff(head: bytes, _name: str) -> bool:
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
    messages: Iterable[dict[str, Any]]
    if shape.opening == "{" and shape.keys.keys().isdisjoint({"messages", "history"}):
        header, messages = _replayed(source, builder.skipped)
    else:
        stored = whole(source, hint="another program may still be writing the file; try again later")
        header = fields_of(stored)
        listed = items_of(stored) or items_of(header.get("messages")) or items_of(header.get("history"))
        messages = list(map(fields_of, listed))
        sessions = {text_of(message.get("sessionId")) for message in messages}
        header = header or {"sessionId": sessions.pop() if len(sessions) == 1 else ""}
    if header.get("kind") == "subagent":
        builder.skip("subagent session without typed messages")
        return builder.finished()
    builder.session_id = text_of(header.get("sessionId"))
    builder.workspace = next(iter(map(text_of, items_of(header.get("directories")))), "") or builder.workspace
    builder.cwd = builder.workspace
    for message in messages:
        _take(builder, message)
    return builder.finished()


def _replayed(source: Source, skipped: list[Skipped]) -> tuple[dict[str, Any], Iterable[dict[str, Any]]]:
    header: dict[str, Any] = {}
    messages: dict[str, dict[str, Any]] = {}
    for fields in objects(source, skipped):
        changes = fields.get("$set")
        if isinstance(fields.get("$rewindTo"), str):
            ids = list(messages)
            for gone in ids[ids.index(fields["$rewindTo"]) :] if fields["$rewindTo"] in messages else ids:
                del messages[gone]
        elif isinstance(changes, dict):
            header |= {key: value for key, value in changes.items() if key != "messages"}
            if isinstance(checkpoint := changes.get("messages"), list):
                new = {
                    text_of(message.get("id")) or f"#{place}": message
                    for place, message in enumerate(map(_needed, checkpoint))
                }
                is_summary = any(_text_of(message).lstrip().startswith("<state_snapshot>") for message in new.values())
                messages = messages | new if is_summary else new
        elif "type" in fields and isinstance(fields.get("id"), str):
            messages[fields["id"]] = _needed(fields)
        elif "sessionId" in fields:
            header |= {key: value for key, value in fields.items() if key != "messages"}
    return header, messages.values()


_KEPT = ("id", "type", "role", "timestamp", "model", "displayContent", "content", "message", "parts")
_CALL = ("name", "args", "status")


def _needed(message: object) -> dict[str, Any]:
    """Leave out thoughts and results of tools, so that a journal does not fill the memory."""
    fields = fields_of(message)
    calls = [{key: call.get(key) for key in _CALL} for call in map(fields_of, items_of(fields.get("toolCalls")))]
    return {key: fields[key] for key in _KEPT if key in fields} | {"toolCalls": calls}


def _take(builder: TranscriptBuilder, message: dict[str, Any]) -> None:
    kind, text = text_of(message.get("type")) or text_of(message.get("role")), _text_of(message)
    at = instant(message.get("timestamp"))
    if kind == "user":
        if not text.strip().startswith(_IGNORED) and not builder.is_repeated(text.strip()):
            builder.listen(text.strip(), at=at, key=text_of(message.get("id")))
    elif kind in _ANSWERS:
        builder.say(text, at=at, model=message.get("model"))
        for call in map(fields_of, items_of(message.get("toolCalls"))):
            given = fields_of(call.get("args"))
            builder.use(text_of(call.get("name")), {_FILE_ARGUMENTS.get(key, key): given[key] for key in given})
            if call.get("status") == "cancelled":
                builder.reject("")  # the call just taken
    elif kind == "info" and text.strip() == _CANCELLED:
        builder.hint(after_interruption=True)


_REFERENCED = "--- Content from referenced files ---"
_FILE_ARGUMENTS = {"absolute_path": "path", "dir_path": "path"}
"""Arguments by the names that other assistants give them."""


def _text_of(message: dict[str, Any]) -> str:
    """Join the text of a message without the files that were read for it, which come behind all that was typed."""
    shown = message.get("displayContent") if message.get("type") == "user" else None
    content = next((message[key] for key in ("content", "message", "parts") if key in message), "")
    content = content if shown is None else shown
    if isinstance(content, str):
        return content
    parts = items_of(content) or [content]
    texts = (part if isinstance(part, str) else text_of(fields_of(part).get("text")) for part in parts)
    return "".join(takewhile(lambda text: text.strip() != _REFERENCED, texts))
