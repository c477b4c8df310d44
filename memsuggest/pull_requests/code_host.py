"""Values and calls that GitHub and GitLab share: a change, its comments, and the lines of a diff."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from unidiff.errors import UnidiffParseError
from unidiff.patch import Hunk, PatchSet

from memsuggest.core.errors import RemoteError
from memsuggest.pull_requests.host_api import GONE, Api, part, strange

FILE_MODES = ("100644", "100755")
"""What git calls a plain file; links are left out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedFile:
    """A file of a pull request."""

    path: str
    is_removed: bool
    patch: str
    old_path: str = ""
    """What it was called before; empty where the host does not say."""


class PullRequest(NamedTuple):
    """The origin and the goal of a pull request."""

    base: str
    """The name of the branch that it goes into."""
    head: str
    """The commit that it ends with."""
    is_fork: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Comment:
    """A comment below a pull request, or beside its lines."""

    id: int
    author: str
    """Empty for an account that was deleted."""
    body: str
    address: str
    """What it is changed by in the API."""
    url: str = ""
    thread: str = ""
    """What its conversation is found by, beside lines."""
    path: str = ""
    lines: tuple[int, int] | None = None
    """First and last, of the file as it is; None when they changed since (it is outdated), or were removed ones."""
    replies_to: int | None = None


class Thread(NamedTuple):
    """A conversation beside the lines of a pull request."""

    id: str
    is_resolved: bool


class Wanted(NamedTuple):
    """A comment as it should stand beside lines of a file."""

    path: str
    lines: tuple[int, int]
    body: str


class CodeHost(Api):
    """The parts that GitHub and GitLab have in common: one repository, seen with one token."""

    noun: ClassVar[str]
    """The host's name for a change."""
    is_ranged: ClassVar[bool]
    """Whether a suggestion block itself says for which lines it is."""
    at_once: ClassVar[int]
    """The number of comments beside lines that can be posted together."""
    account: ClassVar[tuple[str, str]]
    """The field for a comment's author, and the field of its name."""
    edit: ClassVar[str]
    """The method that changes a comment."""

    def open_pull_request(self, head: str) -> int:
        """Find the one open change from `owner:branch`; raises RemoteError for none, for several, and elsewhere."""
        raise RemoteError(f"cannot find a {self.noun} for the branch `{head}`", hint=f"use the {self.noun}'s number")

    def hide(self, comment: Comment) -> bool:
        """Fold a comment away; False where the token may not, or the host cannot."""
        del comment
        return False

    def update(self, comment: Comment, body: str) -> bool:
        """Change a comment; False when it is gone."""
        return self.write(self.edit, comment.address, {"body": body}, allowed=(GONE,)).is_success

    def delete(self, comment: Comment) -> None:
        self.write("DELETE", comment.address, allowed=(GONE,))

    def comment_of(self, found: Any, among: str, **more: Any) -> Comment:
        """Return a comment as the API gives it; `among` is the address of all such."""
        number = part(found, "id")
        if type(number) is not int:
            raise strange()
        author = found.get(self.account[0])
        return Comment(
            id=number,
            author=str(author.get(self.account[1], "")) if isinstance(author, dict) else "",
            body=str(found.get("body") or "").replace("\r\n", "\n"),
            address=f"{among}/{number}",
            **more,
        )

    def text_of(self, address: str, accept: str) -> str | None:
        """Return a file; None for none, or no text."""
        answer = self.read(address, accept=accept, allowed=(GONE,))
        if answer.status == GONE:
            return None
        try:
            return answer.body.decode("utf-8")
        except UnicodeDecodeError:
            return None


_HEADER = "--- a/file\n+++ b/file\n"


def hunks_shown(patch: str) -> tuple[range, ...]:
    """Return the stretches of lines of the new text, from 1, that one file's hunks add or show around a change.

    Takes what `git diff` prints for a file, or the bare hunks that a code host's API gives; a patch that cannot be read
    (it is cut, or binary) shows nothing.
    """
    found = [range(hunk.target_start, hunk.target_start + hunk.target_length) for hunk in _hunks(patch)]
    return tuple(stretch for stretch in found if stretch)


def old_line(patch: str, number: int) -> int | None:
    """Return the number that a line of the new text had before; None for one that was added, or is not shown."""
    shown = (line for hunk in _hunks(patch) for line in hunk)
    return next((line.source_line_no for line in shown if line.target_line_no == number), None)


def _hunks(patch: str) -> list[Hunk]:
    start = 0 if patch.startswith("@@ ") else patch.find("\n@@ ") + 1
    if not patch.startswith("@@ ", start):
        return []
    hunks = patch[start:]
    try:
        files = PatchSet.from_string(_HEADER + hunks + ("" if hunks.endswith("\n") else "\n"))
    except (UnidiffParseError, ValueError):
        return []
    return [hunk for file in files for hunk in file]
