"""Making the pending suggestions from facts and targets, bringing them up to date, and planning one anew."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from operator import attrgetter

from memsuggest.core.config import OFFLINE
from memsuggest.core.context import Context
from memsuggest.core.errors import EditConflict, MemsuggestError, beginning
from memsuggest.core.identity import session_hash
from memsuggest.core.model import (
    Cause,
    Contradiction,
    Decision,
    MemoryFact,
    MemorySuggestion,
    Skipped,
    SuggestionStatus,
    is_maybe,
)
from memsuggest.core.show_progress import PLACING, ShowProgress, no_progress
from memsuggest.customizations.discovery import target_from
from memsuggest.facts.contradictions import find_contradictions
from memsuggest.facts.stores import (
    Known,
    all_decisions,
    all_facts,
    closed_targets,
    open_among,
    overruled,
    read_known,
    taken_in,
)
from memsuggest.judging.verdicts.verdict import Verdict, load_verdicts
from memsuggest.memory.context_block import title_of
from memsuggest.suggestions.bridges import readers
from memsuggest.suggestions.dangerous_rules import why_held_back, with_danger
from memsuggest.suggestions.decision_reports import AlreadyThere, Shown
from memsuggest.suggestions.listed import similar, where
from memsuggest.suggestions.maintenance import find_bridges, maintenance_now
from memsuggest.suggestions.marker_files import keep_badge
from memsuggest.suggestions.pending import find_pending, load, pending_maintenance
from memsuggest.suggestions.pending_suggestions import load_moves, save_maintenance, save_pending
from memsuggest.suggestions.ranking.workspace_index import AlreadySaid, WorkspaceIndex
from memsuggest.suggestions.suggest import replan, suggest
from memsuggest.suggestions.target_paths import current_text

NO_VERDICTS: Mapping[str, Verdict] = {}


def contradictions_of(context: Context, fact: MemoryFact) -> tuple[Contradiction, ...]:
    """Return each open fact that contradicts one, with which of the two was said last."""
    others = open_among(all_facts(context), all_decisions(context), threshold=context.settings.threshold)
    return find_contradictions([fact], among=others)


def looked_at(context: Context, suggestion: MemorySuggestion) -> Shown:
    """Return a suggestion as it would be written now, with all that is weighed before a decision."""
    from memsuggest.held.find_held import with_held
    from memsuggest.judging.offline.offline import why_maybe

    shown = with_danger(replanned(context, suggestion), context.kept_index.of)
    now = shown.suggestion
    clashes = contradictions_of(context, now.fact) if now.fact else ()
    quotes = [citation for citation in now.citations if citation.quote] if now.fact and is_maybe(now.fact) else []
    unsure = next(filter(None, map(why_maybe, quotes)), "")
    said = next((first.session_id for first in now.citations[:1] if not first.is_by_hand), "")
    chats = context.profile.entries.of_session(session_hash(said)) if said else ()
    title = next((title_of(chat) for chat in chats if "“" in chat.content), "")
    return with_held(
        context,
        replace(shown, contradictions=clashes, readers=readers(context, now.edit.path), chat=title, unsure=unsure),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Refreshed:
    """The outcome of suggesting."""

    suggestions: tuple[MemorySuggestion, ...]
    already_there: tuple[AlreadyThere, ...]
    refused: tuple[Skipped, ...]
    """Facts that no file may hold."""
    contradictions: tuple[Contradiction, ...]
    """Facts of which only one can hold, none of them applied; the losers are not suggested."""


def refresh_pending(context: Context, *, progress: ShowProgress = no_progress) -> Refreshed:
    """Make all suggestions anew from the facts and the files as they are, and keep them as pending."""
    made = make_suggestions(context, all_facts(context), all_decisions(context), progress=progress)
    _save(context, made.suggestions)
    return made


def make_suggestions(
    context: Context,
    facts: Iterable[MemoryFact],
    decisions: Sequence[Decision],
    *,
    progress: ShowProgress = no_progress,
) -> Refreshed:
    """Say for every fact above the threshold where it belongs, unless that was decided or it stands there already."""
    from memsuggest.suggestions.move import with_moves

    made = suggest_all(
        facts,
        decisions=decisions,
        workspace_index=context.workspace_index,
        threshold=context.settings.threshold,
        verdicts=verdicts_of(context),
        progress=progress,
    )
    return replace(made, suggestions=with_moves(context, made.suggestions, decisions))


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
    found = open_among(known, decisions, threshold=threshold)
    contradictions = find_contradictions(found)
    losers = {pair.loser.id for pair in contradictions} | overruled(found, taken_in(known, decisions))
    for number, fact in enumerate(found):
        if fact.id in losers:
            continue
        progress(number, len(found), fact.content, phase=PLACING)
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


def surest_first(suggestion: MemorySuggestion) -> tuple[float, int, str]:
    fact = suggestion.fact
    return (-fact.confidence, fact.timestamp, suggestion.id) if fact else (0.0, 0, suggestion.id)


def _suggested(
    fact: MemoryFact,
    workspace_index: WorkspaceIndex,
    decided: frozenset[str] = frozenset(),
    verdict: Verdict | None = None,
) -> MemorySuggestion | AlreadySaid | Skipped | None:
    made: MemorySuggestion | AlreadySaid | Skipped | None
    basis, made = workspace_index.made.get((fact.id, decided), (None, None))
    if basis != (fact, verdict):
        made = suggest(fact, workspace_index, decided=decided, verdict=verdict)
        workspace_index.made[fact.id, decided] = ((fact, verdict), made)
    return made


def said_where(context: Context, fact: MemoryFact) -> AlreadySaid | None:
    """Return the line of a customization file that says a fact already; None where none does."""
    made = _suggested(fact, context.workspace_index)  # which is kept for the suggestions to come
    return made if isinstance(made, AlreadySaid) else None


def place_of(context: Context, fact: MemoryFact) -> str:
    """Say where a new fact belongs; nothing where it goes to no file."""
    made = _suggested(fact, context.workspace_index)
    if isinstance(made, AlreadySaid):
        return f"line {made.line} of {made.uri} already says this"
    return where(made) if isinstance(made, MemorySuggestion) else ""


def replanned(context: Context, suggestion: MemorySuggestion) -> Shown:
    if current_text(context, suggestion.edit.path) == suggestion.edit.before:
        return Shown(suggestion=suggestion)
    return replan_now(context, suggestion)


def replan_now(context: Context, suggestion: MemorySuggestion) -> Shown:
    """Plan a suggestion anew for its file as it is now; for a new place when the file is gone."""
    text = current_text(context, suggestion.edit.path)
    if text is not None or suggestion.target_uri is None:
        made = replan_on(context, suggestion, text)
        return Shown(suggestion=made, was_replanned=True, differs=_lines(made) != _lines(suggestion))
    context.forget_targets()
    facts = [suggestion.fact] if suggestion.fact else []
    for made in make_suggestions(context, facts, all_decisions(context)).suggestions:
        return Shown(suggestion=made, was_replanned=True, differs=True)
    raise EditConflict(
        f"`{suggestion.edit.path}` no longer exists, and no other file needs this rule",
        hint="run `memsuggest reconcile` to check again",
    )


def replan_on(context: Context, suggestion: MemorySuggestion, text: str | None) -> MemorySuggestion:
    """Plan a suggestion anew on a text of its file; raises EditConflict when the text says it already."""
    is_moved = suggestion.about in load_moves(context.state, context.place.worktree_key)
    verdict = None if is_moved else verdicts_of(context).get(suggestion.about)
    target = None if text is None else target_from(suggestion.edit.path, text)
    if suggestion.maintenance and target:
        made = maintenance_now(context, suggestion, target)
    else:
        made = replan(suggestion, target, verdict)
    if made is None:
        raise EditConflict(
            f"`{suggestion.edit.path}` has changed and no longer needs this change: {suggestion.content}",
            hint="run `memsuggest reconcile` to check everything again",
        )
    return replace(made, weakens=suggestion.weakens)


def verdicts_of(context: Context) -> Mapping[str, Verdict]:
    """Return what a model said of facts, by their ids; nothing where the person wants no model."""
    if context.settings.engine == OFFLINE:
        return NO_VERDICTS
    return load_verdicts(context.state, context.place.worktree_key)


def similar_to(context: Context, prefix: str, pending: Sequence[MemorySuggestion]) -> list[MemorySuggestion]:
    """Return a pending suggestion and those about the same matter; of one that was applied, those alone."""
    files = {
        decision.fact_id: decision.target
        for decision in all_decisions(context)
        if decision.status is SuggestionStatus.APPLIED and decision.target
    }
    done = [fact for fact in all_facts(context) if fact.id in files]
    wanted = beginning(prefix, [*done, *pending], shown_by="`memsuggest list`")
    applied = [files[fact.id] for fact in done if fact.id.startswith(wanted)]
    if len(applied) == 1:
        return [suggestion for suggestion in pending if suggestion.fact and suggestion.edit.path == applied[0]]
    named = find_pending(context, prefix)
    return [named, *similar(named, pending)]


def compare_ahead(context: Context, count: int) -> bool:
    """Compare so many open facts with one another, so that a decision need not; True once all are."""
    found = open_among(all_facts(context), all_decisions(context), threshold=context.settings.threshold)
    if context.known_pairs.size < count:  # else a decision needed more of them meanwhile
        context.known_pairs.losers(found[:count])
    return context.known_pairs.size >= len(found) or count >= len(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class AfterDecision:
    """The suggestions after a decision."""

    suggestions: tuple[MemorySuggestion, ...]
    maintenance: tuple[MemorySuggestion, ...]
    taken_away: tuple[MemorySuggestion, ...]
    """What was pending before in another form, or is not pending any more: `undo` brings back the very same."""


def renew(
    context: Context,
    before: Known,
    now: Known | None = None,
    *,
    paths: Collection[str] = (),
    back: Sequence[MemorySuggestion] = (),
) -> AfterDecision:
    """Bring what is pending up to date after a decision, and keep it.

    `before` and `now` are what was known then and is known since (None: what the stores have), `paths` the files that
    were written, and `back` are suggestions that an undone decision had taken away.
    """
    context.forget_targets()
    now = now or read_known(context)
    pending = {suggestion.id: suggestion for suggestion in load(context, now.facts)}
    returned = {suggestion.id: suggestion for suggestion in back if suggestion.fact}
    kept: list[MemorySuggestion] = []
    anew: list[MemoryFact] = []
    for fact in now.open.values():
        was = before.open.get(fact.id)
        found = returned.get(fact.id) or pending.get(fact.id)
        if found is None:
            anew += [fact] if was != fact else []
        elif (was not in (None, fact) and fact.id not in returned) or found.edit.path in now.closed[fact.id]:
            anew.append(fact)
        elif found.edit.path not in paths:
            kept.append(found)
        else:
            with suppress(MemsuggestError):  # it is said there now, or the file cannot be read
                text = current_text(context, found.edit.path)
                if text is None and found.edit.before is not None:
                    anew.append(fact)
                else:
                    kept.append(found if text == found.edit.before else replan_on(context, found, text))
    kept += make_suggestions(context, anew, now.decisions).suggestions if anew else ()
    kept.sort(key=surest_first)
    needed_before = pending_maintenance(context)
    needed = _still_needed(context, now, needed_before, back, paths, kept)
    if not context.is_dry:
        save_maintenance(context.state, context.place.worktree_key, needed)
    _save(context, kept)
    # What waits still, under the same heading, is planned anew for another text: the journal need not keep it.
    places = {_place_of(suggestion) for suggestion in (*kept, *needed)}
    gone = [suggestion for suggestion in (*pending.values(), *needed_before) if _place_of(suggestion) not in places]
    return AfterDecision(suggestions=tuple(kept), maintenance=tuple(needed), taken_away=tuple(gone))


def _save(context: Context, suggestions: Sequence[MemorySuggestion]) -> None:
    if not context.is_dry:
        save_pending(context.state, context.place.worktree_key, suggestions)
        keep_badge(context, len(suggestions))


_lines = attrgetter("edit.path", "suggested_merge_content", "replaces", "heading")


def _place_of(suggestion: MemorySuggestion) -> tuple[object, ...]:
    return suggestion.id, suggestion.target_uri is None, *_lines(suggestion)


def _still_needed(
    context: Context,
    now: Known,
    before: Sequence[MemorySuggestion],
    back: Sequence[MemorySuggestion],
    paths: Collection[str],
    pending: Sequence[MemorySuggestion],
) -> list[MemorySuggestion]:
    """Return the maintenance that is left; of a file that was written, it is planned when somebody looks at it.

    A bridge to a file is left out once no pending or applied rule goes there.
    """
    settled = {decision.fact_id for decision in now.decisions if decision.status is not SuggestionStatus.PENDING}
    returned = {suggestion.id: suggestion for suggestion in back if suggestion.maintenance}
    found = returned | {suggestion.id: returned.get(suggestion.id, suggestion) for suggestion in before}
    bridges = {need.id for need in found.values() if need.maintenance and need.maintenance.cause is Cause.UNREAD}
    if bridges:
        settled |= bridges - {bridge.id for bridge in find_bridges(context, now, pending)}
    return [
        need
        for need in found.values()
        if need.id not in settled
        and (
            need.edit.path not in paths
            or need.edit.before is None
            or need.replaces is None
            or need.replaces.partition("\n")[0] in (current_text(context, need.edit.path) or "")
        )
    ]
