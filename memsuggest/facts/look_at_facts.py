"""Looking at facts: all of them, some by their words, one with its evidence, or a document of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memsuggest.core.context import Context
from memsuggest.core.errors import ConfigError, UnknownId
from memsuggest.core.git import git_text
from memsuggest.core.id_prefixes import beginning, only_one
from memsuggest.core.model import FactStatus, MemoryFact, Scope, Trust, is_maybe
from memsuggest.core.redact import redact
from memsuggest.facts.export import to_json, to_markdown
from memsuggest.facts.fact_reports import FactRows, FactShown
from memsuggest.facts.facts_file import PLACE
from memsuggest.facts.stores import all_decisions, all_facts, dismissed_ids, known_facts, waiting_maybes
from memsuggest.memory.index_terms import document_terms, query_words
from memsuggest.suggestions.decision_reports import Decided
from memsuggest.suggestions.listed import is_open

if TYPE_CHECKING:
    from memsuggest.core.model import MemoryFact


def search_among(facts: Sequence[MemoryFact], query: str, *, limit: int = 50) -> list[MemoryFact]:
    """Return the facts that have all words of a query, or else some, best first: its own words count most.

    What has no words (a sign, an emoji) is looked for as it stands.
    """
    words = query_words(query)
    found: list[tuple[int, float, MemoryFact]] = []
    for fact in facts:
        texts = (
            fact.content,
            " ".join((fact.reason, *fact.tags)),
            " ".join(citation.quote for citation in fact.citations),
        )
        terms = [set(document_terms(text)) for text in texts]
        weights = [
            max(4.0 * bool(word.forms & terms[0]), 2.0 * bool(word.forms & terms[1]), 1.0 * bool(word.forms & terms[2]))
            for word in words
        ]
        if any(weights):
            found.append((sum(map(bool, weights)), sum(weights), fact))
    most = max((count for count, _, _ in found), default=0)
    if most == len(words):
        found = [one for one in found if one[0] == most]
    wanted = " ".join(query.casefold().split())
    ranked = [fact for _, _, fact in sorted(found, key=lambda one: -one[1])]
    return (ranked or [fact for fact in facts if wanted and wanted in fact.content.casefold()])[:limit]


_LIST = "`memsuggest memory list --facts`"


def list_facts(
    context: Context, *, scope: str | None, with_inactive: bool, only_written: bool = False, only_maybes: bool = False
) -> FactRows:
    """Return the facts of one scope or both, oldest first; if asked, only what documents of assistants alone say.

    Or else, if asked, only what is kept aside.
    """
    if only_maybes:
        wanted = _scopes(scope)
        return FactRows(facts=tuple(fact for fact in waiting_maybes(context) if fact.scope in wanted))
    facts = _of_scope(context, scope, with_inactive=with_inactive)
    chosen = tuple(fact for fact in facts if not only_written or fact.is_only_written)
    return FactRows(facts=chosen, dismissed=dismissed_ids(context))


def _of_scope(context: Context, scope: str | None, *, with_inactive: bool = True) -> list[MemoryFact]:
    wanted = _scopes(scope)
    return [
        fact
        for fact in all_facts(context)
        if fact.scope in wanted and (with_inactive or fact.status is FactStatus.ACTIVE)
    ]


def _scopes(name: str | None) -> set[Scope]:
    return set(Scope) if name is None else {_scope(name)}


def _scope(name: str) -> Scope:
    try:
        return Scope(name)
    except ValueError:
        raise ConfigError(f"unknown scope `{name}`", hint="use workspace or user") from None


def find_fact(context: Context, prefix: str) -> MemoryFact:
    """Return the fact with this id prefix, or the maybe; raises UnknownId for none and for several."""
    facts = known_facts(context)
    wanted = beginning(prefix, facts, shown_by=_LIST)
    known = [fact for fact in facts if fact.id.startswith(wanted)]
    found = only_one([fact for fact in known if not is_maybe(fact)] or known, prefix, called="facts")
    if found is None:
        raise UnknownId(f"no fact with the id `{prefix}`", hint=f"{_LIST} lists the facts")
    return found


def show_fact(context: Context, prefix: str) -> FactShown:
    """Return one fact with its evidence, what was decided about it, and what contradicts it."""
    from memsuggest.graphiti.deliver import promotions_shown
    from memsuggest.held.find_held import held_of_fact
    from memsuggest.suggestions.contradicting import contradictions_of

    fact = find_fact(context, prefix)
    decisions = [decision for decision in all_decisions(context) if decision.fact_id == fact.id]
    return FactShown(
        fact=fact,
        decisions=tuple(Decided(fact=fact, target=one.target, status=one.status) for one in decisions),
        in_shared_file=fact.is_shared,
        note=f"shared by {who}, according to git" if (who := _who_shared(context, fact)) else "",
        contradictions=contradictions_of(context, fact) if is_open(fact, decisions, threshold=0) else (),
        promotions=promotions_shown(context, fact),
        held=held_of_fact(context, fact, decisions),
    )


def _who_shared(context: Context, fact: MemoryFact) -> str:
    if not fact.is_shared or any(citation.trust is not Trust.SHARED for citation in fact.citations):
        return ""
    names = git_text(context.root, "log", "--format=%an", f'-S"id": "{fact.id}"', "--", PLACE).split("\n")
    return redact(next((name for name in reversed(names) if name.strip()), "")).text


def search_facts(context: Context, query: str, *, scope: str | None) -> FactRows:
    """Return facts by their words, best first; any text is a sane query."""
    found = search_among(_of_scope(context, scope), query)
    return FactRows(facts=tuple(found), query=query, dismissed=dismissed_ids(context))


def export_facts(context: Context, *, scope: str | None, format: str) -> str:
    """Return all facts but the dismissed ones as one JSON or Markdown document."""
    dismissed = dismissed_ids(context)
    facts = [fact for fact in _of_scope(context, scope) if fact.id not in dismissed]
    return to_json(facts) if format == "json" else to_markdown(facts)
