"""OpenAI Codex sessions: `rollout-*.jsonl`, in all three generations of the format."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from memsuggest.transcripts.formats.codex.session_records import Rollout, payload_of
from memsuggest.transcripts.parsing.json_records import first_objects, outline, text_of
from memsuggest.transcripts.parsing.prefilter import is_other_than, objects
from memsuggest.transcripts.parsing.transcript_builder import TranscriptBuilder
from memsuggest.transcripts.storage.json_lines import decoded
from memsuggest.transcripts.storage.source import BEGINNING

if TYPE_CHECKING:
    from memsuggest.model import Transcript
    from memsuggest.transcripts.progress.continuing import Continued
    from memsuggest.transcripts.storage.source import Source

NAME = "codex"

_ENVELOPES = frozenset({"session_meta", "response_item", "event_msg", "turn_context", "compacted"})
_LEGACY_KEYS = frozenset({"id", "timestamp", "instructions"})
_RECORD_HEAD = 512  # bytes within which even the longest first line names its kind
_OUTPUTS = frozenset({b"function_call_output", b"custom_tool_call_output"})


def _is_rejection(kind: bytes, data: bytes, start: int, end: int) -> bool:
    return kind in _OUTPUTS and data.find(b"rejected by user", start, min(start + 1024, end)) >= 0


is_wanted = is_other_than(
    "reasoning", "agent_reasoning", "agent_reasoning_raw_content", "agent_reasoning_section_break", "token_count",
    "compacted", "web_search_call", "ghost_snapshot", "exec_command_begin", "exec_command_end", "mcp_tool_call_end",
    "patch_apply_begin", "patch_apply_end", "turn_diff", "task_started", "task_complete", "function_call_output",
    "custom_tool_call_output", unless=_is_rejection,
)  # fmt: skip


def sniff(head: bytes, _name: str) -> bool:
    """Recognise records in envelopes, or the bare header of the first generation."""
    first = next(first_objects(head), None)
    if first:
        return _is_envelope(first) or _is_legacy_header(first)
    return outline(head).keys.keys() >= {"timestamp", "type", "payload"} and b'"session_meta"' in head[:_RECORD_HEAD]


def _is_envelope(fields: dict[str, Any]) -> bool:
    return text_of(fields.get("type")) in _ENVELOPES and isinstance(fields.get("payload"), dict)


def _is_legacy_header(fields: dict[str, Any]) -> bool:
    return fields.keys() >= _LEGACY_KEYS and not fields.keys() & {"type", "payload", "role", "messages", "uuid"}


def read(source: Source) -> Transcript:
    """Read one rollout; a sub-agent's has no turns of a person."""
    return read_on(source, {}).transcript


def read_on(source: Source, notes: dict[str, Any]) -> Continued:
    """Read one rollout from `source.start` on, where the `notes` of an earlier reading were taken."""
    builder = TranscriptBuilder(source, name=NAME, notes=notes)
    header = next(objects(replace(source, start=BEGINNING), []), {})
    rollout = Rollout(builder, notes)
    if not notes and (header.get("type") == "session_meta" or _is_legacy_header(header)):
        if _is_subagent(payload_of(header)):
            builder.skip("a sub-agent's session: no person typed in it")
            return builder.continued()
        rollout.begin(payload_of(header))
    for line in source.lines(builder.skipped, is_wanted=is_wanted):
        builder.stand(line)
        if not rollout.take_raw(line.data) and (fields := decoded(line, source, builder.skipped)):
            rollout.take(fields)
    rollout.end()
    done = builder.continued()
    return done._replace(notes=lambda restart: done.notes(restart) | rollout.notes(restart))


def _is_subagent(meta: dict[str, Any]) -> bool:
    thread = meta.get("thread_source")
    return isinstance(meta.get("source"), dict) or (isinstance(thread, str) and thread not in {"", "user"})
