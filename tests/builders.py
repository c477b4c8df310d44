"""Small invented things that many tests need."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

SESSION = "11111111-aaaa-4bbb-8ccc-222222222222"
Part = tuple[str, Any]
"""A role and the content of its message."""


def claude_records(
    repo: Path, parts: Sequence[Part], *, session: str = SESSION, at: Callable[[int], str] | None = None, day: int = 1
) -> list[dict[str, Any]]:
    """The records of a Claude Code session; `at` says when each was written."""
    at = at or (lambda number: f"2026-03-{day:02d}T10:{number // 2:02d}:{30 * (number % 2):02d}.000Z")
    records: list[dict[str, Any]] = []
    for number, (role, content) in enumerate(parts):
        records.append(
            {
                "type": role,
                "uuid": f"{session}-{number:04d}",
                "parentUuid": records[-1]["uuid"] if records else None,
                "sessionId": session,
                "timestamp": at(number),
                "cwd": str(repo),
                "gitBranch": "main",
                "version": "2.1.0",
                "userType": "external",
                "isSidechain": False,
                "message": {"role": role, "content": content},
            }
        )
    return records


def claude_lines(repo: Path, *said: str, session: str = SESSION, day: int = 1) -> list[dict[str, Any]]:
    """The records of a session in which the person says some things, each answered briefly."""
    parts = [part for text in said for part in (("user", text), answered("Done."))]
    return claude_records(repo, parts, session=session, day=day)


def answered(text: str) -> Part:
    return "assistant", [{"type": "text", "text": text}]


def called(name: str, number: int, **given: str) -> list[Part]:
    """A call of a tool, and its result."""
    block = {"type": "tool_use", "id": f"t{number}", "name": name, "input": given}
    result = {"type": "tool_result", "tool_use_id": f"t{number}", "content": "ok"}
    return [("assistant", [block]), ("user", [result])]


def claude_session(home: Path, repo: Path, *said: str, session: str = SESSION, day: int = 1) -> Path:
    """A Claude Code session of a repo, where Claude Code keeps it."""
    return write_claude(home, repo, claude_lines(repo, *said, session=session, day=day))


def claude_writing(home: Path, repo: Path, said: str, *paths: str, session: str = "22222222-aaaa-4bbb-8ccc") -> Path:
    """A Claude Code session of a repo in which the assistant wrote these files; what is in them stands on the disk."""
    writes = [part for number, path in enumerate(paths) for part in called("Write", number, file_path=path)]
    return write_claude(home, repo, claude_records(repo, [("user", said), *writes, answered("Done.")], session=session))


def write_claude(home: Path, repo: Path, records: Sequence[dict[str, Any]]) -> Path:
    folder = home / ".claude/projects" / re.sub(r"[^A-Za-z0-9]", "-", str(repo))
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{records[0]['sessionId']}.jsonl"
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
