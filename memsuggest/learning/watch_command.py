"""The command `watch`: following the chats while they happen."""

from __future__ import annotations

import shutil
import sys
from typing import Annotated

import typer

from memsuggest.cli.run import Commands, Run, printing
from memsuggest.suggestions.status_report import Counts, Notice

command = Commands()


@command("watch")
def _watch(
    run: Run,
    mode: Annotated[
        str | None, typer.Option(help="Use this mode instead of the configured one: eager, occasional or manual.")
    ] = None,
    once: Annotated[bool, typer.Option("--once", help="Process new chats once, then exit.")] = False,
    poll: Annotated[bool, typer.Option("--poll", help="Poll for changes; needed on network drives.")] = False,
) -> None:
    """Watch chats as they happen, and notify you about new suggestions.

    Press Ctrl-C to stop. Changes to settings, including the mode, take effect immediately.
    """
    from memsuggest.learning.stopping import StopSign, stopped_by_signals
    from memsuggest.learning.watch import Watch, watch

    sign = StopSign()
    context = run.context(mode=mode)
    flags = {"mode": mode} if mode else {}
    with stopped_by_signals(sign):
        audience = Terminal(run)
        try:
            watch(context, Watch(sign=sign, audience=audience, flags=flags, is_polling=poll, is_once=once))
        finally:
            audience.clear()


class Terminal:
    """The person at the terminal: notices on stdout, talk and a line of counts on stderr."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._has_line = sys.stderr.isatty() and not run.quiet
        self._line = ""

    def tell(self, notice: Notice) -> None:
        from memsuggest.core.extensions import extensions
        from memsuggest.core.render import emit

        line = self._line
        self.clear()
        with printing():
            emit(notice, format="jsonl" if self._run.format == "json" else "text")
        for plugin in extensions("notices"):
            plugin.show(notice.line)
        self._draw(line)

    def say(self, text: str) -> None:
        line = self._line
        self.clear()
        self._run.say(text)
        self._draw(line)

    def show(self, counts: Counts) -> None:
        chats, learned = _many(counts.transcripts, "transcript"), _many(counts.learned, "new fact")
        self._draw(f"{counts.mode} · {chats} · {learned} learned · {counts.pending} pending")

    def clear(self) -> None:
        if self._line:
            sys.stderr.write("\r" + " " * len(self._line) + "\r")
            sys.stderr.flush()
            self._line = ""

    def _draw(self, line: str) -> None:
        if self._has_line and line:
            self.clear()
            self._line = line[: max(1, shutil.get_terminal_size().columns - 1)]  # a longer one could not be taken away
            sys.stderr.write(self._line)
            sys.stderr.flush()


def _many(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
