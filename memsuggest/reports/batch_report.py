"""Reports on batches: their estimate, and their receipt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, ClassVar

from memsuggest.asking.prices import Usage, dollars
from memsuggest.json_shape import Also, Hidden, Key


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

    JSON_NAME = "Batch"
    sent: Annotated[int, "Questions that were sent in this run."] = 0
    answered: Annotated[int, "Questions of which the answers came, and were kept, in this run."] = 0
    _failed: ClassVar = Also("failures", dict[str, int], "Questions that got no usable answer, by what happened.")
    waiting: Annotated[int, "Questions that are not answered yet."] = 0
    unplaced: Annotated[int, "Answers about chats that were not found in this run; they wait until they are."] = 0
    left: Annotated[int, "Questions for which the budgets have no room."] = 0
    is_declined: Annotated[bool, "Whether you did not want a batch to be sent."] = False
    is_unsure: Annotated[bool, "Whether nobody can tell yet if a batch arrived."] = False
    input_tokens: ClassVar = Also("usage.prompt", int, "Tokens that were sent, of what came back.")
    output_tokens: ClassVar = Also("usage.output", int, "Tokens of what came back.")
    micros: Annotated[int, "What that cost.", Key("dollars"), dollars] = 0
    failed: Hidden[Counter[str]] = field(default_factory=Counter)
    """Questions that got no usable answer in this run, by what happened; they are asked again."""
    usage: Hidden[Usage] = field(default_factory=Usage)
    """Tokens of what came back in this run."""
    elsewhere: Hidden[str] = ""
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
