"""Merging the shared file of two branches, entry by entry: what either side added, changed or forgot is kept.

Pure: three documents in, one out. Additions never conflict, since entries are kept by id. Of an entry that both sides
have, every key that only one side changed takes that change. Forgetting wins over editing and over adding again, unless
a side brought a forgotten fact back on purpose. Where both sides changed the same key differently, one of them is
chosen by a rule that does not depend on who merges, and the other's wording is kept as a fact of its own: two facts
that contradict each other are shown to the person, an update that is gone is not.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memsuggest.identity import hash_of
from memsuggest.memory.codec import Document, Entries
from memsuggest.model import FactStatus, SuggestionStatus

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memsuggest.memory.entries import Entry

_DECIDED = (SuggestionStatus.APPLIED, SuggestionStatus.DISMISSED, SuggestionStatus.PENDING)
"""Of two decisions the first in this order holds (SYSTEM.md D.6b)."""
_PARTED = "parted"


@dataclass(frozen=True, slots=True, kw_only=True)
class Merged:
    """The merged document, and what people have to look at."""

    document: Document
    parted: tuple[tuple[str, str], ...] = ()
    """Ids of facts whose wording both sides changed: the one that kept the id, and the other wording's own."""


def merge(base: Document, ours: Document, theirs: Document) -> Merged:
    """Merge what two sides made of one document; the same whichever side is ours."""
    stones = _merged_stones(base, ours, theirs)
    parted: list[tuple[str, str]] = []
    facts: dict[str, Entry] = {}
    for key in sorted({*ours.facts, *theirs.facts}):
        found = _merged_fact(base.facts.get(key), ours.facts.get(key), theirs.facts.get(key))
        if found is None or key in stones:
            continue
        facts[key], other = found
        if other is not None and other["id"] not in stones:
            facts.setdefault(str(other["id"]), other)
            parted.append((key, str(other["id"])))
    decisions = {
        key: entry
        for key, entry in _merged_decisions(base, ours, theirs).items()
        if entry["factId"] in facts or entry["factId"] not in {*base.facts, *ours.facts, *theirs.facts}
    }
    document = Document(
        head=_merged_keys(base.head, ours.head, theirs.head),
        facts=facts,
        decisions={key: entry for key, entry in decisions.items() if entry["factId"] not in stones},
        tombstones=stones,
    )
    return Merged(document=document, parted=tuple(parted))


def _merged_stones(base: Document, ours: Document, theirs: Document) -> Entries:
    """Return the tombstones of both; one that a side lifted, by bringing its fact back, is gone."""
    found: dict[str, Entry] = {}
    for key in sorted({*ours.tombstones, *theirs.tombstones}):
        was_lifted = key in base.tombstones and any(
            key not in side.tombstones and key in side.facts for side in (ours, theirs)
        )
        if not was_lifted:
            mine, other = ours.tombstones.get(key), theirs.tombstones.get(key)
            found[key] = _united(base.tombstones.get(key, {}), mine, other)
    return found


def _united(base: Entry, mine: Entry | None, other: Entry | None) -> Entry:
    """Unite two tombstones, with the evidence of both."""
    if mine is None or other is None:
        return mine or other or {}
    found = dict(_merged_keys(base, mine, other))
    evidence = [*_texts(mine.get("evidence")), *_texts(other.get("evidence"))]
    return {**found, "evidence": sorted(set(evidence))} if evidence else found


def _texts(value: object) -> list[str]:
    return [str(one) for one in value] if isinstance(value, list | tuple) else []


def _merged_fact(base: Entry | None, mine: Entry | None, other: Entry | None) -> tuple[Entry, Entry | None] | None:
    """Return the merged entry and the wording that lost, if any; None where a side took the entry out."""
    if mine is None or other is None:
        there = mine or other
        is_taken_out = base is not None and there == base
        return None if is_taken_out or there is None else (there, None)
    if mine == other:
        return mine, None
    winner, loser = sorted((mine, other), key=_weight)
    merged = dict(_merged_keys(base or {}, mine, other))
    before = (base or {}).get("content")
    contents = {str(one["content"]) for one in (mine, other)} - {before}
    if len(contents) < 2:
        return _consistent(merged, mine, other), None
    kept = {**merged, "content": winner["content"]}
    name = hash_of(_PARTED, str(winner["id"]), str(loser["content"]))
    return _consistent(kept, mine, other), {**loser, "id": name}


def _consistent(merged: dict[str, object], mine: Entry, other: Entry) -> Entry:
    """Let a retired fact stay retired, with the pointer of the side that retired it."""
    for side in sorted((mine, other), key=_weight):
        if side.get("status") == FactStatus.INACTIVE and merged.get("status") == FactStatus.INACTIVE:
            pointer = {"supersededBy": side["supersededBy"]} if side.get("supersededBy") else {}
            return {**merged, **pointer}
    return merged


def _merged_decisions(base: Document, ours: Document, theirs: Document) -> Entries:
    """Return the decisions of both; of two, applied counts before dismissed."""
    found: dict[str, Entry] = {}
    for key in sorted({*ours.decisions, *theirs.decisions}):
        before, mine, other = (side.decisions.get(key) for side in (base, ours, theirs))
        if mine is None or other is None:
            there = mine or other
            if there is not None and there != before:  # otherwise the other side lifted it
                found[key] = there
            continue
        first, second = sorted(
            (mine, other), key=lambda one: (_DECIDED.index(SuggestionStatus(str(one["status"]))), _weight(one))
        )
        found[key] = {**second, **first} if mine != other else mine
    return found


def _merged_keys(base: Mapping[str, object], mine: Mapping[str, object], other: Mapping[str, object]) -> Entry:
    """Merge key by key; keys that this version does not know are kept like all others."""
    first, second = sorted((mine, other), key=_weight)
    found: dict[str, object] = {}
    for key in dict.fromkeys((*first, *second)):
        absent = object()
        before, one, two = (side.get(key, absent) for side in (base, first, second))
        if key not in base:
            before = absent
        sides = [value for value in (one, two) if value is not absent]
        is_dropped = len(sides) < 2 and key in base and sides[0] == before
        if is_dropped:
            continue
        changed = [value for value in sides if key not in base or value != before]
        found[key] = changed[0] if changed else sides[0]
    return found


def _weight(entry: Mapping[str, object]) -> str:
    """Order two versions of an entry whoever is asked: by what stands in them."""
    return json.dumps(entry, sort_keys=True, default=str)
