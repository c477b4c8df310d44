"""JSON as other programs wrote it: tolerant decoding, records of JSON Lines, the outline of a truncated head.

Third-party JSON is read with `.get` and these few accessors; nothing in here knows a format.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

import orjson

_SURROGATES = re.compile("[\ud800-\udfff]")
_TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)|[{}\[\],:]|[^\s"{}\[\],:]++', re.DOTALL)
_SNIFFED_LINES = 40  # the first lines of a session are often no messages


class Outline(NamedTuple):
    """The shape of JSON whose end may be missing."""

    opening: str
    """`{`, `[`, or empty where it is no JSON."""
    keys: dict[str, str]
    """Keys of the outermost object, each with the first character of its value (`0` for numbers and words)."""
    inner: frozenset[str]
    """Keys two levels in: of the objects in an outermost array, or of objects in the outermost object."""
    innermost: frozenset[str]
    """Keys three levels in, such as those of `{"requests": [{…`."""


_LARGE = 4 * 1024 * 1024  # bytes; in fewer there is no room for so many parts
_PARTS_LIMIT = 400_000  # objects and arrays with something behind them


def decode(data: bytes) -> Any:
    """Decode one JSON value; bad UTF-8, lone surrogates and control characters are borne. ValueError: it is none.

    One of so many parts that they would fill the memory is none either; the longest real chats have half as many.
    """
    if len(data) > _LARGE and data.count(b"},") + data.count(b"],") > _PARTS_LIMIT:
        raise ValueError("contains too many objects and arrays")
    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError as error:
        if "depth limit" in str(error):
            raise ValueError("nested too deeply") from None
    try:
        value = json.loads(data.decode("utf-8", "replace"), strict=False)
        text = json.dumps(value, ensure_ascii=False)
        return json.loads(_SURROGATES.sub("\ufffd", text), strict=False)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    except json.JSONDecodeError as error:
        raise ValueError(f"not JSON: {error.msg}") from None


def fields_in(line: bytes) -> dict[str, Any]:
    """Decode the object of a raw line, its longest texts cut; empty where there is none."""
    return object_in(shortened(line)[0] if len(line) > LONG_LINE else line)


def first_objects(head: bytes) -> Iterator[dict[str, Any]]:
    """Decode the first lines of a JSON Lines head one by one, as far as they are objects and complete.

    None in a text that merely holds such lines somewhere: a tool may have printed them.
    """
    if head.startswith(b"{"):
        yield from filter(None, map(_object_of, _first_lines(head)))


@lru_cache(maxsize=4)
def _first_lines(head: bytes) -> list[bytes]:
    return head.split(b"\n", _SNIFFED_LINES)[:_SNIFFED_LINES]


@lru_cache(maxsize=_SNIFFED_LINES)
def _object_of(line: bytes) -> dict[str, Any]:
    try:
        return fields_of(orjson.loads(line))
    except orjson.JSONDecodeError:
        return {}


_STEPS = {b"{": 1, b"[": 1, b"}": -1, b"]": -1}


@lru_cache(maxsize=4)
def outline(head: bytes) -> Outline:
    """Read the keys of JSON's outer levels, even where the end is cut off.

    >>> outline(b'{"version": 3, "requests": [{"requestId": "r1", "mess').keys
    {'version': '0', 'requests': '['}
    """
    opening = head[:1].decode("latin-1") if head[:1] in (b"{", b"[") else ""
    levels: dict[int, set[str]] = {2: set(), 3: set()}
    keys: dict[str, str] = {}
    depth, last, key = 0, b"", None
    for found in _TOKEN.finditer(head) if opening else ():
        token = found[0]
        if token == b":":
            key = last[1:-1].decode("utf-8", "replace")
            levels.get(depth, set()).add(key)
            continue
        if key is not None and depth == 1 and opening == "{":
            keys.setdefault(key, token[:1].decode("latin-1") if token[:1] in b'"{[' else "0")
        depth += _STEPS.get(token, 0)
        if depth == 0:
            break
        last, key = token, None
    return Outline(opening, keys, frozenset(levels[2]), frozenset(levels[3]))


def object_in(data: bytes) -> dict[str, Any]:
    """Decode an object; empty for anything else."""
    try:
        return fields_of(decode(data))
    except ValueError:
        return {}


def blocks_of(content: object) -> list[dict[str, Any]]:
    """Return the blocks of a message, of which a plain text is one."""
    return [{"type": "text", "text": content}] if isinstance(content, str) else list(map(fields_of, items_of(content)))


def text_of(value: object) -> str:
    """The value if it is a string, else nothing."""
    return value if isinstance(value, str) else ""


def fields_of(value: object) -> dict[str, Any]:
    """The value if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def items_of(value: object) -> list[Any]:
    """The value if it is an array, else an empty one."""
    return value if isinstance(value, list) else []


