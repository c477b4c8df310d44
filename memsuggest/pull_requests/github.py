"""GitHub: its API (REST 2022-11-28 and GraphQL), the pull request's comment, and comments beside its lines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import quote, urlencode

from memsuggest.core.errors import RemoteError
from memsuggest.pull_requests.code_host import (
    FILE_MODES,
    FORBIDDEN,
    GONE,
    NOT_ACCEPTED,
    PAGES,
    Answer,
    ChangedFile,
    CodeHost,
    Comment,
    PullRequest,
    Thread,
    Wanted,
    part,
)

API = "https://api.github.com"
ACTIONS_BOT = "github-actions[bot]"  # who a workflow's own token writes as; such a token may not ask
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


class GitHub(CodeHost):
    """One repository on GitHub, or on a company's own server of it."""

    name = "GitHub"
    noun = "pull request"
    is_ranged = False
    at_once = 30  # GitHub answers late, or not at all, to a review with many more
    account = ("user", "login")
    edit = "PATCH"
    accept = "application/vnd.github+json"
    refusals = {  # noqa: RUF012  (a table)
        301: ("the repository has moved", "set GITHUB_REPOSITORY to the repository's new name"),
        401: ("GitHub rejected the token", "set GITHUB_TOKEN to a valid token"),
        403: (
            "the token lacks permission",
            "the token needs `pull-requests: write`; workflows for pull requests from forks have a read-only token",
        ),
        404: (
            "the repository or pull request was not found, or the token has no access",
            "check GITHUB_REPOSITORY and `--pr`",
        ),
        410: ("comments are disabled", "use `--output FILE` instead of `--post`"),
        422: ("GitHub rejected the comment", "inspect the comment with `--output FILE`"),
    }

    def __init__(self, *, api: str, repository: str, token: str, **how: Any) -> None:
        """`api` is the address without a final slash, `repository` is `owner/name`."""
        headers = {"Authorization": f"Bearer {token}", "X-GitHub-Api-Version": "2022-11-28"}
        super().__init__(api=api, headers=headers, **how)
        self._owner, _, self._name = repository.partition("/")
        self._repository = f"/repos/{quote(repository, safe='/')}"
        self._pulls = f"{self._repository}/pulls"
        # A company's own server answers GraphQL beside `/api/v3`, not below it.
        self._graphql = api.removesuffix("/v3") + "/graphql"

    def pull_request(self, number: int) -> PullRequest:
        found = self.read(f"{self._pulls}/{number}").value
        base, head = part(found, "base"), part(found, "head")
        origin = head.get("repo")  # None when the fork was deleted
        is_same = isinstance(origin, dict) and part(origin, "id") == part(part(base, "repo"), "id")
        return PullRequest(
            base=str(part(base, "ref")),
            head=str(part(head, "sha")),
            is_fork=not is_same,
            base_ref=f"refs/heads/{part(base, 'ref')}",
            head_ref=f"refs/pull/{number}/head",  # a commit of a fork is not in this repository, but this name is
        )

    def open_pull_request(self, head: str) -> int:
        """Find the one open pull request from `owner:branch`; raises RemoteError for none and for several."""
        found = [
            part(row, "number")
            for row in self.pages(self._pulls, state="open", head=head)
            if isinstance(row.get("head"), dict) and row["head"].get("label") == head
        ]
        if len(found) == 1 and type(found[0]) is int:
            return found[0]
        how_many = "more than one open pull request" if found else "no open pull request"
        raise RemoteError(f"found {how_many} from `{head}`", hint="use `--pr NUMBER`")

    def changed_files(self, number: int) -> list[ChangedFile]:
        return [
            ChangedFile(
                path=str(part(row, "filename")),
                is_removed=row.get("status") == "removed",
                patch=str(row.get("patch") or ""),
            )
            for row in self.pages(f"{self._pulls}/{number}/files")
        ]

    def files_at(self, commit: str) -> Mapping[str, str] | None:
        path = f"{self._repository}/git/trees/{quote(commit, safe='')}?recursive=1"
        answer = self.read(path, allowed=(GONE, NOT_ACCEPTED))
        if not answer.is_success:
            return None
        rows = part(answer.value, "tree")
        if answer.value.get("truncated") or not isinstance(rows, list):
            return None
        files = [row for row in rows if isinstance(row, dict) and row.get("mode") in FILE_MODES]
        return {str(part(row, "path")): str(part(row, "sha")) for row in files}

    def text_at(self, ref: str, path: str) -> str | None:
        address = f"{self._repository}/contents/{quote(path)}?{urlencode({'ref': ref})}"
        return self.text_of(address, "application/vnd.github.raw+json")

    def login(self) -> str:
        answer = self.read("/user", allowed=(FORBIDDEN, GONE))
        return str(part(answer.value, "login")) if answer.is_success else ACTIONS_BOT

    def comments(self, number: int) -> list[Comment]:
        return [self._comment(row) for row in self.pages(f"{self._repository}/issues/{number}/comments")]

    def create_comment(self, number: int, body: str) -> Comment:
        return self._comment(self.write("POST", f"{self._repository}/issues/{number}/comments", {"body": body}).value)

    def _comment(self, found: Any) -> Comment:
        comment = self.comment_of(found, f"{self._repository}/issues/comments")
        return replace(comment, url=str(found.get("html_url") or ""))

    def review_comments(self, number: int) -> list[Comment]:
        comments = []
        for row in self.pages(f"{self._pulls}/{number}/comments"):
            last, first, replies_to = row.get("line"), row.get("start_line"), row.get("in_reply_to_id")
            is_there = type(last) is int and row.get("side", "RIGHT") == "RIGHT"
            comments.append(
                self.comment_of(
                    row,
                    f"{self._pulls}/comments",
                    thread=str(row.get("node_id") or ""),
                    path=str(row.get("path") or ""),
                    lines=(first if type(first) is int else last, last) if is_there else None,
                    replies_to=replies_to if type(replies_to) is int else None,
                )
            )
        return sorted(comments, key=lambda comment: comment.id)

    def create_review(self, number: int, *, commit: str, text: str, comments: Iterable[Wanted]) -> bool:
        rows = []
        for path, (first, last), words in comments:
            # GitHub refuses a first line that is the last one.
            above = {} if first == last else {"start_side": "RIGHT", "start_line": first}
            rows.append({"path": path, "side": "RIGHT", "line": last, "body": words, **above})
        body = {"commit_id": commit, "event": "COMMENT", "body": text, "comments": rows}
        return self.write("POST", f"{self._pulls}/{number}/reviews", body, allowed=(NOT_ACCEPTED,)).is_success

    def threads(self, number: int) -> dict[str, Thread]:
        """Return the conversations by the nodes of their first comments; none where GraphQL is refused."""
        found, after = {}, None
        for _ in range(PAGES):
            variables = {"owner": self._owner, "name": self._name, "number": number, "after": after}
            query = {"query": _THREADS, "variables": variables}
            answer = self.read(self._graphql, query, allowed=(GONE, FORBIDDEN))
            page = _within(_data(answer), "repository", "pullRequest", "reviewThreads")
            for node in _within(page, "nodes") or ():
                for first in _within(node, "comments", "nodes") or ():
                    thread = Thread(id=str(part(node, "id")), is_resolved=bool(node.get("isResolved")))
                    found[str(part(first, "id"))] = thread
            if not _within(page, "pageInfo", "hasNextPage"):
                break
            after = _within(page, "pageInfo", "endCursor")
        return found

    def resolve(self, thread: Thread) -> bool:
        """Resolve a conversation; False where the token may not (that takes `contents: write`)."""
        return self._mutate(_RESOLVE, thread.id)

    def hide(self, comment: Comment) -> bool:
        return self._mutate(_HIDE, comment.thread)

    def _mutate(self, text: str, node: str) -> bool:
        body = {"query": text, "variables": {"id": node}}
        return self.is_dry or _data(self.write("POST", self._graphql, body, allowed=(GONE, FORBIDDEN))) is not None


def _data(answer: Answer) -> Any:
    found = answer.value if answer.is_success else None
    return None if not isinstance(found, dict) or found.get("errors") else found.get("data")


def _within(found: Any, *names: str) -> Any:
    for name in names:
        found = found.get(name) if isinstance(found, dict) else None
    return found
