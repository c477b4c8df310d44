"""What memory has to say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memsuggest.model import MemoryFact
    from memsuggest.recall.entry import Entry, Layer
    from memsuggest.recall.recalled import Hit


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallReport:
    """What was found for a prompt."""

    query: str
    layer: Layer | None
    hits: Sequence[Hit]
    block: str
    """The same for an assistant; empty where nothing was found."""


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
    """What is always known of the person."""

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
    """What was done to an entry."""

    did: str
    """`added`, `kept`, `updated`, `waiting`, `deactivated`, `forgot` or `confirmed`."""
    entry: Entry
    note: str = ""
    """What else is to be known of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EntriesChanged:
    """What was done to several entries."""

    changes: Sequence[EntryChanged]
