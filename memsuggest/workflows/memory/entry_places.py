"""The place of an entry among the others: what says the same, what it contradicts, and whether it has to wait.

What an assistant writes never takes the place of what the person said.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from memsuggest.errors import MemsuggestError
from memsuggest.recall.entry import Entry, EntryStatus, Layer, Source
from memsuggest.recall.identity_text import LIMIT, identity_of, identity_text
from memsuggest.reports.recall_reports import EntryChanged

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from memsuggest.workflows.context import Context

SHORT = 7
"""Characters of an id in a message."""


def is_same(one: Entry, other: Entry) -> bool:
    """Tell if two entries say the same, but for signs and capitals; corrected ones count where their id is the same."""
    if one.layer is not other.layer or one.status is EntryStatus.INACTIVE:
        return one.layer is other.layer and one.id == other.id
    return one.id == other.id or one.content.casefold() == other.content.casefold()


def kept(entry: Entry, source: Source) -> EntryChanged:
    """Return that an entry was there, and whether that helps."""
    note = {
        EntryStatus.ACTIVE: "it was there already",
        EntryStatus.PENDING: "it was there already, and waits for the person",
        EntryStatus.INACTIVE: "it was there and was corrected, so it is not recalled",
    }[entry.status]
    if entry.status is EntryStatus.INACTIVE and source is not Source.USER:
        note += f"; only the person brings it back: `memsuggest memory confirm {entry.id[:SHORT]}`"
    return EntryChanged(did="kept", entry=entry, note=note)


def added(context: Context, entry: Entry, *, instead_of: Iterable[Entry] = ()) -> EntryChanged:
    """Add an entry, or let it wait; raises MemsuggestError where the identity is full."""
    store = context.profile.entries
    if entry.layer is Layer.IDENTITY:
        require_room(context, entry, without={one.id for one in instead_of})
    store.remove([one for one in instead_of if not one.is_fact])
    if entry.source is not Source.USER and (why := _why_waiting(context, entry)):
        waiting = entry._replace(status=EntryStatus.PENDING, superseded_by="")
        store.add([waiting])
        note = f"{why}, so it waits for `memsuggest memory confirm {waiting.id[:SHORT]}`"
        return EntryChanged(did="waiting", entry=waiting, note=note)
    store.add([entry])
    return EntryChanged(did="added", entry=entry)


def _why_waiting(context: Context, entry: Entry) -> str:
    """Say why an assistant's entry waits for the person; empty for one that holds at once.

    The identity is in every chat without a word of who wrote it, so all of it has to be the person's.
    """
    if entry.layer is Layer.IDENTITY:
        return "the identity holds what the person said or confirmed"
    other = contradicted(context, entry)
    return f"it contradicts what the person said ({other.id[:SHORT]}: {other.content})" if other else ""


def contradicted(context: Context, entry: Entry) -> Entry | None:
    """Return the person's word that an entry contradicts."""
    from memsuggest.memory.contradictions import why_contradicting  # noqa: PLC0415  (slow to load)

    own = (
        one
        for one in context.profile.entries.entries(layers=(Layer.IDENTITY, Layer.KNOWLEDGE))
        if one.source is Source.USER and one.status is EntryStatus.ACTIVE
    )
    return next((one for one in own if why_contradicting(entry.content, one.content)), None)


def require_room(context: Context, entry: Entry, *, without: Collection[str] = ()) -> None:
    """Raise MemsuggestError where the identity would grow beyond its limit."""
    entries = context.profile.entries.entries(layers=(Layer.IDENTITY,))
    kept = [one for one in entries if one.id != entry.id and one.id not in without]
    size = len(identity_text([*kept, entry._replace(status=EntryStatus.ACTIVE)]))
    if size <= LIMIT:
        return
    largest = sorted(identity_of(kept), key=lambda one: len(one.content), reverse=True)[:5]
    listed = "; ".join(f"{one.id[:SHORT]} ({len(one.content)}) {one.content[:40]}" for one in largest)
    raise MemsuggestError(
        f"the identity has room for {LIMIT:,} characters; with this it would have {size:,}",
        hint=f"merge or drop some with `memsuggest identity edit`, or `identity remove ID`: {listed}",
    )


def reworded(context: Context, before: Entry, after: Entry) -> EntryChanged:
    """Change an entry in its place."""
    if before.layer is Layer.IDENTITY:
        require_room(context, after)
    context.profile.entries.update(after)
    return EntryChanged(did="updated", entry=after)


def in_place_of(context: Context, before: Entry, new: Entry) -> EntryChanged:
    """Put an entry in the place of one that nobody but an assistant said, which is kept as inactive."""
    store = context.profile.entries
    same = [one for one in store.entries() if one.id != before.id and is_same(one, new)]
    settled = [one for one in same if one.source is Source.USER or one.status is EntryStatus.INACTIVE]
    mine = [one for one in store.entries() if one.id == before.superseded_by and before.status is EntryStatus.PENDING]
    if settled and new.source is not Source.USER:
        changed = kept(settled[0], new.source)
    elif mine and new.source is not Source.USER:  # still a proposal against what the person said
        changed = proposed(context, mine[0], new)
    else:
        changed = added(context, new, instead_of=[before] if new.id == before.id else ())
    is_replaced = changed.did == "added" or before.status is EntryStatus.PENDING
    if is_replaced and new.id != before.id:
        store.update(before._replace(status=EntryStatus.INACTIVE, superseded_by=changed.entry.id))
    return replace(changed, did="updated") if changed.did == "added" else changed


def proposed(context: Context, before: Entry, after: Entry) -> EntryChanged:
    """Let what an assistant says against the person's word wait for the person."""
    store = context.profile.entries
    same = [one for one in store.entries() if one.id == after.id and one.layer is after.layer]
    if any(one.source is Source.USER for one in same):  # the same words: what the person said stays as it is
        return kept(same[0], after.source)
    waiting = after._replace(status=EntryStatus.PENDING, superseded_by=before.id)
    store.add([waiting])
    note = (
        f"the person said `{before.content}`; `memsuggest memory confirm {waiting.id[:SHORT]}` puts this in its place"
    )
    return EntryChanged(did="waiting", entry=waiting, note=note)
