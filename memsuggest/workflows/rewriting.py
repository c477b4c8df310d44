"""Changing what is remembered as one entry of the journal, which `undo` takes back.

A consolidation is planned, written down and then done, all of it or nothing. Of a single decision the stores are looked
at before and after it.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from memsuggest.errors import MemsuggestError
from memsuggest.memory.revision import Revision, restored, restored_decisions
from memsuggest.memory.store_journal import Side, StoreChange, change_of, note_change
from memsuggest.model import SuggestionStatus
from memsuggest.suggestions.journal import CONSOLIDATED, About

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from memsuggest.model import Decision, MemoryFact
    from memsuggest.workflows.desk import Desk


def planned_change(desk: Desk, revision: Revision) -> StoreChange:
    """Return the stores before and after a revision, as far as it concerns them."""
    own = {fact.id: fact for fact in desk.profile.contents().facts}
    stones = tuple(stone for stone in revision.gone if stone.fact_id in own)
    kept = tuple(fact for fact in revision.facts if fact.id in own)
    touched = {stone.fact_id for stone in stones} | {fact.id for fact in kept}
    texts = desk.facts_file.preview(revision) or (None, None)
    return StoreChange(
        before=Side(
            shared=texts[0],
            facts=tuple(fact for key, fact in own.items() if key in touched),
            decisions=tuple(one for one in desk.profile.contents().decisions if one.fact_id in touched),
        ),
        after=Side(shared=texts[1], facts=kept, decisions=revision.decisions, gone=stones),
    )


def rewrite_stores(desk: Desk, revision: Revision) -> None:
    """Carry a revision out in both stores, or leave both as they were; raises MemsuggestError."""
    change = planned_change(desk, revision)
    about = [About(id=fact.id, content=fact.content) for fact in change.before.facts]
    number = desk.journal.begin((), now=desk.now(), verb=CONSOLIDATED, about=about)
    try:
        note_change(desk.state, number, change)
        desk.facts_file.rewrite(revision)
        _put(desk, change.before, change.after)
        desk.journal.finish(number)
    except MemsuggestError:
        # What cannot be taken back now, the open entry lets the next run take back.
        with suppress(MemsuggestError):
            restore_stores(desk, number)
            desk.journal.forget(number)
        raise


def side_of(desk: Desk, ids: Collection[str], chats: Collection[str] = ()) -> Side:
    """Return the stores as they are, as far as some facts, some care or some chats are concerned."""
    own = desk.profile.contents()
    return Side(
        shared=desk.facts_file.text(),
        facts=tuple(fact for fact in own.facts if fact.id in ids),
        decisions=tuple(one for one in own.decisions if one.fact_id in ids),
        gone=tuple(stone for stone in own.tombstones if stone.fact_id in ids),
        silenced=tuple(sorted(desk.profile.silenced().intersection(chats))) if chats else (),
    )


def change_between(before: Side, after: Side) -> StoreChange | None:
    """Return what a decision changed in the stores; None for nothing."""
    if before == after:
        return None
    if before.shared == after.shared:
        before, after = replace(before, shared=None), replace(after, shared=None)
    return StoreChange(before=_without(before, after.facts), after=_without(after, before.facts))


def _without(side: Side, others: Sequence[MemoryFact]) -> Side:
    """Leave out the facts that are the same on the other side, so that nobody writes them anew."""
    return replace(side, facts=tuple(fact for fact in side.facts if fact not in others))


def restore_stores(desk: Desk, number: int) -> None:
    """Take back what an entry of the journal did to the stores, but not what changed since; twice does no harm.

    Raises MemsuggestError, and then nothing was taken back.
    """
    change = change_of(desk.state, number)
    if change is not None:
        _put(desk, change.after, change.before)


def repeat_stores(desk: Desk, number: int) -> None:
    """Do again what an entry did to the stores: taking it back has failed further on. Raises MemsuggestError."""
    change = change_of(desk.state, number)
    if change is not None:
        _put(desk, change.before, change.after)


def _put(desk: Desk, now: Side, then: Side) -> None:
    """Bring both stores from one side to the other, or neither."""
    _turn(desk, now, then)
    contents = desk.profile.contents()
    touched = {fact.id for fact in (*now.facts, *then.facts)}
    decided = [one for one in contents.decisions if one.fact_id in touched]
    try:
        desk.profile.rewrite(
            gone=then.gone,
            facts=_facts_then(contents.facts, now, then),
            decisions=[*_lifted(now, then), *restored_decisions(decided, after=now.decisions, before=then.decisions)],
        )
        desk.profile.drop(_taken_in(now, then))
        desk.profile.hear(set(now.silenced) - set(then.silenced))
        desk.profile.silence(set(then.silenced) - set(now.silenced))
    except MemsuggestError:
        with suppress(MemsuggestError):
            _turn(desk, then, now)
        raise


def _lifted(now: Side, then: Side) -> list[Decision]:
    """Return the decisions of one side that the other has not, as pending ones: they are no more."""
    kept = {(one.fact_id, one.target) for one in then.decisions}
    gone = (one for one in now.decisions if (one.fact_id, one.target) not in kept)
    return [replace(one, status=SuggestionStatus.PENDING) for one in gone]


def _taken_in(now: Side, then: Side) -> list[MemoryFact]:
    """Return the facts of one side that the other knows nothing of."""
    known = {fact.id for fact in then.facts} | {stone.fact_id for stone in then.gone}
    return [fact for fact in now.facts if fact.id not in known]


def _turn(desk: Desk, now: Side, then: Side) -> None:
    if now.shared is not None and then.shared is not None:
        desk.facts_file.turn_back(before=then.shared, after=now.shared)


def _facts_then(held: Iterable[MemoryFact], now: Side, then: Side) -> list[MemoryFact]:
    """Return the facts of the other side; one that both have, and that the person has forgotten since, stays away."""
    known = {fact.id: fact for fact in held}
    there = {fact.id: fact for fact in now.facts}
    found: list[MemoryFact] = []
    for fact in then.facts:
        if fact.id not in there:
            found.append(known.get(fact.id, fact))
        elif fact.id in known:
            found.append(restored(known[fact.id], after=there[fact.id], before=fact))
    return found
