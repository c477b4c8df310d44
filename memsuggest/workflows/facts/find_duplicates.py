"""Looking, now and then, for facts that say the same in other words: with a model, on the schedule of the mode.

What it finds changes nothing; `consolidate` shows it and carries it out.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from memsuggest.asking.prompts import load_prompt
from memsuggest.errors import ModelError
from memsuggest.identity import hash_of
from memsuggest.memory.consolidation import disposed
from memsuggest.memory.proposing import FactMarks, duplicates_question, name_of, read_groups, written_groups
from memsuggest.model import FactStatus
from memsuggest.workflows.facts.stores import all_facts

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from memsuggest.asking.ask_model import Asks
    from memsuggest.asking.question import Question
    from memsuggest.memory.consolidation import Proposal
    from memsuggest.model import MemoryFact
    from memsuggest.workflows.context import Context

ENOUGH = 5
"""New facts after which it is worth looking at once."""
PAUSE = 24 * 60 * 60 * 1000
"""Milliseconds after which any new fact is worth looking."""


def find_duplicates(context: Context, asks: Asks) -> int:
    """Ask, when it is due, which facts say the same; return how many could be merged, by this and earlier answers.

    Raises ModelError and ConsentError.
    """
    shown = {name_of(fact): fact for fact in _in_force(context)}
    due = due_question(context, asks)
    if due is not None:
        question, covers = due
        asks.ask(question, read_groups, family=_family(), covers=covers, sift=partial(_sifted, shown=shown))
    operations, _ = disposed(kept_groups(asks, shown), shown)
    return len(operations)


def due_question(context: Context, asks: Asks) -> tuple[Question, frozenset[str]] | None:
    """Return the question that is due, and the names of the facts in it; None when it can wait."""
    facts = {name_of(fact): fact for fact in _in_force(context)}
    answers = asks.answers(_family())
    seen = frozenset(name for answer in answers for name in answer.covers)
    new = facts.keys() - seen
    last = max((answer.at for answer in answers), default=context.now())
    if not new or len(facts) < 2 or (len(new) < ENOUGH and context.now() - last < PAUSE):
        return None
    scopes = {facts[name].scope for name in new}
    asked = {name: fact for name, fact in facts.items() if fact.scope in scopes}
    marks = FactMarks(seen=seen)
    return duplicates_question(list(asked.values()), marks=marks, about=str(context.root)), frozenset(asked)


def kept_groups(asks: Asks, shown: Mapping[str, MemoryFact], *, known: Sequence[Proposal] = ()) -> list[Proposal]:
    """Return what earlier answers said about facts that are still as they were, and that nothing is proposed for."""
    taken = {name for proposal in known for name in (proposal.id, proposal.because) if name}
    found: dict[str, Proposal] = {}
    for answer in asks.answers(_family()):
        for proposal in _groups_of(answer.text):
            if {proposal.id, proposal.because} <= shown.keys() and not {proposal.id, proposal.because} & taken:
                found.setdefault(proposal.id, proposal)
    return list(found.values())


def _sifted(proposals: Sequence[Proposal], *, shown: Mapping[str, MemoryFact]) -> str:
    """Return what of an answer is kept: groups of facts that were shown."""
    return written_groups(one for one in proposals if {one.id, one.because} <= shown.keys())


def _groups_of(text: str) -> list[Proposal]:
    try:
        return read_groups(text)
    except ModelError:  # an answer that another version of this program kept
        return []


def _in_force(context: Context) -> Collection[MemoryFact]:
    return [fact for fact in all_facts(context) if fact.status is FactStatus.ACTIVE]


def _family() -> str:
    return hash_of("duplicates", str(load_prompt("duplicates").version))
