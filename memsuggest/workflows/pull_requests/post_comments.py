"""Telling a pull request on its host what waits for it: comments beside its lines, and one below it for the rest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memsuggest.errors import RemoteError
from memsuggest.integrations.code_host import Wanted
from memsuggest.integrations.review_comments import Ours, Outcome, Snapshot, put_beside, put_comment
from memsuggest.render import pull_request_comment as below
from memsuggest.render import review_comment
from memsuggest.workflows.pull_requests.changes import remote_change
from memsuggest.workflows.pull_requests.comment import find_proposals

if TYPE_CHECKING:
    from memsuggest.integrations.code_host import CodeHost
    from memsuggest.reports.pull_request import Block, PullRequestReport
    from memsuggest.workflows.context import Context

ROUNDS = 3
"""How often a pull request that gets new commits meanwhile is read anew."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Posted:
    """The outcome of telling."""

    report: PullRequestReport
    action: str
    """Of the comment below."""
    url: str
    beside: Outcome


def post_comments(context: Context, host: CodeHost, number: int, *, author: str, every: bool = False) -> Posted:
    """Bring all our comments of a pull request up to date; raises RemoteError.

    What is told belongs to one commit: lines of one and texts of another would put a block in the wrong place.
    """
    for _ in range(ROUNDS):
        change = remote_change(host, number)
        report = find_proposals(context, change, every=every)
        if _head(host, number) == change.head and (
            posted := _post(host, number, report, author=author, head=change.head)
        ):
            return posted
    raise RemoteError(
        f"the {host.noun} got new commits each time that it was read", hint="run it again when it is at rest"
    )


def _post(host: CodeHost, number: int, report: PullRequestReport, *, author: str, head: str) -> Posted | None:
    """Post what is told of one commit; None when the pull request has another one by now."""
    blocks = wanted_blocks(report, is_ranged=host.is_ranged)
    ours = Ours(
        author=author,
        marker=review_comment.MARKER,
        past_marker=review_comment.PAST_MARKER,
        past=review_comment.past_body,
        opening=review_comment.OPENING,
    )
    beside = put_beside(
        host.reviews,
        Snapshot(number=number, head=head, head_now=lambda: _head(host, number)),
        wanted=list(blocks),
        ours=ours,
    )
    if beside.has_moved:
        return None
    standing = [block for wanted, block in blocks.items() if wanted not in (*beside.refused, *beside.below)]
    action, url = put_comment(
        host,
        number,
        author=author,
        marker=below.MARKER,
        body_after=lambda before: below.comment_body(report, before, beside=standing, noun=host.noun),
    )
    return Posted(report=report, action=action, url=url, beside=beside)


def wanted_blocks(report: PullRequestReport, *, is_ranged: bool = False) -> dict[Wanted, Block]:
    """Return the comments beside lines, each with its block; `is_ranged`: a block itself says for which lines it is."""
    found = {}
    for block in report.blocks:
        if body := review_comment.block_body(block, is_ranged=is_ranged):
            found[Wanted(path=block.path, lines=(block.change.first, block.change.last), body=body)] = block
    return found


def _head(host: CodeHost, number: int) -> str:
    return host.pull_request(number).head
