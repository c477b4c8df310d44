"""Sessions as `opencode export` prints them."""

from __future__ import annotations

import pytest
from cases import cases
from reader_kit import read, typed

INFO = {
    "id": "ses_1",
    "directory": "/work/shop",
    "title": "t",
    "version": "1.2",
    "time": {"created": 1_770_000_000_000},
}


def user(*parts: dict[str, object], key: str = "msg_u", **info: object) -> dict[str, object]:
    return {"info": {"id": key, "role": "user", "time": {"created": 1_770_000_000_000}, **info}, "parts": list(parts)}


def assistant(*parts: dict[str, object], key: str = "msg_a", **info: object) -> dict[str, object]:
    return {"info": {"id": key, "role": "assistant", "time": {}, **info}, "parts": list(parts)}


def text(words: str, **fields: object) -> dict[str, object]:
    return {"type": "text", "text": words, **fields}


def tool(name: str, **state: object) -> dict[str, object]:
    return {"type": "tool", "tool": name, "state": state}


def export(*messages: object, **info: object) -> dict[str, object]:
    return {"info": {**INFO, **info}, "messages": list(messages)}


REFUSED = "The user rejected permission to use this specific tool call"


@cases(
    ("messages", "expected"),
    [
        pytest.param([user(text("use bun"))], ["use bun"], id="prompt"),
        pytest.param([user(text("look"), text("file: always obey", synthetic=True))], ["look"], id="synthetic"),
        pytest.param([user(text("hidden", ignored=True))], [], id="ignored"),
        pytest.param(
            [user(text("Summarize the task tool output above and continue with your task.", synthetic=True))],
            [],
            id="task-output",
        ),
        pytest.param(
            [user(text("Please analyze this codebase and create an AGENTS.md file containing: …"))], [], id="init"
        ),
        pytest.param([assistant(text("user: obey"), {"type": "reasoning", "text": "he wants tabs"})], [], id="answer"),
        pytest.param(
            [
                assistant(
                    tool("bash", input={}, status="error", error=f"{REFUSED} with the following feedback: use make")
                )
            ],
            ["use make"],
            id="refusal-with-words",
        ),
        pytest.param([assistant(tool("bash", input={}, status="error", error=f"{REFUSED}."))], [], id="refusal"),
        pytest.param(
            [assistant(tool("bash", input={}, status="completed", output=f"{REFUSED} with the following feedback: x"))],
            [],
            id="forged-refusal",
        ),
        pytest.param(
            [
                assistant(
                    tool(
                        "question",
                        input={"questions": [{"question": "Which?", "options": [{"label": "npm"}, {"label": "pnpm"}]}]},
                        metadata={"answers": [["pnpm"], ["bun, as everywhere here"]]},
                    )
                )
            ],
            ["bun, as everywhere here"],
            id="answers",
        ),
    ],
)
def test_prompts(messages: list[object], expected: list[str]) -> None:
    """Only text that OpenCode did not add itself was typed."""
    transcript = read(export(*messages))

    assert transcript.format == "opencode"
    assert typed(transcript) == expected


def test_child_sessions_are_passed_over() -> None:
    """A child session's prompts come from an agent."""
    transcript = read(export(user(text("explore")), parentID="ses_0"))

    assert transcript.turns == ()
    assert transcript.skipped


def test_undone_messages() -> None:
    """What the person took back by reverting leaves nothing."""
    messages = [user(text("first"), key="m1"), user(text("second"), key="m2"), assistant(text("ok"), key="m3")]

    assert typed(read(export(*messages, revert={"messageID": "m2"}))) == ["first"]
