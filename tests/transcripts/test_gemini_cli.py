"""Gemini CLI sessions, journals, lists of prompts and checkpoints."""

from __future__ import annotations

import pytest
from cases import cases
from reader_kit import jsonl, read, typed

HEADER = {"sessionId": "gem-1", "projectHash": "ab12", "startTime": "2026-03-01T09:00:00.000Z", "lastUpdated": "x"}


def message(kind: str, content: object, key: str = "", **fields: object) -> dict[str, object]:
    return {
        "id": key or str(content)[:20],
        "timestamp": "2026-03-01T09:01:00Z",
        "type": kind,
        "content": content,
        **fields,
    }


def session(*messages: object) -> dict[str, object]:
    return {**HEADER, "messages": list(messages)}


REFERENCED = [
    {"text": "explain @a.py"}, {"text": "\n--- Content from referenced files ---"},
    {"text": "\nContent from @a.py:\n"}, {"text": "# always obey a.py"},
]  # fmt: skip
STEERING = (
    "User steering update:\n<user_input>\nuse the v2 endpoint\n</user_input>\nInternal instruction: obey the user."
)


@cases(
    ("content", "expected"),
    [
        pytest.param("plain", ["plain"], id="string"),
        pytest.param([{"text": "in "}, {"text": "parts"}], ["in parts"], id="parts"),
        pytest.param(REFERENCED, ["explain @a.py"], id="referenced-files"),
        pytest.param("explain\n--- Content from referenced files ---\nobey", ["explain"], id="referenced-in-a-string"),
        pytest.param([{"functionResponse": {"name": "x", "response": {"output": "obey"}}}], [], id="tool-result"),
        pytest.param(STEERING, ["use the v2 endpoint"], id="steering"),
        pytest.param("System: Please continue.", [], id="continue"),
        pytest.param("/help", [], id="command"),
        pytest.param("?", [], id="question-mark"),
        pytest.param("<session_context>\nToday is Monday.\n</session_context>", [], id="session-context"),
        pytest.param("<hook_context>obey</hook_context>", [], id="hook"),
        pytest.param("<state_snapshot>the user wants tabs</state_snapshot>", [], id="summary"),
        pytest.param(7, [], id="nonsense"),
    ],
)
def test_contents(content: object, expected: list[str]) -> None:
    """Of a message in the person's role only what was typed counts, in both forms of the file."""
    prompt = message("user", content, "m1")

    assert typed(read(session(prompt))) == expected
    assert typed(read(jsonl(HEADER, prompt))) == expected
    assert read(session(prompt)).format == "gemini-cli"


@cases(
    ("shown", "expected"), [("summarise @a.py", ["summarise @a.py"]), ("", []), ([{"text": " "}], []), (None, ["long"])]
)
def test_display_content(shown: object, expected: list[str]) -> None:
    """What was shown as typed goes before what the model was sent; shown as nothing is nothing."""
    assert typed(read(session(message("user", "long", displayContent=shown)))) == expected


@cases(
    ("records", "expected"),
    [
        pytest.param([message("user", "one", "a"), message("user", "one!", "a")], ["one!"], id="written-again"),
        pytest.param(
            [message("user", "one", "a"), message("user", "two", "b"), {"$rewindTo": "b"}], ["one"], id="rewound"
        ),
        pytest.param([message("user", "one", "a"), {"$rewindTo": "unknown"}], [], id="rewound-to-the-start"),
        pytest.param(
            [message("user", "one", "a"), {"$set": {"messages": [message("user", "two", "b")]}}],
            ["two"],
            id="checkpoint",
        ),
        pytest.param(
            [
                message("user", "one", "a"),
                {"$set": {"messages": [message("user", "<state_snapshot>sum</state_snapshot>", "s")]}},
            ],
            ["one"],
            id="compressed",
        ),
        pytest.param([{"$set": {"summary": "x"}}, message("user", "one", "a"), {"$set": 3}], ["one"], id="metadata"),
        pytest.param(
            [message("user", "try", "a"), message("user", "try", "b"), message("gemini", "ok", "c")],
            ["try"],
            id="retry",
        ),
    ],
)
def test_journal(records: list[object], expected: list[str]) -> None:
    """A journal is replayed: what was taken back or replaced does not count."""
    assert typed(read(jsonl(HEADER, *records))) == expected


def test_subagents_are_passed_over() -> None:
    """Nobody types in a sub-agent's session."""
    transcript = read(jsonl({**HEADER, "kind": "subagent"}, message("user", "look around")))

    assert transcript.turns == ()
    assert transcript.skipped


def test_list_of_prompts() -> None:
    """`logs.json` holds prompts of several sessions, commands among them."""
    entry = {"sessionId": "s1", "messageId": 0, "timestamp": "2026-03-01T09:00:00Z", "type": "user", "message": "hello"}
    transcript = read([entry, {**entry, "messageId": 1, "message": "/quit"}, {**entry, "message": "use pnpm"}])

    assert (transcript.format, transcript.session_id) == ("gemini-cli", "s1")
    assert typed(transcript) == ["hello", "use pnpm"]


def test_checkpoint() -> None:
    """A saved checkpoint is the model's history; its beginning is Gemini CLI's own."""
    setup = "This is the Gemini CLI. We are setting up the context for our chat."
    history = [
        {"role": "user", "parts": [{"text": setup}]},
        {"role": "model", "parts": [{"text": "Got it."}]},
        {"role": "user", "parts": [{"text": "prefer tabs"}]},
    ]

    assert typed(read(history)) == typed(read({"history": history})) == ["prefer tabs"]
