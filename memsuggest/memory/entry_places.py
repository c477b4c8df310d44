"""The place of an entry among the others: what says the same, what it contradicts, and whether it has to wait.

What an assistant writes never takes the place of what the person said.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from memsuggest.core.context import Context
from memsuggest.core.errors import MemsuggestError
from memsuggest.facts.contradictions import RulesByWord
from memsuggest.memory.entry import Entry, EntryStatus, Layer, Source, entry_id
from memsuggest.memory.guard import as_rule, why_pending
from memsuggest.memory.identity_text import LIMIT, identity_of, identity_size
from memsuggest.memory.recall_reports import EntryChanged

SHORT = 7
"""Characters of an id in a message."""
_SIGNS = re.compile(r"[^\w+#./:@-]+")


class KnownEntries:
    """The entries that a new one is compared with: those that say the same, and the person's that it contradicts."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self.identity: list[Entry] = []
        """What stands in the identity."""
        self._by_words: dict[tuple[Layer, str], list[Entry]] = {}
        self._words_by_id: dict[tuple[Layer, str], str] = {}
        self._own_words: list[Entry] = []
        self._own: RulesByWord[Entry] | None = None
        for entry in entries:
            self.add(entry)

    def add(self, entry: Entry) -> None:
        """Know one more entry."""
        words = _words(entry)
        self._by_words.setdefault((entry.layer, words), []).append(entry)
        self._words_by_id[entry.layer, entry.id] = words
        if entry.layer is Layer.ARCHIVE or entry.status is not EntryStatus.ACTIVE:
            return
        if entry.layer is Layer.IDENTITY:
            self.identity.append(entry)
        if entry.source is Source.USER:
            self._own_words.append(entry)
            if self._own is not None:
                self._own.add(as_rule(entry.content), entry)

    def same(self, entry: Entry) -> list[Entry]:
        """Return what says the same but for signs and capitals; of what was corrected, only what began so, too."""
        found = self._by_words.get((entry.layer, _words(entry)), ())
        return [item for item in found if item.status is not EntryStatus.INACTIVE or item.id == entry.id]

    def with_own_id(self, entry: Entry) -> Entry:
        """Return an entry with an id that no other has: one that began with the same words may say something else."""
        number = 1
        while self._words_by_id.get((entry.layer, entry.id), _words(entry)) != _words(entry):
            number += 1
            entry = entry._replace(id=entry_id(entry.layer, entry.project, f"{entry.content} {number}"))
        return entry

    def contradicted(self, entry: Entry) -> Entry | None:
        """Return the person's word that an entry contradicts."""
        from memsuggest.core.text.likeness import opposed
        from memsuggest.facts.contradictions import RulesByWord

        if self._own is None:
            self._own = RulesByWord((as_rule(item.content), item) for item in self._own_words)
        rule = as_rule(entry.content)
        return next((item for item in self._own.near(rule) if opposed(rule, as_rule(item.content))), None)


def _words(entry: Entry) -> str:
    """Return what an entry says but for capitals, spaces and the signs between words: C is not C++."""
    found = _SIGNS.sub(" ", entry.content.casefold()).split()
    return " ".join(word.strip(".:-/") or word for word in found) or entry.content


def kept(entry: Entry, source: Source) -> EntryChanged:
    """Return that an entry was there, and whether that helps."""
    note = {
        EntryStatus.ACTIVE: "already stored",
        EntryStatus.PENDING: "already stored, pending the user's confirmation",
        EntryStatus.INACTIVE: "already stored, but since corrected and no longer recalled",
    }[entry.status]
    if entry.status is EntryStatus.INACTIVE and source is not Source.USER:
        note += f"; only the user can restore the entry, with `memsuggest memory confirm {entry.id[:SHORT]}`"
    return EntryChanged(did="kept", entry=entry, note=note)


def added(context: Context, entry: Entry, known: KnownEntries, *, instead_of: Sequence[Entry] = ()) -> EntryChanged:
    """Add an entry, or let it wait; raises MemsuggestError where the identity is full."""
    store = context.profile.entries
    entry = known.with_own_id(entry)
    if entry.layer is Layer.IDENTITY:
        require_room(entry, known.identity, without={item.id for item in instead_of})
    store.remove([item for item in instead_of if not item.is_fact])
    if entry.source is not Source.USER and (why := _why_waiting(entry, known)):
        waiting = entry._replace(status=EntryStatus.PENDING, superseded_by="")
        store.add([waiting])
        note = f"{why}, so the entry is pending; `memsuggest memory confirm {waiting.id[:SHORT]}` activates it"
        return EntryChanged(did="waiting", entry=waiting, note=note)
    store.add([entry])
    return EntryChanged(did="added", entry=entry)


