"""Remarks: a statement together with what surrounds it, as the rules see it.

Owns the small readings of grammar that several rules share: what a sentence starts with, whether it asks, orders or
tells, and whether it speaks of a kind of thing or of one thing. Knows no rule and no weight.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from memsuggest.extraction.words import languages_of, plain, word_list
from memsuggest.model import Role, Turn

if TYPE_CHECKING:
    from memsuggest.extraction.sentences import Statement

_OPENING = re.compile(
    r"^(?:(?:ok(?:ay)?|yes|yeah|yep|yup|no|nope|sure|right|well|so|and|but|also|then|now|please|hey|hi|oh|ah"
    r"|hmm+|uh+m?|alright"
    r"|great|cool|good|perfect|thanks|thank you|actually|btw|by the way|additionally|furthermore|moreover"
    r"|finally|lastly"
    r"|instead|again|plus|hence|therefore|first|firstly|second|next|remember|just|lol|wait|sorry|listen|look"
    r"|bitte|und|aber|also|ok|nein|ja|dann|noch|s'il te plaît|s'il vous plaît|non|oui|et|mais|alors|por favor"
    r"|y|pero|sí|si|no|e|mas|sim|não"
    r")\b[\s,.:!;-]*)+"
)

_ASSURING = re.compile(
    r"^(?:make (?:absolutely )?(?:sure|certain)|be (?:sure|certain|careful)|ensure|remember|don't forget)"
    r"(?: (?:that you|that|to|you|we))?(?: first| always| never| not)?\s+"
)


@dataclass(frozen=True, kw_only=True)
class Remark:
    """One statement, its turn, and what was said before it."""

    statement: Statement
    turn: Turn = field(default_factory=lambda: Turn(number=1, role=Role.USER))
    answered: str = ""
    """What the assistant had just said."""
    told: int = 1
    """In how many turns of the session the person said this, or nearly this."""
    is_request: bool = False
    """Its turn asks for a feature to be built, so that `should` says what the feature does."""
    is_dialogue: bool = False
    """Two people talk, so that not everything is about the work."""

    @cached_property
    def plain(self) -> str:
        """The words as the patterns are written for them."""
        return plain(self.statement.text)

    @cached_property
    def core(self) -> str:
        """The plain words without what merely opens a sentence ("ok so", "no, please", "make sure to")."""
        return _ASSURING.sub("", _OPENING.sub("", self.plain))

    @cached_property
    def words(self) -> list[str]:
        """Words without numbers and punctuation."""
        return word_list(self.plain)

    @cached_property
    def languages(self) -> tuple[str, ...]:
        """The languages it may be in."""
        return languages_of(self.plain if len(self.words) > 3 else plain(self.statement.sentence))

    @property
    def is_after_stop(self) -> bool:
        """Whether the person had just stopped the assistant, refused its action, or undone it."""
        signals = self.turn.signals
        return signals.after_interruption or signals.rejected_tool is not None
