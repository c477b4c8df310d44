"""Our comments on a pull request, beside its lines and below it: posted once, kept up to date, never doubled."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from memsuggest.core.errors import RemoteError
from memsuggest.pull_requests.host_api import UnsureError

if TYPE_CHECKING:
    from memsuggest.pull_requests.code_host import Comment, Comments, ReviewComment, ReviewComments, Thread, Wanted

MOST = 30
"""Comments that stand beside lines, in all runs together: more is no review but a wall."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """A pull request as it was at one commit."""

    number: int
    head: str
    head_now: Callable[[], str]
    """Asks which commit it has by now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ours:
    """The marks by which our comments are told from others', and their texts."""

    author: str
    marker: str
    past_marker: str
    past: Callable[[str], str]
    """What one says once it is out of date."""
    opening: str
    """The words of the review."""


@dataclass(slots=True, kw_only=True)
class Outcome:
    """The outcome."""

    posted: int = 0
    kept: int = 0
    updated: int = 0
    retired: int = 0
    refused: list[Wanted] = field(default_factory=list)
    """What the host did not accept."""
    below: list[Wanted] = field(default_factory=list)
    """What there was no room for, in the order of the files: it is listed in the comment below."""
    has_moved: bool = False
    """The pull request got another commit meanwhile: nothing more was done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The steps after which our comments are those that are wanted."""

    kept: Sequence[ReviewComment]
    updates: Sequence[tuple[ReviewComment, str]]
    missing: Sequence[Wanted]
    doubles: Sequence[ReviewComment]
    outdated: Sequence[ReviewComment]


def plan(wanted: Iterable[Wanted], ours: Iterable[ReviewComment], threads: Mapping[str, Thread]) -> Plan:
    """Say what is to be done with our comments that are not out of date, the oldest first.

    A conversation that somebody resolved is an answer: the same is not asked again. Something else is.
    """
    by_place: dict[tuple[str, tuple[int, int] | None], list[ReviewComment]] = {}
    for comment in ours:
        by_place.setdefault((comment.path, comment.lines), []).append(comment)
    kept: list[ReviewComment] = []
    updates: list[tuple[ReviewComment, str]] = []
    missing: list[Wanted] = []
    doubles: list[ReviewComment] = []
    outdated: list[ReviewComment] = []
    for one in wanted:
        found = by_place.pop((one.path, one.lines), [])
        same = [comment for comment in found if _says(comment, one)]
        others = [comment for comment in found if comment not in same]
        is_open = [comment for comment in others if not _is_resolved(comment, threads)]
        if same:
            kept.append(same[0])
            doubles += same[1:]
        elif is_open:
            updates.append((is_open[0], one.body))
            others.remove(is_open[0])
        else:
            missing.append(one)
        outdated += others
    outdated += [comment for found in by_place.values() for comment in found]
    return Plan(kept=kept, updates=updates, missing=missing, doubles=doubles, outdated=outdated)


def put_beside(where: ReviewComments, at: Snapshot, *, wanted: Sequence[Wanted], ours: Ours) -> Outcome:
    """Make our comments beside the lines of a pull request those that are wanted.

    Of two runs at the same time, the oldest of each comment stays. Raises RemoteError.
    """
    everything = where.review_comments(at.number)
    live = _live(everything, ours)
    threads = _threads(where, at.number) if live else {}
    beside = wanted[:MOST]
    todo = plan(beside, live, threads)
    outcome = Outcome(kept=len(todo.kept), below=list(wanted[MOST:]))
    for comment, body in todo.updates:
        outcome.updated += where.update_review_comment(comment, body)
    _post(where, at, todo.missing, outcome, ours)
    if outcome.has_moved:
        return outcome
    if outcome.posted:
        everything = where.review_comments(at.number)
        todo = plan(beside, _live(everything, ours), threads)
    answered = {comment.replies_to for comment in everything}
    for comment in todo.doubles:
        _withdraw(where, comment, ours, is_answered=comment.id in answered)
    for comment in todo.outdated:
        _retire(where, comment, ours, threads.get(comment.node), is_answered=comment.id in answered)
        outcome.retired += 1
    return outcome


