"""Reports on what waits for a decision, and on what was decided."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, ClassVar

from memsuggest.config import Mode
from memsuggest.json_shape import Also, Hidden, Key, fill
from memsuggest.model import Contradiction, MemoryFact, MemorySuggestion, Skipped, SuggestionStatus, Turn
from memsuggest.reports.held_report import HeldRule
from memsuggest.reports.suggestion_view import MaybeJson, MaybeView, SuggestionJson, SuggestionView, ids_of
from memsuggest.text.when import iso


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """A fact and what was decided about it."""

    id: ClassVar = Also("fact.id", str, "The same as `factId`.")
    fact_id: ClassVar = Also("fact.id", str)
    content: ClassVar = Also("fact.content", str, "The rule.")
    target: Annotated[str | None, "The file that it was decided for; null: for all.", Key("targetUri")]
    status: SuggestionStatus
    fact: Hidden[MemoryFact]


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """Suggestions that wait, or that were decided."""

    mode: Mode
    last_run: Annotated[int | None, "When chats were last read, as ISO 8601; null: never.", iso]
    suggestions: Annotated[
        tuple[SuggestionView, ...], "What waits, best first; empty with another `--status` than pending."
    ]
    maintenance: Annotated[tuple[SuggestionView, ...], "What customization files need by themselves.", Key("care")] = ()
    maintenance_held: Annotated[
        Mapping[str, int],
        "By file, how much more care it needs: shown once what is shown now is settled.",
        Key("careHeld"),
    ] = field(default_factory=dict)
    written: Annotated[int, "How many facts wait for your word, as only a document of an assistant says them."] = 0
    decided: Annotated[tuple[Decided, ...], "With `--status applied` or `dismissed`: what was decided."] = ()
    skipped: ClassVar = Also(".", list[Skipped], to=lambda _: [])
    status: Hidden[SuggestionStatus]
    dangerous: Hidden[frozenset[str]] = frozenset()
    """Ids of suggestions whose rules weaken safety."""
    is_narrowed: Hidden[bool] = False
    """Only what concerns certain files."""
    unread: Hidden[Mapping[str, str]] = field(default_factory=dict)
    """By the ids of suggestions, the assistant that was told and does not read the file by itself."""
    seen: Hidden[frozenset[str]] = frozenset()
    """Ids of what was shown at the last look: these come last."""
    is_whole: Hidden[bool] = False
    """What was shown at the last look is shown again; otherwise one line tells of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Maybes:
    """Suggestions that are kept aside: the answer to `--maybe`."""

    mode: Mode
    last_run: Annotated[int | None, "When chats were last read, as ISO 8601; null: never.", iso]
    facts: Annotated[tuple[MaybeView, ...], "What could be a rule, said most often first.", Key("suggestions")]
    care: ClassVar = Also(".", list[SuggestionJson], to=lambda _: [])
    written: ClassVar = Also(".", int, to=lambda _: 0)
    decided: ClassVar = Also(".", list[Decided], to=lambda _: [])
    skipped: ClassVar = Also(".", list[Skipped], to=lambda _: [])


