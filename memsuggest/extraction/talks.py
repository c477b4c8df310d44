"""Talks: instructions that people give each other in pieces, put together: "About functions. It's `x_` from today."

Owns the reading of a session between people turn by turn: which value is told, what it is for (said before it, by the
other one who repeats it, or in a rule that is known), and which sentences only lead up to it. Pure.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from memsuggest.extraction.colleagues import (
    asks,
    has_verb,
    is_voiced,
    is_weakly_voiced,
    speaks_of_code_itself,
    tells_a_story,
    tells_how_code_is_written,
)
from memsuggest.extraction.grammar import is_order, subject_kind
from memsuggest.extraction.policy import changes_a_rule
from memsuggest.extraction.repeats import numbers_in, repeated_in
from memsuggest.extraction.slots import (
    LIMITED,
    Slot,
    aspect_by_form,
    ended,
    has,
    is_shaped,
    limits_same,
    names,
    slot_in,
    slot_of,
    speaks_of_names,
    values_of,
    written,
)
from memsuggest.extraction.trade import content_words
from memsuggest.memory.claims import Mark, claims_of, no_longer

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from memsuggest.extraction.remarks import Remark
    from memsuggest.memory.claims import Claim

_CLAUSE = re.compile(r"(?<=[.!?;,])\s+|\s+(?:and|but|while|then)\s+(?=\S)")
_POINTS = re.compile(r"\b(?:it|them|those|these|that|this|one|ones)\b")
_ENDS = re.compile(
    r"\b(?:needn't|no need|no longer|any ?(?:more|longer)|(?:can|may|could) (?:\w+ )?(?:skip|drop|forget|omit|leave)"
    r"|(?:skip|drop|forget|scrap|ditch|lose|abandon|remove)(?: about)? (?:the|them|those|that|it|all)\b"
    r"|released? from|do(?:ing)? away with|leav(?:e|ing) .{1,30}\bout|lifted|stop \w+ing|can go|rid of|history|optional"
    r"|off the (?:hook|list|table)|(?:don't|doesn't|do not) (?:have to|need|bother)|not (?:required|necessary|needed)"
    r"|n't (?:required|necessary|needed)|retired?|let go of|no more|unnecessary|superfluous|spared|spare you"
    r"|(?:fine|ok|okay|allowed|welcome) again)\b"
)
"""What ends a rule, where one is known."""
_MAY_END = re.compile(
    r"\b(?:without|goodbye|gone|over|done with|enough of|skip\w*|drop\w*|forget|stop\w*|undo|scratch)\b"
)
"""The same, where the other one says so too."""
_LIMITS = re.compile(r"\b(?:from here on|now|up to|at most|allowed|rais\w+|lower\w+|figure|limit|maximum)\b")
_CAPITALISED = re.compile(r"\b[A-Z][a-z]\w{1,20}\b")
_INSTEAD = re.compile(
    r"(?P<new>['\"`]?@?[A-Za-z][\w.-]{2,30}['\"`]?) (?:\w+ ){0,2}?(?:instead of|rather than|in place of|over)"
    r" (?:the |a |an )?(?P<old>['\"`]?@?[A-Za-z][\w.-]{2,30})"
)
"""How one repeats that a thing takes another's place."""
_NEAR = 4
"""Sentences before a value in which it may be said what it is for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What became clear about a sentence: the rule that it gives, or that it gives none."""

    content: str = ""
    """The rule; empty where the sentence says it itself, or is none."""
    before: str = ""
    """The sentence that tells what it is about, verbatim."""
    is_whole: bool = False
    """The sentence says all of the rule itself."""
    is_update: bool = False
    is_lead: bool = False
    """It only leads up to a rule, speaks of one that is known, or was passed over."""


def told_in(remarks: Sequence[Remark], known: Iterable[str] = ()) -> dict[int, Told]:
    """Map the positions of remarks to what is told there beyond their own words; `known` are rules in force."""
    return _Talk(remarks, known).read()


