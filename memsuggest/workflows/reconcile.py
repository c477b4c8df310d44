"""The main job: read what is new, learn from it, say where it belongs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.config import Mode
from memsuggest.extraction import offline
from memsuggest.reports.learning import Reconciled
from memsuggest.suggestions.pending import note_run
from memsuggest.suggestions.tally import tally
from memsuggest.workflows.care import refresh_care
from memsuggest.workflows.danger import dangerous_among
from memsuggest.workflows.engines import better_engine
from memsuggest.workflows.learning import learn
from memsuggest.workflows.marks import note_seen
from memsuggest.workflows.mending import facts_file_notes
from memsuggest.workflows.model import NOBODY, Hand
from memsuggest.workflows.pending import refresh_pending
from memsuggest.workflows.pruning import prune
from memsuggest.workflows.readers import unread
from memsuggest.workflows.stores import (
    all_facts,
    only_written,
    share_facts,
    waiting_maybes,
)
from memsuggest.workflows.transcripts import find, not_too_old
from memsuggest.workflows.writing import settle

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from memsuggest.model import MemoryFact
    from memsuggest.workflows.desk import Desk


def reconcile(  # noqa: PLR0913  (what a run is told)
    desk: Desk,
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
    mode = desk.settings.mode
    if mode is Mode.OFF:
        return Reconciled(mode=mode, engine="none", last_run=None, suggestions=())
    with desk.alone():
        settle(desk)
    notes = facts_file_notes(desk)
    found = find(desk, paths)
    within = list(found.transcripts) if paths else not_too_old(desk, found.transcripts)
    recent = {one.place for one in within}
    news = desk.progress.changed(within)
    changed = within if is_again else news
    known = {one.place for one in changed} - {one.place for one in news}
    learned = learn(desk, changed, person=person, progress=progress, first=first, hand=hand, again=known)
    with desk.alone():
        if not desk.is_dry:
            share_facts(desk)
        pruned = prune(desk) if is_attended else []
        refreshed = refresh_pending(desk)
        care = refresh_care(desk)
        last_run = tally(desk.state, desk.place.worktree_key).last_run
        if not desk.is_dry:
            note_run(desk.state, desk.place.worktree_key, now=desk.now())
            note_seen(desk, [one.id for one in refreshed.suggestions])
    return Reconciled(
        mode=mode,
        engine=learned.engine,
        better=better_engine(desk) if learned.engine == offline.NAME and learned.read else "",
        last_run=last_run,
        suggestions=refreshed.suggestions,
        dangerous=dangerous_among(refreshed.suggestions),
        unread=unread(desk, refreshed.suggestions),
        care=care,
        contradictions=(*learned.retired, *refreshed.contradictions),
        receipts=tuple(learned.receipts),
        written=tuple(_unconfirmed(desk, learned.written)),
        written_before=_written_before(desk, learned.written) if learned.written else 0,
        already_there=refreshed.already_there,
        skipped=(
            *desk.settings.ignored,
            *found.skipped,
            *learned.skipped,
            *desk.targets.skipped,
            *notes,
            *refreshed.refused,
        ),
        read=learned.read,
        unchanged=len(within) - len(changed),
        older=len(desk.progress.changed(one for one in found.transcripts if one.place not in recent)),
        since=desk.settings.text("since"),
        new_facts=learned.new_facts,
        alike=learned.alike,
        maybes=len(waiting_maybes(desk)),
        pruned=tuple(pruned),
        postponed=tuple(learned.postponed),
        requests=tuple(learned.requests),
        is_dry=desk.is_dry,
    )


def _unconfirmed(desk: Desk, written: Sequence[MemoryFact]) -> list[MemoryFact]:
    """Return what still only a document says: nobody said it meanwhile."""
    ids = {fact.id for fact in written}
    return [fact for fact in only_written(all_facts(desk)) if fact.id in ids] if ids else []


def _written_before(desk: Desk, written: Sequence[MemoryFact]) -> int:
    """Return how many such facts wait since earlier runs."""
    return len({fact.id for fact in only_written(all_facts(desk))} - {fact.id for fact in written})
