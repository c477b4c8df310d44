"""A review on the whole screen, from its opening to its end: what is chosen is made ready while it is read."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TypeVar

from textual.worker import Worker

from memsuggest.core.context import Context
from memsuggest.core.errors import MemsuggestError
from memsuggest.core.model import MemorySuggestion
from memsuggest.suggestions.decision_reports import PlaceChoice, Shown
from memsuggest.suggestions.review_loop import Prepared
from memsuggest.suggestions.review_report import Conversation, show_pane
from memsuggest.tui import drawing
from memsuggest.tui import review_data as stores
from memsuggest.tui.review_app import ReviewApp, show_answers
from memsuggest.tui.review_data import Ready, StoreThread, in_background
from memsuggest.tui.review_list import ALL, APPLIED, Filter, Item, Waiting, kept_in_place

T = TypeVar("T")

LOOK = 2.0
"""Seconds after which it is looked whether others decided."""
_COMPARED = 100
"""Rules that are compared with all others in a step, which takes about a tenth of a second among thousands."""
_REST = 0.05
"""Seconds between two such steps, for the keys."""
_NUMBERED = 2
"""Other places that have a number; the place that is suggested is the first."""
_SHORT = 30
"""Rows below which the chat stands in the place of the quote alone."""
_PAUSE = 0.15
"""Seconds that a suggestion is looked at before its chat is opened."""


class FullReview:
    """One review: what waits, what is chosen, what was decided."""

    def __init__(self, app: ReviewApp, store: StoreThread, prepared: Prepared, words: Sequence[str]) -> None:
        self.app, self.store, self.prepared = app, store, prepared
        self._words_given = words
        self.wanted: Sequence[str] | None = None
        self.seen: frozenset[str] = frozenset()
        self.met: set[str] = set()
        self.waiting = Waiting()
        self.version: tuple[object, ...] = ()
        self.turn = asyncio.Lock()
        """Held while a key does what it does: nobody else brings the list up to date meanwhile."""
        self.first_decision = 0
        """The number of the last decision before this review."""
        self.filter, self.words = ALL, ""
        self.ready: Ready | None = None
        self.is_whole = False
        self.is_open = False
        """What waits was read."""
        self.failure: MemsuggestError | None = None
        """Why nothing could be shown at all."""
        self._making: Worker[None] | None = None
        self._reading: Worker[None] | None = None
        self._conversations: dict[str, Conversation] = {}
        self._is_decided_elsewhere = False
        self.gone_at = 0
        """Where the one stood that was decided elsewhere while it was read."""
        self.done: dict[str, str] = {}
        """By id, what became of what was decided here."""
        self.places: dict[str, list[PlaceChoice]] = {}
        """By id, the next best places, once they are known."""
        self._drawn = ""
        app.detail.redraw, app.draw_keys = self.draw, self._draw_keys

    async def do(self, what: str, job: Callable[[Context], T]) -> T:
        """Do something with the stores, and say so where it takes its time."""
        with self.app.working(what):
            return await self.store.do(job)

    async def open(self, *, is_maybe: bool) -> None:
        """Read what waits for the first time."""
        opened = await self.do("loading suggestions", partial(stores.open_review, words=self._words_given))
        self.seen, self.wanted, self.first_decision = opened.seen, opened.wanted, opened.loaded.last
        if is_maybe:
            self.filter = Filter(name="maybe", is_maybe=True)
        self._take(opened.loaded)

    # --- what waits ----------------------------------------------------------------------------------------------

    async def load(self, *, go_to: Sequence[str] = ()) -> None:
        """Read what waits, and stay where one was: at the same one, the next one, or the first of some."""
        loaded = await self.do("loading suggestions", partial(stores.load, wanted=self.wanted, seen=self.seen))
        self._take(loaded, go_to=go_to)

    def _take(self, loaded: stores.Loaded, *, go_to: Sequence[str] = ()) -> None:
        pending = {item.id for item in loaded.waiting.items}
        self.done = {name: what for name, what in self.done.items() if name not in pending}
        self.waiting, self.version = kept_in_place(self.waiting, loaded.waiting, self.done), loaded.version
        self.ready, self.is_open = None, True
        self.show_rows(go_to=go_to)

    def show_rows(self, *, go_to: Sequence[str] = ()) -> None:
        """Show the rows of the filter and of the search, and choose one."""
        self.filter = next((one for one in self.waiting.filters() if one.name == self.filter.name), self._emptied())
        before, at = self.app.list.rows, self.app.list.chosen
        names = [
            *go_to,
            *(row.id for row in [*before[max(0, at) :], *before[: max(0, at)][::-1]] if isinstance(row, Item)),
        ]
        rows = self.waiting.rows(self.filter, self.words)
        self.app.list.show(rows)
        place = next((found for name in names if (found := self.app.list.place_of(name)) >= 0), 0)
        self.choose(place)

    def mark(self, ids: Iterable[str], what: str) -> None:
        """Remember what became of some: they stay where they stood."""
        self.done |= dict.fromkeys(ids, what)

    @property
    def progress(self) -> str:
        """The place of the chosen one among all, and how many were applied."""
        items = [row for row in self.app.list.rows if isinstance(row, Item)]
        at = next((number for number, one in enumerate(items, 1) if self.item and one.id == self.item.id), 0)
        applied = sum(what == APPLIED for what in self.done.values())
        return f"{at} of {len(items)} · {applied} applied" if items else ""

    async def compare_ahead(self) -> None:
        """Compare the rules with one another in small steps, so that the first decision does not wait for all of it."""
        from memsuggest.suggestions.suggesting import compare_ahead

        count = 0
        while not await self.store.do(partial(compare_ahead, count=(count := count + _COMPARED))):
            await asyncio.sleep(_REST)

    def choose_filter(self, name: str) -> None:
        """Show the part of the list that has a name."""
        self.filter = next((one for one in self.waiting.filters() if one.name == name), ALL)
        self.show_rows()

    def _emptied(self) -> Filter:
        return Filter(name=self.filter.name, is_maybe=self.filter.is_maybe, takes=self.filter.takes)

    @property
    def item(self) -> Item | None:
        """The chosen item."""
        return self.app.list.item

    def choose(self, at: int) -> None:
        """Choose a row: show what is known of it at once, and make the rest ready."""
        self._is_decided_elsewhere = False
        self.app.list.choose(at)
        self.app.bar.show(drawing.filter_entries(self._view(), self.progress))
        item = self.item
        if item and (self.ready is None or self.ready.id != item.id):
            self.ready = None
            if self._making is None or self._making.is_finished:
                self._making = self.app.begin(self._make_ready)
        self.draw()

    async def _make_ready(self) -> None:
        """Plan what is chosen, until what was planned is what is chosen."""
        while (item := self.item) and self.ready is None:
            made = await self.do("preparing the suggestion", partial(stores.make_ready, item=item))
            self.prepared.begin()
            if self.item is item:
                self.ready = made
                self.met.add(item.id)
                self.draw()
                self._read_conversation()
                self._look_for_places(item)

    async def shown(self) -> Shown:
        """Return what is chosen as it would be written; raises MemsuggestError where it cannot be."""
        if self._is_decided_elsewhere or self.item is None:
            raise MemsuggestError(
                "nothing is selected", hint="use the arrow keys to select, `f` to filter, `q` to quit"
            )
        while self.ready is None and self._making:
            await self._making.wait()
        if self.ready is None or (self.ready.shown is None and self.ready.error is None):
            await self.load()
            raise MemsuggestError("this suggestion is no longer pending", hint="the next one is shown")
        if self.ready.shown is None:
            raise self.ready.error or MemsuggestError("the suggestion cannot be read")
        return self.ready.shown

    def _look_for_places(self, item: Item) -> None:
        """Find the next best places for a suggestion, which `2` and `3` choose."""
        if item.suggestion and item.suggestion.fact and item.id not in self.places:
            self.app.begin(partial(self._find_places, item.id, item.suggestion))

    async def _find_places(self, name: str, suggestion: MemorySuggestion) -> None:
        from memsuggest.suggestions.move import other_places

        await asyncio.sleep(_PAUSE)
        try:
            index = await in_background(self.prepared.ranked)
        except MemsuggestError:  # `m` tells it
            return
        if self.item and self.item.id == name:
            self.places[name] = await self.store.do(lambda _context: other_places(suggestion, index))
            self.draw()

    # --- what others do meanwhile --------------------------------------------------------------------------------

    async def look(self) -> None:
        """Look whether others changed what waits or the file on the screen; the place stays."""
        if self.turn.locked():
            return
        async with self.turn:
            await self._look()

    async def _look(self) -> None:
        item, ready = self.item, self.ready
        is_other, is_file = await self.store.do(partial(stores.has_changed, version=self.version, ready=ready))
        if not (is_other or is_file):
            return
        await self.load()
        now = self.item
        if item and (now is None or now.id != item.id):
            # A key that was meant for what was on the screen must not decide about another one.
            self._is_decided_elsewhere = True
            self.gone_at = self.app.list.chosen
            self.app.list.show(self.app.list.rows)
            self.app.note(f"decided elsewhere: {item.words}")
            self.draw()
        elif is_file:
            self.app.note("the file has changed; the diff now matches the new version")

    # --- what is on the screen -----------------------------------------------------------------------------------

    def draw(self) -> None:
        """Draw what is chosen, as far as it is known."""
        width = max(20, self.app.detail.room)
        name = self.item.id if self.item else ""
        is_same, self._drawn = self._drawn == name, name
        self.app.detail.show(self.app.rows_of(partial(drawing.show, view=self._view()), width), is_same=is_same)
        if not self.turn.locked():  # else something is asked, perhaps
            self._draw_keys()

    def show_instead(self, made: Ready) -> None:
        """Show a suggestion in other words in the place of the chosen one, until that is drawn again."""
        if made.shown:
            shown, diff = made.shown, made.diff
            width = max(20, self.app.detail.room)
            rows = self.app.rows_of(lambda page: show_pane(page, shown, diff=diff), width)
            self.app.detail.show(rows, is_same=True)
            added = next((at for at, row in enumerate(rows) if row.plain.startswith("+")), 0)
            self.app.detail.show_row(added)

    def _draw_keys(self) -> None:
        show_answers(self.app, "", drawing.keys(self.ready, is_whole=self.is_whole and self.item is not None))

    def _view(self) -> drawing.View:
        shown = self.ready.shown if self.ready else None
        return drawing.View(
            waiting=self.waiting,
            filter=self.filter,
            words=self.words,
            item=self.item,
            ready=self.ready,
            talk=self._conversations.get(_key(shown)) if shown else None,
            is_whole=self.is_whole,
            is_open=self.is_open,
            has_rows=self.app.list.nearest(0) >= 0,
            places=tuple(self.places.get(self.item.id, ())[:_NUMBERED]) if self.item else (),
            is_short=self.app.size.height < _SHORT,
        )

    # --- the chat around the quote -------------------------------------------------------------------------------

    def _read_conversation(self) -> None:
        if self._reading and not self._reading.is_finished:
            self._reading.cancel()
        shown = self.ready.shown if self.ready else None
        if shown and shown.suggestion.citations and _key(shown) not in self._conversations:
            self._reading = self.app.begin(partial(self._read, shown))

    async def _read(self, shown: Shown) -> None:
        from memsuggest.suggestions.conversation import places_of, read_conversation

        await asyncio.sleep(_PAUSE)
        citation = shown.suggestion.citations[0]
        places = await self.store.do(partial(places_of, citation=citation))
        self._conversations[_key(shown)] = await in_background(partial(read_conversation, places, citation))
        if self.ready and self.ready.shown is shown:
            self.draw()


def _key(shown: Shown) -> str:
    return shown.suggestion.citations[0].evidence_key if shown.suggestion.citations else ""
