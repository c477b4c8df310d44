"""The JSON of a source: one value, or one record a line, of which those that cannot be decoded are said."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memsuggest.errors import TranscriptError
from memsuggest.transcripts.parsing.json_records import decode
from memsuggest.transcripts.parsing.long_strings import LONG_LINE, shortened

if TYPE_CHECKING:
    from memsuggest.errors import Skipped
    from memsuggest.transcripts.storage.source import RawLine, Source


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
        skipped.append(source.skip(line.number, f"{lost / 1e6:.1f} MB of texts in this line were left out"))
    try:
        fields = decode(data)
    except ValueError as error:
        skipped.append(source.skip(line.number, str(error) if line.is_whole else "the last line is not complete"))
        return {}
    if not isinstance(fields, dict):
        skipped.append(source.skip(line.number, "not a JSON object"))
        return {}
    return fields
