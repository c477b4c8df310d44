"""JSON Lines of a source, one record a line; lines that cannot be decoded are said, never raised."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memsuggest.transcripts.parsing.json_records import Record, decode
from memsuggest.transcripts.parsing.long_strings import LONG_LINE, shortened

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from memsuggest.errors import Skipped
    from memsuggest.transcripts.storage.source import LineTest, RawLine, Source


def records(
    source: Source, skipped: list[Skipped], *, is_wanted: Callable[[bytes], bool] | None = None
) -> Iterator[Record]:
    """Yield the objects of a JSON Lines file whose raw line `is_wanted`; what cannot be decoded is said in `skipped`.

    A last line without a newline that does not decode is still being written: it is left for the next time.
    """
    test: LineTest | None = (lambda data, start, end: is_wanted(data[start:end])) if is_wanted else None
    for line in source.lines(skipped, is_wanted=test):
        if fields := decoded(line, source, skipped):
            yield Record(line.number, fields, line.start, line.end)


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
