"""Notes of assistants, where they keep them."""

from __future__ import annotations

import re
from pathlib import Path


def memory_folder(home: Path, repo: Path) -> Path:
    """Claude Code's memory of a repo."""
    folder = home / ".claude/projects" / re.sub(r"[^A-Za-z0-9]", "-", str(repo)) / "memory"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def note(folder: Path, name: str, body: str, *, kind: str = "feedback", session: str = "", described: str = "") -> Path:
    """A topic file of Claude Code's memory."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.md"
    origin = f"  originSessionId: {session}\n" if session else ""
    header = (
        f"---\nname: {name}\ndescription: {described}\nmetadata:\n  node_type: memory\n  type: {kind}\n{origin}---\n"
    )
    path.write_text(f"{header}\n{body}\n", encoding="utf-8")
    return path
