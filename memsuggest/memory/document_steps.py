"""Steps from one document of the shared file to the next: what is reworded, forgotten, decided, turned back. Pure."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from memsuggest.memory import codec, entries
from memsuggest.memory.fact_store import Contents, without_secrets
from memsuggest.model import FactStatus, Scope, SuggestionStatus

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memsuggest.memory.codec import Document
    from memsuggest.model import Decision, MemoryFact

ARCHIVE = "archive"
"""The tag of what is only kept, as tasks are: no rule for the team."""


def contents_of(document: Document) -> Contents:
    """Return the values of the entries; what has a tombstone is gone, unless it was reworded by somebody else."""
    contested = document.contested
    stones = (entry for key, entry in document.tombstones.items() if key not in contested)
    tombstones = tuple(map(entries.tombstone_of, stones))
    gone = {tombstone.fact_id for tombstone in tombstones}
    return Contents(
        facts=tuple(
            sealed(entries.fact_of(entry)) for _, entry in sorted(document.facts.items()) if entry["id"] not in gone
        ),
        decisions=tuple(entries.decision_of(entry) for _, entry in sorted(document.decisions.items())),
        tombstones=tombstones,
    )


def sealed(fact: MemoryFact) -> MemoryFact:
    """Return a fact of the file as everything else may see it: anybody may have written secrets into it."""
    found = without_secrets(fact)
    return found if found != fact else fact


def is_ours(fact: MemoryFact) -> bool:
    """Tell whether a fact is about the workspace, and so the team's."""
    return fact.scope is Scope.WORKSPACE


def is_worth_sharing(fact: MemoryFact, threshold: float) -> bool:
    """Tell whether a fact belongs into the team's file."""
    if ARCHIVE in fact.tags:
        return False
    return is_ours(fact) and fact.status is FactStatus.ACTIVE and fact.confidence >= threshold


def is_empty(document: Document) -> bool:
    """Tell whether nothing is in a document."""
    return not (document.facts or document.decisions or document.tombstones)


def without(found: codec.Entries, keys: Iterable[str]) -> codec.Entries:
    """Return entries but for some."""
    gone = set(keys)
    return {key: entry for key, entry in found.items() if key not in gone}


def revised(held: codec.Entries, facts: dict[str, MemoryFact]) -> codec.Entries:
    """Return entries with the wording and status of facts that are among them."""
    return {key: entries.revised(entry, facts[key]) if key in facts else entry for key, entry in held.items()}


def forgotten(old: Document, stones: codec.Entries) -> Document:
    """Return a document without what has a tombstone, and with the tombstones."""
    gone = {key: stone for key, stone in stones.items() if key in old.facts}
    return replace(
        old,
        facts=without(old.facts, gone),
        decisions={key: entry for key, entry in old.decisions.items() if entry["factId"] not in gone},
        tombstones=gone | dict(old.tombstones),
    )


def turned_back(now: Document, base: Document, old: Document) -> Document:
    """Return the entries with those as in `old` that are still as in `base`."""
    parts: dict[str, Any] = {name: dict(getattr(now, name)) for name in ("facts", "decisions", "tombstones")}
    for name, found in parts.items():
        was, became = getattr(old, name), getattr(base, name)
        for key in {*was, *became}:
            if found.get(key) == became.get(key) != was.get(key):
                found.pop(key, None)
                found.update({key: was[key]} if key in was else {})
    return replace(now, **parts)


def decided(old: Document, decisions: Iterable[Decision]) -> codec.Entries:
    """Return the decisions of a document with further ones."""
    result = dict(old.decisions)
    for decision in decisions:
        entry = entries.decision_entry(decision)
        key = entries.key_of("decisions", entry)
        if decision.status is SuggestionStatus.PENDING:
            result.pop(key, None)
        elif decision.fact_id in old.facts:
            result[key] = {**result.get(key, {}), **entry}
    return result
