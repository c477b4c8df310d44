"""What "Copy All" puts on the clipboard in VS Code's chat: `<login>: question`, `GitHub Copilot: answer`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import unquote

from memsuggest.transcripts.draft import Draft
from memsuggest.transcripts.fences import Fences

if TYPE_CHECKING:
    from memsuggest.model import Transcript
    from memsuggest.transcripts.source import Source

NAME = "copilot-copy"

_ASSISTANT = "GitHub Copilot:"
_FIRST = re.compile(rb"[\w-]{1,39}:(?=[ \r\n])")
_ANSWER = re.compile(rb"^GitHub Copilot:(?=[ \r\n])", re.MULTILINE)
_REFERENCE = re.compile(r"\]\(file://(/[^)\s#]{1,500})(?:#[^)\s]{0,40})?\)")


def sniff(head: bytes, _name: str) -> bool:
    """Recognise a login before the first text, and the assistant's name after it."""
    return bool(_FIRST.match(head)) and bool(_ANSWER.search(head))


def read(source: Source) -> Transcript:
    """Read one chat; a name begins a message only after a blank line, and not inside an answer's code."""
    draft = Draft(source, name=NAME)
    person, is_person, is_after_blank = "", False, True
    lines: list[str] = []
    fences = Fences()
    for _, line in source.text_lines(draft.skipped):
        if not person and (first := _FIRST.match(f"{line}\n".encode("utf-8", "replace"))):
            person = first[0].decode("utf-8", "replace")
        is_inside = fences.take(line)
        is_answer = is_after_blank and f"{line} ".startswith(f"{_ASSISTANT} ")
        is_prompt = is_after_blank and not is_inside and bool(person) and f"{line} ".startswith(f"{person} ")
        if is_answer or is_prompt:
            _take(draft, lines, is_person=is_person)
            is_person, lines, fences = is_prompt, [line.partition(":")[2]], Fences()
            fences.take(lines[0].lstrip())
        else:
            lines.append(line)
        is_after_blank = not line.strip()
    _take(draft, lines, is_person=is_person)
    return draft.finished()


def _take(draft: Draft, lines: list[str], *, is_person: bool) -> None:
    text = "\n".join(lines).strip()
    if is_person:
        draft.listen(text, paths=_references(text))
    elif text:
        draft.activity.say(text)
        for path in _references(text):
            draft.activity.touch(path)


def _references(text: str) -> list[str]:
    return [unquote(path) for path in _REFERENCE.findall(text)]
