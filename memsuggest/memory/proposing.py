"""Proposals of what becomes of facts, by a model or by rule; `consolidation` decides on them.

Pure. Facts are shown under names made for the question, so that no id of a store can be guessed.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, ConfigDict

from memsuggest.asking.outcomes import failure
from memsuggest.asking.prompts import load_prompt
from memsuggest.asking.question import Purpose, Question
from memsuggest.asking.read_reply import read_as
from memsuggest.asking.schema import bare
from memsuggest.identity import hash_of
from memsuggest.memory.consolidation import Proposal, Verb, is_own
from memsuggest.memory.contradictions import KnownFacts, last_said
from memsuggest.model import FactStatus, MemoryFact

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence


MOST_OPERATIONS = 400
"""Operations of one reply; a longer list is no honest answer."""


_BYTES_PER_TOKEN = 4


class Tier(StrEnum):
    """A tier of fullness, and how much is cut at it."""

    GENEROUS = "generous"
    SELECTIVE = "selective"
    HEAVY_CUT = "heavy cut"


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


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class _Operated(_Part):
    """One operation, as the model has it."""

    action: Literal["keep", "update", "delete", "add", "skip"]
    id: str
    content: str
    because: str


class Operations(_Part):
    """The reply to the question what to do with all facts."""

    operations: list[_Operated]


@dataclass(frozen=True, slots=True, kw_only=True)
class FactMarks:
    """The knowledge of facts besides themselves."""

    applied: Collection[str] = ()
    """Ids of facts that stand in a customization file."""
    seen: Collection[str] = ()
    """Names of facts that were in an earlier question of this sort; the others are new."""


def name_of(fact: MemoryFact) -> str:
    """Return the name that a fact is shown under; another wording has another one."""
    return f"K{hash_of('shown', fact.id, fact.content)[:8]}"


def consolidation_question(facts: Sequence[MemoryFact], *, tier: Tier, marks: FactMarks, about: str) -> Question:
    """Ask what to do with the facts."""
    lines = [json.dumps({"room": tier.value}), *_lines(facts, marks)]
    return _question(Purpose.CONSOLIDATION, lines, Operations, about=about)


def _question(purpose: Purpose, lines: Iterable[str], shape: type[BaseModel], *, about: str) -> Question:
    return Question(
        purpose=purpose,
        prompt=load_prompt(purpose.value),
        about=about,
        data="\n".join(lines),
        schema=bare(shape.model_json_schema()),
    )


def _lines(facts: Sequence[MemoryFact], marks: FactMarks) -> list[str]:
    names = {fact.id: name_of(fact) for fact in facts}
    return [
        json.dumps(_told(fact, names, marks), ensure_ascii=False, separators=(",", ":"))
        for fact in sorted(facts, key=lambda fact: (fact.scope, fact.timestamp, fact.id))
    ]


def _told(fact: MemoryFact, names: Mapping[str, str], marks: FactMarks) -> dict[str, object]:
    told: dict[str, object] = {
        "id": names[fact.id],
        "scope": fact.scope.value,
        "kind": fact.kind.value,
        "says": fact.content,
        "last_said": datetime.fromtimestamp(last_said(fact) / 1000, UTC).date().isoformat(),
        "sessions": len({citation.session_id for citation in fact.citations}),
    }
    if names[fact.id] not in marks.seen:
        told["new"] = True
    if fact.status is FactStatus.INACTIVE:
        told["state"] = f"replaced by {names.get(fact.superseded_by or '', 'another one')}"
    elif fact.id in marks.applied:
        told["state"] = "applied"
    return told


def read_operations(text: str) -> list[Proposal]:
    """Return what a reply proposes; raises ModelError for one of another shape, or with more than an honest one has."""
    found = [
        Proposal(verb=one.action, id=one.id, content=one.content, because=one.because)
        for one in read_as(Operations, text).operations
    ]
    return _if_honest(found)


def written_operations(proposals: Iterable[Proposal]) -> str:
    """Return proposals as the reply that would be read as them."""
    return Operations(
        operations=[
            _Operated.model_validate({"action": one.verb, "id": one.id, "content": one.content, "because": one.because})
            for one in proposals
        ]
    ).model_dump_json()


def _if_honest(proposals: list[Proposal]) -> list[Proposal]:
    if len(proposals) > MOST_OPERATIONS:
        raise failure("wrong-shape", f"more than {MOST_OPERATIONS} operations")
    return proposals


def by_rule(facts: Sequence[MemoryFact], *, tier: Tier = Tier.GENEROUS) -> list[Proposal]:
    """Propose without a model: of what says the same the later one goes, and what was replaced when room is short."""
    ordered = sorted(facts, key=lambda fact: (not is_own(fact), fact.timestamp, fact.id))
    active = [fact for fact in ordered if fact.status is FactStatus.ACTIVE]
    replaced = [fact for fact in ordered if fact.status is FactStatus.INACTIVE and fact.superseded_by]
    found = [
        Proposal(verb=Verb.DELETE, id=fact.id, because=fact.superseded_by or "")
        for fact in replaced
        if tier is not Tier.GENEROUS  # there, they are kept to be looked at
    ]
    staying = KnownFacts()
    for fact in active:
        first = staying.same_as(fact.content, fact.scope)
        if first:
            found.append(Proposal(verb=Verb.DELETE, id=fact.id, because=first.id))
        else:
            staying.add(fact)
    return found
