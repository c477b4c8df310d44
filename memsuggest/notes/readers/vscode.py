"""The memory tool of Copilot in VS Code: the person's own files, and those of a workspace; a session's own pass."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.notes.form import demands, header_of, listed
from memsuggest.notes.note import NoteText
from memsuggest.notes.note_places import notes_in
from memsuggest.transcripts.discovery.places import user_data, workspace_storages

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memsuggest.errors import Skipped
    from memsuggest.notes.note_places import NotePlace
    from memsuggest.transcripts.discovery.surroundings import Surroundings

NAME, LABEL = "vscode", "VS Code"


def places(around: Surroundings) -> Iterator[NotePlace | Skipped]:
    """Yield the files of both."""
    for user in user_data(around):
        folder = user / "globalStorage" / "github.copilot-chat" / "memory-tool" / "memories"
        yield from notes_in(around, folder, NAME, is_users=True)
    for storage in workspace_storages(around):
        yield from notes_in(around, f"{storage}/GitHub.copilot-chat/memory-tool/memories/repo", NAME)


def read(text: str, place: NotePlace, _around: Surroundings) -> NoteText | None:
    """Read the lines of a file without a schema that order something; of a workspace's, those that demand it."""
    header = header_of(text)
    found = listed(header.body, before=header.line)
    return NoteText(title=header.name, statements=tuple(one for one in found if place.is_users or demands(one.text)))
