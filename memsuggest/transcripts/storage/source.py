"""The bytes of a transcript, from a file (compressed or not) or memory, read with bounded memory; and their JSON."""

from __future__ import annotations

import contextlib
import gzip
import importlib
import io
import os
import re
import stat
import sys
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import IO, Any, NamedTuple, cast

from memsuggest.core.errors import Skipped, TranscriptError
from memsuggest.transcripts.parsing.json_records import LONG_LINE, decode, shortened
from memsuggest.transcripts.storage.virtual_sessions import content_of

HEAD_SIZE = 64 * 1024  # bytes that a format is recognised by
LINE_LIMIT = 200 * 1024 * 1024  # bytes of one line; the longest real ones carry pictures and whole outputs
TEXT_LINE_LIMIT = 32 * 1024 * 1024  # of a format that is no JSON
WHOLE_LIMIT = 64 * 1024 * 1024  # bytes of a file that has to be parsed as one piece
CHUNK = 128 * 1024  # bytes read at once; more do not stay in the processor's cache
_PIECES = 1024 * 1024  # bytes of a line that are kept while its end is looked for; a longer one is read once more
BOM = b"\xef\xbb\xbf"
_BLANK = BOM + b" \t\r\n"
_KEPT_IN_HEAD = 256  # bytes of a string
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


LineTest = Callable[[bytes, int, int], bool]
"""Tells of some bytes, from one place to another, whether the line there is wanted."""


class Position(NamedTuple):
    """A place between two lines: bytes before it, lines before it."""

    offset: int = 0
    line: int = 0


BEGINNING = Position()


class RawLine(NamedTuple):
    """One line without its newline, and where in the file it starts and ends (behind the newline)."""

    number: int
    data: bytes
    start: int
    end: int
    is_whole: bool
    """False for a last line that has no newline (yet)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One transcript's bytes and what to call it."""

    name: str
    path: Path | None = None
    content: bytes = b""
    """Used where there is no path."""
    person: str | None = None
    """What the person is called in formats that only name the speakers."""
    workspace: str | None = None
    """The folder that this place belongs to, where the place says so and the file does not."""
    start: Position = BEGINNING
    """Where reading begins; everything before is known already."""

    @classmethod
    def at(cls, path: Path, *, person: str | None = None, workspace: str | None = None) -> Source:
        return cls(name=str(path), path=path, person=person, workspace=workspace)

    @classmethod
    def of(cls, content: bytes | str, *, name: str = "transcript", person: str | None = None) -> Source:
        data = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
        return cls(name=name, content=data, person=person)

    def head(self, size: int = HEAD_SIZE) -> bytes:
        """Return the first bytes, without byte order mark and leading white space.

        Of JSON whose first line is longer, the strings are cut short, so that its keys are among them.
        """
        with self._opened() as stream:
            head = stream.read(size)
            if len(head) == size and b"\n" not in head and head.lstrip(_BLANK).startswith(b"{"):
                head = shortened(head + stream.readline(LINE_LIMIT), kept=_KEPT_IN_HEAD)[0][:size]
        if head.startswith(_UTF16):
            raise TranscriptError(f"{self.name} is encoded as UTF-16", hint="convert the file to UTF-8")
        return head.removeprefix(BOM).lstrip()

    def piece(self, start: Position, size: int) -> bytes:
        with self._opened() as stream:
            stream.seek(start.offset)
            return stream.read(size)

    def lines(
        self, skipped: list[Skipped], *, is_wanted: LineTest | None = None, limit: int = LINE_LIMIT
    ) -> Iterator[RawLine]:
        r"""Yield the lines split on `\n` only that `is_wanted`; one longer than `limit` bytes is said in `skipped`.

        Memory stays within the longest line that is kept.
        """
        with self._opened() as stream:
            stream.seek(self.start.offset)
            for line in _lines(stream, self.start, is_wanted or (lambda _data, _start, _end: True), limit):
                if isinstance(line, int):
                    skipped.append(self.skip(line, f"the line is longer than {limit // 1024 // 1024} MB"))
                else:
                    yield line

    def text_lines(self, skipped: list[Skipped]) -> Iterator[tuple[int, str]]:
        """Yield number and text of each line; bad UTF-8 is replaced, a final carriage return removed."""
        for line in self.lines(skipped, limit=TEXT_LINE_LIMIT):
            yield line.number, line.data.decode("utf-8", "replace").removesuffix("\r")

    def whole(self, *, limit: int = WHOLE_LIMIT) -> bytes:
        """Return everything, without byte order mark; TranscriptError for more than `limit` bytes."""
        with self._opened() as stream:
            content = stream.read(limit + 1)
        if len(content) > limit:
            raise TranscriptError(
                f"{self.name} is larger than {limit // 1024 // 1024} MB", hint="split the file into smaller ones"
            )
        return content.removeprefix(BOM)

    def skip(self, line: int, why: str) -> Skipped:
        return Skipped(what=f"{self.name}:{line}", why=why)

    @contextlib.contextmanager
    def _opened(self) -> Iterator[IO[bytes]]:
        """Open the bytes, decompressed; every failure of reading becomes a TranscriptError."""
        try:
            with contextlib.ExitStack() as stack:
                content = self.content if self.path is None else content_of(self.path)
                raw = stack.enter_context(
                    _open(self.path) if content is None and self.path else io.BytesIO(content or b"")
                )
                yield stack.enter_context(decompressed(raw, self.name))
        except _reading_errors() as error:
            why = getattr(error, "strerror", None) or str(error)
            raise TranscriptError(
                f"cannot read {self.name}: {why}", hint="check the permissions of the file"
            ) from error


