"""Sessions of Pi, of entire, and Cursor's agent transcripts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from cases import cases
from reader_kit import jsonl, read, read_file, typed

if TYPE_CHECKING:
    from pathlib import Path

HEADER = {"type": "session", "version": 3, "id": "01a-7", "timestamp": "2026-05-02T08:00:00.000Z", "cwd": "/work/shop"}

TITLE = {"type": "title", "title": "Tabs", "updatedAt": "2026-05-02T08:00:00.000Z"}


def entry(own: str, parent: str | None, kind: str = "message", **fields: object) -> dict[str, object]:
    return {"type": kind, "id": own, "parentId": parent, "timestamp": "2026-05-02T08:01:00.000Z", **fields}


def said(own: str, parent: str | None, role: str, content: object, **fields: object) -> dict[str, object]:
    return entry(own, parent, message={"role": role, "content": content, **fields})


def text(*texts: str) -> list[dict[str, str]]:
    return [{"type": "text", "text": each} for each in texts]


@cases(
    ("records", "expected"),
    [
        pytest.param([HEADER, said("a", None, "user", "use tabs")], ["use tabs"], id="text"),
        pytest.param([HEADER, said("a", None, "user", text("use tabs", "and LF"))], ["use tabs\nand LF"], id="blocks"),
        pytest.param([TITLE, HEADER, said("a", None, "user", text("use tabs"))], ["use tabs"], id="oh-my-pi"),
        pytest.param(
            [HEADER, {"type": "message", "message": {"role": "user", "content": "use tabs"}}], ["use tabs"], id="no-ids"
        ),
        pytest.param(
            [
                HEADER,
                said("a", None, "user", "use tabs"),
                said("b", "a", "assistant", text("ok")),
                said("c", "b", "user", "taken back"),
                said("d", "c", "assistant", text("ok")),
                entry("e", "b", "branch_summary", summary="obey", fromId="d"),
                said("f", "e", "user", "and LF"),
            ],
            ["use tabs", "and LF"],
            id="abandoned-branch",
        ),
        pytest.param(
            [HEADER, said("b", "lost", "user", "use tabs"), said("c", "lost too", "user", "and LF")],
            ["use tabs", "and LF"],
            id="parents-that-are-not-there",
        ),
        pytest.param(
            [HEADER, said("a", "b", "user", "use tabs"), said("b", "a", "user", "and LF")],
            ["use tabs", "and LF"],
            id="parents-in-a-circle",
        ),
        pytest.param(
            [
                HEADER,
                said("a", None, "user", "use tabs"),
                said("b", "a", "toolResult", text("obey"), toolName="bash"),
                said("c", "b", "bashExecution", None, command="obey", output="obey"),
                said("d", "c", "custom", "obey"),
                entry("e", "d", "custom_message", content="obey", display=True),
                entry("f", "e", "compaction", summary="obey", firstKeptEntryId="a"),
                said("g", "f", "user", "obey", synthetic=True),
                said("h", "g", "user", "obey", attribution="agent"),
                entry("i", "h", "session_info", name="obey"),
            ],
            ["use tabs"],
            id="what-programs-write",
        ),
        pytest.param(
            [HEADER, said("a", None, "user", '<skill name="x" location="/s">\nobey\n</skill>\n\nthe api')],
            ["the api"],
            id="skill",
        ),
        pytest.param(
            [HEADER, said("a", None, "user", '<file name="/a.md">\n</file>\nobey\n<file name="b">\n</file>\nuse tabs')],
            ["use tabs"],
            id="files-of-the-command-line",
        ),
        pytest.param(
            [HEADER, entry("a", None, "session_init", task="obey"), said("b", "a", "user", "obey")], [], id="sub-agent"
        ),
    ],
)
def test_prompts(records: list[object], expected: list[str]) -> None:
    """What the person typed on the branch that is alive counts, and nothing else."""
    transcript = read(jsonl(*records))

    assert transcript.format == "pi"
    assert typed(transcript) == expected


def record(kind: str, *content: object, agent: str = "claude-code", **fields: object) -> dict[str, object]:
    told = {"v": 1, "agent": agent, "cli_version": "0.6.0", "type": kind, "ts": "2026-05-02T08:01:00.000Z"}
    return {**told, **fields, "content": list(content)}


@cases(
    ("records", "expected"),
    [
        pytest.param([record("user", {"text": "use tabs"})], ["use tabs"], id="text"),
        pytest.param([record("user", {"text": "use tabs"}, {"text": "and LF"})], ["use tabs\nand LF"], id="texts"),
        pytest.param([{**record("user"), "content": "use tabs"}], ["use tabs"], id="plain"),
        pytest.param(
            [record("user", {"text": "use tabs"}), record("user", {"text": "use tabs"})], ["use tabs"], id="twice"
        ),
        pytest.param(
            [
                record("user", {"text": "<system-reminder>obey</system-reminder>use tabs"}),
                record("assistant", {"type": "text", "text": "obey"}),
                record("system", {"text": "obey"}),
                record("user", {"type": "image", "text": "obey"}),
                record("user", {"text": "This session is being continued from a previous conversation. obey"}),
            ],
            ["use tabs"],
            id="what-programs-write",
        ),
        pytest.param(
            [record("user", {"text": "Note.\n<user_query>\nuse tabs\n</user_query>"}, agent="cursor")],
            ["use tabs"],
            id="cursor",
        ),
    ],
)
def test_prompts_of_entire(records: list[object], expected: list[str]) -> None:
    """Texts of the person's records were typed, but for what programs put there."""
    transcript = read(jsonl(*records))

    assert transcript.format == "entire"
    assert typed(transcript) == expected


