"""Reports of a watcher."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memsuggest.config import Mode


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """One line for the person, and the suggestions that it is about."""

    text: str
    review: str
    """What to type to look at it."""
    suggestions: tuple[str, ...]
    """Their ids."""

    @property
    def line(self) -> str:
        """The whole line."""
        return f"{self.text} → review with `{self.review}`"


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """The counts of a watcher."""

    mode: Mode
    transcripts: int
    """That it follows."""
    learned: int
    """Facts since it began."""
    pending: int
