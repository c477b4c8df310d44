"""Small marks beside the state database: a badge that any prompt can read, who watches, who is reviewing."""

from __future__ import annotations

import os
import sqlite3
from contextlib import ExitStack, closing, contextmanager, suppress
from typing import TYPE_CHECKING, NamedTuple

from memsuggest.core.config import Mode
from memsuggest.core.database import open_to_read, store_errors
from memsuggest.suggestions.status_report import Status, badge_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from memsuggest.core.context import Context
    from memsuggest.files.lock import Owner


def mark_path(context: Context, name: str) -> Path:
    """Return where a mark of this working tree lies."""
    return context.state_path.with_name(f"{name}-{context.place.worktree_key[:16]}")


def keep_badge(context: Context, pending: int) -> None:
    """Write how many suggestions wait, as `status --short` prints it, where that is not written yet.

    In place and without waiting for the disk: it is only a copy, and never longer than a few characters.
    """
    path, text = badge_path(context), badge_of(pending) + "\n"
    with suppress(OSError, UnicodeDecodeError):
        if path.read_text(encoding="utf-8") == text:
            return
    with suppress(OSError):
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
        try:
            os.write(descriptor, text.encode())
            os.ftruncate(descriptor, len(text))
        finally:
            os.close(descriptor)


def badge_path(context: Context) -> Path:
    """Return the file that holds the badge, for prompts that should not start a program; it may not be there yet."""
    return mark_path(context, "badge")


def clear_badge(context: Context) -> None:
    """Say that nothing waits, where a badge said something: the mode is `off` now."""
    if badge_path(context).exists():
        keep_badge(context, 0)


def note_seen(context: Context, suggestions: Iterable[str]) -> None:
    """Remember that the person saw suggestions, by id: no notice tells of them any more."""
    from memsuggest.suggestions.pending_suggestions import note_told

    if not context.is_dry:
        note_told(context.state, context.place.worktree_key, suggestions, now=context.now())


def note_ended(context: Context, session: str) -> None:
    """Remember a session that its assistant says is over, by the assistant's own id."""
    path = mark_path(context, "over")
    with suppress(OSError):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8") as file:
            file.write(session.replace("\n", " ")[:200] + "\n")


def take_ended(context: Context) -> frozenset[str]:
    """Return the sessions that are over, and forget them: whoever takes them archives them."""
    path = mark_path(context, "over")
    with suppress(OSError, UnicodeDecodeError):
        found = path.read_text(encoding="utf-8")
        path.unlink()
        return frozenset(found.split("\n")) - {""}
    return frozenset()


def watcher_of(context: Context) -> Owner | None:
    """Return who watches this working tree now; None when nobody does. Cheap where nobody ever did."""
    path = mark_path(context, "watch")
    try:
        if not path.stat().st_size:  # whoever ends well takes its name out
            return None
    except OSError:
        return None
    from memsuggest.files.lock import is_locked, owner_of

    return owner_of(path) if is_locked(path) else None


@contextmanager
def reviewing(context: Context) -> Iterator[None]:
    """Let nobody give notices meanwhile: the person is looking at what is pending."""
    from memsuggest.core.errors import FileError
    from memsuggest.files import lock

    with ExitStack() as stack:
        if not context.is_dry:
            with suppress(FileError):  # in another terminal, too
                stack.enter_context(lock(mark_path(context, "review"), wait_seconds=0))
        yield


def is_reviewing(context: Context) -> bool:
    """Tell whether the person is looking at what is pending."""
    path = mark_path(context, "review")
    if not os.path.lexists(path):
        return False
    from memsuggest.files.lock import is_locked

    return is_locked(path)


class Counts(NamedTuple):
    """The counts of `status`: cheap to read."""

    pending: int = 0
    last_run: int | None = None
    """Milliseconds since the epoch; None before the first run."""


def tally(connection: sqlite3.Connection, worktree: str) -> Counts:
    """Count what is pending.

    Nothing is in a database that is just being made: it has its first page and no tables; damaged bytes have no page.
    """
    made = "SELECT COUNT(*) FROM sqlite_master WHERE name IN ('pending', 'runs')"
    if connection.execute(made).fetchone()[0] != 2 and connection.execute("PRAGMA page_count").fetchone()[0] >= 1:
        return Counts()
    pending = connection.execute("SELECT COUNT(*) FROM pending WHERE worktree = ?", (worktree,)).fetchone()[0]
    run = connection.execute("SELECT at FROM runs WHERE worktree = ?", (worktree,)).fetchone()
    return Counts(pending, run[0] if run else None)


def read_status(context: Context) -> Status:
    """Return mode, last run and how many suggestions are pending; nothing is written, nothing created."""
    mode, counts = context.settings.mode, Counts()
    if mode is Mode.OFF:
        return Status(mode=mode, last_run=None, pending=0)
    connection = open_to_read(context.state_path)
    if connection is not None:
        with closing(connection), store_errors(context.state_path):
            if context.state_path.stat().st_size:  # else it is just being made
                counts = tally(connection, context.place.worktree_key)
    owner = watcher_of(context)
    watcher = f"process {owner.pid}" if owner else None
    return Status(mode=mode, last_run=counts.last_run, pending=counts.pending, watcher=watcher)
