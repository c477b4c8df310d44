"""Whether the assistant is still at a turn, by the end of a session's file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from cases import cases

from memsuggest.transcripts.raw_sessions import is_under_way

PROMPT = {"type": "user", "message": {"role": "user", "content": "please look at the footer"}}
TEXT = {"type": "text", "text": "Done."}
CALL = {"type": "tool_use", "id": "t", "name": "Read", "input": {}}
RESULT = {"type": "user", "message": {"role": "user", "content": [{"type": "tool_result", "content": "x"}]}}
LOCAL = {"type": "user", "message": {"role": "user", "content": "<command-name>/cost</command-name>"}}
STOPPED = {
    "type": "user",
    "message": {"role": "user", "content": [{"type": "text", "text": "[Request interrupted by user]"}]},
}


def answer(*blocks: dict[str, Any], stop: str | None = None, **more: object) -> dict[str, Any]:
    return {"type": "assistant", "message": {"role": "assistant", "content": blocks, "stop_reason": stop}, **more}


def event(kind: str) -> dict[str, Any]:
    return {"type": "event_msg", "payload": {"type": kind}}


def told(kind: str) -> dict[str, Any]:
    return {"type": kind, "data": {}}


@cases(
    ("name", "records", "expected"),
    [
        ("claude-code", [PROMPT], True),
        ("claude-code", [PROMPT, answer(TEXT)], False),
        ("claude-code", [PROMPT, answer(TEXT, stop="end_turn")], False),
        ("claude-code", [PROMPT, answer(TEXT, stop="tool_use")], True),
        ("claude-code", [PROMPT, answer(CALL)], True),
        ("claude-code", [PROMPT, answer(CALL), RESULT], True),
        ("claude-code", [PROMPT, answer(CALL), RESULT, answer(TEXT, stop="end_turn")], False),
        ("claude-code", [PROMPT, answer(CALL), STOPPED], False),
        ("claude-code", [PROMPT, answer(TEXT, stop="end_turn"), LOCAL], False),
        ("claude-code", [PROMPT, answer(CALL), answer(TEXT, stop="end_turn", isSidechain=True)], True),
        ("claude-code", [PROMPT, answer(CALL), {"type": "system", "subtype": "turn_duration"}], False),
        ("claude-code", [PROMPT, answer(TEXT, stop="end_turn"), {"type": "last-prompt"}], False),
        ("claude-code", [], False),
        ("codex", [event("task_started"), event("user_message")], True),
        ("codex", [event("task_started"), event("agent_message"), event("task_complete")], False),
        ("codex", [event("task_started"), event("turn_aborted")], False),
        ("codex", [event("user_message"), event("agent_message")], False),
        ("copilot-cli", [told("user.message"), told("assistant.turn_start"), told("tool.execution_start")], True),
        ("copilot-cli", [told("assistant.turn_start"), told("assistant.turn_end")], False),
        ("copilot-cli", [told("assistant.turn_start"), told("abort")], False),
        ("generic", [PROMPT], False),
    ],
)
def test_by_the_last_records(tmp_path: Path, name: str, records: list[dict[str, Any]], expected: bool) -> None:
    """The last record that tells decides; a row that is being written does not."""
    path = tmp_path / "chat.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    assert is_under_way(str(path), name) is expected
    path.write_text(path.read_text() + '{"type": "assistant", "mess')
    assert is_under_way(str(path), name) is expected


@cases("size", [10, 65_536, 65_600, 200_000])
def test_only_the_end_is_looked_at(tmp_path: Path, size: int) -> None:
    """However long the session is; of a last record that is longer than the end, nothing is told."""
    path = tmp_path / "chat.jsonl"
    long = {"type": "user", "message": {"role": "user", "content": "x" * size}}
    path.write_text("".join(json.dumps(one) + "\n" for one in (long, answer(CALL))))
    assert is_under_way(str(path), "claude-code")
    path.write_text("".join(json.dumps(one) + "\n" for one in (answer(CALL), long)))
    assert is_under_way(str(path), "claude-code") is (size < 60_000)


def test_gone(tmp_path: Path) -> None:
    """A file that is not there has no turn under way."""
    assert not is_under_way(str(tmp_path / "chat.jsonl"), "claude-code")
