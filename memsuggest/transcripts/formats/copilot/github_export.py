"""Copilot chats of github.com, as a browser's tool exports them to Markdown."""

from __future__ import annotations

import re

from memsuggest.core.model import Transcript, hash_of
from memsuggest.transcripts.parsing.plain_text import Opening, messages
from memsuggest.transcripts.parsing.transcript_builder import TranscriptBuilder
from memsuggest.transcripts.storage.source import Source

NAME = "copilot-github"

_TITLE = b"# Copilot Chat Conversation Export"
_USER = re.compile(r"^\*\*User:\*\* (@[\w-]{1,39})", re.MULTILINE)
_THREAD = re.compile(r"^\*\*Thread URL:\*\* (\S{1,300})", re.MULTILINE)
_COPILOT = "## Copilot"
_NOTICE = re.compile(r"^\*System: [^\n]{1,200}\*[ \t]*$", re.MULTILINE)  # such as "User retried message"


def sniff(head: bytes, _name: str) -> bool:
    return head.startswith(_TITLE)


def read(source: Source) -> Transcript:
    """Read one thread; only a heading with exactly the login of the header begins a message of the person."""
    builder = TranscriptBuilder(source, name=NAME)
    head = source.head().decode("utf-8", "replace").partition("\n## ")[0]
    user, thread = _USER.search(head), _THREAD.search(head)
    builder.session_id = hash_of(NAME, thread[1]) if thread else ""
    prompt = f"## {user[1]}" if user else _COPILOT

    def opening(line: str, _is_after_blank: bool) -> Opening | None:
        heading = line.rstrip()
        return Opening(heading == prompt != _COPILOT) if heading in {prompt, _COPILOT} else None

    retried: set[str] = set()
    for message in messages(source.whole().decode("utf-8", "replace").lstrip(), opening=opening):
        text = message.text.removesuffix("\n---").strip()
        if not message.is_person:
            builder.activity.say(text)
            continue
        words = _NOTICE.sub("", text).strip()
        if words not in retried:
            builder.listen(words, is_doubtful=message.is_doubtful)
        if words != text:
            retried.add(words)
    return builder.finished()
