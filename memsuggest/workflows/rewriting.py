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
    gone = {stone.fact_id for stone in revision.gone}
    kept = [fact for fact in revision.facts if fact.id in own]
    touched = gone | {fact.id for fact in kept}
    texts = desk.facts_file.preview(revision) or (None, None)
    return StoreChange(
        before=Side(
            shared=texts[0],
            facts=tuple(fact for key, fact in own.items() if key in touched),
            decisions=tuple(one for one in desk.profile.contents().decisions if one.fact_id in touched),
        ),
        after=Side(shared=texts[1], facts=tuple(kept), decisions=revision.decisions),
    )


def rewrite_stores(desk: Desk, revision: Revision) -> None:
    """Carry a revision out in both stores, or leave both as they were; raises MemsuggestError."""
    change = planned_change(desk, revision)
    number = desk.journal.begin((), decisions=(), folders=(), now=desk.now())
    note_change(desk.state, number, change)
    try:
        desk.facts_file.rewrite(revision)
        own = {fact.id for fact in change.before.facts}
        stones = [stone for stone in revision.gone if stone.fact_id in own]
        desk.profile.rewrite(gone=stones, facts=change.after.facts, decisions=change.after.decisions)
        desk.journal.finish(number)
    except MemsuggestError:
        # What cannot be taken back now, the open entry lets the next run take back.
        with suppress(MemsuggestError):
            restore_stores(desk, number)
            desk.journal.forget(number)
        raise


def restore_stores(desk: Desk, number: int) -> StoreChange | None:
    """Take back what an entry of the journal did to the stores, but not what changed since; None for no such entry.

    Doing it twice does no harm.
    """
    change = change_of(desk.state, number)
    if change is None:
        return None
    before, after = change.before, change.after
    if before.shared is not None and after.shared is not None:
        desk.facts_file.turn_back(before=before.shared, after=after.shared)
    contents = desk.profile.contents()
    touched = {fact.id for fact in before.facts}
    decisions = [one for one in contents.decisions if one.fact_id in touched]
    desk.profile.rewrite(
        gone=(),
        facts=_facts_before(contents.facts, change),
        decisions=restored_decisions(decisions, after=after.decisions, before=before.decisions),
    )
    return change


def _facts_before(now: Iterable[MemoryFact], change: StoreChange) -> list[MemoryFact]:
    """Return the facts to be put back; one that stayed, and that the person has forgotten since, stays forgotten."""
    held = {fact.id: fact for fact in now}
    kept = {fact.id: fact for fact in change.after.facts}
    found: list[MemoryFact] = []
    for fact in change.before.facts:
        if fact.id not in kept:
            found.append(held.get(fact.id, fact))
        elif fact.id in held:
            found.append(restored(held[fact.id], after=kept[fact.id], before=fact))
    return found
