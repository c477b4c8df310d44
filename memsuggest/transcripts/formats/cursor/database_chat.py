"""Chats of Cursor's own database, as `cursor_storage` hands them on."""

from __future__ import annotations

from typing import Any

from memsuggest.core.model import Transcript
from memsuggest.transcripts.parsing.json_records import decode, fields_of, instant, items_of, outline, text_of
from memsuggest.transcripts.parsing.transcript_builder import TranscriptBuilder
from memsuggest.transcripts.storage.source import Source, whole

NAME = "cursor-chat"

_PERSON, _ASSISTANT = 1, 2
_REJECTED = "rejected"


def sniff(head: bytes, _name: str) -> bool:
    """Recognise a chat by its id and its messages."""
    keys = outline(head).keys
    return keys.get("composerId") == '"' and keys.get("conversation") == "["


def read(source: Source) -> Transcript:
    """Read one chat."""
    chat = fields_of(whole(source, hint="open the chat in Cursor and try again"))
    builder = TranscriptBuilder(source, name=NAME)
    builder.is_cursor = True
    builder.session_id = text_of(chat.get("composerId"))
    builder.workspace = builder.cwd = text_of(chat.get("folder")) or builder.workspace
    for message in map(fields_of, items_of(chat.get("conversation"))):
        _take(builder, message)
    return builder.finished()


def _take(builder: TranscriptBuilder, message: dict[str, Any]) -> None:
    text, at = text_of(message.get("text")), instant(message.get("createdAt"))
    if lost := text_of(message.get("unreadable")):
        builder.skip(f"{lost} cannot be read")
    elif message.get("type") == _PERSON:
        builder.listen(text, at=at, key=text_of(message.get("bubbleId")))
    elif message.get("type") == _ASSISTANT:
        builder.activity.say(text)
        builder.at = at or builder.at
        if call := fields_of(message.get("call")):
            _take_call(builder, call)


def _take_call(builder: TranscriptBuilder, call: dict[str, Any]) -> None:
    try:
        given = decode(text_of(call.get("rawArgs")).encode("utf-8", "replace"))
    except ValueError:
        given = {}
    builder.use(text_of(call.get("name")) or "tool", given)
    if call.get("userDecision") == _REJECTED:
        builder.reject("")  # the call just taken
