"""Messages of `role` and `content` from any program: an array, an object that holds one, or one message a line."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from memsuggest.core.model import Transcript
from memsuggest.transcripts.parsing.continuing import Continued, whole_reader
from memsuggest.transcripts.parsing.json_records import fields_of, first_objects, instant, items_of, outline, text_of
from memsuggest.transcripts.parsing.prefilter import objects
from memsuggest.transcripts.parsing.transcript_builder import TranscriptBuilder
from memsuggest.transcripts.storage.source import Source, whole

NAME = "generic"

_PERSON = frozenset({"user", "human"})
_ASSISTANT = frozenset({"assistant", "ai", "model", "bot", "agent", "gpt"})
_LISTS = ("messages", "conversation", "history", "turns")
_TIMES = ("timestamp", "created_at", "createdAt", "time", "ts", "date")
_SESSIONS = ("sessionId", "session_id", "conversation_id", "conversationId", "id")
_FOLDERS = ("cwd", "workspace", "directory")
_QUERY = re.compile(
    r"\s*<user_query>|\s*<(?:user_info|timestamp|system_reminder|attached_files)>.*</user_query>\s*\Z", re.DOTALL
)
"""How Cursor wraps what was typed: a conversation with one such message is Cursor's."""
_TEXT_PARTS = frozenset({"", "text", "input_text", "output_text"})


def sniff(head: bytes, _name: str) -> bool:
    """Recognise messages by their keys."""
    shape = outline(head)
    if shape.opening == "[":
        return _is_message(shape.inner)
    if shape.opening != "{":
        return False
    first = next(first_objects(head), {})
    if "role" in first:
        return _is_message(first.keys()) and isinstance(first["role"], str)
    return any(shape.keys.get(key) == "[" for key in _LISTS) and _is_message(shape.innermost)


def _is_message(keys: Iterable[str]) -> bool:
    found = set(keys)
    return "role" in found and not found.isdisjoint({"content", "text", "parts"})


def read_on(source: Source, notes: dict[str, Any]) -> Continued:
    """Read one conversation from `source.start` on, where the `notes` of an earlier reading were taken.

    Only one with a message a line grows at its end.
    """
    builder = TranscriptBuilder(source, name=NAME, notes=notes)
    builder.is_cursor = bool(notes.get("cursor"))
    builder.besides = lambda: {"cursor": builder.is_cursor}
    messages = _Messages(builder)
    head = source.head()
    if "role" not in next(first_objects(head), {}):
        return Continued(_read_whole(source, builder, messages))
    for fields in objects(source, builder.skipped, stand=builder.stand):
        _describe(builder, fields)
        messages.take(fields)
    return builder.continued()


read = whole_reader(read_on)


def _read_whole(source: Source, builder: TranscriptBuilder, messages: _Messages) -> Transcript:
    value = whole(source, hint="another program may still be writing the file; try again later")
    _describe(builder, fields_of(value), is_whole=True)
    listed = items_of(value) or next((found for key in _LISTS if (found := items_of(fields_of(value).get(key)))), [])
    for message in listed:
        if isinstance(message, dict):
            messages.take(message)
        else:
            builder.skip("a message that is not a JSON object")
    return builder.finished()


def _describe(builder: TranscriptBuilder, fields: dict[str, Any], *, is_whole: bool = False) -> None:
    """Note what an object says about the session; a message's own `id` is not the session's."""
    keys = _SESSIONS if is_whole else _SESSIONS[:-1]
    builder.session_id = builder.session_id or next(
        (text_of(fields[key]) for key in keys if text_of(fields.get(key))), ""
    )
    folder = next((text_of(fields[key]) for key in _FOLDERS if text_of(fields.get(key))), None)
    builder.cwd = folder or builder.cwd
    builder.workspace = builder.workspace or builder.cwd


class _Messages:
    """Takes messages in their order."""

    def __init__(self, builder: TranscriptBuilder) -> None:
        self._builder = builder
        self._said = ""
        """What the assistant said last: programs that record a message twice may repeat that before it."""

    def take(self, message: dict[str, Any]) -> None:
        builder = self._builder
        role = text_of(message.get("role")).casefold()
        parts = _texts(next((message[key] for key in ("content", "text", "parts") if message.get(key)), ""))
        at = next((found for key in _TIMES if (found := instant(message.get(key)))), None)
        if role in _PERSON:
            builder.is_cursor = builder.is_cursor or any(_QUERY.match(part) for part in parts)
            builder.listen(*parts, at=at, key=text_of(message.get("id")))
        elif role in _ASSISTANT:
            text = "\n".join(parts)
            builder.say("" if text == self._said else text, at=at, model=message.get("model"))
            self._said = text


def _texts(content: object) -> list[str]:
    """Give the parts of a message that are plain text; results of tools are none."""
    if isinstance(content, str):
        return [content]
    parts = []
    for part in items_of(content) or [content]:
        if isinstance(part, str):
            parts.append(part)
        elif isinstance(part, dict) and text_of(part.get("type")) in _TEXT_PARTS:
            parts.append(text_of(part.get("text")))
    return [part for part in parts if part]
