"""A review on the whole screen: its state, the one thread that asks the stores, and what is drawn."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

from rich.text import Text
from textual.app import SuspendNotSupported
from textual.worker import Worker

from memsuggest.core.context import Context
from memsuggest.core.database import store_errors
from memsuggest.core.errors import MemsuggestError, StoreError
from memsuggest.core.model import MemorySuggestion
from memsuggest.core.render.page import BAD, FAINT, HEAD, Page, count
from memsuggest.core.render.safe_output import one_line
from memsuggest.facts.stores import waiting_maybes
from memsuggest.suggestions.apply_and_undo import reworded
from memsuggest.suggestions.dangerous_rules import with_danger
from memsuggest.suggestions.decision_dialogs import Prepared, text_of_editor
from memsuggest.suggestions.decision_reports import PlaceChoice, Shown
from memsuggest.suggestions.list_and_show import (
    is_as_said,
    planned,
    planned_maybe,
    seen_before,
    to_review,
    why_own,
)
from memsuggest.suggestions.marker_files import note_seen
from memsuggest.suggestions.move import other_places
from memsuggest.suggestions.pending import load_all
from memsuggest.suggestions.review_report import (
    Conversation,
    hunks_of,
    places_of,
    read_conversation,
    show_pane,
    show_quote,
)
from memsuggest.suggestions.status_report import CAUGHT_UP
from memsuggest.suggestions.target_paths import current_text
from memsuggest.tui.review_app import ReviewApp
from memsuggest.tui.review_list import ALL, APPLIED, DISMISSED, Filter, Item, Waiting, kept_in_place, waiting
from memsuggest.tui.widgets import Entry

T = TypeVar("T")

LOOK = 2.0  # seconds after which it is looked whether others decided
_NUMBERED = 2  # other places that have a number; the place that is suggested is the first
_SHORT = 30  # rows below which the chat stands in the place of the quote alone
_PAUSE = 0.15  # seconds that a suggestion is looked at before its chat is opened
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
_AS_SAID = {"e": "edit", **_KEYS}  # a sentence out of a chat is seldom a rule as it stands
_WHOLE = {"escape": "back", **{key: what for key, what in _KEYS.items() if key not in {"q", "w"}}}


class StoreThread:
    """Does one job after the other, while the screen goes on answering."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="stores")

    async def do(self, job: Callable[[Context], T]) -> T:
        return await asyncio.wrap_future(self._pool.submit(job, self._context))

    def finish(self, last: Callable[[Context], T]) -> T:
        def close(context: Context) -> T:
            try:
                return last(context)
            finally:
                context.close()

        with self._pool:
            return self._pool.submit(close, self._context).result()


async def in_background(job: Callable[[], T]) -> T:
    """Do a job that needs no store and may take long, as reading a chat does; the end of the program ends it."""
    done: Future[T] = Future()
    done.set_running_or_notify_cancel()  # from here on nobody takes it back: whoever stops waiting lets it end

    def run() -> None:
        try:
            done.set_result(job())
        except BaseException as error:  # noqa: BLE001  (whoever waits for it gets it)
            done.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    return await asyncio.wrap_future(done)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ready:
    """One suggestion as it would be written now, with the change of its file; or why it cannot be."""

    id: str
    shown: Shown | None = None
    diff: str = ""
    error: MemsuggestError | None = None


def load(context: Context, wanted: Sequence[str] | None, *, seen: frozenset[str]) -> tuple[Waiting, tuple[object, ...]]:
    """Read all that is pending, with what has low confidence, or those of certain ids that are pending still.

    With the mark by which others' changes are seen.
    """
    if wanted is None:
        found, maybes = to_review(context, ()), waiting_maybes(context)
    else:  # ids, since a file's name may mean others by now
        by_id = {suggestion.id: suggestion for suggestion in load_all(context)}
        found, maybes = [by_id[name] for name in wanted if name in by_id], []
    return waiting(found, maybes, seen=seen), version_of(context)


def version_of(context: Context) -> tuple[object, ...]:
    """Return what is another one once any program has changed what is pending, or what is remembered."""
    with store_errors(context.state):
        state = context.state.execute("PRAGMA data_version").fetchone()[0]
    shared: tuple[int, ...] = ()
    with suppress(OSError):
        found = context.facts_file.path.stat()
        shared = (found.st_mtime_ns, found.st_size, found.st_ino)
    return state, context.profile.version, shared


