"""Tokens that an assistant itself used in a session, where its format says so. Looks at raw bytes only.

What comes from a cache counts a tenth, as it is charged.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memsuggest.transcripts.formats import claude_code, codex, gemini_cli

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

CACHED = 0.1
"""What a token from the cache counts."""
_NEAR = 600  # bytes behind a key within which its numbers stand
_ID = re.compile(rb'"id": ?"(msg_[^"\\]{1,80})"')
_USAGE, _ANSWER = re.compile(rb'"usage": ?\{'), re.compile(rb'"type": ?"assistant"')
_TOTAL = re.compile(rb'"total_token_usage": ?\{[^{}]{0,300}')
_TOKENS = re.compile(rb'"tokens":\s*\{[^{}]{0,300}')


def token_usage(path: Path, format: str) -> int | None:
    """Return the tokens that the assistant used in the session of a file; None where nothing says so."""
    tell = _TELLERS.get(format)
    if tell is None:
        return None
    try:
        with path.open("rb") as lines:
            return tell(lines) or None
    except OSError:
        return None


def _number(name: bytes, text: bytes) -> int:
    found = re.search(rb'"' + name + rb'":\s*(\d{1,12})', text)
    return int(found[1]) if found else 0


def _of_claude(lines: Iterable[bytes]) -> int:
    """Sum what each message used; a message in several records says it in each."""
    used: dict[bytes, float] = {}
    for line in lines:
        found = _USAGE.search(line) if b'"usage"' in line else None
        if found is None or not _ANSWER.search(line):
            continue
        name = _ID.search(line)
        told = line[found.start() : found.start() + _NEAR]
        whole = _number(b"input_tokens", told) + _number(b"cache_creation_input_tokens", told)
        whole += _number(b"output_tokens", told)
        key = name[1] if name else b"%d" % len(used)
        used[key] = max(used.get(key, 0.0), whole + CACHED * _number(b"cache_read_input_tokens", told))
    return round(sum(used.values()))


def _of_codex(lines: Iterable[bytes]) -> int:
    """Take the last running total; it starts anew where a session was resumed."""
    before = total = 0.0
    for line in lines:
        for told in _TOTAL.findall(line) if b'"total_token_usage"' in line else ():
            cached = _number(b"cached_input_tokens", told)
            now = _number(b"input_tokens", told) - (1 - CACHED) * cached + _number(b"output_tokens", told)
            total += now - before if now >= before else now
            before = now
    return round(total)


def _of_gemini(lines: Iterable[bytes]) -> int:
    """Sum what each answer used."""
    found = _TOKENS.findall(b"".join(line.strip() for line in lines))
    return round(
        sum(
            _number(b"input", told)
            - (1 - CACHED) * _number(b"cached", told)
            + _number(b"output", told)
            + _number(b"thoughts", told)
            for told in found
        )
    )


_TELLERS: dict[str, Callable[[Iterable[bytes]], int]] = {
    claude_code.NAME: _of_claude,
    codex.NAME: _of_codex,
    gemini_cli.NAME: _of_gemini,
}
