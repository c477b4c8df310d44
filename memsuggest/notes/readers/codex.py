"""Codex's memories: one store for all folders, in groups that each say which folder they are about."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from memsuggest.notes.form import demands, header_of, note_text, plain_text, shortened
from memsuggest.notes.note import NoteText, Statement
from memsuggest.notes.note_places import homes_of, notes_in
from memsuggest.transcripts.discovery.surroundings import is_same_or_below

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from memsuggest.errors import Skipped
    from memsuggest.notes.note_places import NotePlace
    from memsuggest.transcripts.discovery.surroundings import Surroundings

NAME, LABEL = "codex", "Codex"
_GROUP = re.compile(r"^# Task Group\b.*$", re.MULTILINE)
_FOLDER = re.compile(r"\bcwd=([^;\n]+)")
_THREAD = re.compile(r"\bthread_id=([\w-]+)")
_HEADING = re.compile(r"^#{2,6}\s+(.*)$")
_ITEM = re.compile(r"^\s{0,3}[-*]\s+(.*)$")
_ARROW = re.compile(r"\s*(?:->|→|=>)\s*")
_TASKS = re.compile(r"(?:\s*\[(?:Task|ad-hoc note)[^\]]*\])+\s*\Z")


def places(around: Surroundings) -> Iterator[NotePlace | Skipped]:
    """Yield the handbook, and what was noted by hand; the rest of the folder is made from the same."""
    base = around.folder("CODEX_HOME", ".codex") / "memories"
    for one in notes_in(around, base, NAME):
        if getattr(one, "path", "MEMORY.md").endswith("MEMORY.md"):
            yield one
    yield from notes_in(around, base / "extensions" / "ad_hoc" / "notes", NAME, is_users=True)


def read(text: str, place: NotePlace, around: Surroundings) -> NoteText | None:
    """Read the groups that are about this workspace; of each, what the person preferred and what failed."""
    if place.is_users:
        return note_text(header_of(text))
    starts = [found.start() for found in _GROUP.finditer(text)]
    found, sessions = list[Statement](), list[str]()
    roots = [type(around.root)(home) for home in homes_of(around)]
    for start, end in pairwise([*starts, len(text)]):
        group = text[start:end]
        if _is_here(group, roots):
            found += _stated(group, text.count("\n", 0, start))
            sessions += _THREAD.findall(group)
    return (
        NoteText(type="preferences", statements=tuple(found), session_id=sessions[0] if sessions else "")
        if found
        else None
    )


def _is_here(group: str, roots: list[Path]) -> bool:
    told = _FOLDER.search(group)
    return told is not None and any(is_same_or_below(told[1].strip(), root) for root in roots)


def _stated(group: str, before: int) -> Iterator[Statement]:
    """Yield guidance: what stands behind the arrow of a preference, and what orders something elsewhere."""
    heading = ""
    for number, line in enumerate(group.split("\n"), before + 1):
        if found := _HEADING.match(line):
            heading = found[1].casefold()
        elif item := _ITEM.match(line):
            text = plain_text(_TASKS.sub("", item[1]))
            parts = _ARROW.split(text)
            if "preference" in heading and len(parts) > 1:
                yield Statement(text=shortened(parts[-1]), line=number)
            elif demands(text):
                yield Statement(text=shortened(text), line=number)
