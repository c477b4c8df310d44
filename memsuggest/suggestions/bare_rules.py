"""Places for a bare rule: all the best ones, each with its edit, to be tried and measured. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memsuggest.model import Edit
from memsuggest.suggestions.placement.content_safety import why_forbidden
from memsuggest.suggestions.placement.place import place
from memsuggest.suggestions.ranking.match import Rule, ranked
from memsuggest.suggestions.ranking.named_targets import called_first

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memsuggest.model import TargetType
    from memsuggest.suggestions.ranking.match import Ranked
    from memsuggest.suggestions.ranking.workspace_index import WorkspaceIndex


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedPlace:
    """One place for a bare rule, with its edit."""

    target_type: TargetType
    uri: str
    heading: str | None
    score: float
    why: str
    edit: Edit | None
    """None where the file is closed, the rule may stand in no file, or no safe edit is found."""


def rule_of(content: str, *, paths: Iterable[str] = ()) -> Rule:
    """Return a bare rule, to be ranked."""
    return Rule(content=content, paths=tuple(paths))


def rank(rule: Rule, workspace_index: WorkspaceIndex, *, limit: int) -> list[RankedPlace]:
    """Return the best places for a bare rule, best first; places that cannot be edited have no edit."""
    refused = why_forbidden(rule.content)
    target_index = workspace_index.indexes[rule.scope]
    found = called_first(ranked(rule, target_index), rule.content)
    return [
        _place(rule, one.located, is_closed=one.target.uri in workspace_index.closed, refused=refused)
        for one in found[:limit]
    ]


def _place(rule: Rule, one: Ranked, *, is_closed: bool, refused: str | None) -> RankedPlace:
    target = one.target
    placed = None if is_closed or refused else place(rule.content, target, section=one.section)
    heading = placed.heading if placed else one.section.heading if one.section else None
    return RankedPlace(
        target_type=target.type,
        uri=target.uri,
        heading=heading or None,
        score=one.score,
        why=f"it holds {refused}, which no customization file may get" if refused else one.why,
        edit=Edit(path=target.uri, before=target.text, after=placed.text) if placed else None,
    )
