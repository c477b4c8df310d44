"""Chats of Cursor's own database, as `cursor_storage` hands them on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memsuggest.errors import TranscriptError
from memsuggest.transcripts.draft import Draft
from memsuggest.transcripts.json_records import decode, fields_of, instant, items_of, outline, text_of

if TYPE_CHECKING:
    from memsuggest.model import Transcript
    from memsuggest.transcripts.source import Source

NAME = "cursor-chat"

_PERSON, _ASSISTANT = 1, 2
_REJECTED = "rejected"


def sniff(head: bytes, _name: str) -> bool:
    """Recognise a chat by its id and its messages."""
    keys = outline(head).keys
    return keys.get("composerId") == '"' and keys.get("conversation") == "["


def read(source: Source) -> Transcript:
    """Read one chat."""
    try:
        chat = fields_of(decode(source.whole()))
    except ValueError as error:
        raise TranscriptError(f"{source.name}: {error}", hint="open the chat in Cursor, and try again") from None
    draft = Draft(source, name=NAME)
    draft.is_cursor = True
    draft.session_id = text_of(chat.get("composerId"))
    draft.workspace = draft.cwd = text_of(chat.get("folder")) or draft.workspace
    for message in map(fields_of, items_of(chat.get("conversation"))):
        _take(draft, message)
    return draft.finished()


def _take(draft: Draft, message: dict[str, Any]) -> None:
    text, at = text_of(message.get("text")), instant(message.get("createdAt"))
    if lost := text_of(message.get("unreadable")):
        draft.skip(f"{lost} cannot be read")
    elif message.get("type") == _PERSON:
        draft.listen(text, at=at, key=text_of(message.get("bubbleId")))
    elif message.get("type") == _ASSISTANT:
        draft.activity.say(text)
        draft.at = at or draft.at
        if call := fields_of(message.get("call")):
            _take_call(draft, call)


def _take_call(draft: Draft, call: dict[str, Any]) -> None:
    try:
        given = decode(text_of(call.get("rawArgs")).encode("utf-8", "replace"))
    except ValueError:
        given = {}
    draft.use(text_of(call.get("name")) or "tool", given)
    if call.get("userDecision") == _REJECTED:
        draft.reject("")  # the call just taken
