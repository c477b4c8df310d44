"""The main job: read what is new, learn from it, say where it belongs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.config import Mode
from memsuggest.extraction import offline
from memsuggest.reports.learning_reports import Reconciled
from memsuggest.suggestions.store.counts import tally
from memsuggest.suggestions.store.pending_cache import note_run
from memsuggest.workflows.archive import archive_finished
from memsuggest.workflows.danger import dangerous_among
from memsuggest.workflows.engine_choice import better_engine
from memsuggest.workflows.learning import learn
from memsuggest.workflows.maintenance import refresh_maintenance
from memsuggest.workflows.marker_files import note_seen
from memsuggest.workflows.mend_facts import facts_file_notes
from memsuggest.workflows.model_access import NOBODY, Hand
from memsuggest.workflows.prune_facts import prune
from memsuggest.workflows.stores import (
    all_facts,
    only_written,
    share_facts,
    waiting_maybes,
)
from memsuggest.workflows.suggesting import refresh_pending
from memsuggest.workflows.transcripts import find, not_too_old
from memsuggest.workflows.unread_files import unread
from memsuggest.workflows.writing import settle

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from memsuggest.model import MemoryFact, Skipped
    from memsuggest.transcripts.discovery import FoundTranscript
    from memsuggest.workflows.context import Context
    from memsuggest.workflows.learned import Learned


def reconcile(  # noqa: PLR0913  (what a run is told)
    context: Context,
    *,
    paths: Sequence[Path],
    person: str | None,
    progress: Callable[[int, int, str], None],
    first: Callable[[Sequence[str]], None] = lambda _rules: None,
    hand: Hand = NOBODY,
    is_attended: bool = False,
    is_again: bool = False,
) -> Reconciled:
    """Read the transcripts that are new or changed, accept what they teach, and suggest; in the mode `off`, nothing.

    `progress` is told what is read, and `first` which rules were found while there is more to read.
    Chats older than the setting `since` are left alone, unless they are named. `is_again`: those that were read before
    are read once more, which brings what was not heard then, and asks nothing that was decided.
    Facts beyond the limits are pruned only where the person `is_attended` to, and sees what goes.
    """
    mode = context.settings.mode
    if mode is Mode.OFF:
        return Reconciled(mode=mode, engine="none", last_run=None, suggestions=())
    with context.exclusive():
        settle(context)
    notes = facts_file_notes(context)
    found = find(context, paths)
    within = list(found.transcripts) if paths else not_too_old(context, found.transcripts)
    recent = {one.place for one in within}
    news = context.progress.changed(within)
    changed = within if is_again else news
    known = {one.place for one in changed} - {one.place for one in news}
    learned = learn(context, changed, person=person, progress=progress, first=first, hand=hand, again=known)
    archive_finished(context, within)
    return _suggested(
        context,
        learned,
        skipped=(*context.settings.ignored, *found.skipped, *learned.skipped),
        notes=notes,
        unchanged=len(within) - len(changed),
        others=[one for one in found.transcripts if one.place not in recent],
        is_attended=is_attended,
    )


def _suggested(  # noqa: PLR0913  (what a report is made of)
    context: Context,
    learned: Learned,
    *,
    skipped: tuple[Skipped, ...],
    notes: Sequence[Skipped],
    unchanged: int,
    others: Sequence[FoundTranscript],
    is_attended: bool,
) -> Reconciled:
    """Suggest what was learned, and report on all of it; `others` are chats that are too old to be read."""
    with context.exclusive():
        if not context.is_dry:
            share_facts(context)
        pruned = prune(context) if is_attended else []
        refreshed = refresh_pending(context)
        maintenance = refresh_maintenance(context)
        last_run = tally(context.state, context.place.worktree_key).last_run
        if not context.is_dry:
            note_run(context.state, context.place.worktree_key, now=context.now())
            note_seen(context, [one.id for one in refreshed.suggestions])
    return Reconciled(
        mode=context.settings.mode,
        engine=learned.engine,
        better=better_engine(context) if learned.engine == offline.NAME and learned.read else "",
        last_run=last_run,
        suggestions=refreshed.suggestions,
        dangerous=dangerous_among(refreshed.suggestions),
        unread=unread(context, refreshed.suggestions),
        maintenance=maintenance,
        contradictions=(*learned.retired, *refreshed.contradictions),
        receipts=tuple(learned.receipts),
        written=tuple(_unconfirmed(context, learned.written)),
        written_before=_written_before(context, learned.written) if learned.written else 0,
        already_there=refreshed.already_there,
        skipped=(*skipped, *context.targets.skipped, *notes, *refreshed.refused),
        read=learned.read,
        unchanged=unchanged,
        older=len(context.progress.changed(others)),
        since=context.settings.text("since"),
        new_facts=learned.new_facts,
        alike=learned.alike,
        maybes=len(waiting_maybes(context)),
        pruned=tuple(pruned),
        postponed=tuple(learned.postponed),
        requests=tuple(learned.requests),
        is_dry=context.is_dry,
    )


def _unconfirmed(context: Context, written: Sequence[MemoryFact]) -> list[MemoryFact]:
    """Return what still only a document says: nobody said it meanwhile."""
    ids = {fact.id for fact in written}
    return [fact for fact in only_written(all_facts(context)) if fact.id in ids] if ids else []


def _written_before(context: Context, written: Sequence[MemoryFact]) -> int:
    """Return how many such facts wait since earlier runs."""
    return len({fact.id for fact in only_written(all_facts(context))} - {fact.id for fact in written})
