"""The main job: find what is new, read it, judge it, store it, and say where it belongs."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from memsuggest.core.config import OFFLINE, Mode
from memsuggest.core.context import Context
from memsuggest.core.errors import ConsentError, ModelError
from memsuggest.core.model import Skipped
from memsuggest.core.show_progress import KEEPING, LOOKING, FirstRules, ShowProgress, show_none
from memsuggest.facts.check_facts import facts_file_notes
from memsuggest.facts.stores import all_facts
from memsuggest.facts.take_in import Learned, take_chat
from memsuggest.graphiti.ingest import ingest
from memsuggest.graphiti.sync_server import WAITED_FOR, deliver_quietly
from memsuggest.held.note_store import note_chat
from memsuggest.judging.asking.ask_model import Asks
from memsuggest.judging.asking.consent_store import NOTES, RULES
from memsuggest.judging.engine_choice import require_consent
from memsuggest.judging.judged_chats import JudgedChat, judged
from memsuggest.judging.model_access import NOBODY, Asking, as_model, as_request, engine_at
from memsuggest.learning.learning_reports import Reconciled
from memsuggest.memory.archive import archive_as_read, archive_finished
from memsuggest.notes.read_notes import learn_notes
from memsuggest.suggestions.kept_plans import Renewed, renewed
from memsuggest.suggestions.suggesting import place_of
from memsuggest.suggestions.writing import settle
from memsuggest.transcripts.discovery import FoundTranscript
from memsuggest.transcripts.find_transcripts import DueChats, due_chats, opened


def learn(  # noqa: PLR0913  (what reading is told)
    context: Context,
    changed: Sequence[FoundTranscript],
    *,
    person: str | None,
    progress: ShowProgress,
    first: FirstRules = show_none,
    asking: Asking = NOBODY,
    again: Collection[str] = (),
    noted: Learned | None = None,
) -> Learned:
    """Read transcripts, of many the newest first, and store what they teach; nothing is suggested.

    `again` are those, by their places, that were learned from before as they are now; `noted` came of notes.
    Raises ModelError and ConsentError when a model is wanted and may not be asked at all.
    """
    with ExitStack() as entered:
        try:
            engine = entered.enter_context(engine_at(context, asking))
        except ModelError as error:
            with context.exclusive():
                for chat in changed:
                    if chat.place not in again:
                        context.progress.postpone(chat, why=error.message, now=context.now())
            raise
        learned, model = Learned(engine=engine.NAME), as_model(engine)
        goes_on, total, known = engine.NAME == OFFLINE, len(changed), partial(all_facts, context)
        chats = opened(context, changed, person=person, again=again, goes_on=goes_on, progress=progress)
        found = judged(context, engine, chats, total=total, known=known, progress=progress, requests=learned.requests)
        for number, item in enumerate(found, start=1):
            if isinstance(item, Skipped):
                learned.skipped.append(item)
                continue
            _learn_from(context, item, learned, is_whole=person is None and item.chat.read.after is None)
            if number < total:
                first(learned.rules, partial(place_of, context))
        is_time = asking is not NOBODY or context.settings.mode is not Mode.MANUAL  # watching, `manual` only gathers
        if model and is_time and not learned.postponed:
            _ask_further(context, model.asks, learned, asking)
    if noted:
        learned.skipped += noted.skipped
        learned.new_facts += noted.new_facts
    return learned


def _learn_from(context: Context, judged_chat: JudgedChat, learned: Learned, *, is_whole: bool) -> None:
    """Learn from one chat; `is_whole`: it was read from its beginning, with all who spoke, and can be archived so."""
    chat, candidates, postponed = judged_chat.chat, judged_chat.candidates, judged_chat.postponed
    ingest(context, chat.found, chat.read)
    learned.skipped += (*chat.read.transcript.skipped, *judged_chat.skipped)
    if postponed:  # it will be read again: what nobody learned from is not told as read
        with context.exclusive():
            context.progress.postpone(chat.found, why=postponed.why, now=context.now())
        learned.postponed.append(postponed)
    else:
        learned.read += 1
    if candidates is not None:
        with context.exclusive():
            note_chat(context, chat.found, chat.read, candidates)
            take_chat(context, chat, candidates, learned)
    if is_whole:
        learned.archived += archive_as_read(context, chat.found, chat.read.transcript)


def _ask_further(context: Context, asks: Asks, learned: Learned, asking: Asking) -> None:
    """Ask a model which rules the assistants' notes hold, and what becomes of each rule; else our own rules count."""
    from memsuggest.notes import ask_notes
    from memsuggest.suggestions import judge_rules

    if context.is_dry:
        asked = [*ask_notes.questions(context), *judge_rules.questions(context)]
        learned.requests += [as_request(context, question, engine=learned.engine) for _, question in asked]
        return
    try:
        if any(True for _ in ask_notes.questions(context)):
            require_consent(context, learned.engine, asking, terms=NOTES)
            ask_notes.ask_about_notes(context, asks, learned)
    except (ModelError, ConsentError) as error:
        learned.skipped.append(Skipped(what="your assistants' notes", why=f"not evaluated by a model: {error.message}"))
    found = judge_rules.Judged()
    try:
        require_consent(context, learned.engine, asking, terms=RULES)
        judge_rules.judge_rules(context, asks, found)
    except (ModelError, ConsentError) as error:
        learned.skipped.append(Skipped(what="the placement of rules", why=f"not evaluated by a model: {error.message}"))
    learned.skipped += found.unusable
    learned.joined, learned.raised = found.joined, found.raised


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
    notes, chats = facts_file_notes(context), due_chats(context, paths, is_again=is_again)
    learned = learn(
        context, chats.due, person=person, progress=progress, first=first, asking=asking, again=chats.again, noted=noted
    )
    progress(0, 0, "", phase=KEEPING)
    archive_finished(context, chats.within, archived=learned.archived)
    undelivered = deliver_quietly(context, seconds=WAITED_FOR)
    now = renewed(context, learned, progress, is_attended=is_attended)
    skipped = (*context.settings.ignored, *chats.skipped, *learned.skipped, *undelivered, *now.plans.skipped, *notes)
    return _report(context, learned, now, chats, skipped)


def _report(
    context: Context, learned: Learned, now: Renewed, chats: DueChats, skipped: Sequence[Skipped]
) -> Reconciled:
    plans, refreshed, written = now.plans, now.plans.refreshed, {fact.id for fact in learned.written}
    return Reconciled(
        mode=context.settings.mode,
        engine=learned.engine,
        better=now.better,
        last_run=now.last_run,
        suggestions=refreshed.suggestions,
        dangerous=now.dangerous,
        unread=now.unread,
        maintenance=plans.maintenance.shown,
        maintenance_held=plans.maintenance.held,
        stale_facts=plans.stale_facts,
        contradictions=(*learned.retired, *refreshed.contradictions),
        receipts=tuple(learned.receipts),
        written=tuple(fact for fact in now.only_written if fact.id in written),
        written_before=sum(fact.id not in written for fact in now.only_written),
        already_there=refreshed.already_there,
        skipped=(*skipped, *refreshed.refused),
        read=learned.read,
        unchanged=len(chats.within) - len(chats.due),
        older=chats.older,
        since=context.settings.text("since"),
        new_facts=learned.new_facts,
        shared_facts=now.shared,
        joined=learned.joined,
        raised=learned.raised,
        maybes=now.maybes,
        pruned=tuple(now.pruned),
        postponed=tuple(learned.postponed),
        requests=tuple(learned.requests),
        is_dry=context.is_dry,
    )
