"""Parts of the screen: rows of styled text, a bar of texts that can be pressed, the list of suggestions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from textual import events
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from memsuggest.core.render.page import FAINT, GOOD, HEAD, WARN
from memsuggest.core.render.safe_output import one_line
from memsuggest.tui.review_list import Header, Item, Row


class _Scrolled(ScrollView, can_focus=False):
    """A part of the screen that scrolls its rows."""

    DEFAULT_CSS = (
        "_Scrolled { overflow-x: hidden; overflow-y: auto; scrollbar-gutter: stable; scrollbar-size-vertical: 1; }"
    )

    def __init__(self, name: str) -> None:
        super().__init__(id=name)
        self.pressed: Callable[[int], None] = lambda _row: None
        """Hears which row was pressed with the mouse."""

    @property
    def room(self) -> int:
        return self.scrollable_content_region.width

    def go_to(self, row: int) -> None:
        self.scroll_to(y=row, animate=False, immediate=True)

    def on_click(self, event: events.Click) -> None:
        at = event.get_content_offset(self)
        if at is not None:
            self.pressed(at.y + self.scroll_offset.y)


class RowsView(_Scrolled):
    """A part of the screen that shows rows which are wrapped already."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._drawn_for = 0
        self._rows: Sequence[Text] = ()
        self.redraw: Callable[[], None] = lambda: None
        """Makes the rows anew for another width."""

    def show(self, rows: Sequence[Text], *, is_same: bool = False) -> None:
        """Show rows from the top, or from where one is where they are of the same thing."""
        self._rows = rows
        self.virtual_size = Size(self.room, len(rows))
        if not is_same:
            self.go_to(0)
        self.refresh()

    def on_resize(self, event: events.Resize) -> None:
        if self.room != self._drawn_for:
            self._drawn_for = self.room
            self.redraw()

    def render_line(self, y: int) -> Strip:
        at = y + self.scroll_offset.y
        row = self._rows[at] if at < len(self._rows) else Text()
        return as_strip(row, self.room, self)

    def show_row(self, at: int) -> None:
        if at + 1 >= self.scroll_offset.y + self.size.height:
            self.go_to(at + 2 - self.size.height)

    def scroll_rows(self, rows: int) -> None:
        self.scroll_relative(y=rows, animate=False, immediate=True)


def as_strip(row: Text, width: int, view: ScrollView, style: Style | None = None) -> Strip:
    """Return a row of text as a screen takes it: cut and filled up to a width, on the terminal's own colours."""
    plain = Style.null()  # every part has a style, which Textual's filters count on
    parts = [Segment(segment.text, segment.style or plain) for segment in row.render(view.app.console)]
    strip = Strip(parts).adjust_cell_length(width, plain)
    return strip.apply_style(style) if style else strip


_GAP = "  "


class Entry(NamedTuple):
    """A text of a bar, and the key that it stands for."""

    key: str
    text: Text


class Bar(ScrollView, can_focus=False):
    """Texts side by side; those that have no room are left out from the right."""

    DEFAULT_CSS = "Bar { height: 1; overflow: hidden hidden; }"

    def __init__(self, name: str) -> None:
        super().__init__(id=name)
        self._entries: Sequence[Entry] = ()
        self._short: Sequence[Entry] = ()
        self.pressed: Callable[[str], None] = lambda _key: None
        """Hears which text was pressed with the mouse, by its key."""

    def show(self, entries: Sequence[Entry], *, short: Sequence[Entry] = ()) -> None:
        """Show other texts, or shorter ones where there is no room for all of them."""
        self._entries, self._short = entries, short or entries
        self.refresh()

    def render_line(self, y: int) -> Strip:
        return as_strip(Text(_GAP).join(entry.text for entry in self._fitting()), self.size.width, self)

    def _fitting(self) -> list[Entry]:
        whole = _beginning(self._entries, self.size.width)
        return whole if len(whole) == len(self._entries) else _beginning(self._short, self.size.width)

    def on_click(self, event: events.Click) -> None:
        left = 0
        for entry in self._fitting():
            if left <= event.x < left + entry.text.cell_len and entry.key:
                self.pressed(entry.key)
            left += entry.text.cell_len + len(_GAP)


def _beginning(entries: Sequence[Entry], width: int) -> list[Entry]:
    kept: list[Entry] = []
    for entry in entries:
        width -= entry.text.cell_len + (len(_GAP) if kept else 0)
        if width < 0 and kept:
            break
        kept.append(entry)
    return kept


