"""OpenCode's own storage with invented sessions in it: its database, and the tree of files that came before."""

from __future__ import annotations

import json
import sqlite3
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

MS = 1772355600000
SCHEMA = """
CREATE TABLE project (id TEXT PRIMARY KEY);
CREATE TABLE session (id TEXT PRIMARY KEY, parent_id TEXT, directory TEXT NOT NULL, title TEXT, revert TEXT,
    time_created INTEGER, time_updated INTEGER);
CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, data TEXT NOT NULL);
CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, data TEXT NOT NULL);
"""


def text(words: str, **fields: Any) -> dict[str, Any]:
    return {"type": "text", "text": words, **fields}


def messages(*said: str) -> list[dict[str, Any]]:
    """A session in which the person says these things, and the assistant answers with a big tool result."""
    found: list[dict[str, Any]] = []
    for number, words in enumerate(said):
        found.append({"role": "user", "time": {"created": MS}, "parts": [text(words), text("obey", synthetic=True)]})
        state = {"status": "completed", "input": {"filePath": "/w/a.ts"}, "output": "obey " * 1000}
        parts = [text(f"done {number}"), {"type": "tool", "tool": "write", "state": state}, {"type": "step-start"}]
        found.append({"role": "assistant", "modelID": "big", "time": {"created": MS}, "parts": parts})
    return found


def database(path: Path, *sessions: tuple[str, str, list[dict[str, Any]]], parent: str | None = None) -> Path:
    """Write sessions (id, folder, messages) to a database, as OpenCode does."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with sqlite3.connect(path) as connection:
        connection.executescript(SCHEMA)
        for session, folder, said in sessions:
            connection.execute(
                "INSERT INTO session VALUES (?, ?, ?, 'x', NULL, ?, ?)", (session, parent, folder, MS, MS)
            )
            add(connection, session, said)
    connection.close()
    return path


def add(connection: sqlite3.Connection, session: str, said: list[dict[str, Any]], *, begin: int = 0) -> None:
    """Write messages of a session, numbered from `begin`."""
    for number, message in enumerate(said, begin):
        name = f"msg_{session}{number:03}"
        data = {key: value for key, value in message.items() if key != "parts"}
        connection.execute("INSERT INTO message VALUES (?, ?, ?, ?)", (name, session, number, json.dumps(data)))
        for place, part in enumerate(message["parts"]):
            row = (f"prt_{session}{number:03}{place}", name, session, json.dumps(part))
            connection.execute("INSERT INTO part VALUES (?, ?, ?, ?)", row)


def tree(data: Path, session: str, folder: str, said: list[dict[str, Any]], **info: Any) -> Path:
    """Write a session as versions before 1.2 did; return the file that describes it."""
    path = data / "storage" / "session" / "project" / f"{session}.json"
    written = {path: {"id": session, "directory": folder, "time": {"created": MS}} | info}
    for number, message in enumerate(said):
        name = f"msg_{number:03}"
        fields = {key: value for key, value in message.items() if key != "parts"}
        written[data / "storage" / "message" / session / f"{name}.json"] = {"id": name, **fields}
        for place, part in enumerate(message["parts"]):
            written[data / "storage" / "part" / name / f"prt_{place}.json"] = {"id": f"prt_{place}", **part}
    for place_of, content in written.items():
        place_of.parent.mkdir(parents=True, exist_ok=True)
        place_of.write_text(json.dumps(content), encoding="utf-8")
    return path
