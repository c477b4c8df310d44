"""Making the suggestions that wait from the facts and the targets, and planning one anew; `waiting` reads them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from memsuggest.core.config import OFFLINE
from memsuggest.core.context import Context
from memsuggest.core.errors import EditConflict
from memsuggest.core.id_prefixes import beginning
from memsuggest.core.model import (
    Contradiction,
    Decision,
    Edit,
    MemoryFact,
    MemorySuggestion,
    Skipped,
    SuggestionStatus,
    Target,
    TargetType,
)
from memsuggest.core.show_progress import PLACING, ShowProgress, no_progress
from memsuggest.customizations.discovery import target_from
from memsuggest.facts.contradictions import find_contradictions
from memsuggest.facts.stores import all_decisions, all_facts
from memsuggest.judging.verdicts.verdict import Verdict
from memsuggest.judging.verdicts.verdict_store import load_verdicts
from memsuggest.learning.learning_reports import AlreadyThere
from memsuggest.suggestions.dangerous_rules import why_held_back
from memsuggest.suggestions.decision_reports import Shown
from memsuggest.suggestions.find_maintenance import maintenance_now
from memsuggest.suggestions.listed import closed_targets, is_open, similar, where
from memsuggest.suggestions.marker_files import keep_badge
from memsuggest.suggestions.moves import load_moves
from memsuggest.suggestions.pending import find_pending
from memsuggest.suggestions.pending_suggestions import save_pending
from memsuggest.suggestions.placement.replan import replan
from memsuggest.suggestions.ranking.workspace_index import WorkspaceIndex
from memsuggest.suggestions.suggest import AlreadySaid, suggest
from memsuggest.suggestions.suggest import replanned as replanned_by
from memsuggest.suggestions.target_paths import current_text

NO_VERDICTS: Mapping[str, Verdict] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Refreshed:
    """The outcome of suggesting."""

    suggestions: tuple[MemorySuggestion, ...]
    already_there: tuple[AlreadyThere, ...]
    refused: tuple[Skipped, ...]
    """Facts that no file may hold."""
    contradictions: tuple[Contradiction, ...]
    """Facts of which only one can hold, none of them applied; the losers are not suggested."""


def refresh_pending(
    context: Context, facts: Iterable[MemoryFact] | None = None, *, progress: ShowProgress = no_progress
) -> Refreshed:
    """Make all suggestions anew from the facts and the files as they are, and keep them as pending."""
    made = make_suggestions(context, all_facts(context) if facts is None else facts, progress=progress)
    if not context.is_dry:
        save_pending(context.state, context.place.worktree_key, made.suggestions)
        keep_badge(context, len(made.suggestions))
    return made


def make_suggestions(
    context: Context, facts: Iterable[MemoryFact], *, progress: ShowProgress = no_progress
) -> Refreshed:
    """Say for every fact above the threshold where it belongs, unless that was decided or it stands there already."""
    from memsuggest.suggestions.move import with_moves

    made = suggest_all(
        facts,
        decisions=all_decisions(context),
        workspace_index=context.workspace_index,
        threshold=context.settings.threshold,
        verdicts=verdicts_of(context),
        progress=progress,
    )
    return replace(made, suggestions=with_moves(context, made.suggestions))


def suggest_all(
    facts: Iterable[MemoryFact],
    *,
    decisions: Sequence[Decision],
    workspace_index: WorkspaceIndex,
    threshold: float,
    verdicts: Mapping[str, Verdict] = NO_VERDICTS,
    progress: ShowProgress = no_progress,
) -> Refreshed:
    """Do the same with values alone; `verdicts` are what a model said of facts, by their ids."""
    suggestions: list[MemorySuggestion] = []
    already: list[AlreadyThere] = []
    refused: list[Skipped] = []
    known = tuple(facts)
    open_facts = [fact for fact in known if is_open(fact, decisions, threshold=threshold)]
    contradictions = find_contradictions(open_facts)
    losers = {pair.loser.id for pair in contradictions} | overruled(open_facts, taken_in(known, decisions))
    for number, fact in enumerate(open_facts):
        if fact.id in losers:
            continue
        progress(number, len(open_facts), fact.content, phase=PLACING)
        if why := why_held_back(fact):
            refused.append(Skipped(what=f"fact {fact.id[:12]}", why=why))
            continue
        made = _suggested(fact, workspace_index, closed_targets(fact, decisions), verdicts.get(fact.id))
        if isinstance(made, AlreadySaid):
            already.append(AlreadyThere(fact=fact, target_uri=made.uri, line=made.line, text=made.text))
        elif isinstance(made, Skipped):
            refused.append(made)
        elif made is not None:
            suggestions.append(made)
    suggestions.sort(key=surest_first)
    return Refreshed(
        suggestions=tuple(suggestions),
        already_there=tuple(already),
        refused=tuple(refused),
        contradictions=contradictions,
    )


def taken_in(facts: Iterable[MemoryFact], decisions: Sequence[Decision]) -> list[MemoryFact]:
    """Return the facts that the person took into a file."""
    applied = {decision.fact_id for decision in decisions if decision.status is SuggestionStatus.APPLIED}
    return [fact for fact in facts if fact.id in applied]


def overruled(open_facts: Sequence[MemoryFact], applied: Sequence[MemoryFact]) -> set[str]:
    """Return the ids of facts that would replace what the person said later and applied."""
    chosen = {fact.id for fact in applied}
    pairs = find_contradictions(open_facts, among=applied)
    return {pair.loser.id for pair in pairs if pair.winner.id in chosen}


def surest_first(one: MemorySuggestion) -> tuple[float, int, str]:
    return (-one.fact.confidence, one.fact.timestamp, one.id) if one.fact else (0.0, 0, one.id)


def _suggested(
    fact: MemoryFact, workspace_index: WorkspaceIndex, decided: frozenset[str], verdict: Verdict | None
) -> MemorySuggestion | AlreadySaid | Skipped | None:
    """Suggest, unless the same fact came to something with this index before."""
    known = workspace_index.made.get((fact.id, decided))
    if known is None or known[0] != (fact, verdict):
        made_now = suggest(fact, workspace_index, decided=decided, verdict=verdict)
        known = workspace_index.made[fact.id, decided] = ((fact, verdict), made_now)
    made: MemorySuggestion | AlreadySaid | Skipped | None = known[1]
    return made


def said_where(context: Context, fact: MemoryFact) -> AlreadySaid | None:
    """Return the line of a customization file that says a fact already; None where none does."""
    made = _suggested(fact, context.workspace_index, frozenset(), None)  # which is kept for the suggestions to come
    return made if isinstance(made, AlreadySaid) else None


def place_of(context: Context, fact: MemoryFact) -> str:
    """Say where a new fact belongs; nothing where it goes to no file."""
    made = _suggested(fact, context.workspace_index, frozenset(), None)
    if isinstance(made, AlreadySaid):
        return f"{made.uri}, line {made.line} says it"
    return where(made) if isinstance(made, MemorySuggestion) else ""


def replanned(context: Context, suggestion: MemorySuggestion) -> Shown:
    """Return a suggestion as it would be written now: as it is, or planned anew when its file changed."""
    if current_text(context, suggestion.edit.path) == suggestion.edit.before:
        return Shown(suggestion=suggestion)
    return replan_now(context, suggestion)


def replan_now(context: Context, suggestion: MemorySuggestion) -> Shown:
    """Plan a suggestion anew for its file as it is now; for a new place when the file is gone."""
    text = current_text(context, suggestion.edit.path)
    if text is None and suggestion.target_uri is not None:
        return _elsewhere(context, suggestion)
    made = replan_on(context, suggestion, text)
    return Shown(suggestion=made, was_replanned=True, differs=_lines(made) != _lines(suggestion))


def _lines(suggestion: MemorySuggestion) -> tuple[str | None, ...]:
    return (suggestion.edit.path, suggestion.suggested_merge_content, suggestion.replaces, suggestion.heading)


def replan_on(context: Context, suggestion: MemorySuggestion, text: str | None) -> MemorySuggestion:
    """Plan a suggestion anew on a text of its file; raises EditConflict when the text says it already."""

    target = None if text is None else target_from(suggestion.edit.path, text)
    is_maintenance = suggestion.maintenance is not None and target is not None
    made = maintenance_now(context, suggestion, target) if is_maintenance and target else None
    made = made if is_maintenance else _judged_on(context, suggestion, target) or replan(suggestion, target)
    if made is None:
        raise EditConflict(
            f"`{suggestion.edit.path}` changed and no longer needs this: {suggestion.content}",
            hint="run `memsuggest reconcile` to check everything again",
        )
    return replace(made, weakens=suggestion.weakens)


def _judged_on(context: Context, suggestion: MemorySuggestion, target: Target | None) -> MemorySuggestion | None:
    """Plan a suggestion anew as a model's verdict wants it; None where there is none, or not for this place."""
    verdict = verdicts_of(context).get(suggestion.about) if target else None
    is_moved = suggestion.about in load_moves(context.state, context.place.worktree_key)
    return replanned_by(suggestion, verdict, target) if verdict and target and not is_moved else None