class _Talk:
    """Reads one session; remembers what was spoken of."""

    def __init__(self, remarks: Sequence[Remark], known: Iterable[str]) -> None:
        self._remarks = remarks
        self._known = tuple(known)
        self._claims = [claim for content in self._known for claim in claims_of(content)]
        self._topic = Slot()
        self._told: dict[int, Told] = {}

    def read(self) -> dict[int, Told]:
        """Return what is told."""
        places = range(len(self._remarks))
        for _, group in groupby(places, key=lambda place: self._remarks[place].turn.number):
            turn = list(group)
            repeated = {turn[place] for place in repeated_in([self._remarks[place] for place in turn])}
            rules = tuple(self._claims)
            for place in turn:
                self._take_values(place, is_repeated=place in repeated)
            for place in turn:
                self._take_end(place, rules, is_repeated=place in repeated)
            for place in turn:
                self._take_rest(place, repeated)
        return self._told

    def _take_values(self, place: int, *, is_repeated: bool) -> None:
        text = self._remarks[place].statement.text
        for mark in (*values_of(text), *self._words_for_words(place)):
            self._take_value(place, mark, is_repeated=is_repeated)
        if place not in self._told and numbers_in(text):
            self._take_limit(place, is_repeated=is_repeated)
        if part := slot_in(text).part:
            self._topic = Slot(part=part)

    def _words_for_words(self, place: int) -> Iterator[Mark]:
        """Yield the words with a capital that take the place of one in force: "Vertex, where they had Node"."""
        remark = self._remarks[place]
        olds = [claim for claim in self._claims if claim.value.isalpha() and has(remark.statement.text, claim.value)]
        for found in _CAPITALISED.finditer(remark.statement.text) if len(olds) == 1 else ():
            if found[0].lower() != olds[0].value and re.search(rf"\b{found[0]}", remark.reply):
                yield Mark(value=found[0], start=found.start(), aspect=olds[0].aspect, is_out=False)

    def _take_choice(self, place: int) -> bool:
        """Take what the other one sets in the place of what is in force: "structlog rather than loguru, then"."""
        remark = self._remarks[place]
        for found in _INSTEAD.finditer(remark.reply):
            new, old = found["new"].strip("'\"`"), found["old"].strip("'\"`.,")
            is_said = has(remark.statement.text, new) and not asks(remark)
            if is_said and any(has(content, old) and not has(content, new) for content in self._known):
                self._told[place] = Told(content=f"Use {_as_said(remark, new)} instead of {old}.", is_update=True)
                return True
        return False

    def _take_rest(self, place: int, repeated: set[int]) -> None:
        """See what no value tells: what is ended, what was acknowledged, and what was passed over."""
        remark = self._remarks[place]
        if place in self._told or self._take_choice(place):
            return
        if tells_how_code_is_written(remark):
            if place not in repeated and is_passed_over(remark, is_other_repeated=bool(repeated)):
                self._told[place] = Told(is_lead=True)
        elif place in repeated and not tells_a_story(remark):
            self._told[place] = Told()

    def _take_value(self, place: int, mark: Mark, *, is_repeated: bool) -> None:
        remark = self._remarks[place]
        is_repeated = is_repeated or has(remark.reply, mark.value)
        if asks(remark) or place in self._told or not (is_shaped(mark) or is_repeated or mark.aspect):
            return
        slot, before = self._slot(place, remark, mark)
        old = next((claim for claim in self._claims if slot.is_known and slot_of(claim) == slot), None)
        voice = tells_how_code_is_written(remark)
        if old and old.value == mark.value.lower() and not is_order(remark.main):
            if not _ENDS.search(remark.plain) and not voice:
                self._told[place] = Told(is_lead=True)
            return
        is_meant = voice or is_repeated or (old is not None and changes_a_rule(remark))
        if slot.is_known and is_meant and (is_repeated or not tells_a_story(remark)):
            is_whole = any(
                claim.value == mark.value.lower() and claim.subject for claim in claims_of(remark.statement.text)
            )
            self._tell(place, slot, mark.value, before=before, is_whole=is_whole)

    def _take_limit(self, place: int, *, is_repeated: bool) -> None:
        """Take a number for the limit that is spoken of: "I'm raising it to 35"."""
        remark = self._remarks[place]
        numbers = sorted(numbers_in(remark.statement.text), key=int)
        own = [claim for claim in claims_of(remark.statement.text) if claim.aspect in LIMITED and claim.subject]
        is_meant = is_repeated or tells_how_code_is_written(remark) or changes_a_rule(remark)
        is_meant = is_meant or is_order(remark.main) or bool(_LIMITS.search(remark.plain))
        if asks(remark) or tells_a_story(remark):
            return
        if own and is_meant:
            self._tell(place, slot_of(own[0]), own[0].value, before="", is_whole=True)
        elif numbers and is_meant and not own:
            limits = [claim for claim in self._claims if claim.aspect in LIMITED]
            for text in (remark.statement.text, *self._turn_before(place), remark.reply, remark.answered):
                meant = [claim for claim in limits if limits_same(text, claim)]
                if len(meant) == 1 and meant[0].value not in numbers:
                    self._tell(place, slot_of(meant[0]), numbers[-1], before="", is_whole=False)
                    return

    def _take_end(self, place: int, rules: Sequence[Claim], *, is_repeated: bool) -> None:
        """Take a sentence that ends a rule known before its turn: "you can skip those"."""
        remark = self._remarks[place]
        text = remark.statement.text
        is_end = _ENDS.search(remark.plain) or (is_repeated and _MAY_END.search(remark.plain))
        if place in self._told or not is_end or asks(remark) or any(map(is_shaped, values_of(text))):
            return
        texts = (text, *self._turn_before(place)[:3]) if _POINTS.search(remark.plain) else (text,)
        for said in texts:
            for claim in rules:
                if claim in self._claims and names(said, claim) and ended(claim):
                    before = said if said != text else ""
                    self._told[place] = Told(content=ended(claim), before=before, is_update=True)
                    self._lead(place, before)
                    self._claims.remove(claim)
                    return

    def _tell(self, place: int, slot: Slot, value: str, *, before: str, is_whole: bool) -> None:
        rule = written(slot, value)
        is_update = any(slot_of(claim) == slot and claim.value != value.lower() for claim in self._claims)
        self._told[place] = Told(content=rule, before=before, is_whole=is_whole, is_update=is_update)
        self._claims = [claim for claim in self._claims if slot_of(claim) != slot or claim.narrowed]
        self._claims += claims_of(rule)
        self._lead(place, before)

    def _lead(self, place: int, text: str) -> None:
        """Mark the sentence that only tells what another one is about."""
        for other in range(max(0, place - _NEAR), place):
            remark = self._remarks[other]
            is_rule = bool(claims_of(text)) or (is_voiced(remark) and not is_weakly_voiced(remark))
            if text and remark.statement.text == text and not is_rule:
                self._told.setdefault(other, Told(is_lead=True))

    def _turn_before(self, place: int) -> list[str]:
        """Return the sentences before one in its turn, the nearest first."""
        number = self._remarks[place].turn.number
        near = self._remarks[max(0, place - _NEAR) : place]
        return [one.statement.text for one in near if one.turn.number == number][::-1]

    def _slot(self, position: int, remark: Remark, mark: Mark) -> tuple[Slot, str]:
        """Return what a value is for, and the sentence of the person that says so."""
        text = remark.statement.text
        slot, said_in = slot_in(text, mark), ""
        for other, sentence in self._sources(position, remark, mark):
            if slot.is_known:
                break
            fuller = slot.filled_by(other)
            said_in = sentence if fuller != slot and sentence and not said_in else said_in
            slot = fuller
        if slot.part and not slot.aspect:
            slot = slot.filled_by(Slot(aspect=mark.aspect or aspect_by_form(mark.value)))
        return slot, said_in

    def _sources(self, position: int, remark: Remark, mark: Mark) -> Iterator[tuple[Slot, str]]:
        """Yield what else may tell what a value is for, the surest first."""
        turn = [
            one.statement.text for one in self._remarks[max(0, position - _NEAR) : position] if one.turn is remark.turn
        ][::-1]
        for text in (remark.statement.text, *turn):
            yield from ((slot_of(claim), "") for claim in self._named_as_gone(text) if slot_of(claim).is_known)
        yield from ((slot, "") for slot in _repeated(remark.reply, mark))
        for text in filter(speaks_of_names, turn):
            yield slot_in(text), text
        form = mark.aspect or aspect_by_form(mark.value)
        yield Slot(aspect=form), ""
        for text in turn:
            yield slot_in(text), text
        yield slot_in(remark.answered), ""
        yield self._topic, ""
        alike = {slot_of(claim) for claim in self._claims if claim.aspect == form}
        if len(alike) == 1:
            yield next(iter(alike)), ""

    def _named_as_gone(self, text: str) -> list[Claim]:
        """Return the known claims whose value a sentence names."""
        gone = no_longer(text)
        return [claim for claim in self._claims if claim.value in gone or has(text, claim.value)]


def _as_said(remark: Remark, word: str) -> str:
    """Return a word as the person wrote it."""
    found = re.search(re.escape(word), remark.statement.text, re.IGNORECASE)
    return found[0] if found else word


def is_passed_over(remark: Remark, *, is_other_repeated: bool) -> bool:
    """Whether a sentence that hardly sounds like a rule met with no answer to it."""
    if not remark.reply or not is_weakly_voiced(remark) or content_words(remark.plain) & content_words(remark.reply):
        return False
    is_telling = has_verb(remark) and speaks_of_code_itself(remark)
    return not is_telling or (is_other_repeated and subject_kind(remark.main) != "kind")


def _repeated(reply: str, mark: Mark) -> Iterator[Slot]:
    """Yield what the other one says of a value when they repeat it, clause by clause."""
    for clause in _CLAUSE.split(reply):
        if has(clause, mark.value):
            yield next((slot_in(clause, one) for one in values_of(clause) if one.value == mark.value), slot_in(clause))
