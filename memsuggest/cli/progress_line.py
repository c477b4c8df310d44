"""A progress line on stderr for long work, or a line for each phase when piped; nothing when quiet or fast."""

from __future__ import annotations

import shutil
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memsuggest.core.show_progress import LOOKING, READING

if TYPE_CHECKING:
    from memsuggest.core.model import MemoryFact

BAR = 20  # columns of the bar
PATIENCE = 0.4  # seconds before the first line: most runs are over by then
TICK = 0.25  # seconds after which the line is drawn anew, so that a long step shows that time goes on
PIPED_PATIENCE = 3.0  # seconds before a phase is named where there is no terminal
FIRST = 1.0  # seconds after which a person is shown what was found so far: by then, most runs are over
NAMED = 5  # rules that are shown then
ESTIMATED = 3  # steps of a phase after which the time left is estimated


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A step of long work."""

    phase: str
    done: int
    total: int
    """0 where nobody knows."""
    name: str
    since: float
    """Begin of its phase, on the monotonic clock."""

    def line(self, now: float) -> str:
        """Say how far the work is.

        >>> Step(phase="reading", done=30, total=40, name="", since=0.0).line(60.0)
        '[###############.....] reading 30/40, 20 s left'
        """
        if not self.total:
            return f"{self.phase} …"
        left = (now - self.since) / self.done * (self.total - self.done) if self.done >= ESTIMATED else 0
        bar = ("#" * (BAR * self.done // self.total)).ljust(BAR, ".")
        seconds = round(left)
        minutes, hours = seconds // 60, seconds // 3600
        span = f"{seconds} s" if not minutes else f"{minutes} min" if not hours else f"{hours} h {minutes % 60} min"
        return f"[{bar}] {self.phase} {self.done}/{self.total}" + (f", {span} left" if left >= 1 else "")


class Progress:
    """A line that says how far long work is and goes away at the end; above it, the first rules that were found."""

    def __init__(self, *, is_shown: bool, is_piped: bool = False) -> None:
        self._is_shown = is_shown
        self._is_piped = is_piped
        self._started = time.monotonic()
        self._width, self._line = 0, ""
        self._shown = 0
        """Rules that were shown."""
        self._step: Step | None = None
        self._begun: dict[str, float] = {}
        """Begin of each phase: the time left is reckoned from there, whatever was shown in between."""
        self._named = ""
        self._writing = threading.Lock()
        self._ended = threading.Event()

    def __call__(self, done: int, total: int, name: str, *, phase: str = READING) -> None:
        """Say how many are done, how many there are, the name of the next, and in which phase of the work."""
        if not (self._is_shown or self._is_piped):
            return
        is_first = not self._begun
        since = self._begun.setdefault(phase, time.monotonic())
        self._step = Step(phase=phase, done=done, total=total, name=name, since=since)
        if is_first:
            threading.Thread(target=self._tick, daemon=True).start()

    def _tick(self) -> None:
        """Draw the line anew until the work ends: a long step shows that something happens, too."""
        wait = PATIENCE
        while not self._ended.wait(wait):
            wait = TICK
            with self._writing:
                if self._ended.is_set() or self._step is None:
                    return
                if not self._is_piped:
                    self._draw(self._step)
                elif self._step.phase != self._named and time.monotonic() - self._started >= PIPED_PATIENCE:
                    self._named, total = self._step.phase, self._step.total
                    sys.stderr.write(f"{self._named}{f': {total:,}' if total else ' …'}\n")
                    sys.stderr.flush()

    def _draw(self, step: Step) -> None:
        from memsuggest.core.render.safe_output import one_line

        columns, line = shutil.get_terminal_size().columns, step.line(time.monotonic())
        if step.name:
            line += f": {one_line(step.name, limit=max(10, columns - len(line) - 3))}"
        line = line[: columns - 1]
        if line != self._line:
            sys.stderr.write("\r" + line.ljust(self._width))
            sys.stderr.flush()
        self._line, self._width = line, len(line)

    def end(self) -> str:
        """Take the line away for good; return what an interruption leaves for the next run, empty for nothing."""
        step = self._step
        self._ended.set()
        self.clear()
        if step is None or step.phase == LOOKING or (step.phase == READING and not step.total):
            return ""
        if step.phase == READING:
            return f"{step.done} of {step.total} chats were read and their rules saved; the next run reads the rest"
        return f"all chats were read; the next run continues with {step.phase}"

    def first(self, rules: Sequence[MemoryFact], place: Callable[[MemoryFact], str]) -> None:
        """Show the first rules as they are found: whoever has many chats need not wait for all of them."""
        if not self._is_shown or time.monotonic() - self._started < FIRST:
            return
        for rule in rules[self._shown : NAMED]:
            if not self._shown:
                self._print("Rules found so far, newest chats first (press Ctrl-C to stop and keep them):", "")
            self._shown += 1
            self._print(rule.content, "  ")
            if where := place(rule):  # for the first one, the files are read
                self._print(f"→ {where}", "    ")

    def _print(self, text: str, indent: str) -> None:
        from memsuggest.core.render.safe_output import one_line

        width = shutil.get_terminal_size().columns - 1
        rows = textwrap.wrap(one_line(text), width, initial_indent=indent, subsequent_indent=f"{indent}  ")
        with self._writing:
            sys.stderr.write("\r" + " " * self._width + "\r" + "".join(f"{row}\n" for row in rows))
            sys.stderr.flush()
            self._line, self._width = "", 0

    def clear(self) -> None:
        with self._writing:
            self._step, self._line = None, ""
            if self._width:
                sys.stderr.write("\r" + " " * self._width + "\r")
                sys.stderr.flush()
                self._width = 0


@contextmanager
def shown_progress(*, quiet: bool) -> Iterator[Progress]:
    """Show what is being worked on: on one line that goes away at the end, or a line a phase when piped.

    An interruption says what is kept.
    """
    is_terminal = sys.stderr.isatty()
    progress = Progress(is_shown=not quiet and is_terminal, is_piped=not quiet and not is_terminal)
    _shown.append(progress)
    try:
        yield progress
    except KeyboardInterrupt:
        if kept := progress.end():
            sys.stderr.write(f"{kept}\n")
        raise
    finally:
        _shown.remove(progress)
        progress.end()


_shown: list[Progress] = []


def make_room() -> None:
    """Take the line away: something else is written or asked on the terminal."""
    for progress in _shown:
        progress.clear()


@contextmanager
def working(what: str) -> Iterator[None]:
    """Say what a step does that takes its time, on a line that goes away when it is done."""
    progress = Progress(is_shown=sys.stderr.isatty())
    progress(0, 0, "", phase=what)
    try:
        yield
    finally:
        progress.end()
