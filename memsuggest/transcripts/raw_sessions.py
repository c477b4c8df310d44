"""Raw sessions beside their turns: the tokens that were used, and whether the last turn is complete."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from memsuggest.core.errors import TranscriptError
from memsuggest.transcripts.formats import claude_code, codex, copilot_events, gemini_cli
from memsuggest.transcripts.formats.codex import payload_of
from memsuggest.transcripts.parsing.json_records import fields_in, fields_of, items_of, text_of
from memsuggest.transcripts.storage.source import Position, Source

CACHED = 0.1  # what a token from the cache counts


def token_usage(path: Path, format: str) -> int | None:
    """Return the tokens that the assistant used in the session of a file; None where nothing says so."""
    count = _TOKEN_COUNTS.get(format)
    if count is None:
        return None
    try:
        with path.open("rb") as lines:
            return round(count(lines)) or None
    except OSError:
        return None


def _sum(used: dict[str, Any], cached: str, *names: str) -> float:
    found = [used.get(name) for name in names]
    whole = sum(number for number in found if isinstance(number, int))
    return whole + CACHED * (used[cached] if isinstance(used.get(cached), int) else 0)


def _of_claude(lines: Iterable[bytes]) -> float:
    """Sum what each message used; a message in several records says it in each."""
    used: dict[str, float] = {}
    for line in lines:
        fields = fields_in(line) if b'"usage"' in line else {}
        message = fields_of(fields.get("message"))
        if fields.get("type") == "assistant" and (usage := fields_of(message.get("usage"))):
            names = "input_tokens", "cache_creation_input_tokens", "output_tokens"
            name = text_of(message.get("id")) or str(len(used))
            used[name] = max(used.get(name, 0.0), _sum(usage, "cache_read_input_tokens", *names))
    return sum(used.values())


def _of_codex(lines: Iterable[bytes]) -> float:
    """Take the last running total; it starts anew where a session was resumed."""
    before = total = 0.0
    for line in lines:
        info = fields_of(payload_of(fields_in(line)).get("info")) if b'"total_token_usage"' in line else {}
        if found := fields_of(info.get("total_token_usage")):
            now = _sum(found, "cached_input_tokens", "input_tokens", "output_tokens")
            now -= found["cached_input_tokens"] if isinstance(found.get("cached_input_tokens"), int) else 0
            total += now - before if now >= before else now
            before = now
    return total


def _of_gemini(lines: Iterable[bytes]) -> float:
    content = b"".join(lines)
    records = [fields_in(content)] if b'"messages"' in content else map(fields_in, content.split(b"\n"))
    answers = (answer for record in records for answer in (items_of(record.get("messages")) or [record]))
    found = [fields_of(fields_of(answer).get("tokens")) for answer in answers]
    return sum(_sum(used, "cached", "input", "output", "thoughts") - _sum(used, "none", "cached") for used in found)


_TOKEN_COUNTS: dict[str, Callable[[Iterable[bytes]], float]] = {
    claude_code.NAME: _of_claude,
    codex.NAME: _of_codex,
    gemini_cli.NAME: _of_gemini,
}


_LOOKED_AT = 64 * 1024  # bytes at the end; in a longer last record nobody looks for the end of a turn
_INTERRUPTED = "[Request interrupted"
_LOCAL = ("<local-command", "<command-name>")
"""Beginnings of what stands in the person's name and that no answer need follow."""

_CODEX_ENDS = {"task_started": True, "task_complete": False, "turn_aborted": False}
_COPILOT_ENDS = {"assistant.turn_start": True, "assistant.turn_end": False, "abort": False}


def is_under_way(place: str, name: str) -> bool:
    """Tell whether the turn that the session at `place`, of this format, ends with is not finished yet."""
    teller, path = _TURN_ENDS.get(name), Path(place)
    if teller is None:
        return False
    try:
        start = max(0, path.stat().st_size - _LOOKED_AT)
        lines = Source.at(path).piece(Position(offset=start), _LOOKED_AT).split(b"\n")
    except (OSError, TranscriptError):
        return False
    found = (teller(fields) for line in reversed(lines[1:] if start else lines) if (fields := fields_in(line)))
    return next((is_open for is_open in found if is_open is not None), False)


def _in_claude_code(fields: dict[str, Any]) -> bool | None:
    kind, message = fields.get("type"), fields_of(fields.get("message"))
    if fields.get("isSidechain") or fields.get("isMeta"):
        return None
    if kind == "system" and fields.get("subtype") in {"turn_duration", "stop_hook_summary"}:
        return False
    if kind == "assistant":
        stop = text_of(message.get("stop_reason"))
        last = fields_of(next(reversed(items_of(message.get("content"))), None)).get("type")
        return stop == "tool_use" if stop else last in ("tool_use", "thinking")
    if kind != "user":
        return None
    content = message.get("content")
    items = [{"text": content}] if isinstance(content, str) else items_of(content)
    texts = [text_of(fields_of(item).get("text")) for item in items]
    if any(text.startswith(_INTERRUPTED) for text in texts):
        return False
    return None if any(text.startswith(_LOCAL) for text in texts) else True


_TURN_ENDS: dict[str, Callable[[dict[str, Any]], bool | None]] = {
    claude_code.NAME: _in_claude_code,
    codex.NAME: lambda fields: (
        _CODEX_ENDS.get(text_of(payload_of(fields).get("type"))) if fields.get("type") == "event_msg" else None
    ),
    copilot_events.NAME: lambda fields: _COPILOT_ENDS.get(text_of(fields.get("type"))),
}
"""Formats that say when a turn ends, and whether one is under way behind a record; None: the record before tells."""
