"""Opaque tokens: strings nobody made up, wherever they stand. The first and widest rule, free of any vendor's shape."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memsuggest.redact import benign
from memsuggest.redact.found import Found
from memsuggest.redact.vendors import issued_token
from memsuggest.redact.wordlike import strangest_stretch

if TYPE_CHECKING:
    from collections.abc import Iterator

_RUN = re.compile(r"(?<![A-Za-z0-9_+/=~.%\-])[A-Za-z0-9_+/=~.%\-]{12,}")
_HAS_DIGIT = re.compile(r"[0-9]")
_LONG_LETTERS = re.compile(r"[A-Za-z]{20}")
_PART = re.compile(r"[A-Za-z0-9_\-+=~%]")

CERTAIN = 12.0  # nats: reached by 1 in 5,000 lines of real customization files and by nearly all drawn tokens
_CONTEXT = 60  # characters before that tell what a token is


def opaque_tokens(text: str) -> Iterator[Found]:
    """Find strings that look drawn at random, except those that only name a thing."""
    for match in _RUN.finditer(text):
        run = match.group()
        if _HAS_DIGIT.search(run) or _LONG_LETTERS.search(run):
            found = _drawn_token(text, run, match.start()) or issued_token(run)
            if found:
                yield Found("token", match.start() + found[0], match.start() + found[1])


def _drawn_token(text: str, run: str, at: int) -> tuple[int, int] | None:
    """Find where in a run the token lies that was drawn at random, if there is one and it opens something."""
    score, start, end = strangest_stretch(run)
    if score < CERTAIN or not is_drawn(run[start:end]):
        return None
    before = text[max(0, at + start - _CONTEXT) : at + start].rpartition("\n")[2]
    if is_identifier(run, start, end, before=before, after=text[at + end : at + end + 8]):
        return None
    return _whole(run, start, end)


def is_drawn(stretch: str) -> bool:
    """Whether a stretch has enough of what random strings have: digits among letters, or both cases at length."""
    digits = sum(char.isdigit() for char in stretch)
    letters = sum(char.isalpha() for char in stretch)
    if benign.is_repetitive(stretch):
        return False
    if digits >= 2 and letters >= 2:
        return digits + letters >= 12
    return letters >= 20 and not stretch.islower() and not stretch.isupper()


def is_identifier(run: str, start: int, end: int, *, before: str, after: str) -> bool:
    """Whether a stretch of a run names a commit, a digest, a version, a file or another thing, and opens nothing."""
    stretch = run[start:end]
    return (
        benign.is_uuid(stretch)
        or benign.is_ulid(stretch)
        or benign.is_version(run)
        or benign.is_commit(stretch, before)
        or benign.is_digest(stretch, before)
        or benign.is_hashed_file(stretch, after)
        or benign.is_known_id(run)
        or benign.is_dummy(run)
        or (benign.is_hex(stretch.replace("/", "")) and "/" in run[:start])
    )


def _whole(run: str, start: int, end: int) -> tuple[int, int]:
    """The token around a stretch, with its prefix."""
    while start > 0 and _PART.match(run[start - 1]):
        start -= 1
    while end < len(run) and _PART.match(run[end]):
        end += 1
    return start, end
