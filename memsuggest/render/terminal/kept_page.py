"""A page that keeps its rows instead of printing them: for a part of a screen, of a width of its own. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.render.terminal.page import Page

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.text import Text

_TALL = 1_000_000
_TAB = 4


class KeptPage(Page):
    """Styled rows, made safe like any other page's, broken where they are too long for their width."""

    def __init__(self, width: int, *, named: Callable[[str], str] = str) -> None:
        """Begin with no row; `named` makes hints name the command as it was called."""
        super().__init__()
        self._named = named
        self._width = width
        self.rows: list[Text] = []

    @property
    def width(self) -> int:
        """Columns that a row may take."""
        return self._width

    @property
    def size(self) -> tuple[int, int]:
        """Columns that a row may take; there may be as many rows as there are."""
        return self._width, _TALL

    def clear(self) -> None:
        """Begin anew."""
        self.rows.clear()

    def _put(self, row: Text) -> None:
        row.expand_tabs(_TAB)
        for line in row.split(allow_blank=True) or [row]:
            line.rstrip()
            self.rows.append(line)
