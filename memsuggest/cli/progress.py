"""A progress line on stderr for long work; nothing when piped, quiet or fast."""

from __future__ import annotations

import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Progress = Callable[[int, int, str], None]
"""Called with how many are done, how many there are, and the name of the next."""

BAR = 20
"""Columns of the bar."""
PATIENCE = 0.4
"""Seconds before the first line: most runs are over by then."""


@contextmanager
def shown_progress(*, quiet: bool) -> Iterator[Progress]:
    """Show what is being worked on, on one line that goes away at the end."""
    if quiet or not sys.stderr.isatty():
        yield lambda _done, _total, _name: None
        return
    started = time.monotonic()
    width = 0

    def show(done: int, total: int, name: str) -> None:
        nonlocal width
        if time.monotonic() - started < PATIENCE:
            return
        from memsuggest.render.safe import one_line

        filled = BAR * done // max(1, total)
        counted = f"reading {done + 1} of {total}"
        line = f"[{'#' * filled}{'.' * (BAR - filled)}] {counted}: "
        line += one_line(name, limit=max(10, shutil.get_terminal_size().columns - len(line) - 1))
        sys.stderr.write("\r" + line.ljust(width))
        sys.stderr.flush()
        width = len(line)

    try:
        yield show
    finally:
        if width:
            sys.stderr.write("\r" + " " * width + "\r")
            sys.stderr.flush()


SOON = 0.3
"""Seconds after which a step says what it does."""


@contextmanager
def working(what: str) -> Iterator[None]:
    """Say what a step does that takes its time, on a line that goes away when it is done."""
    if not sys.stderr.isatty():
        yield
        return
    line = f"{what} …"
    done, said = threading.Event(), threading.Event()

    def say() -> None:
        if not done.wait(SOON):
            said.set()
            sys.stderr.write(f"\r{line}")
            sys.stderr.flush()

    speaker = threading.Thread(target=say, daemon=True)
    speaker.start()
    try:
        yield
    finally:
        done.set()
        speaker.join()
        if said.is_set():
            sys.stderr.write(f"\r{' ' * len(line)}\r")
            sys.stderr.flush()
