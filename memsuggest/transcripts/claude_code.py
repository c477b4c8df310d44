"""Claude Code sessions: `~/.claude/projects/<folder>/<session>.jsonl`, one record a line.

Most lines are tool results, progress and thinking: they are told apart by their first bytes and never decoded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memsuggest.model import Transcript
from memsuggest.transcripts.claude_session import Session
from memsuggest.transcripts.json_records import first_objects, records

if TYPE_CHECKING:
    from memsuggest.model import Skipped
    from memsuggest.transcripts.source import Source

NAME = "claude-code"

_HEAD = 1024  # bytes of a line that tell its kind
_RESULT_HEAD = 2048  # bytes of a tool's result that tell whether the person's words are in it
_TYPE, _SIDE = b'"type":"', b'"isSidechain":true'
_SKIPPED = (
    b'progress"',
    b'file-history-snapshot"',
    b'summary"',
    b'system"',
    b'last-prompt"',
    b'custom-title"',
    b'mode"',
)
_WANTED_ATTACHMENTS = (b'"type":"queued_command"', b'"type":"nested_memory"', b'"type":"file"')
_OTHER_KINDS = frozenset({"file-history-snapshot", "queue-operation", "custom-title", "mode", "last-prompt", "summary"})
_MESSAGE_KINDS = frozenset({"user", "assistant", "system", "attachment", "progress"})


def sniff(head: bytes, _name: str) -> bool:
    """Recognise records with a parent and a session, or the bookkeeping records that a session begins with."""
    return any(_is_record(fields) for fields in first_objects(head))


def _is_record(fields: dict[str, Any]) -> bool:
    kind = fields.get("type")
    if kind in _MESSAGE_KINDS:
        return "uuid" in fields and ("parentUuid" in fields or "isSidechain" in fields)
    return kind in _OTHER_KINDS and not fields.keys().isdisjoint({"sessionId", "leafUuid", "snapshot"})


def read(source: Source) -> Transcript:
    """Read one session."""
    skipped: list[Skipped] = []
    session = Session()
    for record in records(source, skipped, is_wanted=is_wanted):
        session.take(record.fields)
    turns = session.turns()
    return Transcript(
        session_id=session.session_id or source.name,
        format=NAME,
        origin=source.name,
        workspace=session.workspace,
        turns=turns,
        files_written=tuple(session.written),
        skipped=tuple(skipped),
    )


def is_wanted(line: bytes) -> bool:
    """Tell from a line's raw bytes whether it can hold the person's words or a signal; in doubt it does.

    A quotation mark inside a string is escaped, so these bytes are keys and values, never text.
    """
    find = line.find
    if line.startswith(_SKIPPED, find(_TYPE, 0, _HEAD) + len(_TYPE)) or find(_SIDE, 0, _HEAD) >= 0:
        return False
    if find(b'"tool_result"', 0, _HEAD) >= 0:
        return (
            find(b"doesn't want to ", 0, _RESULT_HEAD) >= 0
            or find(b" answered", 0, _RESULT_HEAD) >= 0
            or b'"type":"text"' in line
        )
    if find(b'"type":"thinking"', 0, _HEAD) >= 0:
        return b'"type":"text"' in line or b'"type":"tool_use"' in line
    if find(b'"attachment":{', 0, _HEAD) >= 0:
        return any(find(kind, 0, _HEAD) >= 0 for kind in _WANTED_ATTACHMENTS)
    return True
