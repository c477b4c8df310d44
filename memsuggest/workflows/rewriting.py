"""Changing what is remembered as one entry of the journal: all of it or nothing, and `undo` takes it back."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from memsuggest.errors import MemsuggestError
from memsuggest.memory.revision import Revision, restored, restored_decisions
from memsuggest.memory.store_journal import Side, StoreChange, change_of, note_change

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memsuggest.model import MemoryFact
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
    number = desk.journal.begin((), decisions=(), folders=(), now=desk.now())
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
            decisions=restored_decisions(decided, after=now.decisions, before=then.decisions),
        )
    except MemsuggestError:
        with suppress(MemsuggestError):
            _turn(desk, then, now)
        raise


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
