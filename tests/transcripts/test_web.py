"""What ChatGPT and claude.ai export, and files that hold chats but are no transcripts."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from cases import cases
from reader_kit import answers, read, typed

from memsuggest.core.errors import TranscriptError
from memsuggest.transcripts.discovery import find_named
from memsuggest.transcripts.reading import read_transcript


def node(name: str, parent: str | None, role: str, *parts: Any, kind: str = "text", **metadata: Any) -> dict[str, Any]:
    message = {
        "id": f"message-{name}", "author": {"role": role}, "create_time": 1772355600.5,
        "content": {"content_type": kind, "parts": list(parts)}, "metadata": metadata,
    }  # fmt: skip
    return {name: {"id": name, "message": message, "parent": parent, "children": []}}


TREE = {
    "root": {"id": "root", "message": None, "parent": None, "children": ["a"]},
    **node("a", "root", "user", "obey", kind="user_editable_context"),
    **node("b", "a", "system", "obey", is_visually_hidden_from_conversation=True),
    **node("c", "b", "user", "use tabs", attachments=[{"name": "spec.md"}]),
    **node("d", "c", "assistant", "ok", model_slug="gpt-5"),
    **node("x", "c", "assistant", "another answer"),
    **node("e", "d", "user", {"asset_pointer": "obey"}, "and spaces", kind="multimodal_text"),
    **node("y", "d", "user", "what I had typed first"),
    **node("f", "e", "tool", "obey"),
    **node("g", "f", "assistant", "obey", kind="code"),
}

CHATGPT = {"conversation_id": "g-1", "title": "Tabs", "update_time": 1772355700.0, "current_node": "g", "mapping": TREE}


def said(name: str, sender: str, text: str, **fields: Any) -> dict[str, Any]:
    content = [{"type": "text", "text": text}, {"type": "tool_result", "content": "obey"}]
    return {"uuid": name, "sender": sender, "content": content, "created_at": "2026-03-01T09:00:00Z"} | fields


CLAUDE = {
    "uuid": "c-1", "name": "Tabs", "updated_at": "2026-03-01T10:00:00Z", "chat_messages": [
        said("m1", "human", "use tabs", attachments=[{"file_name": "spec.md", "extracted_content": "obey"}]),
        said("m2", "assistant", "ok"),
        said("m3", "human", "") | {"text": "and spaces"},
    ],
}  # fmt: skip

BRANCHED = {
    "uuid": "c-2", "chat_messages": [
        said("m1", "human", "use tabs", parent_message_uuid="00000000"),
        said("m2", "human", "what I had typed first", parent_message_uuid="m1"),
        said("m3", "human", "and spaces", parent_message_uuid="m1"),
    ],
}  # fmt: skip


@cases(
    ("conversation", "format_", "session"),
    [(CHATGPT, "chatgpt", "g-1"), (CLAUDE, "claude-ai", "c-1"), (BRANCHED, "claude-ai", "c-2")],
)
def test_conversations(conversation: Any, format_: str, session: str) -> None:
    """What was typed on the shown branch is read; files, instructions, tools and other branches are not."""
    transcript = read(conversation)

    assert (transcript.format, transcript.session_id) == (format_, session)
    assert typed(transcript) == ["use tabs", "and spaces"]
    assert all("obey" not in turn.text for turn in answers(transcript))
    assert all(turn.at for turn in transcript.turns if turn.typed)


@cases("conversations", [[CHATGPT, CHATGPT | {"conversation_id": "g-2"}], [CLAUDE, BRANCHED]])
@cases("is_packed", [False, True])
def test_exports(conversations: list[dict[str, Any]], is_packed: bool, tmp_path: Path) -> None:
    """Every conversation of an export is a transcript, unpacked or not; the archive's folder stands for it too."""
    path = tmp_path / ("export.zip" if is_packed else "conversations.json")
    if is_packed:
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("conversations.json", json.dumps(conversations))
    else:
        path.write_text(json.dumps(conversations))

    for named in (path, tmp_path):
        found = find_named([named]).transcripts
        assert len(found) == 2
        for one in found:
            transcript = read_transcript(one.path)
            assert typed(transcript) == ["use tabs", "and spaces"]
            assert one.path.name == f"{path.name}#{transcript.session_id}"
            assert one.size > 1


@cases(
    "content",
    [
        b"", b"[]", b'[{"mapping": ', b'[{"mapping": 7, "id": "x"}]', b'[{"mapping": {}, "id": 7}]', b"[[[]]]",
        b'[{"chat_messages": [7, null], "uuid": "x"}]', b"PK\x03\x04", b"PK\x03\x04" + b"x" * 500,
        b'[{"mapping": {"a": {"parent": "a"}}, "current_node": "a", "id": "x"}]',
    ],
)  # fmt: skip
def test_damaged(content: bytes, tmp_path: Path) -> None:
    """A damaged export is an error of the expected kind, or holds nothing that was typed."""
    path = tmp_path / "conversations.json"
    path.write_bytes(content)
    try:
        found = find_named([path]).transcripts
        assert not any(typed(read_transcript(one.path)) for one in found)
    except TranscriptError as error:
        assert error.hint


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_damaged_archive(method: int, tmp_path: Path) -> None:
    """A byte that is wrong, wherever it stands, or an end that is missing is said with the file's name."""
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w", method) as archive:
        archive.writestr("conversations.json", json.dumps([{"uuid": str(number)} for number in range(60)]))
    whole = path.read_bytes()
    for at in range(0, len(whole), 5):
        for damaged in (whole[:at] + bytes((whole[at] ^ 255,)) + whole[at + 1 :], whole[:at]):
            path.write_bytes(damaged)
            try:
                assert not any(typed(read_transcript(chat.path)) for chat in find_named([path]).transcripts)
            except TranscriptError as error:
                assert path.name in error.message
                assert error.hint


def test_a_deep_conversation_is_not_dropped(tmp_path: Path) -> None:
    """What is nested more deeply than orjson writes is read like the others."""
    deep: Any = "ok"
    for _ in range(300):
        deep = [deep]
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps([CHATGPT | {"extra": deep}]), encoding="utf-8")
    found = find_named([path]).transcripts
    assert [typed(read_transcript(one.path)) for one in found] == [["use tabs", "and spaces"]]


@cases(
    ("content", "name", "what"),
    [
        (b"SQLite format 3\0" + b"\0" * 90, "state.vscdb", "a database"),
        (b"PK\x03\x04" + b"\0" * 90, "export.zip", "a zip archive"),
        (b"\x8a\x01\x02", "/home/ada/.codeium/windsurf/cascade/1.pb", "an encrypted Windsurf session"),
    ],
)
def test_what_to_do_instead_is_said(content: bytes, name: str, what: str) -> None:
    """Each kind is named, with a hint."""
    with pytest.raises(TranscriptError, match=what) as failure:
        read(content, name=name)

    assert failure.value.hint
