"""Evidence: citations with verbatim quotes, their trust, and the files mentioned nearby."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence

from memsuggest.core.model import QUOTE_LIMIT, Citation, Transcript, Trust, Turn
from memsuggest.core.text.words import word_set

_NEIGHBOURS = 1  # turns before and after whose files count as nearby
_MOST_PATHS = 12
_PATH = re.compile(
    r"(?<![\w/@:.-])@?((?:[\w.-]{1,80}/){1,12}[\w.*-]{1,80}|[\w-]{1,80}\.(?:py|pyi|js|jsx|ts|tsx|mjs|cjs|vue"
    r"|svelte|go|rs|java|kt|kts|swift|rb|php"
    r"|c|h|cc|cpp|hpp|cs|fs|ex|exs|erl|hs|ml|scala|clj|lua|pl|r|jl|dart|sh|bash|ps1|sql|graphql|proto|tf|html"
    r"|css|scss|less|md|mdx|mdc|rst|tex"
    r"|txt|json|jsonc|yaml|yml|toml|ini|cfg|xml|csv|ipynb|lock|env))(?![\w/])"
)
_FOLDERS = word_set(
    "src lib libs app apps test tests spec specs docs doc packages package pkg cmd internal scripts script tools tool"
    " bin config configs components pages public static assets core utils modules module services examples fixtures"
    " migrations templates deploy infra dist vendor include"
)
"""First words of a path without an ending or a mark."""
_WORD = r"[^\s/\\\"`<>|?]++"
_PART = rf"{_WORD}(?: {_WORD}){{0,2}}+"
_NAME = re.compile(rf"[/\\]{{0,2}}{_PART}(?:[/\\]{_PART})*+[/\\]?")
"""Parts of a path, each of at most three words."""


def cite(transcript: Transcript, turn: Turn, quote: str, *, trust: Trust | None = None) -> Citation:
    """Make the citation of a quote: no longer than a quote may be, with the files of its surroundings."""
    weakest = transcript.trust if transcript.trust is not Trust.TYPED else (trust or Trust.TYPED)
    return Citation(
        session_id=transcript.session_id,
        turn=turn.number,
        quote=quote[:QUOTE_LIMIT].strip(),
        paths=_nearby(transcript.turns, turn, quote),
        in_use=_in_use(transcript.turns, turn),
        trust=weakest,
        at=turn.at,
        format=transcript.format,
    )


def paths_in(text: str) -> list[str]:
    # A full stop behind a path ends the sentence.
    found = (
        (match[1].rstrip("."), text[max(0, match.start(1) - 2) : match.start(1)]) for match in _PATH.finditer(text)
    )
    return [path for path, ahead in found if "//" not in path and ".." not in path and _is_path(path, ahead)]


def _is_path(path: str, ahead: str) -> bool:
    first, _, rest = path.partition("/")
    if not rest or "/" in rest or re.search(r"[._\d*-]", path) or ahead.endswith(("`", "/", "@")):
        return True
    return first.lower() in _FOLDERS


def _in_use(turns: Sequence[Turn], turn: Turn) -> tuple[str, ...]:
    place = bisect_left(turns, turn.number, key=lambda other: other.number)
    found = (name for around in (turn, *turns[max(0, place - 1) : place]) for name in around.signals.customizations)
    return tuple(dict.fromkeys(name for name in found if is_name(name)))[:_MOST_PATHS]


def _nearby(turns: Sequence[Turn], turn: Turn, quote: str) -> tuple[str, ...]:
    """Files in the sentence itself first, then of this turn, then of its neighbours."""
    place = bisect_left(turns, turn.number, key=lambda other: other.number)  # some turns are left out
    around = turns[max(0, place - _NEIGHBOURS) : place + _NEIGHBOURS + 1]
    ranked: Iterable[str] = (*paths_in(quote), *turn.paths, *(path for other in around for path in other.paths))
    return tuple(dict.fromkeys(path for path in ranked if is_name(path)))[:_MOST_PATHS]


def is_name(path: str) -> bool:
    """Tell whether a path only names a file: a name that reads like a sentence is somebody's words, not evidence."""
    return _NAME.fullmatch(path) is not None
