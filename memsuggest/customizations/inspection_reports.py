"""Reports on transcripts and customization files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar, NamedTuple

from memsuggest.core.json_shape import Also, Hidden, Key, four_digits
from memsuggest.core.model import Scope, Skipped, TargetType, Transcript, Trust, Turn
from memsuggest.core.render.page import FAINT, GOOD, HEAD, PATH, WARN, Page, count, sentence, show_diff, show_skipped
from memsuggest.core.render.safe_output import one_line
from memsuggest.core.text.when import ago, iso_of_seconds

_FEW = 3  # messages of which nobody can say that most are quoted


class TypedShare(NamedTuple):
    """Of how many messages something was typed."""

    typed: int
    messages: int

    @property
    def is_small(self) -> bool:
        return self.messages >= _FEW and 2 * self.typed < self.messages


def typed_share(transcript: Transcript) -> TypedShare:
    """Count the person's messages, and those of them that are not quoted from beginning to end."""
    messages = [turn for turn in transcript.turns if turn.typed]
    return TypedShare(sum(map(_has_words, messages)), len(messages))


def _has_words(turn: Turn) -> bool:
    place = 0
    for start, end in turn.quoted:
        if turn.typed[place:start].strip():
            return True
        place = end
    return bool(turn.typed[place:].strip())


@dataclass(frozen=True, slots=True, kw_only=True)
class TranscriptRow:
    """A transcript that was found."""

    path: str
    format: Annotated[str, "The name of its reader, as `claude-code`."]
    size: Annotated[int | None, "In bytes; null for a chat that is no file of its own."]
    _messages: ClassVar = Also("messages_of_its_own", int | None, "Of a chat that is no file of its own.")
    modified_at: Annotated[float, "As ISO 8601.", iso_of_seconds]
    last_turn_at: Annotated[float, "When something was last said in it, as ISO 8601.", iso_of_seconds]
    state: Annotated[str, "`new`, `changed`, `processed`, `failed` or `postponed`."]
    why: Annotated[str, "Why it failed, if it did; else empty."] = ""
    trust: Annotated[Trust, "`claimed`: anybody may have written it; `trust PATH` says that it is yours."] = Trust.TYPED
    typed_messages: ClassVar = Also(
        "share.typed", int | None, "In how many of the person's messages something was typed; null: not looked."
    )
    all_messages: ClassVar = Also("share.messages", int | None, "How many messages the person sent.")
    messages: Hidden[int] = 0
    """Of such a session."""
    share: Hidden[TypedShare | None] = None
    """Of how many messages something was typed; None for one that was not looked into."""

    @property
    def messages_of_its_own(self) -> int | None:
        """The messages of a chat that is no file; None of one that is."""
        return self.messages if self.size is None else None


@dataclass(frozen=True, slots=True, kw_only=True)
class TranscriptRows:
    """The transcripts that were found."""

    JSON_NAME = "Transcripts"
    rows: Annotated[tuple[TranscriptRow, ...], "Newest first.", Key("transcripts")]
    skipped: tuple[Skipped, ...] = ()
    home: Hidden[str] = ""
    """The person's home folder, for short paths."""
    looked_for: Hidden[tuple[str, ...]] = ()
    """Names of the assistants whose places were searched."""

    def show(self, page: Page) -> None:
        """Print the transcripts that were found: how far they were learned from, their format, size and last turn."""
        is_narrow = page.width is not None and page.width < _NARROW
        if self.rows:
            head = f"{'state':<10} {'format':<13} {'size':>12}  {'last turn':<13}"
            page.faint(head if is_narrow else f"{head} file")
        for row in self.rows:
            said = ago(int(row.last_turn_at * 1000), now=page.now)
            state = (f"{row.state:<10}", GOOD if row.state == "processed" else WARN)
            told = f" {row.format:<13} {_size(row):>12}  {said:<13} "
            file = (_shown(row.path, self.home), PATH)
            claimed = " (claimed)" if row.trust == "claimed" else ""
            if is_narrow:
                page.line(state, f"{told}{claimed}")
                page.line("    ", file)
            else:
                page.line(state, told, file, claimed)
            if row.why:
                page.faint(f"    {one_line(row.why)}")
            if row.share and row.share.is_small:
                page.line((f"    {_told(row.share)}", WARN))
        _show_what_next(page, self)
        show_skipped(page, self.skipped)


