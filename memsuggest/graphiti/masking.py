"""Texts without the places and names of this machine: no absolute path, no home folder, no account. Pure.

A path below the repo's root stays, as it is seen from the root; of others only a file's own name stays. What looks like
a route of a web service (`GET /api/orders`) is no path.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from memsuggest.core.redact import clean, redact
from memsuggest.core.text.words import word_set

PLACE = "…"  # what stands for a folder that is nobody's business
SOMEBODY = "[user]"
_NOBODY = word_set(
    "user root admin runner vscode node ubuntu debian app dev code guest public me you build builder ci test default "
    "system service git www www-data nobody codespace gitpod jenkins docker"
)
"""Accounts that name no person, and words that could not be said any more."""
_SHORTEST = 2  # letters of an account that is looked for

_PIECE = r"(?:\\[ ]|[^\s/\\\"'`<>|*?,;:()\[\]{}])+"
_PATH = re.compile(
    rf"""
      (?<=["'`]) (?: / {_PIECE} / | ~[^"'`/\n]{{0,40}}/ | [A-Za-z]:[\\/] ) [^"'`\n]* (?=["'`])   # in quotes: spaces
    | (?: file | vscode[\w-]* ) :// [^\s"'`<>)\]]+                        # a place, written as an address
    | \\\\ {_PIECE} (?: [\\/]+ {_PIECE} )+ [\\/]*                         # \\server\share\folder
    | (?<![A-Za-z]) [A-Za-z] : [\\/]+ (?: {_PIECE} (?: [\\/]+ {_PIECE} )* [\\/]* )?   # C:\folder\file
    | ~ [\w.-]* (?: / {_PIECE} )+ /?                                       # ~/folder/file
    | (?: (?<![\w./~\\-]) | (?<=\s-[A-Za-z]) | (?<=\A-[A-Za-z]) ) / {_PIECE} (?: /+ {_PIECE} )+ /?   # also -I/a/b
    """,
    re.VERBOSE | re.IGNORECASE,
)
_ROUTE = re.compile(r"/(?:api|v\d{1,2}|rest|graphql|rpc)(?:/|$)", re.IGNORECASE)
_VERB = re.compile(r"\b(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)[ \t`\"']{1,3}$")
_DISK = re.compile(
    r"/(?:home|users|root|tmp|var|etc|opt|usr|mnt|media|srv|private|volumes|data|library|applications|run|proc|dev)/",
    re.IGNORECASE,
)
"""First folders of a disk, also behind the word `GET`."""
_FILE = re.compile(r"[^\\/]*\.\w{1,8}$")
_MANGLED = re.compile(r"[^A-Za-z0-9]")


@dataclass(frozen=True)
class Mask:
    """A mask over what must not leave of a machine and a repo."""

    root: str
    home: str
    accounts: tuple[str, ...] = ()
    limit: int = 4_000
    """Characters of a text that leave."""

    def text(self, text: str) -> str:
        """Return a text as it may leave: redacted, without places and names, and not too long."""
        return shortened(self._masked(text), self.limit)

    def line(self, text: str, *, limit: int = 200) -> str:
        return shortened(" ".join(self._masked(text).split()), limit)

    def _masked(self, text: str) -> str:
        # The places first: redaction cuts the name out of a home folder and leaves the rest of the path.
        text = clean(text)
        for place, instead in self._places:
            text = place.sub(instead, text)
        text = redact(_PATH.sub(_without_place, text)).text
        text = _PATH.sub(_without_place, text).replace(f"{PLACE}{PLACE}", PLACE)
        return self._names.sub(SOMEBODY, text) if self._names else text

    @cached_property
    def _places(self) -> list[tuple[re.Pattern[str], str]]:
        """The root and the home folder, as they are written and as assistants call folders of their own after them."""
        found: list[tuple[re.Pattern[str], str]] = []
        for place, below in ((self.root, ""), (self.home, f"{PLACE}/")):
            if len(place.strip("/\\")) < _SHORTEST:
                continue
            for written in dict.fromkeys((place, place.replace("\\", "/"), place.replace("\\", "\\\\"))):
                found.append((re.compile(rf"(?:file://)?{re.escape(written)}[\\/]+(?=\w|\.)", re.IGNORECASE), below))
                found.append((re.compile(rf"(?:file://)?{re.escape(written)}(?![\w-])[\\/]*", re.IGNORECASE), PLACE))
            mangled = _MANGLED.sub("-", place)
            found.append((re.compile(rf"{re.escape(mangled)}[\w-]*", re.IGNORECASE), PLACE))
        return found

    @cached_property
    def _names(self) -> re.Pattern[str] | None:
        known = {name for name in self.accounts if len(name) >= _SHORTEST and name.lower() not in _NOBODY}
        names = "|".join(map(re.escape, sorted(known, key=len, reverse=True)))
        return re.compile(rf"(?<![^\W_])(?:{names})(?![^\W_])", re.IGNORECASE) if names else None


def _without_place(found: re.Match[str]) -> str:
    path, before = found.group(), found.string[max(0, found.start() - 12) : found.start()]
    if path.startswith("/") and not _DISK.match(path) and (_ROUTE.match(path) or _VERB.search(before)):
        return path
    end = path[len(path.rstrip(".")) :]  # of the sentence
    name = re.split(r"[\\/]", path.rstrip("./\\"))[-1]
    return f"{PLACE}/{name}{end}" if _FILE.fullmatch(name) and name != path else f"{PLACE}{end}"


def shortened(text: str, limit: int) -> str:
    """Return a text of at most so many characters: its beginning, and a third of the room for its end.

    >>> shortened("abcdefghijklmnopqrstuvwxyz", 13)
    'abcdef […] yz'
    """
    if len(text) <= limit:
        return text
    gap = " […] "
    room = max(limit - len(gap), 0)
    tail = room // 3
    return f"{text[: room - tail]}{gap}{text[len(text) - tail :] if tail else ''}"[:limit]
