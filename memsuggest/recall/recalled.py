"""What a recall found, as values. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memsuggest.recall.entry import Entry


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """An entry that fits a query."""

    entry: Entry
    score: float
    """For the order: relevance, fused with trust and age. From 0; comparable within one recall."""
    fit: float
    """From 0 to 1, how sure it is that the entry helps: for whether it is shown to one who did not ask."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recalled:
    """What was found for a query."""

    query: str
    """After redaction."""
    hits: tuple[Hit, ...] = ()
    """Best first."""
