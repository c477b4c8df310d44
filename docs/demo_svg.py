"""Makes docs/demo.svg: what was said in a chat, the diff, one key, and whether the rule holds, as a moving picture.

Run: `python docs/demo_svg.py`. It walks through the bundled example on a terminal of its own.
"""

from __future__ import annotations

import fcntl
import io
import json
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import textwrap
import time
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.text import Text

COLUMNS, ROWS = 92, 26
ASKS = "[?] "
CLEAR = "\x1b[H\x1b[2J"
PATIENCE = 60.0
PROGRAM = [sys.executable, "-m", "memsuggest", "demo"]
RULE = "secrets"
"""The suggestion of the example that the picture follows."""


@dataclass(frozen=True, kw_only=True)
class Frame:
    """One still of the picture."""

    title: str
    lines: str
    seconds: float


def main() -> None:
    """Follow one rule from the chat into its file, and write what was seen."""
    subprocess.run(PROGRAM, check=True, capture_output=True)
    found = json.loads(printed("list", "--format", "json"))["suggestions"]
    suggestion = next(one for one in found if RULE in one["content"])
    said = suggestion["citations"][0]["quote"]
    asked, pressed = reviewed(suggestion["id"][:7])
    target = Path(__file__).with_name("demo.svg")
    frames = [
        Frame(title="1  You correct your assistant", lines=chat(said), seconds=4),
        Frame(title="2  memsuggest review: the rule, your words, the diff", lines=asked, seconds=7),
        Frame(title="3  One key writes exactly that", lines=pressed, seconds=3),
        Frame(title="4  Later: does the rule hold?", lines=held(suggestion["targetUri"]), seconds=6),
    ]
    target.write_text(as_svg(frames), encoding="utf-8")
    print(f"wrote {target}")  # noqa: T201


def chat(said: str) -> str:
    """Return the turn of the chat as an assistant's terminal shows it."""
    words = textwrap.fill(said, COLUMNS - 6, initial_indent="  > ", subsequent_indent="    ")
    return f"\n\x1b[2m  Claude Code, some weeks ago\x1b[0m\n\n\x1b[1m{words}\x1b[0m\n\n  * Done.\n"


def printed(*words: str) -> str:
    """Return what a command prints in the example."""
    environ = {**os.environ, "COLUMNS": str(COLUMNS)}
    return subprocess.run([*PROGRAM, *words], check=True, capture_output=True, text=True, env=environ).stdout


def held(uri: str) -> str:
    """Return what `held` says of the file that has the rule now."""
    terminal, child = started("held", uri)
    text = until_end(terminal)
    os.waitpid(child, 0)
    return f"$ memsuggest held {uri}\n\n{text}"


def started(*words: str) -> tuple[int, int]:
    """Start a command of the example on a terminal of its own; return that and the process."""
    child, terminal = pty.fork()
    if child == 0:
        os.environ |= {"TERM": "xterm-256color", "COLUMNS": str(COLUMNS), "LINES": str(ROWS)}
        os.environ.pop("NO_COLOR", None)
        os.execv(PROGRAM[0], [*PROGRAM, *words])  # noqa: S606  # nosec
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    return terminal, child


def reviewed(name: str) -> tuple[str, str]:
    """Return the screen of a review that asks about a suggestion, and the same with the key that was pressed."""
    terminal, child = started("review", name, "--lines")
    screen = until_asked(terminal).rpartition(CLEAR)[2]
    os.write(terminal, b"y")
    after = until_end(terminal)
    os.waitpid(child, 0)
    return f"$ memsuggest review\n{screen}", f"$ memsuggest review\n{screen}\x1b[1my\x1b[0m\n\n{after.strip()}"


def until_asked(terminal: int) -> str:
    """Return what is printed up to the question."""
    seen, end = "", time.monotonic() + PATIENCE
    while not seen.endswith(ASKS):
        if time.monotonic() > end:
            raise SystemExit(f"no question came, but:\n{seen}")
        if select.select([terminal], [], [], 0.2)[0]:
            seen += os.read(terminal, 65536).decode(errors="replace")
    return seen.replace("\r\n", "\n")


def until_end(terminal: int) -> str:
    """Return what is printed after the key, without the screen that was there before."""
    seen = b""
    while True:
        try:
            found = os.read(terminal, 65536)
        except OSError:  # the program is gone
            break
        if not found:
            break
        seen += found
    text = seen.decode(errors="replace").replace("\r\n", "\n").rpartition(CLEAR)[2]
    return re.sub(r"\r[^\n]*\r|\x1b\[\?2004[hl]|^y", "", text)


def as_svg(frames: list[Frame]) -> str:
    """Return the frames one after the other, for ever; whoever wants no motion sees the second alone."""
    total = sum(frame.seconds for frame in frames)
    stills = [still(frame, name=f"f{number}") for number, frame in enumerate(frames)]
    height = max(float(re.search(r'viewBox="0 0 [\d.]+ ([\d.]+)"', one)[1]) for one in stills)  # type: ignore[index]
    width = float(re.search(r'viewBox="0 0 ([\d.]+)', stills[0])[1])  # type: ignore[index]
    rules, parts, start = [], [], 0.0
    for number, (frame, one) in enumerate(zip(frames, stills, strict=True)):
        begin, end = 100 * start / total, 100 * (start + frame.seconds) / total
        rules.append(
            f"@keyframes k{number}{{0%,{max(begin - 0.01, 0):.2f}%{{opacity:{int(number == 0)}}}"
            f"{begin:.2f}%,{end - 0.01:.2f}%{{opacity:1}}{end:.2f}%,100%{{opacity:0}}}}"
            f".k{number}{{animation:k{number} {total:g}s step-end infinite}}"
        )
        parts.append(f'<g class="k{number}">{one}</g>')
        start += frame.seconds
    still_rule = "".join(f".k{number}{{animation:none;opacity:{int(number == 1)}}}" for number in range(len(frames)))
    style = f"<style>{''.join(rules)}@media (prefers-reduced-motion:reduce){{{still_rule}}}</style>"
    title = "<title>A correction in a chat becomes a rule with one key, and held says whether it is followed</title>"
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" role="img">'
    return f"{head}{title}{style}{''.join(parts)}</svg>\n"


def still(frame: Frame, *, name: str) -> str:
    """Return one frame as rich exports it, filled up to the same height."""
    console = Console(record=True, width=COLUMNS, file=io.StringIO(), force_terminal=True)
    lines = frame.lines.replace("memsuggest demo ", "memsuggest ").splitlines()[:ROWS]
    console.print(Text.from_ansi("\n".join(lines + [""] * (ROWS - len(lines)))), no_wrap=True, crop=True)
    picture = console.export_svg(title=frame.title, unique_id=name)
    return re.sub(r"@font-face \{.*?\}\s*", "", picture, flags=re.DOTALL)  # no font is fetched to look at it


if __name__ == "__main__":
    main()
