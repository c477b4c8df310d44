"""Where a bare rule would go: all its best places, each with its edit, to be tried and measured. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memsuggest.model import Edit
from memsuggest.suggestions.inert import why_forbidden
from memsuggest.suggestions.match import Rule, ranked
from memsuggest.suggestions.place import place

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memsuggest.model import TargetType
    from memsuggest.suggestions.bench import Bench
    from memsuggest.suggestions.match import Ranked


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
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


def rank(rule: Rule, bench: Bench, *, limit: int) -> list[Place]:
    """Return the best places for a bare rule, best first; places that cannot be edited have no edit."""
    refused = why_forbidden(rule.content)
    best = ranked(rule, bench.shelves[rule.scope], with_section=limit)[:limit]
    return [_place(rule, one, is_closed=one.target.uri in bench.closed, refused=refused) for one in best]


def _place(rule: Rule, one: Ranked, *, is_closed: bool, refused: str | None) -> Place:
    target = one.target
    placed = None if is_closed or refused else place(rule.content, target, section=one.section, kind=rule.kind)
    heading = one.section.heading if one.section else placed.heading if placed else None
    return Place(
        target_type=target.type,
        uri=target.uri,
        heading=heading or None,
        score=one.score,
        why=f"it holds {refused}, which no customization file may get" if refused else one.why,
        edit=Edit(path=target.uri, before=target.text, after=placed.text) if placed else None,
    )
