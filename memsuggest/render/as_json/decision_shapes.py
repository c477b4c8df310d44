"""Suggestions that wait, and decisions about them, as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, TypedDict

from memsuggest.config import Mode
from memsuggest.render.as_json.filling import From, constant, fill
from memsuggest.render.as_json.held_shapes import HeldRuleJson
from memsuggest.render.as_json.shared_shapes import SkippedJson
from memsuggest.render.as_json.suggestion_shapes import ContradictionJson, DecidedJson, MaybeJson, SuggestionJson
from memsuggest.render.when import iso

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memsuggest.model import MemorySuggestion
    from memsuggest.reports.decision_reports import Dismissed


def ids_of(suggestions: Iterable[MemorySuggestion]) -> list[str]:
    """Return the ids of suggestions."""
    return [suggestion.id for suggestion in suggestions]


def _dismissed(report: Dismissed) -> list[dict[str, object]]:
    rows = ((SuggestionJson, report.suggestions), (MaybeJson, report.maybes))
    return [fill(shape, one) for shape, found in rows for one in found]


class ListingJson(TypedDict):
    """Suggestions that wait, or that were decided."""

    mode: Mode
    lastRun: Annotated[str | None, "When chats were last read, as ISO 8601; null: never.", From(to=iso)]
    suggestions: Annotated[list[SuggestionJson], "What waits, best first; empty with another `--status` than pending."]
    care: Annotated[list[SuggestionJson], "What customization files need by themselves.", From("maintenance")]
    careHeld: Annotated[
        dict[str, int],
        "By file, how much more care it needs: shown once what is shown now is settled.",
        From("maintenance_held"),
    ]
    written: Annotated[int, "How many facts wait for your word, as only a document of an assistant says them."]
    decided: Annotated[list[DecidedJson], "With `--status applied` or `dismissed`: what was decided."]
    skipped: Annotated[list[SkippedJson], constant([])]


class MaybesJson(TypedDict):
    """Suggestions that are kept aside: the answer to `--maybe`."""

    mode: Mode
    lastRun: Annotated[str | None, "When chats were last read, as ISO 8601; null: never.", From(to=iso)]
    suggestions: Annotated[list[MaybeJson], "What could be a rule, said most often first.", From("facts")]
    care: Annotated[list[SuggestionJson], constant([])]
    written: Annotated[int, constant(0)]
    decided: Annotated[list[DecidedJson], constant([])]
    skipped: Annotated[list[SkippedJson], constant([])]


class ShownJson(TypedDict):
    """One suggestion, whole."""

    suggestion: SuggestionJson
    similar: Annotated[list[str], "Ids of pending suggestions about the same matter.", From(to=ids_of)]
    replanned: Annotated[
        bool,
        "The file changed since it was suggested; this is the edit for the file as it is now.",
        From("was_replanned"),
    ]
    danger: Annotated[str, "How the rule weakens safety; empty where it does not."]
    contradictions: Annotated[list[ContradictionJson], "Facts that it contradicts."]
    readBy: Annotated[
        list[str], "Of VS Code, Copilot CLI, Claude Code and Codex, those that read the file.", From("readers.reading")
    ]
    notReadBy: Annotated[
        list[str], "Those that do not; neither has any where that is not known.", From("readers.others")
    ]
    held: Annotated[list[HeldRuleJson], "What it would replace and does not hold."]


class AppliedJson(TypedDict):
    """Suggestions that were written into files."""

    applied: Annotated[list[SuggestionJson], From("suggestions")]
    similar: Annotated[list[str], "Ids of pending suggestions about the same matter.", From(to=ids_of)]
    heldBack: Annotated[list[SkippedJson], "What `--all` leaves for you to confirm one by one."]


class MovedJson(TypedDict):
    """A suggestion at another place, where it waits now."""

    moved: Annotated[
        bool,
        "False: it stays where it was, for that is the place that was named.",
        From("stays", lambda stays: not stays),
    ]
    suggestion: SuggestionJson


class OtherPlaceJson(TypedDict):
    """Another place for a rule, in `move`."""

    path: Annotated[str, "The file.", From("uri")]
    heading: Annotated[str | None, "The heading in it; null: the file decides."]


class PlacesJson(TypedDict):
    """Other places for a suggestion: the answer without PLACE."""

    id: Annotated[str, "Of the suggestion.", From("suggestion.id")]
    path: Annotated[str, "The file that it goes to now.", From("suggestion.edit.path")]
    heading: Annotated[str | None, "The heading that it goes to now.", From("suggestion.heading")]
    places: Annotated[list[OtherPlaceJson], "Best first."]


class DismissedJson(TypedDict):
    """Facts that were silenced."""

    dismissed: Annotated[list[SuggestionJson | MaybeJson], From(".", _dismissed)]
    onlyHere: Annotated[bool, "With `--here`: only for this file."]


class TakenJson(TypedDict):
    """A decision that can be taken back, or was."""

    at: Annotated[str | None, "When it was made, as ISO 8601.", From(to=iso)]
    verb: Annotated[str, "What was done: `applied`, `dismissed`, `forgot` …"]
    ids: Annotated[list[str], "Of the suggestions or facts that it was about."]
    contents: Annotated[list[str], "What it was about, in words."]
    paths: Annotated[list[str], "Files that it wrote."]


class UndoneJson(TypedDict):
    """Decisions that were taken back."""

    decision: Annotated[TakenJson, From("taken")]
    undone: Annotated[list[str], "What it was about, in words.", From("contents")]
    paths: Annotated[list[str], "Files that are as they were before."]
    facts: Annotated[list[str], "What is remembered again as it was."]


class DecisionsJson(TypedDict):
    """The last decisions, newest first: the answer to `--list`."""

    decisions: Annotated[list[TakenJson], From("rows")]


class StatusJson(TypedDict):
    """The state of things."""

    mode: Mode
    lastRun: Annotated[str | None, "When chats were last read, as ISO 8601; null: never.", From(to=iso)]
    pending: Annotated[int, "How many suggestions wait."]
    watcher: Annotated[str | None, "Who watches this workspace now, as `process 4711`."]


class NoticeJson(TypedDict):
    """One line of `watch`, whenever something is worth writing down."""

    notice: Annotated[str, "The line for a person.", From("text")]
    review: Annotated[str, "The command to look at it."]
    suggestions: Annotated[list[str], "Ids of the suggestions that it is about."]
