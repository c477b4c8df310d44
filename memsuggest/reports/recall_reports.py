"""Reports on memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from memsuggest.graphiti.graph_facts import GraphRecalled
    from memsuggest.model import MemoryFact
    from memsuggest.recall.entry import Entry, Layer
    from memsuggest.recall.recalled import Hit


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallReport:
    """The findings for a prompt."""

    query: str
    layer: Layer | None
    hits: Sequence[Hit]
    block: str
    """The same for an assistant; empty where nothing was found."""
    note: str = ""
    """What of the query was not searched for."""
    graph: GraphRecalled | None = None
    """What the Graphiti server knows; None where nobody wants to ask it."""
    is_explained: bool = False
    """Whether to say also why the graph had nothing to say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedHit:
    """An entry that was recalled once."""

    id: str
    score: float
    entry: Entry | None
    """None: it was forgotten since."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedRecall:
    """One recall in the log."""

    at: int
    """Milliseconds since the epoch."""
    via: str
    """`command`, `hook` or `mcp`."""
    query: str
    hits: Sequence[LoggedHit]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallLog:
    """The latest recalls, the newest first."""

    recalls: Sequence[LoggedRecall]


@dataclass(frozen=True, slots=True, kw_only=True)
class IdentityReport:
    """The identity of the person."""

    text: str
    """As Markdown."""
    used: int
    """Characters."""
    limit: int
    entries: Sequence[Entry]
    offered: Sequence[MemoryFact] = ()
    """Facts about the person that could stand there, too."""
    waiting: Sequence[Entry] = ()
    """What assistants wrote for it, which the person has not confirmed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryRows:
    """Entries of the layers."""

    entries: Sequence[Entry]
    is_whole: bool = False
    """Whether everything about them is to be told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryChanged:
    """A change of an entry."""

    did: str
    """`added`, `kept`, `updated`, `moved`, `waiting`, `deactivated`, `forgot` or `confirmed`."""
    entry: Entry
    note: str = ""
    """What else is to be known of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """An entry of a document that was not taken."""

    place: int
    """Its number in the document, from 1."""
    content: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EntriesChanged:
    """Changes of several entries."""

    changes: Sequence[EntryChanged]
    left_out: Sequence[LeftOut] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryRepaired:
    """A repair of the profile database."""

    entries: int
    """Entries that are kept; sure facts are among them."""
    facts: int
    app_memories: int
    lost: Sequence[str]
    """What could not be read, a line for each table."""
    aside: Path
    """The database as it was."""
