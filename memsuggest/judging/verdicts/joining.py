"""Facts that a model says are one: who stays, with which words. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from memsuggest.core.model import MemoryFact, is_maybe
from memsuggest.judging.verdicts.verdict import Becomes, Verdict
from memsuggest.judging.verdicts.verdict_wording import why_not_the_same


@dataclass(frozen=True, slots=True, kw_only=True)
class Joined:
    """Facts that become one."""

    stays: MemoryFact
    """As it is known."""
    content: str
    """Its wording from then on."""
    gone: tuple[MemoryFact, ...]
    verdict: Verdict
    """Where the one rule goes, as far as any of the verdicts said."""


def joined(verdicts: Iterable[Verdict], facts: Mapping[str, MemoryFact], *, applied: Collection[str]) -> list[Joined]:
    """Return the groups that some verdicts make of facts; a group whose members cannot be the same is none."""
    by_fact = {verdict.fact_id: verdict for verdict in verdicts}
    found = []
    for ids in _groups(by_fact.values()):
        members = [facts[id_] for id_ in ids if id_ in facts]
        if len(members) == len(ids) and not _differing(members):
            found.append(_joined(members, by_fact, applied))
    return found


def _groups(verdicts: Iterable[Verdict]) -> list[list[str]]:
    """Return what is named together, directly or by way of others."""
    groups: list[set[str]] = []
    for verdict in verdicts:
        if verdict.becomes is Becomes.JOINS:
            wanted = {verdict.fact_id, *verdict.joins}
            touching = [group for group in groups if group & wanted]
            groups = [group for group in groups if group not in touching] + [wanted.union(*touching)]
    return [sorted(group) for group in groups]


def _differing(members: Sequence[MemoryFact]) -> bool:
    pairs = ((member, other) for place, member in enumerate(members) for other in members[place + 1 :])
    return any(one.scope is not other.scope or why_not_the_same(one.content, other.content) for one, other in pairs)


def _joined(members: Sequence[MemoryFact], verdicts: Mapping[str, Verdict], applied: Collection[str]) -> Joined:
    """Let what is applied stay, else what is surest, else what was said first."""
    stays = min(members, key=lambda one: (one.id not in applied, is_maybe(one), -one.confidence, one.timestamp, one.id))
    said = [verdicts[member.id] for member in (stays, *members) if member.id in verdicts]
    placed = next((one for one in said if one.becomes is Becomes.NEW or one.uri is not None), said[0])
    worded = next((one.content for one in said if one.becomes is Becomes.JOINS and one.content), "")
    is_applied = stays.id in applied
    return Joined(
        stays=stays,
        content=stays.content if is_applied else worded or stays.content,
        gone=tuple(member for member in members if member is not stays),
        verdict=replace(
            placed,
            fact_id=stays.id,
            becomes=Becomes.UNUSABLE if placed.uri is None else Becomes.NEW,
            content="",
            joins=(),
            weakens=any(one.weakens for one in said),
            why="",
        ),
    )