def make_ready(context: Context, item: Item) -> Ready:
    try:
        shown = (planned if item.suggestion else planned_maybe)(context, item.id)
    except MemsuggestError as error:  # its file cannot be read now, or no file takes it
        return Ready(id=item.id, error=error)
    return ready_from(shown) if shown else Ready(id=item.id)


def ready_from(shown: Shown) -> Ready:
    return Ready(id=shown.suggestion.id, shown=shown, diff=hunks_of(shown.suggestion.edit))


def in_other_words(context: Context, suggestion: MemorySuggestion, words: str) -> Ready:
    try:
        changed = reworded(context, suggestion, words)
    except MemsuggestError as error:
        return Ready(id=suggestion.id, error=error)
    return ready_from(with_danger(Shown(suggestion=changed)))


class FullReview:
    """One review: the pending suggestions, the chosen one, and what was decided."""

    def __init__(self, app: ReviewApp, store: StoreThread, prepared: Prepared, words: Sequence[str]) -> None:
        self.app, self.store, self.prepared = app, store, prepared
        self.ask, self.ask_line = app.ask, app.ask_line
        self._words_given = words
        self.wanted: Sequence[str] | None = None
        self.seen: frozenset[str] = frozenset()
        self.met: set[str] = set()
        self.waiting = Waiting()
        self.version: tuple[object, ...] = ()
        self.turn = asyncio.Lock()
        """Taken while a key does what it does: nobody else brings the list up to date meanwhile."""
        self.first_decision = 0
        """The number of the last decision before this review."""
        self.filter, self.words = ALL, ""
        self.ready: Ready | None = None
        self.is_whole = False
        """All evidence and the whole change are wanted."""
        self.is_open = False
        """The pending suggestions were read."""
        self.failure: MemsuggestError | None = None
        """Why nothing could be shown at all."""
        self._making: Worker[None] | None = None
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
        """Read what is pending for the first time; raises UnknownId for what is neither an id nor a file."""

        def first(context: Context) -> tuple[Waiting, tuple[object, ...]]:
            found, words = to_review(context, self._words_given), self._words_given
            note_seen(context, [suggestion.id for suggestion in found if suggestion.fact])
            self.wanted = tuple(suggestion.id for suggestion in found) if words else None
            self.seen, last = seen_before(context), context.journal.last()
            self.first_decision = last.number if last else 0
            return load(context, self.wanted, seen=self.seen)

        opened = await self.do("loading suggestions", first)
        if is_maybe:
            self.filter = Filter(name="maybe", is_maybe=True)
        self._take(*opened)

    # --- the list ------------------------------------------------------------------------------------------------

    async def load(self, *, go_to: Sequence[str] = ()) -> None:
        """Read what is pending, and stay where one was: at the same one, the next one, or the first of some."""
        job = partial(load, wanted=self.wanted, seen=self.seen)
        self._take(*await self.do("loading suggestions", job), go_to=go_to)

    def _take(self, found: Waiting, version: tuple[object, ...], *, go_to: Sequence[str] = ()) -> None:
        pending = {item.id for item in found.items}
        self.done = {name: what for name, what in self.done.items() if name not in pending}
        self.waiting, self.version = kept_in_place(self.waiting, found, self.done), version
        self.ready, self.is_open = None, True
        self.show_rows(go_to=go_to)

    def show_rows(self, *, go_to: Sequence[str] = ()) -> None:
        emptied = replace(self.filter, count=0)
        self.filter = next((part for part in self.waiting.filters() if part.name == self.filter.name), emptied)
        before, at = self.app.list.rows, max(0, self.app.list.chosen)
        near = [row.id for row in [*before[at:], *before[:at][::-1]] if isinstance(row, Item)]
        self.app.list.show(self.waiting.rows(self.filter, self.words))
        places = map(self.app.list.place_of, [*go_to, *near])
        self.choose(next((place for place in places if place >= 0), 0))

    @property
    def item(self) -> Item | None:
        return self.app.list.item

    def choose(self, at: int) -> None:
        """Choose a row: show what is known of it at once, and make the rest ready."""
        self._is_decided_elsewhere = False
        self.app.list.choose(at)
        self.app.bar.show(self._bar_entries())
        item = self.item
        if item and (self.ready is None or self.ready.id != item.id):
            self.ready = None
            if self._making is None or self._making.is_finished:
                self._making = self.app.begin(self._make_ready)
        self.draw()

    async def _make_ready(self) -> None:
        while (item := self.item) and self.ready is None:
            made = await self.do("preparing the suggestion", partial(make_ready, item=item))
            self.prepared.begin()
            if self.item is not item:
                continue
            self.ready = made
            self.met.add(item.id)
            self.draw()
            shown = made.shown
            if shown and shown.suggestion.citations and _key(shown) not in self._conversations:
                self.app.begin(partial(self._read, shown), only="chat")
            if item.suggestion and item.suggestion.fact and item.id not in self.places:
                self.app.begin(partial(self._find_places, item.id, item.suggestion))

    async def _find_places(self, name: str, suggestion: MemorySuggestion) -> None:
        await asyncio.sleep(_PAUSE)
        try:
            index = await in_background(self.prepared.ranked)
        except MemsuggestError:  # `m` says so
            return
        if self.item and self.item.id == name:
            self.places[name] = await self.store.do(lambda _context: other_places(suggestion, index))
            self.draw()

    async def look(self) -> None:
        """Look whether others changed what is pending or the file on the screen; the place stays."""
        if self.turn.locked():
            return
        shown = self.ready.shown if self.ready else None

        def changes(context: Context) -> tuple[bool, bool]:
            is_other = is_file = False
            with suppress(StoreError):  # busy: the next look sees it
                is_other = version_of(context) != self.version
            if shown:
                edit = shown.suggestion.edit
                try:
                    is_file = current_text(context, edit.path) != edit.before
                except MemsuggestError:
                    is_file = True
            return is_other, is_file

        async with self.turn:
            item = self.item
            is_other, is_file = await self.store.do(changes)
            if not (is_other or is_file):
                return
            await self.load()
            if item and (self.item is None or self.item.id != item.id):
                # A key that was meant for what was on the screen must not decide about another one.
                self._is_decided_elsewhere = True
                self.gone_at = self.app.list.chosen
                self.app.list.show(self.app.list.rows)
                self.app.note(f"no longer pending: {item.words}")
                self.draw()
            elif is_file:
                self.app.note("the file has changed; the diff is now against its current contents")

    async def _read(self, shown: Shown) -> None:
        await asyncio.sleep(_PAUSE)
        citation = shown.suggestion.citations[0]
        places = await self.store.do(partial(places_of, citation=citation))
        self._conversations[_key(shown)] = await in_background(partial(read_conversation, places, citation))
        if self.ready and self.ready.shown is shown:
            self.draw()

    # --- what a key needs: see `Front` ----------------------------------------------------------------------------

    async def shown(self) -> Shown:
        """Return what is chosen as it would be written; raises MemsuggestError where it cannot be."""
        if self._is_decided_elsewhere or self.item is None:
            raise MemsuggestError(
                "nothing is selected", hint="use the arrow keys to select, `f` to filter, `q` to quit"
            )
        while self.ready is None and self._making:
            await self._making.wait()
        if self.ready and self.ready.shown:
            return self.ready.shown
        if self.ready and self.ready.error:
            raise self.ready.error
        await self.load()
        raise MemsuggestError("this suggestion is no longer pending", hint="the next suggestion is shown instead")

    @property
    def put_off(self) -> Collection[str]:
        return self.app.list.put_off

    async def confirms(self, shown: Shown) -> bool:
        if self.ready is None or self.ready.shown is not shown:  # what is agreed to stands on the screen
            await self.show_edited(shown)
        question = f"{why_own(shown)}; type `yes` to write the file" + (
            "" if shown.suggestion.executable else " anyway"
        )
        answer = await self.ask_line("", draw=lambda page: page.line((question, "bold")))
        return (answer or "").strip().lower() == "yes"

    async def edited_outside(self, suggestion: MemorySuggestion) -> str | None:
        try:
            with self.app.suspend():
                return text_of_editor(suggestion, patch=False)
        except SuspendNotSupported:
            raise MemsuggestError("cannot open an editor in this terminal", hint="press `e` to edit here") from None

    async def show_edited(self, shown: Shown) -> None:
        self.show_instead(await self.store.do(lambda _context: ready_from(shown)))

    def note(self, note: str) -> None:
        self.draw()
        self.app.note(note)

    def go_on(self, *notes: str) -> None:
        self.choose(self.app.list.further(1) if self.item else self.app.list.nearest(self.gone_at))
        self.app.note(*notes)

    async def settle(self, ids: Collection[str], *notes: str, is_applied: bool = False) -> None:
        self.done |= dict.fromkeys(ids, APPLIED if is_applied else DISMISSED)
        await self.load()
        self.app.note(*notes)

    async def stay(self, note: str, ids: Sequence[str], *, is_back: bool = False) -> None:
        """Go to one of them; to what is back, also where the filter would hide it."""
        for name in ids:
            self.places.pop(name, None)
        await self.load(go_to=ids)
        if is_back and ids and (self.item is None or self.item.id not in ids):
            self.filter, self.words = ALL, ""
            self.show_rows(go_to=ids)
        self.app.note(note)

    # --- the screen ----------------------------------------------------------------------------------------------

    def draw(self) -> None:
        name = self.item.id if self.item else ""
        is_same, self._drawn = self._drawn == name, name
        self.app.detail.show(self.app.rows_of(self._show, max(20, self.app.detail.room)), is_same=is_same)
        if not self.turn.locked():  # else something is asked, perhaps
            self._draw_keys()

    def show_instead(self, made: Ready) -> None:
        """Show a suggestion in other words in the place of the chosen one, until that is drawn again."""
        if made.shown:
            draw = partial(show_pane, shown=made.shown, diff=made.diff)
            rows = self.app.rows_of(draw, max(20, self.app.detail.room))
            self.app.detail.show(rows, is_same=True)
            self.app.detail.show_row(next((at for at, row in enumerate(rows) if row.plain.startswith("+")), 0))

    def _draw_keys(self) -> None:
        shown = self.ready.shown if self.ready else None
        keys = _AS_SAID if shown and is_as_said(shown.suggestion) else _KEYS
        self.app.show_answers("", _WHOLE if self.is_whole and self.item is not None else keys)

    def _show(self, page: Page) -> None:
        item, ready = self.item, self.ready
        if item is None:
            self._show_nothing(page)
        elif ready and ready.error:
            page.line((item.words, HEAD), hang=0)
            page.line((f"error: {one_line(ready.error.message)}", BAD))
            page.line((one_line(ready.error.hint or ""), FAINT))
        elif ready and ready.shown and self.is_whole:
            ready.shown.show_whole(page)
        elif ready and ready.shown:
            show_pane(
                page,
                ready.shown,
                diff=ready.diff,
                is_new=item.is_new,
                conversation=self._conversations.get(_key(ready.shown)),
                places=self.places.get(item.id, ())[:_NUMBERED],
                is_short=self.app.size.height < _SHORT,
            )
        elif item.suggestion:
            show_pane(page, Shown(suggestion=item.suggestion), is_new=item.is_new)
        else:
            page.line((item.words, HEAD), hang=0)
            for citation in item.citations[:1]:
                show_quote(page, citation, more=len(item.citations) - 1)

    def _show_nothing(self, page: Page) -> None:
        if not self.is_open:
            return
        name, words = one_line(self.filter.name), one_line(self.words)
        if self.app.list.nearest(0) >= 0:
            page.line("This suggestion is no longer pending. Use the arrow keys to choose another.")
        elif words:
            page.line(f"No pending suggestion matches “{words}”. Press `/` to search again or escape to show all.")
        elif self.filter.name != ALL.name and any(not item.done for item in self.waiting.items):
            page.line(f"No suggestions left in “{name}”. Press escape to show all or `f` to filter.")
        else:
            page.line(CAUGHT_UP)
            if self.waiting.maybes:
                page.line(
                    f"{count(len(self.waiting.maybes), 'suggestion', 'suggestions')} with low confidence: press "
                    "`f` to view."
                )
            page.line("Press `u` to undo the last decision or `q` to quit.")

    def _bar_entries(self) -> list[Entry]:
        """Return the progress, the filters that stand above the list, and the search."""
        items = [row for row in self.app.list.rows if isinstance(row, Item)]
        at = next((number for number, item in enumerate(items, 1) if item is self.item), 0)
        applied = sum(what == APPLIED for what in self.done.values())
        entries = [Entry("", Text(f"{at} of {len(items)} · {applied} applied", style=HEAD))] if items else []
        for part in self.waiting.filters():
            style = f"{HEAD} reverse" if part.name == self.filter.name else ""
            if style or part.name in {"all", "new", "maybe"}:
                entries.append(Entry(f"filter {part.name}", Text(f"{part.name} {part.count:,}", style=style)))
        entries.append(Entry("f", Text("f: more filters", style=FAINT)))
        search = f"/ {one_line(self.words)}" if self.words else "/: search"
        return [*entries, Entry("/", Text(search, style=HEAD if self.words else FAINT))]


def _key(shown: Shown) -> str:
    return shown.suggestion.citations[0].evidence_key if shown.suggestion.citations else ""