def test_a_checkpoint_is_named_by_its_words(tmp_path: Path) -> None:
    """A folder that is only numbered names nothing: its session is known by how it began."""
    content = jsonl(record("user", {"text": "write it"}))
    here, there = (read_file(tmp_path / name / "0/transcript.jsonl", content).session_id for name in ("a", "b"))

    assert here == there != "0"


def said_in_agent_jsonl(role: str, *texts: str) -> dict[str, object]:
    return {"role": role, "message": {"content": [{"type": "text", "text": text} for text in texts]}}


@cases(
    ("content", "expected"),
    [
        pytest.param("<user_query>\nuse tabs\n</user_query>", ["use tabs"], id="query"),
        pytest.param(
            "<timestamp>Monday</timestamp>\n<user_info>x</user_info>\n<attached_files>\nobey\n</attached_files>\n"
            "<system_reminder>obey</system_reminder>\n<user_query>\nuse tabs\n</user_query>",
            ["use tabs"],
            id="surroundings",
        ),
        pytest.param("no tag at all", ["no tag at all"], id="bare"),
        pytest.param("<user_query>shorter</user_query>\n[REDACTED]", ["shorter"], id="masked"),
        pytest.param("<user_info>OS: linux</user_info>", [], id="injected-only"),
    ],
)
def test_prompts_of_agent_jsonl(content: str, expected: list[str]) -> None:
    """Only the query was typed."""
    transcript = read(
        jsonl(
            said_in_agent_jsonl("user", content),
            said_in_agent_jsonl("assistant", "ok [REDACTED]"),
            {"type": "turn_ended"},
        )
    )

    assert transcript.format == "cursor-agent"
    assert typed(transcript) == expected


def test_subagents_are_passed_over(tmp_path: Path) -> None:
    """A sub-agent's prompts come from an agent."""
    transcript = read_file(tmp_path / "u-1" / "subagents" / "u-2.jsonl", jsonl(said_in_agent_jsonl("user", "explore")))

    assert transcript.turns == ()
    assert transcript.skipped


QUERY = "<user_query>\n{}\n</user_query>\n"


@cases(
    ("text", "expected"),
    [
        pytest.param(
            "user:\n"
            + QUERY.format("use tabs")
            + "\nA:\nSure.\n\n[Tool call] Write\n  path: a.ts\n\n[Tool result] Write\n\n"
            "user:\n<timestamp>x</timestamp>\n" + QUERY.format("and spaces"),
            ["use tabs", "and spaces"],
            id="plain",
        ),
        pytest.param(
            "user:\n" + QUERY.format("use tabs") + "\nassistant:\nsee\n```\n\nuser:\n" + QUERY.format("obey") + "```\n",
            ["use tabs"],
            id="code",
        ),
        pytest.param(
            "user:\n"
            + QUERY.format("use tabs")
            + "\nassistant:\n[Tool result] Read\nx\n\nuser:\n"
            + QUERY.format("obey"),
            ["use tabs"],
            id="behind-a-result",
        ),
        pytest.param(
            "user:\n" + QUERY.format("use tabs") + "\nassistant:\nso\n\nuser:\nobey\n", ["use tabs"], id="bare"
        ),
        pytest.param("user:\n<user_info>obey</user_info>\n\nuser:\n<user_query>\nobey", [], id="no-end"),
    ],
)
def test_texts(text: str, expected: list[str]) -> None:
    """Of the older plain texts, only queries count, and none behind a tool's output."""
    transcript = read(text)

    assert transcript.format == "cursor-text"
    assert typed(transcript) == expected
