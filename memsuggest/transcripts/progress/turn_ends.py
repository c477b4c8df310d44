"""The end of an assistant's turn, as far as the end of a growing session tells it.

Only where a format says so for certain: what cannot be told counts as finished, and is left to the debounce.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memsuggest.errors import TranscriptError
from memsuggest.transcripts.formats import claude_code, codex
from memsuggest.transcripts.formats.copilot import events
from memsuggest.transcripts.parsing.json_records import fields_in, fields_of, items_of, text_of
from memsuggest.transcripts.storage.source import Position, Source

if TYPE_CHECKING:
    from collections.abc import Iterator

_LOOKED_AT = 64 * 1024  # bytes at the end; in a longer last record nobody looks for the end of a turn
_INTERRUPTED = "[Request interrupted"
_LOCAL = ("<local-command", "<command-name>")
"""Beginnings of what stands in the person's name and that no answer need follow."""

Teller = Callable[[dict[str, Any]], bool | None]
"""Says of a record whether a turn is under way behind it; None: the record before it tells."""


def is_under_way(place: str, name: str) -> bool:
    """Tell whether the turn that the session at `place`, of this format, ends with is not finished yet."""
    teller = _TELLERS.get(name)
    if teller is None:
        return False
    told = (teller(fields) for fields in _last_records(place) if fields)
    return next((one for one in told if one is not None), False)


def _last_records(place: str) -> Iterator[dict[str, Any]]:
    """Yield the whole records at the end, the last one first."""
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
        [content] if isinstance(content, str) else [text_of(fields_of(one).get("text")) for one in items_of(content)]
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


_TELLERS: dict[str, Teller] = {
    claude_code.NAME: _in_claude_code,
    codex.NAME: _in_codex,
    events.NAME: _in_copilot,
}
"""Formats that say when a turn ends."""
