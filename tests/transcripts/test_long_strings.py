"""The longest strings of a line are cut before it is decoded, and nothing else of it changes."""

from __future__ import annotations

import pytest
from cases import cases
from processor_time import processor_seconds
from reader_kit import jsonl

from memsuggest.transcripts.parsing.json_records import shortened
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
