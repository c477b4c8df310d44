"""The seam behind which GitHub and GitLab stand: the calls about one change and their answers, and lines of a diff."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from unidiff.errors import UnidiffParseError
from unidiff.patch import Hunk, PatchSet

if TYPE_CHECKING:
    from memsuggest.pull_requests.host_api import Write


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedFile:
    """A file of a pull request."""

    path: str
    is_removed: bool
    patch: str
    old_path: str = ""
    """What it was called before; empty where the host does not say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PullRequest:
    """The questions about a pull request."""

    base: str
    """The name of the branch that it goes into."""
    head: str
    """The commit that it ends with."""
    is_fork: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Comment:
    """A comment below a pull request."""

    id: int
    author: str
    body: str
    url: str
    on: int = 0
    """The change that it stands below, for hosts that ask for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewComment:
    """A comment beside the lines of a pull request."""

    id: int
    node: str
    """By what its conversation is found: on GitHub what GraphQL calls it, on GitLab where the discussion stands."""
    author: str
    body: str
    path: str
    lines: tuple[int, int] | None
    """First and last, of the file as it is; None when they changed since (it is outdated), or were removed ones."""
    replies_to: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Thread:
    """A conversation beside the lines of a pull request."""

    id: str
    is_resolved: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """A comment as it should stand beside lines of a file."""

    path: str
    lines: tuple[int, int]
    body: str


class Comments(Protocol):
    """A keeper of comments below a change."""

    def comments(self, number: int) -> list[Comment]:
        """Return the comments below a pull request."""
        ...

    def create_comment(self, number: int, body: str) -> Comment:
        """Write a new one."""
        ...

    def update_comment(self, comment: Comment, body: str) -> Comment | None:
        """Change one; None when it is gone."""
        ...

    def delete_comment(self, comment: Comment) -> None:
        """Remove one, unless it is gone."""
        ...


class ReviewComments(Protocol):
    """A keeper of comments beside lines."""

    @property
    def at_once(self) -> int:
        """The number of comments that can be posted together."""
        ...

    def review_comments(self, number: int) -> list[ReviewComment]:
        """Return those of a pull request."""
        ...

    def create_review(self, number: int, *, commit: str, text: str, comments: Iterable[Wanted]) -> bool:
        """Post several at once; False when one of them is not accepted, and so none."""
        ...

    def update_review_comment(self, comment: ReviewComment, body: str) -> bool:
        """Change one; False when it is gone."""
        ...

    def delete_review_comment(self, comment: ReviewComment) -> None:
        """Remove one, unless it is gone."""
        ...

    def threads(self, number: int) -> dict[str, Thread]:
        """Return the conversations, as far as they may be seen, by the nodes of their first comments."""
        ...

    def resolve(self, thread: Thread) -> bool:
        """Resolve a conversation; False where that may not be."""
        ...

    def hide(self, comment: ReviewComment) -> bool:
        """Fold a comment away; False where that may not be."""
        ...


class CodeHost(Comments, Protocol):
    """One repository on a code host, seen with one token."""

    @property
    def name(self) -> str:
        """Name the host, for people."""
        ...

    @property
    def noun(self) -> str:
        """The host's name for a change."""
        ...

    @property
    def is_ranged(self) -> bool:
        """Tell whether a suggestion block itself says for which lines it is."""
        ...

    @property
    def reviews(self) -> ReviewComments:
        """The comments beside lines."""
        ...

    @property
    def writes(self) -> list[Write]:
        """The requests that wrote, or would write."""
        ...

    def pull_request(self, number: int) -> PullRequest:
        """Ask where a change comes from and goes to."""
        ...

    def changed_files(self, number: int) -> list[ChangedFile]:
        """Return the files of a change."""
        ...

    def files_at(self, commit: str) -> Mapping[str, str] | None:
        """Return the files of a commit with git's hash of each; None where there are too many."""
        ...

    def base_text(self, base: str, path: str) -> str | None:
        """Return a file as the branch has it that a change goes into; None for none, or no text."""
        ...

    def head_text(self, number: int, head: str, path: str) -> str | None:
        """Return a file as a change has it; None for none, or no text."""
        ...

    def login(self) -> str:
        """Return who the token writes as."""
        ...

    def close(self) -> None:
        """Let go of the connection."""
        ...


_HEADER = "--- a/file\n+++ b/file\n"


def hunks_shown(patch: str) -> tuple[range, ...]:
    """Return the stretches of lines of the new text, from 1, that one file's hunks add or show around a change.

    Takes what `git diff` prints for a file, or the bare hunks that a code host's API gives; a patch that cannot be read
    (it is cut, or binary) shows nothing.
    """
    found = [range(hunk.target_start, hunk.target_start + hunk.target_length) for hunk in _hunks(patch)]
    return tuple(stretch for stretch in found if stretch)


def old_line(patch: str, line: int) -> int | None:
    """Return the number that a line of the new text had before; None for one that was added, or is not shown."""
    shown = (one for hunk in _hunks(patch) for one in hunk)
    return next((one.source_line_no for one in shown if one.target_line_no == line), None)


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
