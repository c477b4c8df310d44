"""Cues from around a sentence: the turn it opens, the objection before it, the order to mend something behind it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from memsuggest.extraction import surroundings
from memsuggest.extraction.rule import Rule

if TYPE_CHECKING:
    from collections.abc import Callable

    from memsuggest.extraction.remarks import Remark

_RULES = (
    Rule(
        name="opens-the-session",
        looks_for="said in the first turn, where people say what is to be done",
        when=surroundings.opens_the_session,
        remembers=(),
        ignores=("use yarn",),
    ),
    Rule(
        name="about-what-was-said",
        looks_for="takes up a word of what the assistant had just said",
        when=surroundings.is_about_what_was_said,
        remembers=(),
        ignores=("use yarn",),
    ),
    Rule(
        name="after-an-objection",
        looks_for="said right behind a short no, why, not like that",
        when=surroundings.follows_an_objection,
        remembers=(),
        ignores=("use yarn",),
    ),
    Rule(
        name="reason-to-mend",
        looks_for="said right before a short order to change something: the ids are strings. fix that",
        when=surroundings.is_reason_to_mend,
        remembers=(),
        ignores=("use yarn",),
    ),
    Rule(
        name="concludes",
        looks_for="a conclusion: so the cache is never warm",
        when=surroundings.concludes,
        remembers=("so every call opens a socket", "that means we read it twice"),
        ignores=("sort every import", "so please use tabs"),
    ),
    Rule(
        name="tells-what-happens",
        looks_for="always and never about what one thing happens to do",
        when=surroundings.tells_what_happens,
        remembers=(
            "the spinner never stops",
            "it always picks the first one",
            "the flag is always set",
            "the tests never check the token",
            "el botón siempre sale dos veces",
            "刷新之后总是白屏",
        ),
        ignores=(
            "never stop the spinner",
            "tests never sleep",
            "the worker must never sleep",
            "keys are always strings",
        ),
    ),
    Rule(
        name="asks-of-one-thing",
        looks_for="what one thing here should or must do",
        when=surroundings.asks_of_one_thing,
        remembers=("the token has to be stored next to the job row", "it must remember the selection"),
        ignores=("tests must not sleep", "make sure the token is stored", "every handler must validate its input"),
    ),
    Rule(
        name="tells-amid-much",
        looks_for="how something is, told in a turn that says a lot",
        when=surroundings.tells_amid_much,
        remembers=(),
        ignores=("use yarn", "the worker runs as root"),
    ),
    Rule(
        name="in-a-document",
        looks_for="stands under the headings of a plan or a specification",
        when=lambda remark: remark.is_document,
        remembers=(),
        ignores=("use yarn",),
    ),
    Rule(
        name="supposes",
        looks_for="what should happen in a case that is thought through",
        when=surroundings.supposes,
        remembers=("if the lock is lost, the worker should stop", "when a job fails it goes back to the queue"),
        ignores=("if you rename a column, write a migration", "when in doubt, ask"),
    ),
)


def _with_an_assistant(when: Callable[[Remark], bool]) -> Callable[[Remark], bool]:
    """In a talk between people the surroundings say little: nobody there has just changed a file."""
    return lambda remark: not remark.is_dialogue and when(remark)


RULES = tuple(replace(rule, when=_with_an_assistant(rule.when)) for rule in _RULES if rule.when)
