"""Conversations that are handed on as one piece of JSON: of ChatGPT's and claude.ai's exports, of Cursor's database."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memsuggest.core.model import Transcript
from memsuggest.transcripts.parsing.continuing import Format
from memsuggest.transcripts.parsing.json_records import decode, fields_of, instant, items_of, outline, text_of
from memsuggest.transcripts.parsing.transcript_builder import TranscriptBuilder
from memsuggest.transcripts.storage.source import Source, whole

_EXPORT_AGAIN = "export the chats again"


def _branch(nodes: Mapping[str, object], last: str, parent: str) -> list[dict[str, Any]]:
    """Walk from the last message that is shown up to the first; other branches were edited or made anew."""
    shown: dict[str, dict[str, Any]] = {}
    while last in nodes and last not in shown:
        shown[last] = fields_of(nodes[last])
        last = text_of(shown[last].get(parent))
    return list(reversed(shown.values()))


_TYPED = frozenset({"text", "multimodal_text"})
_HIDDEN = ("is_visually_hidden_from_conversation", "is_user_system_message")


def _sniff_chatgpt(head: bytes, _name: str) -> bool:
    keys = outline(head).keys
    return keys.get("mapping") == "{" and not keys.keys().isdisjoint({"current_node", "conversation_id"})


def _read_chatgpt(source: Source) -> Transcript:
    """Read a tree of messages, of which the branch that is shown counts."""
    conversation = fields_of(whole(source, hint=_EXPORT_AGAIN))
    builder = TranscriptBuilder(source, name=CHATGPT.NAME)
    builder.session_id = text_of(conversation.get("conversation_id")) or text_of(conversation.get("id"))
    nodes, last = fields_of(conversation.get("mapping")), text_of(conversation.get("current_node"))
    for message in (fields_of(node.get("message")) for node in _branch(nodes, last, "parent")):
        content, told = fields_of(message.get("content")), fields_of(message.get("metadata"))
        if text_of(content.get("content_type")) not in _TYPED or any(told.get(mark) for mark in _HIDDEN):
            continue
        text = "\n".join(part for part in items_of(content.get("parts")) if isinstance(part, str))
        role, at = fields_of(message.get("author")).get("role"), instant(message.get("create_time"))
        if role == "user":
            files = (text_of(fields_of(each).get("name")) for each in items_of(told.get("attachments")))
            builder.listen(text, at=at, key=text_of(message.get("id")), paths=filter(None, files))
        elif role == "assistant":
            builder.say(text, at=at, model=told.get("model_slug"))
    return builder.finished()


def _read_claude_ai(source: Source) -> Transcript:
    """Read a conversation; texts that were pasted as attachments are not what was typed."""
    conversation = fields_of(whole(source, hint=_EXPORT_AGAIN))
    builder = TranscriptBuilder(source, name=CLAUDE_AI.NAME)
    builder.session_id = text_of(conversation.get("uuid"))
    builder.model = text_of(conversation.get("model")) or None
    messages = list(map(fields_of, items_of(conversation.get("chat_messages"))))
    if messages and all(text_of(message.get("parent_message_uuid")) for message in messages):
        nodes = {text_of(message.get("uuid")): message for message in messages}
        messages = _branch(nodes, text_of(messages[-1].get("uuid")), "parent_message_uuid")
    for message in messages:
        parts = [fields_of(part) for part in items_of(message.get("content"))]
        texts = [text_of(part.get("text")) for part in parts if part.get("type") == "text"]
        text, at = "\n".join(filter(None, texts)) or text_of(message.get("text")), instant(message.get("created_at"))
        if message.get("sender") == "human":
            files = [*items_of(message.get("attachments")), *items_of(message.get("files"))]
            paths = filter(None, (text_of(fields_of(file).get("file_name")) for file in files))
            builder.listen(text, at=at, key=text_of(message.get("uuid")), paths=paths)
        elif message.get("sender") == "assistant":
            builder.say(text, at=at)
    return builder.finished()


_PERSON, _ASSISTANT = 1, 2


def _sniff_cursor(head: bytes, _name: str) -> bool:
    keys = outline(head).keys
    return keys.get("composerId") == '"' and keys.get("conversation") == "["


def _read_cursor(source: Source) -> Transcript:
    """Read a chat as `cursor_database` hands it on."""
    chat = fields_of(whole(source, hint="open the chat in Cursor and try again"))
    builder = TranscriptBuilder(source, name=CURSOR.NAME)
    builder.is_cursor = True
    builder.session_id = text_of(chat.get("composerId"))
    builder.workspace = builder.cwd = text_of(chat.get("folder")) or builder.workspace
    for message in map(fields_of, items_of(chat.get("conversation"))):
        text, at = text_of(message.get("text")), instant(message.get("createdAt"))
        if lost := text_of(message.get("unreadable")):
            builder.skip(f"{lost} cannot be read")
        elif message.get("type") == _PERSON:
            builder.listen(text, at=at, key=text_of(message.get("bubbleId")))
        elif message.get("type") == _ASSISTANT:
            builder.say(text, at=at or builder.at)
            if call := fields_of(message.get("call")):
                try:
                    given = decode(text_of(call.get("rawArgs")).encode("utf-8", "replace"))
                except ValueError:
                    given = {}
                builder.use(text_of(call.get("name")) or "tool", given)
                if call.get("userDecision") == "rejected":
                    builder.reject("")  # the call just taken
    return builder.finished()


CHATGPT = Format("chatgpt", _sniff_chatgpt, _read_chatgpt)
CLAUDE_AI = Format("claude-ai", lambda head, _: outline(head).keys.get("chat_messages") == "[", _read_claude_ai)
CURSOR = Format("cursor-chat", _sniff_cursor, _read_cursor)
