"""Finding and showing anything that is remembered by its id: a fact, an entry, the identity, an app."""

from __future__ import annotations

from contextlib import suppress

from memsuggest.core.context import Context
from memsuggest.core.errors import MemsuggestError, UnknownId
from memsuggest.core.model import MemoryFact
from memsuggest.core.render import Report
from memsuggest.facts.look_at_facts import find_fact, show_fact
from memsuggest.memory.apps import show_app
from memsuggest.memory.entry import Entry
from memsuggest.memory.identity_layer import read_identity_report
from memsuggest.memory.memory_entries import find_entry, find_forgettable
from memsuggest.memory.recall_reports import EntryRows


def find_memory(context: Context, prefix: str, *, is_gone_too: bool = False) -> MemoryFact | Entry:
    """Return the fact or the entry with this id prefix; raises UnknownId for none and for several.

    If asked, also an entry that is only kept for `undo`.
    """
    try:
        entry = (find_forgettable if is_gone_too else find_entry)(context, prefix)
    except UnknownId:
        with suppress(UnknownId):
            return find_fact(context, prefix)  # a maybe, which no layer holds
        raise
    if entry.is_fact:
        with suppress(UnknownId):
            return find_fact(context, entry.id)
    return entry  # also a fact of another project


def show_memory(context: Context, name: str) -> Report:
    """Return the report on one thing: by its id, on the identity, or on an app; raises UnknownId."""
    if name == "identity":
        return read_identity_report(context)
    try:
        found = find_memory(context, name)
    except UnknownId:
        with suppress(MemsuggestError):
            return show_app(context, name)
        raise
    return EntryRows(entries=[found], is_whole=True) if isinstance(found, Entry) else show_fact(context, found.id)
