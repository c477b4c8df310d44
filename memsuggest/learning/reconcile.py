"""The main job: read what is new, learn from it, say where it belongs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from memsuggest.core.config import OFFLINE, Mode
from memsuggest.core.context import Context
from memsuggest.core.model import MemoryFact, Skipped
from memsuggest.core.show_progress import CHECKING, KEEPING, LOOKING, FirstRules, ShowProgress, show_none
from memsuggest.facts.branch_merge import facts_file_notes
from memsuggest.facts.facts_by_hand import prune
from memsuggest.facts.learned import Learned
from memsuggest.facts.stale_facts import stale_facts
from memsuggest.facts.stores import (
    all_facts,
    dismissed_ids,
    only_written,
    share_facts,
    waiting_maybes,
)
from memsuggest.graphiti.deliver import WAITED_FOR, deliver_quietly
from memsuggest.judging.engine_offers import who_could_judge
from memsuggest.judging.model_access import NOBODY, Hand
from memsuggest.judging.offline import offline
from memsuggest.learning.learning import learn
from memsuggest.learning.learning_reports import Reconciled
from memsuggest.memory.archive import archive_finished
from memsuggest.notes.read_notes import learn_notes
from memsuggest.suggestions.dangerous_rules import dangerous_among
from memsuggest.suggestions.find_maintenance import refresh_maintenance
from memsuggest.suggestions.kept_plans import Plans, keep_plans, kept_plans, plans_key
from memsuggest.suggestions.marker_files import note_seen
from memsuggest.suggestions.pending_suggestions import note_run
from memsuggest.suggestions.status import tally
from memsuggest.suggestions.suggesting import refresh_pending
from memsuggest.suggestions.unread_files import unread
from memsuggest.suggestions.writing import settle
from memsuggest.transcripts.discovery import FoundTranscript
from memsuggest.transcripts.find_transcripts import find, not_too_old


def reconcile(  # noqa: PLR0913  (what a run is told)
    context: Context,
    *,
    paths: Sequence[Path],
    person: str | None,
    progress: ShowProgress,
    first: FirstRules = show_none,
    hand: Hand = NOBODY,
    is_attended: bool = False,
    is_again: bool = False,
) -> Reconciled:
    """Read notes and the transcripts that are new or changed, accept what they teach, and suggest; if `off`, nothing.

    Chats older than the setting `since` are left alone, unless they are named. `is_again`: those that were read before
    are read once more, which brings what was not heard then, and asks nothing that was decided.
    Facts beyond the limits are pruned only where the person `is_attended` to.
    """
    if context.settings.mode is Mode.OFF:
        return Reconciled(mode=Mode.OFF, engine="none", last_run=None, suggestions=())
    progress(0, 0, "", phase=LOOKING)
    noted = _begin(context, paths)
    notes, found = facts_file_notes(context), find(context, paths)
    within = list(found.transcripts) if paths else not_too_old(context, found.transcripts)
    news = context.progress.changed(within)
    changed = within if is_again else news
    known = {transcript.place for transcript in changed} - {transcript.place for transcript in news}
    learned = learn(context, changed, person=person, progress=progress, first=first, hand=hand, again=known)
    learned.add(noted)
    progress(0, 0, "", phase=KEEPING)
    archive_finished(context, within, archived=learned.archived)
    undelivered = deliver_quietly(context, seconds=WAITED_FOR)
    return _suggested(
        context,
        learned,
        progress,
        skipped=(*context.settings.ignored, *found.skipped, *learned.skipped, *undelivered),
        notes=notes,
        unchanged=len(within) - len(changed),
        others=_without(found.transcripts, within),
        is_attended=is_attended,
    )


def _begin(context: Context, paths: Sequence[Path]) -> Learned | None:
    with context.exclusive():
        settle(context)
    return None if paths else learn_notes(context)[1]


def _without(found: Sequence[FoundTranscript], others: Sequence[FoundTranscript]) -> list[FoundTranscript]:
    places = {other.place for other in others}
    return [transcript for transcript in found if transcript.place not in places]


def _suggested(  # noqa: PLR0913  (what a report is made of)
    context: Context,
    learned: Learned,
    progress: ShowProgress,
    *,
    skipped: tuple[Skipped, ...],
    notes: Sequence[Skipped],
    unchanged: int,
    others: Sequence[FoundTranscript],
    is_attended: bool,
) -> Reconciled:
    """Suggest what was learned, and report on all of it; `others` are chats that are too old to be read."""
    pruned, plans, last_run, shared = _planned(context, progress, is_attended=is_attended)
    refreshed = plans.refreshed
    maybes = len(waiting_maybes(context))
    is_alone = learned.engine == offline.NAME and (maybes or (learned.read and context.settings.engine != OFFLINE))
    return Reconciled(
        mode=context.settings.mode,
        engine=learned.engine,
        better=who_could_judge(context, maybes=maybes) if is_alone else "",
        last_run=last_run,
        suggestions=refreshed.suggestions,
        dangerous=dangerous_among(refreshed.suggestions, context.kept_index.of),
        unread=unread(context, refreshed.suggestions),
        maintenance=plans.maintenance.shown,
        maintenance_held=plans.maintenance.held,
        stale_facts=plans.stale_facts,
        contradictions=(*learned.retired, *refreshed.contradictions),
        receipts=tuple(learned.receipts),
        written=tuple(_unconfirmed(context, learned.written)),
        written_before=_written_before(context, learned.written) if learned.written else 0,
        already_there=refreshed.already_there,
        skipped=(*skipped, *plans.skipped, *notes, *refreshed.refused),
        read=learned.read,
        unchanged=unchanged,
        older=len(context.progress.changed(others)),
        since=context.settings.text("since"),
        new_facts=learned.new_facts,
        shared_facts=shared,
        joined=learned.joined,
        raised=learned.raised,
        maybes=maybes,
        pruned=tuple(pruned),
        postponed=tuple(learned.postponed),
        requests=tuple(learned.requests),
        is_dry=context.is_dry,
    )


def _planned(
    context: Context, progress: ShowProgress, *, is_attended: bool
) -> tuple[list[MemoryFact], Plans, int | None, int]:
    """Plan what is pending, and note the run.

    Return what was pruned, the plans, when the last run was, and how many facts were written to the team's file.
    """
    with context.exclusive():
        shared = 0 if context.is_dry else share_facts(context)
        context.renew_targets()  # rules may have been placed while chats were read, and that takes a while
        if not context.is_dry:
            context.profile.hide(dismissed_ids(context))
        pruned = prune(context, is_seen=True) if is_attended else []
        plans = _plans(context, progress)
        last_run = tally(context.state, context.place.worktree_key).last_run
        if not context.is_dry:
            note_run(context.state, context.place.worktree_key, now=context.now())
            note_seen(context, [suggestion.id for suggestion in plans.refreshed.suggestions])
    return pruned, plans, last_run, shared


def _plans(context: Context, progress: ShowProgress) -> Plans:
    """Return the plans of an earlier run where nothing changed since, else plan anew."""
    key = "" if context.is_dry else plans_key(context)
    kept = kept_plans(context, key) if key else None
    if kept:
        return kept
    refreshed = refresh_pending(context, progress=progress)
    progress(0, 0, "", phase=CHECKING)
    plans = Plans(
        refreshed=refreshed,
        maintenance=refresh_maintenance(context, refreshed.suggestions),
        stale_facts=len(stale_facts(context)) if context.settings.values["care"].value else 0,
        skipped=context.targets.skipped,
        looked_for=context.looked_for,
    )
    if key:
        keep_plans(context, plans_key(context), plans)
    return plans


def _unconfirmed(context: Context, written: Sequence[MemoryFact]) -> list[MemoryFact]:
    ids = {fact.id for fact in written}
    return [fact for fact in only_written(all_facts(context)) if fact.id in ids] if ids else []


def _written_before(context: Context, written: Sequence[MemoryFact]) -> int:
    return len({fact.id for fact in only_written(all_facts(context))} - {fact.id for fact in written})
