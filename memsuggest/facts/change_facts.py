"""Changing what is remembered as one entry of the journal, which `undo` takes back.

A consolidation is planned, written down and then done, all of it or nothing. Of a single decision the stores are looked
at before and after it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime

from memsuggest.core.context import Context
from memsuggest.core.errors import MemsuggestError
from memsuggest.core.model import (
    BY_HAND,
    BY_HAND_FORMAT,
    QUOTE_LIMIT,
    Citation,
    MemoryFact,
    SuggestionStatus,
    Trust,
    is_maybe,
)
from memsuggest.facts.revision import Revision, restored, restored_decisions
from memsuggest.facts.store_journal import Side, StoreChange, change_of, note_change
from memsuggest.facts.stores import OWN_WORDS
from memsuggest.files.journal import CONSOLIDATED, About


def planned_change(context: Context, revision: Revision) -> StoreChange:
    """Return the stores before and after a revision, as far as it concerns them."""
    own = {fact.id for fact in context.profile.contents().facts}
    gone = tuple(tombstone for tombstone in revision.gone if tombstone.fact_id in own)
    kept = tuple(fact for fact in revision.facts if fact.id in own)
    text, text_after = context.facts_file.preview(revision) or (None, None)
    touched = {tombstone.fact_id for tombstone in gone} | {fact.id for fact in kept}
    return StoreChange(
        before=replace(side_of(context, touched), shared=text, gone=()),
        after=Side(shared=text_after, facts=kept, decisions=revision.decisions, gone=gone),
    )


def rewrite_stores(context: Context, revision: Revision) -> None:
    """Carry a revision out in both stores, or leave both as they were; raises MemsuggestError."""
    change = planned_change(context, revision)
    about = [About(id=fact.id, content=fact.content) for fact in change.before.facts]
    number = context.journal.begin((), now=context.now(), verb=CONSOLIDATED, about=about)
    try:
        note_change(context.state, number, change)
        context.facts_file.rewrite(revision)
        _put(context, change.before, change.after)
        context.journal.finish(number)
    except MemsuggestError:
        # What cannot be taken back now, the open entry lets the next run take back.
        with suppress(MemsuggestError):
            restore_stores(context, number)
            context.journal.forget(number)
        raise


def side_of(context: Context, ids: Collection[str], chats: Collection[str] = ()) -> Side:
    """Return the stores as they are, as far as some facts, some care or some chats are concerned."""
    own = context.profile.contents()
    return Side(
        shared=context.facts_file.text(),
        facts=tuple(fact for fact in own.facts if fact.id in ids),
        decisions=tuple(decision for decision in own.decisions if decision.fact_id in ids),
        gone=tuple(tombstone for tombstone in own.tombstones if tombstone.fact_id in ids),
        silenced=tuple(sorted(context.profile.silenced().intersection(chats))) if chats else (),
    )


def change_between(before: Side, after: Side) -> StoreChange | None:
    """Return what a decision changed in the stores; None for nothing."""
    if before == after:
        return None
    if before.shared == after.shared:
        before, after = replace(before, shared=None), replace(after, shared=None)
    own, others = before.facts, after.facts  # what is the same on both sides is not written anew
    return StoreChange(
        before=replace(before, facts=tuple(fact for fact in own if fact not in others)),
        after=replace(after, facts=tuple(fact for fact in others if fact not in own)),
    )


def restore_stores(context: Context, number: int, *, is_again: bool = False) -> None:
    """Take back what an entry of the journal did to the stores, but not what changed since; twice does no harm.

    Or do it again, where taking it back has failed further on. Raises MemsuggestError, and then nothing was taken back.
    """
    if change := change_of(context.state, number):
        _put(context, *((change.before, change.after) if is_again else (change.after, change.before)))


def _put(context: Context, now: Side, then: Side) -> None:
    """Bring both stores from one side to the other, or neither."""
    _turn(context, now, then)
    contents = context.profile.contents()
    touched = {fact.id for fact in (*now.facts, *then.facts)}
    decided = [decision for decision in contents.decisions if decision.fact_id in touched]
    kept = restored_decisions(decided, after=now.decisions, before=then.decisions)
    about = {(decision.fact_id, decision.target) for decision in then.decisions}
    gone = (item for item in now.decisions if (item.fact_id, item.target) not in about)
    lifted = [replace(decision, status=SuggestionStatus.PENDING) for decision in gone]
    known = {fact.id for fact in then.facts} | {tombstone.fact_id for tombstone in then.gone}
    stored, there, facts = {fact.id: fact for fact in contents.facts}, {fact.id: fact for fact in now.facts}, []
    for fact in then.facts:
        if fact.id not in there:
            facts.append(stored.get(fact.id, fact))
        elif fact.id in stored:  # else the person has forgotten it since, and it stays away
            facts.append(restored(stored[fact.id], after=there[fact.id], before=fact))
    try:
        context.profile.rewrite(gone=then.gone, facts=facts, decisions=[*lifted, *kept])
        context.profile.drop([fact for fact in now.facts if fact.id not in known])
        context.profile.hear(set(now.silenced) - set(then.silenced))
        context.profile.silence(set(then.silenced) - set(now.silenced))
    except MemsuggestError:
        with suppress(MemsuggestError):
            _turn(context, then, now)
        raise


def _turn(context: Context, now: Side, then: Side) -> None:
    if now.shared is not None and then.shared is not None:
        context.facts_file.turn_back(before=then.shared, after=now.shared)


SURE = 0.75  # confidence at least of a fact that the person confirmed, in somebody else's words


def by_hand(content: str, paths: Sequence[str], *, now: int) -> Citation:
    """Return the evidence of what the person says outside of any chat."""
    return Citation(
        session_id=BY_HAND,
        turn=1,
        quote=content[:QUOTE_LIMIT],
        paths=tuple(paths),
        at=datetime.fromtimestamp(now / 1000, UTC),
        format=BY_HAND_FORMAT,
    )


def confirmed(fact: MemoryFact, *, now: int) -> MemoryFact:
    """Return a fact with the person's agreement: sure enough to be suggested, and what others told is never a hook."""
    is_own = any(citation.trust in OWN_WORDS for citation in fact.citations)
    if is_own and not is_maybe(fact):
        return fact
    agreement = replace(by_hand(fact.content, (), now=now), trust=Trust.CONFIRMED)
    citations = (*fact.citations, agreement) if is_own else (agreement, *fact.citations)
    return replace(fact, confidence=max(fact.confidence, SURE), citations=citations)
