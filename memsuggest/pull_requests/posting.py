"""Our comments on a pull request, beside its lines and below it: posted once, kept up to date, never doubled."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

from memsuggest.core.context import Context
from memsuggest.core.errors import RemoteError
from memsuggest.pull_requests.code_host import Comment, Thread, UnsureError, Wanted
from memsuggest.pull_requests.comment_text import (
    BLOCK_MARKER,
    MARKER,
    OPENING,
    PAST_MARKER,
    Block,
    PullRequestReport,
    block_body,
    comment_body,
    past_body,
)
from memsuggest.pull_requests.proposals import Host, find_proposals, remote_change

MOST = 30  # comments that stand beside lines, in all runs together: more is no review but a wall
ROUNDS = 3  # how often a pull request that gets new commits meanwhile is read anew


@dataclass(slots=True, kw_only=True)
class Outcome:
    """The outcome for the comments beside lines."""

    posted: int = 0
    kept: int = 0
    updated: int = 0
    retired: int = 0
    refused: list[Wanted] = field(default_factory=list)  # by the host
    below: list[Wanted] = field(default_factory=list)
    """What there was no room for, in the order of the files: it is listed in the comment below."""
    has_moved: bool = False  # the pull request got another commit meanwhile: nothing more was done


@dataclass(slots=True)
class Plan:
    """The steps after which our comments are those that are wanted."""

    kept: list[Comment] = field(default_factory=list)
    updates: list[tuple[Comment, str]] = field(default_factory=list)
    missing: list[Wanted] = field(default_factory=list)
    doubles: list[Comment] = field(default_factory=list)
    outdated: list[Comment] = field(default_factory=list)


def plan(wanted: Iterable[Wanted], ours: Iterable[Comment], threads: Mapping[str, Thread]) -> Plan:
    """Say what is to be done with our comments that are not out of date, the oldest first.

    A conversation that somebody resolved is an answer: the same is not asked again. Something else is.
    """
    by_place: dict[tuple[str, tuple[int, int] | None], list[Comment]] = {}
    for comment in ours:
        by_place.setdefault((comment.path, comment.lines), []).append(comment)
    resolved = {name for name, thread in threads.items() if thread.is_resolved}
    todo = Plan()
    for comment_wanted in wanted:
        found = by_place.pop((comment_wanted.path, comment_wanted.lines), [])
        same = [comment for comment in found if comment.body.rstrip() == comment_wanted.body.rstrip()]
        others = [comment for comment in found if comment not in same]
        is_open = [comment for comment in others if comment.thread not in resolved]
        if same:
            todo.kept.append(same[0])
            todo.doubles.extend(same[1:])
        elif is_open:
            todo.updates.append((is_open[0], comment_wanted.body))
            others.remove(is_open[0])
        else:
            todo.missing.append(comment_wanted)
        todo.outdated.extend(others)
    todo.outdated.extend(comment for found in by_place.values() for comment in found)
    return todo


def put_beside(host: Host, number: int, *, head: str, wanted: Sequence[Wanted], author: str) -> Outcome:
    """Make our comments beside the lines of a pull request those that are wanted.

    Of two runs at the same time, the oldest of each comment stays. Raises RemoteError.
    """
    everything = host.review_comments(number)
    live = _live(everything, author)
    threads: Mapping[str, Thread] = {}
    with suppress(RemoteError):  # where GraphQL cannot be asked, less is known
        threads = host.threads(number) if live else {}
    beside = wanted[:MOST]
    todo = plan(beside, live, threads)
    outcome = Outcome(kept=len(todo.kept), below=list(wanted[MOST:]))
    for comment, body in todo.updates:
        outcome.updated += host.update(comment, body)
    _post(host, number, head, todo.missing, outcome, author)
    if outcome.has_moved:
        return outcome
    if outcome.posted:
        everything = host.review_comments(number)
        todo = plan(beside, _live(everything, author), threads)
    answered = {comment.replies_to for comment in everything}
    for comment in todo.doubles:
        if comment.id in answered:
            host.update(comment, past_body(comment.body))
        else:
            host.delete(comment)
    for comment in todo.outdated:
        # Where somebody answered, a conversation is theirs to resolve. Ours is resolved before it says that it is over:
        # so a run that ends early is found.
        thread = threads.get(comment.thread)
        if comment.id not in answered and not (thread and thread.is_resolved):
            with suppress(RemoteError):  # it stays open, and says that it is out of date
                _ = (thread and host.resolve(thread)) or host.hide(comment)
        host.update(comment, past_body(comment.body))
    outcome.retired = len(todo.outdated)
    return outcome


def _live(comments: Iterable[Comment], author: str) -> list[Comment]:
    return [
        comment
        for comment in comments
        if comment.author == author
        and comment.replies_to is None
        and comment.body.startswith(BLOCK_MARKER)
        and not comment.body.startswith(PAST_MARKER)
    ]


def _post(host: Host, number: int, head: str, missing: Sequence[Wanted], outcome: Outcome, author: str) -> None:
    """Post reviews; of one that the host accepts not, its halves, down to the comments that it does not accept."""
    batches = [missing[start : start + host.at_once] for start in range(0, len(missing), host.at_once)]
    while batches:
        batch = batches.pop(0)
        try:
            is_posted = host.create_review(number, commit=head, text=OPENING, comments=batch)
        except UnsureError:
            # It may have been taken all the same: sent once more, it would stand there twice.
            if plan(batch, _live(host.review_comments(number), author), {}).missing:
                raise
            is_posted = True
        if is_posted:
            outcome.posted += len(batch)
        elif host.pull_request(number).head != head:
            outcome.has_moved = True
            return
        elif len(batch) == 1:
            outcome.refused += batch
        else:
            middle = len(batch) // 2
            batches += [batch[:middle], batch[middle:]]


def put_comment(
    host: Host, number: int, *, author: str, body_after: Callable[[str | None], str | None]
) -> tuple[str, str]:
    """Make the one comment of `author` below a pull request say what it should; return what was done, and its URL.

    `body_after` is given the text as it stands (None: there is no comment yet) and returns the new one, or None to
    leave it. Our marker in somebody else's comment means nothing. Of two runs at the same time, the later one to write
    finds both comments and withdraws: the oldest stays.
    """

    def own() -> list[Comment]:
        found = [comment for comment in host.comments(number) if comment.author == author]
        return sorted((comment for comment in found if comment.body.startswith(MARKER)), key=lambda comment: comment.id)

    found = own()
    if not found:
        body = body_after(None)
        if body is None:
            return "none", ""
        created = host.create_comment(number, body)
        found = own()
        if len(found) < 2:
            return "created", created.url
    first, *doubles = found
    for double in doubles:
        host.delete(double)
    body = body_after(first.body)
    if body is None or body.rstrip() == first.body.rstrip():
        return "unchanged", first.url
    host.update(first, body)
    return "updated", first.url


class Posted(NamedTuple):
    """The outcome of posting."""

    report: PullRequestReport
    action: str  # what was done with the comment below
    url: str
    beside: Outcome


def post_comments(context: Context, host: Host, number: int, *, author: str, every: bool = False) -> Posted:
    """Bring all our comments of a pull request up to date; raises RemoteError.

    What is told belongs to one commit: lines of one and texts of another would put a block in the wrong place.
    """
    for _ in range(ROUNDS):
        change = remote_change(host, number)
        report = find_proposals(context, change, every=every)
        if host.pull_request(number).head != change.request.head:
            continue
        blocks = wanted_blocks(report, is_ranged=host.is_ranged)
        beside = put_beside(host, number, head=change.request.head, wanted=list(blocks), author=author)
        if beside.has_moved:
            continue
        standing = [block for wanted, block in blocks.items() if wanted not in (*beside.refused, *beside.below)]
        text = partial(comment_body, report, beside=standing, noun=host.noun)
        action, url = put_comment(host, number, author=author, body_after=text)
        return Posted(report, action, url, beside)
    raise RemoteError(f"new commits were pushed to the {host.noun} while it was being read", hint="try again later")


def wanted_blocks(report: PullRequestReport, *, is_ranged: bool = False) -> dict[Wanted, Block]:
    """Return the comments beside lines, each with its block; `is_ranged`: a block itself says for which lines it is."""
    found = {}
    for block in report.blocks:
        if body := block_body(block, is_ranged=is_ranged):
            found[Wanted(path=block.path, lines=(block.change.first, block.change.last), body=body)] = block
    return found
