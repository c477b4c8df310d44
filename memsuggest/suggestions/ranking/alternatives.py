"""Other places for a fact, and the line that it could sharpen instead: what a person may choose from. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memsuggest.model import MemoryFact, MemorySuggestion, TargetType
from memsuggest.suggestions.fact_targets import Case
from memsuggest.suggestions.placement.line_replacement import Replacement, find_contradictions, find_earlier_wording
from memsuggest.suggestions.placement.plan import named_section, put_beside, put_in_place
from memsuggest.suggestions.placement.rule_text import as_rule, without_redacted
from memsuggest.suggestions.ranking.candidates import places_of
from memsuggest.suggestions.ranking.match import Ranked

if TYPE_CHECKING:
    from collections.abc import Collection

    from memsuggest.suggestions.ranking.workspace_index import WorkspaceIndex

MOST = 5
"""Places that are offered."""
_ALIKE = 0.5
"""Similarity from which a line that neither contradicts a rule nor is a part of it may be meant all the same."""
_CHOSEN = "you chose it"


@dataclass(frozen=True, slots=True, kw_only=True)
class Alternative:
    """A file that a fact could go to."""

    uri: str
    target_type: TargetType
    heading: str | None
    """The heading that fits best there; None for no heading of the file."""
    headings: tuple[str, ...]
    """All headings of the file, in order."""
    score: float
    why: str


def alternatives(
    fact: MemoryFact, workspace_index: WorkspaceIndex, *, decided: Collection[str] = (), most: int = MOST
) -> list[Alternative]:
    """Return the best open places for a fact, best first."""
    open_places = [
        one for one in places_of(_case(fact, workspace_index, decided)) if one.target.type is not TargetType.HOOK
    ]
    return [_alternative(one.located) for one in open_places[:most]]


def _alternative(one: Ranked) -> Alternative:
    return Alternative(
        uri=one.target.uri,
        target_type=one.target.type,
        heading=(one.section.heading or None) if one.section else None,
        headings=tuple(section.heading for section in one.target.sections if section.heading),
        score=one.score,
        why=one.why,
    )


def moved(
    fact: MemoryFact, workspace_index: WorkspaceIndex, *, uri: str, heading: str | None = None
) -> MemorySuggestion | None:
    """Plan a fact for a file of the person's choice, under a heading of it or, where it has none such, a new one.

    None where the file is closed, is none of the fact's scope, or takes no rule there.
    """
    target = workspace_index.by_uri.get(uri)
    if target is None or uri in workspace_index.closed or target.scope is not fact.scope:
        return None
    section = named_section(target, heading) if heading else None
    one = Ranked(target=target, section=section, score=1.0, why=_CHOSEN)
    made = put_beside(_as_rule(fact), one, new_heading=heading if heading and section is None else None)
    return replace(made, fact=fact) if made else None


def colliding(
    fact: MemoryFact, workspace_index: WorkspaceIndex, *, decided: Collection[str] = ()
) -> Replacement | None:
    """Return the line that a fact could take the place of: what it contradicts, completes, or is most like."""
    case = _case(fact, workspace_index, decided)
    likes = [
        like for like in case.likes if like.existing_rule.is_replaceable and like.existing_rule.uri not in case.shut
    ]
    found = next(iter(find_contradictions(case.fact.content, likes)), None)
    found = found or find_earlier_wording(case.fact.content, likes)
    near = next((like.existing_rule for like in likes if like.similarity >= _ALIKE), None)
    return found or (Replacement(existing_rule=near, why="it is the line most like it") if near else None)


def sharpened(
    fact: MemoryFact, workspace_index: WorkspaceIndex, *, decided: Collection[str] = ()
) -> MemorySuggestion | None:
    """Plan a fact in the place of the line that it collides with; None where there is none, or it is not safe."""
    found = colliding(fact, workspace_index, decided=decided)
    made = put_in_place(_as_rule(fact), workspace_index.by_uri[found.existing_rule.uri], found) if found else None
    return replace(made, fact=fact) if made else None


def _case(fact: MemoryFact, workspace_index: WorkspaceIndex, decided: Collection[str]) -> Case:
    rule = _as_rule(fact)
    likes = workspace_index.existing_rules[fact.scope].like(rule.content)
    return Case(fact=rule, workspace_index=workspace_index, shut=workspace_index.closed.union(decided), likes=likes)


def _as_rule(fact: MemoryFact) -> MemoryFact:
    return replace(fact, content=as_rule(without_redacted(fact.content) or fact.content))
