"""The main job: read what is new, learn from it, say where it belongs."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import NamedTuple

from memsuggest.core.config import OFFLINE, Mode
from memsuggest.core.context import Context
from memsuggest.core.errors import ConsentError, ModelError, TranscriptError
from memsuggest.core.model import Candidate, MemoryFact, Outcome, Skipped, Transcript, is_only_of_assistants
from memsuggest.core.show_progress import (
    CHECKING,
    JUDGING,
    KEEPING,
    LOOKING,
    FirstRules,
    ShowProgress,
    show_none,
)
from memsuggest.facts.branch_merge import facts_file_notes
from memsuggest.facts.facts_by_hand import prune
from memsuggest.facts.known_places import note_place
from memsuggest.facts.learned import Learned
from memsuggest.facts.stale_facts import stale_facts
from memsuggest.facts.stores import all_facts, dismissed_ids, only_written, share_facts, waiting_maybes
from memsuggest.facts.take_in import take_in
from memsuggest.graphiti.ingest import ingest
from memsuggest.graphiti.sync_server import WAITED_FOR, deliver_quietly
from memsuggest.held.note_store import note_chat
from memsuggest.judging.ask_reports import Postponed
from memsuggest.judging.asking.ask_model import Asks
from memsuggest.judging.asking.consent_store import NOTES, RULES
from memsuggest.judging.engine_choice import require_consent
from memsuggest.judging.engine_offers import who_could_judge
from memsuggest.judging.model_access import (
    NOBODY,
    Asking,
    as_request,
    ask_together,
    asks_of,
    engine_at,
    planned_requests,
)
from memsuggest.judging.offline import offline
from memsuggest.judging.offline.findings import Extractor
from memsuggest.learning.learning_reports import Reconciled
from memsuggest.memory.archive import archive_as_read, archive_finished
from memsuggest.notes.read_notes import learn_notes
from memsuggest.suggestions.bridges import unread
from memsuggest.suggestions.dangerous_rules import dangerous_among
from memsuggest.suggestions.find_maintenance import refresh_maintenance
from memsuggest.suggestions.kept_plans import Plans, keep_plans, kept_plans, plans_key, take_kept
from memsuggest.suggestions.marker_files import note_seen, tally
from memsuggest.suggestions.pending_suggestions import note_run
from memsuggest.suggestions.suggesting import place_of, refresh_pending
from memsuggest.suggestions.writing import settle
from memsuggest.transcripts.discovery import FoundTranscript, read_found
from memsuggest.transcripts.discovery.session_order import newest_first
from memsuggest.transcripts.find_transcripts import find, not_too_old
from memsuggest.transcripts.parsing.continuing import ReadOn

# Learning from chats: read, ask, accept, store, and only then mark as read

# Chats that were read, and are to be asked about or learned from


class OpenedChat(NamedTuple):
    """A chat that was read, and is to be learned from."""

    found: FoundTranscript
    read: ReadOn
    is_again: bool
    """Whether all of it was learned from before."""

    @property
    def session(self) -> str:
        return self.read.transcript.session_id

    def news(self, context: Context) -> Transcript | None:
        """Return what of it was not learned from yet, also not in a copy of it; None where nothing is left."""
        transcript, after = self.read.transcript, self.read.after
        if not self.is_again and not context.progress.has_news(transcript, after=after):
            return None
        return context.progress.only_news(self.found, transcript, after=after)


def open_chat(
    context: Context, one: FoundTranscript, *, person: str | None, learned: Learned, is_again: bool, goes_on: bool
) -> list[OpenedChat]:
    """Read a transcript; none where that fails, or where the person wants nothing of it to be known.

    `goes_on`: from where it was read to, as our own rules do; a model's answers are held against the whole session.
    """
    checkpoint = context.progress.checkpoint(one) if goes_on else None
    try:
        read = read_found(one, context.root, person=person, checkpoint=checkpoint)
    except TranscriptError as error:
        learned.skipped.append(Skipped(what=one.place, why=error.message))
        context.progress.fail(one, why=error.message, now=context.now())
        return []
    if read.transcript.session_id in context.profile.silenced():
        return []  # not marked as read: when the person wants it again, nothing of it is known
    learned.read += 1
    learned.skipped += read.transcript.skipped
    return [OpenedChat(one, read, is_again)]


_FRESH = 1.0
"""Seconds in which customization files are taken to be as they were read."""
AHEAD = 24
"""Chats that are read before a model is asked: enough for two full questions about short ones."""


def learn(  # noqa: PLR0913  (what reading is told)
    context: Context,
    changed: Sequence[FoundTranscript],
    *,
    person: str | None,
    progress: ShowProgress,
    first: FirstRules = show_none,
    asking: Asking = NOBODY,
    again: Collection[str] = (),
) -> Learned:
    """Read transcripts, of many the newest first, and store what they teach; nothing is suggested.

    `again` are those, by their places, that were learned from before as they are now.
    Raises ModelError and ConsentError when a model is wanted and may not be asked at all.
    """
    with ExitStack() as entered:
        try:
            engine = entered.enter_context(engine_at(context, asking))
        except ModelError as error:
            _put_off(context, [transcript for transcript in changed if transcript.place not in again], error)
            raise
        learned = _learn_from_all(context, changed, engine, person=person, progress=progress, first=first, again=again)
        if learned.new_facts or learned.retired:
            with context.exclusive():
                note_place(context)
        asks = asks_of(engine)
        is_time = asking is not NOBODY or context.settings.mode is not Mode.MANUAL  # watching, `manual` only gathers
        if asks and is_time and not learned.postponed:
            _ask_about_notes(context, asks, learned, asking)
            _ask_further(context, asks, learned, asking)
    return learned


def _learn_from_all(  # noqa: PLR0913  (as above)
    context: Context,
    changed: Sequence[FoundTranscript],
    engine: Extractor,
    *,
    person: str | None,
    progress: ShowProgress,
    first: FirstRules,
    again: Collection[str],
) -> Learned:
    """Learn from each transcript; where a model is asked, a few are read before, so that they share a question."""
    learned = Learned(engine=engine.NAME)
    ordered = newest_first(changed, now=context.now())
    ahead = AHEAD if asks_of(engine) else 1
    for start in range(0, len(ordered), ahead):
        opened: list[OpenedChat] = []
        for transcript in ordered[start : start + ahead]:
            progress(start, len(ordered), _chat_name(transcript))
            is_again = transcript.place in again
            goes_on = engine.NAME == offline.NAME and not is_again
            opened += open_chat(context, transcript, person=person, learned=learned, is_again=is_again, goes_on=goes_on)
        if len(opened) > 1:
            progress(start, len(ordered), f"{len(opened)} chats", phase=JUDGING)
        failed = _ask_ahead(context, opened, engine, learned=learned) if ahead > 1 else {}
        for done, read in enumerate(opened, start):
            progress(done, len(ordered), _chat_name(read.found))
            _learn_from(context, read, engine, learned=learned, failed=failed.get(read.session))
            if person is None and read.read.after is None:  # the archive has the whole of it, by whoever it was said
                learned.archived += archive_as_read(context, read.found, read.read.transcript)
        if start + ahead < len(ordered):
            first(learned.rules, partial(place_of, context))
    return learned


def _put_off(context: Context, changed: Iterable[FoundTranscript], error: ModelError) -> None:
    """Leave transcripts for a later run, since the engine that was wanted cannot be asked; say why of each."""
    with context.exclusive():
        for transcript in changed:
            context.progress.postpone(transcript, why=error.message, now=context.now())


def _ask_about_notes(context: Context, asks: Asks, learned: Learned, asking: Asking) -> None:
    """Ask a model which rules the notes of assistants hold; without an answer, what their form says counts."""
    from memsuggest.notes.ask_notes import ask_about_notes, questions

    if context.is_dry:
        learned.requests += [as_request(context, asked, engine=learned.engine) for _, asked in questions(context)]
        return
    try:
        if any(True for _ in questions(context)):
            require_consent(context, learned.engine, asking, terms=NOTES)
            ask_about_notes(context, asks, learned)
    except (ModelError, ConsentError) as error:
        learned.skipped.append(Skipped(what="your assistants' notes", why=f"not judged by a model: {error.message}"))


def _ask_further(context: Context, asks: Asks, learned: Learned, asking: Asking) -> None:
    """Ask a model what becomes of each rule; without an answer our own rules count."""
    from memsuggest.suggestions.judge_rules import Judged, judge_rules, questions

    if context.is_dry:
        asked = (question for _, question in questions(context))
        learned.requests += [as_request(context, question, engine=learned.engine) for question in asked]
        return
    judged = Judged()
    try:
        require_consent(context, learned.engine, asking, terms=RULES)
        judge_rules(context, asks, judged)
    except (ModelError, ConsentError) as error:
        learned.skipped.append(Skipped(what="the placement of rules", why=f"not judged by a model: {error.message}"))
    learned.skipped += judged.unusable
    learned.joined, learned.raised = judged.joined, judged.raised


def _ask_ahead(
    context: Context, opened: Sequence[OpenedChat], engine: Extractor, *, learned: Learned
) -> Mapping[str, ModelError]:
    """Ask about the short ones of some chats at once; return, by session, why nobody may learn from it now.

    With a dry context nobody is asked, and it is noted what all of them would be asked.
    """
    news = [found for chat in opened if (found := chat.news(context))]
    if context.is_dry:
        learned.requests += planned_requests(context, engine, news)
        return {}
    return ask_together(context, engine, news)


def _learn_from(
    context: Context, opened: OpenedChat, engine: Extractor, *, learned: Learned, failed: ModelError | None = None
) -> None:
    """Learn from one transcript, and then mark it; `failed`: a model was asked about it and others in vain."""
    one, read, is_again = opened
    ingest(context, one, read)
    candidates: Sequence[Candidate] = ()
    written: Sequence[Candidate] = ()
    news = opened.news(context)
    if news:
        if context.is_dry and engine.NAME != OFFLINE:
            return
        try:
            if failed:
                raise failed
            findings = engine.extract(news, all_facts(context)).after(news.context)  # the rest is known already
        except ModelError as error:
            learned.read -= 1  # it will be read again: what nobody learned from is not told as read
            _put_off(context, [one], error)
            offered = sum(candidate.outcome is Outcome.SUGGEST for candidate in offline.extract(news).candidates)
            learned.postponed.append(
                Postponed(path=one.place, why=error.message, hint=error.hint or "", offered=offered)
            )
            return
        candidates = findings.candidates
        learned.skipped += findings.held
    elif read.transcript.files_written and engine.NAME == offline.NAME:
        found = engine.extract(read.transcript, all_facts(context)).candidates
        written = [candidate for candidate in found if is_only_of_assistants(candidate.citations)]
    with context.exclusive():
        if candidates and is_again:
            take_in(context, candidates, learned, is_again=True)
        elif candidates and context.progress.has_news(read.transcript, after=read.after):  # nobody was faster
            take_in(context, candidates, learned)
        elif written:  # after the last prompt, which was read before
            take_in(context, written, learned)
        note_chat(context, one, read, candidates or written)
        context.progress.mark(one, read.transcript, after=read.after, checkpoint=read.checkpoint, now=context.now())


def reconcile(  # noqa: PLR0913  (what a run is told)
    context: Context,
    *,
    paths: Sequence[Path],
    person: str | None,
    progress: ShowProgress,
    first: FirstRules = show_none,
    asking: Asking = NOBODY,
    is_attended: bool = False,
    is_again: bool = False,
) -> Reconciled:
    """Read notes and the transcripts that are new or changed, accept what they teach, and suggest; if `off`, nothing.

    Chats older than the `since` setting are left alone, unless they are named. `is_again`: those that were read before
    are read once more, which brings what was not heard then, and asks nothing that was decided.
    Facts beyond the limits are pruned only where the person `is_attended` to.
    """
    if context.settings.mode is Mode.OFF:
        return Reconciled(mode=Mode.OFF, engine="none", last_run=None, suggestions=())
    progress(0, 0, "", phase=LOOKING)
    with context.exclusive():
        settle(context)
    noted = None if paths else learn_notes(context)[1]
    notes, found = facts_file_notes(context), find(context, paths)
    within = list(found.transcripts) if paths else not_too_old(context, found.transcripts)
    places = {chat.place for chat in within}
    news = context.progress.changed(within)
    changed = within if is_again else news
    known = {transcript.place for transcript in changed} - {transcript.place for transcript in news}
    learned = learn(context, changed, person=person, progress=progress, first=first, asking=asking, again=known)
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
        others=[chat for chat in found.transcripts if chat.place not in places],
        is_attended=is_attended,
    )


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
    written = {fact.id for fact in learned.written}
    unconfirmed = only_written(all_facts(context)) if written else ()
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
        written=tuple(fact for fact in unconfirmed if fact.id in written),
        written_before=sum(fact.id not in written for fact in unconfirmed),
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
        context.renew_targets(older_than=_FRESH)  # rules may have been placed long ago, while chats were read
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
    take_kept(context)
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


def _chat_name(found: FoundTranscript) -> str:
    """Return how a person knows a chat: its assistant and its day."""
    day = datetime.fromtimestamp(found.mtime_ns / 1e9, UTC).astimezone()
    return f"{found.format.replace('-', ' ')}, {day:%d %b %Y}"
