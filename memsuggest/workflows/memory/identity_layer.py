"""The identity: what every session begins with, edited by the person as Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.errors import MemsuggestError, UnknownId
from memsuggest.model import FactStatus, Scope
from memsuggest.recall.entry import EVERYWHERE, Entry, EntryStatus, Layer, Source, entry_id
from memsuggest.recall.identity_text import LIMIT, identity_of, identity_text, section_name
from memsuggest.reports.recall_reports import EntryChanged, IdentityReport
from memsuggest.suggestions.store.journal import FORGOT, IDENTITY
from memsuggest.workflows.facts.stores import OWN_WORDS, all_facts
from memsuggest.workflows.memory.change_memory import changing_memory
from memsuggest.workflows.memory.memory_entries import checked_content, find_entry

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memsuggest.workflows.context import Context


def read_identity_report(context: Context) -> IdentityReport:
    """Return the identity, how much of it is used, and facts about the person that could stand there."""
    stored = context.profile.entries.entries(layers=(Layer.IDENTITY,))
    entries = identity_of(stored)
    text = identity_text(entries)
    said = {entry.content.casefold() for entry in entries}
    offered = [
        fact
        for fact in all_facts(context)
        if fact.scope is Scope.USER
        and fact.status is FactStatus.ACTIVE
        and any(citation.trust in OWN_WORDS for citation in fact.citations)
        and fact.content.casefold() not in said
    ]
    return IdentityReport(
        text=text,
        used=len(text),
        limit=LIMIT,
        entries=entries,
        offered=offered,
        waiting=[entry for entry in stored if entry.status is EntryStatus.PENDING],
    )


def edit_identity(context: Context, lines: Sequence[tuple[str, str]]) -> list[EntryChanged]:
    """Make the identity what the person has edited: lines that are there stay the same entries, others come and go.

    What waits for the person or was corrected is not in the text that was edited, and stays as it is.
    """
    now = context.now()
    with changing_memory(context, IDENTITY):
        before = {entry.content: entry for entry in context.profile.entries.entries(layers=(Layer.IDENTITY,))}
        wanted = []
        for place, (section, text) in enumerate(lines):
            content = checked_content(text, Source.USER)
            known = before.get(content)
            wanted.append(
                known._replace(section=section_name(section), status=EntryStatus.ACTIVE, source=Source.USER)
                if known
                else Entry(
                    id=entry_id(Layer.IDENTITY, EVERYWHERE, content),
                    layer=Layer.IDENTITY,
                    content=content,
                    source=Source.USER,
                    created_at=now + place,
                    updated_at=now,
                    section=section_name(section),
                )
            )
        if (size := len(identity_text(wanted))) > LIMIT:
            raise MemsuggestError(
                f"that is {size:,} characters, and the identity has room for {LIMIT:,}",
                hint="say less, or keep what only some work needs as a fact: `memsuggest remember --user …`",
            )
        kept = {one.content for one in wanted}
        gone = [one for one in before.values() if one.status is EntryStatus.ACTIVE and one.content not in kept]
        context.profile.entries.remove(gone)
        context.profile.entries.add(wanted)
    new = [one for one in wanted if one.content not in before]
    return [EntryChanged(did="forgot", entry=one) for one in gone] + [
        EntryChanged(did="added", entry=one) for one in new
    ]


def remove_from_identity(context: Context, prefix: str) -> EntryChanged:
    """Take a line out of the identity; raises UnknownId for what does not stand there.

    `undo` puts it back for some weeks; `memory forget` deletes for good.
    """
    with changing_memory(context, FORGOT):
        entry = find_entry(context, prefix)
        if entry.layer is not Layer.IDENTITY:
            raise UnknownId(
                f"`{prefix}` does not stand in the identity", hint="`memsuggest identity show` lists what does"
            )
        context.profile.entries.remove([entry])
    return EntryChanged(did="forgot", entry=entry)
