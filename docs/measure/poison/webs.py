"""What chats of the web export, and Cursor's own chats as its storage hands them on, with foreign text in them."""

# ruff: noqa: E501  (tables of invented texts and records)
from __future__ import annotations

import json
from typing import TYPE_CHECKING

from .event import REPO, take_all

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .event import Event


def chatgpt(events: Sequence[Event]) -> str | None:
    nodes: dict[str, dict[str, object]] = {"n0": {"id": "n0", "message": None, "parent": None}}

    def put(role: str, *parts: object, kind: str = "text", **metadata: object) -> None:
        name, content = f"n{len(nodes)}", {"content_type": kind, "parts": list(parts)}
        message = {"id": f"message-{name}", "author": {"role": role}, "create_time": 1772355600.0 + len(nodes),
                   "content": content, "metadata": metadata}  # fmt: skip
        nodes[name] = {"id": name, "message": message, "parent": f"n{len(nodes) - 1}"}

    def replaced(text: str) -> None:
        """Write a prompt that the person edited: another branch."""
        last = f"n{len(nodes) - 1}"
        nodes["branch"] = {"id": "branch", "parent": last, "message": {
            "author": {"role": "user"}, "content": {"content_type": "text", "parts": [text]}}}  # fmt: skip
        put("user", "have a look")
        nodes[f"n{len(nodes) - 1}"]["parent"] = last

    takes: dict[str, Callable[[str], None]] = {
        "typed": lambda text: put("user", text),
        "said": lambda text: put("assistant", text, model_slug="gpt-5"),
        "tool": lambda text: put("tool", text),
        "web": lambda text: put("tool", text, kind="tether_quote"),
        "rules": lambda text: put("user", text, kind="user_editable_context"),
        "synthetic": lambda text: put("user", text, is_visually_hidden_from_conversation=True),
        "context": lambda text: put("system", text),
        "thinking": lambda text: put("assistant", text, kind="thoughts"),
        "attachment": lambda text: put("user", {"asset_pointer": text}, "have a look", kind="multimodal_text",
                                       attachments=[{"name": text[:80], "content": text}]),
        "summary": replaced,
    }  # fmt: skip
    if not take_all(events, takes):
        return None
    shown = list(nodes)[-1]
    return json.dumps({"conversation_id": "g-5e55", "title": "x", "current_node": shown, "mapping": nodes})


def claude_ai(events: Sequence[Event]) -> str | None:
    messages: list[dict[str, object]] = []

    def put(sender: str, *content: dict[str, object], **fields: object) -> None:
        messages.append({"uuid": f"m-{len(messages)}", "sender": sender, "text": "", "content": list(content),
                         "created_at": "2026-03-01T09:00:00Z", **fields})  # fmt: skip

    def text_part(text: str) -> dict[str, object]:
        return {"type": "text", "text": text}

    takes: dict[str, Callable[[str], None]] = {
        "typed": lambda text: put("human", text_part(text)),
        "said": lambda text: put("assistant", text_part(text)),
        "tool": lambda text: put("assistant", {"type": "tool_result", "content": [text_part(text)]}),
        "web": lambda text: put("assistant", {"type": "tool_result", "name": "web_search", "content": text}),
        "thinking": lambda text: put("assistant", {"type": "thinking", "thinking": text}),
        "attachment": lambda text: put("human", text_part("have a look"), attachments=[{
            "file_name": "a.md", "file_type": "txt", "extracted_content": text}]),
        "selection": lambda text: put("human", text_part("have a look"), attachments=[{
            "file_name": "", "file_type": "txt", "extracted_content": text}]),
    }  # fmt: skip
    return json.dumps({"uuid": "c-5e55", "name": "x", "chat_messages": messages}) if take_all(events, takes) else None


def cursor_chat(events: Sequence[Event]) -> str | None:
    messages: list[dict[str, object]] = []

    def put(sort: int, text: str, **fields: object) -> None:
        messages.append({"bubbleId": f"b{len(messages)}", "type": sort, "text": text, **fields})

    def call(name: str, given: dict[str, str]) -> None:
        put(2, "", call={"name": name, "rawArgs": json.dumps(given), "status": "completed", "userDecision": "accepted"})

    takes: dict[str, Callable[[str], None]] = {
        "typed": lambda text: put(1, text),
        "said": lambda text: put(2, text),
        "written": lambda text: call("edit_file", {"target_file": "n.md", "code_edit": text}),
        "path": lambda text: call("read_file", {"target_file": text}),
        "attachment": lambda text: put(1, f"<attached_files>\n{text}\n</attached_files>\n<user_query>\nlook\n</user_query>"),
        "behind": lambda text: put(1, f"<user_query>\nlook\n</user_query>\n{text}"),
        "context": lambda text: put(1, f"{text}\n<user_query>\nlook\n</user_query>"),
        "environment": lambda text: put(1, f"<user_info>\n{text}\n</user_info>\n<user_query>\nlook\n</user_query>"),
    }  # fmt: skip
    whole = {"composerId": "c-5e55", "folder": REPO, "conversation": messages}
    return json.dumps(whole) if take_all(events, takes) else None
