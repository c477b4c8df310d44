"""The longest strings of a line are cut before it is decoded, and nothing else of it changes."""

from __future__ import annotations

import json
from typing import Any

import pytest
from cases import cases
from hypothesis import given
from hypothesis import strategies as st
from processor_time import processor_seconds
from reader_kit import jsonl

from memsuggest.transcripts.parsing.long_strings import shortened
from memsuggest.transcripts.reading import read_source
from memsuggest.transcripts.storage.source import Source


@cases(
    ("line", "expected", "lost"),
    [
        pytest.param(b'{"a":"short"}', b'{"a":"short"}', 0, id="short"),
        pytest.param(b'{"a":"one two three four"}', b'{"a":"one two"}', 11, id="between-words"),
        pytest.param(b'{"a":"c2lnbmF0dXJlcw=="}', b'{"a":""}', 0, id="picture"),
        pytest.param(rb'{"a":"one \"two\" three"}', b'{"a":"one"}', 14, id="escapes"),
        pytest.param(rb'{"a":"x\\","b":"y"}', rb'{"a":"x\\","b":"y"}', 0, id="backslash-at-the-end"),
        pytest.param('{"a":"ä ö ü ß é è à"}'.encode(), '{"a":"ä ö ü"}'.encode(), 12, id="bytes-of-letters"),
        pytest.param(b'{"a":"one two three', b'{"a":"one two"', 5, id="never-ends"),
        pytest.param(b"", b"", 0, id="empty"),
    ],
)
def test_cut(line: bytes, expected: bytes, lost: int) -> None:
    """A string is cut between words; one without any is emptied and not counted."""
    assert shortened(line, kept=10) == (expected, lost)


VALUES = st.recursive(
    st.text(max_size=40) | st.integers() | st.none() | st.booleans(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4),
    max_leaves=12,
)


@given(value=VALUES, kept=st.integers(0, 30), ascii=st.booleans())
def test_beginnings(value: Any, kept: int, ascii: bool) -> None:
    """What is decoded afterwards is the same value with beginnings of its strings; short ones are whole."""
    line = json.dumps(value, ensure_ascii=ascii).encode("utf-8", "surrogatepass")
    cut = json.loads(shortened(line, kept=kept)[0].decode("utf-8", "surrogatepass"))
    assert is_beginning(cut, value)
    if len(line) <= kept:
        assert cut == value


def is_beginning(cut: Any, value: Any) -> bool:
    if isinstance(value, str):
        return isinstance(cut, str) and value.startswith(cut)
    if isinstance(value, list):
        return len(cut) == len(value) and all(map(is_beginning, cut, value))
    if isinstance(value, dict):
        return all(any(is_beginning(key, known) for known in value) for key in cut)
    return bool(cut == value)


@cases("size", [1000, 70_000, 3_000_000])
def test_long_first_line(size: int) -> None:
    """A format is recognised however long its first line is."""
    first = {
        "parentUuid": None, "isSidechain": False, "type": "user", "cwd": "/w", "sessionId": "s", "uuid": "u",
        "message": {"role": "user", "content": [{"type": "text", "text": "use tabs"}, {"data": "x" * size}]},
    }  # fmt: skip
    found = read_source(Source.of(jsonl(first, first | {"uuid": "v", "parentUuid": "u"})))

    assert found.format == "claude-code"
    assert [turn.typed for turn in found.turns] == ["use tabs", "use tabs"]


@cases("pump", [b'"', b'\\"', b"\\", b'"a ', b'" "'])
def test_pumped(pump: bytes) -> None:
    """However often a few letters come, twice as many take about twice as long."""

    def seconds(count: int) -> float:
        return processor_seconds(lambda: shortened(b'{"a":"' + pump * count, kept=16))

    small = min(seconds(40_000) for _ in range(3))
    assert min(seconds(160_000) for _ in range(3)) < 16 * small + 0.05
