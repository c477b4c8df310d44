"""Junie's memory in the repo: blocks of JSON, each with an instruction `WHEN … THEN …`."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from memsuggest.notes.note import NoteText, Statement
from memsuggest.notes.note_places import notes_in
from memsuggest.transcripts.parsing.json_records import fields_of, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memsuggest.errors import Skipped
    from memsuggest.notes.note_places import NotePlace
    from memsuggest.transcripts.discovery.surroundings import Surroundings

NAME, LABEL = "junie", "Junie"
_BLOCK = re.compile(r"^\[[^\]\n]{8,40}\] - Updated by Junie[^\n]*\n", re.MULTILINE)
_WHEN = re.compile(r"\AWHEN\s+(?P<case>.+?)\s+THEN\s+(?P<rule>.+?)[.\s]*\Z", re.DOTALL)
_OF_PERSON = {"correction", "preference", "new instructions"}
"""Types of feedback that say how things are to be done; errors and tasks are about one piece of work."""


def places(around: Surroundings) -> Iterator[NotePlace | Skipped]:
    """Yield its three files."""
    yield from notes_in(around, around.root / ".junie" / "memory", NAME)


def read(text: str, place: NotePlace, _around: Surroundings) -> NoteText | None:
    """Read the instructions that came from what the person said, each once."""
    if not _BLOCK.search(text):
        return None
    is_feedback = place.path.replace("\\", "/").endswith("/feedback.md")
    found = {one.text: one for one in _instructions(text)} if is_feedback else {}
    return NoteText(type="feedback" if is_feedback else "project", statements=tuple(found.values()))


def _instructions(text: str) -> Iterator[Statement]:
    for head in _BLOCK.finditer(text):
        try:
            block = fields_of(json.JSONDecoder().raw_decode(text, head.end())[0])
        except (ValueError, RecursionError):
            continue  # half written
        told = _WHEN.match(text_of(block.get("NEW INSTRUCTION")))
        if told and text_of(block.get("TYPE")).casefold() in _OF_PERSON:
            line = text.count("\n", 0, head.start()) + 1
            yield Statement(text=f"When {told['case']}, {told['rule']}.", line=line)
