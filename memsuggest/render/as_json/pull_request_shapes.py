"""What waits for a pull request, as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, TypedDict

from memsuggest.render.as_json.noun_shapes import SkippedJson, skips
from memsuggest.render.as_json.suggestion_shapes import SuggestionJson, suggestion_json

if TYPE_CHECKING:
    from memsuggest.reports import pull_request


class LinesJson(TypedDict):
    """Lines that take the place of others."""

    first: Annotated[int, "The first line that goes, from 1."]
    last: Annotated[int, "The last line that goes."]
    text: Annotated[list[str], "The lines that come, without their ends."]


class ProposalJson(SuggestionJson):
    """A suggestion beside a change."""

    whyHere: Annotated[str, "How it concerns the change."]
    lines: Annotated[LinesJson | None, "What it does to the file as it is in the change; null for a new file."]
    inDiff: Annotated[bool, "Whether a review tool can attach it to those lines."]


class BlockJson(TypedDict):
    """Suggestions for one place, as one block that can be committed."""

    path: Annotated[str, "The file."]
    start: Annotated[int, "The first line that goes, from 1."]
    end: Annotated[int, "The last line that goes."]
    text: Annotated[str, "The lines that come, each with its end."]
    suggestions: Annotated[list[str], "Ids of the suggestions that are in it."]


class CommentJson(TypedDict):
    """What waits for the files of a pull request."""

    base: Annotated[str, "What the change is compared with, and where the facts come from."]
    suggestions: Annotated[list[ProposalJson], "Best first."]
    blocks: Annotated[list[BlockJson], "What can be committed beside the lines of the diff: one for each place."]
    elsewhere: Annotated[int, "How many suggestions concern none of the changed files."]
    unmerged: Annotated[int, "How many facts the change itself adds: claims until it is merged."]
    skipped: list[SkippedJson]


def comment_json(report: pull_request.PullRequestReport) -> CommentJson:
    """Return what waits for the files of a pull request."""
    return {
        "base": report.base,
        "suggestions": [_proposal(proposal) for proposal in report.proposals],
        "blocks": [_block(block) for block in report.blocks],
        "elsewhere": report.elsewhere,
        "unmerged": report.unmerged,
        "skipped": skips(report.skipped),
    }


def _proposal(proposal: pull_request.ReviewProposal) -> ProposalJson:
    change = proposal.change
    return {
        **suggestion_json(proposal.suggestion),
        "whyHere": proposal.why_here,
        "lines": {"first": change.first, "last": change.last, "text": list(change.lines)} if change else None,
        "inDiff": proposal.is_in_diff,
    }


def _block(block: pull_request.Block) -> BlockJson:
    return {
        "path": block.path,
        "start": block.change.first,
        "end": block.change.last,
        "text": "".join(f"{line}\n" for line in block.change.lines),
        "suggestions": [proposal.suggestion.id for proposal in block.proposals],
    }
