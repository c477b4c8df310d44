"""The identity as Markdown: the sections and lines of the layer that is in every chat, within its limit. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from memsuggest.memory.context_block import size_in_block
from memsuggest.memory.entry import Entry, EntryStatus, Layer

LIMIT = 1_000  # characters of the identity, headings and all, as an assistant gets it
USUAL_SECTION = "About me"
_HEADING = r"#{1,6}\s+(\S.*?)\s*#*$"
_BULLET = r"(?:[-*+]|\d{1,3}[.)])\s+"


def identity_of(entries: Iterable[Entry]) -> list[Entry]:
    """Return the entries that stand in the identity, in the order of their sections."""
    own = [entry for entry in entries if entry.layer is Layer.IDENTITY and entry.status is EntryStatus.ACTIVE]
    order = {section: at for at, section in enumerate(dict.fromkeys(entry.section for entry in own))}
    return sorted(own, key=lambda entry: order[entry.section])


def identity_text(entries: Sequence[Entry]) -> str:
    """Return the identity as Markdown, with a final newline; empty where there is none."""
    rows: list[str] = []
    section = None
    for entry in identity_of(entries):
        if entry.section != section:
            section = entry.section
            rows += ([""] if rows else []) + [f"## {section}"]
        rows.append(f"- {entry.content}")
    return "\n".join(rows) + "\n" if rows else ""


def identity_size(entries: Sequence[Entry]) -> int:
    """Return the characters of the identity as an assistant gets it."""
    return size_in_block(identity_text(entries))


def read_identity(text: str) -> list[tuple[str, str]]:
    """Return the sections and lines of an identity that the person has edited; every line with words counts."""
    found: list[tuple[str, str]] = []
    section = USUAL_SECTION
    for row in text.splitlines():
        line = row.strip()
        if heading := re.match(_HEADING, line):
            section = heading[1]
        elif line:
            found.append((section, re.sub(_BULLET, "", line, count=1)))
    return found


def section_name(name: str) -> str:
    return " ".join(name.replace("#", " ").split()) or USUAL_SECTION