def _why_waiting(entry: Entry, known: KnownEntries) -> str:
    """Say why an assistant's entry waits for the person; empty for one that holds at once.

    The identity is in every chat without a word of who wrote it, so all of it has to be the person's.
    """
    if entry.layer is Layer.IDENTITY:
        return "the identity contains only what the user said or confirmed"
    if other := known.contradicted(entry):
        return f"the text contradicts what the user said ({other.id[:SHORT]}: {other.content})"
    return why_pending(entry.content) if entry.source is Source.AGENT else ""


def require_room(entry: Entry, identity: Iterable[Entry], *, without: Collection[str] = ()) -> None:
    """Raise MemsuggestError where the identity would grow beyond its limit with an entry."""
    kept = [item for item in identity if item.id != entry.id and item.id not in without]
    size = identity_size([*kept, entry._replace(status=EntryStatus.ACTIVE)])
    if size <= LIMIT:
        return
    largest = sorted(identity_of(kept), key=lambda item: len(item.content), reverse=True)[:5]
    listed = "; ".join(f"{item.id[:SHORT]} ({len(item.content)}) {item.content[:40]}" for item in largest)
    raise MemsuggestError(
        f"with this entry, the identity would be {size:,} characters long, but the limit is {LIMIT:,}",
        hint=f"merge or remove lines with `memsuggest memory edit identity` or `memory remove ID`: {listed}",
    )


def reworded(context: Context, before: Entry, after: Entry) -> EntryChanged:
    """Change an entry in its place; another one that says the same as it does now goes."""
    store = context.profile.entries
    known = KnownEntries(store.entries())
    same = [item for item in known.same(after) if item.id != before.id]
    if after.source is Source.USER:
        same = [item for item in same if not item.is_fact and item.project == after.project]
        store.remove(same)
    if before.layer is Layer.IDENTITY:
        require_room(after, known.identity, without={item.id for item in same})
    store.update(after)
    note = f"{same[0].id[:SHORT]} said the same thing and was removed" if after.source is Source.USER and same else ""
    return EntryChanged(did="updated", entry=after, note=note)


def in_place_of(context: Context, before: Entry, new: Entry) -> EntryChanged:
    """Put an entry in the place of one that nobody but an assistant said, which is kept as inactive."""
    store = context.profile.entries
    entries = store.entries()
    known = KnownEntries(entries)
    same = [item for item in known.same(new) if item.id != before.id]
    settled = [item for item in same if item.source is Source.USER or item.status is EntryStatus.INACTIVE]
    mine = [item for item in entries if item.id == before.superseded_by and before.status is EntryStatus.PENDING]
    if settled and new.source is not Source.USER:
        changed = kept(settled[0], new.source)
    elif mine and new.source is not Source.USER:  # still a proposal against what the person said
        changed = proposed(context, mine[0], new)
    else:
        changed = added(context, new, known, instead_of=[before] if new.id == before.id else ())
    is_replaced = changed.did == "added" or before.status is EntryStatus.PENDING
    if is_replaced and new.id != before.id:
        store.update(before._replace(status=EntryStatus.INACTIVE, superseded_by=changed.entry.id))
    return replace(changed, did="updated") if changed.did == "added" else changed


def proposed(context: Context, before: Entry, after: Entry) -> EntryChanged:
    """Let what an assistant says against the person's word wait for the person."""
    known = KnownEntries(context.profile.entries.entries())
    own = [item for item in known.same(after) if item.source is Source.USER]
    if own:  # the same words: what the person said stays as it is
        return kept(own[0], after.source)
    waiting = known.with_own_id(after)._replace(status=EntryStatus.PENDING, superseded_by=before.id)
    context.profile.entries.add([waiting])
    note = f"the user said `{before.content}`; `memsuggest memory confirm {waiting.id[:SHORT]}` replaces that"
    return EntryChanged(did="waiting", entry=waiting, note=note)
