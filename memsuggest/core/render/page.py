"""A page of styled text on stdout, and the parts that many reports share."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from memsuggest.core.render.safe_output import one_line, safe

if TYPE_CHECKING:
    from rich.text import Text

    from memsuggest.core.model import Skipped

SHORT = 7
INDENT = SHORT + 4
"""Columns in which an id stands before the words of a row."""
_FURTHER = 2
"""Columns by which the rest of a long line stands in that begins at the edge; of another it stands below it."""
_NARROWEST = 20  # columns below which a row holds too little to be broken between words


UNDO = "`memsuggest undo` reverts this"
ID, FAINT, PATH, HEAD, GOOD, WARN, BAD = "yellow", "dim", "cyan", "bold", "green", "yellow", "red"

_TALL = 1_000_000
_TAB = 4


class Page:
    """Lines of styled text on stdout; what it is given is made safe first."""

    def __init__(self, *, quiet: bool = False) -> None:
        self.quiet = quiet
        self.now = time.time_ns() // 1_000_000
        self._named = getattr(sys.stdout, "named", str)  # hints name the command as it was called
        from rich.console import Console

        self._console = Console(file=sys.stdout, markup=False, highlight=False, emoji=False, soft_wrap=True)

    @property
    def width(self) -> int | None:
        """Columns of the terminal; None where the page goes elsewhere."""
        return self.size[0] if self._console.is_terminal else None  # rich takes 80 for a plain terminal of any width

    @property
    def size(self) -> tuple[int, int]:
        return shutil.get_terminal_size()

    def clear(self) -> None:
        if self._console.is_terminal and not self._console.is_dumb_terminal:
            sys.stdout.write("\x1b[H\x1b[2J")

    def line(self, *parts: str | tuple[str, str], hang: int | None = None) -> int:
        """Print one line of parts, each a text or a text with its style; return how many rows it takes.

        A line too long for the terminal is broken between words and goes on `hang` columns in, or else as far in as
        it begins; what does not go to a terminal stays one line.
        """
        rows = self._rows(self._styled(parts), hang)
        for row in rows:
            self._put(row)
        return len(rows)

    def faint(self, text: str, *, hang: int | None = None) -> None:
        self.line((text, FAINT), hang=hang)

    def head(self, title: str, about: str = "") -> None:
        self.line()
        self.line((title, HEAD), (about, FAINT))

    def height(self, text: str, *, hang: int | None = None) -> int:
        return len(self._rows(self._styled([text]), hang))

    def _rows(self, text: Text, hang: int | None) -> list[Text]:
        if not self.width:
            return [text]
        begins = len(text.plain) - len(text.plain.lstrip(" "))
        return hung(text, width=self.width, hang=(begins or _FURTHER) if hang is None else hang)

    def block(self, body: str, *, style: str = "", indent: str = "") -> None:
        """Print several lines as they are, however long."""
        for row in body.removesuffix("\n").split("\n"):
            self._put(self._styled([(indent + row, style)]))

    def _put(self, row: Text) -> None:
        self._console.print(row)

    def _styled(self, parts: Iterable[str | tuple[str, str]]) -> Text:
        from rich.text import Text

        text = Text()
        for part in parts:
            body, style = part if isinstance(part, tuple) else (part, "")
            text.append(safe(self._named(body)), style)
        return text


class KeptPage(Page):
    """Styled rows, made safe like any other page's, broken where they are too long for their width."""

    def __init__(self, width: int, *, named: Callable[[str], str] = str) -> None:
        """Begin with no row; `named` makes hints name the command as it was called."""
        super().__init__()
        self._named = named
        self._width = width
        self.rows: list[Text] = []

    @property
    def width(self) -> int:
        return self._width

    @property
    def size(self) -> tuple[int, int]:
        """Columns that a row may take; there may be as many rows as there are."""
        return self._width, _TALL

    def clear(self) -> None:
        self.rows.clear()

    def _put(self, row: Text) -> None:
        row.expand_tabs(_TAB)
        for line in row.split(allow_blank=True) or [row]:
            line.rstrip()
            self.rows.append(line)


def hung(text: Text, *, width: int, hang: int) -> list[Text]:
    """Return a text as rows of at most `width` columns, broken between words, all but the first `hang` columns in."""
    from rich.console import Console
    from rich.text import Text

    if text.cell_len <= width or width - hang < _NARROWEST:
        return [text]
    lead, body = text.divide([hang])
    first, *rest = body.wrap(Console(width=width), width - hang, overflow="fold")
    hanging = [lead + first, *(Text(" " * hang) + row for row in rest)]
    for row in hanging:
        row.rstrip()
    return hanging


def show_diff(page: Page, diff: str) -> None:
    """Print a diff, coloured as git does."""
    for row in diff.removesuffix("\n").split("\n"):
        is_head = row.startswith(("+++", "---", "diff ", "new file", "index "))
        style = HEAD if is_head else {"+": GOOD, "-": BAD, "@": PATH, "\\": FAINT}.get(row[:1], "")
        page.line((row.removesuffix("\r"), style), hang=diff_hang(row))


def diff_hang(row: str) -> int:
    """Return where a line of a diff goes on that is too long: below its words, not below its sign."""
    words = row[1:].lstrip(" ")
    is_item = words.startswith(("- ", "* ", "+ "))
    return len(row) - len(words) + (2 if is_item else 0)


def sentence(text: str) -> str:
    """Return the text on one line, with a capital first letter unless a path or a key begins it.

    >>> sentence("it is always loaded"), sentence("src/ contains src/a.ts"), sentence("applyTo covers src/a.ts")
    ('It is always loaded', 'src/ contains src/a.ts', 'applyTo covers src/a.ts')
    """
    first = text.partition(" ")[0].rstrip(",.;:")
    is_name = not first.isalpha() or first[1:] != first[1:].lower()
    return one_line(text if is_name else text[:1].upper() + text[1:])


def listed(names: Sequence[str]) -> str:
    """Return names as they stand in a sentence."""
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def count(number: int, one: str, many: str) -> str:
    """Return a number with its noun."""
    return f"{number} {one if number == 1 else many}"


def show_skipped(page: Page, skipped: Sequence[Skipped]) -> None:
    """Print what was skipped, and why."""
    if skipped and not page.quiet:
        page.line()
        page.line((f"Skipped ({len(skipped)})", HEAD))
        for skip in skipped:
            why = skip.why.removeprefix(f"{skip.what} ").removeprefix(f"{skip.what}: ")
            page.line("  ", (one_line(skip.what), PATH), f": {one_line(why)}")
