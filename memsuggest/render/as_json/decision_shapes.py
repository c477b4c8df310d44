"""What waits for a decision, and what was decided, as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, TypedDict

from memsuggest.config import Mode
from memsuggest.render.as_json.noun_shapes import SkippedJson, skips
from memsuggest.render.as_json.suggestion_shapes import (
    ContradictionJson,
    DecidedJson,
    MaybeJson,
    SuggestionJson,
    contradiction_json,
    decided_json,
    maybe_json,
    suggestion_json,
    suggestions_json,
)
from memsuggest.render.when import iso

if TYPE_CHECKING:
    from memsuggest.reports import decision_reports, status_report, watch_reports


class ListingJson(TypedDict):
    """What waits, or what was decided."""

    mode: Mode
    lastRun: Annotated[str | None, "When chats were last read, as ISO 8601; null: never."]
    suggestions: Annotated[list[SuggestionJson], "What waits, best first; empty with another `--status` than pending."]
    care: Annotated[list[SuggestionJson], "What customization files need by themselves."]
    written: Annotated[int, "How many facts wait for your word, as only a document of an assistant says them."]
    decided: Annotated[list[DecidedJson], "With `--status applied` or `dismissed`: what was decided."]
    skipped: list[SkippedJson]


class MaybesJson(TypedDict):
    """What is kept aside: the answer to `--maybe`."""

    mode: Mode
    lastRun: Annotated[str | None, "When chats were last read, as ISO 8601; null: never."]
    suggestions: Annotated[list[MaybeJson], "What could be a rule, said most often first."]
    care: list[SuggestionJson]
    written: int
    decided: list[DecidedJson]
    skipped: list[SkippedJson]


class ShownJson(TypedDict):
    """One suggestion, whole."""

    suggestion: SuggestionJson
    similar: Annotated[list[str], "Ids of pending suggestions about the same matter."]
    replanned: Annotated[bool, "The file changed since it was suggested; this is the edit for the file as it is now."]
    danger: Annotated[str, "How the rule weakens safety; empty where it does not."]
    contradictions: Annotated[list[ContradictionJson], "Facts that it contradicts."]
    readBy: Annotated[list[str], "Of VS Code, Copilot CLI, Claude Code and Codex, those that read the file."]
    notReadBy: Annotated[list[str], "Those that do not; neither has any where that is not known."]


class AppliedJson(TypedDict):
    """What was written into files."""

    applied: list[SuggestionJson]
    similar: Annotated[list[str], "Ids of pending suggestions about the same matter."]
    heldBack: Annotated[list[SkippedJson], "What `--all` leaves for you to confirm one by one."]


class MovedJson(TypedDict):
    """A suggestion at another place, where it waits now."""

    moved: Annotated[bool, "False: it stays where it was, for that is the place that was named."]
    suggestion: SuggestionJson


class OtherPlaceJson(TypedDict):
    """Another place for a rule, in `move`."""

    path: Annotated[str, "The file."]
    heading: Annotated[str | None, "The heading in it; null: the file decides."]


class PlacesJson(TypedDict):
    """Where else a suggestion could go: the answer without PLACE."""

    id: Annotated[str, "Of the suggestion."]
    path: Annotated[str, "The file that it goes to now."]
    heading: Annotated[str | None, "The heading that it goes to now."]
    places: Annotated[list[OtherPlaceJson], "Best first."]


class DismissedJson(TypedDict):
    """What was silenced."""

    dismissed: list[SuggestionJson | MaybeJson]
    onlyHere: Annotated[bool, "With `--here`: only for this file."]


class TakenJson(TypedDict):
    """A decision that can be taken back, or was."""

    at: Annotated[str | None, "When it was made, as ISO 8601."]
    verb: Annotated[str, "What was done: `applied`, `dismissed`, `forgot` …"]
    ids: Annotated[list[str], "Of the suggestions or facts that it was about."]
    contents: Annotated[list[str], "What it was about, in words."]
    paths: Annotated[list[str], "Files that it wrote."]


class UndoneJson(TypedDict):
    """What was taken back."""

    decision: TakenJson
    undone: Annotated[list[str], "What it was about, in words."]
    paths: Annotated[list[str], "Files that are as they were before."]
    facts: Annotated[list[str], "What is remembered again as it was."]


class DecisionsJson(TypedDict):
    """The last decisions, newest first: the answer to `--list`."""

    decisions: list[TakenJson]


class StatusJson(TypedDict):
    """How things stand."""

    mode: Mode
    lastRun: Annotated[str | None, "When chats were last read, as ISO 8601; null: never."]
    pending: Annotated[int, "How many suggestions wait."]
    watcher: Annotated[str | None, "Who watches this workspace now, as `process 4711`."]


class NoticeJson(TypedDict):
    """One line of `watch`, whenever something is worth writing down."""

    notice: Annotated[str, "The line for a person."]
    review: Annotated[str, "The command to look at it."]
    suggestions: Annotated[list[str], "Ids of the suggestions that it is about."]


def listing_json(report: decision_reports.Listing) -> ListingJson:
    """Return what waits, or what was decided."""
    return {
        "mode": report.mode,
        "lastRun": iso(report.last_run),
        "suggestions": suggestions_json(report.suggestions),
        "care": suggestions_json(report.maintenance),
        "written": report.written,
        "decided": [decided_json(decided) for decided in report.decided],
        "skipped": [],
    }


def maybes_json(report: decision_reports.Maybes) -> MaybesJson:
    """Return what is kept aside, in the form of a listing."""
    return {
        "mode": report.mode,
        "lastRun": iso(report.last_run),
        "suggestions": [maybe_json(fact) for fact in report.facts],
        "care": [],
        "written": 0,
        "decided": [],
        "skipped": [],
    }


def shown_json(report: decision_reports.Shown) -> ShownJson:
    """Return one suggestion, whole."""
    return {
        "suggestion": suggestion_json(report.suggestion),
        "similar": [suggestion.id for suggestion in report.similar],
        "replanned": report.was_replanned,
        "danger": report.danger,
        "contradictions": [contradiction_json(pair) for pair in report.contradictions],
        "readBy": list(report.readers.reading),
        "notReadBy": list(report.readers.others),
    }


def applied_json(report: decision_reports.Applied) -> AppliedJson:
    """Return what was written."""
    return {
        "applied": suggestions_json(report.suggestions),
        "similar": [suggestion.id for suggestion in report.similar],
        "heldBack": skips(report.held_back),
    }


def moved_json(report: decision_reports.Moved) -> MovedJson:
    """Return a suggestion at another place."""
    return {"moved": not report.stays, "suggestion": suggestion_json(report.suggestion)}


def places_json(report: decision_reports.Places) -> PlacesJson:
    """Return where else a suggestion could go."""
    return {
        "id": report.suggestion.id,
        "path": report.suggestion.edit.path,
        "heading": report.suggestion.heading,
        "places": [{"path": place.uri, "heading": place.heading} for place in report.places],
    }


def dismissed_json(report: decision_reports.Dismissed) -> DismissedJson:
    """Return what was silenced."""
    return {
        "dismissed": [*suggestions_json(report.suggestions), *map(maybe_json, report.maybes)],
        "onlyHere": report.only_here,
    }


def undone_json(report: decision_reports.Undone) -> UndoneJson:
    """Return what was taken back."""
    return {
        "decision": _taken(report.taken),
        "undone": list(report.contents),
        "paths": list(report.paths),
        "facts": list(report.facts),
    }


def _taken(taken: decision_reports.Taken) -> TakenJson:
    return {
        "at": iso(taken.at),
        "verb": taken.verb,
        "ids": list(taken.ids),
        "contents": list(taken.contents),
        "paths": list(taken.paths),
    }


def decisions_json(report: decision_reports.TakenRows) -> DecisionsJson:
    """Return the last decisions."""
    return {"decisions": [_taken(row) for row in report.rows]}


def status_json(report: status_report.Status) -> StatusJson:
    """Return how things stand."""
    return {
        "mode": report.mode,
        "lastRun": iso(report.last_run),
        "pending": report.pending,
        "watcher": report.watcher,
    }


def notice_json(report: watch_reports.Notice) -> NoticeJson:
    """Return a notice."""
    return {"notice": report.text, "review": report.review, "suggestions": list(report.suggestions)}
