"""GitLab (REST API v4): a merge request's comment, and the discussions beside its lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import quote, urlencode

from memsuggest.core.errors import RemoteError
from memsuggest.pull_requests.code_host import (
    FILE_MODES,
    FORBIDDEN,
    GONE,
    NOT_ACCEPTED,
    REFUSED,
    ChangedFile,
    CodeHost,
    Comment,
    PullRequest,
    Thread,
    Wanted,
    old_line,
    part,
    strange,
)

API = "https://gitlab.com/api/v4"
NEEDED = (
    "create a project access token with the Developer role and the `api` scope, and save it as the masked"
    " CI/CD variable GITLAB_TOKEN; CI_JOB_TOKEN cannot write notes"
)
_SMALL = 20
"""Files of a page of a diff: some versions fail at more than 30 (https://gitlab.com/gitlab-org/gitlab/-/issues/427168)."""
_MOST_FILES = 2_000
"""Files of a commit that are listed; of more, those on disk count, and those that the change has itself."""
_BLOCK = re.compile(r"^`{3,}suggestion:-(\d{1,3})\+0$", re.MULTILINE)


class GitLab(CodeHost):
    """One project on GitLab."""

    name = "GitLab"
    noun = "merge request"
    is_ranged = True
    at_once = 1
    account = ("author", "username")
    edit = "PUT"
    refusals = {  # noqa: RUF012  (a table)
        301: ("the project has moved", "set CI_PROJECT_ID to the project's ID"),
        401: ("GitLab rejected the token", NEEDED),
        403: ("the token lacks permission", NEEDED),
        404: (
            "the project or merge request was not found, or the token has no access",
            "check CI_PROJECT_ID and `--mr`; the token needs the `api` scope",
        ),
    }

    def __init__(self, *, api: str, project: str, token: str, **how: Any) -> None:
        """`api` is the address without a final slash, `project` a number or `group/name`."""
        super().__init__(api=api, headers={"PRIVATE-TOKEN": token}, **how)
        self._project = f"/projects/{quote(project, safe='')}"
        self._url = ""  # where the merge request is read by people
        self._files: tuple[str, dict[str, ChangedFile]] = ("", {})
        """A commit, and the files that were changed by then."""

    def pull_request(self, number: int) -> PullRequest:
        """Ask where a merge request comes from and goes to; raises RemoteError while GitLab is preparing its diff."""
        found = self.read(self._merge_request(number)).value
        refs = found.get("diff_refs") if isinstance(found, dict) else None
        if not isinstance(refs, dict) or not refs.get("head_sha"):
            raise RemoteError("GitLab has not prepared the merge request's diff yet", hint="try again in a moment")
        self._url = str(found.get("web_url") or "")
        is_same = part(found, "source_project_id") == part(found, "target_project_id")
        base, head = str(part(found, "target_branch")), str(refs["head_sha"])
        return PullRequest(base, head, is_fork=not is_same, base_ref=base, head_ref=head)

    def changed_files(self, number: int) -> list[ChangedFile]:
        return [
            ChangedFile(
                path=str(part(row, "new_path")),
                is_removed=bool(row.get("deleted_file")),
                patch=str(row.get("diff") or ""),
                old_path=str(row.get("old_path") or ""),
            )
            for row in self.pages(f"{self._merge_request(number)}/diffs", size=_SMALL)
        ]

    def files_at(self, commit: str) -> Mapping[str, str] | None:
        files: dict[str, str] = {}
        rows = self.pages(f"{self._project}/repository/tree", ref=commit, recursive="true")
        for number, row in enumerate(rows, start=1):
            if number > _MOST_FILES:
                return None
            if row.get("mode") in FILE_MODES:
                files[str(part(row, "path"))] = str(part(row, "id"))
        return files

    def text_at(self, ref: str, path: str) -> str | None:
        address = f"{self._project}/repository/files/{quote(path, safe='')}/raw?{urlencode({'ref': ref})}"
        return self.text_of(address, "*/*")

    def login(self) -> str:
        return str(part(self.read("/user").value, "username"))

    def comments(self, number: int) -> list[Comment]:
        """Return the notes below a merge request; GitLab's own, and those beside lines, are left out."""
        rows = self.pages(f"{self._merge_request(number)}/notes", sort="asc", order_by="created_at")
        return [self._note(row, number) for row in rows if not row.get("system") and not row.get("position")]

    def create_comment(self, number: int, body: str) -> Comment:
        return self._note(self.write("POST", f"{self._merge_request(number)}/notes", {"body": body}).value, number)

    def _note(self, found: Any, number: int) -> Comment:
        url = f"{self._url}#note_{part(found, 'id')}"
        return self.comment_of(found, f"{self._merge_request(number)}/notes", url=url)

    def review_comments(self, number: int) -> list[Comment]:
        """Return the notes of discussions that begin beside lines; all but the first are answers to it."""
        head, comments = str(self._refs(number).get("head_sha")), []
        for address, notes in self._discussions(number):
            said = [note for note in notes if not note.get("system")]
            position = said[0].get("position") if said else None
            if not isinstance(position, dict):
                continue
            last = position.get("new_line") if position.get("head_sha") == head else None
            for place, note in enumerate(said):
                above = _BLOCK.search(str(note.get("body") or "").replace("\r\n", "\n"))
                comments.append(
                    self.comment_of(
                        note,
                        f"{address}/notes",
                        thread=address,
                        path=str(position.get("new_path") or ""),
                        lines=(last - int(above[1]) if above else last, last) if type(last) is int else None,
                        replies_to=part(said[0], "id") if place else None,
                    )
                )
        return sorted(comments, key=lambda comment: comment.id)

    def create_review(self, number: int, *, commit: str, text: str, comments: Iterable[Wanted]) -> bool:
        """Begin a discussion; False when GitLab does not accept it, or the merge request has another commit by now."""
        del text  # a discussion stands for itself: there is no review around it
        refs = self._refs(number)
        if refs.get("head_sha") != commit:
            return False
        if self._files[0] != commit:
            self._files = commit, {file.path: file for file in self.changed_files(number)}
        (comment,) = comments
        file = self._files[1].get(comment.path)
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
        address = f"{self._merge_request(number)}/discussions"
        return self.write("POST", address, body, allowed=(REFUSED, NOT_ACCEPTED)).is_success

    def threads(self, number: int) -> dict[str, Thread]:
        return {
            address: Thread(id=address, is_resolved=bool(notes[0].get("resolved")))
            for address, notes in self._discussions(number)
            if notes and notes[0].get("resolvable")
        }

    def resolve(self, thread: Thread) -> bool:
        """Resolve a discussion; False where the token may not (that takes the role Developer)."""
        return self.write("PUT", thread.id, {"resolved": True}, allowed=(FORBIDDEN, GONE)).is_success

    def _merge_request(self, number: int) -> str:
        return f"{self._project}/merge_requests/{number}"

    def _refs(self, number: int) -> dict[str, Any]:
        found = part(self.read(self._merge_request(number)).value, "diff_refs")
        if not isinstance(found, dict):
            raise strange()
        return found

    def _discussions(self, number: int) -> Iterator[tuple[str, list[dict[str, Any]]]]:
        place = f"{self._merge_request(number)}/discussions"
        for discussion in self.pages(place):
            notes = discussion.get("notes")
            found = [note for note in notes if isinstance(note, dict)] if isinstance(notes, list) else []
            yield f"{place}/{part(discussion, 'id')}", found
