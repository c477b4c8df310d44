"""Corrections: what the person typed against what the assistant had done, or as a norm, be it a lasting rule or not.

Alone it makes no fact. It counts only beside a rule that a file has already and that says the same, where the question
is whether that rule was followed. Pure.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memsuggest.core.model import QUOTE_LIMIT, Trust
from memsuggest.core.redact.finding import MARK
from memsuggest.core.text.words import plain
from memsuggest.judging import safety
from memsuggest.judging.offline.cues import has_cue
from memsuggest.judging.offline.forms import has_norm, plainness
from memsuggest.judging.offline.stands_alone import unclear
from memsuggest.judging.offline.statements import statements_of
from memsuggest.judging.offline.wording import as_line

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from memsuggest.core.model import Transcript
    from memsuggest.judging.offline.statements import Statement

_LONGEST = 40  # words
_NEAR = 4
"""Sentences at the beginning of a message that may say what was wrong."""
_BEGINNING = 300  # characters of a message in which it objects
_OPENS = re.compile(
    r"(?:no+|nope|nah|stop|again|hey|wrong|nein|falsch|stopp?|non|arrête|para|não)(?:\s*[,.:;!\u2014]+|\s+-+(?=\s)|\s*\n)"
    r"|(?:as|like) i (?:said|told|wrote|mentioned)|i (?:told|said|asked) (?:you|already|before)|wie gesagt",
    re.IGNORECASE,
)
"""How a message begins that objects to what was done; "no" is set off, or else "no emojis" would be one."""
_LEAD = re.compile(
    r"""
    \s* (?: (?:no+|stop|again|hey|wrong|falsch) (?: \s*[,.:;!\u2014]+ | \s+-+(?=\s) ) \s*
      | (?: (?:as|like)\ )? i\ (?:already\ )? (?:told|said) (?:\ you)? \s*[,:]?\s+ (?:that\ |to\ (?!not\b))?
      | (?:why\ )? (?: (?:did|have)n't\ you | you\ (?:forgot\ to|didn't|did\ not|haven't) ) \s+
    )
    """,
    re.VERBOSE | re.IGNORECASE,
)
"""What leads a correction in and is no part of what is corrected."""
_TOOL = re.compile(r"[\w.-]+")
_FORBIDS = re.compile(r"(?:no|kein\w*|sin|pas\ de)\s\w", re.IGNORECASE)
_TELLS = re.compile(r"(?:you|du|tu|has|você)\b(?!\s+(?:should|must|need|have\s+to|can|may))", re.IGNORECASE)
"""How a sentence begins that says what was done, rather than what is to be done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """A sentence that objects to what the assistant did, or says how something must be."""

    turn: int
    quote: str
    rule: str
    """It as a line of a rule file, without what leads it in."""
    at: datetime | None
    is_objection: bool
    """Whether it is said of what the assistant had done."""


def corrections_in(transcript: Transcript) -> Iterator[Correction]:
    """Yield what the person typed against what was done, or as a norm, as far as it says something by itself."""
    for one in statements_of(transcript) if transcript.trust is Trust.TYPED else ():
        if one.is_doubtful or one.is_question or len(one.text.split()) > _LONGEST:
            continue
        quote = one.text[:QUOTE_LIMIT].strip()
        is_objection = _objects(one)
        rule = as_line(quote[lead.end() :] if (lead := _LEAD.match(quote)) else quote)
        if is_objection and (tool := rule.strip(" .!`").lower()) and _TOOL.fullmatch(tool) and has_cue("tool", tool):
            rule = f"Use {tool}."
        is_norm = has_norm(rule) or bool(_FORBIDS.match(rule)) or (is_objection and plainness(rule) > 0)
        if is_norm and not _TELLS.match(rule) and not (unclear(rule) or MARK in rule or safety.refused(rule)):
            yield Correction(turn=one.turn.number, quote=quote, rule=rule, at=one.turn.at, is_objection=is_objection)


def _objects(one: Statement) -> bool:
    """Tell if a sentence objects to what the assistant said or did; further down, a message is about other things."""
    signals = one.turn.signals
    if one.sentence.position >= _NEAR or not (one.heard or signals.after_interruption):
        return False
    beginning = one.turn.typed.lstrip()[:_BEGINNING]
    is_stopped = bool(signals.after_interruption or signals.rejected_tool)
    return is_stopped or bool(_OPENS.match(beginning)) or has_cue("you-did", plain(beginning))
