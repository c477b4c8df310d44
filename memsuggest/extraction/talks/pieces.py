"""Pieces: what a value that was told is for, where its own sentence does not say all of it.

Owns the order in which one looks: what the sentence claims, what is in force and named beside it, what the other one
says who repeats it, and what was said before. Pure.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memsuggest.extraction.talks.slots import (
    Slot,
    has,
    is_shaped,
    names_a_topic,
    slot_in,
    slot_of_claim,
    values_of,
)
from memsuggest.memory.marks import Mark, marks_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memsuggest.extraction.remarks import Remark
    from memsuggest.extraction.talks.in_force import InForce

CLAUSE = re.compile(r"(?<=[.!?;,])\s+|\s+(?:and|but|while|then)\s+(?=\S)")
"""Where the clauses of an answer part."""
_CAPITALISED = re.compile(r"\b[A-Z][a-z]\w{1,20}\b")


def slot_for(mark: Mark, remark: Remark, *, before: Sequence[str], in_force: InForce, topic: Slot) -> tuple[Slot, str]:
    """Return what a value is for, and the sentence of the person that says so."""
    slot, said_in = slot_of_claim(remark.statement.text, mark), ""
    for other, sentence in _sources(mark, remark, before=before, in_force=in_force, topic=topic):
        if slot.is_known:
            break
        fuller = slot.filled_by(other)
        said_in = sentence if fuller != slot and sentence and not said_in else said_in
        slot = fuller
    return slot, said_in


def what_is_left(remark: Remark, in_force: InForce) -> tuple[Mark, ...]:
    """Return the only value of a sentence, named as gone only by its looks: "what remained was `x_`"."""
    marks = marks_of(remark.statement.text)
    is_new = len(marks) == 1 and has(remark.reply, marks[0].value)
    return marks if is_new and not in_force.named_in(marks[0].value) else ()


def words_for_words(remark: Remark, in_force: InForce) -> Iterator[Mark]:
    """Yield the words with a capital that take the place of one in force: "Vertex, where they had Node"."""
    old = in_force.word_in(remark.statement.text)
    for found in _CAPITALISED.finditer(remark.statement.text) if old else ():
        if old and found[0].lower() != old.value and found[0] in remark.reply:
            yield Mark(value=found[0], start=found.start(), aspect=old.aspect, is_out=False)


def _sources(
    mark: Mark, remark: Remark, *, before: Sequence[str], in_force: InForce, topic: Slot
) -> Iterator[tuple[Slot, str]]:
    """Yield what else may tell what a value is for, the surest first."""
    form = slot_in("", mark).aspect
    yield from ((slot, "") for slot in in_force.named_in(remark.statement.text, aspect=form))
    yield slot_in(remark.statement.text, mark), ""
    for text in before:
        yield from ((slot, "") for slot in in_force.named_in(text, aspect=form))
    yield from ((slot, "") for slot in _repeated(remark.reply, mark))
    for text in filter(names_a_topic, before):
        yield slot_in(text), text
    if not is_shaped(mark):
        yield in_force.only_word(), ""
        return
    for text in before:
        yield slot_in(text), text
    yield slot_in(remark.answered), ""
    yield topic, ""
    yield in_force.only_slot(form), ""


def _repeated(reply: str, mark: Mark) -> Iterator[Slot]:
    """Yield what the other one says of a value when they repeat it, clause by clause."""
    for clause in CLAUSE.split(reply):
        if has(clause, mark.value):
            yield next((slot_in(clause, one) for one in values_of(clause) if one.value == mark.value), slot_in(clause))
