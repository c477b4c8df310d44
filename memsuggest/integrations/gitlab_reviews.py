"""GitLab's discussions beside the lines of a merge request, the only ones with "Apply suggestion".

https://docs.gitlab.com/api/discussions/#merge-requests. While the lines of one stay as they are, GitLab moves its
position on with each push; one whose position is of another commit than the latest is outdated. Each is posted by
itself, at the last of its lines: its block says how many above belong to it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from memsuggest.integrations.code_host import ReviewComment, Thread
from memsuggest.integrations.host_api import FORBIDDEN, GONE, NOT_ACCEPTED, REFUSED, part, strange
from memsuggest.integrations.hunks import old_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from memsuggest.integrations.code_host import ChangedFile, Wanted
    from memsuggest.integrations.host_api import Api

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
        """Change what a note says; False when it is gone."""
        return self._api.write("PUT", self._note(comment), {"body": body}, allowed=(GONE,)).is_success

    def delete_review_comment(self, comment: ReviewComment) -> None:
        """Remove a note, unless it is gone already."""
        self._api.write("DELETE", self._note(comment), allowed=(GONE,))

    def threads(self, number: int) -> dict[str, Thread]:
        """Return the discussions by their nodes."""
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
            self._files[commit] = {one.path: one for one in self._changed_files(number)}
        return self._files[commit]


def _node(number: int, discussion: dict[str, Any]) -> str:
    """Return where a discussion stands, which is all that is needed to find it again."""
    return f"{number}/discussions/{part(discussion, 'id')}"


def _notes(discussion: dict[str, Any]) -> list[dict[str, Any]]:
    found = discussion.get("notes")
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def _review_comments(discussion: dict[str, Any], number: int, head: str) -> Iterator[ReviewComment]:
    """Yield the notes of a discussion that begins beside lines; all but the first are answers to it."""
    notes = [one for one in _notes(discussion) if not one.get("system")]
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
