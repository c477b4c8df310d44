"""What an assistant used itself, as its transcripts say."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cases import cases

from memsuggest.transcripts.raw_sessions import token_usage


def answer(name: str, **usage: int) -> dict[str, object]:
    return {"type": "assistant", "message": {"id": name, "role": "assistant", "usage": usage}}


def total(**tokens: int) -> dict[str, object]:
    return {"type": "event_msg", "payload": {"type": "token_count", "info": {"total_token_usage": tokens}}}


CASES = [
    pytest.param(
        "claude-code",
        [
            answer(
                "msg_a", input_tokens=10, cache_creation_input_tokens=500, cache_read_input_tokens=0, output_tokens=1
            ),
            answer(
                "msg_a", input_tokens=10, cache_creation_input_tokens=500, cache_read_input_tokens=0, output_tokens=90
            ),
            answer("msg_b", input_tokens=5, cache_read_input_tokens=1000, output_tokens=20),
        ],
        725,
        id="a message in several records counts once",
    ),
    pytest.param(
        "claude-code",
        [{"type": "user", "message": {"content": json.dumps(answer("msg_a", input_tokens=10**9))}}],
        None,
        id="what somebody pasted does not count",
    ),
    pytest.param(
        "codex",
        [
            total(input_tokens=100, cached_input_tokens=0, output_tokens=10),
            total(input_tokens=1100, cached_input_tokens=1000, output_tokens=20),
            total(input_tokens=50, cached_input_tokens=0, output_tokens=5),
        ],
        275,
        id="the running total, which starts anew",
    ),
    pytest.param(
        "gemini-cli",
        [{"messages": [{"type": "gemini", "tokens": {"input": 100, "cached": 50, "output": 7, "thoughts": 3}}] * 2}],
        130,
        id="each answer of Gemini's",
    ),
    pytest.param("codex", [{"type": "event_msg"}], None, id="nothing said"),
    pytest.param("specstory", [total(input_tokens=1)], None, id="a format that does not say"),
]


@cases(("format", "records", "expected"), CASES)
def test_what_was_used_is_summed(
    tmp_path: Path, format: str, records: list[dict[str, object]], expected: int | None
) -> None:
    """Tokens in and out, what came from the cache at a tenth; None where the format does not say."""
    path = tmp_path / "session.jsonl"
    for separators in ((",", ":"), (", ", ": ")):
        path.write_text(
            "".join(json.dumps(record, separators=separators) + "\n" for record in records), encoding="utf-8"
        )
        assert token_usage(path, format) == expected
