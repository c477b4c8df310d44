"""The table of the readers: a new assistant is a module here and a row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from memsuggest.notes.readers import claude_code, cline, codex, gemini_cli, junie, qwen_code, vscode

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from memsuggest.errors import Skipped
    from memsuggest.notes.note import NoteText
    from memsuggest.notes.note_places import NotePlace
    from memsuggest.transcripts.discovery.surroundings import Surroundings


class Reader(Protocol):
    """A module that knows one assistant's notes."""

    NAME: str
    LABEL: str
    """The assistant, for people."""

    def places(self, around: Surroundings, /) -> Iterator[NotePlace | Skipped]:
        """Yield the files, and what is left out."""
        ...

    def read(self, text: str, place: NotePlace, around: Surroundings, /) -> NoteText | None:
        """Return what stands in a file, which was redacted; None for nothing that is about this workspace."""
        ...


READERS: Mapping[str, Reader] = {
    claude_code.NAME: claude_code,
    codex.NAME: codex,
    gemini_cli.NAME: gemini_cli,
    vscode.NAME: vscode,
    qwen_code.NAME: qwen_code,
    junie.NAME: junie,
    cline.NAME: cline,
}
