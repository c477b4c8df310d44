"""Bytes come in with bounded memory, split exactly, and every failure of reading is one error."""

from __future__ import annotations

import gzip
import os
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsuggest.core.errors import TranscriptError
from memsuggest.transcripts.storage import source as source_module
from memsuggest.transcripts.storage.source import Position, Source

if TYPE_CHECKING:
    from pathlib import Path

    from memsuggest.core.model import Skipped


NEEDS_ZSTD = pytest.mark.skipif(source_module.zstd_module() is None, reason="nothing here decompresses zstd")


def texts(source: Source, *, limit: int = 1000) -> list[bytes]:
    return [line.data for line in source.lines([], limit=limit)]


@given(
    st.lists(
        st.binary(max_size=40).filter(lambda line: b"\n" not in line and line[:1] not in (b"\x1f", b"\x28", b"\xef"))
    ),
    st.integers(1, 50),
)
def test_lines_are_the_lines(lines: list[bytes], chunk: int) -> None:
    """Whatever the size of the pieces read, lines are split at newlines only, and know their places."""
    content = b"\n".join(lines)
    before = source_module.CHUNK
    source_module.CHUNK = chunk
    try:
        found = list(Source.of(content).lines([]))
    finally:
        source_module.CHUNK = before

    expected = content.split(b"\n")
    if expected[-1] == b"":
        expected.pop()
    assert [content[line.start : line.end].removesuffix(b"\n") for line in found] == expected
    assert [line.number for line in found] == list(range(1, len(expected) + 1))
    assert [line.is_whole for line in found] == [content[: line.end].endswith(b"\n") for line in found]


def test_a_long_line_is_skipped_and_said() -> None:
    """A line over the limit costs no memory and is named; the lines around it are read."""
    skipped: list[Skipped] = []
    content = b"first\n" + b"x" * 5000 + b"\nthird\n" + b"y" * 5000
    lines = list(Source.of(content, name="chat").lines(skipped, limit=1000))

    assert [(line.number, line.data) for line in lines] == [(1, b"first"), (3, b"third")]
    assert [skip.what for skip in skipped] == ["chat:2", "chat:4"]


def test_reading_goes_on_where_it_stopped() -> None:
    """With a start, lines keep their numbers and places in the file."""
    whole = list(Source.of(b"a\nbb\nccc\n").lines([]))
    rest = Source(name="chat", content=b"a\nbb\nccc\n", start=Position(whole[0].end, whole[0].number))

    assert list(rest.lines([])) == whole[1:]


def test_unwanted_lines_are_counted() -> None:
    """Lines that are not wanted keep their numbers."""
    lines = Source.of(b"a\nb\na\n").lines([], is_wanted=lambda data, start, end: data[start:end] == b"a")

    assert [line.number for line in lines] == [1, 3]


def test_text_lines() -> None:
    r"""Text lines lose `\r`, byte order mark and bad bytes; U+2028 and form feeds stay inside a line."""
    content = b"\xef\xbb\xbfone\r\ntwo \xff\r\n" + "three\u2028\x0c\x85still\r\n".encode()

    assert list(Source.of(content).text_lines([])) == [(1, "one"), (2, "two \ufffd"), (3, "three\u2028\x0c\x85still")]


def test_head_and_whole() -> None:
    """The head comes without byte order mark and blanks; the whole has a limit."""
    source = Source.of(b"\xef\xbb\xbf\n  {}")

    assert source.head() == b"{}"
    assert source.whole() == b"\n  {}"
    with pytest.raises(TranscriptError, match="larger than"):
        source.whole(limit=3)


def test_gzip_is_opened(tmp_path: Path) -> None:
    """A compressed file reads like a plain one."""
    path = tmp_path / "chat.jsonl.gz"
    path.write_bytes(gzip.compress(b"a\nb\n"))

    assert texts(Source.at(path)) == [b"a", b"b"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        pytest.param(gzip.compress(b"a\nb\n" * 1000)[:-9], "cannot read", id="torn-gzip"),
        pytest.param(b"\x1f\x8bnot really", "cannot read", id="no-gzip"),
        pytest.param(b"\x28\xb5\x2f\xfd....", "cannot read", id="no-zstd", marks=NEEDS_ZSTD),
        pytest.param("text".encode("utf-16"), "UTF-16", id="utf-16"),
    ],
)
def test_unreadable_content(tmp_path: Path, content: bytes, message: str) -> None:
    """Content that cannot be read is an error that says why, with a hint."""
    path = tmp_path / "chat"
    path.write_bytes(content)
    source = Source.at(path)

    with pytest.raises(TranscriptError, match=message) as raised:
        texts(source) if "gz" in message or message == "cannot read" else source.head()
    assert raised.value.hint


@NEEDS_ZSTD
def test_zstd_is_opened(tmp_path: Path) -> None:
    """A file compressed with zstd is read as what it holds, from the beginning and from the middle."""
    path = tmp_path / "rollout-1.jsonl.zst"
    path.write_bytes(source_module.zstd_module().compress(b"a\nb\n"))  # type: ignore[union-attr]

    assert texts(Source.at(path)) == [b"a", b"b"]
    assert Source.at(path).piece(Position(2, 1), 9) == b"b\n"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes with names")
def test_pipe(tmp_path: Path) -> None:
    """A pipe is refused at once, not waited for."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    with pytest.raises(TranscriptError, match="not a regular file"):
        Source.at(pipe).head()
