"""Single keys from a terminal. What is typed while something is being done is kept, and read next."""

from __future__ import annotations

import os
import select
import shutil
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager

import typer

END, INTERRUPT, ESCAPE = "\x04", "\x03", "\x1b"
_ARROWS = {"A": "k", "D": "k", "B": "n", "C": "n"}
"""The last letters of the sequences that arrow keys send: up and left go back, down and right go on."""
_PASTE_BEGINS, _PASTE_ENDS = "[200~", b"\x1b[201~"
"""The sequences around pasted text, in bracketed paste mode."""
_PATIENCE = 0.03
"""Seconds in which the rest of an arrow key comes."""
_ATTENTION = 0.2
"""Seconds after which Ctrl-C is noticed that was pressed just before the wait for a key began."""


class Keys:
    """A terminal that hands over every key at once, without showing it."""

    def __init__(self) -> None:
        self._descriptor = sys.stdin.fileno()
        self._usual: list[object] | None = None

    def read(self) -> str:
        """Wait for a key; at the end of input, and for Ctrl-D, `END`. Raises KeyboardInterrupt for Ctrl-C.

        A text that is pasted is no key: its letters would decide something each.
        """
        if sys.platform == "win32":
            return self._read_on_windows()
        while (key := self._read_one()) == _PASTE_BEGINS:
            self._skip_paste()
            typer.echo("(pasted text is ignored) ", nl=False)
        return key

    def _read_one(self) -> str:
        # A signal between Python's last look and a system call that waits for ever would be noticed with the next key.
        while not select.select([self._descriptor], [], [], _ATTENTION)[0]:
            pass
        first = os.read(self._descriptor, 1)
        if not first:
            return END
        if first == ESCAPE.encode():
            return self._read_sequence()
        while len(first) < 4 and not _is_whole(first):  # a letter of several bytes
            first += os.read(self._descriptor, 1)
        return first.decode(errors="replace")

    def _read_sequence(self) -> str:
        found = ""
        while select.select([self._descriptor], [], [], _PATIENCE)[0] and len(found) < 8:
            found += os.read(self._descriptor, 1).decode(errors="replace")
            if found[-1:].isalpha() or found[-1:] == "~":
                break
        if found == _PASTE_BEGINS:
            return found
        return _ARROWS.get(found[1:], ESCAPE) if found[:1] in {"[", "O"} else ESCAPE

    def _skip_paste(self) -> None:
        end = b""
        while not end.endswith(_PASTE_ENDS):
            if not (found := os.read(self._descriptor, 1)):
                return
            end = (end + found)[-len(_PASTE_ENDS) :]

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
        if sys.platform == "win32":
            return
        import termios

        self._usual = termios.tcgetattr(self._descriptor)
        mine = termios.tcgetattr(self._descriptor)
        mine[3] &= ~(termios.ICANON | termios.ECHO)  # Ctrl-C still interrupts
        mine[6][termios.VMIN], mine[6][termios.VTIME] = 1, 0
        termios.tcsetattr(self._descriptor, termios.TCSADRAIN, mine)
        self._mark_pastes(is_wanted=True)

    def give_back(self) -> None:
        if sys.platform != "win32" and self._usual is not None:
            import termios

            self._mark_pastes(is_wanted=False)
            termios.tcsetattr(self._descriptor, termios.TCSADRAIN, self._usual)  # type: ignore[arg-type]

    @staticmethod
    def _mark_pastes(*, is_wanted: bool) -> None:
        """Ask the terminal to tell pasted text apart, or to leave it: https://invisible-island.net/xterm ctlseqs."""
        if sys.stdout.isatty():
            sys.stdout.write("\x1b[?2004h" if is_wanted else "\x1b[?2004l")
            sys.stdout.flush()

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


def _is_whole(letter: bytes) -> bool:
    """Return whether some bytes are a whole letter of UTF-8, or none at all."""
    width = 4 if letter[0] >= 0xF0 else 3 if letter[0] >= 0xE0 else 2 if letter[0] >= 0xC0 else 1
    return len(letter) >= width
