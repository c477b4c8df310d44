"""Cursor's agent transcripts: `agent-transcripts/<id>/<id>.jsonl`, one message a line, no times, no tool results."""

from __future__ import annotations

import re
from datetime import datetime
from pathlib import PurePath
from typing import Any

from memsuggest.transcripts.parsing.continuing import Continued, whole_reader
from memsuggest.transcripts.parsing.json_records import blocks_of, fields_of, first_objects, instant, text_of
from memsuggest.transcripts.parsing.transcript_builder import TranscriptBuilder
from memsuggest.transcripts.storage.source import Source, objects

NAME = "cursor-agent"

_MASKED = "[REDACTED]"  # Cursor ends texts with it
_SENT = re.compile(r"\s*<timestamp>([^<\n]{1,80})</timestamp>")
_SPELLED = re.compile(
    r"\b([A-Z][a-z]{2})[a-z]{0,6} (\d{1,2}), (\d{4}),? (\d{1,2}):(\d\d)(?: ([AP]M))?(?: \(UTC([+-]\d{1,2})\b)?"
)
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_INTERRUPTED = frozenset({"cancelled", "canceled", "aborted", "interrupted"})


def sniff(head: bytes, _name: str) -> bool:
    """Recognise messages with a role and no type; a turn's end is the only other record."""
    found = list(first_objects(head))
    return any(_is_message(fields) for fields in found) and all(
        _is_message(fields) or fields.get("type") == "turn_ended" for fields in found
    )


def _is_message(fields: dict[str, Any]) -> bool:
    return "type" not in fields and "role" in fields and isinstance(fields.get("message"), dict)


def read_on(source: Source, notes: dict[str, Any]) -> Continued:
    builder = TranscriptBuilder(source, name=NAME, notes=notes)
    place = PurePath(source.name.replace("\\", "/"))
    builder.session_id = place.stem if source.path else ""
    builder.is_cursor = True
    if place.parent.name == "subagents":
        builder.skip("subagent session without typed messages")
        return builder.continued()
    for fields in objects(source, builder.skipped, stand=builder.stand):
        blocks = blocks_of(fields_of(fields.get("message")).get("content"))
        if fields.get("type") == "turn_ended" and text_of(fields.get("status")) in _INTERRUPTED:
            builder.hint(after_interruption=True)
        elif fields.get("role") == "user":
            text = "\n".join(text_of(block.get("text")) for block in blocks)
            builder.listen(text.strip().removesuffix(_MASKED), at=_sent_at(text))
        elif fields.get("role") == "assistant":
            unmasked = (text_of(block.get("text")).strip().removesuffix(_MASKED) for block in blocks)
            builder.take_blocks((block | {"text": text} for block, text in zip(blocks, unmasked, strict=True)), at=None)
    return builder.continued()


read = whole_reader(read_on)


def _sent_at(message: str) -> datetime | None:
    """Read the time that Cursor puts before some prompts: ISO, or `Monday, Mar 2, 2026, 3:04 PM (UTC+1)`."""
    told = _SENT.match(message)
    if not told:
        return None
    spelled = _SPELLED.search(told[1])
    if not spelled or spelled[1] not in _MONTHS:
        return instant(told[1])
    month, day, year, hour, minute, half, zone = spelled.groups()
    hours = int(hour) % 12 + 12 * (half == "PM") if half else int(hour)
    date = f"{year}-{_MONTHS.index(month) + 1:02}-{int(day):02}T{hours:02}:{minute}:00"
    return instant(f"{date}{int(zone or 0):+03}:00")
