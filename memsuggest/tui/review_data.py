"""The data of a full-screen review, and the one thread that asks the stores, as SQLite's connections want it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TypeVar

from memsuggest.core.context import Context
from memsuggest.core.database import store_errors
from memsuggest.core.errors import MemsuggestError, StoreError
from memsuggest.core.model import MemorySuggestion
from memsuggest.suggestions.decision_reports import Shown
from memsuggest.suggestions.review_steps import planned, planned_maybe
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
        """Wait for what is under way, do one last job, and let go of the stores."""

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
    """The waiting suggestions, and the mark by which others' changes are told."""

    waiting: Waiting
    version: tuple[object, ...] = ()
    last: int = 0
    """The number of the last decision; 0 for none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ready:
    """One suggestion as it would be written now, with the change of its file; or why it cannot be."""

    id: str
    shown: Shown | None = None
    diff: str = ""
    error: MemsuggestError | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """The beginning of a review."""

    loaded: Loaded
    seen: frozenset[str]
    """What was shown at an earlier look."""
    wanted: tuple[str, ...] | None
    """The ids of what was asked for; None for all."""


def open_review(context: Context, words: Sequence[str]) -> Opened:
    """Read what waits for the first time; raises UnknownId for what is neither an id nor a file."""
    from memsuggest.suggestions.marker_files import note_seen
    from memsuggest.suggestions.new_suggestions import seen_before
    from memsuggest.suggestions.review import to_review

    seen = seen_before(context)
    found = to_review(context, words)
    note_seen(context, [suggestion.id for suggestion in found if suggestion.fact])
    wanted = tuple(suggestion.id for suggestion in found) if words else None
    return Opened(loaded=_loaded(context, found, seen=seen, is_all=wanted is None), seen=seen, wanted=wanted)


def load(context: Context, wanted: Sequence[str] | None, *, seen: frozenset[str]) -> Loaded:
    """Read all that waits, or what was wanted of it, and what is kept aside."""
    from memsuggest.suggestions.review import to_review

    found = to_review(context, ()) if wanted is None else _wanted(context, wanted)
    return _loaded(context, found, seen=seen, is_all=wanted is None)


def _loaded(context: Context, found: Sequence[MemorySuggestion], *, seen: frozenset[str], is_all: bool) -> Loaded:
    from memsuggest.facts.stores import waiting_maybes

    maybes = waiting_maybes(context) if is_all else ()
    last = context.journal.last()
    return Loaded(
        waiting=waiting(found, maybes, seen=seen), version=version_of(context), last=last.number if last else 0
    )


def _wanted(context: Context, wanted: Sequence[str]) -> list[MemorySuggestion]:
    """Return those that were wanted at first and wait still: ids, since a file's name may mean others by now."""
    from memsuggest.suggestions.pending import load_all

    by_id = {suggestion.id: suggestion for suggestion in load_all(context)}
    return [by_id[name] for name in wanted if name in by_id]


def version_of(context: Context) -> tuple[object, ...]:
    """Return what is another one once any program has changed what waits, or what is remembered."""
    with store_errors(context.state):
        state = context.state.execute("PRAGMA data_version").fetchone()[0]
    shared: tuple[int, ...] = ()
    with suppress(OSError):
        found = context.facts_file.path.stat()
        shared = (found.st_mtime_ns, found.st_size, found.st_ino)
    return state, context.profile.version, shared


def make_ready(context: Context, item: Item) -> Ready:
    """Plan one for its file as it is now."""
    from memsuggest.suggestions.review_report import hunks_of
    from memsuggest.suggestions.unread_files import readers

    try:
        shown = (planned if item.suggestion else planned_maybe)(context, item.id)
        if shown is None:
            return Ready(id=item.id)
        shown = replace(shown, readers=readers(context, shown.suggestion.edit.path))
        return Ready(id=item.id, shown=shown, diff=hunks_of(shown.suggestion.edit))
    except MemsuggestError as error:  # its file cannot be read now, or no file takes it
        return Ready(id=item.id, error=error)


def is_as_it_was(context: Context, ready: Ready) -> bool:
    """Tell whether the file of a suggestion is the one that its change was made for."""
    from memsuggest.suggestions.target_paths import current_text

    if ready.shown is None:
        return True
    edit = ready.shown.suggestion.edit
    try:
        return current_text(context, edit.path) == edit.before
    except MemsuggestError:
        return False


def has_changed(context: Context, version: tuple[object, ...], ready: Ready | None) -> tuple[bool, bool]:
    """Tell whether others changed what waits, and whether the file on the screen is another one now."""
    try:
        is_other = version_of(context) != version
    except StoreError:  # busy: the next look sees it
        is_other = False
    return is_other, ready is not None and not is_as_it_was(context, ready)


def in_other_words(context: Context, suggestion: MemorySuggestion, words: str) -> Ready:
    """Return a suggestion in the words of the person, as it would be written."""
    from memsuggest.suggestions.apply_and_undo import reworded
    from memsuggest.suggestions.dangerous_rules import with_danger
    from memsuggest.suggestions.review_report import hunks_of

    try:
        changed = reworded(context, suggestion, words)
    except MemsuggestError as error:
        return Ready(id=suggestion.id, error=error)
    return Ready(id=suggestion.id, shown=with_danger(Shown(suggestion=changed)), diff=hunks_of(changed.edit))
