"""Rows of styled text that scroll, drawn one by one: whatever a text says, nothing in it is markup."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from textual import events


class RowsView(ScrollView, can_focus=False):
    """A part of the screen that shows rows which are wrapped already."""

    DEFAULT_CSS = (
        "RowsView { overflow-x: hidden; overflow-y: auto; scrollbar-gutter: stable; scrollbar-size-vertical: 1; }"
    )

    class Pressed(Message):
        """A row was pressed with the mouse."""

        def __init__(self, view: RowsView, row: int) -> None:
            super().__init__()
            self.view = view
            self.row = row

        @property
        def control(self) -> RowsView:
            """The rows of which one was pressed."""
            return self.view

    def __init__(self, name: str) -> None:
        super().__init__(id=name)
        self._drawn_for = 0
        self._rows: Sequence[Text] = ()
        self.redraw: Callable[[], None] = lambda: None
        """Makes the rows anew for another width."""

    @property
    def room(self) -> int:
        """Columns that a row may take, beside the scroll bar."""
        return self.scrollable_content_region.width

    def show(self, rows: Sequence[Text], *, is_same: bool = False) -> None:
        """Show rows from the top, or from where one is where they are of the same thing."""
        self._rows = rows
        self.virtual_size = Size(self.room, len(rows))
        if not is_same:
            self.scroll_to(y=0, animate=False, immediate=True)
        self.refresh()

    def on_resize(self, event: events.Resize) -> None:
        """Ask for rows that fit."""
        if self.room != self._drawn_for:
            self._drawn_for = self.room
            self.redraw()

    def render_line(self, y: int) -> Strip:
        """Draw one row."""
        at = y + self.scroll_offset.y
        row = self._rows[at] if at < len(self._rows) else Text()
        return as_strip(row, self.room, self)

    def on_click(self, event: events.Click) -> None:
        """Tell which row was pressed."""
        at = event.get_content_offset(self)
        if at is not None:
            self.post_message(self.Pressed(self, at.y + self.scroll_offset.y))

    def show_row(self, at: int) -> None:
        """Scroll down until a row is on the screen, with one below it."""
        if at + 1 >= self.scroll_offset.y + self.size.height:
            self.scroll_to(y=at + 2 - self.size.height, animate=False, immediate=True)

    def scroll_rows(self, rows: int) -> None:
        """Scroll by so many rows, at once."""
        self.scroll_relative(y=rows, animate=False, immediate=True)


def as_strip(row: Text, width: int, view: ScrollView, style: Style | None = None) -> Strip:
    """Return a row of text as a screen takes it: cut and filled up to a width, on the terminal's own colours."""
    plain = Style.null()  # every part has a style, which Textual's filters count on
    parts = [Segment(one.text, one.style or plain) for one in row.render(view.app.console)]
    strip = Strip(parts).adjust_cell_length(width, plain)
    return strip.apply_style(style) if style else strip
