"""Remarks: a statement together with what surrounds it, as the rules see it.

Owns the small readings of grammar that several rules share: what a sentence starts with, whether it asks, orders or
tells, and whether it speaks of a kind of thing or of one thing. Knows no rule and no weight.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from memsuggest.extraction.language.phrases import RECORDED
from memsuggest.extraction.wording.residue import without_opening
from memsuggest.model import Role, Turn
from memsuggest.text.words import languages_of, plain, word_list

if TYPE_CHECKING:
    from memsuggest.text.sentences import Statement

_WRAPPING = re.compile(
    r"^(?:(?:i|we)(?:'d| would|'ll)? (?:also |really |just |still |first |probably )*(?:want|need|like|have"
    r"|prefer|wish|expect|love)"
    r" (?:you |it |us )?to|(?:i|we|you) (?:also |really |just |probably |simply |then |first )*(?:should|must"
    r"|need to|have to|ought to|can|could)"
    r"|(?:can|could|would|will) (?:you|we|u)|let's|let us|(?:i|we|it)(?:'d| would) (?:really |also |be "
    r")?(?:appreciate|love|like|grateful|great|good|nice)(?: it)? if (?:you|we)(?: could| would| can)?"
    r"|you(?:'ll| will)|feel free to|i think (?:we|you) "
    r"should|it would be (?:good|nice|great) to"
    r"|(?:du|ihr|wir) (?:sollst|solltest|sollten|musst|müssen)|il faut|tu dois|hay que|debes|tens que|tem que|vamos)"
    r"(?: (?:please|just|also|now|then|first|always|never|only|maybe|probably|simply|not))*\s+"
)
_MOST = 1000  # characters of a statement that are weighed
_COMMAND = re.compile(r"`[^`\n]{0,400}?\s[^`\n]{0,400}`")
"""A command line in a code span: what stands in it is not what the person says."""
_QUOTATION = re.compile(r"[\"\u201c](?:[^\s\"\u201c\u201d]+\s){2,60}[^\s\"\u201c\u201d]+[\"\u201d]")
"""Three words and more in quotation marks: what a text says, not what the person says."""
_ASSURING = re.compile(
    r"^(?:make (?:absolutely )?(?:sure|certain)|be (?:sure|certain|careful)|ensure|remember|don't forget|go "
    r"ahead and|try)"
    r"(?: (?:that you|that|to|you|we))?(?: first| always| never| not)*\s+"
)
_CONDITION = re.compile(
    r"^(?:if|when(?:ever)?|before|after|once|while|as soon as|every time|each time|for (?:all|any|every|each)"
    r"|in (?:all|any|every|each)|from now on|going forward|next time"
    r"|in (?:the )?future|by default|as a rule|in general|instead of|rather than|wenn|bevor|sobald|ab jetzt"
    r"|quand|lorsque|avant|désormais|cuando|antes|quando|sempre que"
    r"|a partir de agora)\b[^,]{0,120},\s*|^(?:if|when(?:ever)?|before|after) you (?:[\w'-]+ ){1,6}(?=(?:please "
    r"|always |also "
    r"|never )?(?:use|run|check|update|add|make|don't|keep|put|write|ask|do|open|look|follow|tell)\b)"
    r"|^for (?:the |a |any |all )?[\w-]+(?: [\w-]+)? (?=(?:please |always |just |only )?use\b)"
    r"|^(?:careful|attention|cuidado|ojo|achtung|vorsicht|ignore|skip|heads up|reminder|note)[,:!]\s+"
    r"|^(?:from now on|going forward|next time|in future|by default|as a rule|in general|always|never)[,:]?\s+"
)


@dataclass(frozen=True, kw_only=True)
class Remark:
    """One statement, its turn, and what was said before it."""

    statement: Statement
    turn: Turn = field(default_factory=lambda: Turn(number=1, role=Role.USER))
    answered: str = ""
    """What the assistant had just said."""
    reply: str = ""
    """What the other side said next."""
    told: int = 1
    """In how many turns of the session the person said this, or nearly this."""
    is_request: bool = False
    """Its turn asks for a feature to be built, so that `should` says what the feature does."""
    is_brief: bool = False
    """Its turn gives the assistant a part to play, in words that were prepared elsewhere."""
    is_document: bool = False
    """It stands under the headings of a text that was written as a document: a plan, a specification."""
    is_first: bool = False
    """Its turn is the first one that the person typed."""
    is_dialogue: bool = False
    """Two people talk, so that not everything is about the work."""
    is_after_undo: bool = False
    """The person had undone what the assistant did right before, or voted it down."""
    verdict: int = 0
    """What became of the assistant's answer to it: 1 kept or voted up, -1 undone or voted down."""

    @cached_property
    def plain(self) -> str:
        """The words as the patterns are written for them."""
        text = _COMMAND.sub("`\u2026`", self.statement.text[:_MOST])
        return plain(text if RECORDED.search(plain(text)) else _QUOTATION.sub('"\u2026"', text))

    @cached_property
    def core(self) -> str:
        """The plain words without what merely opens a sentence ("ok so", "no, please")."""
        return without_opening(self.plain)

    @cached_property
    def main(self) -> str:
        """What is ordered or told, without the condition before it and without "we should", "make sure to"."""
        said = self.core
        for _ in range(2):
            for wrapping in (_CONDITION, _WRAPPING, _ASSURING):
                said = wrapping.sub("", said) or said
            said = without_opening(said) or said
        return said

    @property
    def is_direct(self) -> bool:
        """Whether it is said straight out, without "we need to" or "can you" before it."""
        return not _WRAPPING.match(self.core)

    @property
    def is_assured(self) -> bool:
        """Whether it is a wish to make sure of something, rather than a telling."""
        return bool(_ASSURING.match(self.core))

    @cached_property
    def words(self) -> list[str]:
        """Words without numbers and punctuation."""
        return word_list(self.plain)

    @cached_property
    def languages(self) -> tuple[str, ...]:
        """The languages it may be in."""
        return languages_of(self.plain if len(self.words) > 3 else plain(self.statement.sentence[:_MOST]))

    @property
    def is_after_stop(self) -> bool:
        """Whether the person had just stopped the assistant, refused its action, or undone it."""
        signals = self.turn.signals
        return signals.after_interruption or signals.rejected_tool is not None or self.is_after_undo
