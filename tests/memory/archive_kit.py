"""Finished sessions of an assistant, and what the archive has of them."""

from __future__ import annotations

import itertools
import json
import os
import re
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from builders import claude_lines
from learning.watched import context_of

from memsuggest.memory.entry import Entry, EntryStatus, Layer

DAY = 86_400
SESSION = "44444444-aaaa-4bbb-8ccc-555555555555"


def chat(repo: Path, *said: str, session: str = SESSION, branch: str = "main", wrote: str = "", age: int = DAY) -> Path:
    """A session of Claude Code that nobody touched for some seconds; `wrote` is a file of the assistant."""
    lines = [line | {"gitBranch": branch} for line in claude_lines(repo, *said, session=session)]
    if wrote:
        block = {"type": "tool_use", "id": "t1", "name": "Write", "input": {"file_path": str(repo / wrote)}}
        answer = {"type": "tool_result", "tool_use_id": "t1", "content": "written"}
        for role, part in (("assistant", block), ("user", answer)):
            lines.append(last(lines) | {"type": role, "message": {"role": role, "content": [part]}})
    folder = Path(os.environ["HOME"]) / ".claude/projects" / re.sub(r"[^A-Za-z0-9]", "-", str(repo))
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{session}.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    os.utime(path, (time.time() - age,) * 2)
    return path


def conversation(repo: Path, said: Sequence[tuple[str, str]]) -> Path:
    """A finished session in which both sides speak."""
    path = chat(repo, *(text for _, text in said))
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    lines = [line for line in lines if line["type"] == "user"]
    for line, (role, text) in zip(lines, said, strict=True):
        content: object = text if role == "user" else [{"type": "text", "text": text}]
        line |= {"type": role, "message": {"role": role, "content": content}}
    for before, line in itertools.pairwise(lines):
        line["parentUuid"] = before["uuid"]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    os.utime(path, (time.time() - DAY,) * 2)
    return path


def last(lines: list[dict[str, Any]]) -> dict[str, Any]:
    before = lines[-1]["uuid"]
    return lines[-1] | {"uuid": f"{before}-w", "parentUuid": before}


def entries(repo: Path, layer: Layer = Layer.ARCHIVE, *, status: EntryStatus = EntryStatus.ACTIVE) -> list[Entry]:
    context = context_of(repo)
    try:
        return [entry for entry in context.profile.entries.entries(layers=(layer,)) if entry.status is status]
    finally:
        context.close()


def contents(repo: Path, layer: Layer = Layer.ARCHIVE) -> list[str]:
    return [entry.content for entry in entries(repo, layer)]
