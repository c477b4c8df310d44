"""Asking a model where the rules belong that our own ranking would add somewhere; what it says is kept as advice."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from memsuggest.suggestions.advice import NO_PLACE, load_advice, save_advice
from memsuggest.suggestions.advising import PORTION, cases_of, portions, question_about, read_placed, written_placed
from memsuggest.workflows.pending import closed_targets, make_suggestions
from memsuggest.workflows.proposals import why_not_words
from memsuggest.workflows.stores import all_decisions, all_facts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memsuggest.haiku.asking import Asks
    from memsuggest.haiku.question import Question
    from memsuggest.suggestions.advising import Case
    from memsuggest.workflows.desk import Desk


def find_places(desk: Desk, asks: Asks) -> int:
    """Ask about every rule whose place was not asked for yet, keep the advice; return for how many rules there is some.

    Raises ModelError and ConsentError; what was answered by then is kept.
    """
    found = 0
    for cases, question in questions(desk):
        advice = asks.ask(
            question,
            partial(read_placed, cases=cases, check=why_not_words),
            sift=partial(written_placed, cases=cases),
        )
        with desk.alone():
            save_advice(desk.state, desk.place.worktree_key, advice)
        found += sum(one.uri != NO_PLACE for one in advice)
    return found


def questions(desk: Desk, *, most: int = PORTION) -> Iterator[tuple[list[Case], Question]]:
    """Yield what is to be asked now, in questions of so many tokens, with the rules that each is about."""
    for portion in portions(unanswered(desk), most=most):
        yield portion, question_about(portion, about=str(desk.root))


def unanswered(desk: Desk) -> list[Case]:
    """Return the rules that would be added to a file, and of which nothing is known, or by now something else."""
    decisions = all_decisions(desk)
    added = [
        one.fact
        for one in make_suggestions(desk, all_facts(desk)).suggestions
        if one.fact and not one.replaces and not one.executable
    ]
    known = load_advice(desk.state, desk.place.worktree_key)
    cases = cases_of([(fact, closed_targets(fact, decisions)) for fact in added], desk.bench)
    return [case for case in cases if case.fact.id not in known or known[case.fact.id].basis != case.basis]
