"""Reports on batches: their estimate, and their receipt."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from memsuggest.asking.prices import Usage

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchEstimate:
    """The estimate of a batch."""

    endpoint: str
    model: str
    questions: int
    chats: int
    tokens: int
    """About how many."""
    micros: int
    """What it costs at most, in millionths of a dollar; half of what it would cost by itself."""
    left: int
    """Questions for which the budgets have no room."""


@dataclass(slots=True, kw_only=True)
class BatchReceipt:
    """The receipt of batches: sent, come back, and not."""

    sent: int = 0
    """Questions that were sent in this run."""
    answered: int = 0
    """Questions that were answered, and the answers kept, in this run."""
    failed: Counter[str] = field(default_factory=Counter)
    """Questions that got no usable answer in this run, by what happened; they are asked again."""
    waiting: int = 0
    """Questions that a batch has still to answer."""
    unplaced: int = 0
    """Answers about chats that were not found in this run; they wait until they are."""
    left: int = 0
    """Questions for which the budgets had no room."""
    is_declined: bool = False
    """Whether the person did not want a batch to be sent."""
    usage: Usage = field(default_factory=Usage)
    """Tokens of what came back in this run."""
    micros: int = 0
    """What that cost, in millionths of a dollar."""
    is_unsure: bool = False
    """Whether nobody can tell yet if a batch arrived."""
    elsewhere: str = ""
    """Another endpoint at which a batch waits."""

    @property
    def is_empty(self) -> bool:
        """Tell whether there is nothing to tell."""
        counts = (self.sent, self.answered, self.waiting, self.unplaced, self.left, *self.failed.values())
        return not (any(counts) or self.is_unsure or self.is_declined or self.elsewhere)

    @property
    def failures(self) -> Mapping[str, int]:
        """The failures, and how often each."""
        return dict(self.failed)
