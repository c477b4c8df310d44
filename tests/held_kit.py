"""Invented repos with a history: rules that are written on a day, and chats on others, in real formats and real git."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from builders import Part, answered, called, claude_records, write_claude

Records = list[dict[str, Any]]


@dataclass(frozen=True, kw_only=True)
class Chat:
    """A chat of a day: what is asked, which files are written, which command is run, what is said at last."""

    day: int
    task: str = "Add a total to the invoice."
    files: Sequence[str] = ("src/invoice.py",)
    command: str = ""
    answer: str = "Done."
    said: str = ""
    """What the person says of it; nothing where it is empty."""
    by: str = "claude"
    """Whose format it is in."""


DAYS = 80
"""Day 0 is so many days ago: chats that are older than 90 are left alone."""


def at(day: int, minute: int = 0) -> str:
    """A moment of a day, in UTC."""
    midnight = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    return f"{midnight - timedelta(days=DAYS - day) + timedelta(hours=10, minutes=minute):%Y-%m-%dT%H:%M:%S}"


def commit(repo: Path, text: str, *, day: int, path: str = "AGENTS.md") -> None:
    """Commit a file with this text on a day."""
    place = repo / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text, encoding="utf-8")
    moment = f"{at(day)}+00:00"
    environment = {**os.environ, "GIT_AUTHOR_DATE": moment, "GIT_COMMITTER_DATE": moment}
    for words in (("add", "-A"), ("commit", "-q", "--allow-empty", "-m", f"Change {path}")):
        subprocess.run(["git", "-C", str(repo), *words], check=True, capture_output=True, env=environment)


def write_chats(home: Path, repo: Path, chats: Sequence[Chat]) -> None:
    """Put chats where their assistants keep them."""
    for number, chat in enumerate(chats):
        WRITERS[chat.by](home, repo, chat, f"{number:08x}-aaaa-4bbb-8ccc-{chat.day:012x}")


def _write(path: Path, records: Records, *, day: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    _date(path, day=day)


def _date(path: Path, *, day: int) -> None:
    written = datetime.fromisoformat(f"{at(day, 59)}+00:00").timestamp()
    os.utime(path, (written, written))


def _claude(home: Path, repo: Path, chat: Chat, session: str) -> None:
    parts: list[Part] = [("user", chat.task)]
    for number, path in enumerate(chat.files):
        parts += called("Write", number, file_path=str(repo / path))
    if chat.command:
        parts += called("Bash", len(chat.files), command=chat.command)
    parts.append(answered(chat.answer))
    if chat.said:
        parts += [("user", chat.said), answered("Right, done.")]
    records = claude_records(repo, parts, session=session, at=lambda number: f"{at(chat.day, number)}.000Z")
    _date(write_claude(home, repo, records), day=chat.day)


def _codex(home: Path, repo: Path, chat: Chat, session: str) -> None:
    moment = f"{at(chat.day)}.000Z"
    made: Records = []

    def add(kind: str, /, **payload: Any) -> None:
        made.append({"timestamp": f"{at(chat.day, min(len(made), 59))}.000Z", "type": kind, "payload": payload})

    def hear(text: str) -> None:
        content = [{"type": "input_text", "text": text}]
        add("response_item", type="message", role="user", content=content)
        add("event_msg", type="user_message", message=text)

    def say(text: str) -> None:
        add("event_msg", type="agent_message", message=text)
        add("response_item", type="message", role="assistant", content=[{"type": "output_text", "text": text}])

    add("session_meta", id=session, timestamp=moment, cwd=str(repo), source="cli", cli_version="0.50.0")
    hear(chat.task)
    for path in chat.files:
        patch = f"*** Begin Patch\n*** Add File: {path}\n+x\n*** End Patch"
        given = json.dumps({"command": ["apply_patch", patch]})
        add("response_item", type="function_call", name="shell", call_id="t", arguments=given)
        add("response_item", type="function_call_output", call_id="t", output="ok")
    if chat.command:
        given = json.dumps({"command": ["bash", "-lc", chat.command]})
        add("response_item", type="function_call", name="shell", call_id="u", arguments=given)
        add("response_item", type="function_call_output", call_id="u", output="ok")
    say(chat.answer)
    if chat.said:
        hear(chat.said)
        say("Right, done.")
    stamp = at(chat.day).replace(":", "-")
    _write(home / ".codex/sessions/2026/01/01" / f"rollout-{stamp}-{session}.jsonl", made, day=chat.day)


def _copilot(home: Path, repo: Path, chat: Chat, session: str) -> None:
    made: Records = []

    def add(kind: str, /, **data: Any) -> None:
        number = len(made)
        made.append(
            {"type": kind, "data": data, "id": f"{session}-{number:04d}", "timestamp": f"{at(chat.day, number)}.000Z"}
        )

    add("session.start", sessionId=session, context={"cwd": str(repo), "branch": "main"})
    add("user.message", content=chat.task)
    for number, path in enumerate(chat.files):
        given = {"path": str(repo / path)}
        add("tool.execution_start", toolName="edit", toolCallId=f"t{number}", arguments=given)
    if chat.command:
        add("tool.execution_start", toolName="bash", toolCallId="u", arguments={"command": chat.command})
    add("assistant.message", content=chat.answer, model="m")
    if chat.said:
        add("user.message", content=chat.said)
        add("assistant.message", content="Right, done.", model="m")
    _write(home / ".copilot/session-state" / session / "events.jsonl", made, day=chat.day)


WRITERS = {"claude": _claude, "codex": _codex, "copilot": _copilot}
"""How a chat is written in each format."""
