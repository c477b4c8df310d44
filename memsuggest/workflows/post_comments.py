"""Telling a pull request on GitHub what waits for it: comments beside its lines, and one below it for the rest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memsuggest.errors import RemoteError
from memsuggest.integrations.github_reviews import Wanted
from memsuggest.integrations.review_comments import Ours, Outcome, Snapshot, put_beside
from memsuggest.integrations.summary_comment import put_comment
from memsuggest.render import comment as below
from memsuggest.render import review_comment
from memsuggest.workflows.changes import remote_change
from memsuggest.workflows.comment import find_proposals

if TYPE_CHECKING:
    from memsuggest.integrations.github import GitHub
    from memsuggest.reports.pull_request import Block, PullRequestReport
    from memsuggest.workflows.context import Context

ROUNDS = 3
"""How often a pull request that gets new commits meanwhile is read anew."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Posted:
    """What was told, and how."""

    report: PullRequestReport
    action: str
    """Of the comment below."""
    url: str
    beside: Outcome


def post_comments(context: Context, github: GitHub, number: int, *, author: str, every: bool = False) -> Posted:
    """Bring all our comments of a pull request up to date; raises RemoteError.

    What is told belongs to one commit: lines of one and texts of another would put a block in the wrong place.
    """
    for _ in range(ROUNDS):
        change = remote_change(github, number)
        report = find_proposals(context, change, every=every)
        if _head(github, number) == change.head and (
            posted := _post(github, number, report, author=author, head=change.head)
        ):
            return posted
    raise RemoteError(
        "the pull request got new commits each time that it was read", hint="run it again when it is at rest"
    )


def _post(github: GitHub, number: int, report: PullRequestReport, *, author: str, head: str) -> Posted | None:
    """Post what is told of one commit; None when the pull request has another one by now."""
    blocks = wanted_blocks(report)
    ours = Ours(
        author=author,
        marker=review_comment.MARKER,
        past_marker=review_comment.PAST_MARKER,
        past=review_comment.past_body,
        opening=review_comment.OPENING,
    )
    beside = put_beside(
        github.reviews,
        Snapshot(number=number, head=head, head_now=lambda: _head(github, number)),
        wanted=list(blocks),
        ours=ours,
    )
    if beside.has_moved:
        return None
    standing = [block for wanted, block in blocks.items() if wanted not in beside.refused]
    action, url = put_comment(
        github,
        number,
        author=author,
        marker=below.MARKER,
        body_after=lambda before: below.comment_body(report, before, beside=standing),
    )
    return Posted(report=report, action=action, url=url, beside=beside)


def wanted_blocks(report: PullRequestReport) -> dict[Wanted, Block]:
    """Return the comments beside lines, each with its block."""
    found = {}
    for block in report.blocks:
        if body := review_comment.block_body(block):
            found[Wanted(path=block.path, lines=(block.change.first, block.change.last), body=body)] = block
    return found


def _head(github: GitHub, number: int) -> str:
    return github.pull_request(number).head
