"""Reports of a watcher."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from memsuggest.config import Mode
from memsuggest.json_shape import Key
from memsuggest.render.page import FAINT, HEAD, Page
from memsuggest.render.safe_output import one_line


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """One line of `watch`, whenever something is worth writing down."""

    text: Annotated[str, "The line for a person.", Key("notice")]
    review: Annotated[str, "The command to look at it."]
    suggestions: Annotated[tuple[str, ...], "Ids of the suggestions that it is about."]

    @property
    def line(self) -> str:
        """The whole line."""
        return f"{self.text} → review with `{self.review}`"

    def show(self, page: Page) -> None:
        """Print a notice."""
        page.line((one_line(self.text), HEAD), (f" → review with `{self.review}`", FAINT))


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """The counts of a watcher."""

    mode: Mode
    transcripts: int
    """That it follows."""
    learned: int
    """Facts since it began."""
    pending: int
