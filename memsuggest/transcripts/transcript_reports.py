"""The printed lists of `memsuggest transcripts`: the chats found, and one of them as it is read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, NamedTuple

from memsuggest.core.json_shape import Also, Hidden, Key
from memsuggest.core.model import Skipped, Transcript, Trust, Turn
from memsuggest.core.render.page import FAINT, GOOD, PATH, WARN, Page, count, show_skipped
from memsuggest.core.render.safe_output import one_line
from memsuggest.core.text.when import ago, iso_of_seconds

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
    _messages: ClassVar = Also(
        "messages_of_its_own", int | None, "Number of messages, for a chat stored in a database."
    )
    modified_at: Annotated[float, "Time of the last change, in ISO 8601 format.", iso_of_seconds]
    last_turn_at: Annotated[float, "Time of the last turn, in ISO 8601 format.", iso_of_seconds]
    state: Annotated[str, "`new`, `changed`, `processed`, `failed` or `postponed`."]
    why: Annotated[str, "Why reading failed; empty if reading succeeded."] = ""
    trust: Annotated[Trust, "`claimed`: the author is unverified; `trust PATH` marks the chat as yours."] = Trust.TYPED
    typed_messages: ClassVar = Also(
        "share.typed", int | None, "Number of your messages with typed text; null if not checked."
    )
    all_messages: ClassVar = Also("share.messages", int | None, "Number of messages you sent.")
    messages: Hidden[int] = 0  # of such a session
    share: Hidden[TypedShare | None] = None
    """Of how many messages something was typed; None for one that was not looked into."""

    @property
    def messages_of_its_own(self) -> int | None:
        return self.messages if self.size is None else None


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
        for turn in transcript.turns:
            if not turn.typed:
                continue
            page.head(f"turn {turn.number}", f"  {turn.at.isoformat(timespec='minutes')}" if turn.at else "")
            _show_typed(page, turn)
        if not any(turn.typed for turn in transcript.turns):
            page.faint("no typed messages")
        show_skipped(page, transcript.skipped)


def _size(row: TranscriptRow) -> str:
    if row.size is None:
        return count(row.messages, "message", "messages")
    size, unit = float(row.size), 0
    while size >= _KILO and unit < len(_UNITS) - 1:
        size, unit = size / _KILO, unit + 1
    return f"{size:.{0 if not unit or size >= 10 else 1}f} {_UNITS[unit]}"


def _show_typed(page: Page, turn: Turn) -> None:
    """Print what was typed, its quoted stretches faint and the doubtful ones faint behind `(?)`."""
    parts: list[str | tuple[str, str]] = []
    place = 0
    stretches = [*((*stretch, "") for stretch in turn.quoted), *((*stretch, "(?) ") for stretch in turn.doubtful)]
    for start, end, mark in sorted(stretches):
        text = turn.typed[start:end]
        parts += [turn.typed[place:start], ((mark if text.strip("\n") else "") + text, FAINT)]
        place = end
    page.line(*parts, turn.typed[place:])
