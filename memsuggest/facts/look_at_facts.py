"""Looking at facts: all of them, some by their words, one with its evidence, or a document of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from memsuggest.core.context import Context
from memsuggest.core.errors import ConfigError, UnknownId, beginning, only_one
from memsuggest.core.git import git_text
from memsuggest.core.json_shape import render
from memsuggest.core.model import FactStatus, Kind, MemoryFact, Scope, Trust, is_maybe
from memsuggest.core.redact import redact
from memsuggest.facts.fact_reports import ExportedFacts, FactRows, FactShown
from memsuggest.facts.facts_file import PLACE
from memsuggest.facts.stores import all_decisions, all_facts, dismissed_ids, known_facts, open_among, waiting_maybes
from memsuggest.memory.index_terms import document_terms, query_words
from memsuggest.suggestions.decision_reports import Decided

_SCOPES = {Scope.WORKSPACE: "This workspace", Scope.USER: "Everywhere"}
_KINDS = {
    Kind.CORRECTION: "Corrections",
    Kind.CONVENTION: "Conventions",
    Kind.PREFERENCE: "Preferences",
    Kind.PROCEDURE: "Procedures",
    Kind.TERMINOLOGY: "Terminology",
    Kind.FACT: "Facts",
    Kind.SKILL: "Skills",
    Kind.OBSERVATION: "Observations",
}


def to_json(facts: Iterable[MemoryFact]) -> str:
    return render(ExportedFacts(facts=tuple(sorted(facts, key=lambda fact: fact.id))))


def to_markdown(facts: Iterable[MemoryFact]) -> str:
    """Return facts as a Markdown list by scope and kind, each with why it is there and who said it when."""
    scopes, kinds = list(_SCOPES), list(_KINDS)
    ordered = sorted(
        facts, key=lambda fact: (scopes.index(fact.scope), kinds.index(fact.kind), fact.timestamp, fact.id)
    )
    lines = ["# Facts"] if ordered else ["# Facts", "", "None yet."]
    for (scope, kind), of_kind in groupby(ordered, key=lambda fact: (fact.scope, fact.kind)):
        title = f"## {_SCOPES[scope]}"
        lines += [] if title in lines else ["", title]
        lines += ["", f"### {_KINDS[kind]}", ""]
        for fact in of_kind:
            lines.append(f"- {_line(fact.content)}")
            if fact.status is FactStatus.INACTIVE:
                lines.append(f"  - retired{f', replaced by `{fact.superseded_by}`' if fact.superseded_by else ''}")
            if fact.reason:
                lines.append(f"  - why: {_line(fact.reason)}")
            for citation in (citation for citation in fact.citations if citation.quote):
                day = f", {citation.at:%Y-%m-%d}" if citation.at else ""
                trust = "" if citation.trust == "typed" else f", {citation.trust.value}"
                where = f"chat `{_line(citation.session_id)[:40]}`, turn {citation.turn}{day}{trust}"
                lines.append(f"  - said: “{_line(citation.quote)}” ({where})")
            if fact.cited_paths:
                lines.append("  - files: " + ", ".join(f"`{_line(path)}`" for path in fact.cited_paths))
            lines.append(f"  - id: `{fact.id}`, confidence {fact.confidence:.2f}")
    return "\n".join(lines) + "\n"


def _line(text: str) -> str:
    return " ".join(text.split())


def search_among(facts: Sequence[MemoryFact], query: str, *, limit: int = 50) -> list[MemoryFact]:
    """Return the facts that have all words of a query, or else some, best first: its own words count most.

    What has no words (a sign, an emoji) is looked for as it stands.
    """
    words = query_words(query)
    found: list[tuple[int, float, MemoryFact]] = []
    for fact in facts:
        quotes = " ".join(citation.quote for citation in fact.citations)
        texts = ((4.0, fact.content), (2.0, " ".join((fact.reason, *fact.tags))), (1.0, quotes))
        terms = [(weight, set(document_terms(text))) for weight, text in texts]
        weights = [max(weight * bool(word.forms & of_text) for weight, of_text in terms) for word in words]
        if any(weights):
            found.append((sum(map(bool, weights)), sum(weights), fact))
    most = max((count for count, _, _ in found), default=0)
    if most == len(words):
        found = [item for item in found if item[0] == most]
    wanted = " ".join(query.casefold().split())
    ranked = [fact for _, _, fact in sorted(found, key=lambda item: -item[1])]
    return (ranked or [fact for fact in facts if wanted and wanted in fact.content.casefold()])[:limit]


_LIST = "`memsuggest memory list --facts`"


def list_facts(
    context: Context, *, scope: str | None, with_inactive: bool, only_written: bool = False, only_maybes: bool = False
) -> FactRows:
    """Return the facts of one scope or both, oldest first; if asked, only what documents of assistants alone say.

    Or else, if asked, only what is kept aside.
    """
    if only_maybes:
        return FactRows(facts=tuple(_of_scope(waiting_maybes(context), scope)))
    facts = _of_scope(all_facts(context), scope)
    chosen = (fact for fact in facts if with_inactive or fact.status is FactStatus.ACTIVE)
    shown = tuple(fact for fact in chosen if not only_written or fact.is_only_written)
    return FactRows(facts=shown, dismissed=dismissed_ids(context))


def _of_scope(facts: Iterable[MemoryFact], name: str | None) -> list[MemoryFact]:
    if name not in (None, *Scope):
        raise ConfigError(f"unknown scope `{name}`", hint="use `workspace` or `user`")
    return [fact for fact in facts if name in (None, fact.scope)]


def find_fact(context: Context, prefix: str) -> MemoryFact:
    """Return the fact with this id prefix, or the maybe; raises UnknownId for none and for several."""
    facts = known_facts(context)
    wanted = beginning(prefix, facts, shown_by=_LIST)
    known = [fact for fact in facts if fact.id.startswith(wanted)]
    found = only_one([fact for fact in known if not is_maybe(fact)] or known, prefix, called="facts")
    if found is None:
        raise UnknownId(f"no fact with the ID `{prefix}`", hint=f"{_LIST} lists the facts")
    return found


def show_fact(context: Context, prefix: str) -> FactShown:
    """Return one fact with its evidence, what was decided about it, and what contradicts it."""
    from memsuggest.graphiti.sync_server import promotions_shown
    from memsuggest.held.find_held import held_of_fact
    from memsuggest.suggestions.suggesting import contradictions_of

    fact = find_fact(context, prefix)
    decisions = [decision for decision in all_decisions(context) if decision.fact_id == fact.id]
    who = ""
    if fact.is_shared and all(citation.trust is Trust.SHARED for citation in fact.citations):
        names = git_text(context.root, "log", "--format=%an", f'-S"id": "{fact.id}"', "--", PLACE).split("\n")
        who = redact(next((name for name in reversed(names) if name.strip()), "")).text
    return FactShown(
        fact=fact,
        decisions=tuple(Decided(fact=fact, target=item.target, status=item.status) for item in decisions),
        in_shared_file=fact.is_shared,
        note=f"shared by {who}, according to git" if who else "",
        contradictions=contradictions_of(context, fact) if open_among([fact], decisions, threshold=0) else (),
        promotions=promotions_shown(context, fact),
        held=held_of_fact(context, fact, decisions),
    )


def search_facts(context: Context, query: str, *, scope: str | None) -> FactRows:
    """Return facts by their words, best first; any text is a sane query."""
    found = search_among(_of_scope(all_facts(context), scope), query)
    return FactRows(facts=tuple(found), query=query, dismissed=dismissed_ids(context))


def export_facts(context: Context, *, scope: str | None, format: str) -> str:
    """Return all facts but the dismissed ones as one JSON or Markdown document."""
    dismissed = dismissed_ids(context)
    facts = [fact for fact in _of_scope(all_facts(context), scope) if fact.id not in dismissed]
    return to_json(facts) if format == "json" else to_markdown(facts)
