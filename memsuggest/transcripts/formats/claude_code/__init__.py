"""Claude Code sessions: `~/.claude/projects/<folder>/<session>.jsonl`, one record a line.

Most lines are tool results, progress and thinking: they are told apart by their first bytes and never decoded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memsuggest.model import Transcript
from memsuggest.transcripts.formats.claude_code.session_records import Session
from memsuggest.transcripts.formats.claude_code.tool_answers import BEGINNINGS
from memsuggest.transcripts.parsing.json_records import first_objects, text_of
from memsuggest.transcripts.progress.continuing import Continued
from memsuggest.transcripts.storage.json_lines import decoded
from memsuggest.transcripts.storage.source import Position

if TYPE_CHECKING:
    from memsuggest.model import Skipped
    from memsuggest.transcripts.storage.source import Source

NAME = "claude-code"

_HEAD = 1024  # bytes of a line that tell its kind
_SIDE_HEAD = 400  # bytes in which side chains say so
_RESULT_HEAD = 2048  # bytes of a tool's result that tell whether the person's words are in it
_ASSISTANT = b'"role":"assistant"'
_TYPE, _SIDE = b'"type":"', b'"isSidechain":true'
_MAIN = b',"isSidechain":false'
_PARENT = len('{"parentUuid":"01234567-89ab-cdef-0123-456789abcdef"')
"""Bytes before `_MAIN` in most lines; where it stands, nobody has to look for `_SIDE`."""
_TEXT, _OF_FILE = b'"type":"text"', b',"file"'  # the latter: a file that was read, not a block of the message
_PLAIN_RESULT = b'tool_result","content":"'
_SAID = tuple(beginning.encode() for beginning in BEGINNINGS)
_SPEAKERS = frozenset({b'user","m', b"assistan"})
_SKIPPED = frozenset({b"progress", b"file-his", b'summary"', b'system",', b"last-pro", b"custom-t", b'mode","m'})
"""First letters of kinds of lines, eight of each."""
_WANTED_ATTACHMENTS = (b'"type":"queued_command"', b'"type":"nested_memory"', b'"type":"file"')
_OTHER_KINDS = frozenset({"file-history-snapshot", "queue-operation", "custom-title", "mode", "last-prompt", "summary"})
_MESSAGE_KINDS = frozenset({"user", "assistant", "system", "attachment", "progress"})


def sniff(head: bytes, _name: str) -> bool:
    """Recognise records with a parent and a session, or the bookkeeping records that a session begins with."""
    return any(_is_record(fields) for fields in first_objects(head))


def _is_record(fields: dict[str, Any]) -> bool:
    kind = text_of(fields.get("type"))
    if kind in _MESSAGE_KINDS:
        return "uuid" in fields and ("parentUuid" in fields or "isSidechain" in fields)
    return kind in _OTHER_KINDS and not fields.keys().isdisjoint({"sessionId", "leafUuid", "snapshot"})


def read(source: Source) -> Transcript:
    """Read one session."""
    return read_on(source, {}).transcript


def read_on(source: Source, notes: dict[str, Any]) -> Continued:
    """Read one session from `source.start` on, where the `notes` of an earlier reading were taken."""
    skipped: list[Skipped] = []
    session = Session(notes)
    for line in source.lines(skipped, is_wanted=is_wanted):
        if line.data.find(_ASSISTANT, 0, _HEAD) >= 0:
            session.replies.take(line.data)
            continue
        session.place = Position(line.start, line.number - 1)
        fields = decoded(line, source, skipped)
        if fields.get("type") != "assistant":
            session.take(fields)
        elif not fields.get("isSidechain"):  # a record that another program wrote out again, with blanks
            session.replies.take(line.data)
    transcript = Transcript(
        turns=session.turns(),
        session_id=session.session_id or source.name,
        format=NAME,
        origin=source.name,
        workspace=session.workspace,
        files_written=tuple(session.replies.written),
        skipped=tuple(skipped),
    )
    return Continued(transcript, session.restarts(), session.notes, is_whole=not session.reaches_back())


def is_wanted(data: bytes, start: int, end: int) -> bool:
    """Tell from a line's raw bytes whether it can hold the person's words or a signal; in doubt it does.

    A quotation mark inside a string is escaped, so these bytes are keys and values, never text. This is asked of every
    line, so it looks as little as it can.
    """
    find, starts = data.find, data.startswith
    head = start + _HEAD if end - start > _HEAD else end
    kind = find(_TYPE, start, head) + 8
    if kind < 8:
        return find(_SIDE, start, head) < 0
    letters = data[kind : kind + 8]
    if letters in _SKIPPED or not (starts(_MAIN, start + _PARENT) or find(_SIDE, start, start + _SIDE_HEAD) < 0):
        return False
    if letters in _SPEAKERS:
        kind = find(_TYPE, kind, head) + 8
    if starts(b'message"', kind):  # the assistant's
        is_thought = starts(b'thinking"', (block := find(_TYPE, kind, head) + 8))
        return not is_thought or find(b'"type":"t', block, end) >= 0  # a text or a tool's call behind it
    if starts(b'tool_result"', kind):
        return _may_be_said(data, kind, end)
    if find(b'"attachment":{', start, head) >= 0:
        return any(find(each, start, head) >= 0 for each in _WANTED_ATTACHMENTS)
    return True


def _may_be_said(data: bytes, kind: int, end: int) -> bool:
    """Tell of a tool's result whether the person's words can be in it or beside it."""
    find = data.find
    if data.startswith(_PLAIN_RESULT, kind):
        is_said = data.startswith(_SAID, kind + len(_PLAIN_RESULT))
    else:
        head = min(kind + _RESULT_HEAD, end)
        is_said = find(b"doesn't want to ", kind, head) >= 0 or find(b" answered", kind, head) >= 0
    if is_said:
        return True
    text = find(_TEXT, kind, end)
    return text >= 0 and not data.startswith(_OF_FILE, text + len(_TEXT))
