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
_SKIPPED_KINDS = (
    b'"type":"progress"',
    b'"type":"file-history-snapshot"',
    b'"type":"summary"',
    b'"type":"system"',
    b'"type":"last-prompt"',
    b'"isSidechain":true',
)
_WANTED_ATTACHMENTS = (b'"type":"queued_command"', b'"type":"nested_memory"', b'"type":"file"')
_WORDS_IN_RESULT = (b"doesn't want to ", b" answered your ", b"have been answered")
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
    """Tell from a line's raw bytes whether it can hold the person's words or a signal; in doubt it does."""
    head = line[:_HEAD]
    for kind in _SKIPPED_KINDS:
        if kind in head:
            return False
    if b'"tool_result"' in head:
        start = line[:_RESULT_HEAD]
        return any(words in start for words in _WORDS_IN_RESULT) or b'"type":"text"' in line
    if b'"type":"thinking"' in head:
        return b'"type":"text"' in line or b'"type":"tool_use"' in line
    if b'"attachment":{' in head:
        return any(kind in head for kind in _WANTED_ATTACHMENTS)
    return True
