"""GitLab (REST API v4): a merge request's comment, and the discussions beside its lines."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import quote, urlencode

from memsuggest.core.errors import RemoteError
from memsuggest.pull_requests.code_host import (
    ChangedFile,
    Comment,
    PullRequest,
    ReviewComment,
    Thread,
    Wanted,
    old_line,
)
from memsuggest.pull_requests.host_api import FORBIDDEN, GONE, NOT_ACCEPTED, REFUSED, Api, Service, Write, part, strange

API = "https://gitlab.com/api/v4"
NEEDED = (
    "create a project access token with the role Developer and the scope `api`, and save it as the masked"
    " CI/CD variable GITLAB_TOKEN; CI_JOB_TOKEN cannot write notes"
)
SERVICE = Service(
    name="GitLab",
    refusals={
        301: ("the project moved", "set CI_PROJECT_ID to its id"),
        401: ("GitLab rejected the token", NEEDED),
        403: ("the token lacks permission", NEEDED),
        404: (
            "project or merge request not found, or the token has no access",
            "check CI_PROJECT_ID and `--mr`; the token needs the scope `api`",
        ),
    },
)
_SMALL = 20
"""Files of a page of a diff: some versions fail at more than 30 (https://gitlab.com/gitlab-org/gitlab/-/issues/427168)."""
_MOST_FILES = 2_000
"""Files of a commit that are listed; of more, those on disk count, and those that the change has itself."""
_FILE_MODES = ("100644", "100755")


class GitLab:
    """One project, seen with one token."""

    name = "GitLab"
    noun = "merge request"
    is_ranged = True

    def __init__(
        self,
        *,
        api: str,
        project: str,
        token: str,
        now: Callable[[], float],
        wait: Callable[[float], None],
        is_dry: bool = False,
    ) -> None:
        """`api` is the address without a final slash, `project` a number or `group/name`; `now` and `wait` in seconds.

        With `is_dry` nothing is written, and `writes` has what would be.
        """
        self._api = Api(SERVICE, api=api, headers={"PRIVATE-TOKEN": token}, now=now, wait=wait, is_dry=is_dry)
        self._project = f"/projects/{quote(project, safe='')}"
        self._pages: dict[int, str] = {}
        """Where merge requests are read by people."""
        self.reviews = GitLabReviews(self._api, f"{self._project}/merge_requests", self.changed_files)

    def close(self) -> None:
        """Let go of the connection."""
        self._api.close()

    @property
    def writes(self) -> list[Write]:
        """The requests that wrote, or would write."""
        return self._api.writes

    def pull_request(self, number: int) -> PullRequest:
        """Ask where a merge request comes from and goes to; raises RemoteError while GitLab is preparing its diff."""
        found = self._api.read(self._merge_request(number)).value
        refs = found.get("diff_refs") if isinstance(found, dict) else None
        if not isinstance(refs, dict) or not refs.get("head_sha"):
            raise RemoteError("GitLab has not prepared the merge request's diff yet", hint="try again in a moment")
        self._pages[number] = str(found.get("web_url") or "")
        is_same = part(found, "source_project_id") == part(found, "target_project_id")
        return PullRequest(base=str(part(found, "target_branch")), head=str(refs["head_sha"]), is_fork=not is_same)

    def changed_files(self, number: int) -> list[ChangedFile]:
        return [
            ChangedFile(
                path=str(part(found, "new_path")),
                is_removed=bool(found.get("deleted_file")),
                patch=str(found.get("diff") or ""),
                old_path=str(found.get("old_path") or ""),
            )
            for found in self._api.pages(f"{self._merge_request(number)}/diffs", size=_SMALL)
        ]

    def files_at(self, commit: str) -> Mapping[str, str] | None:
        """Return the files of a commit with git's hash of each, links left out; None where there are too many."""
        files: dict[str, str] = {}
        for number, row in enumerate(
            self._api.pages(f"{self._project}/repository/tree", ref=commit, recursive="true"), start=1
        ):
            if number > _MOST_FILES:
                return None
            if row.get("mode") in _FILE_MODES:
                files[str(part(row, "path"))] = str(part(row, "id"))
        return files

    def base_text(self, base: str, path: str) -> str | None:
        """Return a file as the branch has it that a merge request goes into; None for none, or no text."""
        return self._text_at(base, path)

    def head_text(self, _: int, head: str, path: str) -> str | None:
        """Return a file as a merge request has it, also one from a fork; None for none, or no text."""
        return self._text_at(head, path)

    def login(self) -> str:
        """Return who the token writes as."""
        return str(part(self._api.read("/user").value, "username"))

    def comments(self, number: int) -> list[Comment]:
        """Return the notes below a merge request, oldest first; what GitLab itself notes, and what stands beside lines,
        is left out.
        """
        place = f"{self._merge_request(number)}/notes"
        found = self._api.pages(place, sort="asc", order_by="created_at")
        return [self._comment(page, number) for page in found if not page.get("system") and not page.get("position")]

    def create_comment(self, number: int, body: str) -> Comment:
        """Write a new note."""
        written = self._api.write("POST", f"{self._merge_request(number)}/notes", {"body": body})
        return self._comment(written.value, number)

    def update_comment(self, comment: Comment, body: str) -> Comment | None:
        """Change a note; None when it is gone."""
        answer = self._api.write("PUT", self._name(comment), {"body": body}, allowed=(GONE,))
        return comment if answer.is_success else None

    def delete_comment(self, comment: Comment) -> None:
        """Remove a note, unless it is gone already."""
        self._api.write("DELETE", self._name(comment), allowed=(GONE,))

    def _text_at(self, name: str, path: str) -> str | None:
        place = f"{self._project}/repository/files/{quote(path, safe='')}/raw?{urlencode({'ref': name})}"
        answer = self._api.read(place, accept="*/*", allowed=(GONE,))
        if answer.status == GONE:
            return None
        try:
            return answer.body.decode("utf-8")
        except UnicodeDecodeError:
            return None

    def _merge_request(self, number: int) -> str:
        return f"{self._project}/merge_requests/{number}"

    def _name(self, comment: Comment) -> str:
        return f"{self._merge_request(comment.on)}/notes/{comment.id}"

    def _comment(self, found: Any, on: int) -> Comment:
        author = found.get("author") if isinstance(found, dict) else None
        number = part(found, "id")
        if type(number) is not int:
            raise strange()
        return Comment(
            id=number,
            author=str(author.get("username", "")) if isinstance(author, dict) else "",
            body=str(found.get("body") or ""),
            url=f"{self._pages.get(on, '')}#note_{number}",
            on=on,
        )


_BLOCK = re.compile(r"^`{3,}suggestion:-(\d{1,3})\+0$", re.MULTILINE)


class GitLabReviews:
    """The discussions beside lines of one project's merge requests."""

    at_once = 1

    def __init__(self, api: Api, place: str, changed_files: Callable[[int], list[ChangedFile]]) -> None:
        self._api = api
        self._place = place
        self._changed_files = changed_files
        self._files: dict[str, dict[str, ChangedFile]] = {}
        """By commit, the files that were changed by then."""

    def review_comments(self, number: int) -> list[ReviewComment]:
        """Return all notes beside lines, oldest first."""
        head = str(self._refs(number).get("head_sha"))
        found = [one for discussion in self._discussions(number) for one in _review_comments(discussion, number, head)]
        return sorted(found, key=lambda one: one.id)

    def create_review(self, number: int, *, commit: str, text: str, comments: Iterable[Wanted]) -> bool:
        """Begin a discussion; False when GitLab does not accept it, or the merge request has another commit by now."""
        del text  # a discussion stands for itself: there is no review around it
        refs = self._refs(number)
        if refs.get("head_sha") != commit:
            return False
        (comment,) = comments
        file = self._files_of(number, commit).get(comment.path)
        position = {
            "position_type": "text",
            "base_sha": refs.get("base_sha"),
            "start_sha": refs.get("start_sha"),
            "head_sha": commit,
            "old_path": (file and file.old_path) or comment.path,
            "new_path": comment.path,
            "new_line": comment.lines[1],
        }
        # A line that the change only shows is named by both of its numbers, one that it adds by the new one alone.
        before = old_line(file.patch, comment.lines[1]) if file else None
        body = {"body": comment.body, "position": position | ({"old_line": before} if before else {})}
        answer = self._api.write("POST", f"{self._place}/{number}/discussions", body, allowed=(REFUSED, NOT_ACCEPTED))
        return answer.is_success

    def update_review_comment(self, comment: ReviewComment, body: str) -> bool:
        return self._api.write("PUT", self._note(comment), {"body": body}, allowed=(GONE,)).is_success

    def delete_review_comment(self, comment: ReviewComment) -> None:
        """Remove a note, unless it is gone already."""
        self._api.write("DELETE", self._note(comment), allowed=(GONE,))

    def threads(self, number: int) -> dict[str, Thread]:
        return {
            _node(number, discussion): Thread(id=_node(number, discussion), is_resolved=bool(notes[0].get("resolved")))
            for discussion in self._discussions(number)
            if (notes := _notes(discussion)) and notes[0].get("resolvable")
        }

    def resolve(self, thread: Thread) -> bool:
        """Resolve a discussion; False where the token may not (that takes the role Developer)."""
        place = f"{self._place}/{thread.id}"
        return self._api.write("PUT", place, {"resolved": True}, allowed=(FORBIDDEN, GONE)).is_success

    def hide(self, comment: ReviewComment) -> bool:
        """Do nothing: GitLab folds nothing away but what is resolved."""
        del comment
        return False

    def _note(self, comment: ReviewComment) -> str:
        return f"{self._place}/{comment.node}/notes/{comment.id}"

    def _refs(self, number: int) -> dict[str, Any]:
        found = part(self._api.read(f"{self._place}/{number}").value, "diff_refs")
        if not isinstance(found, dict):
            raise strange()
        return found

    def _discussions(self, number: int) -> Iterator[dict[str, Any]]:
        return self._api.pages(f"{self._place}/{number}/discussions")

    def _files_of(self, number: int, commit: str) -> dict[str, ChangedFile]:
        if commit not in self._files:
            self._files[commit] = {file.path: file for file in self._changed_files(number)}
        return self._files[commit]


def _node(number: int, discussion: dict[str, Any]) -> str:
    return f"{number}/discussions/{part(discussion, 'id')}"


def _notes(discussion: dict[str, Any]) -> list[dict[str, Any]]:
    found = discussion.get("notes")
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def _review_comments(discussion: dict[str, Any], number: int, head: str) -> Iterator[ReviewComment]:
    """Yield the notes of a discussion that begins beside lines; all but the first are answers to it."""
    notes = [note for note in _notes(discussion) if not note.get("system")]
    position = notes[0].get("position") if notes else None
    if not isinstance(position, dict):
        return
    first = part(notes[0], "id")
    for place, one in enumerate(notes):
        author, name = one.get("author"), part(one, "id")
        if type(name) is not int:
            raise strange()
        body = str(one.get("body") or "").replace("\r\n", "\n")
        yield ReviewComment(
            id=name,
            node=_node(number, discussion),
            author=str(author.get("username", "")) if isinstance(author, dict) else "",
            body=body,
            path=str(position.get("new_path") or ""),
            lines=_lines(position, body, head),
            replies_to=first if place else None,
        )


def _lines(position: dict[str, Any], body: str, head: str) -> tuple[int, int] | None:
    """Return the lines that a note is about; None when they changed since, or were removed ones."""
    last = position.get("new_line")
    if type(last) is not int or position.get("head_sha") != head:
        return None
    found = _BLOCK.search(body)
    return last - int(found[1]) if found else last, last
