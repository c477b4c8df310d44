"""What the assistants and tools with one record a message write, with foreign text in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .event import AT, REPO, as_jsonl, take_all

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .event import Event


def pi(events: Sequence[Event]) -> str | None:
    records: list[dict[str, object]] = [{"type": "session", "version": 3, "id": "5e551011", "cwd": REPO}]

    def put(kind: str, **fields: object) -> None:
        number = len(records)
        link = {"id": f"e{number}", "parentId": f"e{number - 1}" if number > 1 else None}
        records.append({"type": kind, **link, "timestamp": AT.format(number % 60), **fields})

    def message(role: str, *blocks: dict[str, object], **fields: object) -> None:
        put("message", message={"role": role, "content": list(blocks), **fields})

    def block(text: str) -> dict[str, object]:
        return {"type": "text", "text": text}

    def result(tool: str, given: dict[str, str], text: str, *, is_error: bool = False) -> None:
        call = f"c{len(records)}"
        message("assistant", {"type": "toolCall", "id": call, "name": tool, "arguments": given})
        message("toolResult", block(text), toolCallId=call, toolName=tool, isError=is_error)

    takes: dict[str, Callable[[str], None]] = {
        "typed": lambda text: message("user", block(text)),
        "said": lambda text: message("assistant", block(text)),
        "tool": lambda text: result("bash", {"command": "make test"}, text),
        "error": lambda text: result("bash", {"command": "make test"}, text, is_error=True),
        "file": lambda text: result("read", {"path": f"{REPO}/README.md"}, text),
        "written": lambda text: result("write", {"path": f"{REPO}/notes.md", "content": text}, "ok"),
        "path": lambda text: result("read", {"path": f"{REPO}/{text}"}, "empty"),
        "skill": lambda text: message("user", block(f'<skill name="x" location="/s">\n{text}\n</skill>')),
        "context": lambda text: put("custom_message", customType="x", content=text, display=True),
        "summary": lambda text: put("compaction", summary=text, firstKeptEntryId="e1"),
        "plan": lambda text: put("branch_summary", summary=text, fromId="e1"),
        "hook": lambda text: message("custom", block(text), customType="x"),
        "thinking": lambda text: message("assistant", {"type": "thinking", "thinking": text}),
        "synthetic": lambda text: message("user", block(text), synthetic=True),
    }
    return as_jsonl(records) if take_all(events, takes) else None


def entire(events: Sequence[Event]) -> str | None:
    records: list[dict[str, object]] = []

    def put(kind: str, *blocks: dict[str, object]) -> None:
        told = {"v": 1, "agent": "claude-code", "cli_version": "0.6.0", "type": kind}
        records.append({**told, "ts": AT.format(len(records) % 60), "content": list(blocks)})

    def result(tool: str, given: dict[str, str], text: str, status: str = "success") -> None:
        told = {"type": "tool_use", "id": f"c{len(records)}", "name": tool, "input": given}
        put("assistant", {**told, "result": {"output": text, "status": status}})

    takes: dict[str, Callable[[str], None]] = {
        "typed": lambda text: put("user", {"text": text}),
        "said": lambda text: put("assistant", {"type": "text", "text": text}),
        "tool": lambda text: result("Bash", {"command": "make test"}, text),
        "error": lambda text: result("Bash", {"command": "make test"}, text, "error"),
        "file": lambda text: result("Read", {"file_path": f"{REPO}/README.md"}, text),
        "written": lambda text: result("Write", {"file_path": f"{REPO}/notes.md", "content": text}, "ok"),
        "path": lambda text: result("Read", {"file_path": f"{REPO}/{text}"}, "empty"),
        "reminder": lambda text: put("user", {"text": f"<system-reminder>\n{text}\n</system-reminder>"}),
        "rules": lambda text: put("system", {"text": text}),
    }
    return as_jsonl(records) if take_all(events, takes) else None
