"""Cursor's older agent transcripts: `agent-transcripts/<id>/<id>.txt`, a role a line, what was typed in `<user_query>`.

Nothing in them is escaped. So a prompt counts only where Cursor itself puts one: behind a blank line and a role, in its
own element, outside code; and none behind a tool's result that is not empty, for it could hold all of that.
"""

from __future__ import annotations

import re
from pathlib import PurePath

from memsuggest.core.model import Transcript
from memsuggest.transcripts.parsing.plain_text import Opening, messages
from memsuggest.transcripts.parsing.transcript_builder import TranscriptBuilder
from memsuggest.transcripts.storage.source import Source

NAME = "cursor-text"

_ROLES = {"user:": True, "assistant:": False, "A:": False}
_FIRST = re.compile(rb"user:[ \t]*\r?\n\s*<(?:user_query|user_info|timestamp|attached_files|system_reminder)>")
_END = "</user_query>"
_CALL = re.compile(r"^\[Tool call\] (\S{1,80})", re.MULTILINE)
_FULL_RESULT = re.compile(r"^\[Tool result\][^\n]*\n(?=[^\n\[])", re.MULTILINE)


def sniff(head: bytes, _name: str) -> bool:
    return bool(_FIRST.match(head))


def read(source: Source) -> Transcript:
    """Read one session as far as what was typed in it can be told."""
    builder = TranscriptBuilder(source, name=NAME)
    builder.is_cursor = True
    builder.session_id = PurePath(source.name.replace("\\", "/")).stem if source.path else ""

    def opening(line: str, is_after_blank: bool) -> Opening | None:
        role = line.rstrip()
        return Opening(_ROLES[role]) if is_after_blank and role in _ROLES else None

    for message in messages(source.whole().decode("utf-8", "replace").lstrip(), opening=opening):
        if not message.is_person:
            builder.activity.say(_CALL.sub(r"[\1]", message.text))
            if _FULL_RESULT.search(message.text):
                builder.skip("text after a tool's output may not be typed, so reading stopped there")
                break
        elif "<user_query>" in message.text:
            query, end, _ = message.text.rpartition(_END)  # behind it may stand half of the next role
            builder.listen(query + end)
    return builder.finished()
