"""Messages of `role` and `content` from any program: an array, an object that holds one, or one message a line."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from memsuggest.transcripts.parsing.continuing import Continued, whole_reader
from memsuggest.transcripts.parsing.json_records import fields_of, first_objects, instant, items_of, outline, text_of
from memsuggest.transcripts.parsing.transcript_builder import TranscriptBuilder
from memsuggest.transcripts.storage.source import Source, objects, whole

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
    said = ""  # by the assistant, last: programs that record a message twice may repeat that before it
    if "role" in next(first_objects(source.head()), {}):
        for fields in objects(source, builder.skipped, stand=builder.stand):
            _describe(builder, fields, _SESSIONS[:-1])  # a message's own `id` is not the session's
            said = _take(builder, fields, said)
        return builder.continued()
    value = whole(source, hint="another program may still be writing the file; try again later")
    _describe(builder, fields_of(value), _SESSIONS)
    listed = items_of(value) or next((found for key in _LISTS if (found := items_of(fields_of(value).get(key)))), [])
    for message in listed:
        if isinstance(message, dict):
            said = _take(builder, message, said)
        else:
            builder.skip("a message that is not a JSON object")
    return Continued(builder.finished())


read = whole_reader(read_on)


def _describe(builder: TranscriptBuilder, fields: dict[str, Any], sessions: Iterable[str]) -> None:
    name = next(filter(None, map(text_of, map(fields.get, sessions))), "")
    builder.session_id = builder.session_id or name
    builder.cwd = next(filter(None, map(text_of, map(fields.get, _FOLDERS))), None) or builder.cwd
    builder.workspace = builder.workspace or builder.cwd


def _take(builder: TranscriptBuilder, message: dict[str, Any], said: str) -> str:
    """Take a message; return what the assistant said last. Results of tools are no text."""
    role = text_of(message.get("role")).casefold()
    content = next(filter(None, map(message.get, ("content", "text", "parts"))), "")
    parts = [{"text": part} if isinstance(part, str) else fields_of(part) for part in items_of(content) or [content]]
    texts = [text_of(part.get("text")) for part in parts if text_of(part.get("type")) in _TEXT_PARTS]
    at = next(filter(None, map(instant, map(message.get, _TIMES))), None)
    if role in _PERSON:
        builder.is_cursor = builder.is_cursor or any(map(_QUERY.match, texts))
        builder.listen(*texts, at=at, key=text_of(message.get("id")))
    elif role in _ASSISTANT:
        text = "\n".join(filter(None, texts))
        builder.say("" if text == said else text, at=at, model=message.get("model"))
        return text
    return said
