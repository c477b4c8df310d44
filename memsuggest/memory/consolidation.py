"""Consolidation: what a model, or a rule, may do to what is remembered. Pure: facts and proposals in, operations out.

Operations name facts that were shown; anything else is rejected. Nothing is deleted without a reason that another
fact gives, what people typed is not pushed out by a flood, and no wording turns a negation or a number round.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from memsuggest.identity import normalised
from memsuggest.memory.duplicates import difference, similarity
from memsuggest.model import FactStatus, MemoryFact, Skipped, Trust

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MOST_DELETED = 0.2
"""Share of the facts that one run may delete (SECURITY.md T6)."""
LIKE = 0.5
"""Similarity from which a fact can be the reason to delete another, or a wording can stand for the one before."""
_BYTES_PER_TOKEN = 4
_OWN = {Trust.TYPED, Trust.CONFIRMED}


class Tier(StrEnum):
    """How much is cut, by how full the store is (SYSTEM.md K.2)."""

    GENEROUS = "generous"
    SELECTIVE = "selective"
    HEAVY_CUT = "heavy cut"


class Verb(StrEnum):
    """What can be done to a fact that is there."""

    KEEP = "keep"
    UPDATE = "update"
    DELETE = "delete"


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """One operation as somebody proposes it, nothing checked."""

    verb: str
    id: str
    content: str = ""
    """For an update: the new wording."""
    because: str = ""
    """For a delete: the id of the fact that says it better, or replaced it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One operation that may be carried out."""

    verb: Verb
    fact: MemoryFact
    content: str = ""
    because: MemoryFact | None = None


def size_of(facts: Sequence[MemoryFact]) -> int:
    """Return about how many tokens facts take: `ceil(json length / 4)`."""
    rows = [{"id": fact.id, "content": fact.content, "kind": fact.kind, "scope": fact.scope} for fact in facts]
    return -(-len(json.dumps(rows, ensure_ascii=False)) // _BYTES_PER_TOKEN)


def tier_of(facts: Sequence[MemoryFact], *, budget: int | None) -> Tier:
    """Return the tier of a store; of one whose capacity is not known, the generous one."""
    share = size_of(facts) / budget if budget else 0.0
    if share < 0.3:
        return Tier.GENEROUS
    return Tier.SELECTIVE if share <= 0.5 else Tier.HEAVY_CUT


def disposed(proposals: Sequence[Proposal], shown: Mapping[str, MemoryFact]) -> tuple[list[Operation], list[Skipped]]:
    """Return the operations that may be carried out, and why the others may not; every fact counts once."""
    found: dict[str, Operation] = {}
    refused: list[Skipped] = []
    for proposal in proposals:
        fact = shown.get(proposal.id)
        why = "it is not a fact that was shown" if fact is None else _why_not(proposal, fact, shown, found)
        if why or fact is None:
            refused.append(Skipped(what=f"{proposal.verb} {proposal.id}"[:60], why=why))
            continue
        because = shown.get(proposal.because) if proposal.verb == Verb.DELETE else None
        content = proposal.content if proposal.verb == Verb.UPDATE else ""
        found[fact.id] = Operation(verb=Verb(proposal.verb), fact=fact, content=content, because=because)
    allowed, over = _within_share(list(found.values()), len(shown))
    return allowed, [*refused, *over]


def _why_not(
    proposal: Proposal, fact: MemoryFact, shown: Mapping[str, MemoryFact], found: Mapping[str, Operation]
) -> str:
    if fact.id in found:
        return "the fact has an operation already"
    if proposal.verb == Verb.UPDATE:
        return _why_no_update(proposal.content, fact)
    if proposal.verb == Verb.DELETE:
        because = shown.get(proposal.because)
        return _why_no_delete(fact, because, found)
    return "" if proposal.verb == Verb.KEEP else "there is no such operation"


def _why_no_update(content: str, fact: MemoryFact) -> str:
    if not content.strip() or normalised(content) == normalised(fact.content):
        return "it changes nothing"
    why = difference(content, fact.content)
    if why:
        return f"it would say something else: {why}"
    return "" if similarity(content, fact.content) >= LIKE else "it would say something else"


def _why_no_delete(fact: MemoryFact, because: MemoryFact | None, found: Mapping[str, Operation]) -> str:
    if because is None or because.id == fact.id or because.scope is not fact.scope:
        return "no other fact of its scope is named that makes it needless"
    if because.status is not FactStatus.ACTIVE or (because.id in found and found[because.id].verb is Verb.DELETE):
        return "the fact that makes it needless is not in force"
    if fact.superseded_by == because.id:
        return ""
    if difference(fact.content, because.content) or similarity(fact.content, because.content) < LIKE:
        return "the other fact does not say the same"
    if _is_own(fact) and not _is_own(because):
        return "a person said it, and nobody said the other one"
    return ""


def _is_own(fact: MemoryFact) -> bool:
    return any(citation.trust in _OWN for citation in fact.citations)


def _within_share(operations: Sequence[Operation], total: int) -> tuple[list[Operation], list[Skipped]]:
    """Return what stays within the share that one run may delete, and what does not."""
    room = int(total * MOST_DELETED)
    allowed: list[Operation] = []
    over: list[Skipped] = []
    for operation in operations:
        if operation.verb is Verb.DELETE and room <= 0:
            over.append(Skipped(what=f"delete {operation.fact.id}", why="one run deletes at most a fifth"))
            continue
        room -= operation.verb is Verb.DELETE
        allowed.append(operation)
    return allowed, over


def by_rule(facts: Sequence[MemoryFact]) -> list[Proposal]:
    """Propose without a model: what was replaced goes, and of what says the same, the later one."""
    ordered = sorted(facts, key=lambda fact: (fact.timestamp, fact.id))
    active = [fact for fact in ordered if fact.status is FactStatus.ACTIVE]
    found = [
        Proposal(verb=Verb.DELETE, id=fact.id, because=fact.superseded_by)
        for fact in ordered
        if fact.status is FactStatus.INACTIVE and fact.superseded_by
    ]
    for place, fact in enumerate(active):
        first = next((one for one in active[:place] if _says_the_same(one, fact)), None)
        if first:
            found.append(Proposal(verb=Verb.DELETE, id=fact.id, because=first.id))
    return found


def _says_the_same(one: MemoryFact, other: MemoryFact) -> bool:
    is_alike = similarity(one.content, other.content) >= 0.85
    return one.scope is other.scope and is_alike and difference(one.content, other.content) is None
