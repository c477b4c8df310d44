"""Gemini CLI's memory: what was added to the person's own file, and the files of a project."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from memsuggest.notes.form import header_of, listed, note_text
from memsuggest.notes.note import NoteText
from memsuggest.notes.note_places import notes_in
from memsuggest.transcripts.discovery.places import gemini_folders

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memsuggest.errors import Skipped
    from memsuggest.notes.note_places import NotePlace
    from memsuggest.transcripts.discovery.surroundings import Surroundings

NAME, LABEL = "gemini-cli", "Gemini CLI"
_ADDED = re.compile(r"^## Gemini Added Memories[ \t]*$(?P<list>(?:(?!^#{1,2} ).*\n?)*)", re.MULTILINE)


def places(around: Surroundings) -> Iterator[NotePlace | Skipped]:
    """Yield the person's own file, and the notes of this project."""
    base = Path(around.environ.get("GEMINI_CLI_HOME") or around.home, ".gemini")
    yield from notes_in(around, base, NAME, ending="gemini.md", is_users=True)
    for folder in gemini_folders(around):
        yield from notes_in(around, f"{folder}/memory", NAME)


def read(text: str, place: NotePlace, _around: Surroundings) -> NoteText | None:
    """Read the list of what was added, or a file of the project."""
    if not place.is_users:
        return note_text(header_of(text))
    added = _ADDED.search(text)
    found = listed(added["list"], before=text.count("\n", 0, added.start("list"))) if added else ()
    return NoteText(type="added", statements=found) if found else None
