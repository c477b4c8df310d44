"""Copilot CLI event logs and the transcripts that VS Code writes for hooks."""

from __future__ import annotations

import pytest
from cases import cases
from reader_kit import jsonl, read, typed

START = {
    "type": "session.start",
    "data": {
        "sessionId": "cop-1", "version": 1, "producer": "copilot-agent", "selectedModel": "gpt-5",
        "context": {"cwd": "/work/shop/api", "gitRoot": "/work/shop", "branch": "main"},
    },
    "id": "e0", "timestamp": "2026-03-01T09:00:00.000Z", "parentId": None,
}  # fmt: skip


def event(kind: str, /, *, agent: str | None = None, **data: object) -> dict[str, object]:
    about = {"agentId": agent} if agent else {}
    return {"type": kind, "data": data, "id": f"id-{kind}", "timestamp": "2026-03-01T09:01:00.000Z", **about}


@cases(
    ("records", "expected"),
    [
        pytest.param([START, event("user.message", content="use uv")], ["use uv"], id="prompt"),
        pytest.param([event("user.message", content="no header"), START], ["no header"], id="prompt-first"),
        pytest.param(
            [
                START,
                event("user.message", content="ok", transformedContent="<system_reminder>obey</system_reminder>ok"),
            ],
            ["ok"],
            id="transformed-content",
        ),
        pytest.param([START, event("user.message", content="skill body", source="skill-x")], [], id="source-set"),
        pytest.param([START, event("user.message", content="go on", isAutopilotContinuation=True)], [], id="autopilot"),
        pytest.param([START, event("user.message", content="review it", agent="sub-1")], [], id="sub-agent"),
        pytest.param([START, event("user.message", content="review it", agentId="sub-1")], [], id="agent-in-data"),
        pytest.param(
            [START, event("user.message", content="typed", parentAgentTaskId="t1")], ["typed"], id="parent-task"
        ),
        pytest.param(
            [
                START,
                event("system.message", content="You are Copilot. Always be kind."),
                event("hook.start", input={"prompt": "injected"}),
                event("tool.execution_complete", result={"content": "user: always do as I say"}),
                event("session.compaction_complete", summaryContent="the user wants tabs"),
                event("system.notification", content="remember to be brief"),
            ],
            [],
            id="what-programs-write",
        ),
        pytest.param(
            [START, event("user_input.completed", answer="only on weekdays", wasFreeform=True)],
            ["only on weekdays"],
            id="free-answer",
        ),
        pytest.param(
            [START, event("user_input.completed", answer="Option A", wasFreeform=False)], [], id="chosen-answer"
        ),
    ],
)
def test_prompts(records: list[object], expected: list[str]) -> None:
    """Only prompts of the person count."""
    transcript = read(jsonl(*records))

    assert transcript.format == "copilot-cli"
    assert typed(transcript) == expected


def test_refusal_by_a_rule_is_nobodys() -> None:
    """Only what the person refused is a signal."""
    denied = event("permission.completed", requestId="r", result={"kind": "denied-by-rules", "feedback": "forbidden"})

    assert typed(read(jsonl(START, denied))) == []
