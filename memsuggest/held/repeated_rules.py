"""A search for what people keep saying, and the lines of files that say it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from memsuggest.core.context import Context
from memsuggest.core.identity import session_hash
from memsuggest.core.model import Citation, Decision, FactStatus, MemoryFact, SuggestionStatus, TargetType, Trust
from memsuggest.facts.accept import sessions_of, times_said
from memsuggest.facts.contradictions import KnownFacts, last_said
from memsuggest.facts.stores import OWN_WORDS, all_decisions, known_facts
from memsuggest.held.held_report import Covering, Matter
from memsuggest.suggestions.pending import load

_OWN = (Trust.TYPED, Trust.CONFIRMED)
_LEAST = 2  # chats in which something must have been said, the person's or others'


def find_matters(context: Context, since: int | None) -> list[Matter]:
    """Return what was said in several chats or by several people, the highest price first."""
    decisions = all_decisions(context)
    dismissed = {
        decision.fact_id
        for decision in decisions
        if decision.status is SuggestionStatus.DISMISSED and decision.target is None
    }
    facts = [
        fact
        for fact in known_facts(context)
        if fact.status is FactStatus.ACTIVE and fact.id not in dismissed and not fact.is_only_written
    ]
    others = _sessions_of_others(context)
    pending = {suggestion.fact.id: suggestion.id for suggestion in load(context) if suggestion.fact}
    groups: dict[str, list[MemoryFact]] = {}
    known = KnownFacts()
    for fact in sorted(facts, key=lambda fact: (-times_said(fact), -last_said(fact), fact.id)):
        same = known.same_as(fact.content, fact.scope)
        if same is None:
            known.add(fact)
        groups.setdefault((same or fact).id, []).append(fact)
    found = []
    for group in groups.values():
        names = [fact.id for fact in group]
        foreign = len(frozenset[str]().union(*(others.get(name, ()) for name in names))) if since is None else 0
        cited = _own_citations(group, since)
        chats = len(sessions_of(cited)) + foreign
        if chats < _LEAST or not cited:
            continue
        told = [round(citation.at.timestamp() * 1000) for citation in cited if citation.at]
        found.append(
            Matter(
                fact_ids=tuple(names),
                content=group[0].content,
                scope=group[0].scope,
                times=len({(citation.session_id, citation.turn) for citation in cited}) + foreign,
                chats=chats,
                others=foreign,
                first=min(told, default=None),
                last=max(told, default=None),
                covered_by=tuple(_covering(context, group, decisions)),
                suggestion_id=next((pending[name] for name in names if name in pending), ""),
                citations=tuple(cited),
            )
        )
    return sorted(found, key=lambda matter: (-matter.price, -(matter.last or 0), matter.content))


def _own_citations(facts: Iterable[MemoryFact], since: int | None) -> list[Citation]:
    found: dict[str, Citation] = {}
    for cited in (citation for fact in facts for citation in fact.citations):
        is_late = since is None or (cited.at is not None and cited.at.timestamp() * 1000 >= since)
        if cited.trust in _OWN and not cited.is_by_hand and is_late:
            found.setdefault(cited.evidence_key, cited)
    return sorted(
        found.values(), key=lambda said: (said.at.timestamp() if said.at else 0.0, said.session_id, said.turn)
    )


def _sessions_of_others(context: Context) -> Mapping[str, frozenset[str]]:
    """Return by the ids of shared facts the chats of other people, as far as the team's file cites them."""
    own = {
        session_hash(citation.session_id)
        for fact in context.profile.contents().facts
        for citation in fact.citations
        if citation.trust in OWN_WORDS
    }
    return {
        fact.id: frozenset(cited.session_id for cited in fact.citations if cited.session_id) - own
        for fact in context.facts_file.contents().facts
    }


def _covering(context: Context, facts: Sequence[MemoryFact], decisions: Sequence[Decision]) -> list[Covering]:
    """Return the lines that say one of some facts, and the files of hooks that one was applied to."""
    found: dict[tuple[str, int], Covering] = {}
    by_uri = context.workspace_index.by_uri
    for fact in facts:
        for line in context.workspace_index.existing_rules[fact.scope].said(fact.content):
            found[line.uri, line.line] = Covering(uri=line.uri, line=line.line, text=line.raw)
        for decision in decisions:
            target = by_uri.get(decision.target or "")
            is_hook = target is not None and target.type is TargetType.HOOK
            if decision.fact_id == fact.id and decision.status is SuggestionStatus.APPLIED and target and is_hook:
                found[target.uri, 1] = Covering(uri=target.uri, line=1, text="")
    return list(found.values())
