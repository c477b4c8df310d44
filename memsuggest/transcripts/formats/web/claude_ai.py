"""One conversation of claude.ai's export; texts that were pasted as attachments are not what was typed."""

from __future__ import annotations

from typing import Any

from memsuggest.core.model import Transcript
from memsuggest.transcripts.parsing.json_records import fields_of, instant, items_of, outline, text_of
from memsuggest.transcripts.parsing.transcript_builder import TranscriptBuilder
from memsuggest.transcripts.storage.source import Source, whole

NAME = "claude-ai"


def sniff(head: bytes, _name: str) -> bool:
    return outline(head).keys.get("chat_messages") == "["


def read(source: Source) -> Transcript:
    """Read one conversation."""
    conversation = fields_of(whole(source, hint="export the chats again"))
    builder = TranscriptBuilder(source, name=NAME)
    builder.session_id = text_of(conversation.get("uuid"))
    builder.model = text_of(conversation.get("model")) or None
    for message in _shown(list(map(fields_of, items_of(conversation.get("chat_messages"))))):
        text, at = _text(message), instant(message.get("created_at"))
        if message.get("sender") == "human":
            builder.listen(text, at=at, key=text_of(message.get("uuid")), paths=_attached(message))
        elif message.get("sender") == "assistant":
            builder.activity.say(text)
            builder.at = at
    return builder.finished()


def _shown(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Leave out what was edited or made anew, where messages name the one before them; the last is shown."""
    by_name = {text_of(message.get("uuid")): message for message in messages}
    if not all(text_of(message.get("parent_message_uuid")) for message in messages):
        return messages
    shown: dict[str, dict[str, Any]] = {}
    name = text_of(messages[-1].get("uuid")) if messages else ""
    while name in by_name and name not in shown:
        shown[name] = by_name[name]
        name = text_of(by_name[name].get("parent_message_uuid"))
    return list(reversed(shown.values()))


def _text(message: dict[str, Any]) -> str:
    parts = [fields_of(part) for part in items_of(message.get("content"))]
    texts = [text_of(part.get("text")) for part in parts if part.get("type") == "text"]
    return "\n".join(filter(None, texts)) or text_of(message.get("text"))


def _attached(message: dict[str, Any]) -> list[str]:
    files = [*items_of(message.get("attachments")), *items_of(message.get("files"))]
    return [name for file in files if (name := text_of(fields_of(file).get("file_name")))]