def _live(comments: Iterable[ReviewComment], ours: Ours) -> list[ReviewComment]:
    return [
        comment
        for comment in comments
        if comment.author == ours.author
        and comment.replies_to is None
        and comment.body.startswith(ours.marker)
        and not comment.body.startswith(ours.past_marker)
    ]


def _threads(where: ReviewComments, number: int) -> dict[str, Thread]:
    """Return the conversations; none where GraphQL cannot be asked, which only means that less is known."""
    try:
        return where.threads(number)
    except RemoteError:
        return {}


def _says(comment: ReviewComment, wanted: Wanted) -> bool:
    return comment.body.rstrip() == wanted.body.rstrip()


def _is_resolved(comment: ReviewComment, threads: Mapping[str, Thread]) -> bool:
    return comment.node in threads and threads[comment.node].is_resolved


def _post(where: ReviewComments, at: Snapshot, missing: Sequence[Wanted], outcome: Outcome, ours: Ours) -> None:
    """Post reviews; of one that the host accepts not, its halves, down to the comments that it does not accept."""
    waiting = [missing[start : start + where.at_once] for start in range(0, len(missing), where.at_once)]
    while waiting:
        part = waiting.pop(0)
        if not part:
            continue
        if _is_posted(where, at, part, ours):
            outcome.posted += len(part)
        elif at.head_now() != at.head:
            outcome.has_moved = True
            return
        elif len(part) == 1:
            outcome.refused += part
        else:
            middle = len(part) // 2
            waiting += [part[:middle], part[middle:]]


def _is_posted(where: ReviewComments, at: Snapshot, part: Sequence[Wanted], ours: Ours) -> bool:
    try:
        return where.create_review(at.number, commit=at.head, text=ours.opening, comments=part)
    except UnsureError:
        # It may have been taken all the same: sent once more, it would stand there twice.
        if plan(part, _live(where.review_comments(at.number), ours), {}).missing:
            raise
        return True


def _withdraw(where: ReviewComments, comment: ReviewComment, ours: Ours, *, is_answered: bool) -> None:
    """Remove one of two that say the same, unless somebody answered to it."""
    if is_answered:
        where.update_review_comment(comment, ours.past(comment.body))
    else:
        where.delete_review_comment(comment)


def _retire(
    where: ReviewComments, comment: ReviewComment, ours: Ours, thread: Thread | None, *, is_answered: bool
) -> None:
    """Resolve a conversation that is only ours, and then say in it that it is over: so a run that ends early is found.

    Where somebody answered, it is theirs to resolve.
    """
    if not is_answered and not (thread and thread.is_resolved):
        _fold(where, comment, thread)
    where.update_review_comment(comment, ours.past(comment.body))


def _fold(where: ReviewComments, comment: ReviewComment, thread: Thread | None) -> None:
    try:
        if not (thread and where.resolve(thread)):
            where.hide(comment)
    except RemoteError:  # it stays open, and says that it is out of date
        return


def put_comment(
    where: Comments, number: int, *, author: str, marker: str, body_after: Callable[[str | None], str | None]
) -> tuple[str, str]:
    """Make the one comment of `author` that begins with `marker` say what it should; return what was done, and its URL.

    `body_after` is given the text as it stands (None: there is no comment yet) and returns the new one, or None to
    leave it. A marker in somebody else's comment means nothing. Of two runs at the same time, the later one to write
    finds both comments and withdraws: the oldest stays.
    """
    found = _own(where, number, author, marker)
    if found:
        return _refresh(where, found, body_after)
    body = body_after(None)
    if body is None:
        return "none", ""
    created = where.create_comment(number, body)
    found = _own(where, number, author, marker)
    if len(found) < 2:
        return "created", created.url
    return _refresh(where, found, body_after)


def _own(where: Comments, number: int, author: str, marker: str) -> list[Comment]:
    found = [
        comment for comment in where.comments(number) if comment.author == author and comment.body.startswith(marker)
    ]
    return sorted(found, key=lambda one: one.id)


def _refresh(where: Comments, found: list[Comment], body_after: Callable[[str | None], str | None]) -> tuple[str, str]:
    first, *doubles = found
    for double in doubles:
        where.delete_comment(double)
    before = first.body.replace("\r\n", "\n")
    body = body_after(before)
    if body is None or body.rstrip() == before.rstrip():
        return "unchanged", first.url
    where.update_comment(first, body)
    return "updated", first.url
