"""Talks: instructions that people give each other in pieces, put together: "About functions. It's `x_` from today."

Owns the reading of a session between people turn by turn: which value is told, what it is for (said before it, by the
other one who repeats it, or in a rule in force), which rule it replaces or ends, and which sentences only lead up to
it. Pure.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING

from memsuggest.extraction.language.grammar import is_order
from memsuggest.extraction.language.pronouns import points_elsewhere
from memsuggest.extraction.policy import changes_a_rule
from memsuggest.extraction.talks.codewords import speaks_of_code, speaks_of_code_itself
from memsuggest.extraction.talks.colleagues import (
    asks,
    is_passed_over,
    only_announces,
    only_defines,
    only_describes,
    orders_talk,
    tells_a_story,
    tells_how_code_is_written,
)
from memsuggest.extraction.talks.endings import calls_off, ending_of, points_back
from memsuggest.extraction.talks.in_force import InForce, known_in
from memsuggest.extraction.talks.pieces import CLAUSE, slot_for, what_is_left, words_for_words
from memsuggest.extraction.talks.repeats import repeated_in
from memsuggest.extraction.talks.slots import (
    LIMITED,
    Slot,
    asked_beside,
    has,
    is_shaped,
    sayable,
    slot_in,
    slot_of,
    speaks_of_names,
    values_of,
    written,
)
from memsuggest.extraction.talks.told import LEAD, Told, ending_told
from memsuggest.extraction.talks.voices import is_exercise, is_voiced, is_weakly_voiced, voices
from memsuggest.memory.claims import claims_of
from memsuggest.memory.constructs import constructs_in
from memsuggest.memory.limits import numbers_in
from memsuggest.memory.marks import LENGTH_LIMIT, no_longer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memsuggest.extraction.remarks import Remark
    from memsuggest.memory.marks import Mark

_STAYS = re.compile(r"\b(?:stays?|remains?|still|keeps?|unchanged)\b")
_LIMITS = re.compile(r"\b(?:from here on|now|up to|at most|allow(?:ed)?|rais\w+|lower\w+|figure|limit|maximum|go to)\b")
_NEAR = 4
"""Sentences before a value in which it may be said what it is for."""


def told_in(remarks: Sequence[Remark], known: Sequence[tuple[str, str]] = ()) -> dict[int, tuple[Told, ...]]:
    """Map the positions of remarks to what is told there beyond their own words; `known`: ids and rules in force."""
    return _Talk(remarks, InForce(known_in(known))).read()


class _Talk:
    """Reads one session; remembers what was spoken of."""

    def __init__(self, remarks: Sequence[Remark], in_force: InForce) -> None:
        self._remarks = remarks
        self._in_force = in_force
        self._topic = Slot()
        self._exercise = 0
        """The turn in which a piece of code was last asked for."""
        self._told: dict[int, tuple[Told, ...]] = {}
        self._gone: set[tuple[Slot, str]] = set()
        """Values that another one took the place of in this talk."""
        self._ended: dict[Slot, int] = {}
        """Where in this talk what filled a slot was ended."""

    def read(self) -> dict[int, tuple[Told, ...]]:
        """Return what is told."""
        places = range(len(self._remarks))
        for _, group in groupby(places, key=lambda place: self._remarks[place].turn.number):
            turn = list(group)
            repeated = {turn[place] for place in repeated_in([self._remarks[place] for place in turn])}
            for place in turn:
                self._take_values(place, is_repeated=place in repeated)
            for place in turn:
                self._take_end(place, is_repeated=place in repeated)
            self._take_end_by_reply(turn)
            for place in turn:
                self._take_rest(place, repeated)
        return self._told

    def _take_values(self, place: int, *, is_repeated: bool) -> None:
        text = self._remarks[place].statement.text
        remark = self._remarks[place]
        if len(text) > LENGTH_LIMIT:
            return  # no sentence that one says
        if is_exercise(remark) or (remark.turn.number == self._exercise and points_elsewhere(remark.main)):
            self._exercise = remark.turn.number
            return
        told = values_of(text) or what_is_left(remark, self._in_force)
        marks = (*told, *words_for_words(remark, self._in_force))
        slots = [slot_of(claim) for claim in claims_of(text)]
        if len(marks) > 1 and len(set(slots)) == 1 < len(slots):  # several values for one slot: "`feat/` or `fix/`"
            self._take_value(place, marks[0], is_repeated=is_repeated, is_alone=True)
            return
        for mark in marks:
            self._take_value(place, mark, is_repeated=is_repeated, is_alone=len(marks) == 1)
        if numbers_in(text) and (place not in self._told or any(slot.aspect in LIMITED for slot in slots)):
            self._take_limit(place, is_repeated=is_repeated)
        self._take_constructs(place)
        if part := slot_in(text).part:
            self._topic = Slot(part=part)

    def _take_constructs(self, place: int) -> None:
        """Take what code is to have besides, where a value is told: "docstrings everywhere, and the prefix is `x_`"."""
        told = self._told.get(place, ())
        if any(one.content for one in told) and (asked := asked_beside(self._remarks[place].statement.text)):
            values = (replace(one, is_whole=False) for one in told)
            self._told[place] = (*values, *(Told(content=content) for content in asked))

    def _take_value(self, place: int, mark: Mark, *, is_repeated: bool, is_alone: bool) -> None:
        remark = self._remarks[place]
        is_named = has(remark.reply, mark.value) or (bool(mark.said) and has(remark.reply, mark.said))
        is_repeated = (is_repeated and is_shaped(mark)) or is_named
        text = remark.statement.text
        is_word = not is_shaped(mark) and not mark.aspect
        is_of_names = any(map(speaks_of_names, (text, *self._turn_before(place))))
        is_word = is_word and not (is_named and is_of_names and self._in_force.only_word().is_known)
        if (asks(remark) and not is_named) or (is_word and not (is_named and speaks_of_names(text))):
            return
        slot, before = slot_for(
            mark, remark, before=self._turn_before(place), in_force=self._in_force, topic=self._topic
        )
        voice = tells_how_code_is_written(remark)
        olds = [one.claim.value for one in self._in_force.of(slot)]
        if mark.value.lower() in olds and not is_order(remark.main):
            is_ruled = voice and (voices(remark) or _STAYS.search(remark.plain))
            if not ending_of(remark.plain) and not is_ruled:
                self._told.setdefault(place, LEAD)
            return
        if mark.aspect == "decorator" and not slot.is_known and (is_named or changes_a_rule(remark)):
            self._take_decorator(place, mark)
            return
        if (slot, mark.value.lower()) in self._gone:
            self._told.setdefault(place, LEAD)
            return
        claims = [claim for claim in claims_of(remark.statement.text) if claim.value == mark.value.lower()]
        is_plain = any(claim.subject for claim in claims)
        is_change = bool(olds) and (changes_a_rule(remark) or not no_longer(text).isdisjoint(olds))
        is_meant = voice or is_plain or is_repeated or is_change
        if sayable(slot, mark) and is_meant and (is_repeated or not tells_a_story(remark)):
            self._tell(place, slot, mark.said or mark.value, before=before, is_whole=is_alone and is_plain)

    def _take_decorator(self, place: int, mark: Mark) -> None:
        """Take a decorator in the place of the only one in force, whatever that is for."""
        content, replaces = self._in_force.with_decorator(mark.value)
        if content:
            self._told[place] = (Told(content=content, is_update=True, replaces=replaces),)

    def _take_limit(self, place: int, *, is_repeated: bool) -> None:
        """Take a number for the limit that is spoken of: "I'm raising it to 35"."""
        remark = self._remarks[place]
        text = remark.statement.text
        numbers = sorted(numbers_in(text), key=int)
        own = [claim for claim in claims_of(text) if claim.aspect in LIMITED and claim.subject]
        is_alone = place not in self._told
        is_meant = bool(own) or is_repeated or tells_how_code_is_written(remark) or changes_a_rule(remark)
        is_meant = is_meant or is_order(remark.main) or bool(_LIMITS.search(remark.plain))
        if not is_meant or asks(remark) or (tells_a_story(remark) and not is_repeated):
            return
        if own:
            self._tell(place, slot_of(own[0]), own[0].value, before="", is_whole=is_alone)
            return
        repeated = [number for number in numbers if number in numbers_in(remark.reply)]
        texts = (text, *self._turn_before(place), *((remark.reply,) if repeated else ()))
        meant = self._in_force.limit_in(texts)
        if meant and meant.claim.value not in numbers:
            self._tell(place, slot_of(meant.claim), (repeated or numbers)[-1], before="", is_whole=False)

    def _take_end(self, place: int, *, is_repeated: bool) -> None:
        """Take a sentence that ends a rule known before this talk: "you can skip those"."""
        remark = self._remarks[place]
        text = remark.statement.text
        ending = ending_of(remark.plain, is_repeated=is_repeated)
        if place in self._told or any(map(is_shaped, values_of(text))):
            self._take_ends_beside(place)
            return
        if not ending or asks(remark):
            return
        texts = (text, *self._turn_before(place)[:3]) if points_back(ending) else (text,)
        for said in texts:
            if fixed := self._in_force.ended_by(said):
                before = said if said != text else ""
                self._told[place] = (ending_told(fixed, before=before),)
                self._lead(place, before)
                self._in_force.end(fixed)
                self._ended[slot_of(fixed.claim)] = place
                return

    def _take_ends_beside(self, place: int) -> None:
        """Take what is ended in a clause beside a value: "the prefix is `x_`, and no docstrings any more"."""
        told = self._told.get(place, ())
        for clause in CLAUSE.split(self._remarks[place].statement.text) if told else ():
            fixed = self._in_force.ended_by(clause) if ending_of(clause.lower()) else None
            if fixed and not any(map(is_shaped, values_of(clause))):
                values = (replace(one, is_whole=False) for one in self._told[place] if not one.is_lead)
                self._told[place] = (*values, ending_told(fixed))
                self._in_force.end(fixed)

    def _take_rest(self, place: int, repeated: set[int]) -> None:
        """See what no value tells: what takes another's place, what was acknowledged, and what was passed over."""
        remark = self._remarks[place]
        if place in self._told:
            return
        is_told = tells_how_code_is_written(remark)
        if only_announces(remark) or only_defines(remark):
            self._told[place] = LEAD
            return
        if place in repeated and (replaces := self._in_force.replaced_by(remark.statement.text, remark.reply)):
            self._told[place] = (Told(is_update=True, replaces=replaces),)
            return
        is_talk = tells_a_story(remark) or only_describes(remark) or orders_talk(remark)
        if not is_told and (is_talk or place not in repeated):
            return
        if self._leads_on(place) and not (is_told and place in repeated):
            self._told[place] = LEAD
            return
        if place not in repeated and is_passed_over(remark, is_other_repeated=bool(repeated)):
            self._told[place] = LEAD
        elif replaces := self._in_force.replaced_by(remark.statement.text, remark.reply):
            self._told[place] = (Told(is_update=True, replaces=replaces),)
        elif not is_told and (speaks_of_code_itself(remark) or speaks_of_code(remark)):
            self._told[place] = (Told(),)

    def _take_end_by_reply(self, turn: Sequence[int]) -> None:
        """Take the sentence that the other one understands as the end of a rule: "no ending for variables, then"."""
        for clause in CLAUSE.split(self._remarks[turn[0]].reply):
            fixed = self._in_force.ended_by(clause) if calls_off(clause) else None
            ends = [place for place in turn if place not in self._told and ending_of(self._remarks[place].plain)]
            if fixed and ends and not clause.rstrip().endswith("?"):
                self._told[ends[-1]] = (ending_told(fixed),)
                self._in_force.end(fixed)
                self._ended[slot_of(fixed.claim)] = ends[-1]

    def _tell(self, place: int, slot: Slot, value: str, *, before: str, is_whole: bool) -> None:
        self._gone |= {(slot, one.claim.value) for one in self._in_force.of(slot) if one.claim.value != value.lower()}
        if slot in self._ended:  # another value after all: it only changed
            self._told[self._ended.pop(slot)] = LEAD
        is_update = not is_whole and any(one.claim.value != value.lower() for one in self._in_force.of(slot))
        content = (self._in_force.reworded(slot, value) if is_update else "") or written(slot, value)
        replaces = self._in_force.fill(slot, value, is_change=is_update)
        is_update = is_update or bool(replaces)
        told = Told(content=content, before=before, is_whole=is_whole, is_update=is_update, replaces=replaces)
        self._told[place] = (*(one for one in self._told.get(place, ()) if not one.is_lead), told)
        self._lead(place, before)

    def _lead(self, place: int, text: str) -> None:
        """Mark the sentence that only tells what another one is about."""
        for other in range(max(0, place - _NEAR), place):
            remark = self._remarks[other]
            is_rule = bool(claims_of(text)) or (is_voiced(remark) and not is_weakly_voiced(remark))
            if text and remark.statement.text == text and not is_rule:
                self._told.setdefault(other, LEAD)

    def _leads_on(self, place: int) -> bool:
        """Whether it hardly sounds like a rule, and speaks of names or constructs of which a rule in its turn tells."""
        remark = self._remarks[place]
        text = remark.statement.text
        if not (is_weakly_voiced(remark) or points_elsewhere(remark.main)) or is_order(remark.main):
            return False
        for other in range(max(0, place - 1), min(len(self._remarks), place + _NEAR)):
            is_rule = any(not one.is_lead for one in self._told.get(other, ()))
            if other == place or not is_rule or self._remarks[other].turn.number != remark.turn.number:
                continue
            rule = self._told[other][-1].content or self._remarks[other].statement.text
            if constructs_in(rule) & constructs_in(text) or (speaks_of_names(rule) and speaks_of_names(text)):
                return True
        return False

    def _turn_before(self, place: int) -> list[str]:
        """Return the sentences before one in its turn, the nearest first."""
        number = self._remarks[place].turn.number
        near = self._remarks[max(0, place - _NEAR) : place]
        return [one.statement.text for one in near if one.turn.number == number][::-1]
