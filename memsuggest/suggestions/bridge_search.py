"""Bridges for the rules of a repo: to each file of a rule that the assistant which was corrected does not read.

One suggestion for an assistant and a file, whatever the number of rules; it is decided once for the repo.
"""

from __future__ import annotations

from contextlib import suppress
from itertools import chain
from typing import TYPE_CHECKING

from memsuggest.core.errors import MemsuggestError
from memsuggest.core.model import Scope, SuggestionStatus
from memsuggest.facts.stores import all_decisions, known_facts
from memsuggest.suggestions.bridges import bridge
from memsuggest.suggestions.pending import load
from memsuggest.suggestions.ranking.hosts import unread_by
from memsuggest.suggestions.target_paths import current_text
from memsuggest.suggestions.unread_files import is_taken_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from memsuggest.core.context import Context
    from memsuggest.core.model import MemoryFact, MemorySuggestion
    from memsuggest.suggestions.ranking.hosts import Host


def find_bridges(context: Context, suggestions: Iterable[MemorySuggestion] | None = None) -> Iterator[MemorySuggestion]:
    """Yield a bridge for every assistant that was corrected and does not read the file of the rule.

    `suggestions` are what is pending; without them, as it was kept last.
    """
    pending = load(context) if suggestions is None else suggestions
    rules = chain(((one.edit.path, one.fact) for one in pending if one.fact), _applied(context))
    pairs = {(host, uri) for uri, fact in rules if fact.scope is Scope.WORKSPACE and (host := unread_by(uri, fact))}
    for host, uri in sorted(pairs):
        if found := bridge_to(context, host, uri):
            yield found


def bridge_to(context: Context, host: Host, uri: str) -> MemorySuggestion | None:
    """Suggest what makes an assistant read a file; None where it does, or no way is documented."""
    if is_taken_in(context, host, uri):
        return None
    return bridge(host, uri, lambda name: _text(context, name))


def _applied(context: Context) -> Iterator[tuple[str, MemoryFact]]:
    facts = {fact.id: fact for fact in known_facts(context)}
    for decision in all_decisions(context):
        if decision.status is SuggestionStatus.APPLIED and decision.target and decision.fact_id in facts:
            yield decision.target, facts[decision.fact_id]


def _text(context: Context, uri: str) -> str | None:
    with suppress(MemsuggestError):
        return current_text(context, uri)
    return None