def _open(path: Path) -> IO[bytes]:
    """Open a regular file; never wait for a pipe or a device."""
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    stream = os.fdopen(os.open(path, flags), "rb")
    if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
        stream.close()
        raise OSError(0, "not a regular file")
    return stream


def _lines(stream: IO[bytes], start: Position, is_wanted: LineTest, limit: int) -> Iterator[RawLine | int]:
    """Yield the wanted lines, and the numbers of those over the limit; unwanted ones are never cut out."""
    offset, number = start
    pending: list[bytes] = []  # pieces of the line that is being read; none when they are too many
    length = 0
    is_plain = isinstance(stream, (io.BufferedReader, io.BytesIO))  # in a compressed file, going back is dear
    most = min(limit, _PIECES) if is_plain else limit
    while chunk := stream.read(CHUNK):
        end = chunk.find(b"\n")
        length += len(chunk) if end < 0 else end
        if length > most:
            pending.clear()
        else:
            pending.append(chunk if end < 0 else chunk[:end])
        if end < 0:
            continue
        number += 1
        if length > limit:
            yield number
        elif is_wanted(first := b"".join(pending) or _again(stream, offset, length), 0, length):
            yield RawLine(number, first if offset else first.removeprefix(BOM), offset, offset + length + 1, True)
        first = b""
        offset += length + 1
        begin = end + 1
        base = offset - begin  # of this chunk in the file
        while (end := chunk.find(b"\n", begin)) >= 0:
            number += 1
            if end - begin > limit:
                yield number
            elif is_wanted(chunk, begin, end):
                yield RawLine(number, chunk[begin:end], base + begin, base + end + 1, True)
            begin = end + 1
        offset, length, pending = base + begin, len(chunk) - begin, [chunk[begin:]]
    if length > limit:
        yield number + 1
    elif length:
        last = b"".join(pending) or _again(stream, offset, length)
        if is_wanted(last, 0, length):
            yield RawLine(number + 1, last if offset else last.removeprefix(BOM), offset, offset + length, False)


def _again(stream: IO[bytes], offset: int, length: int) -> bytes:
    """Read a long line in one piece, and go back to where reading stood."""
    if not length:
        return b""
    here = stream.tell()
    stream.seek(offset)
    data = stream.read(length)
    stream.seek(here)
    return data


def whole(source: Source, *, hint: str) -> Any:
    """Decode a source that is one JSON value; raises TranscriptError."""
    try:
        return decode(source.whole())
    except ValueError as error:
        raise TranscriptError(f"{source.name}: {error}", hint=hint) from None


