"""The calls of GitHub that a pull request's comment needs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

from memsuggest.errors import RemoteError
from memsuggest.integrations.code_host import ChangedFile, Comment, PullRequest
from memsuggest.integrations.github_api import RAW, GitHubApi
from memsuggest.integrations.github_reviews import GitHubReviews
from memsuggest.integrations.host_api import FORBIDDEN, GONE, NOT_ACCEPTED, part, strange

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from memsuggest.integrations.host_api import Write

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
            part(one, "number")
            for one in self._api.pages(f"{self._repository}/pulls", state="open", head=head)
            if isinstance(one.get("head"), dict) and one["head"].get("label") == head
        ]
        if len(found) == 1 and type(found[0]) is int:
            return found[0]
        how_many = "several open pull requests come" if found else "no open pull request comes"
        raise RemoteError(f"{how_many} from `{head}`", hint="name it with `--pr NUMBER`")

    def changed_files(self, number: int) -> list[ChangedFile]:
        """Return the files of a pull request; GitHub lists 3,000 at most."""
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
