"""JSON that other programs wrote: what can be understood is, what cannot is said."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from cases import cases

from memsuggest.transcripts.parsing.json_records import decode, first_objects, instant, outline
from memsuggest.transcripts.storage.source import Source, objects


@cases(
    ("data", "expected"),
    [
        pytest.param(rb'"\ud83d"', "\ufffd", id="lone-surrogate"),
        pytest.param(rb'"\ud83d\ude00"', "😀", id="pair"),
        pytest.param(b'"\xff"', "\ufffd", id="invalid-utf8"),
        pytest.param(b'{"a":1,"a":2}', {"a": 2}, id="duplicate-keys"),
        pytest.param(b'"a\x00b"', "a\0b", id="control-characters"),
        pytest.param(b'{"a": 1}\r', {"a": 1}, id="carriage-return"),
    ],
)
def test_decode_bears(data: bytes, expected: object) -> None:
    """Odd JSON is read."""
    assert decode(data) == expected


@cases(
    "data",
    [
        pytest.param(b"[" * 100_000, id="deep"),
        pytest.param(b'{"a":' * 100_000, id="deep-objects"),
        pytest.param(b'{"a": ' + b"9" * 5000 + b"}", id="huge-number"),
        pytest.param(b"\0" * 100, id="nul"),
        pytest.param(b"{", id="cut-off"),
        pytest.param(b"", id="empty"),
    ],
)
def test_decode_refuses(data: bytes) -> None:
    """What is no JSON is a ValueError, whatever is wrong with it."""
    with pytest.raises(ValueError, match="."):
        decode(data)


def test_records_say_what_they_skip() -> None:
    """Bad lines are named with their number; a torn last line is told apart."""
    source = Source.of(b'{"a":1}\n\n[1]\n{broken}\n\xff\xfe\n{"b":2}\n{"c":', name="chat")
    skipped: list = []

    assert list(objects(source, skipped)) == [{"a": 1}, {"b": 2}]
    assert [skip.what for skip in skipped] == ["chat:3", "chat:4", "chat:5", "chat:7"]
    assert skipped[0].why == "not a JSON object"
    assert skipped[-1].why == "the last line is incomplete"


def test_a_last_line_without_newline_counts_when_it_is_complete() -> None:
    """An object that decodes is complete, newline or not."""
    assert list(objects(Source.of(b'{"a":1}\n{"b":2}'), [])) == [{"a": 1}, {"b": 2}]


@cases(
    ("head", "keys", "inner", "innermost"),
    [
        pytest.param(b'{"a": 1, "b": [{"c": {"d', {"a": "0", "b": "["}, set(), {"c"}, id="cut-in-a-key"),
        pytest.param(b'{"a":"}{[]:,","b":{"c":1}}', {"a": '"', "b": "{"}, {"c"}, set(), id="brackets-in-text"),
        pytest.param(b'[{"role":"user"},{"x":[{"y":1}]}]', {}, {"role", "x"}, set(), id="array"),
        pytest.param(b'{"kind":0,"v":{"x":1}}\n{"k":1}', {"kind": "0", "v": "{"}, {"x"}, set(), id="first-line-only"),
        pytest.param(rb'{"a\"b":"c\\","d":null', {'a\\"b': '"', "d": "0"}, set(), set(), id="escapes"),
        pytest.param(b"no json", {}, set(), set(), id="text"),
        pytest.param(b"", {}, set(), set(), id="empty"),
    ],
)
def test_outline(head: bytes, keys: dict[str, str], inner: set[str], innermost: set[str]) -> None:
    """The keys of the outer levels are told even where the end is missing."""
    shape = outline(head)

    assert (shape.keys, set(shape.inner), set(shape.innermost)) == (keys, inner, innermost)


def test_first_objects() -> None:
    """Of a head only complete objects count."""
    assert [*first_objects(b'{"a":1}\nnot\n\n[2]\n{"b":2}\n{"c"')] == [{"a": 1}, {"b": 2}]


@cases(
    ("value", "expected"),
    [
        pytest.param("2026-03-01T09:00:00Z", datetime(2026, 3, 1, 9, tzinfo=UTC), id="iso"),
        pytest.param("2026-03-01 09:00Z", datetime(2026, 3, 1, 9, tzinfo=UTC), id="minutes"),
        pytest.param("2026-03-01 10:00:00+0100", datetime(2026, 3, 1, 9, tzinfo=UTC), id="offset"),
        pytest.param("2026-03-01 09:00:00", datetime(2026, 3, 1, 9, tzinfo=UTC), id="no-zone"),
        pytest.param(1772355600, datetime(2026, 3, 1, 9, tzinfo=UTC), id="seconds"),
        pytest.param(1772355600000, datetime(2026, 3, 1, 9, tzinfo=UTC), id="milliseconds"),
        pytest.param("yesterday", None, id="text"),
        pytest.param(10**30, None, id="huge"),
        pytest.param(float("nan"), None, id="nan"),
        pytest.param(True, None, id="bool"),
        pytest.param(None, None, id="none"),
    ],
)
def test_instant(value: object, expected: datetime | None) -> None:
    """Times in all their spellings; anything else is no time."""
    assert instant(value) == expected


def test_too_many_parts() -> None:
    """A value of so many parts that they would fill the memory is refused; a long one of few parts is not."""
    with pytest.raises(ValueError, match="too many objects"):
        decode(b"[" + b'{"a": [1]},' * 500_000 + b"0]")

    assert len(decode(b'["' + b"x" * 6_000_000 + b'", {}, {}]')) == 3
