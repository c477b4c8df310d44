"""Cursor's agent transcripts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from cases import cases
from reader_kit import jsonl, read, read_file, typed

if TYPE_CHECKING:
    from pathlib import Path


def said(role: str, *texts: str) -> dict[str, object]:
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
def test_prompts(content: str, expected: list[str]) -> None:
    """Only the query was typed."""
    transcript = read(jsonl(said("user", content), said("assistant", "ok [REDACTED]"), {"type": "turn_ended"}))

    assert transcript.format == "cursor-agent"
    assert typed(transcript) == expected


def test_subagents_are_passed_over(tmp_path: Path) -> None:
    """A sub-agent's prompts come from an agent."""
    transcript = read_file(tmp_path / "u-1" / "subagents" / "u-2.jsonl", jsonl(said("user", "explore")))

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
