"""Looking at transcripts: what was found, and one as read; and redaction as a command."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import IO, TYPE_CHECKING

from memsuggest.core.errors import FileError, TranscriptError
from memsuggest.core.plain_reports import RedactedJson, RedactionJson
from memsuggest.core.redact.redaction_rules import redact
from memsuggest.transcripts.discovery.places import ASSISTANTS, find_unreadable
from memsuggest.transcripts.discovery.session_order import last_turn_at
from memsuggest.transcripts.find_transcripts import find, surroundings
from memsuggest.transcripts.reading import read_typed
from memsuggest.transcripts.storage.virtual_sessions import sessions_in
from memsuggest.transcripts.transcript_reports import (
    TranscriptRow,
    TranscriptRows,
    TranscriptShown,
    TypedShare,
    typed_share,
)

if TYPE_CHECKING:
    from memsuggest.core.context import Context


def show_transcript(path: Path, *, person: str | None) -> TranscriptShown:
    """Return one transcript as we understand it; raises TranscriptError."""
    sessions = sessions_in(path)
    if len(sessions) > 1:
        hint = f"show one session, for example `memsuggest transcripts show '{sessions[-1].path}'`"
        raise TranscriptError(f"{path} contains {len(sessions)} sessions", hint=hint)
    transcript = read_typed(sessions[0].path if sessions else path, person=person)
    return TranscriptShown(transcript=transcript, share=typed_share(transcript))


def list_transcripts(context: Context, *, paths: Sequence[Path]) -> TranscriptRows:
    """Return the transcripts with what has been learned from and what has not, newest first."""
    quiet = context.dry()
    found = find(quiet, paths)
    progress = quiet.progress
    rows = []
    for transcript in found.transcripts:
        state, is_stored = progress.state_of(transcript), transcript.container is not None
        rows.append(
            TranscriptRow(
                path=transcript.place,
                format=transcript.format,
                size=None if is_stored else transcript.size,
                messages=transcript.size if is_stored else 0,
                modified_at=transcript.mtime_ns / 1e9,
                last_turn_at=last_turn_at(transcript),
                state=state.name,
                why=state.why.removeprefix(f"{transcript.path} "),
                trust=transcript.trust,
            )
        )
    rows.sort(key=lambda row: -row.last_turn_at)
    rows = list(_with_shares(rows))
    home = str(context.folders.home)
    if paths:
        return TranscriptRows(rows=tuple(rows), skipped=found.skipped, home=home)
    skipped = (*found.skipped, *find_unreadable(surroundings(context)))
    return TranscriptRows(rows=tuple(rows), skipped=skipped, home=home, looked_for=ASSISTANTS)


_LOOKED_INTO = 32_000_000  # bytes of transcripts that a list is worth reading
_STORED_MESSAGE = 4_000  # bytes that a message in a database may have


def _with_shares(rows: Iterable[TranscriptRow]) -> Iterator[TranscriptRow]:
    """Look into the newest transcripts, as many as can be read in a moment, for what was typed in them."""
    left = _LOOKED_INTO
    for row in rows:
        size = row.messages * _STORED_MESSAGE if row.size is None else row.size
        if row.state == "failed" or size > left:
            yield row
            continue
        left -= size
        yield replace(row, share=_share_of(Path(row.path)))


def _share_of(path: Path) -> TypedShare | None:
    try:
        return typed_share(read_typed(path))
    except TranscriptError:
        return None  # said when it is learned from


def redact_stream(file: Path | None, *, format: str, out: IO[str]) -> None:
    """Write the text of a file or of stdin without secrets; `jsonl` takes and gives one JSON text a line."""
    if format == "jsonl":
        for number, line in enumerate(filter(bytes.strip, _bytes(file).split(b"\n")), 1):
            out.write(json.dumps(_fields(_text_of(line, number))) + "\n")
        return
    text = _bytes(file).decode("utf-8", "backslashreplace")  # a filter must not stop half way
    if format == "json":
        whole: RedactedJson = {"version": 1, **_fields(text)}
        out.write(json.dumps(whole, indent=2) + "\n")
    else:
        out.write(redact(text).text)


def _fields(text: str) -> RedactedJson:
    redacted = redact(text)
    found: list[RedactionJson] = [
        {"kind": redaction.kind, "start": redaction.start, "end": redaction.end} for redaction in redacted.found
    ]
    return {"text": redacted.text, "found": found}


def _text_of(line: bytes, number: int) -> str:
    try:
        text = json.loads(line)
    except (ValueError, RecursionError):
        text = None
    if not isinstance(text, str):
        raise FileError(
            f"line {number} is not a JSON string", hint="with `--format jsonl`, each line must be a JSON string"
        )
    return text


def _bytes(file: Path | None) -> bytes:
    if file is None:
        return sys.stdin.buffer.read()
    try:
        return file.read_bytes()
    except OSError as error:
        raise FileError(f"`{file}` cannot be read: {error.strerror}", hint="specify an existing file") from None
