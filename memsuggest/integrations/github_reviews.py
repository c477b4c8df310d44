"""GitHub's review comments: those beside the lines of a pull request, the only ones with "Commit suggestion".

The REST API reads and writes them; whether their conversation is resolved only GraphQL knows. Who wrote one is taken
from REST alone: GraphQL calls the same bot by another name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from memsuggest.integrations.code_host import ReviewComment, Thread
from memsuggest.integrations.host_api import GONE, NOT_ACCEPTED, PAGES, part, strange

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from memsuggest.integrations.code_host import Wanted
    from memsuggest.integrations.github_api import GitHubApi

_THREADS = """
query ($owner: String!, $name: String!, $number: Int!, $after: String) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      reviewThreads(first: 100, after: $after) {
        pageInfo { hasNextPage endCursor }
        nodes { id isResolved comments(first: 1) { nodes { id } } }
      }
    }
  }
}
"""
_RESOLVE = "mutation ($id: ID!) { resolveReviewThread(input: {threadId: $id}) { thread { isResolved } } }"
_HIDE = (
    "mutation ($id: ID!) "
    "{ minimizeComment(input: {subjectId: $id, classifier: OUTDATED}) { minimizedComment { isMinimized } } }"
)


class GitHubReviews:
    """The review comments of one repository's pull requests."""

    at_once = 30  # GitHub answers late, or not at all, to a review with many more

    def __init__(self, api: GitHubApi, repository: str) -> None:
        self._api = api
        self._owner, _, self._name = repository.partition("/")
        self._pulls = f"/repos/{quote(repository, safe='/')}/pulls"

    def review_comments(self, number: int) -> list[ReviewComment]:
        """Return all of a pull request, oldest first."""
        found = [_review_comment(one) for one in self._api.pages(f"{self._pulls}/{number}/comments")]
        return sorted(found, key=lambda one: one.id)

    def create_review(self, number: int, *, commit: str, text: str, comments: Iterable[Wanted]) -> bool:
        """Post one review with comments beside lines; False when GitHub does not accept one of them, and so none."""
        body = {
            "commit_id": commit,
            "event": "COMMENT",
            "body": text,
            "comments": [_row(comment) for comment in comments],
        }
        answer = self._api.write("POST", f"{self._pulls}/{number}/reviews", body, allowed=(NOT_ACCEPTED,))
        return answer.is_success

    def update_review_comment(self, comment: ReviewComment, body: str) -> bool:
        """Change what one says; False when it is gone."""
        return self._api.write("PATCH", self._place(comment), {"body": body}, allowed=(GONE,)).is_success

    def delete_review_comment(self, comment: ReviewComment) -> None:
        """Remove one, unless it is gone already."""
        self._api.write("DELETE", self._place(comment), allowed=(GONE,))

    def threads(self, number: int) -> dict[str, Thread]:
        """Return the conversations by the nodes of their first comments; none where GraphQL is refused."""
        return dict(self._threads(number))

    def resolve(self, thread: Thread) -> bool:
        """Resolve a conversation; False where the token may not (that takes `contents: write`)."""
        return self._api.mutate(_RESOLVE, id=thread.id)

    def hide(self, comment: ReviewComment) -> bool:
        """Fold a comment away as outdated; False where the token may not."""
        return self._api.mutate(_HIDE, id=comment.node)

    def _place(self, comment: ReviewComment) -> str:
        return f"{self._pulls}/comments/{comment.id}"

    def _threads(self, number: int) -> Iterator[tuple[str, Thread]]:
        after = None
        for _ in range(PAGES):
            data = self._api.query(_THREADS, owner=self._owner, name=self._name, number=number, after=after)
            page = _within(data, "repository", "pullRequest", "reviewThreads")
            for node in _within(page, "nodes") or ():
                for first in _within(node, "comments", "nodes") or ():
                    thread = Thread(id=str(part(node, "id")), is_resolved=bool(node.get("isResolved")))
                    yield str(part(first, "id")), thread
            if not _within(page, "pageInfo", "hasNextPage"):
                return
            after = _within(page, "pageInfo", "endCursor")


def _within(found: Any, *names: str) -> Any:
    """Return a part of a part; None where there is none."""
    for name in names:
        found = found.get(name) if isinstance(found, dict) else None
    return found


def _row(comment: Wanted) -> dict[str, Any]:
    first, last = comment.lines
    row = {"path": comment.path, "side": "RIGHT", "line": last, "body": comment.body}
    # GitHub refuses a first line that is the last one.
    return row if first == last else {**row, "start_side": "RIGHT", "start_line": first}


def _review_comment(found: Any) -> ReviewComment:
    user = found.get("user")
    number, last, first = part(found, "id"), found.get("line"), found.get("start_line")
    if type(number) is not int:
        raise strange()
    is_there = type(last) is int and found.get("side", "RIGHT") == "RIGHT"
    replies_to = found.get("in_reply_to_id")
    return ReviewComment(
        id=number,
        node=str(found.get("node_id") or ""),
        author=str(user.get("login", "")) if isinstance(user, dict) else "",  # a deleted account is None
        body=str(found.get("body") or "").replace("\r\n", "\n"),
        path=str(found.get("path") or ""),
        lines=(first if type(first) is int else last, last) if is_there else None,
        replies_to=replies_to if type(replies_to) is int else None,
    )
