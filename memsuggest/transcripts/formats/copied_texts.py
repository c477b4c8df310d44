"""Chats as Markdown or plain text, with lines that name who speaks: Copilot's on github.com and in VS Code, Cursor's.

Nothing in them is escaped, so a role counts only where its own program puts one.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import PurePath
from urllib.parse import unquote

from memsuggest.core.model import Transcript, hash_of
from memsuggest.transcripts.parsing.continuing import Format
from memsuggest.transcripts.parsing.plain_text import Message, Opening, messages
from memsuggest.transcripts.parsing.transcript_builder import TranscriptBuilder
from memsuggest.transcripts.storage.source import Source


def _messages(source: Source, opening: Callable[[str, bool], Opening | None]) -> list[Message]:
    return messages(source.whole().decode("utf-8", "replace").lstrip(), opening=opening)


_TITLE = b"# Copilot Chat Conversation Export"
_USER = re.compile(r"^\*\*User:\*\* (@[\w-]{1,39})", re.MULTILINE)
_THREAD = re.compile(r"^\*\*Thread URL:\*\* (\S{1,300})", re.MULTILINE)
_COPILOT = "## Copilot"
_NOTICE = re.compile(r"^\*System: [^\n]{1,200}\*[ \t]*$", re.MULTILINE)  # such as "User retried message"


def _read_github(source: Source) -> Transcript:
    """Read a thread that a browser's tool exported; only a heading with exactly the header's login is the person's."""
    builder = TranscriptBuilder(source, name=GITHUB.NAME)
    head = source.head().decode("utf-8", "replace").partition("\n## ")[0]
    user, thread = _USER.search(head), _THREAD.search(head)
    builder.session_id = hash_of(GITHUB.NAME, thread[1]) if thread else ""
    prompt = f"## {user[1]}" if user else _COPILOT

    def opening(line: str, _is_after_blank: bool) -> Opening | None:
        heading = line.rstrip()
        return (heading == prompt != _COPILOT, "") if heading in {prompt, _COPILOT} else None

    retried: set[str] = set()
    for message in _messages(source, opening):
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


_ASSISTANT = "GitHub Copilot:"
_FIRST_NAME = re.compile(rb"[\w-]{1,39}:(?=[ \r\n])")
_ANSWER = re.compile(rb"^(?:(GitHub Copilot)|Assistant|ChatGPT):(?=[ \r\n])", re.MULTILINE)
"""Who answers; where somebody else answers first, Copilot's name was only pasted."""
_REFERENCE = re.compile(r"\]\(file://(/[^)\s#]{1,500})(?:#[^)\s]{0,40})?\)")


def _sniff_copy(head: bytes, _name: str) -> bool:
    answer = _ANSWER.search(head)
    return bool(_FIRST_NAME.match(head)) and bool(answer and answer[1])


def _read_copy(source: Source) -> Transcript:
    """Read what VS Code's "Copy All" gives; a name begins a message only after a blank line."""
    builder = TranscriptBuilder(source, name=COPY.NAME)
    first = _FIRST_NAME.match(source.head() + b"\n")
    person = first[0].decode("utf-8", "replace") if first else _ASSISTANT

    def opening(line: str, is_after_blank: bool) -> Opening | None:
        name, _, rest = line.partition(":")
        if not is_after_blank or not (rest == "" or rest.startswith(" ")):
            return None
        return (f"{name}:" == person, rest) if f"{name}:" in {person, _ASSISTANT} and ":" in line else None

    for message in _messages(source, opening):
        paths = [unquote(path) for path in _REFERENCE.findall(message.text)]
        if message.is_person:
            builder.listen(message.text, paths=paths, is_doubtful=message.is_doubtful)
        else:
            builder.activity.say(message.text)
            for path in paths:
                builder.activity.touch(path)
    return builder.finished(is_export=True)


_ROLES = {"user:": True, "assistant:": False, "A:": False}
_FIRST_ROLE = re.compile(rb"user:[ \t]*\r?\n\s*<(?:user_query|user_info|timestamp|attached_files|system_reminder)>")
_END = "</user_query>"
_CALL = re.compile(r"^\[Tool call\] (\S{1,80})", re.MULTILINE)
_FULL_RESULT = re.compile(r"^\[Tool result\][^\n]*\n(?=[^\n\[])", re.MULTILINE)


def _read_cursor(source: Source) -> Transcript:
    """Read an older agent transcript of Cursor, as far as what was typed in it can be told.

    A prompt stands in `<user_query>`, behind a blank line and a role, outside code; none counts behind a tool's result
    that is not empty, for that could hold all of this.
    """
    builder = TranscriptBuilder(source, name=CURSOR.NAME)
    builder.is_cursor = True
    builder.session_id = PurePath(source.name.replace("\\", "/")).stem if source.path else ""

    def opening(line: str, is_after_blank: bool) -> Opening | None:
        role = line.rstrip()
        return (_ROLES[role], "") if is_after_blank and role in _ROLES else None

    for message in _messages(source, opening):
        if not message.is_person:
            builder.activity.say(_CALL.sub(r"[\1]", message.text))
            if _FULL_RESULT.search(message.text):
                builder.skip("reading stopped at a tool's output; you may not have typed the text below")
                break
        elif "<user_query>" in message.text:
            query, end, _ = message.text.rpartition(_END)  # behind it may stand half of the next role
            builder.listen(query + end)
    return builder.finished()


GITHUB = Format("copilot-github", lambda head, _: head.startswith(_TITLE), _read_github)
COPY = Format("copilot-copy", _sniff_copy, _read_copy)
CURSOR = Format("cursor-text", lambda head, _: bool(_FIRST_ROLE.match(head)), _read_cursor)