def decoded(line: RawLine, source: Source, skipped: list[Skipped]) -> dict[str, Any]:
    """Decode the object of one line; empty, and said in `skipped`, where there is none.

    Texts in it that are longer than anybody types are cut, which is said, too.
    """
    if not line.data or line.data.isspace():
        return {}
    data, lost = shortened(line.data) if len(line.data) > LONG_LINE else (line.data, 0)
    if lost:
        skipped.append(source.skip(line.number, f"skipped {lost / 1e6:.1f} MB of text on this line"))
    try:
        fields = decode(data)
    except ValueError as error:
        skipped.append(source.skip(line.number, str(error) if line.is_whole else "the last line is incomplete"))
        return {}
    if not isinstance(fields, dict):
        skipped.append(source.skip(line.number, "not a JSON object"))
        return {}
    return fields


def objects(
    source: Source,
    skipped: list[Skipped],
    *,
    is_wanted: LineTest | None = None,
    stand: Callable[[RawLine], None] = lambda _line: None,
) -> Iterator[dict[str, Any]]:
    """Yield the objects of the wanted lines, each after a call of `stand`; what is none is said in `skipped`."""
    for line in source.lines(skipped, is_wanted=is_wanted):
        stand(line)
        if fields := decoded(line, source, skipped):
            yield fields


# A line's first bytes say whether it is of a kind that nobody needs, so that it is not decoded. Sound, because a quote
# in a JSON string is written `\"`: the bytes `"type":"x"` never stand in one.

_KIND_HEAD = 256  # bytes of a line that its kind is looked for in
_KIND_LIMIT = 60  # bytes of the longest name of a kind
_PAYLOAD = b'"payload":{"type":"'


def is_other_than(
    *kinds: str, unless: Callable[[bytes, bytes, int, int], bool] = lambda _kind, _data, _start, _end: False
) -> LineTest:
    """Make a test of raw JSON lines that only fails for those that begin with one of these `type`s.

    `unless` may let one of them pass, by its kind and where it lies.

    >>> line = b'{"type": "reasoning", "text": "hm"}'
    >>> is_other_than("reasoning")(line, 0, len(line))
    False
    """
    names = {kind.encode() for kind in kinds}
    search = re.compile(b'"type": ?"(' + b"|".join(map(re.escape, names)) + b')"').search

    def is_wanted(data: bytes, start: int, end: int) -> bool:
        kind = payload_kind(data, start, end)
        if not kind:  # an envelope of another form, or none
            found = search(data, start, min(start + _KIND_HEAD, end))
            return not found or unless(found[1], data, start, end)
        return kind not in names or unless(kind, data, start, end)

    return is_wanted


def payload_kind(data: bytes, start: int, end: int) -> bytes:
    """Return the kind of the payload in a raw line, where it is the first thing the payload says; else nothing."""
    payload = data.find(_PAYLOAD, start, start + _KIND_HEAD)
    kind = payload + len(_PAYLOAD)
    stop = data.find(b'"', kind, kind + _KIND_LIMIT)
    return data[kind:stop] if payload >= 0 and kind < stop <= end else b""


_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
_ZSTD_MODULES = ("compression.zstd", "backports.zstd")
"""Python's own from 3.14 on, and the same for older ones (the `zstd` extra)."""


def decompressed(raw: IO[bytes], name: str) -> IO[bytes]:
    """Return a stream of what a stream holds, compressed or not; TranscriptError where nobody can decompress it."""
    magic = raw.read(4)
    raw.seek(0)
    if magic.startswith(_GZIP):
        return cast("IO[bytes]", gzip.GzipFile(fileobj=raw))
    if magic != _ZSTD:
        return raw
    module = zstd_module()
    if module is None:
        hint = f"run `pip install '.[zstd]'` in your memsuggest clone, or `zstd -d {name}` first"
        raise TranscriptError(f"{name} is compressed with zstd", hint=hint)
    return cast("IO[bytes]", module.ZstdFile(raw))


def zstd_module() -> ModuleType | None:
    """Import what decompresses zstd; None where nothing does."""
    for name in _ZSTD_MODULES:
        try:
            return importlib.import_module(name)
        except ImportError:
            continue
    return None


def _reading_errors() -> tuple[type[Exception], ...]:
    loaded = filter(None, map(sys.modules.get, _ZSTD_MODULES))
    return (OSError, EOFError, zlib.error, *(module.ZstdError for module in loaded))
