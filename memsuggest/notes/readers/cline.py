"""Cline's memory bank: prose in the repo, most of it about how things stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.notes.form import header_of, note_text
from memsuggest.notes.note_places import notes_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memsuggest.errors import Skipped
    from memsuggest.notes.note import NoteText
    from memsuggest.notes.note_places import NotePlace
    from memsuggest.transcripts.discovery.surroundings import Surroundings

NAME, LABEL = "cline", "Cline"


def places(around: Surroundings) -> Iterator[NotePlace | Skipped]:
    """Yield its files."""
    yield from notes_in(around, around.root / "memory-bank", NAME)


def read(text: str, _place: NotePlace, _around: Surroundings) -> NoteText | None:
    """Read the sentences that demand something."""
    return note_text(header_of(text))
