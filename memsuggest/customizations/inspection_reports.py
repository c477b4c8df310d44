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
    """A transcript."""

    path: str
    format: Annotated[str, "The transcript format, for example `claude-code`."]
    size: Annotated[int | None, "Size in bytes; null for a chat stored in a database."]
    _messages: ClassVar = Also(
        "messages_of_its_own", int | None, "Number of messages, for a chat stored in a database."
    )
    modified_at: Annotated[float, "As ISO 8601.", iso_of_seconds]
    last_turn_at: Annotated[float, "Time of the last turn, in ISO 8601 format.", iso_of_seconds]
    state: Annotated[str, "`new`, `changed`, `processed`, `failed` or `postponed`."]
    why: Annotated[str, "Why reading failed; empty if it did not."] = ""
    trust: Annotated[Trust, "`claimed`: the author is unverified; `trust PATH` marks it as yours."] = Trust.TYPED
    typed_messages: ClassVar = Also(
        "share.typed", int | None, "Number of your messages with typed text; null if not checked."
    )
    all_messages: ClassVar = Also("share.messages", int | None, "Number of messages you sent.")
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
    """Transcripts of this workspace."""

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
            text = f" {row.format:<13} {_size(row):>12}  {said:<13} "
            file = (_shown(row.path, self.home), PATH)
            claimed = " (claimed)" if row.trust == "claimed" else ""
            if is_narrow:
                page.line(state, f"{text}{claimed}")
                page.line("    ", file)
            else:
                page.line(state, text, file, claimed)
            if row.why:
                page.faint(f"    {one_line(row.why)}")
            if row.share and row.share.is_small:
                page.line((f"    {_told(row.share)}", WARN))
        _show_what_next(page, self)
        show_skipped(page, self.skipped)


@dataclass(frozen=True, slots=True, kw_only=True)
class TranscriptShown:
    """One transcript as memsuggest reads it: the result of `transcripts show PATH`."""

    JSON_NAME = "Transcript"
    format: ClassVar = Also("transcript.format", str, "The transcript format, for example `claude-code`.")
    session_id: ClassVar = Also("transcript.session_id", str, "ID of the chat.")
    workspace: ClassVar = Also("transcript.workspace", str | None, "The chat's working folder; null if not recorded.")
    trust: ClassVar = Also(
        "transcript.trust", Trust, "`claimed`: the author is unverified; `trust PATH` marks it as yours."
    )
    typed_messages: ClassVar = Also("share.typed", int, "Number of your messages with typed text.")
    all_messages: ClassVar = Also("share.messages", int, "Number of messages you sent.")
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
            page.faint("no typed messages")
        show_skipped(page, transcript.skipped)


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetRow:
    """A customization file."""

    JSON_NAME = "Target"
    type: TargetType
    path: Annotated[str, "Relative to the root or as `~/…`."]
    title: str
    description: str
    applies_to: Annotated[str | None, "The `applyTo` patterns as assistants read them; `**`: always."]
    scope: Annotated[Scope, "Who it applies to."]
    tokens: Annotated[int, "Approximate token cost."]
    matches: Annotated[Mapping[str, bool] | None, "With `--for`: for each assistant, whether it loads the file."] = None
    pattern: Annotated[str | None, "With `--for`: the pattern that matches."] = None
    others: Annotated[tuple[str, ...], "With `--for`: other assistants that load it.", Key("loadedBy")] = ()
    warnings: Annotated[tuple[str, ...], "Problems in the file."] = ()

    @property
    def is_loaded(self) -> bool:
        """Tell whether anybody loads it for the given file."""
        return bool(self.others) or any((self.matches or {}).values())


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetRows:
    """The customization files."""

    JSON_NAME = "Targets"
    source_file: Annotated[str | None, "The file given with `--for`.", Key("file")] = None
    tokens: Annotated[int, "Approximate token cost of all files; with `--for`, of those loaded for that file."] = 0
    budget: Annotated[int | None, "The token budget."] = None
    rows: Annotated[tuple[TargetRow, ...], Key("targets")]
    skipped: tuple[Skipped, ...] = ()

    def show(self, page: Page) -> None:
        """Print the customization files."""
        for row in self.rows:
            _show_target(page, row)
        if self.source_file is None:
            page.faint(f"{count(len(self.rows), 'file', 'files')} in total, about {self.tokens:,} tokens")
        else:
            _show_cost(page, self, self.source_file)
        show_skipped(page, self.skipped)


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedPlace:
    """One place for a rule."""

    JSON_NAME = "Place"
    target_type: TargetType
    path: str
    heading: Annotated[str | None, "The heading above the new line."]
    score: Annotated[float, "Only meaningful relative to the other places.", four_digits]
    why: str
    diff: Annotated[str, "The edit as a unified diff."]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """Places for a rule, best first."""

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
    text = f"{loaded} of {count(len(report.rows), 'file', 'files')} loaded for {source_file}"
    page.faint(f"{text}, about {report.tokens:,} tokens")
    if report.budget is not None and report.tokens > report.budget:
        page.line((f"over the budget of {report.budget:,}: every request about this file includes these tokens", WARN))


def _show_target(page: Page, row: TargetRow) -> None:
    page.line(f"{row.type:<13} ", (row.path, PATH), (f"  {one_line(row.title)}" if row.title else "", HEAD))
    details = ["executed, not read" if row.type is TargetType.HOOK else f"about {row.tokens:,} tokens"]
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
    return f"{share.typed} of {share.messages} messages contain typed text: the others are only quotes"


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
        page.line("no transcripts found for this workspace")
        page.faint("looked in the default folders of " + ", ".join(report.looked_for))
        page.faint("next: give files or folders, `memsuggest transcripts PATH`")
    if waiting:
        page.faint(f"{waiting} of {len(report.rows)} not read yet: `memsuggest reconcile`")
    if failed:
        page.faint(f"{failed} could not be read; to try again: `memsuggest reconcile PATH`")


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
