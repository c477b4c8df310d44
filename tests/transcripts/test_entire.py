"""Compact transcripts of the `entire` tool."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from cases import cases
from reader_kit import jsonl, read, read_file, typed

if TYPE_CHECKING:
    from pathlib import Path


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
def test_prompts(records: list[object], expected: list[str]) -> None:
    """Texts of the person's records were typed, but for what programs put there."""
    transcript = read(jsonl(*records))

    assert transcript.format == "entire"
    assert typed(transcript) == expected


def test_a_checkpoint_is_named_by_its_words(tmp_path: Path) -> None:
    """A folder that is only numbered names nothing: its session is known by how it began."""
    content = jsonl(record("user", {"text": "write it"}))
    here, there = (read_file(tmp_path / name / "0/transcript.jsonl", content).session_id for name in ("a", "b"))

    assert here == there != "0"
