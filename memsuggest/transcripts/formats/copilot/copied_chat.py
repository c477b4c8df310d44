""" "Copy All" of VS Code's chat: `<login>: question`, `GitHub Copilot: answer`."""

from __future__ import annotations

import re
from urllib.parse import unquote

from memsuggest.core.model import Transcript
from memsuggest.transcripts.parsing.plain_text import Opening, messages
from memsuggest.transcripts.parsing.transcript_builder import TranscriptBuilder
from memsuggest.transcripts.storage.source import Source

NAME = "copilot-copy"

_ASSISTANT = "GitHub Copilot:"
_FIRST = re.compile(rb"[\w-]{1,39}:(?=[ \r\n])")
_ANSWER = re.compile(rb"^(?:(GitHub Copilot)|Assistant|ChatGPT):(?=[ \r\n])", re.MULTILINE)
"""Who answers; where somebody else answers first, Copilot's name was only pasted."""
_REFERENCE = re.compile(r"\]\(file://(/[^)\s#]{1,500})(?:#[^)\s]{0,40})?\)")


def sniff(head: bytes, _name: str) -> bool:
    """Recognise a login before the first text, and the assistant's name after it."""
    answer = _ANSWER.search(head)
    return bool(_FIRST.match(head)) and bool(answer and answer[1])


def read(source: Source) -> Transcript:
    """Read one chat; a name begins a message only after a blank line."""
    builder = TranscriptBuilder(source, name=NAME)
    first = _FIRST.match(source.head() + b"\n")
    person = first[0].decode("utf-8", "replace") if first else _ASSISTANT

    def opening(line: str, is_after_blank: bool) -> Opening | None:
        name, _, rest = line.partition(":")
        if not is_after_blank or not (rest == "" or rest.startswith(" ")):
            return None
        return Opening(f"{name}:" == person, rest) if f"{name}:" in {person, _ASSISTANT} and ":" in line else None

    for message in messages(source.whole().decode("utf-8", "replace").lstrip(), opening=opening):
        if message.is_person:
            builder.listen(message.text, paths=_references(message.text), is_doubtful=message.is_doubtful)
        else:
            builder.activity.say(message.text)
            for path in _references(message.text):
                builder.activity.touch(path)
    return builder.finished(is_export=True)


def _references(text: str) -> list[str]:
    return [unquote(path) for path in _REFERENCE.findall(text)]