@dataclass(frozen=True, slots=True, kw_only=True)
class TranscriptShown:
    """One transcript as it is understood: the answer to `transcripts show PATH`."""

    JSON_NAME = "Transcript"
    format: ClassVar = Also("transcript.format", str, "The name of its reader, as `claude-code`.")
    session_id: ClassVar = Also("transcript.session_id", str, "The chat's own id.")
    workspace: ClassVar = Also(
        "transcript.workspace", str | None, "The folder the chat worked in, where the format says so."
    )
    trust: ClassVar = Also(
        "transcript.trust", Trust, "`claimed`: anybody may have written it; `trust PATH` says that it is yours."
    )
    typed_messages: ClassVar = Also("share.typed", int, "In how many of the person's messages something was typed.")
    all_messages: ClassVar = Also("share.messages", int, "How many messages the person sent.")
    turns: ClassVar = Also("transcript.turns", list[Turn])
    skipped: ClassVar = Also("transcript.skipped", list[Skipped])
    transcript: Hidden[Transcript]
    share: Hidden[TypedShare]

    def show(self, page: Page) -> None:
        """Print what the person typed in one transcript."""
        transcript = self.transcript
        page.line((transcript.origin, PATH), f"  {transcript.format}  {transcript.session_id}")
        if self.share.is_small:
            page.line((_told(self.share), WARN))
        for turn in transcript.turns:
            if not turn.typed:
                continue
            page.head(f"turn {turn.number}", f"  {turn.at.isoformat(timespec='minutes')}" if turn.at else "")
            _show_typed(page, turn)
        if not any(turn.typed for turn in transcript.turns):
            page.faint("nothing was typed in it")
        show_skipped(page, transcript.skipped)


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetRow:
    """A customization file."""

    JSON_NAME = "Target"
    type: TargetType
    path: Annotated[str, "Relative to the root, or `~/…`."]
    title: str
    description: str
    applies_to: Annotated[str | None, "Its `applyTo` as hosts read it; `**`: always."]
    scope: Annotated[Scope, "Whom it concerns."]
    tokens: Annotated[int, "About how many it costs."]
    matches: Annotated[Mapping[str, bool] | None, "With `--for`: by host, whether it loads the file then."] = None
    pattern: Annotated[str | None, "With `--for`: the pattern that matches."] = None
    others: Annotated[tuple[str, ...], "With `--for`: further assistants that load it.", Key("loadedBy")] = ()
    warnings: Annotated[tuple[str, ...], "What is odd about it."] = ()

    @property
    def is_loaded(self) -> bool:
        """Tell whether anybody loads it for the given file."""
        return bool(self.others) or any((self.matches or {}).values())


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetRows:
    """The customization files."""

    JSON_NAME = "Targets"
    source_file: Annotated[str | None, "The file that was asked about with `--for`.", Key("file")] = None
    tokens: Annotated[int, "About how many all cost; with `--for`, what is loaded for that file."] = 0
    budget: Annotated[int | None, "How many that may be."] = None
    rows: Annotated[tuple[TargetRow, ...], Key("targets")]
    skipped: tuple[Skipped, ...] = ()

    def show(self, page: Page) -> None:
        """Print the customization files."""
        for row in self.rows:
            _show_target(page, row)
        if self.source_file is None:
            page.faint(f"{count(len(self.rows), 'file', 'files')} in all, about {self.tokens:,} tokens")
        else:
            _show_cost(page, self, self.source_file)
        show_skipped(page, self.skipped)


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedPlace:
    """One place for a rule."""

    JSON_NAME = "Place"
    target_type: TargetType
    path: str
    heading: Annotated[str | None, "The heading under which it would go."]
    score: Annotated[float, "For comparison with the others only.", four_digits]
    why: str
    diff: Annotated[str, "What would be written, as a unified diff."]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """The places for a bare rule."""

    content: Annotated[str, "The rule."]
    places: Annotated[tuple[RankedPlace, ...], "Best place first.", Key("ranked")]

    def show(self, page: Page) -> None:
        """Print the places for a rule, with the diff of the best."""
        for number, place in enumerate(self.places, 1):
            heading = f" › {place.heading}" if place.heading else ""
            page.line(f"{number}. ", (f"{place.path}{heading}", PATH), (f"  {place.score:.2f}", FAINT))
            page.faint(f"   {sentence(place.why)}")
        if self.places:
            page.line()
            show_diff(page, self.places[0].diff)


