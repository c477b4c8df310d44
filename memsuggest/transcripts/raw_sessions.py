"""Raw sessions beside their turns: the tokens that were used, and whether the last turn is complete."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from memsuggest.core.errors import TranscriptError
from memsuggest.transcripts.formats import claude_code, codex, copilot_events, gemini_cli
from memsuggest.transcripts.parsing.json_records import fields_in, fields_of, items_of, text_of
from memsuggest.transcripts.storage.source import Position, Source

CACHED = 0.1
"""What a token from the cache counts."""
_NEAR = 600  # bytes behind a key within which its numbers stand
_ID = re.compile(rb'"id": ?"(msg_[^"\\]{1,80})"')
_USAGE, _ANSWER = re.compile(rb'"usage": ?\{'), re.compile(rb'"type": ?"assistant"')
_TOTAL = re.compile(rb'"total_token_usage": ?\{[^{}]{0,300}')
_TOKENS = re.compile(rb'"tokens":\s*\{[^{}]{0,300}')


def token_usage(path: Path, format: str) -> int | None:
    """Return the tokens that the assistant used in the session of a file; None where nothing says so."""
    tell = _TOKEN_COUNTS.get(format)
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


_TOKEN_COUNTS: dict[str, Callable[[Iterable[bytes]], int]] = {
    claude_code.NAME: _of_claude,
    codex.NAME: _of_codex,
    gemini_cli.NAME: _of_gemini,
}


_LOOKED_AT = 64 * 1024  # bytes at the end; in a longer last record nobody looks for the end of a turn
_INTERRUPTED = "[Request interrupted"
_LOCAL = ("<local-command", "<command-name>")
"""Beginnings of what stands in the person's name and that no answer need follow."""

Teller = Callable[[dict[str, Any]], bool | None]
"""Says of a record whether a turn is under way behind it; None: the record before it tells."""


def is_under_way(place: str, name: str) -> bool:
    """Tell whether the turn that the session at `place`, of this format, ends with is not finished yet."""
    teller = _TURN_ENDS.get(name)
    if teller is None:
        return False
    told = (teller(fields) for fields in _last_records(place) if fields)
    return next((one for one in told if one is not None), False)


def _last_records(place: str) -> Iterator[dict[str, Any]]:
    path = Path(place)
    try:
        start = max(0, path.stat().st_size - _LOOKED_AT)
        lines = Source.at(path).piece(Position(offset=start), _LOOKED_AT).split(b"\n")
    except (OSError, TranscriptError):
        return
    yield from map(fields_in, reversed(lines[1:] if start else lines))


def _in_claude_code(fields: dict[str, Any]) -> bool | None:
    kind, message = fields.get("type"), fields_of(fields.get("message"))
    if fields.get("isSidechain") or fields.get("isMeta"):
        return None
    if kind == "system" and fields.get("subtype") in {"turn_duration", "stop_hook_summary"}:
        return False
    if kind == "assistant":
        stop = text_of(message.get("stop_reason"))
        return stop == "tool_use" if stop else _kinds(message)[-1:] in (["tool_use"], ["thinking"])
    if kind != "user":
        return None
    content = message.get("content")
    texts = (
        [content] if isinstance(content, str) else [text_of(fields_of(item).get("text")) for item in items_of(content)]
    )
    if any(text.startswith(_INTERRUPTED) for text in texts):
        return False
    return None if any(text.startswith(_LOCAL) for text in texts) else True


def _kinds(message: dict[str, Any]) -> list[str]:
    return [text_of(fields_of(block).get("type")) for block in items_of(message.get("content"))]


def _in_codex(fields: dict[str, Any]) -> bool | None:
    event = text_of(fields_of(fields.get("payload")).get("type")) if fields.get("type") == "event_msg" else ""
    return {"task_started": True, "task_complete": False, "turn_aborted": False}.get(event)


def _in_copilot(fields: dict[str, Any]) -> bool | None:
    kind = text_of(fields.get("type"))
    return {"assistant.turn_start": True, "assistant.turn_end": False, "abort": False}.get(kind)


_TURN_ENDS: dict[str, Teller] = {
    claude_code.NAME: _in_claude_code,
    codex.NAME: _in_codex,
    copilot_events.NAME: _in_copilot,
}
"""Formats that say when a turn ends."""
