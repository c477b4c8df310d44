"""Sessions of Pi and Oh My Pi: `agent/sessions/<folder>/*.jsonl`, one entry a line, a tree by `id` and `parentId`.

Somebody who goes back to an earlier message and types another one leaves a branch behind: only the branch that leads to
the last entry counts. Entries of the first version have no ids; then all of them do.

And compact transcripts of the `entire` tool, `.entire/metadata/<session>/transcript.jsonl`, whichever assistant spoke:
where the assistant's own record lies beside one (`full.jsonl`), that tells more, and its own reader reads it.
"""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import Any

from memsuggest.core.model import Transcript
from memsuggest.transcripts.parsing.continuing import Format
from memsuggest.transcripts.parsing.json_records import blocks_of, fields_in, fields_of, first_objects, instant, text_of
from memsuggest.transcripts.parsing.transcript_builder import TranscriptBuilder
from memsuggest.transcripts.storage.source import Source, decoded, objects

NAME = "pi"

_HEAD = 400  # bytes of a line in which its kind, its ids and its role stand
_STRING = rb'"((?:[^"\\]|\\.){1,100})"'
_LINK = re.compile(rb'"id": ?' + _STRING + rb', ?"parentId": ?(?:null|' + _STRING + rb")")
_OUTPUT = re.compile(rb'"role": ?"(?:toolResult|bashExecution)"')
_BEFORE_HEADER = "title"  # Oh My Pi keeps a place for it before everything else
_SUBAGENT = "session_init"
_FILE, _END = "<file name=", "</file>"


def sniff(head: bytes, _name: str) -> bool:
    first = next((fields for fields in first_objects(head) if fields.get("type") != _BEFORE_HEADER), {})
    return first.get("type") == "session" and isinstance(first.get("id"), str) and "cwd" in first


def read(source: Source) -> Transcript:
    """Read one session; a sub-agent's has no turns of a person."""
    builder = TranscriptBuilder(source, name=NAME)
    abandoned = _abandoned(source)
    for line in source.lines(builder.skipped):
        if line.number in abandoned or _OUTPUT.search(line.data, 0, _HEAD):
            continue
        entry = decoded(line, source, builder.skipped)
        kind = text_of(entry.get("type"))
        if kind == _SUBAGENT and entry.get("task"):
            builder.skip("subagent session without typed messages")
            builder.withdraw()
            break
        if kind == "session":
            builder.session_id = builder.session_id or text_of(entry.get("id"))
            builder.cwd = builder.cwd or text_of(entry.get("cwd")) or None
            builder.workspace = builder.workspace or builder.cwd
            builder.model = text_of(entry.get("modelId")) or builder.model
        elif kind == "message":
            _take(builder, fields_of(entry.get("message")), entry)
        elif kind == "model_change":
            builder.model = text_of(entry.get("modelId")) or text_of(entry.get("model")) or builder.model
    return builder.finished()


def _abandoned(source: Source) -> set[int]:
    """Return the numbers of the lines that do not lead to the last entry; most are not decoded for it."""
    lines: dict[str, int] = {}
    parents: dict[str, str] = {}
    last = ""
    for line in source.lines([]):
        if found := _LINK.search(line.data, 0, _HEAD):
            own, parent = found[1].decode("utf-8", "replace"), (found[2] or b"").decode("utf-8", "replace")
        else:
            fields = fields_in(line.data) if b'"parentId"' in line.data else {}
            own, parent = text_of(fields.get("id")), text_of(fields.get("parentId"))
        if own:
            lines[own], parents[own], last = line.number, parent, own
    kept: set[str] = set()
    while last in parents and last not in kept:
        kept.add(last)
        last = parents[last]
    # Where the parent of the first is not in the file, what came before cannot be told apart.
    first = min((lines[own] for own in kept), default=0) if last else 0
    return {number for own, number in lines.items() if own not in kept and number > first}


def _take(builder: TranscriptBuilder, message: dict[str, Any], entry: dict[str, Any]) -> None:
    at = instant(entry.get("timestamp")) or instant(message.get("timestamp"))
    blocks = blocks_of(message.get("content"))
    if message.get("role") == "user":
        if not message.get("synthetic") and message.get("attribution") != "agent":
            texts = (text.rpartition(_END)[2] if text.lstrip().startswith(_FILE) else text for text in _texts(blocks))
            builder.listen(*texts, at=at, key=text_of(entry.get("id")))
    elif message.get("role") == "assistant":
        builder.take_blocks(blocks, at=at, model=message.get("model"))
        if message.get("stopReason") == "aborted":
            builder.hint(after_interruption=True)


def _texts(blocks: list[dict[str, Any]]) -> list[str]:
    return [text_of(block.get("text")) for block in blocks if block.get("type", "text") == "text"]


_COMPACT_KEYS = frozenset({"v", "agent", "cli_version", "type"})


def _sniff_entire(head: bytes, _name: str) -> bool:
    first = next(first_objects(head), {})
    return first.keys() >= _COMPACT_KEYS and isinstance(first["v"], int)


def _read_entire(source: Source) -> Transcript:
    builder = TranscriptBuilder(source, name=ENTIRE.NAME)
    folder = PurePath(source.name.replace("\\", "/")).parent.name if source.path else ""
    builder.session_id = "" if folder.isdecimal() else folder
    for record in objects(source, builder.skipped):
        builder.is_cursor = text_of(record.get("agent")).startswith("cursor")
        blocks, at = blocks_of(record.get("content")), instant(record.get("ts"))
        if record.get("type") == "user":
            builder.listen(*_texts(blocks), at=at, key=text_of(record.get("id")))
        elif record.get("type") == "assistant":
            builder.take_blocks(blocks, at=at, model=record.get("model"))
    return builder.finished()


ENTIRE = Format("entire", _sniff_entire, _read_entire)
