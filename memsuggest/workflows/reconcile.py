"""The main job: read what is new, learn from it, say where it belongs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.config import Mode
from memsuggest.errors import ModelError, TranscriptError
from memsuggest.extraction import offline
from memsuggest.memory.accept import accept
from memsuggest.model import Contradiction, MemoryFact, Outcome, Skipped, Trust, is_maybe
from memsuggest.reports.learning import Postponed, Reconciled
from memsuggest.suggestions.pending import note_run
from memsuggest.suggestions.tally import tally
from memsuggest.transcripts.backlog import newest_first
from memsuggest.transcripts.discovery import read_found
from memsuggest.workflows.care import refresh_care
from memsuggest.workflows.danger import dangerous_among
from memsuggest.workflows.engines import better_engine
from memsuggest.workflows.learned import Learned
from memsuggest.workflows.marks import note_seen
from memsuggest.workflows.mending import facts_file_notes
from memsuggest.workflows.model import NOBODY, Hand, as_request, asks_of, engine_at, planned_requests
from memsuggest.workflows.pending import is_said_somewhere, refresh_pending
from memsuggest.workflows.pruning import prune
from memsuggest.workflows.readers import unread
from memsuggest.workflows.stores import (
    all_decisions,
    all_facts,
    all_tombstones,
    drop_old_maybes,
    known_facts,
    only_written,
    revive_facts,
    share_facts,
    store_decisions,
    store_facts,
    waiting_maybes,
)
from memsuggest.workflows.transcripts import find, not_too_old
from memsuggest.workflows.widening import widen
from memsuggest.workflows.writing import settle

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence
    from pathlib import Path

    from memsuggest.extraction.engines import Extractor
    from memsuggest.haiku.asking import Asks
    from memsuggest.model import Candidate, Transcript
    from memsuggest.transcripts.discovery import FoundTranscript
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
        older=len(desk.progress.changed(one for one in found.transcripts if one not in within)),
        since=desk.settings.text("since"),
        new_facts=learned.new_facts,
        alike=learned.alike,
        maybes=len(waiting_maybes(desk)),
        pruned=tuple(pruned),
        postponed=tuple(learned.postponed),
        requests=tuple(learned.requests),
        is_dry=desk.is_dry,
    )


def learn(  # noqa: PLR0913  (what reading is told)
    desk: Desk,
    changed: Sequence[FoundTranscript],
    *,
    person: str | None,
    progress: Callable[[int, int, str], None],
    first: Callable[[Sequence[str]], None] = lambda _rules: None,
    hand: Hand = NOBODY,
    again: Collection[str] = (),
) -> Learned:
    """Read transcripts, of many the newest first, and store what they teach; nothing is suggested.

    `first` is told the rules that were found while there is more to read.
    `again` are those, by their places, that were learned from before as they are now.
    Raises ModelError and ConsentError when a model is wanted and may not be asked at all.
    """
    with engine_at(desk, hand) as engine:
        learned = Learned(engine=engine.NAME)
        for done, one in enumerate(newest_first(changed, now=desk.now())):
            progress(done, len(changed), f"{learned.so_far}{one.path.name}")
            _learn_from(desk, one, engine, person=person, learned=learned, is_again=one.place in again)
            if done + 1 < len(changed):
                first(learned.rules)
        if learned.new_facts or learned.retired:
            with desk.alone():
                widen(desk)
        asks = asks_of(engine)
        is_time = hand is not NOBODY or desk.settings.mode is not Mode.MANUAL  # watching, `manual` only gathers
        if asks and is_time and not learned.postponed:
            _ask_further(desk, asks, learned)
    return learned


def _ask_further(desk: Desk, asks: Asks, learned: Learned) -> None:
    """Ask a model where the rules belong and which facts say the same; without an answer our own rules count."""
    from memsuggest.workflows.duplicates import due_question, find_duplicates  # noqa: PLC0415  (slow to load, for a
    from memsuggest.workflows.matching import find_places, questions  # noqa: PLC0415  (model only)

    if desk.is_dry:
        due = due_question(desk, asks)
        asked = [*(question for _, question in questions(desk)), *((due[0],) if due else ())]
        learned.requests += [as_request(desk, question, engine=learned.engine) for question in asked]
        return
    try:
        find_places(desk, asks)
    except ModelError as error:
        learned.skipped.append(Skipped(what="where the rules belong", why=f"no model said: {error.message}"))
    try:
        learned.alike = find_duplicates(desk, asks)
    except ModelError as error:
        learned.skipped.append(Skipped(what="which facts say the same", why=f"no model said: {error.message}"))


def _learn_from(
    desk: Desk,
    one: FoundTranscript,
    engine: Extractor,
    *,
    person: str | None,
    learned: Learned,
    is_again: bool,
) -> None:
    """Learn from one transcript: its facts are stored before it counts as processed.

    Our own rules go on where they stopped; a model's answers are held against the whole session.
    """
    checkpoint = desk.progress.checkpoint(one) if engine.NAME == offline.NAME and not is_again else None
    try:
        read = read_found(one, desk.root, person=person, checkpoint=checkpoint)
    except TranscriptError as error:
        learned.skipped.append(Skipped(what=one.place, why=error.message))
        desk.progress.fail(one, why=error.message, now=desk.now())
        return
    if read.transcript.session_id in desk.profile.silenced():
        return  # not marked as read: when the person wants it again, nothing of it is known
    learned.read += 1
    learned.skipped += read.transcript.skipped
    candidates: Sequence[Candidate] = ()
    written: Sequence[Candidate] = ()
    if is_again or desk.progress.has_news(read.transcript, after=read.after):
        news = desk.progress.only_news(one, read.transcript, after=read.after)
        if desk.is_dry and engine.NAME != offline.NAME:
            learned.requests += planned_requests(desk, engine, news)
            return
        try:
            candidates = candidates_in(engine, news, all_facts(desk))
        except ModelError as error:
            _postpone(desk, one, news, error, learned=learned)
            return
        learned.skipped += engine.held_back(news)
    elif read.transcript.files_written and engine.NAME == offline.NAME:
        found = engine.extract(read.transcript, all_facts(desk))
        written = [one for one in found if all(citation.trust is Trust.AGENT for citation in one.citations)]
    with desk.alone():
        if candidates and is_again:
            take_in(desk, candidates, learned, is_again=True)
        elif candidates and desk.progress.has_news(read.transcript, after=read.after):  # nobody was faster
            take_in(desk, candidates, learned)
        elif written:  # after the last prompt, which was read before
            take_in(desk, written, learned)
        desk.progress.mark(one, read.transcript, after=read.after, checkpoint=read.checkpoint, now=desk.now())


def candidates_in(engine: Extractor, news: Transcript, known: Sequence[MemoryFact]) -> list[Candidate]:
    """Find what is worth remembering; of the end of a session, nothing that rests on its mere context."""
    found = engine.extract(news, known)
    return [one for one in found if any(citation.turn > news.context for citation in one.citations)]


def _postpone(desk: Desk, one: FoundTranscript, news: Transcript, error: ModelError, *, learned: Learned) -> None:
    """Leave a transcript for the next run, with the reason, and say what our own rules would find in it."""
    learned.read -= 1  # it will be read again: what nobody learned from is not told as read
    with desk.alone():
        desk.progress.postpone(one, why=error.message, now=desk.now())
    offered = sum(candidate.outcome is Outcome.SUGGEST for candidate in offline.extract(news))
    learned.postponed.append(Postponed(path=one.place, why=error.message, hint=error.hint or "", offered=offered))


def take_in(desk: Desk, candidates: Sequence[Candidate], learned: Learned, *, is_again: bool = False) -> None:
    """Make facts of candidates, or evidence of facts, and store them; what is read again lifts no dismissal."""
    acceptance = accept(
        candidates,
        known=known_facts(desk),
        tombstones=all_tombstones(desk),
        decisions=all_decisions(desk),
        similarity=desk.settings.similarity,
        now=desk.now(),
    )
    added = [fact for fact in acceptance.added if not (fact.is_only_written and is_said_somewhere(desk, fact))]
    store_facts(desk, added=added, updated=[*acceptance.updated, *acceptance.retired])
    if not is_again:
        store_decisions(desk, acceptance.lifted)
    revive_facts(desk, acceptance.revived)
    learned.retired += _replacements(desk, acceptance.retired)
    certain = [fact for fact in (*added, *acceptance.raised) if not is_maybe(fact)]
    learned.new_facts += len(certain)
    learned.rules += [fact.content for fact in certain if not fact.is_only_written]
    if any(map(is_maybe, added)):
        drop_old_maybes(desk)
    learned.skipped += acceptance.refused
    learned.written += (fact for fact in added if fact.is_only_written)
    explicit = {candidate.content for candidate in candidates if candidate.explicit}
    learned.receipts += [fact for fact in certain if fact.content in explicit]


def _unconfirmed(desk: Desk, written: Sequence[MemoryFact]) -> list[MemoryFact]:
    """Return what still only a document says: nobody said it meanwhile."""
    ids = {fact.id for fact in written}
    return [fact for fact in only_written(all_facts(desk)) if fact.id in ids] if ids else []


def _written_before(desk: Desk, written: Sequence[MemoryFact]) -> int:
    """Return how many such facts wait since earlier runs."""
    return len({fact.id for fact in only_written(all_facts(desk))} - {fact.id for fact in written})


def _replacements(desk: Desk, retired: Sequence[MemoryFact]) -> list[Contradiction]:
    """Return each fact that was retired beside the one that replaced it."""
    if not retired:
        return []
    facts = {fact.id: fact for fact in all_facts(desk)}
    return [
        Contradiction(winner=facts[fact.superseded_by], loser=fact, why="the newer one says that it replaces the older")
        for fact in retired
        if fact.superseded_by in facts
    ]
