"""The drawing of a full-screen review's state: the chosen suggestion, the filters, the keys. Changes nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rich.text import Text

from memsuggest.core.render.page import BAD, FAINT, HEAD, Page
from memsuggest.core.render.safe_output import one_line
from memsuggest.suggestions.decision_reports import PlaceChoice, Shown
from memsuggest.suggestions.review_report import Conversation, show_pane, show_quote
from memsuggest.suggestions.status_report import CAUGHT_UP
from memsuggest.tui.review_data import Ready
from memsuggest.tui.review_list import ALL, Filter, Item, Waiting
from memsuggest.tui.widgets import Entry

_KEYS = {
    "y": "apply",
    "n": "next",
    "d": "dismiss",
    "e": "edit",
    "u": "undo",
    "?": "keys",
    "q": "quit",
    "m": "move",
    "w": "why",
    ":": "commands",
}
"""The likeliest first: where there is no room for all, those at the end are left out."""
_AS_SAID = {"e": "edit", **_KEYS}
"""A sentence out of a chat is seldom a rule as it stands."""
_WHOLE = {"escape": "back", **{key: what for key, what in _KEYS.items() if key not in {"q", "w"}}}


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """The state of a review, as far as it is shown."""

    waiting: Waiting
    filter: Filter
    words: str
    """What is searched."""
    item: Item | None
    """What is chosen."""
    ready: Ready | None
    """The same as it would be written, once that is known."""
    talk: Conversation | None
    is_whole: bool
    """All of its evidence and its whole change are wanted."""
    is_open: bool
    """What waits was read."""
    has_rows: bool
    """Something in the list is still to be decided."""
    places: tuple[PlaceChoice, ...] = ()
    """The next best places, which have the numbers from 2 on."""
    is_short: bool = False
    """There is little room: the turns around the quote stand in its place."""


def keys(ready: Ready | None, *, is_whole: bool) -> Mapping[str, str]:
    """Return the keys that are shown below a suggestion, the likeliest first."""
    from memsuggest.suggestions.review import is_as_said

    if is_whole:
        return _WHOLE
    shown = ready.shown if ready else None
    return _AS_SAID if shown and is_as_said(shown.suggestion) else _KEYS


def show(page: Page, view: View) -> None:
    """Print what is chosen, as far as it is known."""
    item, ready = view.item, view.ready
    if item is None:
        _show_nothing(page, view)
    elif ready and ready.error:
        page.line((item.words, HEAD), hang=0)
        page.line((f"error: {one_line(ready.error.message)}", BAD))
        page.line((one_line(ready.error.hint or ""), FAINT))
    elif ready and ready.shown and view.is_whole:
        ready.shown.show_whole(page)
    elif ready and ready.shown:
        show_pane(
            page,
            ready.shown,
            diff=ready.diff,
            is_new=item.is_new,
            conversation=view.talk,
            places=view.places,
            is_short=view.is_short,
        )
    elif item.suggestion:
        show_pane(page, Shown(suggestion=item.suggestion), is_new=item.is_new)
    else:
        page.line((item.words, HEAD), hang=0)
        for citation in item.citations[:1]:
            show_quote(page, citation, more=len(item.citations) - 1)


def _show_nothing(page: Page, view: View) -> None:
    """Say why nothing is shown, and what to do next."""
    if not view.is_open:
        return
    if view.has_rows:
        page.line("This suggestion was decided elsewhere. Use the arrow keys to choose another.")
    elif view.words:
        page.line(
            f"No pending suggestion matches “{one_line(view.words)}”. Press `/` to search again or escape to show all."
        )
    elif view.filter.name != ALL.name and any(not item.done for item in view.waiting.items):
        page.line(f"No suggestions left in “{one_line(view.filter.name)}”. Press escape to show all or `f` to filter.")
    else:
        page.line(CAUGHT_UP)
        if view.waiting.maybes:
            page.line(f"{len(view.waiting.maybes)} with low confidence. Press `f` to show them.")
        page.line("Press `u` to undo the last decision or `q` to quit.")


def filter_entries(view: View, progress: str) -> list[Entry]:
    """Return the progress, the filters that stand above the list, and the search."""
    entries = [Entry("", Text(progress, style=HEAD))] if progress else []
    entries += [
        Entry(
            f"filter {one.name}", Text(f"{one.name} {one.count:,}", style=_CHOSEN if _is_chosen(one.name, view) else "")
        )
        for one in view.waiting.filters()
        if one.name in {"all", "new", "maybe"} or _is_chosen(one.name, view)
    ]
    entries.append(Entry("f", Text("f: more filters", style=FAINT)))
    search = f"/ {one_line(view.words)}" if view.words else "/: search"
    return [*entries, Entry("/", Text(search, style=HEAD if view.words else FAINT))]


_CHOSEN = f"{HEAD} reverse"


def _is_chosen(name: str, view: View) -> bool:
    return name == view.filter.name
