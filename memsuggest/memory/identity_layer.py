"""The identity: what every session begins with, edited by the person as Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

from memsuggest.core.context import Context
from memsuggest.core.errors import MemsuggestError, UnknownId
from memsuggest.core.model import FactStatus, Scope
from memsuggest.facts.stores import OWN_WORDS, all_facts, dismissed_ids
from memsuggest.files.journal import FORGOT, IDENTITY
from memsuggest.memory.change_memory import changing_memory
from memsuggest.memory.context_block import IDENTITY_LIMIT, identity_of, identity_size, identity_text, section_name
from memsuggest.memory.entry import EVERYWHERE, Entry, EntryStatus, Layer, Source, new_entry
from memsuggest.memory.memory_entries import KnownEntries, checked_content, find_entry
from memsuggest.memory.recall_reports import EntryChanged, IdentityReport


def read_identity_report(context: Context) -> IdentityReport:
    """Return the identity, how much of it is used, and facts about the person that could stand there."""
    stored = context.profile.entries.entries(layers=(Layer.IDENTITY,))
    entries = identity_of(stored)
    text = identity_text(entries)
    said = {entry.content.casefold() for entry in entries}
    dismissed = dismissed_ids(context)
    offered = [
        fact
        for fact in all_facts(context)
        if fact.scope is Scope.USER
        and fact.status is FactStatus.ACTIVE
        and any(citation.trust in OWN_WORDS for citation in fact.citations)
        and fact.content.casefold() not in said
        and fact.id not in dismissed
    ]
    return IdentityReport(
        text=text,
        used=identity_size(entries),
        limit=IDENTITY_LIMIT,
        entries=entries,
        offered=offered,
        waiting=[entry for entry in stored if entry.status is EntryStatus.PENDING],
    )


def edit_identity(context: Context, lines: Sequence[tuple[str, str]]) -> list[EntryChanged]:
    """Make the identity what the person has edited: lines that are there stay the same entries, others come and go.

    What waits for the person or was corrected is not in the text that was edited, and stays as it is.
    """
    with changing_memory(context, IDENTITY):
        before = {entry.content: entry for entry in context.profile.entries.entries(layers=(Layer.IDENTITY,))}
        standing = {content: item for content, item in before.items() if item.status is EntryStatus.ACTIVE}
        wanted: dict[str, Entry] = {}
        known, now = KnownEntries(before.values()), context.now()
        for section, text in lines:
            content = checked_content(text, Source.USER)
            if content not in wanted:
                new = new_entry(Layer.IDENTITY, EVERYWHERE, content, Source.USER, at=now)
                wanted[content] = (before.get(content) or known.with_own_id(new))._replace(
                    section=section_name(section),
                    status=EntryStatus.ACTIVE,
                    source=Source.USER,
                    position=len(wanted) + 1,
                )
        if (size := identity_size(list(wanted.values()))) > IDENTITY_LIMIT:
            raise MemsuggestError(
                f"the identity would be {size:,} characters long, but the limit is {IDENTITY_LIMIT:,}",
                hint="shorten the text, or store details as facts with `memsuggest remember --user …`",
            )
        gone = [item for content, item in standing.items() if content not in wanted]
        context.profile.entries.remove(gone)
        context.profile.entries.add(wanted.values())
    changes = [EntryChanged(did="forgot", entry=item) for item in gone]
    first, second = [item for item in standing if item in wanted], [item for item in wanted if item in standing]
    same = SequenceMatcher(None, first, second, autojunk=False).get_matching_blocks()
    in_place = {content for block in same for content in first[block.a : block.a + block.size]}
    for content, entry in wanted.items():
        if content not in standing:
            changes.append(EntryChanged(did="added", entry=entry))
        elif standing[content].section != entry.section:
            changes.append(EntryChanged(did="moved", entry=entry, note=f"now under `{entry.section}`"))
        elif content not in in_place:
            changes.append(EntryChanged(did="moved", entry=entry, note="moved within its section"))
    return changes


def remove_from_identity(context: Context, prefix: str) -> EntryChanged:
    """Take a line out of the identity; raises UnknownId for what does not stand there.

    `undo` puts it back for some weeks; `memory forget` deletes for good.
    """
    with changing_memory(context, FORGOT):
        entry = find_entry(context, prefix)
        if entry.layer is not Layer.IDENTITY:
            raise UnknownId(
                f"`{prefix}` is not in the identity", hint="`memsuggest memory show identity` lists all lines"
            )
        context.profile.entries.remove([entry])
    return EntryChanged(did="forgot", entry=entry)
