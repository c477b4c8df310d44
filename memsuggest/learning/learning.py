"""Learning from chats: read, ask, accept, store, and only then mark as read.

A model is asked about several short chats at once, so a few are read before the first of them is learned from. Its
answers are kept as soon as they come: who is interrupted then, or fails later, pays for none of them again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from typing import NamedTuple

from memsuggest.core.config import OFFLINE, Mode
from memsuggest.core.context import Context
from memsuggest.core.errors import ConsentError, ModelError, TranscriptError
from memsuggest.core.model import Candidate, MemoryFact, Outcome, Skipped, Transcript, is_only_of_assistants
from memsuggest.core.show_progress import JUDGING, FirstRules, ShowProgress, chat_name, show_none
from memsuggest.facts.known_places import note_place
from memsuggest.facts.learned import Learned
from memsuggest.facts.stores import all_facts
from memsuggest.facts.take_in import take_in
from memsuggest.graphiti.ingest import ingest
from memsuggest.held.note_store import note_chat
from memsuggest.judging.asking.ask_model import Asks
from memsuggest.judging.asking.consent_store import NOTES, RULES
from memsuggest.judging.engine_choice import require_consent
from memsuggest.judging.model_access import NOBODY, Hand, as_request, ask_together, asks_of, engine_at, planned_requests
from memsuggest.judging.offline import offline
from memsuggest.judging.offline.findings import Extractor, Findings
from memsuggest.learning.learning_reports import Postponed
from memsuggest.memory.archive import archive_as_read
from memsuggest.suggestions.suggesting import place_of
from memsuggest.transcripts.discovery import FoundTranscript, read_found
from memsuggest.transcripts.discovery.session_order import newest_first
from memsuggest.transcripts.parsing.continuing import ReadOn

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


AHEAD = 24
"""Chats that are read before a model is asked: enough for two full questions about short ones."""


def learn(  # noqa: PLR0913  (what reading is told)
    context: Context,
    changed: Sequence[FoundTranscript],
    *,
    person: str | None,
    progress: ShowProgress,
    first: FirstRules = show_none,
    hand: Hand = NOBODY,
    again: Collection[str] = (),
) -> Learned:
    """Read transcripts, of many the newest first, and store what they teach; nothing is suggested.

    `again` are those, by their places, that were learned from before as they are now.
    Raises ModelError and ConsentError when a model is wanted and may not be asked at all.
    """
    with ExitStack() as entered:
        try:
            engine = entered.enter_context(engine_at(context, hand))
        except ModelError as error:
            _put_off(context, [transcript for transcript in changed if transcript.place not in again], error)
            raise
        learned = _learn_from_all(context, changed, engine, person=person, progress=progress, first=first, again=again)
        if learned.new_facts or learned.retired:
            with context.exclusive():
                note_place(context)
        asks = asks_of(engine)
        is_time = hand is not NOBODY or context.settings.mode is not Mode.MANUAL  # watching, `manual` only gathers
        if asks and is_time and not learned.postponed:
            _ask_about_notes(context, asks, learned, hand)
            _ask_further(context, asks, learned, hand)
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
            progress(start, len(ordered), chat_name(transcript))
            is_again = transcript.place in again
            goes_on = engine.NAME == offline.NAME and not is_again
            opened += open_chat(context, transcript, person=person, learned=learned, is_again=is_again, goes_on=goes_on)
        if len(opened) > 1:
            progress(start, len(ordered), f"{len(opened)} chats", phase=JUDGING)
        failed = _ask_ahead(context, opened, engine, learned=learned) if ahead > 1 else {}
        for done, read in enumerate(opened, start):
            progress(done, len(ordered), chat_name(read.found))
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


def _ask_about_notes(context: Context, asks: Asks, learned: Learned, hand: Hand) -> None:
    """Ask a model which rules the notes of assistants hold; without an answer, what their form says counts."""
    from memsuggest.notes.ask_notes import ask_about_notes, questions

    if context.is_dry:
        learned.requests += [as_request(context, asked, engine=learned.engine) for _, asked in questions(context)]
        return
    try:
        if any(True for _ in questions(context)):
            require_consent(context, learned.engine, hand, terms=NOTES)
            ask_about_notes(context, asks, learned)
    except (ModelError, ConsentError) as error:
        learned.skipped.append(Skipped(what="notes of your assistants", why=f"not judged by a model: {error.message}"))


def _ask_further(context: Context, asks: Asks, learned: Learned, hand: Hand) -> None:
    """Ask a model what becomes of each rule; without an answer our own rules count."""
    from memsuggest.suggestions.judge_rules import Judged, judge_rules, questions

    if context.is_dry:
        asked = (question for _, question in questions(context))
        learned.requests += [as_request(context, question, engine=learned.engine) for question in asked]
        return
    judged = Judged()
    try:
        require_consent(context, learned.engine, hand, terms=RULES)
        judge_rules(context, asks, judged)
    except (ModelError, ConsentError) as error:
        learned.skipped.append(Skipped(what="where the rules belong", why=f"not judged by a model: {error.message}"))
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
            findings = findings_in(engine, news, all_facts(context), failed=failed)
        except ModelError as error:
            _postpone(context, one, news, error, learned=learned)
            return
        candidates = findings.candidates
        learned.skipped += findings.held
    elif read.transcript.files_written and engine.NAME == offline.NAME:
        found = engine.extract(read.transcript, all_facts(context)).candidates
        written = [one for one in found if is_only_of_assistants(one.citations)]
    with context.exclusive():
        if candidates and is_again:
            take_in(context, candidates, learned, is_again=True)
        elif candidates and context.progress.has_news(read.transcript, after=read.after):  # nobody was faster
            take_in(context, candidates, learned)
        elif written:  # after the last prompt, which was read before
            take_in(context, written, learned)
        note_chat(context, one, read, candidates or written)
        context.progress.mark(one, read.transcript, after=read.after, checkpoint=read.checkpoint, now=context.now())


def findings_in(
    engine: Extractor, news: Transcript, known: Sequence[MemoryFact], *, failed: ModelError | None = None
) -> Findings:
    """Find what is worth remembering; of the end of a session, nothing that rests on its mere context."""
    if failed:
        raise failed
    return engine.extract(news, known).after(news.context)


def _postpone(context: Context, one: FoundTranscript, news: Transcript, error: ModelError, *, learned: Learned) -> None:
    """Leave a transcript for the next run, with the reason, and say what our own rules would find in it."""
    learned.read -= 1  # it will be read again: what nobody learned from is not told as read
    with context.exclusive():
        context.progress.postpone(one, why=error.message, now=context.now())
    offered = sum(candidate.outcome is Outcome.SUGGEST for candidate in offline.extract(news).candidates)
    learned.postponed.append(Postponed(path=one.place, why=error.message, hint=error.hint or "", offered=offered))
