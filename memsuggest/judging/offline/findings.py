"""Findings: what an engine makes of one session, said once each, with its evidence, and the seam of every engine."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from memsuggest.core.identity import normalised
from memsuggest.core.model import QUOTE_LIMIT, Candidate, Citation, MemoryFact, Skipped, Transcript, Trust, Turn
from memsuggest.core.text.words import word_set


class Extractor(Protocol):
    """Turns a transcript into candidates; modules implement it."""

    NAME: str

    def extract(self, transcript: Transcript, known: Sequence[MemoryFact]) -> Findings:
        """Find what is worth remembering; every citation's quote stands in the typed text of its turn."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """The findings of an engine in one session."""

    candidates: tuple[Candidate, ...]
    skipped: tuple[Skipped, ...] = ()
    """What was said but would weaken safety or cannot be stored; to be shown loudly."""
    verdicts: tuple[Verdict, ...] = ()
    """What our own rules make of every statement."""

    def after(self, turn: int) -> Findings:
        """Leave out the candidates that rest on turns up to this one alone."""
        new = (
            candidate for candidate in self.candidates if any(citation.turn > turn for citation in candidate.citations)
        )
        return replace(self, candidates=tuple(new))


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The outcome for one statement."""

    turn: int
    text: str
    why: str
    probability: float = 0.0  # of its being worth remembering, as our own engine sees it
    candidate: Candidate | None = None  # None where it is dropped
    refused: str = ""  # why it is not stored although the person said it; to be shown loudly


def merged_candidates(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Unite candidates that say the same in the same words, in the order of their first utterance."""
    kept: dict[tuple[str, str], Candidate] = {}
    for candidate in candidates:
        key = (candidate.scope, normalised(candidate.content))
        kept[key] = _united(kept[key], candidate) if key in kept else candidate
    return list(kept.values())


def _united(one: Candidate, two: Candidate) -> Candidate:
    best, other = (two, one) if (two.explicit, two.confidence) > (one.explicit, one.confidence) else (one, two)
    return replace(
        best,
        citations=tuple(dict.fromkeys((*best.citations, *other.citations))),
        tags=tuple(dict.fromkeys((*best.tags, *other.tags))),
    )


# Evidence: citations with verbatim quotes, their trust, and the files mentioned nearby

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
_NAME = re.compile(rf"[/\\]{{0,2}}{_PART}(?:[/\\]{_PART})*+[/\\]?")  # parts of a path, each of at most three words


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
