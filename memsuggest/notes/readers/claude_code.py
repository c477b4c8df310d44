"""Claude Code's memory: of this project, of its team, and of its subagents.

Source: code.claude.com/docs (memory, settings, sub-agents).
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from memsuggest.notes.form import header_of, note_text
from memsuggest.notes.note_places import notes_in, project_folders
from memsuggest.transcripts.discovery.surroundings import json_in
from memsuggest.transcripts.parsing.json_records import fields_of, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memsuggest.errors import Skipped
    from memsuggest.notes.note import NoteText
    from memsuggest.notes.note_places import NotePlace
    from memsuggest.transcripts.discovery.surroundings import Surroundings

NAME, LABEL = "claude-code", "Claude Code"
_IN_REPO = ("agent-memory", "agent-memory-local")


def places(around: Surroundings) -> Iterator[NotePlace | Skipped]:
    """Yield topic files and indexes."""
    named = around.environ.get("CLAUDE_CONFIG_DIR")
    for base in [Path(named)] if named else [around.home / ".claude", around.home / ".config" / "claude"]:
        for folder in (*_moved(around, base), *(f"{one}/memory" for one in project_folders(around, base / "projects"))):
            yield from notes_in(around, folder, NAME)
            yield from notes_in(around, f"{folder}/team", NAME, is_shared=True)
        for agent in around.folders_in(base / "agent-memory"):
            yield from notes_in(around, agent.path, NAME, is_users=True)
    for place in _IN_REPO:
        for agent in around.folders_in(around.root / ".claude" / place):
            yield from notes_in(around, agent.path, NAME)


def _moved(around: Surroundings, base: Path) -> Iterator[str]:
    """Yield where the person's own settings move this project's memory to; the repo's may not say so."""
    told = text_of(fields_of(json_in(base / "settings.json")).get("autoMemoryDirectory"))
    place = Path(str(around.home) + told[1:]) if told.startswith("~/") else Path(told)
    if told and place.is_absolute():
        yield from project_folders(around, place)


def read(text: str, place: NotePlace, _around: Surroundings) -> NoteText | None:
    """Read a topic file or an index."""
    found = note_text(header_of(text))
    is_index = Path(place.path).name == "MEMORY.md" and not found.type
    return replace(found, type="index") if is_index else found
