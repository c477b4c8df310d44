"""GitHub: its API (REST 2022-11-28 and GraphQL), the pull request's comment, and comments beside its lines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import quote, urlencode

from memsuggest.core.errors import RemoteError
from memsuggest.pull_requests.code_host import ChangedFile, Comment, PullRequest, ReviewComment, Thread, Wanted
from memsuggest.pull_requests.host_api import (
    FORBIDDEN,
    GONE,
    NOT_ACCEPTED,
    PAGES,
    Answer,
    Api,
    Service,
    Write,
    part,
    strange,
)

API = "https://api.github.com"
ACTIONS_BOT = "github-actions[bot]"
"""Who a workflow's own token writes as; such a token may not ask."""
_FILE_MODES = ("100644", "100755")


class GitHub:
    """One repository, seen with one token."""

    name = "GitHub"
    noun = "pull request"
    is_ranged = False

    def __init__(
        self,
        *,
        api: str,
        repository: str,
        token: str,
        now: Callable[[], float],
        wait: Callable[[float], None],
        is_dry: bool = False,
    ) -> None:
        """`api` is the address without a final slash, `repository` is `owner/name`; `now` and `wait` are in seconds.

        With `is_dry` nothing is written, and `writes` has what would be.
        """
        self._repository = f"/repos/{quote(repository, safe='/')}"
        self._api = GitHubApi(api=api, token=token, now=now, wait=wait, is_dry=is_dry)
        self.reviews = GitHubReviews(self._api, repository)

    def close(self) -> None:
        """Let go of the connection."""
        self._api.close()

    @property
    def writes(self) -> list[Write]:
        """The requests that wrote, or would write."""
        return self._api.writes

    def pull_request(self, number: int) -> PullRequest:
        """Ask where a pull request comes from and goes to."""
        found = self._api.read(f"{self._repository}/pulls/{number}").value
        base, head = part(found, "base"), part(found, "head")
        origin = head.get("repo")  # None when the fork was deleted
        is_same = isinstance(origin, dict) and part(origin, "id") == part(part(base, "repo"), "id")
        return PullRequest(base=str(part(base, "ref")), head=str(part(head, "sha")), is_fork=not is_same)

    def open_pull_request(self, head: str) -> int:
        """Find the one open pull request from `owner:branch`; raises RemoteError for none and for several."""
        found = [
            part(page, "number")
            for page in self._api.pages(f"{self._repository}/pulls", state="open", head=head)
            if isinstance(page.get("head"), dict) and page["head"].get("label") == head
        ]
        if len(found) == 1 and type(found[0]) is int:
            return found[0]
        how_many = "several open pull requests are" if found else "no open pull request is"
        raise RemoteError(f"{how_many} from `{head}`", hint="use `--pr NUMBER`")

    def changed_files(self, number: int) -> list[ChangedFile]:
        return [
            ChangedFile(
                path=str(part(found, "filename")),
                is_removed=found.get("status") == "removed",
                patch=str(found.get("patch") or ""),
            )
            for found in self._api.pages(f"{self._repository}/pulls/{number}/files")
        ]

    def files_at(self, commit: str) -> Mapping[str, str] | None:
        """Return the files of a commit with git's hash of each, links left out; None where there are too many."""
        path = f"{self._repository}/git/trees/{quote(commit, safe='')}?recursive=1"
        answer = self._api.read(path, allowed=(GONE, NOT_ACCEPTED))
        if not answer.is_success:
            return None
        found = answer.value
        rows = part(found, "tree")
        if found.get("truncated") or not isinstance(rows, list):
            return None
        files = [row for row in rows if isinstance(row, dict) and row.get("mode") in _FILE_MODES]
        return {str(part(row, "path")): str(part(row, "sha")) for row in files}

    def base_text(self, base: str, path: str) -> str | None:
        """Return a file as the branch has it that a pull request goes into; None for none, or no text."""
        return self._text_at(f"refs/heads/{base}", path)

    def head_text(self, number: int, _: str, path: str) -> str | None:
        """Return a file as a pull request has it; None for none, or no text."""
        return self._text_at(f"refs/pull/{number}/head", path)

    def _text_at(self, name: str, path: str) -> str | None:
        place = f"{self._repository}/contents/{quote(path)}?{urlencode({'ref': name})}"
        answer = self._api.read(place, accept=RAW, allowed=(GONE,))
        if answer.status == GONE:
            return None
        try:
            return answer.body.decode("utf-8")
        except UnicodeDecodeError:
            return None

    def login(self) -> str:
        """Return who the token writes as."""
        answer = self._api.read("/user", allowed=(FORBIDDEN, GONE))
        return str(part(answer.value, "login")) if answer.is_success else ACTIONS_BOT

    def comments(self, number: int) -> list[Comment]:
        """Return the comments below a pull request, oldest first."""
        return [_comment(found) for found in self._api.pages(f"{self._repository}/issues/{number}/comments")]

    def create_comment(self, number: int, body: str) -> Comment:
        """Write a new comment."""
        path = f"{self._repository}/issues/{number}/comments"
        return _comment(self._api.write("POST", path, {"body": body}).value)

    def update_comment(self, comment: Comment, body: str) -> Comment | None:
        """Change a comment; None when it is gone."""
        answer = self._api.write("PATCH", self._name(comment), {"body": body}, allowed=(GONE,))
        return _comment(answer.value) if answer.is_success else None

    def delete_comment(self, comment: Comment) -> None:
        """Remove a comment, unless it is gone already."""
        self._api.write("DELETE", self._name(comment), allowed=(GONE,))

    def _name(self, comment: Comment) -> str:
        return f"{self._repository}/issues/comments/{comment.id}"


