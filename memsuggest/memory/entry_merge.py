"""Two versions of one entry of the shared file as one: by rules that do not depend on whose is whose. Pure."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from memsuggest.identity import hash_of, normalised
from memsuggest.memory.entry_fields import ITEMS_LIMIT
from memsuggest.model import FactStatus, SuggestionStatus

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memsuggest.memory.entries import Entry

_DECIDED = (SuggestionStatus.APPLIED, SuggestionStatus.DISMISSED, SuggestionStatus.PENDING)
"""Of two decisions the first in this order holds."""
_PARTED = "parted"


def merged_facts(base: Entry | None, mine: Entry, other: Entry) -> tuple[Entry, Entry | None]:
    """Return two versions of a fact as one, and the wording that lost, as a fact of its own, where both are new."""
    if mine == other:
        return mine, None
    winner, loser = sorted((mine, other), key=weight)
    merged = merged_keys(base or {}, mine, other)
    before = (base or {}).get("content")
    contents = {str(one["content"]) for one in (mine, other)} - {before}
    if len(contents) < 2:
        return _consistent(merged, mine, other), None
    kept = {**merged, "content": winner["content"]}
    name = hash_of(_PARTED, str(winner["id"]), str(loser["content"]))
    return _consistent(kept, mine, other), {**loser, "id": name}


def merged_decisions(mine: Entry, other: Entry) -> Entry:
    """Return two decisions about one thing as one; applied counts before dismissed."""
    if mine == other:
        return mine
    first, second = sorted(
        (mine, other), key=lambda one: (_DECIDED.index(SuggestionStatus(str(one["status"]))), weight(one))
    )
    return {**second, **first}


def merged_stones(base: Entry, mine: Entry, other: Entry) -> Entry:
    """Return two tombstones as one, with the evidence of both."""
    found = merged_keys(base, mine, other)
    evidence = [*_texts(mine.get("evidence")), *_texts(other.get("evidence"))]
    return {**found, "evidence": sorted(set(evidence))[:ITEMS_LIMIT]} if evidence else found


def is_reworded_since(stone: Entry, fact: Entry) -> bool:
    """Tell whether a fact that one side has forgotten stands there in other words than those that were forgotten."""
    words = stone.get("words")
    return bool(words) and words != hash_of("words", normalised(" ".join(str(fact["content"]).split())))


def merged_keys(base: Mapping[str, object], mine: Mapping[str, object], other: Mapping[str, object]) -> Entry:
    """Merge key by key; keys that this version does not know are kept like all others."""
    first, second = sorted((mine, other), key=weight)
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


def weight(entry: Mapping[str, object]) -> str:
    """Order two versions of an entry whoever is asked: by what stands in them."""
    return json.dumps(entry, sort_keys=True, default=str)


def _consistent(merged: Entry, mine: Entry, other: Entry) -> Entry:
    """Let a retired fact stay retired, with the pointer of the side that retired it."""
    for side in sorted((mine, other), key=weight):
        if side.get("status") == FactStatus.INACTIVE and merged.get("status") == FactStatus.INACTIVE:
            pointer = {"supersededBy": side["supersededBy"]} if side.get("supersededBy") else {}
            return {**merged, **pointer}
    return merged


def _texts(value: object) -> list[str]:
    return [str(one) for one in value] if isinstance(value, list | tuple) else []
