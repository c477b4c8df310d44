"""The places that a fact may go to, best first: by rank, by what it names, by what its host reads. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.suggestions.ranking.hosts import host_first
from memsuggest.suggestions.ranking.match import Ranked, Rule, ranked
from memsuggest.suggestions.ranking.named_targets import called_first

if TYPE_CHECKING:
    from memsuggest.suggestions.fact_targets import Case


def places_of(case: Case) -> list[Ranked]:
    """Return the open places for a fact, best first."""
    return [one for one in ranked_for(case) if one.target.uri not in case.shut]


def ranked_for(case: Case) -> list[Ranked]:
    """Return all places for a fact, the closed ones with them, best first."""
    fact = case.fact
    rule = Rule(
        content=fact.content,
        paths=fact.cited_paths,
        in_use=tuple(name for citation in fact.citations for name in citation.in_use),
        kind=fact.kind,
        scope=fact.scope,
    )
    found = ranked(rule, case.workspace_index.indexes[case.fact.scope], with_section=0)
    return host_first(
        called_first(found, fact.content, files=case.named_files, root=case.workspace_index.root or "/"), fact
    )