def _comment(found: Any) -> Comment:
    user = found.get("user") if isinstance(found, dict) else None
    number = part(found, "id")
    if type(number) is not int:
        raise strange()
    return Comment(
        id=number,
        author=str(user.get("login", "")) if isinstance(user, dict) else "",  # a deleted account is None
        body=str(found.get("body") or ""),
        url=str(found.get("html_url") or ""),
    )


RAW = "application/vnd.github.raw+json"
_REFUSALS = {
    301: ("the repository moved", "set GITHUB_REPOSITORY to its new name"),
    401: ("GitHub rejected the token", "set GITHUB_TOKEN to a valid token"),
    403: (
        "the token lacks permission",
        "it needs `pull-requests: write`; in workflows for pull requests from forks it is read-only",
    ),
    404: (
        "repository or pull request not found, or the token has no access",
        "check GITHUB_REPOSITORY and `--pr`",
    ),
    410: ("comments are disabled", "use `--output FILE` instead of `--post`"),
    422: ("GitHub rejected the comment", "inspect it with `--output FILE`"),
}
SERVICE = Service(name="GitHub", refusals=_REFUSALS, accept="application/vnd.github+json")


class GitHubApi(Api):
    """GitHub, asked with one token."""

    def __init__(
        self, *, api: str, token: str, now: Callable[[], float], wait: Callable[[float], None], is_dry: bool = False
    ) -> None:
        headers = {"Authorization": f"Bearer {token}", "X-GitHub-Api-Version": "2022-11-28"}
        super().__init__(SERVICE, api=api, headers=headers, now=now, wait=wait, is_dry=is_dry)
        # A company's own server answers GraphQL beside `/api/v3`, not below it.
        self._graphql = api.removesuffix("/v3") + "/graphql"

    def query(self, text: str, **variables: Any) -> Any:
        """Ask in GraphQL; None where that is refused."""
        return _data(self.ask(self._graphql, {"query": text, "variables": variables}, allowed=(GONE, FORBIDDEN)))

    def mutate(self, text: str, **variables: Any) -> bool:
        """Change something in GraphQL; False where that is refused. Raises as `write` does."""
        body = {"query": text, "variables": variables}
        answer = self.write("POST", self._graphql, body, allowed=(GONE, FORBIDDEN))
        return self.is_dry or _data(answer) is not None


def _data(answer: Answer) -> Any:
    if not answer.is_success:
        return None
    found = answer.value
    return None if not isinstance(found, dict) or found.get("errors") else found.get("data")


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
        found = [_review_comment(page) for page in self._api.pages(f"{self._pulls}/{number}/comments")]
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
