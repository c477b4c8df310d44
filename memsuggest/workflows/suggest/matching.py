"""Asking a model where the rules belong that our own ranking would add somewhere; what it says is kept as advice."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from memsuggest.suggestions.open_facts import closed_targets
from memsuggest.suggestions.ranking.model_placement import (
    PORTION,
    cases_of,
    portions,
    question_about,
    read_placed,
    written_placed,
)
from memsuggest.suggestions.store.placement_cache import NO_PLACE, load_advice, save_advice
from memsuggest.workflows.facts.proposals import why_not_words
from memsuggest.workflows.facts.stores import all_decisions, all_facts
from memsuggest.workflows.suggest.suggesting import make_suggestions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memsuggest.asking.ask_model import Asks
    from memsuggest.asking.question import Question
    from memsuggest.suggestions.ranking.model_placement import PlacementCase
    from memsuggest.workflows.context import Context


def find_places(context: Context, asks: Asks) -> int:
    """Ask about every rule whose place was not asked for yet, keep the advice; return for how many rules there is some.

    Raises ModelError and ConsentError; what was answered by then is kept.
    """
    found = 0
    for cases, question in questions(context):
        advice = asks.ask(
            question,
            partial(read_placed, cases=cases, check=why_not_words),
            sift=partial(written_placed, cases=cases),
        )
        with context.exclusive():
            save_advice(context.state, context.place.worktree_key, advice)
        found += sum(one.uri != NO_PLACE for one in advice)
    return found


def questions(context: Context, *, most: int = PORTION) -> Iterator[tuple[list[PlacementCase], Question]]:
    """Yield what is to be asked now, in questions of so many tokens, with the rules that each is about."""
    for portion in portions(unanswered(context), most=most):
        yield portion, question_about(portion, about=str(context.root))


def unanswered(context: Context) -> list[PlacementCase]:
    """Return the rules that would be added to a file, and of which nothing is known, or by now something else."""
    decisions = all_decisions(context)
    added = [
        one.fact
        for one in make_suggestions(context, all_facts(context)).suggestions
        if one.fact and not one.replaces and not one.executable
    ]
    known = load_advice(context.state, context.place.worktree_key)
    cases = cases_of([(fact, closed_targets(fact, decisions)) for fact in added], context.workspace_index)
    return [case for case in cases if case.fact.id not in known or known[case.fact.id].basis != case.basis]
