"""Looking at transcripts: what was found, and one as read, with their pages; and redaction as a command."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Annotated, ClassVar, NamedTuple

from memsuggest.core.context import Context
from memsuggest.core.errors import FileError, TranscriptError
from memsuggest.core.json_shape import Also, Hidden, Key
from memsuggest.core.model import Skipped, Transcript, Trust, Turn
from memsuggest.core.plain_reports import RedactedJson, RedactionJson
from memsuggest.core.redact.redaction_rules import redact
from memsuggest.core.render.page import FAINT, GOOD, PATH, WARN, Page, count, show_skipped
from memsuggest.core.render.safe_output import one_line
from memsuggest.core.text.when import ago, iso_of_seconds
from memsuggest.transcripts.discovery import last_turn_at
from memsuggest.transcripts.discovery.places import ASSISTANTS, find_unreadable
from memsuggest.transcripts.find_transcripts import find, surroundings
from memsuggest.transcripts.reading import read_typed
from memsuggest.transcripts.storage.virtual_sessions import sessions_in

_LOOKED_INTO = 32_000_000  # bytes of transcripts that a list is worth reading
_STORED_MESSAGE = 4_000  # bytes that a message in a database may have
_FEW = 3  # messages of which nobody can say that most are quoted
_NARROW = 110  # columns of a terminal from which on a file stands on the line of its row
_KILO = 1000
_UNITS = ("B", "KB", "MB", "GB")


class TypedShare(NamedTuple):
    """Of how many messages something was typed."""

    typed: int
    messages: int

    @property
    def warning(self) -> str:
        """A line about a chat of which most messages are only quoted; else empty."""
        if self.messages < _FEW or 2 * self.typed >= self.messages:
            return ""
        return f"messages with typed text: {self.typed} of {self.messages}; the others contain only quotes"


def typed_share(transcript: Transcript) -> TypedShare:
    """Count the person's messages, and those of them that are not quoted from beginning to end."""
    messages = [turn for turn in transcript.turns if turn.typed]
    typed = 0
    for turn in messages:
        edges = [0, *(place for span in turn.quoted for place in span), len(turn.typed)]
        typed += any(turn.typed[start:end].strip() for start, end in zip(edges[::2], edges[1::2], strict=True))
    return TypedShare(typed, len(messages))


