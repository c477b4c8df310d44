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
    """Its relation to the change."""
    change: LineChange | None
    """The lines that it puts in the place of others; None for a new file."""
    is_in_diff: bool
    """Whether a review tool can attach it to those lines; never so for executable configuration."""


class BesideJson(TypedDict):
    """The relation of a suggestion to a change."""

    whyHere: Annotated[str, "Its relation to the change."]
    lines: Annotated[LineChange | None, "Its edit to the changed file; null for a new file.", From("change")]
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
    start: ClassVar = Also("change.first", int, "The first line it replaces, from 1.")
    end: ClassVar = Also("change.last", int, "The last line it replaces.")
    change: Annotated[LineChange, "The new lines, with line endings.", Key("text"), _text]
    proposals: Annotated[tuple[ReviewProposal, ...], "The ids of its suggestions.", Key("suggestions"), _ids]


_PUBLIC = (RemedyKind.OTHER_FILE, RemedyKind.EXAMPLE)
"""Remedies without anybody's words."""


def public_remedy(rule: HeldRule) -> str:
    """Return the first remedy that tells nothing of what was said; empty for none."""
    return next((remedy.what for remedy in rule.remedies if remedy.kind in _PUBLIC), "")


class UnheldJson(TypedDict):
    """A rule of a changed file that does not hold; without what was said, which is nobody else's business."""

    uri: Annotated[str, "The file."]
    line: Annotated[int, "From 1."]
    content: Annotated[str, "The rule's text in the file."]
    why: Annotated[str, "The number of chats in which it was said again."]
    remedy: Annotated[str, "A suggested remedy; empty if unknown.", From(".", public_remedy)]


@dataclass(frozen=True, slots=True, kw_only=True)
class PullRequestReport:
    """Suggestions for the files of a pull request."""

    JSON_NAME = "Comment"
    base: Annotated[str, "The commit the change is compared with and the facts are read from."]
    proposals: Annotated[tuple[ReviewProposal, ...], "Best first.", Key("suggestions"), _proposals]
    blocks: Annotated[
        tuple[Block, ...], "Suggestion blocks that can be committed from the diff, one for each place."
    ] = ()
    elsewhere: Annotated[int, "The number of suggestions for unchanged files."] = 0
    unheld: Annotated[
        tuple[Annotated[HeldRule, UnheldJson], ...], "Rules in the changed files that had to be said again."
    ] = ()
    unmerged: Annotated[int, "The number of facts the change adds; they count once it is merged."] = 0
    skipped: tuple[Skipped, ...] = ()
