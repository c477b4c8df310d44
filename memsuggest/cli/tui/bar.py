"""A row of short texts, each of which can be pressed: the keys of a review, and its filters."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rich.text import Text
from textual.message import Message
from textual.scroll_view import ScrollView

from memsuggest.cli.tui.rows_view import as_strip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual import events
    from textual.strip import Strip

_GAP = "  "


class Entry(NamedTuple):
    """A text of a bar, and the key that it stands for."""

    key: str
    text: Text


class Bar(ScrollView, can_focus=False):
    """Texts side by side; those that have no room are left out from the right."""

    DEFAULT_CSS = "Bar { height: 1; overflow: hidden hidden; }"

    class Pressed(Message):
        """A text was pressed with the mouse."""

        def __init__(self, key: str) -> None:
            super().__init__()
            self.key = key

    def __init__(self, name: str) -> None:
        super().__init__(id=name)
        self._entries: Sequence[Entry] = ()
        self._short: Sequence[Entry] = ()

    def show(self, entries: Sequence[Entry], *, short: Sequence[Entry] = ()) -> None:
        """Show other texts, or shorter ones where there is no room for all of them."""
        self._entries, self._short = entries, short or entries
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Draw the texts that there is room for."""
        return as_strip(Text(_GAP).join(one.text for one in self._fitting()), self.size.width, self)

    def _fitting(self) -> list[Entry]:
        whole = _beginning(self._entries, self.size.width)
        return whole if len(whole) == len(self._entries) else _beginning(self._short, self.size.width)

    def on_click(self, event: events.Click) -> None:
        """Tell which text was pressed."""
        left = 0
        for entry in self._fitting():
            if left <= event.x < left + entry.text.cell_len and entry.key:
                self.post_message(self.Pressed(entry.key))
            left += entry.text.cell_len + len(_GAP)


def _beginning(entries: Sequence[Entry], width: int) -> list[Entry]:
    """Return the first entries, as many as there is room for."""
    kept: list[Entry] = []
    for entry in entries:
        width -= entry.text.cell_len + (len(_GAP) if kept else 0)
        if width < 0 and kept:
            break
        kept.append(entry)
    return kept
