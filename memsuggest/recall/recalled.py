"""The findings of a recall, as values. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from memsuggest.recall.entry import Entry


class Hit(NamedTuple):
    """An entry that fits a query."""

    entry: Entry
    score: float
    """For the order: relevance, fused with trust and age. From 0; comparable within one recall."""
    fit: float
    """From 0 to 1, how sure it is that the entry helps: for whether it is shown to one who did not ask."""


class Recalled(NamedTuple):
    """The findings for a query."""

    query: str
    """After redaction."""
    hits: tuple[Hit, ...] = ()
    """Best first."""
