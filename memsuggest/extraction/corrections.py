"""Corrections: what the person typed against what the assistant had done, or as a norm, be it a lasting rule or not.

Broader than what is learned from: alone it makes no fact. It counts only beside a rule that a file has already and that
says the same, where the question is whether that rule was followed. Pure.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memsuggest.extraction import safety
from memsuggest.extraction.cues import has_cue
from memsuggest.extraction.documents.forms import has_norm, plainness
from memsuggest.extraction.features import features_of
from memsuggest.extraction.reminders import SAID_BEFORE, without_reminder
from memsuggest.extraction.retractions import is_retraction, taken_back
from memsuggest.extraction.statements import Statement, statements_of
from memsuggest.extraction.wording import TOO_LITTLE, word
from memsuggest.memory.alternatives import TOOLS
from memsuggest.memory.rule_meaning import read_wording
from memsuggest.model import QUOTE_LIMIT, Trust
from memsuggest.redact.finding import MARK
from memsuggest.text.sentences import Sentence
from memsuggest.text.words import plain

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from memsuggest.model import Transcript

_FEWEST, _LONGEST = 2, 40  # words
_BRIEF = 6  # words of a sentence that may be a rule without a verb
_NEAR = 4
"""Sentences at the beginning of a message that may say what was wrong."""
_BEGINNING = 300  # characters of a message in which it objects
_OPENS = re.compile(
    r"""
    (?: no+ | nope | nah | stop | again | hey | wrong | nein | falsch | stopp? | non | arrête | no | para | não )
    (?: \s*[,.:;!\u2014]+ | \s+-+(?=\s) | \s*\n )
    """,
    re.VERBOSE | re.IGNORECASE,
)
"""How a message begins that objects to what was done; set off, or else "no emojis" would be one."""
_LEAD = re.compile(
    r"\s*(?:no+|nope|nah|stop|again|hey|wrong|nein|falsch|non)(?:\s*[,.:;!\u2014]+|\s+-+(?=\s))\s*", re.IGNORECASE
)
"""What leads a correction in and is no part of what is corrected."""
_TELLS = re.compile(
    r"(?:you|du|tu|has|você)\b(?!\s+(?:should|must|need|have\s+to|can|may|are\s+(?:not|never)))", re.IGNORECASE
)
"""How a sentence begins that tells what was done, rather than what is to be done."""


_MISSED = re.compile(
    r"""
    (?: why \s )?
    (?: (?:did|have) (?:n't|\snot)? \s you (?:\s not)? \s (?:forget|forgotten) \s to
      | (?:did|have) n't \s you | did \s you \s not
      | you (?:'ve|\s have)? \s (?:again\s|always\s|still\s)? (?:forgot|forget|forgotten) \s to
      | you \s (?:still\s|again\s)? (?:didn't|did\snot|haven't|have\snot)
    ) \s+
    """,
    re.VERBOSE | re.IGNORECASE,
)
"""How one says what was not done: "you forgot to", "why didn't you"."""
_DONE = re.compile(r"why \s (?:did|do|are|have) \s you \s+ (?:again\s|always\s|still\s)?", re.VERBOSE | re.IGNORECASE)
"""How one says what should not have been done."""
_AGAIN = re.compile(r"\s*,?\s*\b(?:again|once more|all the time)\b", re.IGNORECASE)


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
    if transcript.trust is not Trust.TYPED:
        return
    statements = statements_of(transcript)
    back = taken_back(statements)
    for place, one in enumerate(statements):
        if place in back or one.is_doubtful or is_retraction(one) or not _FEWEST <= len(one.text.split()) <= _LONGEST:
            continue
        is_objection = _objects(one)
        rule = _worded(one, is_objection=is_objection)
        if rule:
            yield Correction(
                turn=one.turn.number,
                quote=one.text[:QUOTE_LIMIT].strip(),
                rule=rule,
                at=one.turn.at,
                is_objection=is_objection,
            )


def _objects(one: Statement) -> bool:
    """Tell if a sentence objects to what the assistant said or did; further down, a message is about other things."""
    if one.sentence.position >= _NEAR or not (one.heard or one.turn.signals.after_interruption):
        return False
    beginning = one.turn.typed.lstrip()[:_BEGINNING]
    signals = one.turn.signals
    return bool(
        signals.after_interruption
        or signals.rejected_tool
        or _OPENS.match(beginning)
        or SAID_BEFORE.search(beginning)
        or has_cue("you-did", plain(beginning))
    )


def _worded(one: Statement, *, is_objection: bool) -> str:
    """Return a sentence as a rule; empty where it says nothing by itself, or only what is to be done once."""
    text = one.text[:QUOTE_LIMIT].strip()
    while (lead := _LEAD.match(text)) and lead.end() < len(text):
        text = text[lead.end() :]
    text = without_reminder(text)
    text = _as_order(text) if is_objection else text
    if text.rstrip().endswith("?"):
        return ""
    worded = word(text, before=one.sentence.before[:QUOTE_LIMIT].strip(), said=one.turn.at)
    is_unclear = worded.unclear not in ("", TOO_LITTLE)  # beside a rule that says the same, a few words are enough
    if _TELLS.match(text) or not worded.content or is_unclear or worded.leans or MARK in worded.content:
        return ""
    sentence = Sentence(text=worded.content, start=0, end=len(worded.content))
    features = features_of(Statement(sentence=sentence))
    is_order = is_objection and plainness(worded.content, features, is_decided=False) > 0
    if not (is_order or has_norm(features) or _is_choice(worded.content)) or safety.refused(worded.content):
        return ""
    return worded.content


def _as_order(text: str) -> str:
    """Return what somebody missed as what is to be done, what they did in vain as what is not, a tool as a choice.

    >>> _as_order("you forgot to run make lint"), _as_order("why did you mock the database again?"), _as_order("pnpm!")
    ('run make lint', 'never mock the database', 'use pnpm')
    """
    tool = text.strip(" \t!.`").casefold()
    if tool in TOOLS:
        return f"use {tool}"
    missed, done = _MISSED.match(text), _DONE.match(text)
    if missed:
        return _AGAIN.sub("", text[missed.end() :]).rstrip("?! ")
    return f"never {_AGAIN.sub('', text[done.end() :]).rstrip('?! ')}" if done else text


def _is_choice(content: str) -> bool:
    """Tell whether a few words say what not to take: "tabs, not spaces", "no emojis"."""
    wording = read_wording(content)
    return len(content.split()) <= _BRIEF and bool(wording.negations or wording.contrasts)
