"""Makes docs/review.svg: a review of the bundled example as a terminal shows it. Run: `python docs/review_svg.py`."""

from __future__ import annotations

import fcntl
import io
import os
import pty
import re
import select
import struct
import sys
import termios
import time
from pathlib import Path

from rich.console import Console
from rich.text import Text

COLUMNS, ROWS = 100, 30
ASKS = "?] "
CLEAR = "\x1b[H\x1b[2J"
PATIENCE = 60.0


def main() -> None:
    """Walk into a review of the example, and keep what the first screens show."""
    os.system(f"{sys.executable} -m memsuggest demo > {os.devnull} 2>&1")  # noqa: S605  # nosec
    screens = recorded([sys.executable, "-m", "memsuggest", "demo", "review", "--lines"], keys="ynq")
    target = Path(__file__).with_name("review.svg")
    target.write_text(as_svg(screens[:2]), encoding="utf-8")
    print(f"wrote {target}")  # noqa: T201


def recorded(command: list[str], *, keys: str) -> list[str]:
    """Return each screen of a command on a terminal of its own, with the key that was pressed below it."""
    child, terminal = pty.fork()
    if child == 0:
        os.environ |= {"TERM": "xterm-256color", "COLUMNS": str(COLUMNS), "LINES": str(ROWS)}
        os.environ.pop("NO_COLOR", None)
        os.execv(command[0], command)  # noqa: S606  # nosec
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    screens = []
    for key in keys:
        screens.append(until_asked(terminal).rpartition(CLEAR)[2] + key)
        os.write(terminal, key.encode())
    os.waitpid(child, 0)
    return screens


def until_asked(terminal: int) -> str:
    """Return what is printed up to the next question."""
    seen, end = "", time.monotonic() + PATIENCE
    while not seen.endswith(ASKS):
        if time.monotonic() > end:
            raise SystemExit(f"no question came, but:\n{seen}")
        if select.select([terminal], [], [], 0.2)[0]:
            seen += os.read(terminal, 65536).decode(errors="replace")
    return seen.replace("\r\n", "\n")


def as_svg(screens: list[str]) -> str:
    """Return screens, one below the other, as rich exports them."""
    console = Console(record=True, width=COLUMNS, file=io.StringIO(), force_terminal=True)
    console.print(Text("$ memsuggest review", style="bold"))
    for screen in screens:
        console.print(Text.from_ansi(re.sub(r"\r[^\n]*\r", "", screen)))
        console.print()
    picture = console.export_svg(title="memsuggest review")
    return re.sub(r"@font-face \{.*?\}\s*", "", picture, flags=re.DOTALL)  # no font is fetched to look at it


if __name__ == "__main__":
    main()
