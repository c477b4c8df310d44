"""`redact`: the filter that the tool itself uses, as a command."""

from __future__ import annotations

import json
import sys
from typing import IO, TYPE_CHECKING

from memsuggest.errors import FileError
from memsuggest.redact import redact

if TYPE_CHECKING:
    from pathlib import Path

    from memsuggest.reports.plain import RedactedJson, RedactionJson


def redact_stream(file: Path | None, *, format: str, out: IO[str]) -> None:
    """Write the text of a file or of stdin without secrets; `jsonl` takes and gives one JSON text a line."""
    if format == "jsonl":
        for number, line in enumerate(_lines(file), 1):
            out.write(json.dumps(_fields(_text_of(line, number))) + "\n")
        return
    text = _decoded(_bytes(file))
    if format == "json":
        whole: RedactedJson = {"version": 1, **_fields(text)}
        out.write(json.dumps(whole, indent=2) + "\n")
    else:
        out.write(redact(text).text)


def _fields(text: str) -> RedactedJson:
    redacted = redact(text)
    found: list[RedactionJson] = [{"kind": one.kind, "start": one.start, "end": one.end} for one in redacted.found]
    return {"text": redacted.text, "found": found}


def _text_of(line: bytes, number: int) -> str:
    try:
        text = json.loads(line)
    except (ValueError, RecursionError):
        text = None
    if not isinstance(text, str):
        raise FileError(f"line {number} is not a JSON text", hint="`--format jsonl` takes one JSON string a line")
    return text


def _lines(file: Path | None) -> list[bytes]:
    return [line for line in _bytes(file).split(b"\n") if line.strip()]


def _bytes(file: Path | None) -> bytes:
    if file is None:
        return sys.stdin.buffer.read()
    try:
        return file.read_bytes()
    except OSError as error:
        raise FileError(f"`{file}` cannot be read: {error.strerror}", hint="name a file that is there") from None


def _decoded(data: bytes) -> str:
    # What is not UTF-8 stays visible as such; a filter must not stop half way.
    return data.decode("utf-8", "backslashreplace")
