"""Qwen Code's memory: the form is Claude Code's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.notes.form import header_of, note_text
from memsuggest.notes.note_places import notes_in, project_folders

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memsuggest.errors import Skipped
    from memsuggest.notes.note import NoteText
    from memsuggest.notes.note_places import NotePlace
    from memsuggest.transcripts.discovery.surroundings import Surroundings

NAME, LABEL = "qwen-code", "Qwen Code"


def places(around: Surroundings) -> Iterator[NotePlace | Skipped]:
    """Yield the notes of this project, of the person, and of the team."""
    base = around.home / ".qwen"
    for folder in project_folders(around, base / "projects"):
        yield from notes_in(around, f"{folder}/memory", NAME)
    yield from notes_in(around, base / "memories", NAME, is_users=True)
    yield from notes_in(around, around.root / ".qwen" / "team-memory", NAME)


def read(text: str, _place: NotePlace, _around: Surroundings) -> NoteText | None:
    """Read a topic file or an index."""
    return note_text(header_of(text))
