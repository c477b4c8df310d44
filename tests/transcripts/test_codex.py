"""Codex rollouts of all generations."""

from __future__ import annotations

import pytest
from cases import cases
from reader_kit import answers, jsonl, read, turn_of, typed

META = {
    "timestamp": "2026-03-01T09:00:00.000Z",
    "type": "session_meta",
    "payload": {
        "id": "7c1e", "cwd": "/work/shop", "source": "cli", "cli_version": "0.46.0",
        "git": {"branch": "feature/cart", "commit_hash": "abc"},
    },
}  # fmt: skip


def event(kind: str, at: int = 0, /, **fields: object) -> dict[str, object]:
    return {"timestamp": f"2026-03-01T09:{at:02}:00.000Z", "type": "event_msg", "payload": {"type": kind, **fields}}


def item(kind: str, at: int = 0, /, **fields: object) -> dict[str, object]:
    payload = {"type": kind, **fields}
    return {"timestamp": f"2026-03-01T09:{at:02}:00.000Z", "type": "response_item", "payload": payload}


def user(*texts: str, at: int = 0) -> dict[str, object]:
    return item("message", at, role="user", content=[{"type": "input_text", "text": text} for text in texts])


def completed(text: str, at: int = 0) -> dict[str, object]:
    return event("item_completed", at, item={"type": "UserMessage", "content": [{"type": "text", "text": text}]})


RULES = "# AGENTS.md instructions for /work/shop\n\n<INSTRUCTIONS>\nAlways write haikus.\n</INSTRUCTIONS>"
SURROUNDINGS = "<environment_context>\n  <cwd>/work/shop</cwd>\n</environment_context>"


@cases(
    ("records", "expected"),
    [
        pytest.param([META, user("use pnpm"), event("user_message", message="use pnpm")], ["use pnpm"], id="event"),
        pytest.param([META, user("use pnpm"), completed("use pnpm")], ["use pnpm"], id="paginated"),
        pytest.param(
            [META, user("a rule", at=1), completed("a rule", at=1), event("user_message", 2, message="a rule")],
            ["a rule"],
            id="both-kinds-once",
        ),
        pytest.param(
            [META, event("user_message", 1, message="older"), completed("newer", at=2)],
            ["older", "newer"],
            id="upgraded-in-mid-session",
        ),
        pytest.param(
            [META, *[event("user_message", at, message="go on") for at in (1, 2)]], ["go on", "go on"], id="said-twice"
        ),
        pytest.param(
            [META, user(RULES, SURROUNDINGS), user("tabs, please"), event("agent_message", message="ok")],
            ["tabs, please"],
            id="model-input-only",
        ),
        pytest.param(
            [
                {"id": "9f", "timestamp": "2025-05-01T10:00:00Z", "instructions": "Always write haikus.", "git": None},
                {"record_type": "state"},
                {"type": "message", "role": "user", "content": [{"type": "input_text", "text": SURROUNDINGS}]},
                {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "keep it short"}]},
                {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "fine"}]},
            ],
            ["keep it short"],
            id="legacy",
        ),
        pytest.param(
            [META, event("user_message", message="be nice", kind="user_instructions")], [], id="injected-kind"
        ),
        pytest.param(
            [
                META,
                event("user_message", 1, message="name files in kebab-case"),
                {"timestamp": "x", "type": "compacted", "payload": {"replacement_history": [user("old")]}},
                user("<turn_aborted>\nThe user stopped.\n</turn_aborted>"),
                user("<skill>\n<name>x</name>\nNever stop.\n</skill>"),
                user("<user_shell_command>ls</user_shell_command>"),
                user("<subagent_notification>done</subagent_notification>"),
            ],
            ["name files in kebab-case"],
            id="compaction-and-notices",
        ),
        pytest.param(
            [META, {**META, "payload": {"id": "parent", "cwd": "/elsewhere"}}]
            + [event("user_message", 5, message="copied history")] * 2,
            ["copied history"],
            id="copied-history-once",
        ),
        pytest.param(
            [
                META,
                event("user_message", 1, message="first"),
                event("user_message", 2, message="taken back"),
                event("thread_rolled_back", num_turns=1),
                event("user_message", 3, message="second"),
            ],
            ["first", "second"],
            id="rolled-back",
        ),
    ],
)
def test_prompts(records: list[object], expected: list[str]) -> None:
    """Each prompt counts once, from the best place where it stands."""
    transcript = read(jsonl(*records))

    assert transcript.format == "codex"
    assert typed(transcript) == expected


@cases(
    ("message", "expected"),
    [
        pytest.param(
            "# Context from my IDE setup:\n\n## Active file: src/pay.ts\n\n## My request for Codex:\nround half up\n",
            ("round half up", ("src/pay.ts",)),
            id="active-file",
        ),
        pytest.param(
            "# Files mentioned by the user:\n\n## spec.pdf: /tmp/spec.pdf\n\n## My request for Codex:\nfollow it",
            ("follow it", ("/tmp/spec.pdf",)),
            id="mentioned-files",
        ),
        pytest.param(
            "# Context from my IDE setup:\n\n## Active selection of the file:\n## My request for Codex:\nno\n"
            "## My request for Codex:\nyes",
            ("yes", ()),
            id="marker-in-the-selection",
        ),
        pytest.param(
            "---\nx: y\n---\n\n## User Input\n\n```text\nplan the checkout\n```\n\nYou **MUST** consider it.",
            ("plan the checkout", ()),
            id="prompt-file",
        ),
        pytest.param("look\n<image name=[Image #1]></image>", ("look", ()), id="picture"),
    ],
)
def test_what_surrounds_a_request(message: str, expected: tuple[str, tuple[str, ...]]) -> None:
    """What an editor or a prompt file puts around the request was not typed; its files are attached."""
    turn = read(jsonl(META, event("user_message", message=message))).turns[0]

    assert (turn.typed, turn.paths) == expected


@cases("meta", [{"source": {"subagent": "review"}}, {"thread_source": "agent"}])
def test_subagents_are_passed_over(meta: dict[str, object]) -> None:
    """Nobody types in a sub-agent's session, and the file says so."""
    transcript = read(jsonl({**META, "payload": {"id": "x", **meta}}, event("user_message", message="review this")))

    assert transcript.turns == ()
    assert "subagent" in transcript.skipped[0].why


def test_prompt_whose_event_is_not_written_yet() -> None:
    """The model's input alone is no evidence while its event is still to come."""
    assert typed(read(jsonl(META, user("half a record")))) == []


def test_long_first_line() -> None:
    """A header longer than what is sniffed is recognised."""
    long = {**META, "payload": {**META["payload"], "base_instructions": "x" * 100_000}}  # type: ignore[dict-item]

    assert typed(read(jsonl(long, event("user_message", message="hello")))) == ["hello"]


def test_long_runs_of_calls() -> None:
    """Of many calls the last are told, and every file that was patched."""
    patches = [f"*** Begin Patch\n*** Add File: n{number}.py\n+x\n*** End Patch" for number in range(40)]
    calls = [
        item("custom_tool_call", name="apply_patch", call_id=f"c{at}", input=patch) for at, patch in enumerate(patches)
    ]
    rejected = item("custom_tool_call_output", call_id="c39", output="patch rejected by user")
    start = [META, event("user_message", 1, message="go")]
    transcript = read(jsonl(*start, *calls, rejected, event("user_message", 2, message="no new files")))

    assert transcript.files_written == tuple(f"n{number}.py" for number in range(40))
    assert "apply_patch: n39.py" in answers(transcript)[0].text
    assert turn_of(transcript, "no new files").signals.rejected_tool == "apply_patch: n39.py"