_CHOSEN = Style(reverse=True)
NEW, OWN, PUT_OFF = "*", "!", "-"


class SuggestionList(_Scrolled):
    """Rows of what waits; one of them is chosen, or none is."""

    def __init__(self) -> None:
        super().__init__("list")
        self.rows: Sequence[Row] = ()
        self.chosen = -1
        self.put_off: set[str] = set()
        self._places: dict[str, int] = {}

    @property
    def item(self) -> Item | None:
        row = self.rows[self.chosen] if 0 <= self.chosen < len(self.rows) else None
        return row if isinstance(row, Item) else None

    def show(self, rows: Sequence[Row]) -> None:
        """Show rows, none of them chosen."""
        self.rows, self.chosen = rows, -1
        self._places = {row.id: at for at, row in enumerate(rows) if isinstance(row, Item)}
        self.virtual_size = Size(self.room, len(rows))
        self.refresh()

    def place_of(self, name: str) -> int:
        """Return the row of an item; -1 where it is not among them."""
        return self._places.get(name, -1)

    def choose(self, at: int) -> None:
        before, self.chosen = self.chosen, self.nearest(at)
        if self.chosen >= 0:
            self._show_row(self.chosen)
        for row in (before, self.chosen):  # the others are drawn as they are, unless it scrolled
            if row >= 0:
                self.refresh_line(row)

    def nearest(self, at: int) -> int:
        """Return the row of an item at a place, below it, or above it; -1 where there is none."""
        below = (row for row in range(max(0, at), len(self.rows)) if _is_open(self.rows[row]))
        above = (row for row in range(min(at, len(self.rows)) - 1, -1, -1) if _is_open(self.rows[row]))
        return next(below, next(above, -1))

    def further(self, step: int) -> int:
        """Return the row of the next item in a direction; the same where there is none."""
        at = self.chosen + step
        while 0 <= at < len(self.rows) and not _is_open(self.rows[at]):
            at += step
        return at if 0 <= at < len(self.rows) else self.chosen

    def other_file(self, step: int) -> int:
        headers = [at for at, row in enumerate(self.rows) if isinstance(row, Header)]
        if step > 0:
            return next((at + 1 for at in headers if at > self.chosen), self.chosen)
        before = [at + 1 for at in headers if at + 1 < self.chosen]
        return before[-1] if before else self.chosen

    def _show_row(self, at: int) -> None:
        """Scroll so that a row is on the screen, with the header above it."""
        first = at - 1 if at and isinstance(self.rows[at - 1], Header) else at
        top, height = self.scroll_offset.y, max(1, self.size.height)
        if first < top:
            self.go_to(first)
        elif at >= top + height:
            self.go_to(at - height + 1)

    def on_resize(self) -> None:
        self.virtual_size = Size(self.room, len(self.rows))
        if self.chosen >= 0:
            self._show_row(self.chosen)

    def render_line(self, y: int) -> Strip:
        at, width = y + self.scroll_offset.y, self.room
        row = self.rows[at] if at < len(self.rows) else None
        is_chosen = at == self.chosen
        text = self._text(row, is_chosen=is_chosen, width=width) if row else Text()
        return as_strip(Text(text.plain), width, self, _CHOSEN) if is_chosen else as_strip(text, width, self)

    def _text(self, row: Row, *, is_chosen: bool, width: int) -> Text:
        if isinstance(row, Header):
            count = f" ({row.count}){row.about}"
            return Text.assemble(
                (_cut(one_line(row.file), width - len(count), from_left="/" in row.file), HEAD), (count, FAINT)
            )
        if row.done:
            return Text.assemble(" ", (row.done, GOOD), " ", (_cut(row.words, width - 3), FAINT))
        mark = OWN if row.is_marked else NEW if row.is_new else PUT_OFF if row.id in self.put_off else " "
        style = WARN if mark == OWN else GOOD if mark == NEW else ""
        words = (_cut(row.words, width - 3), FAINT if mark == PUT_OFF else "")
        return Text.assemble("›" if is_chosen else " ", (mark, style), " ", words)


def _is_open(row: Row) -> bool:
    return isinstance(row, Item) and not row.done


def _cut(text: str, width: int, *, from_left: bool = False) -> str:
    if cell_len(text) <= width or width < 2:
        return text
    if not from_left:
        return set_cell_size(text, width - 1).rstrip() + "…"
    while cell_len(text) > width - 1:  # of a path the end tells more
        text = text[1:]
    return "…" + text