def verdicts_of(context: Context) -> Mapping[str, Verdict]:
    """Return what a model said of facts, by their ids; nothing where the person wants no model."""
    if context.settings.engine == OFFLINE:
        return NO_VERDICTS
    return load_verdicts(context.state, context.place.worktree_key)


def _elsewhere(context: Context, suggestion: MemorySuggestion) -> Shown:
    context.forget_targets()
    made = make_suggestions(context, [suggestion.fact] if suggestion.fact else []).suggestions
    if not made:
        raise EditConflict(
            f"`{suggestion.edit.path}` no longer exists, and no other file needs this",
            hint="run `memsuggest reconcile` to check again",
        )
    return Shown(suggestion=made[0], was_replanned=True, differs=True)


def similar_to(context: Context, prefix: str, pending: Sequence[MemorySuggestion]) -> list[MemorySuggestion]:
    """Return a pending suggestion and those about the same matter; of one that was applied, those alone."""
    done = _applied(context)
    wanted = beginning(prefix, [*done, *pending], shown_by="`memsuggest list`")
    applied = [suggestion for suggestion in done if suggestion.id.startswith(wanted)]
    if len(applied) == 1:
        return similar(applied[0], pending)
    named = find_pending(context, prefix)
    return [named, *similar(named, pending)]


def _applied(context: Context) -> list[MemorySuggestion]:
    """Return what was applied, as far as is remembered: the fact and the file."""
    facts = {fact.id: fact for fact in all_facts(context)}
    return [
        MemorySuggestion(
            id=decision.fact_id,
            fact=facts[decision.fact_id],
            target_type=TargetType.INSTRUCTIONS,
            suggested_merge_content="",
            status=SuggestionStatus.APPLIED,
            edit=Edit(path=decision.target, before=None, after=None),
        )
        for decision in all_decisions(context)
        if decision.status is SuggestionStatus.APPLIED and decision.target and decision.fact_id in facts
    ]