@dataclass(frozen=True, slots=True, kw_only=True)
class TranscriptRow:
    """A transcript."""

    path: str
    format: Annotated[str, "The transcript format, for example `claude-code`."]
    size: Annotated[int | None, "Size in bytes; null for a chat stored in a database."]
    messages: Annotated[int | None, "Number of messages, for a chat stored in a database."]
    modified_at: Annotated[float, "Time of the last change, in ISO 8601 format.", iso_of_seconds]
    last_turn_at: Annotated[float, "Time of the last turn, in ISO 8601 format.", iso_of_seconds]
    state: Annotated[str, "`new`, `changed`, `processed`, `failed` or `postponed`."]
    why: Annotated[str, "Why reading failed; empty if reading succeeded."] = ""
    trust: Annotated[Trust, "`claimed`: the author is unverified; `trust PATH` marks the chat as yours."] = Trust.TYPED
    typed_messages: ClassVar = Also(
        "share.typed", int | None, "Number of your messages with typed text; null if not checked."
    )
    all_messages: ClassVar = Also("share.messages", int | None, "Number of messages you sent.")
    share: Hidden[TypedShare | None] = None
    """Of how many messages something was typed; None for one that was not looked into."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TranscriptRows:
    """Transcripts of this workspace."""

    JSON_NAME = "Transcripts"
    rows: Annotated[tuple[TranscriptRow, ...], "Transcripts, newest first.", Key("transcripts")]
    skipped: tuple[Skipped, ...] = ()
    home: Hidden[str] = ""  # the person's home folder, for short paths
    looked_for: Hidden[tuple[str, ...]] = ()  # names of the assistants whose places were searched

    def show(self, page: Page) -> None:
        is_narrow = page.width is not None and page.width < _NARROW
        if self.rows:
            head = f"{'state':<10} {'format':<13} {'size':>12}  {'last turn':<13}"
            page.faint(head if is_narrow else f"{head} file")
        for row in self.rows:
            said = ago(int(row.last_turn_at * 1000), now=page.now)
            state = (f"{row.state:<10}", GOOD if row.state == "processed" else WARN)
            text = f" {row.format:<13} {_size(row):>12}  {said:<13} "
            below = row.path.removeprefix(self.home)
            is_below = self.home and below != row.path and below[:1] in ("/", "\\")
            file = (f"~{below}" if is_below else row.path, PATH)
            claimed = " (claimed)" if row.trust == "claimed" else ""
            if is_narrow:
                page.line(state, f"{text}{claimed}")
                page.line("    ", file)
            else:
                page.line(state, text, file, claimed)
            if row.why:
                page.faint(f"    {one_line(row.why)}")
            if row.share and row.share.warning:
                page.line((f"    {row.share.warning}", WARN))
        unread = sum(row.state not in {"processed", "failed"} for row in self.rows)
        failed = sum(row.state == "failed" for row in self.rows)
        if not self.rows:
            page.line("no transcripts found for this workspace")
            page.faint("searched the default folders of " + ", ".join(self.looked_for))
            page.faint("to search other files or folders, run `memsuggest transcripts PATH`")
        if unread:
            page.faint(f"{unread} of {len(self.rows)} not read yet; to read the rest, run `memsuggest reconcile`")
        if failed:
            page.faint(f"{failed} could not be read; to try again, run `memsuggest reconcile PATH`")
        show_skipped(page, self.skipped)


@dataclass(frozen=True, slots=True, kw_only=True)
class TranscriptShown:
    """One transcript as memsuggest reads it: the result of `transcripts show PATH`."""

    JSON_NAME = "Transcript"
    format: ClassVar = Also("transcript.format", str, "The transcript format, for example `claude-code`.")
    session_id: ClassVar = Also("transcript.session_id", str, "ID of the chat.")
    workspace: ClassVar = Also("transcript.workspace", str | None, "The chat's working folder; null if not recorded.")
    trust: ClassVar = Also(
        "transcript.trust", Trust, "`claimed`: the author is unverified; `trust PATH` marks the chat as yours."
    )
    typed_messages: ClassVar = Also("share.typed", int, "Number of your messages with typed text.")
    all_messages: ClassVar = Also("share.messages", int, "Number of messages you sent.")
    turns: ClassVar = Also("transcript.turns", list[Turn])
    skipped: ClassVar = Also("transcript.skipped", list[Skipped])
    transcript: Hidden[Transcript]
    share: Hidden[TypedShare]

    def show(self, page: Page) -> None:
        transcript = self.transcript
        page.line((transcript.origin, PATH), f"  {transcript.format}  {transcript.session_id}")
        if self.share.warning:
            page.line((self.share.warning, WARN))
        typed = [turn for turn in transcript.turns if turn.typed]
        for turn in typed:  # its quoted stretches faint, and the doubtful ones faint behind `(?)`
            page.head(f"turn {turn.number}", f"  {turn.at.isoformat(timespec='minutes')}" if turn.at else "")
            parts: list[str | tuple[str, str]] = []
            place = 0
            for start, end, mark in sorted([(*at, "") for at in turn.quoted] + [(*at, "(?) ") for at in turn.doubtful]):
                text = turn.typed[start:end]
                parts += [turn.typed[place:start], ((mark if text.strip("\n") else "") + text, FAINT)]
                place = end
            page.line(*parts, turn.typed[place:])
        if not typed:
            page.faint("no typed messages")
        show_skipped(page, transcript.skipped)


def _size(row: TranscriptRow) -> str:
    if row.size is None:
        return count(row.messages or 0, "message", "messages")
    size, unit = float(row.size), 0
    while size >= _KILO and unit < len(_UNITS) - 1:
        size, unit = size / _KILO, unit + 1
    return f"{size:.{0 if not unit or size >= 10 else 1}f} {_UNITS[unit]}"


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
    rows = []
    for transcript in found.transcripts:
        state, is_stored = quiet.progress.state_of(transcript), transcript.container is not None
        rows.append(
            TranscriptRow(
                path=transcript.place,
                format=transcript.format,
                size=None if is_stored else transcript.size,
                messages=transcript.size if is_stored else None,
                modified_at=transcript.mtime_ns / 1e9,
                last_turn_at=last_turn_at(transcript),
                state=state.name,
                why=state.why.removeprefix(f"{transcript.path} "),
                trust=transcript.trust,
            )
        )
    rows.sort(key=lambda row: -row.last_turn_at)
    left = _LOOKED_INTO  # what was typed is looked for in the newest, as many as can be read in a moment
    for place, row in enumerate(rows):
        size = (row.messages or 0) * _STORED_MESSAGE if row.size is None else row.size
        if row.state != "failed" and size <= left:
            left -= size
            with suppress(TranscriptError):  # said when it is learned from
                rows[place] = replace(row, share=typed_share(read_typed(Path(row.path))))
    home = str(context.folders.home)
    if paths:
        return TranscriptRows(rows=tuple(rows), skipped=found.skipped, home=home)
    skipped = (*found.skipped, *find_unreadable(surroundings(context)))
    return TranscriptRows(rows=tuple(rows), skipped=skipped, home=home, looked_for=ASSISTANTS)


def redact_stream(file: Path | None, *, format: str, out: IO[str]) -> None:
    """Write the text of a file or of stdin without secrets; `jsonl` takes and gives one JSON text a line."""
    try:
        given = sys.stdin.buffer.read() if file is None else file.read_bytes()
    except OSError as error:
        raise FileError(
            f"`{file or 'stdin'}` cannot be read: {error.strerror}", hint="specify an existing file"
        ) from None
    if format == "jsonl":
        for number, line in enumerate(filter(bytes.strip, given.split(b"\n")), 1):
            try:
                text = json.loads(line)
            except (ValueError, RecursionError):
                text = None
            if not isinstance(text, str):
                raise FileError(
                    f"line {number} is not a JSON string", hint="with `--format jsonl`, each line must be a JSON string"
                )
            out.write(json.dumps(_fields(text)) + "\n")
        return
    text = given.decode("utf-8", "backslashreplace")  # a filter must not stop half way
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
