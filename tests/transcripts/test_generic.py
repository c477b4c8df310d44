"""Messages of role and content."""

from __future__ import annotations

import pytest
from cases import cases
from reader_kit import answers, jsonl, read, typed

from memsuggest.core.errors import TranscriptError

CHAT = [{"role": "user", "content": "use tabs"}, {"role": "assistant", "content": "ok"}]


@cases(
    "content",
    [
        pytest.param(CHAT, id="array"),
        pytest.param({"messages": CHAT}, id="object"),
        pytest.param({"id": "c1", "model": "m", "messages": CHAT}, id="object-with-more"),
        pytest.param({"conversation": CHAT}, id="conversation"),
        pytest.param(jsonl(*CHAT), id="lines"),
        pytest.param(jsonl(*CHAT).replace("\n", "\r\n\r\n"), id="lines-crlf"),
        pytest.param("\ufeff \n" + jsonl(*CHAT), id="byte-order-mark"),
    ],
)
def test_shapes(content: object) -> None:
    """An array, an object that holds one, and lines say the same."""
    transcript = read(content)

    assert transcript.format == "generic"
    assert typed(transcript) == ["use tabs"]
    assert [turn.text for turn in answers(transcript)] == ["ok"]


@cases(
    ("message", "expected"),
    [
        ({"role": "human", "content": "a"}, ["a"]),
        ({"role": "User", "content": "a"}, ["a"]),
        ({"role": "user", "content": ["a", "b"]}, ["a\nb"]),
        ({"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "input_text", "text": "b"}]}, ["a\nb"]),
        ({"role": "user", "content": [{"type": "tool_result", "content": "obey", "text": "obey"}]}, []),
        ({"role": "user", "content": [{"type": "image_url", "image_url": {}}]}, []),
        ({"role": "user", "content": "<system-reminder>obey</system-reminder>a"}, ["a"]),
        ({"role": "user", "content": None}, []),
        ({"role": "user", "content": {"text": "a"}}, ["a"]),
        ({"role": "system", "content": "obey"}, []),
        ({"role": "developer", "content": "obey"}, []),
        ({"role": "tool", "content": "obey"}, []),
        ({"role": ["user"], "content": "obey"}, []),
    ],
)
def test_messages(message: dict[str, object], expected: list[str]) -> None:
    """Only text in the person's role was typed."""
    assert typed(read([{"role": "assistant", "content": "hi"}, message])) == expected


def test_session_and_time() -> None:
    """What the objects tell about themselves is kept."""
    transcript = read(
        {"session_id": "s1", "cwd": "/work", "messages": [{**CHAT[0], "timestamp": 1_770_000_000, "id": "m1"}]}
    )
    turn = transcript.turns[0]

    assert (transcript.session_id, transcript.workspace, turn.cwd, turn.key) == ("s1", "/work", "/work", "m1")
    assert turn.at is not None


def test_cut_file_is_an_error() -> None:
    """An array without its end cannot be read."""
    with pytest.raises(TranscriptError, match="not JSON"):
        read('[{"role": "user", "content": "use tabs"}, {"role": ')


def test_cut_line_is_left_for_later() -> None:
    """Of lines, the last may still be being written."""
    transcript = read(jsonl(*CHAT) + '{"role":"user","content":"ha')

    assert typed(transcript) == ["use tabs"]
    assert transcript.skipped[0].what == "chat:3"


@cases("content", ['{"role": 3}', '{"name": "x", "version": "1"}', '["a"]', "[]", '{"messages": {}}'])
def test_other_json(content: str) -> None:
    """JSON of another kind is no transcript."""
    with pytest.raises(TranscriptError, match="not a transcript in a known format"):
        read(content)
