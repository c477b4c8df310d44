"""The verdict on one statement: what became of it and why, for `extract --explain`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memsuggest.model import Candidate


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What became of one statement."""

    turn: int
    text: str
    why: str
    probability: float = 0.0
    """Of its being worth remembering, as our own engine sees it."""
    candidate: Candidate | None = None
    """None where it is dropped."""
    held: str = ""
    """Why it is held back although the person said it; to be shown loudly."""

    @property
    def kept(self) -> bool:
        """Whether it became a candidate."""
        return self.candidate is not None
