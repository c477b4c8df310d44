"""Compact transcripts of the `entire` tool: `.entire/metadata/<session>/transcript.jsonl`, whichever assistant spoke.

Where the assistant's own record lies beside it (`full.jsonl`), that one tells more, and its own reader reads it.
"""

from __future__ import annotations

from pathlib import PurePath
from typing import Any

from memsuggest.core.model import Transcript
from memsuggest.transcripts.parsing.json_records import fields_of, first_objects, instant, items_of, text_of
from memsuggest.transcripts.parsing.prefilter import objects
from memsuggest.transcripts.parsing.transcript_builder import TranscriptBuilder
from memsuggest.transcripts.storage.source import Source

NAME = "entire"

_KEYS = frozenset({"v", "agent", "cli_version", "type"})


def sniff(head: bytes, _name: str) -> bool:
    """Recognise a record with the versions of the form and of the tool."""
    first = next(first_objects(head), {})
    return first.keys() >= _KEYS and isinstance(first["v"], int)


def read(source: Source) -> Transcript:
    builder = TranscriptBuilder(source, name=NAME)
    builder.session_id = _session_id(source)
    for record in objects(source, builder.skipped):
        builder.is_cursor = text_of(record.get("agent")).startswith("cursor")
        content = record.get("content")
        blocks = [{"text": content}] if isinstance(content, str) else list(map(fields_of, items_of(content)))
        at = instant(record.get("ts"))
        if record.get("type") == "user":
            builder.listen(*_texts(blocks), at=at, key=text_of(record.get("id")))
        elif record.get("type") == "assistant":
            builder.model = text_of(record.get("model")) or builder.model
            for block in blocks:
                builder.take_block(block)
            builder.at = at
    return builder.finished()


def _session_id(source: Source) -> str:
    folder = PurePath(source.name.replace("\\", "/")).parent.name if source.path else ""
    return "" if folder.isdecimal() else folder


def _texts(blocks: list[dict[str, Any]]) -> list[str]:
    return [text_of(block.get("text")) for block in blocks if block.get("type", "text") == "text"]
