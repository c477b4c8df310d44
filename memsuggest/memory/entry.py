"""Memory entries: what the layers hold, as frozen values. Pure."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from memsuggest.core.identity import hash_of, normalised

EVERYWHERE = ""  # the project of what belongs to the person, wherever they work


class Layer(StrEnum):
    """The layer of an entry: how it reaches an assistant."""

    IDENTITY = "L0"  # who the person is: in every chat, in full; so it is short
    KNOWLEDGE = "L1"  # what was learned: found by what a prompt is about
    ARCHIVE = "L2"  # what was done: only ever added to, searched on request or when it fits very well


class Source(StrEnum):
    """The author of an entry; set by the way it came in, never taken from text. Most trusted first."""

    USER = "user"
    AGENT = "agent"
    SYSTEM = "system"


class EntryStatus(StrEnum):
    """Only `active` entries are ever recalled."""

    ACTIVE = "active"
    PENDING = "pending"  # contradicts the person's word, so it waits for theirs
    INACTIVE = "inactive"  # was corrected: kept so that one can see what was believed


class Entry(NamedTuple):
    """One thing that is remembered."""

    id: str
    layer: Layer
    content: str
    source: Source
    created_at: int  # milliseconds since the epoch
    updated_at: int
    status: EntryStatus = EntryStatus.ACTIVE
    project: str = EVERYWHERE  # the workspace's key
    task: str = ""  # what an archived entry was about: a task's or a branch's name
    section: str = ""  # the heading of an entry of the identity
    tags: tuple[str, ...] = ()
    session: str = ""  # the hashed session that it comes from
    superseded_by: str = ""  # the id of the entry that corrected it; of a pending one, of that which it contradicts
    recall_count: int = 0
    is_correction: bool = False  # whether the person put something right with it
    is_fact: bool = False  # whether it mirrors a fact: then it is changed where facts are
    position: int = 0  # its place in the identity, from 1, where the person has put that in order; 0 comes after those


def entry_id(layer: Layer, project: str, content: str) -> str:
    return hash_of(layer.value, project, normalised(content))


def new_entry(layer: Layer, project: str, content: str, source: Source, *, at: int) -> Entry:
    """Return an entry that begins now; `at` is in milliseconds since the epoch."""
    made = entry_id(layer, project, content)
    return Entry(made, layer, content, source, created_at=at, updated_at=at, project=project)


def archive_mark(entry: Entry) -> str:
    """Return the key by which an entry of the archive, once forgotten, does not come back, however it is told."""
    return hash_of("archived", entry.session, entry.tags[0] if entry.tags else "")
