"""The data of a full-screen review, and the one thread that asks the stores, as SQLite's connections want it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from typing import TypeVar

from memsuggest.core.context import Context
from memsuggest.core.database import store_errors
from memsuggest.core.errors import MemsuggestError, StoreError
from memsuggest.core.model import MemorySuggestion
from memsuggest.facts.stores import waiting_maybes
from memsuggest.suggestions.decision_reports import Shown
from memsuggest.suggestions.pending import load_all
from memsuggest.suggestions.review import to_review
from memsuggest.suggestions.review_report import hunks_of
from memsuggest.suggestions.review_steps import planned, planned_maybe
from memsuggest.suggestions.target_paths import current_text
from memsuggest.tui.review_list import Item, Waiting, waiting

T = TypeVar("T")


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
class Loaded:
    """The pending suggestions, and the mark by which others' changes are seen."""

    waiting: Waiting
    version: tuple[object, ...]
    last: int
    """The number of the last decision; 0 for none."""
    seen: frozenset[str]
    """Those shown at an earlier look."""
    wanted: Sequence[str] | None
    """The ids of those asked for; None for all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ready:
    """One suggestion as it would be written now, with the change of its file; or why it cannot be."""

    id: str
    shown: Shown | None = None
    diff: str = ""
    error: MemsuggestError | None = None


def ready_from(shown: Shown) -> Ready:
    return Ready(id=shown.suggestion.id, shown=shown, diff=hunks_of(shown.suggestion.edit))


def open_review(context: Context, words: Sequence[str]) -> Loaded:
    """Read what is pending for the first time; raises UnknownId for what is neither an id nor a file."""
    from memsuggest.suggestions.marker_files import note_seen
    from memsuggest.suggestions.review import seen_before

    found = to_review(context, words)
    note_seen(context, [suggestion.id for suggestion in found if suggestion.fact])
    wanted = tuple(suggestion.id for suggestion in found) if words else None
    return load(context, wanted, seen=seen_before(context))


def load(context: Context, wanted: Sequence[str] | None, *, seen: frozenset[str]) -> Loaded:
    """Read all that is pending, with what has low confidence; or those of certain ids that are pending still."""
    if wanted is None:
        found, maybes = to_review(context, ()), waiting_maybes(context)
    else:  # ids, since a file's name may mean others by now
        by_id = {suggestion.id: suggestion for suggestion in load_all(context)}
        found, maybes = [by_id[name] for name in wanted if name in by_id], []
    last = context.journal.last()
    return Loaded(
        waiting=waiting(found, maybes, seen=seen),
        version=version_of(context),
        last=last.number if last else 0,
        seen=seen,
        wanted=wanted,
    )


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


def has_changed(context: Context, version: tuple[object, ...], ready: Ready | None) -> tuple[bool, bool]:
    """Tell whether others changed what is pending, and whether the file on the screen is another one now."""
    is_other = is_file = False
    with suppress(StoreError):  # busy: the next look sees it
        is_other = version_of(context) != version
    if ready and ready.shown:
        edit = ready.shown.suggestion.edit
        try:
            is_file = current_text(context, edit.path) != edit.before
        except MemsuggestError:
            is_file = True
    return is_other, is_file


def in_other_words(context: Context, suggestion: MemorySuggestion, words: str) -> Ready:
    from memsuggest.suggestions.apply_and_undo import reworded
    from memsuggest.suggestions.dangerous_rules import with_danger

    try:
        changed = reworded(context, suggestion, words)
    except MemsuggestError as error:
        return Ready(id=suggestion.id, error=error)
    return ready_from(with_danger(Shown(suggestion=changed)))
