"""Copilot chats of github.com, as a browser's tool exports them to Markdown."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memsuggest.model import hash_of
from memsuggest.transcripts.draft import Draft
from memsuggest.transcripts.fences import Fences

if TYPE_CHECKING:
    from memsuggest.model import Transcript
    from memsuggest.transcripts.source import Source

NAME = "copilot-github"

_TITLE = b"# Copilot Chat Conversation Export"
_USER = re.compile(r"\*\*User:\*\* (@[\w-]{1,39})")
_THREAD = re.compile(r"\*\*Thread URL:\*\* (\S{1,300})")
_COPILOT = "## Copilot"


def sniff(head: bytes, _name: str) -> bool:
    """Recognise the export's title."""
    return head.startswith(_TITLE)


def read(source: Source) -> Transcript:
    """Read one thread; only a heading with exactly the login of the header begins a message of the person."""
    draft = Draft(source, name=NAME)
    prompt, role = "", ""
    lines: list[str] = []
    fences = Fences()
    for _, line in source.text_lines(draft.skipped):
        heading = line.rstrip()
        is_inside = fences.take(line)
        if heading == _COPILOT or (prompt and heading == prompt and not is_inside):
            _take(draft, role, lines)
            role, lines, fences = heading, [], Fences()
        elif role:
            lines.append(line)
        elif user := _USER.match(line):
            prompt = f"## {user[1]}"
        elif thread := _THREAD.match(line):
            draft.session_id = hash_of(NAME, thread[1])
    _take(draft, role, lines)
    return draft.finished()


def _take(draft: Draft, role: str, lines: list[str]) -> None:
    text = "\n".join(lines).strip().removesuffix("\n---").strip()
    if role == _COPILOT:
        draft.activity.say(text)
    elif role:
        draft.listen(text)
