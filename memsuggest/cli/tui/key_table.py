"""The table of a full-screen review's keys; the letters are those of the line mode."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from memsuggest.cli.tui import editing, key_actions, place_menu
from memsuggest.cli.tui.review_list import Item
from memsuggest.render.safe_output import one_line

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from memsuggest.cli.tui.full_review import FullReview
    from memsuggest.cli.tui.review_app import Press

DECIDING: dict[str, Callable[[FullReview], Awaitable[None]]] = {
    "y": key_actions.apply_it,
    "n": key_actions.put_off,
    "d": partial(key_actions.dismiss, only_here=False),
    "h": partial(key_actions.dismiss, only_here=True),
    "e": editing.edit,
    "E": editing.edit_outside,
    "m": place_menu.choose_place,
    "s": place_menu.replace_line,
    "w": key_actions.whole,
    "a": key_actions.apply_file,
    "D": partial(key_actions.dismiss_chat, never_again=False),
    "x": partial(key_actions.dismiss_chat, never_again=True),
    "u": key_actions.undo,
    "?": key_actions.show_help,
    "/": key_actions.search,
    "f": key_actions.choose_filter,
    "escape": key_actions.all_again,
}
"""Keys that decide, or ask something."""
MOVING: dict[str, Callable[[FullReview], int]] = {
    "k": lambda review: review.app.list.further(-1),
    "up": lambda review: review.app.list.further(-1),
    "j": lambda review: review.app.list.further(1),
    "down": lambda review: review.app.list.further(1),
    "left": lambda review: review.app.list.other_file(-1),
    "right": lambda review: review.app.list.other_file(1),
    "home": lambda review: review.app.list.nearest(0),
    "end": lambda review: review.app.list.nearest(len(review.app.list.rows)),
}
"""Keys that choose another row."""
READING = {"pageup": -10, "pagedown": 10, " ": 10, "space": 10, "ctrl+u": -5, "ctrl+d": 5}
"""Keys that scroll what is read, by so many rows."""


async def act(review: FullReview, press: Press) -> None:
    """Do what a key says, or say that it does nothing."""
    key = press.key
    deciding = DECIDING.get(key) or DECIDING.get(key.lower())
    if deciding:
        review.app.note()
        await deciding(review)
    elif key in MOVING:
        review.choose(MOVING[key](review) if review.item else review.app.list.nearest(review.gone_at))
        review.app.note()
    elif key in READING:
        review.app.detail.scroll_rows(READING[key])
    elif key == "tab":
        review.app.turn_over()
        review.app.call_after_refresh(review.draw)
    elif key == "row":
        if press.row < len(review.app.list.rows) and isinstance(review.app.list.rows[press.row], Item):
            review.choose(press.row)
            review.app.note()
    elif key.startswith("filter "):
        review.choose_filter(key.removeprefix("filter "))
    elif press.event is not None and key != "paste":
        told = "Enter decides nothing: `y` applies it" if key == "enter" else f"`{one_line(key)}` does nothing here"
        review.app.note(f"{told}; `?` shows the keys")
