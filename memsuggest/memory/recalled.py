"""The findings of a recall, as values. Pure."""

from __future__ import annotations

from typing import NamedTuple

from memsuggest.memory.entry import Entry, Source
from memsuggest.memory.turns import ASSISTANT, Passage

CONTENT_LIMIT = 1_800  # characters of what is shown of a chat


class Hit(NamedTuple):
    """An entry that fits a query."""

    entry: Entry
    score: float
    """For the order: relevance, fused with trust and age. From 0; comparable within one recall."""
    at: int = 0  # when it was said, in milliseconds since the epoch; 0 for when the entry was changed last
    passage: Passage | None = None  # of a chat, the turns that answer
    common: int = 0
    """How many words of the query it has, a chat in its best turn and beside it, but for those of many prompts."""
    share: float = 1.0  # the weight of the query's words that it has, of all of them
    strength: float = 0.0  # the score in words that stand nowhere else: comparable between archives of any size
    is_weak: bool = False
    """Whether it has so little of the query, alone or next to the best, that right answers hardly ever do."""
    replaced_by: str = ""  # what was said later with another value for the same thing

    @property
    def content(self) -> str:
        """Return what it says: the turns of a chat, else the entry's own words."""
        return self.passage.as_text(CONTENT_LIMIT) if self.passage else self.entry.content

    @property
    def when(self) -> int:
        return self.at or self.entry.updated_at

    @property
    def source(self) -> Source:
        """Tell whose words answer."""
        if self.passage is None:
            return self.entry.source
        return Source.AGENT if self.passage.best.by == ASSISTANT else Source.USER