def instant(value: object) -> datetime | None:
    """Read a time: ISO 8601 text, or seconds or milliseconds since the epoch; UTC where no zone is given.

    >>> instant(1770685014218) == instant("2026-02-10T00:56:54.218Z")
    True
    """
    try:
        if isinstance(value, str):
            at = datetime.fromisoformat(value.strip())
            return at if at.tzinfo else at.replace(tzinfo=UTC)
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return datetime.fromtimestamp(value / 1000 if value > _MILLISECONDS else value, UTC)
    except (ValueError, OverflowError, OSError):
        pass
    return None


_MILLISECONDS = 100_000_000_000  # larger numbers are milliseconds: as seconds they would lie in the year 5138


# Files that records name: in a shell command, in a patch, as one of VS Code's URIs.

_LOOKED_AT = 400  # characters of a command
_READING = frozenset({"cat", "head", "tail", "less", "bat", "nl", "sed", "wc", "grep", "rg"})
_STEP = re.compile(r"[|;&\n]+")
_FILE = re.compile(r"(?:[A-Za-z]:)?[\w./\\@+-]{1,300}\.[A-Za-z]\w{0,9}")
_PATCHED = re.compile(r"\n\*\*\* (?:Add File|Update File|Delete File|Move to): ([^\n]{1,400})")


def files_read(command: str) -> tuple[str, ...]:
    """Name the files that a command looks into.

    >>> files_read("cd app && cat src/main.py | head -5; npm test")
    ('src/main.py',)
    """
    steps = [step.split() for step in _STEP.split(command[:_LOOKED_AT])]
    words = (word.strip("'\"()") for step in steps if step and step[0] in _READING for word in step[1:])
    return tuple(dict.fromkeys(word for word in words if "." in word and _FILE.fullmatch(word)))


def files_patched(patch: str) -> tuple[str, ...]:
    """Name the files that a patch in the `*** Begin Patch` form touches.

    >>> files_patched("*** Begin Patch\\n*** Update File: a.py\\n@@\\n-x\\n+y\\n*** End Patch")
    ('a.py',)
    """
    return tuple(dict.fromkeys(path.strip() for path in _PATCHED.findall(patch)))


_FILE_SCHEMES = frozenset({"", "file", "vscode-remote", "vscode-vfs", "vscode-userdata"})
_DRIVE = re.compile(r"\A/(?=[A-Za-z]:)")


def path_of(value: Any) -> str:
    """Return the path of a URI (components, location with range, or text); empty where it is no file.

    >>> path_of("file:///c%3A/app/a%20b.ts"), path_of({"uri": {"scheme": "file", "path": "/app/a.ts"}})
    ('c:/app/a b.ts', '/app/a.ts')
    """
    if isinstance(value, str):
        try:
            parts = urlsplit(value)
        except ValueError:
            return ""
        if len(parts.scheme) < 2:  # no URI but a path, perhaps with a drive
            return value
        scheme, path = parts.scheme, unquote(parts.path)
    else:
        fields = fields_of(value)
        if "uri" in fields:
            return path_of(fields["uri"])
        scheme, path = text_of(fields.get("scheme")), text_of(fields.get("fsPath")) or text_of(fields.get("path"))
    return _DRIVE.sub("", path) if scheme in _FILE_SCHEMES else ""


# Lines of many megabytes: their longest strings are cut short before anything is decoded. What makes a line that long
# is a picture, a file or a tool's output; nobody types so much.

LONG_LINE = 1024 * 1024
"""Bytes of a line from which on its strings are looked at."""
KEPT = 256 * 1024
"""Bytes of a string that are kept at most."""
_LONG_STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)


def shortened(line: bytes, *, kept: int = KEPT) -> tuple[bytes, int]:
    """Cut the strings of a JSON line that are longer than `kept` bytes, between words; count the bytes cut off texts.

    A string without a blank in its beginning, such as a picture, is emptied and not counted.

    >>> shortened(b'{"a": "one two three", "b": "c2lnbmF0dXJl"}', kept=8)
    (b'{"a": "one two", "b": ""}', 6)
    """
    pieces: list[bytes] = []
    position = lost = 0
    for found in _LONG_STRING.finditer(line):
        start, end = found.span()
        if end - start - 2 <= kept:
            continue
        cut = line.rfind(b" ", start + 1, start + 1 + kept)
        if cut >= 0:
            lost += end - 1 - cut
        pieces += (line[position : cut if cut >= 0 else start + 1], b'"')
        position = end
    return (b"".join((*pieces, line[position:])), lost) if pieces else (line, 0)
