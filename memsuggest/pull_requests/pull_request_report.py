"""The report on what waits for the files of a pull request."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, ClassVar, TypedDict, cast

from memsuggest.core.json_shape import Also, From, Key, fill
from memsuggest.core.model import LineChange, MemorySuggestion, Skipped
from memsuggest.held.held_report import HeldRule, RemedyKind
from memsuggest.suggestions.suggestion_lines import SuggestionJson


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewProposal:
    """One suggestion beside a change."""

    suggestion: MemorySuggestion
    why_here: str
    """How it concerns the change."""
    change: LineChange | None
    """The lines that it puts in the place of others; None for a new file."""
    is_in_diff: bool
    """Whether a review tool can attach it to those lines; never so for executable configuration."""


class BesideJson(TypedDict):
    """The relation of a suggestion to a change."""

    whyHere: Annotated[str, "How it concerns the change."]
    lines: Annotated[
        LineChange | None, "What it does to the file as it is in the change; null for a new file.", From("change")
    ]
    inDiff: Annotated[bool, "Whether a review tool can attach it to those lines.", From("is_in_diff")]


class ProposalJson(SuggestionJson, BesideJson):
    """A suggestion beside a change."""


def _proposals(proposals: Iterable[ReviewProposal]) -> list[ProposalJson]:
    return [
        cast("ProposalJson", fill(SuggestionJson, proposal.suggestion) | fill(BesideJson, proposal))
        for proposal in proposals
    ]


def _ids(proposals: Iterable[ReviewProposal]) -> list[str]:
    return [proposal.suggestion.id for proposal in proposals]


def _text(change: LineChange) -> str:
    return "".join(f"{line}\n" for line in change.lines)


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """Suggestions for one place, as one block that can be committed."""

    path: Annotated[str, "The file."]
    start: ClassVar = Also("change.first", int, "The first line that goes, from 1.")
    end: ClassVar = Also("change.last", int, "The last line that goes.")
    change: Annotated[LineChange, "The lines that come, each with its end.", Key("text"), _text]
    proposals: Annotated[tuple[ReviewProposal, ...], "Ids of the suggestions that are in it.", Key("suggestions"), _ids]


_PUBLIC = (RemedyKind.OTHER_FILE, RemedyKind.EXAMPLE)
"""Remedies without anybody's words."""


def public_remedy(rule: HeldRule) -> str:
    """Return the first remedy that tells nothing of what was said; empty for none."""
    return next((remedy.what for remedy in rule.remedies if remedy.kind in _PUBLIC), "")


class UnheldJson(TypedDict):
    """A rule of a changed file that does not hold; without what was said, which is nobody else's business."""

    uri: Annotated[str, "The file."]
    line: Annotated[int, "From 1."]
    content: Annotated[str, "Its words in the file."]
    why: Annotated[str, "In how many chats it was said again."]
    remedy: Annotated[str, "What to do about it; empty where nothing is known.", From(".", public_remedy)]


@dataclass(frozen=True, slots=True, kw_only=True)
class PullRequestReport:
    """Suggestions for the files of a pull request."""

    JSON_NAME = "Comment"
    base: Annotated[str, "What the change is compared with, and where the facts come from."]
    proposals: Annotated[tuple[ReviewProposal, ...], "Best first.", Key("suggestions"), _proposals]
    blocks: Annotated[tuple[Block, ...], "What can be committed beside the lines of the diff: one for each place."] = ()
    elsewhere: Annotated[int, "How many suggestions concern none of the changed files."] = 0
    unheld: Annotated[
        tuple[Annotated[HeldRule, UnheldJson], ...], "Rules of the changed files that had to be said again."
    ] = ()
    unmerged: Annotated[int, "How many facts the change itself adds: claims until it is merged."] = 0
    skipped: tuple[Skipped, ...] = ()
