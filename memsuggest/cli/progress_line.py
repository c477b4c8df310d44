"""A progress line on stderr for long work; nothing when piped, quiet or fast."""

from __future__ import annotations

import shutil
import sys
import textwrap
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

BAR = 20
"""Columns of the bar."""
PATIENCE = 0.4
"""Seconds before the first line: most runs are over by then."""
FIRST = 3.0
"""Seconds after which a person is shown what was found so far."""
NAMED = 5
"""Rules that are shown then."""


class Progress:
    """A line that says how far long work is and goes away at the end; above it, once, what was found so far."""

    def __init__(self, *, is_shown: bool) -> None:
        self._is_shown = is_shown
        self._started = time.monotonic()
        self._width = 0
        self._has_told = False

    def __call__(self, done: int, total: int, name: str) -> None:
        """Say how many are done, how many there are, and the name of the next."""
        if not self._is_shown or time.monotonic() - self._started < PATIENCE:
            return
        from memsuggest.render.safe_output import one_line

        filled = BAR * done // max(1, total)
        counted = f"reading {done + 1} of {total}"
        line = f"[{'#' * filled}{'.' * (BAR - filled)}] {counted}: "
        line += one_line(name, limit=max(10, shutil.get_terminal_size().columns - len(line) - 1))
        sys.stderr.write("\r" + line.ljust(self._width))
        sys.stderr.flush()
        self._width = len(line)

    def batch(self, counts: Mapping[str, int], asked_for: int) -> None:
        """Say how far batches are, and since how many milliseconds they are asked."""
        if not self._is_shown:
            return
        total, waiting = sum(counts.values()), counts.get("processing", 0)
        filled = BAR * (total - waiting) // max(1, total)
        told = ", ".join(f"{count:,} {kind}" for kind, count in counts.items() if count) or "looking for it"
        line = f"[{'#' * filled}{'.' * (BAR - filled)}] batch: {told}; {_span(asked_for)}; Ctrl-C leaves, it goes on"
        line = line[: shutil.get_terminal_size().columns - 1]
        sys.stderr.write("\r" + line.ljust(self._width))
        sys.stderr.flush()
        self._width = len(line)

    def first(self, rules: Sequence[str]) -> None:
        """Show the first rules once some seconds have passed: whoever has many chats need not wait for all of them."""
        if not self._is_shown or self._has_told or not rules or time.monotonic() - self._started < FIRST:
            return
        from memsuggest.render.safe_output import one_line

        self._has_told = True
        self.clear()
        width = shutil.get_terminal_size().columns - 1
        rows = ["Found so far, in the newest chats:"]
        for rule in rules[:NAMED]:
            rows += textwrap.wrap(one_line(rule), width, initial_indent="  ", subsequent_indent="    ")
        rows += [f"  and {len(rules) - NAMED} more"] if len(rules) > NAMED else []
        rows.append("The older ones are read now; after Ctrl-C, the next run goes on from there.")
        sys.stderr.write("".join(f"{row}\n" for row in rows))
        sys.stderr.flush()

    def clear(self) -> None:
        """Take the line away."""
        if self._width:
            sys.stderr.write("\r" + " " * self._width + "\r")
            sys.stderr.flush()
            self._width = 0


def _span(milliseconds: int) -> str:
    """Say a span of time.

    >>> _span(42_000), _span(3_700_000)
    ('42 s', '1 h 1 min')
    """
    seconds = max(0, milliseconds) // 1000
    minutes, hours = seconds // 60, seconds // 3600
    return f"{seconds} s" if not minutes else f"{minutes} min" if not hours else f"{hours} h {minutes % 60} min"


@contextmanager
def shown_progress(*, quiet: bool) -> Iterator[Progress]:
    """Show what is being worked on, on one line that goes away at the end; nothing when piped or quiet."""
    progress = Progress(is_shown=not quiet and sys.stderr.isatty())
    try:
        yield progress
    finally:
        progress.clear()


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
