"""Single keys from a terminal. What is typed while something is being done is kept, and read next."""

from __future__ import annotations

import os
import select
import shutil
import sys
import textwrap
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import typer

from memsuggest.cli.stdin_payload import keys_one_by_one

END, INTERRUPT, ESCAPE = "\x04", "\x03", "\x1b"
_ARROWS = {"A": "k", "D": "k", "B": "n", "C": "n"}
"""The last letters of the sequences that arrow keys send: up and left go back, down and right go on."""
_PASTE_BEGINS, _PASTE_ENDS = "[200~", b"\x1b[201~"
"""The sequences around pasted text, in bracketed paste mode."""
_PATIENCE = 0.03  # seconds in which the rest of an arrow key comes
_ATTENTION = 0.2  # seconds after which Ctrl-C is noticed that was pressed just before the wait for a key began


class Keys:
    """A terminal that hands over every key at once, without showing it."""

    def __init__(self) -> None:
        self._descriptor = sys.stdin.fileno()
        self._taken = ExitStack()

    def read(self) -> str:
        """Wait for a key; at the end of input, and for Ctrl-D, `END`. Raises KeyboardInterrupt for Ctrl-C.

        A text that is pasted is no key: its letters would decide something each.
        """
        if sys.platform == "win32":
            return self._read_on_windows()
        while True:
            # A signal between Python's last look and a system call that waits for ever would come with the next key.
            while not self._has_more(_ATTENTION):
                pass
            first = os.read(self._descriptor, 1)
            if not first:
                return END
            if first != ESCAPE.encode():
                width = 4 if first[0] >= 0xF0 else 3 if first[0] >= 0xE0 else 2 if first[0] >= 0xC0 else 1
                while len(first) < width and (piece := os.read(self._descriptor, 1)):  # a letter of several bytes
                    first += piece
                return first.decode(errors="replace")
            found = ""
            while len(found) < 8 and not (found[-1:].isalpha() or found[-1:] == "~") and self._has_more(_PATIENCE):
                found += os.read(self._descriptor, 1).decode(errors="replace")
            if found != _PASTE_BEGINS:
                return _ARROWS.get(found[1:], ESCAPE) if found[:1] in {"[", "O"} else ESCAPE
            end = b""
            while not end.endswith(_PASTE_ENDS) and (piece := os.read(self._descriptor, 1)):
                end = (end + piece)[-len(_PASTE_ENDS) :]
            typer.echo("(pasted text is ignored) ", nl=False)

    def _has_more(self, seconds: float) -> bool:
        return bool(select.select([self._descriptor], [], [], seconds)[0])

    def _read_on_windows(self) -> str:
        import msvcrt

        key: str = msvcrt.getwch()  # type: ignore[attr-defined,unused-ignore]
        if key in {"\x00", "\xe0"}:
            msvcrt.getwch()  # type: ignore[attr-defined,unused-ignore]
            return ESCAPE
        if key == INTERRUPT:
            raise KeyboardInterrupt
        return END if key == "\x1a" else key

    def take_over(self) -> None:
        """Hand over single keys from now on; what was typed before stays."""
        self._taken.enter_context(keys_one_by_one(self._descriptor))
        # Pasted text is told apart by its marks: https://invisible-island.net/xterm ctlseqs
        if sys.stdout.isatty() and sys.platform != "win32":
            self._taken.callback(typer.echo, "\x1b[?2004l", nl=False)
            typer.echo("\x1b[?2004h", nl=False)

    def give_back(self) -> None:
        self._taken.close()

    @contextmanager
    def away(self) -> Iterator[None]:
        """Let the terminal be as usual meanwhile: an editor, or a question that takes a line."""
        self.give_back()
        try:
            yield
        finally:
            self.take_over()


def ask(keys: Keys, question: str, *, err: bool = False) -> str:
    """Ask for one key, and show it; the end of input is `END`. A long question is broken between words."""
    from memsuggest.core.render.safe_output import one_line

    columns = shutil.get_terminal_size().columns
    rows = textwrap.wrap(one_line(question), columns - 3, break_on_hyphens=False)  # the answer stands behind it
    typer.echo("\n".join(rows) + " ", nl=False, err=err)
    key = keys.read()
    typer.echo(key if key.isprintable() and key != END else "", err=err)
    return key


@contextmanager
def single_keys() -> Iterator[Keys]:
    """Hand over single keys meanwhile; in any case the terminal is as it was afterwards."""
    keys = Keys()
    keys.take_over()
    try:
        yield keys
    finally:
        keys.give_back()
