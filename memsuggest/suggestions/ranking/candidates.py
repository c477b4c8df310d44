"""The places that a fact may go to, best first: by rank, by what it names, by what its host reads. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.customizations.applyto import matching_pattern
from memsuggest.model import TargetType
from memsuggest.suggestions.ranking.hosts import host_first
from memsuggest.suggestions.ranking.match import NOT_LOADED, Ranked, Rule, ranked
from memsuggest.suggestions.ranking.named_targets import called_first, is_named
from memsuggest.suggestions.ranking.workspace_index import is_general

if TYPE_CHECKING:
    from memsuggest.suggestions.fact_targets import Case

_SEVERAL = 2
"""Words of a rule in a section that are more than chance."""


def places_of(case: Case) -> list[Ranked]:
    """Return the open places for a fact, best first."""
    return [one for one in ranked_for(case) if one.target.uri not in case.shut]


def ranked_for(case: Case) -> list[Ranked]:
    """Return all places for a fact, the closed ones with them, best first."""
    fact = case.fact
    found = ranked(
        Rule(content=fact.content, paths=fact.cited_paths, in_use=_in_use(case), scope=fact.scope), case.index
    )
    return host_first(called_first(found, fact.content), fact)


def _in_use(case: Case) -> tuple[str, ...]:
    return tuple(name for citation in case.fact.citations for name in citation.in_use)


def is_grounded(one: Ranked, case: Case) -> bool:
    """Tell whether a file is loaded for what a rule is about, or is itself about a word of it, by its name or title.

    Skills, agents and nested files are loaded for their own matter: a word that one says in passing is no ground.
    """
    target = one.target
    if is_general(target) or is_named(target, case.fact.content):
        return True
    if target.always_on or target.type is TargetType.SKILL:
        is_loaded = any(path.startswith(f"{target.folder}/") for path in case.files)
    else:
        root = case.workspace_index.root or "/"
        is_loaded = any(matching_pattern(target.applies_to, path, root=root) is not None for path in case.files)
    if is_loaded:
        return True
    if one.located.why == NOT_LOADED:
        return False
    number = next(number for number, file in enumerate(case.index.files) if file.target.uri == target.uri)
    words = set(case.index.vocabulary.words(case.fact.content))
    if not words.isdisjoint(case.index.files[number].about) or number in case.index.called(_in_use(case)):
        return True
    # Of a rule that names no files, nobody knows where it is needed: what instructions say is all there is.
    section = one.located.section
    said = [part.count for n in case.index.files[number].sections if (part := case.index.parts[n]).section == section]
    is_spoken_of = target.type is TargetType.INSTRUCTIONS and not target.always_on and not case.files
    least = _SEVERAL if case.workspace_index.general(case.fact.scope) else 1
    return is_spoken_of and any(len(words & count.keys()) >= least for count in said)
