"""Looking at suggestions: all of them, or one whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.config import Mode
from memsuggest.errors import ConfigError
from memsuggest.model import SuggestionStatus
from memsuggest.reports.deciding import Decided, Listing, Shown
from memsuggest.workflows.status import read_status

if TYPE_CHECKING:
    from memsuggest.workflows.desk import Desk


def list_suggestions(desk: Desk, *, status: str) -> Listing:
    """Return what is pending, or what was applied or dismissed."""
    try:
        wanted = SuggestionStatus(status)
    except ValueError:
        raise ConfigError(f"there is no status `{status}`", hint="pending, applied or dismissed") from None
    last_run = read_status(desk).last_run
    mode = desk.settings.mode
    if mode is Mode.OFF:
        return Listing(mode=mode, last_run=last_run, status=wanted, suggestions=())
    if wanted is SuggestionStatus.PENDING:
        from memsuggest.workflows.pending import load

        return Listing(mode=mode, last_run=last_run, status=wanted, suggestions=tuple(load(desk)))
    return Listing(mode=mode, last_run=last_run, status=wanted, suggestions=(), decided=_decided(desk, wanted))


def _decided(desk: Desk, status: SuggestionStatus) -> tuple[Decided, ...]:
    from memsuggest.workflows.stores import all_decisions, all_facts

    facts = {fact.id: fact for fact in all_facts(desk)}
    return tuple(
        Decided(fact=facts[decision.fact_id], target=decision.target, status=decision.status)
        for decision in all_decisions(desk)
        if decision.status is status and decision.fact_id in facts
    )


def show_suggestion(desk: Desk, prefix: str) -> Shown:
    """Return one suggestion as it would be written now, with those like it."""
    from dataclasses import replace

    from memsuggest.suggestions.suggest import similar
    from memsuggest.workflows.pending import find_pending, load, replanned

    suggestion = find_pending(desk, prefix)
    return replace(replanned(desk, suggestion), similar=tuple(similar(suggestion, load(desk))))
