"""Suggestions for a pull request, as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, TypedDict

from memsuggest.render.as_json.filling import From, fill
from memsuggest.render.as_json.shared_shapes import SkippedJson
from memsuggest.render.as_json.suggestion_shapes import SuggestionJson
from memsuggest.render.pull_request_comment import public_remedy

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memsuggest.model import LineChange
    from memsuggest.reports.pull_request import ReviewProposal


class LinesJson(TypedDict):
    """Lines that take the place of others."""

    first: Annotated[int, "The first line that goes, from 1."]
    last: Annotated[int, "The last line that goes."]
    text: Annotated[list[str], "The lines that come, without their ends.", From("lines")]


class BesideJson(TypedDict):
    """The relation of a suggestion to a change."""

    whyHere: Annotated[str, "How it concerns the change."]
    lines: Annotated[
        LinesJson | None, "What it does to the file as it is in the change; null for a new file.", From("change")
    ]
    inDiff: Annotated[bool, "Whether a review tool can attach it to those lines.", From("is_in_diff")]


class ProposalJson(SuggestionJson, BesideJson):
    """A suggestion beside a change."""


def _proposals(proposals: Iterable[ReviewProposal]) -> list[dict[str, object]]:
    return [{**fill(SuggestionJson, one.suggestion), **fill(BesideJson, one)} for one in proposals]


def _ids(proposals: Iterable[ReviewProposal]) -> list[str]:
    return [one.suggestion.id for one in proposals]


def _text(change: LineChange) -> str:
    return "".join(f"{line}\n" for line in change.lines)


class BlockJson(TypedDict):
    """Suggestions for one place, as one block that can be committed."""

    path: Annotated[str, "The file."]
    start: Annotated[int, "The first line that goes, from 1.", From("change.first")]
    end: Annotated[int, "The last line that goes.", From("change.last")]
    text: Annotated[str, "The lines that come, each with its end.", From("change", _text)]
    suggestions: Annotated[list[str], "Ids of the suggestions that are in it.", From("proposals", _ids)]


class UnheldJson(TypedDict):
    """A rule of a changed file that does not hold; without what was said, which is nobody else's business."""

    uri: Annotated[str, "The file."]
    line: Annotated[int, "From 1."]
    content: Annotated[str, "Its words in the file."]
    why: Annotated[str, "In how many chats it was said again."]
    remedy: Annotated[str, "What to do about it; empty where nothing is known.", From(".", public_remedy)]


class CommentJson(TypedDict):
    """Suggestions for the files of a pull request."""

    base: Annotated[str, "What the change is compared with, and where the facts come from."]
    suggestions: Annotated[list[ProposalJson], "Best first.", From("proposals", _proposals)]
    blocks: Annotated[list[BlockJson], "What can be committed beside the lines of the diff: one for each place."]
    elsewhere: Annotated[int, "How many suggestions concern none of the changed files."]
    unheld: Annotated[list[UnheldJson], "Rules of the changed files that had to be said again."]
    unmerged: Annotated[int, "How many facts the change itself adds: claims until it is merged."]
    skipped: list[SkippedJson]
