"""Gap-fill at a session's end: what the person said and nobody wrote down becomes knowledge, and what it shows to be
wrong is recalled no more.

The person's own older words are never switched off by a rule: they are marked as doubted, and the person decides.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.errors import MemsuggestError
from memsuggest.identity import normalised, session_hash
from memsuggest.memory.accept import words_digest
from memsuggest.memory.contradictions import is_update_of, why_contradicting
from memsuggest.memory.duplicates import similarity_of
from memsuggest.memory.rule_meaning import read_wording
from memsuggest.model import FactStatus, Scope, is_maybe
from memsuggest.recall.entry import EVERYWHERE, Entry, EntryStatus, Layer, Source, entry_id
from memsuggest.recall.entry_search import Filters, search
from memsuggest.recall.gap_fill import gaps_in
from memsuggest.workflows.facts.stores import OWN_WORDS, known_facts
from memsuggest.workflows.memory.memory_entries import checked_content

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memsuggest.model import Transcript
    from memsuggest.recall.gap_fill import Gap
    from memsuggest.workflows.context import Context

GAP = "gap-fill"
"""The tag of what came in this way."""
_NEAR = 30
"""Entries about the same that are compared with what was said."""


def fill_gaps(context: Context, transcript: Transcript) -> list[Entry]:
    """Add what a session said and nobody has, and put right what it shows to be wrong; return what was added."""
    added = []
    for gap in gaps_in(transcript):
        entry = _entry_of(context, gap, transcript)
        if entry is not None and not _is_known(context, entry):
            context.profile.entries.add([entry])
            added.append(entry)
    for entry in (*added, *_said_as_facts(context, transcript)):
        _put_right(context, entry)
    return added


def _entry_of(context: Context, gap: Gap, transcript: Transcript) -> Entry | None:
    """Return the entry for what was said; None for what may not be remembered by itself."""
    try:
        content = checked_content(gap.content, Source.SYSTEM)  # nobody looks at it before it is recalled
    except MemsuggestError:
        return None
    project = EVERYWHERE if gap.scope is Scope.USER else context.place.key
    at = min(round(gap.at.timestamp() * 1000), context.now()) if gap.at else context.now()
    return Entry(
        id=entry_id(Layer.KNOWLEDGE, project, content),
        layer=Layer.KNOWLEDGE,
        content=content,
        source=Source.USER if gap.is_verbatim else Source.SYSTEM,
        created_at=at,
        updated_at=at,
        project=project,
        tags=(GAP,),
        session=session_hash(transcript.session_id),
        is_correction=gap.is_correction,
    )


def _is_known(context: Context, entry: Entry) -> bool:
    """Tell whether a fact, an entry of any status or one that was forgotten says it already."""
    contents = context.profile.contents()
    if words_digest(entry.content) in {stone.words for stone in contents.tombstones}:
        return True
    said = {normalised(fact.content) for fact in contents.facts if not is_maybe(fact)}
    if normalised(entry.content) in said:
        return True
    if any(one.id == entry.id for one in context.profile.entries.of_session(entry.session)):
        return True
    return any(
        one.id == entry.id or _says_same(entry.content, one.content, least=context.settings.similarity)
        for one in _near(context, entry)
    )


def _says_same(one: str, other: str, *, least: float) -> bool:
    is_same = similarity_of(read_wording(one), read_wording(other)) >= least
    return is_same and why_contradicting(one, other) is None


def _near(context: Context, entry: Entry) -> list[Entry]:
    """Return what is known about the same things, whoever wrote it; the identity as a whole, it is short."""
    store = context.profile.entries
    filters = Filters(layers=(Layer.KNOWLEDGE,), project=context.place.key)
    hits = search(store.connection, entry.content, filters, now=context.now())[:_NEAR]
    own = [one for one in store.entries(layers=(Layer.IDENTITY,)) if one.status is EntryStatus.ACTIVE]
    return [*(hit.entry for hit in hits), *own]


def _said_as_facts(context: Context, transcript: Transcript) -> Iterator[Entry]:
    """Yield what the person said in a session and became a fact, as the entries that mirror them."""
    ids = {
        fact.id
        for fact in known_facts(context)
        if fact.status is FactStatus.ACTIVE
        and not is_maybe(fact)
        and any(one.session_id == transcript.session_id and one.trust in OWN_WORDS for one in fact.citations)
    }
    if ids:
        yield from (one for one in context.profile.entries.entries(layers=(Layer.KNOWLEDGE,)) if one.id in ids)


def _put_right(context: Context, said: Entry) -> None:
    """Switch off what assistants and programs noted before and the person says otherwise now; doubt their own words."""
    store = context.profile.entries
    for other in _near(context, said):
        if other.id == said.id or other.is_fact or other.updated_at > said.updated_at or other.superseded_by:
            continue
        if said.source is Source.USER and _is_wrong(said, other):
            is_own = other.source is Source.USER
            status = EntryStatus.ACTIVE if is_own else EntryStatus.INACTIVE
            store.update(other._replace(status=status, superseded_by=said.id))


def _is_wrong(said: Entry, other: Entry) -> bool:
    if why_contradicting(said.content, other.content):
        return True
    return said.is_correction and is_update_of(said.content, other.content)