@dataclass(frozen=True, slots=True, kw_only=True)
class Readers:
    """Assistants that read a file by themselves, and others; neither says anything where that is not known."""

    reading: tuple[str, ...] = ()
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """One suggestion, whole."""

    suggestion: SuggestionView
    similar: Annotated[tuple[SuggestionView, ...], "Ids of pending suggestions about the same matter.", ids_of] = ()
    was_replanned: Annotated[
        bool, "The file changed since it was suggested; this is the edit for the file as it is now.", Key("replanned")
    ] = False
    danger: Annotated[str, "How the rule weakens safety; empty where it does not."] = ""
    contradictions: Annotated[tuple[Contradiction, ...], "Facts that it contradicts."] = ()
    read_by: ClassVar = Also(
        "readers.reading", list[str], "Of VS Code, Copilot CLI, Claude Code and Codex, those that read the file."
    )
    not_read_by: ClassVar = Also(
        "readers.others", list[str], "Those that do not; neither has any where that is not known."
    )
    held: Annotated[tuple[HeldRule, ...], "What it would replace and does not hold."] = ()
    differs: Hidden[bool] = False
    """Planned anew, it puts other lines in, takes another out, or goes to another place."""
    readers: Hidden[Readers] = field(default_factory=Readers)
    """Who reads the file that it goes to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Screen:
    """One suggestion of a review."""

    shown: Shown
    number: int
    count: int
    is_new: bool = False
    """It was not shown at the last look, and others were."""
    notes: tuple[str, ...] = ()
    """What was done since the screen before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """The turns around a quote; none where the chat is not there any more."""

    turns: tuple[Turn, ...] = ()
    cited: int = 0
    """The number of the turn that is quoted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bundle:
    """Suggestions that one key of a review would decide at once, to be looked at before."""

    suggestions: tuple[MemorySuggestion, ...]
    held_back: tuple[Skipped, ...] = ()
    """Ones that need a look of their own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """Suggestions that an `apply` is about to write, each as it would be written now."""

    shown: tuple[Shown, ...]
    held_back: tuple[Skipped, ...] = ()
    """Ones that a bulk apply leaves for the person to confirm one by one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Applied:
    """Suggestions that were written into files."""

    suggestions: Annotated[tuple[SuggestionView, ...], Key("applied")]
    similar: Annotated[tuple[SuggestionView, ...], "Ids of pending suggestions about the same matter.", ids_of] = ()
    held_back: Annotated[tuple[Skipped, ...], "What `--all` leaves for you to confirm one by one."] = ()


def _dismissed(report: Dismissed) -> list[dict[str, object]]:
    rows = ((SuggestionJson, report.suggestions), (MaybeJson, report.maybes))
    return [fill(shape, one) for shape, found in rows for one in found]


@dataclass(frozen=True, slots=True, kw_only=True)
class Dismissed:
    """Facts that were silenced."""

    dismissed: ClassVar = Also(".", list[SuggestionJson | MaybeJson], to=_dismissed)
    only_here: Annotated[bool, "With `--here`: only for this file."]
    suggestions: Hidden[tuple[MemorySuggestion, ...]]
    maybes: Hidden[tuple[MemoryFact, ...]] = ()
    """What was kept aside until now."""
    silenced: Hidden[tuple[str, ...]] = ()
    """Chats that are never read again."""
    elsewhere: Hidden[tuple[MemorySuggestion, ...]] = ()
    """Of what was silenced for one file only, what waits for another one now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceChoice:
    """Another place for a rule, in `move`."""

    JSON_NAME = "OtherPlace"
    uri: Annotated[str, "The file.", Key("path")]
    heading: Annotated[str | None, "The heading in it; null: the file decides."] = None
    makes: Hidden[bool] = False
    """The file, or the heading in it, is made with the rule."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """Other places for a suggestion: the answer without PLACE."""

    id: ClassVar = Also("suggestion.id", str, "Of the suggestion.")
    path: ClassVar = Also("suggestion.edit.path", str, "The file that it goes to now.")
    heading: ClassVar = Also("suggestion.heading", str | None, "The heading that it goes to now.")
    places: Annotated[tuple[PlaceChoice, ...], "Best first."]
    suggestion: Hidden[MemorySuggestion]


def _not(stays: bool) -> bool:
    return not stays


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """A suggestion at another place, where it waits now."""

    stays: Annotated[
        bool, "False: it stays where it was, for that is the place that was named.", Key("moved"), _not
    ] = False
    suggestion: SuggestionView


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """A decision that can be taken back, or was."""

    at: Annotated[int, "When it was made, as ISO 8601.", iso]
    verb: Annotated[str, "What was done: `applied`, `dismissed`, `forgot` …"]
    ids: Annotated[tuple[str, ...], "Of the suggestions or facts that it was about."]
    contents: Annotated[tuple[str, ...], "What it was about, in words."]
    paths: Annotated[tuple[str, ...], "Files that it wrote."]


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenRows:
    """The last decisions, newest first: the answer to `--list`."""

    JSON_NAME = "Decisions"
    rows: Annotated[tuple[Taken, ...], Key("decisions")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Undone:
    """Decisions that were taken back."""

    taken: Annotated[Taken, Key("decision")]
    contents: Annotated[tuple[str, ...], "What it was about, in words.", Key("undone")]
    paths: Annotated[tuple[str, ...], "Files that are as they were before."]
    facts: Annotated[tuple[str, ...], "What is remembered again as it was."] = ()
    places: Hidden[tuple[str, ...]] = ()
    """For each of the contents, where it goes."""
