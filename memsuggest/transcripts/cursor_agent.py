"""Cursor's agent transcripts: `agent-transcripts/<id>/<id>.jsonl`, one message a line, no times, no tool results."""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from memsuggest.transcripts.commands import files_patched, files_read
from memsuggest.transcripts.draft import Draft
from memsuggest.transcripts.json_records import fields_of, first_objects, instant, items_of, text_of
from memsuggest.transcripts.prefilter import objects

if TYPE_CHECKING:
    from datetime import datetime

    from memsuggest.model import Transcript
    from memsuggest.transcripts.continuing import Continued
    from memsuggest.transcripts.source import Source

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


def read(source: Source) -> Transcript:
    """Read one session; a sub-agent's has no turns of a person."""
    return read_on(source, {}).transcript


def read_on(source: Source, notes: dict[str, Any]) -> Continued:
    """Read one session from `source.start` on, where the `notes` of an earlier reading were taken."""
    draft = Draft(source, name=NAME, notes=notes)
    place = PurePath(source.name.replace("\\", "/"))
    draft.session_id = place.stem if source.path else ""
    draft.is_cursor = True
    if place.parent.name == "subagents":
        draft.skip("a sub-agent's session: no person typed in it")
        return draft.continued()
    for fields in objects(source, draft.skipped, stand=draft.stand):
        content = fields_of(fields.get("message")).get("content")
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else items_of(content)
        if fields.get("type") == "turn_ended" and text_of(fields.get("status")) in _INTERRUPTED:
            draft.hint(after_interruption=True)
        elif fields.get("role") == "user":
            text = "\n".join(text_of(fields_of(block).get("text")) for block in blocks)
            draft.listen(text.strip().removesuffix(_MASKED), at=_sent_at(text))
        elif fields.get("role") == "assistant":
            for block in map(fields_of, blocks):
                _take_block(draft, block)
    return draft.continued()


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


def _take_block(draft: Draft, block: dict[str, Any]) -> None:
    if block.get("type") == "text":
        draft.activity.say(text_of(block.get("text")).strip().removesuffix(_MASKED))
    elif block.get("type") == "tool_use":
        given = block.get("input")
        draft.use(text_of(block.get("name")) or "tool", given)
        for path in files_read(text_of(fields_of(given).get("command"))):
            draft.activity.touch(path)
        for path in files_patched(text_of(given) or text_of(fields_of(given).get("patch"))):
            draft.activity.touch(path, is_written=True)
