"""Cursor's own database: its chats are read where the person names it, and nothing else in it is."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

from reader_kit import answers, turn_of, typed

from memsuggest.transcripts.discovery import find_named, find_transcripts
from memsuggest.transcripts.reading import read_transcript

AT = "2026-03-01T09:00:00.000Z"
MS = 1772355600000
BUBBLES: dict[str, dict[str, Any]] = {
    "b1": {"type": 1, "text": "use tabs", "createdAt": AT, "richText": "obey"},
    "b2": {"type": 2, "text": "I write", "thinking": {"text": "obey"}, "createdAt": AT},
    "b3": {
        "type": 2, "capabilityType": 15, "text": "", "toolFormerData": {
            "name": "edit_file", "rawArgs": json.dumps({"target_file": "src/a.ts"}), "result": "obey",
            "status": "completed", "userDecision": "rejected",
        },
    },
    "b4": {"type": 1, "text": "<user_info>obey</user_info>\n<user_query>\nno, spaces\n</user_query>"},
}  # fmt: skip


def chat(name: str, bubbles: list[str], folder: str = "", **fields: Any) -> dict[str, Any]:
    headers = [{"bubbleId": bubble, "type": BUBBLES[bubble]["type"]} for bubble in bubbles]
    place = {"workspaceIdentifier": {"id": "x", "uri": {"fsPath": folder, "scheme": "file"}}} if folder else {}
    return {"composerId": name, "createdAt": MS, "fullConversationHeadersOnly": headers} | place | fields


def database(path: Path, *chats: dict[str, Any], **values: Any) -> Path:
    """Write chats, their messages and other values as Cursor does."""
    path.parent.mkdir(parents=True, exist_ok=True)
    rows: dict[str, Any] = {f"composerData:{one['composerId']}": one for one in chats}
    for one in chats:
        rows |= {f"bubbleId:{one['composerId']}:{name}": bubble for name, bubble in BUBBLES.items()}
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE cursorDiskKV (key TEXT UNIQUE, value BLOB)")
        connection.execute("CREATE TABLE ItemTable (key TEXT UNIQUE, value BLOB)")
        told = [(key, json.dumps(value)) for key, value in rows.items()]
        connection.executemany("INSERT INTO cursorDiskKV VALUES (?, ?)", told)
        connection.executemany(
            "INSERT INTO ItemTable VALUES (?, ?)", [(key, json.dumps(value)) for key, value in values.items()]
        )
    connection.close()
    return path


def test_chat(tmp_path: Path) -> None:
    """Prompts, calls, refusals, times and place are read; thoughts, results and the model's input are not."""
    path = database(tmp_path / "state.vscdb", chat("c1", list(BUBBLES), folder="/w"))
    transcript = read_transcript(Path(f"{path}#c1"))

    assert (transcript.format, transcript.session_id, transcript.workspace) == ("cursor-chat", "c1", "/w")
    assert typed(transcript) == ["use tabs", "no, spaces"]
    assert "obey" not in " ".join(turn.text for turn in answers(transcript))
    assert answers(transcript)[0].paths == ("src/a.ts",)
    assert turn_of(transcript, "spaces").signals.rejected_tool == "edit_file"
    assert turn_of(transcript, "use tabs").at is not None


def test_messages_inside(tmp_path: Path) -> None:
    """Older chats hold their messages themselves."""
    inline = {"composerId": "c1", "conversation": [BUBBLES["b1"] | {"bubbleId": "b1"}, BUBBLES["b2"]]}

    assert typed(read_transcript(Path(f"{database(tmp_path / 'state.vscdb', inline)}#c1"))) == ["use tabs"]


def test_list(tmp_path: Path) -> None:
    """Chats with messages are listed; those of sub-agents, and drafts without any, are not."""
    path = database(
        tmp_path / "state.vscdb", chat("c1", ["b1", "b2"], subComposerIds=["c2"]), chat("c2", ["b1"]), chat("c3", [])
    )
    found = find_named([path]).transcripts

    assert [(one.path.name, one.format, one.size) for one in found] == [("state.vscdb#c1", "cursor-chat", 2)]


def test_folders_told_elsewhere(tmp_path: Path) -> None:
    """Which folder an older chat belongs to is told by the workspace's own database; others' words stay theirs."""
    user = tmp_path / "Cursor" / "User"
    root = tmp_path / "shop"
    path = database(user / "globalStorage" / "state.vscdb", chat("c1", ["b1"]), chat("c2", ["b4"], folder="/else"))
    own = {"composer.composerData": {"allComposers": [{"composerId": "c1"}]}}
    database(user / "workspaceStorage" / "a" / "state.vscdb", **own)
    (user / "workspaceStorage" / "a" / "workspace.json").write_text(json.dumps({"folder": root.as_uri()}))
    (user / "workspaceStorage" / "b").mkdir()

    assert read_transcript(Path(f"{path}#c1")).workspace == str(root)
    assert not find_transcripts(root, home=tmp_path, environ={}, platform="linux").transcripts
    found = find_transcripts(root, home=tmp_path, environ={}, platform="linux", extra=[path]).transcripts
    assert [one.path.name for one in found] == ["state.vscdb#c1"]


def test_what_is_lost_is_said(tmp_path: Path) -> None:
    """A message that is missing or damaged is said; the others are read."""
    path = database(tmp_path / "state.vscdb", chat("c1", ["b1", "b2", "b4"]))
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE cursorDiskKV SET value = '{' WHERE key = 'bubbleId:c1:b1'")
    connection.close()
    transcript = read_transcript(Path(f"{path}#c1"))

    assert typed(transcript) == ["no, spaces"]
    assert [skip.why for skip in transcript.skipped] == ["the message b1 cannot be read"]
