"""A verdict: what becomes of one rule, after code has checked a model's answer. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

NEW_FILE = ""  # the place of a rule that deserves a file of its own


class Becomes(StrEnum):
    """The fates of a rule."""

    SAID = "said"
    """A line says it already."""
    REPLACES = "replaces"
    """It takes the place of a line that it corrects or sharpens."""
    CONTRADICTS = "contradicts"
    """A line says the opposite; the person chooses."""
    JOINS = "joins"
    """Known facts say the same: one rule, with the evidence of all."""
    NEW = "new"
    """It is added at a place."""
    NOWHERE = "nowhere"
    """It may be true, but it is no rule for a file."""
    UNUSABLE = "unusable"
    """The answer about it was of no use: it goes where our own ranking puts it. Kept, so that it is not paid twice."""


TAKEN = frozenset({Becomes.REPLACES, Becomes.CONTRADICTS, Becomes.JOINS, Becomes.NEW})
"""What makes a suggestion of a maybe."""


_HALF = 5
_WAVERING = 0.55
"""The confidence of what question one has five readers of ten for; of what is less sure, one more has to want it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The fate of one fact."""

    fact_id: str
    basis: str
    """Digest of what it rests on: with another one the question is asked anew."""
    becomes: Becomes
    uri: str | None = None
    """The file that holds the line, or that the rule is added to; NEW_FILE for one of its own, None for no choice."""
    line: str = ""
    """The words of the line that it is about, as they stand in the file."""
    heading: str | None = None
    content: str = ""
    """The rule's wording; empty for its own."""
    joins: tuple[str, ...] = ()
    """Ids of the facts that say the same."""
    others: tuple[str, ...] = ()
    """Further files that would do, best first."""
    of_ten: int | None = None
    """Maintainers of ten who would want the rule, as the model thinks; None where it was not asked."""
    weakens: bool = False
    """Whoever follows it has less safety: checks, reviews, pins, secrets …"""
    why: str = ""
    """Of an unusable answer: what was wrong with it."""

    def raises(self, confidence: float) -> bool:
        """Tell whether a maybe is suggested: it becomes something, and of both questions' readers half would keep it.

        On 40 chats, by readers who saw no labels: question one alone has precision .93 and recall .51 from six of ten
        on, .84 and .60 from five on; with these maybes beside six and more it is .87 and .62.
        """
        least = _HALF if confidence >= _WAVERING else _HALF + 1
        return self.becomes in TAKEN and (self.of_ten is None or self.of_ten >= least)