_HOSTS = {"vscode": "VS Code", "github": "GitHub Copilot"}


def _show_cost(page: Page, report: TargetRows, source_file: str) -> None:
    """Print what is loaded for one file, and whether that is more than it should be."""
    loaded = sum(row.is_loaded for row in report.rows)
    told = f"{loaded} of {count(len(report.rows), 'file', 'files')} loaded for {source_file}"
    page.faint(f"{told}, about {report.tokens:,} tokens")
    if report.budget is not None and report.tokens > report.budget:
        page.line((f"that is more than {report.budget:,}: every request about this file carries it", WARN))


def _show_target(page: Page, row: TargetRow) -> None:
    page.line(f"{row.type:<13} ", (row.path, PATH), (f"  {one_line(row.title)}" if row.title else "", HEAD))
    details = [f"about {row.tokens:,} tokens"]
    if row.applies_to:
        details.append(f"applyTo {row.applies_to}")
    if row.matches is not None:
        yes = [_HOSTS[dialect] for dialect, matches in row.matches.items() if matches] + list(row.others)
        details.append(f"loaded by {', '.join(yes)} ({row.pattern})" if yes else "not loaded")
    page.faint(" " * 14 + " · ".join(details))
    for warning in row.warnings:
        page.line((" " * 14 + warning, WARN))


_NARROW = 110  # columns of a terminal from which on a file stands on the line of its row
_KILO = 1000
_UNITS = ("B", "KB", "MB", "GB")


def _told(share: TypedShare) -> str:
    return f"typed {share.typed} of {share.messages} messages: the others are quoted from beginning to end"


def _size(row: TranscriptRow) -> str:
    if row.size is None:
        return count(row.messages, "message", "messages")
    size: float = row.size
    for unit in _UNITS:
        if size < _KILO or unit == _UNITS[-1]:
            return f"{size:.0f} {unit}" if unit == "B" or size >= 10 else f"{size:.1f} {unit}"
        size /= _KILO
    raise AssertionError


def _shown(path: str, home: str) -> str:
    below = path.removeprefix(home)
    return f"~{below}" if home and below != path and below[:1] in ("/", "\\") else path


def _show_what_next(page: Page, report: TranscriptRows) -> None:
    waiting = sum(row.state not in {"processed", "failed"} for row in report.rows)
    failed = sum(row.state == "failed" for row in report.rows)
    if not report.rows:
        page.line("no transcripts of this workspace were found")
        page.faint("looked where these keep theirs: " + ", ".join(report.looked_for))
        page.faint("next: name files or folders, `memsuggest transcripts PATH`")
    if waiting:
        page.faint(f"{waiting} of {len(report.rows)} not learned from yet: `memsuggest reconcile`")
    if failed:
        page.faint(f"{failed} could not be read; tried again when changed, or named: `memsuggest reconcile PATH`")


def _show_typed(page: Page, turn: Turn) -> None:
    """Print what was typed, its quoted stretches faint and the doubtful ones faint behind `(?)`."""
    parts: list[str | tuple[str, str]] = []
    place = 0
    stretches = [*((*stretch, False) for stretch in turn.quoted), *((*stretch, True) for stretch in turn.doubtful)]
    for start, end, is_doubtful in sorted(stretches):
        text = turn.typed[start:end]
        parts += [turn.typed[place:start], (_questioned(text) if is_doubtful else text, FAINT)]
        place = end
    page.line(*parts, turn.typed[place:])


def _questioned(text: str) -> str:
    bare = text.rstrip("\n")
    return f"(?) {bare}{text[len(bare) :]}" if bare else text
