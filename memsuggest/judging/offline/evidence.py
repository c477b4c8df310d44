"""Evidence: citations with verbatim quotes, their trust, and the files mentioned nearby."""

from __future__ import annotations

import re
from bisect import bisect_left

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
    turns = transcript.turns
    place = bisect_left(turns, turn.number, key=lambda other: other.number)  # some turns are left out
    around = turns[max(0, place - _NEIGHBOURS) : place + _NEIGHBOURS + 1]
    paths = (*paths_in(quote), *turn.paths, *(path for other in around for path in other.paths))
    in_use = (name for other in (turn, *turns[max(0, place - 1) : place]) for name in other.signals.customizations)
    return Citation(
        session_id=transcript.session_id,
        turn=turn.number,
        quote=quote[:QUOTE_LIMIT].strip(),
        paths=tuple(dict.fromkeys(path for path in paths if is_name(path)))[:_MOST_PATHS],
        in_use=tuple(dict.fromkeys(name for name in in_use if is_name(name)))[:_MOST_PATHS],
        trust=transcript.trust if transcript.trust is not Trust.TYPED else (trust or Trust.TYPED),
        at=turn.at,
        format=transcript.format,
    )


def paths_in(text: str) -> list[str]:
    """List the paths and file names that a text mentions."""
    found = []
    for match in _PATH.finditer(text):
        path, ahead = match[1].rstrip("."), text[max(0, match.start(1) - 2) : match.start(1)]
        first, _, rest = path.partition("/")
        is_told = not rest or "/" in rest or re.search(r"[._\d*-]", path) or ahead.endswith(("`", "/", "@"))
        if "//" not in path and ".." not in path and (is_told or first.lower() in _FOLDERS):
            found.append(path)
    return found


def is_name(path: str) -> bool:
    """Tell whether a path only names a file: a name that reads like a sentence is somebody's words, not evidence."""
    return _NAME.fullmatch(path) is not None
