"""Dismissing: silence a fact, everywhere or for one target, until new evidence arrives."""

from __future__ import annotations

from collections.abc import Sequence

from memsuggest.core.context import Context
from memsuggest.core.model import Decision, MemoryFact, MemorySuggestion, SuggestionStatus
from memsuggest.facts.stores import store_decisions
from memsuggest.files.journal import DISMISSED
from memsuggest.suggestions.decision_reports import Dismissed
from memsuggest.suggestions.journaled import deciding
from memsuggest.suggestions.maybes import find_pending_or_maybe, find_planned
from memsuggest.suggestions.pending import load


def dismiss(context: Context, prefixes: Sequence[str], *, only_here: bool) -> Dismissed:
    """Dismiss suggestions and maybes; raises UnknownId before anything is stored."""
    with deciding(context) as note:
        find = find_planned if only_here else find_pending_or_maybe
        found = [find(context, prefix) for prefix in dict.fromkeys(prefixes)]
        chosen = [one for one in found if isinstance(one, MemorySuggestion)]
        maybes = [one for one in found if not isinstance(one, MemorySuggestion)]
        note(DISMISSED, found)
        store_decisions(context, [_dismissal(suggestion, only_here=only_here) for suggestion in chosen])
        store_decisions(context, [_silence(maybe) for maybe in maybes])
    ids = {one.id for one in chosen} if only_here else set()
    elsewhere = tuple(one for one in load(context) if one.id in ids) if ids else ()
    return Dismissed(suggestions=tuple(chosen), only_here=only_here, maybes=tuple(maybes), elsewhere=elsewhere)


def _silence(maybe: MemoryFact) -> Decision:
    return Decision(fact_id=maybe.id, target=None, status=SuggestionStatus.DISMISSED)


def _dismissal(suggestion: MemorySuggestion, *, only_here: bool) -> Decision:
    target = suggestion.edit.path if only_here else None
    return Decision(fact_id=suggestion.about, target=target, status=SuggestionStatus.DISMISSED)
