"""One conversation of ChatGPT's export: a tree of messages, of which the branch that is shown counts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from memsuggest.core.model import Transcript
from memsuggest.transcripts.parsing.json_records import fields_of, instant, items_of, outline, text_of
from memsuggest.transcripts.parsing.transcript_builder import TranscriptBuilder
from memsuggest.transcripts.storage.source import Source, whole

NAME = "chatgpt"

_TYPED = frozenset({"text", "multimodal_text"})
_HIDDEN = ("is_visually_hidden_from_conversation", "is_user_system_message")


def sniff(head: bytes, _name: str) -> bool:
    """Recognise a conversation by its tree."""
    shape = outline(head)
    return shape.keys.get("mapping") == "{" and not shape.keys.keys().isdisjoint({"current_node", "conversation_id"})


def read(source: Source) -> Transcript:
    """Read one conversation."""
    conversation = fields_of(whole(source, hint="export the chats again"))
    builder = TranscriptBuilder(source, name=NAME)
    builder.session_id = text_of(conversation.get("conversation_id")) or text_of(conversation.get("id"))
    for message in reversed(list(_shown(conversation))):
        _take(builder, message)
    return builder.finished()


def _shown(conversation: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Walk from the last message that is shown up to the first; other branches were edited or made anew."""
    nodes = fields_of(conversation.get("mapping"))
    name = text_of(conversation.get("current_node"))
    seen: set[str] = set()
    while name and name not in seen:
        seen.add(name)
        node = fields_of(nodes.get(name))
        yield fields_of(node.get("message"))
        name = text_of(node.get("parent"))


def _take(builder: TranscriptBuilder, message: dict[str, Any]) -> None:
    content, told = fields_of(message.get("content")), fields_of(message.get("metadata"))
    if text_of(content.get("content_type")) not in _TYPED or any(told.get(mark) for mark in _HIDDEN):
        return
    text = "\n".join(part for part in items_of(content.get("parts")) if isinstance(part, str))
    role, at = fields_of(message.get("author")).get("role"), instant(message.get("create_time"))
    if role == "user":
        files = (text_of(fields_of(each).get("name")) for each in items_of(told.get("attachments")))
        builder.listen(text, at=at, key=text_of(message.get("id")), paths=filter(None, files))
    elif role == "assistant":
        builder.model = text_of(told.get("model_slug")) or builder.model
        builder.activity.say(text)
        builder.at = at
