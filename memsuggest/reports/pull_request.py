"""The report on what waits for the files of a pull request."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memsuggest.model import LineChange, MemorySuggestion, Skipped
    from memsuggest.reports.held_report import HeldRule


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewProposal:
    """One suggestion beside a change."""

    suggestion: MemorySuggestion
    why_here: str
    """How it concerns the change."""
    change: LineChange | None
    """The lines that it puts in the place of others; None for a new file."""
    is_in_diff: bool
    """Whether a review tool can attach it to those lines; never so for executable configuration."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """Lines of a file that one or several suggestions change together, all of them shown by the diff.

    A review tool takes it as one; no two blocks have a line in common.
    """

    path: str
    change: LineChange
    proposals: tuple[ReviewProposal, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PullRequestReport:
    """The answer of `comment`."""

    base: str
    """What the change is compared with, and where the facts come from."""
    proposals: tuple[ReviewProposal, ...]
    """Best first."""
    blocks: tuple[Block, ...] = ()
    """Those of them that can be committed on the pull request's own page, by the lines that they change."""
    elsewhere: int = 0
    """Suggestions that concern none of the changed files."""
    unmerged: int = 0
    """Facts that the change itself adds: claims until it is merged."""
    unheld: tuple[HeldRule, ...] = ()
    """Rules of the changed files that do not hold, by the chats of whoever runs this."""
    skipped: tuple[Skipped, ...] = ()
