"""Messages of `role` and `content` from any program: an array, an object that holds one, or one message a line."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from memsuggest.errors import TranscriptError
from memsuggest.transcripts.continuing import Continued
from memsuggest.transcripts.draft import Draft
from memsuggest.transcripts.json_records import (
    decode,
    fields_of,
    first_objects,
    instant,
    items_of,
    outline,
    text_of,
)
from memsuggest.transcripts.prefilter import objects

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memsuggest.model import Transcript
    from memsuggest.transcripts.source import Source

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


def read(source: Source) -> Transcript:
    """Read one conversation."""
    return read_on(source, {}).transcript


def read_on(source: Source, notes: dict[str, Any]) -> Continued:
    """Read one conversation from `source.start` on, where the `notes` of an earlier reading were taken.

    Only one with a message a line grows at its end.
    """
    draft = Draft(source, name=NAME, notes=notes)
    draft.is_cursor = bool(notes.get("cursor"))
    draft.besides = lambda: {"cursor": draft.is_cursor}
    messages = _Messages(draft)
    head = source.head()
    if "role" not in next(first_objects(head), {}):
        return Continued(_read_whole(source, draft, messages))
    for fields in objects(source, draft.skipped, stand=draft.stand):
        _describe(draft, fields)
        messages.take(fields)
    return draft.continued()


def _read_whole(source: Source, draft: Draft, messages: _Messages) -> Transcript:
    try:
        whole = decode(source.whole())
    except ValueError as error:
        raise TranscriptError(f"{source.name}: {error}", hint="the file may still be being written") from None
    _describe(draft, fields_of(whole), is_whole=True)
    listed = items_of(whole) or next((found for key in _LISTS if (found := items_of(fields_of(whole).get(key)))), [])
    for message in listed:
        if isinstance(message, dict):
            messages.take(message)
        else:
            draft.skip("a message that is no object")
    return draft.finished()


def _describe(draft: Draft, fields: dict[str, Any], *, is_whole: bool = False) -> None:
    """Note what an object says about the session; a message's own `id` is not the session's."""
    keys = _SESSIONS if is_whole else _SESSIONS[:-1]
    draft.session_id = draft.session_id or next((text_of(fields[key]) for key in keys if text_of(fields.get(key))), "")
    folder = next((text_of(fields[key]) for key in _FOLDERS if text_of(fields.get(key))), None)
    draft.cwd = folder or draft.cwd
    draft.workspace = draft.workspace or draft.cwd


class _Messages:
    """Takes messages in their order."""

    def __init__(self, draft: Draft) -> None:
        self._draft = draft
        self._said = ""
        """What the assistant said last: programs that record a message twice may repeat that before it."""

    def take(self, message: dict[str, Any]) -> None:
        """Take the next message."""
        draft = self._draft
        role = text_of(message.get("role")).casefold()
        parts = _texts(next((message[key] for key in ("content", "text", "parts") if message.get(key)), ""))
        at = next((found for key in _TIMES if (found := instant(message.get(key)))), None)
        if role in _PERSON:
            draft.is_cursor = draft.is_cursor or any(_QUERY.match(part) for part in parts)
            draft.listen(*parts, at=at, key=text_of(message.get("id")))
        elif role in _ASSISTANT:
            draft.model = text_of(message.get("model")) or draft.model
            text = "\n".join(parts)
            draft.activity.say("" if text == self._said else text)
            self._said = text
            draft.at = at


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
