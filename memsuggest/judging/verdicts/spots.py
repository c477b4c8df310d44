"""The lines of a file beside which a rule would stand, as a model is shown them. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING

from memsuggest.core.redact import clean, redact

if TYPE_CHECKING:
    from memsuggest.core.model import MemorySuggestion

AFTER = 2
"""Lines that are shown of those before the rule."""
BEFORE = 1
"""Lines that are shown of those after it."""
LONGEST = 160  # characters of a line


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """A spot in a file where a rule would stand."""

    heading: str | None
    after: tuple[str, ...]
    """The lines before it, the nearest one last."""
    before: tuple[str, ...]


def spot_of(made: MemorySuggestion) -> Spot:
    """Return the spot that an edit puts something at, with the lines of its section around it."""
    old, new = (made.edit.before or "").splitlines(), (made.edit.after or "").splitlines()
    pairs = zip(old, new, strict=False)
    at = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    above = takewhile(_is_within, (line for line in reversed(old[:at]) if line.strip()))
    below = takewhile(_is_within, (line for line in old[at:] if line.strip()))
    return Spot(heading=made.heading, after=_shown(above, AFTER)[::-1], before=_shown(below, BEFORE))


def _is_within(line: str) -> bool:
    return not line.startswith(("#", "---"))


def _shown(lines: Iterable[str], most: int) -> tuple[str, ...]:
    """Return the first of some lines, redacted before they are cut, so that no cut hides a secret."""
    found = (redact(clean(line)).text.strip() for line, _ in zip(lines, range(most), strict=False))
    return tuple(f"{line[:LONGEST]}…" if len(line) > LONGEST else line for line in found)
