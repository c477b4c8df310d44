"""Small invented things that many tests need."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any


def claude_lines(
    repo: Path, *said: str, session: str = "11111111-aaaa-4bbb-8ccc-222222222222", day: int = 1
) -> list[dict[str, Any]]:
    """The records of a Claude Code session in which the person says some things, each answered briefly."""
    records: list[dict[str, Any]] = []
    parent = None
    for number, text in enumerate(said):
        for role in ("user", "assistant"):
            content: Any = text if role == "user" else [{"type": "text", "text": "Done."}]
            uuid = f"{session[:8]}-{number:04d}-{role}"
            records.append(
                {
                    "type": role,
                    "uuid": uuid,
                    "parentUuid": parent,
                    "sessionId": session,
                    "timestamp": f"2026-03-{day:02d}T10:{number:02d}:{'00' if role == 'user' else '30'}.000Z",
                    "cwd": str(repo),
                    "gitBranch": "main",
                    "version": "2.1.0",
                    "userType": "external",
                    "isSidechain": False,
                    "message": {"role": role, "content": content},
                }
            )
            parent = uuid
    return records


def claude_session(
    home: Path, repo: Path, *said: str, session: str = "11111111-aaaa-4bbb-8ccc-222222222222", day: int = 1
) -> Path:
    """A Claude Code session of a repo, where Claude Code keeps it."""
    folder = home / ".claude/projects" / re.sub(r"[^A-Za-z0-9]", "-", str(repo))
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{session}.jsonl"
    lines = claude_lines(repo, *said, session=session, day=day)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def claude_writing(home: Path, repo: Path, said: str, *paths: str, session: str = "22222222-aaaa-4bbb-8ccc") -> Path:
    """A Claude Code session of a repo in which the assistant wrote these files; what is in them stands on the disk."""
    first, last = claude_lines(repo, said, session=session)
    records = [first]
    for number, path in enumerate(paths):
        for role, block in (
            ("assistant", {"type": "tool_use", "id": f"t{number}", "name": "Write", "input": {"file_path": path}}),
            ("user", {"type": "tool_result", "tool_use_id": f"t{number}", "content": "written"}),
        ):
            uuid, parent = f"{session[:8]}-{number:04d}-{role}-w", records[-1]["uuid"]
            records.append(
                first
                | {"type": role, "uuid": uuid, "parentUuid": parent, "message": {"role": role, "content": [block]}}
            )
    records.append(last | {"parentUuid": records[-1]["uuid"]})
    folder = home / ".claude/projects" / re.sub(r"[^A-Za-z0-9]", "-", str(repo))
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{session}.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def fake_token() -> str:
    """What looks like a token, made of parts so that none stands in the project."""
    return "gh" + "p_" + "a1B2c3D4e5" * 3 + "F6g7H8"


def tree(folder: Path) -> dict[str, bytes]:
    """Every file below a folder, but git's own."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and ".git" not in path.relative_to(folder).parts
    }
