"""Texts as they are meant, where they are written otherwise: escapes decoded, look-alikes and hidden letters resolved.

A secret does not stop being one when it is percent-encoded, written full-width, or cut by a zero-width space.
Each view knows which stretch of the original every character of it stands for.
"""

from __future__ import annotations

import html
import re
import unicodedata
from typing import TYPE_CHECKING, NamedTuple

from memsuggest.redact.finding import Finding
from memsuggest.redact.wordlike import strangeness, strangest_stretch

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from memsuggest.redact.scan import Sight

DEPTH = 2  # an escape may itself be escaped
_LONGEST = 200_000  # characters of a line that is looked at twice; such lines are data

_ESCAPES = {
    "%": r"%[2-7][0-9A-Fa-f]",
    "\\": r"\\(?<!\\\\)\\{0,7}+(?:u00|x)[2-7][0-9A-Fa-f]",
    "&": r"&(?:#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|amp|quot|apos|lt|gt|equals|colon|sol|num|plus|lowbar|commat);",
}
"""How characters are escaped, by what that begins with."""
_DISGUISES = (
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff"
    "\uff01-\uff5e\uffa0\U0001d400-\U0001d7ff\U000e0000-\U000e0fff\u2460-\u24ff\u2080-\u2089\u00b2\u00b3\u00b9\u2070-\u2079]"
)
"""Characters that show nothing, and those that look like ASCII letters and digits."""


_ESCAPE_SEARCHES = tuple((first, re.compile(escape)) for first, escape in _ESCAPES.items())
_DISGUISE = re.compile(_DISGUISES)
_ANY = re.compile("|".join([*_ESCAPES.values(), _DISGUISES]))


class View(NamedTuple):
    """A line as it is meant; `offsets[i]` is where character i begins in the original, with the end as the last."""

    text: str
    offsets: list[int]


def found_in_disguise(sight: Sight, find: Callable[[str], list[Finding]]) -> Iterator[Finding]:
    """Apply a search to every line that holds escapes or look-alikes, as that line is meant."""
    for start, end in _disguised_lines(sight):
        view = View(sight.text[start:end], list(range(start, end + 1)))
        for _ in range(DEPTH):
            meant = decoded(view)
            if meant is None:
                break
            view = meant
            for kind, begin, stop in find(view.text):
                yield Finding(kind, view.offsets[begin], view.offsets[stop])


def _disguised_lines(sight: Sight) -> Iterable[tuple[int, int]]:
    """The lines, each once, with something in them that is not what it seems."""
    text = sight.text
    patterns = [pattern for first, pattern in _ESCAPE_SEARCHES if first in text]
    if sight.foreign and _DISGUISE.search(sight.foreign):
        patterns.append(_DISGUISE)
    lines: dict[int, int] = {}
    for pattern in patterns:
        done = 0
        while match := pattern.search(text, done):
            start = text.rfind("\n", 0, match.start()) + 1
            end = text.find("\n", match.end())
            done = (end if end >= 0 else len(text)) + 1
            lines[start] = done - 1
    return [(start, end) for start, end in lines.items() if end - start <= _LONGEST]


def decoded(view: View) -> View | None:
    """Resolve one layer of escapes and look-alikes; None when there is none."""
    pieces: list[str] = []
    offsets: list[int] = []
    at = 0
    for match in _ANY.finditer(view.text):
        meant = _meant(match.group())
        pieces += (view.text[at : match.start()], meant)
        offsets += view.offsets[at : match.start()]
        offsets += [view.offsets[match.start()]] * len(meant)
        at = match.end()
    if at == 0:
        return None
    pieces.append(view.text[at:])
    return View("".join(pieces), offsets + view.offsets[at:])


def _meant(coded: str) -> str:
    if coded[0] == "%":
        return chr(int(coded[1:], 16))
    if coded[0] == "\\":
        return chr(int(coded[-2:], 16))
    if coded[0] == "&":
        return html.unescape(coded)
    plain = unicodedata.normalize("NFKC", coded)
    return plain if plain.isascii() and plain.isprintable() else ""


_BREAK = re.compile(
    rb"\n(?<=[A-Za-z0-9\\\r=+/\-_]\n)[ \t>*|#+\-]{0,16}"
    rb"([A-Za-z0-9]{3,200}+)([+/=_.\-][A-Za-z0-9+/=_.\-]{0,200})?(?=\s|\Z|[\"'`,;)])"
)
_LAST_PIECE = re.compile(r"[A-Za-z0-9]{3,}[=+/_\-]{0,2}\Z")
_JOINED = 12.0  # nats: what two halves of a token have together
_HALF = 3.0  # nats: what the pieces beside the cut have each


def wrapped_tokens(sight: Sight) -> Iterator[Finding]:
    """Find tokens that a line's end cuts in two."""
    for after in _BREAK.finditer(sight.plain):
        if strangeness(after[1].decode()) >= _HALF:
            yield from _across(sight.text, after.start(), after.start(1), after.end())


def _across(text: str, at: int, begin: int, end: int) -> Iterator[Finding]:
    line = max(text.rfind("\n", 0, at) + 1, at - 100)
    last = text[line:at].rstrip(" \t\r\\").rpartition(" ")[2]
    whole = last + text[begin:end]
    left = _LAST_PIECE.search(last)
    if left is None or len(whole) < 16 or not any(map(str.isdigit, whole)):
        return
    if strangeness(left.group().rstrip("=+/_-")) >= _HALF and strangest_stretch(whole)[0] >= _JOINED:
        yield Finding("token", text.rfind(last, line, at), end)
