"""The archive: what each finished session and task came to, and what nobody wrote down of what was said.

A session is finished when its assistant says so, or when nobody touched it for two hours. It is archived once; when it
is resumed later, a new entry stands for it, and the one before stays as no longer true.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from memsuggest.asking.consent_store import is_ci
from memsuggest.asking.question import Purpose
from memsuggest.config import OFFLINE, Mode
from memsuggest.errors import MemsuggestError, TranscriptError
from memsuggest.identity import hash_of, session_hash
from memsuggest.model import Trust
from memsuggest.recall.entry import Entry, EntryStatus, Layer, Source, archive_mark, entry_id
from memsuggest.recall.finished_tasks import finished_plan, merged_text
from memsuggest.recall.session_summary import signs_in, summarise
from memsuggest.transcripts.discovery import read_found
from memsuggest.transcripts.progress.archived import mark_archived, not_archived
from memsuggest.workflows.ask.engine_choice import NOBODY, chosen_engine
from memsuggest.workflows.facts.forgotten_words import without_forgotten
from memsuggest.workflows.known_places import note_place
from memsuggest.workflows.learn.assistant_documents import written_in
from memsuggest.workflows.marker_files import take_ended
from memsuggest.workflows.memory.apps import remember_conversation
from memsuggest.workflows.memory.conversation_models import planned_request
from memsuggest.workflows.memory.gap_filling import fill_gaps
from memsuggest.workflows.memory.memory_entries import checked_content
from memsuggest.workflows.memory.merged_branches import merged_branches
from memsuggest.workflows.memory.session_model import AT_ONCE as MODEL_AT_ONCE
from memsuggest.workflows.memory.session_model import LENGTH, session_model

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from memsuggest.model import Transcript
    from memsuggest.recall.session_summary import SessionSummary
    from memsuggest.reports.learning_reports import Request
    from memsuggest.transcripts.discovery import FoundTranscript
    from memsuggest.workflows.ask.engine_choice import Hand
    from memsuggest.workflows.context import Context
    from memsuggest.workflows.memory.session_model import SessionModel

SILENCE = 2 * 3_600_000
"""Milliseconds after which a session that nobody touched counts as finished."""
AT_ONCE = 6_000_000
"""Bytes of transcripts that are archived while somebody waits, the newest first; the rest at the next run."""
SESSION, PLAN, BRANCH = "session", "plan", "branch"
"""The first tags of what stands in the archive."""
_PLAN_NAMES = ("plan", "todo", "task", "checklist", "roadmap", "steps", "spec")
_TALK = 3
"""Prompts from which a session is worth a place though nothing came of it."""
_LENGTH, _REMARKS = 900, 6
"""Characters of a session's summary by rule, and what else was said that it holds."""
_SIGNS = 2
"""Signs of what else was said from which a session is worth a place."""
_FILES = 6
"""Written files by whose names a session is found."""
_MAIN_BRANCHES = frozenset({"main", "master", "develop", "trunk", "HEAD"})


def archive_finished(
    context: Context,
    found: Iterable[FoundTranscript],
    *,
    hand: Hand = NOBODY,
    at_once: int | None = AT_ONCE,
    is_over: bool = False,
) -> int:
    """Archive what is finished of some transcripts, and return how many sessions that were.

    `at_once` are bytes; None for all of it. `is_over`: whoever asks says that these sessions are over.
    """
    if context.is_dry or context.settings.mode is Mode.OFF or is_ci(context.machine.environ):
        return 0
    due = _due(context, found, take_ended(context), is_over=is_over)
    if not due:
        return 0
    with session_model(context, hand) as model:
        done = sum(_archive(context, one, model) for one in _within(due, at_once))
    _archive_merged_branches(context)
    return done


def planned_summaries(context: Context, found: Iterable[FoundTranscript], *, hand: Hand = NOBODY) -> list[Request]:
    """Return what a model would be asked for the archive, as a dry run shows it; nothing where none would be."""
    if context.settings.mode is Mode.OFF or chosen_engine(context, hand) == OFFLINE:
        return []
    told: list[Transcript] = []
    for one in _within(_due(context, found, frozenset(), is_over=False), AT_ONCE):
        with suppress(TranscriptError):
            transcript = read_found(one, context.root).transcript
            is_heard = transcript.session_id not in context.profile.silenced()
            transcript = without_forgotten(context, transcript)
            told += [transcript] if is_heard and _summary_of(transcript) is not None else []
    return [
        planned_request(context, hand, one, purpose=Purpose.SESSION_SUMMARY, about=one.session_id)
        for one in told[:MODEL_AT_ONCE]
    ]


def _due(
    context: Context, found: Iterable[FoundTranscript], ended: frozenset[str], *, is_over: bool
) -> list[FoundTranscript]:
    """Return the finished sessions that are not archived as they are now, the newest first."""
    own = [one for one in found if one.trust is Trust.TYPED]
    finished = [one for one in own if is_over or _is_finished(one, ended, now=context.now())]
    return sorted(not_archived(context.state, finished), key=lambda one: (-one.mtime_ns, one.place))


def _is_finished(one: FoundTranscript, ended: frozenset[str], *, now: int) -> bool:
    names = {part.partition(".")[0] for part in one.path.parts[-3:]}
    return not ended.isdisjoint(names) or now - one.mtime_ns // 1_000_000 >= SILENCE


def _within(due: Iterable[FoundTranscript], most: int | None) -> Iterator[FoundTranscript]:
    taken = 0
    for one in due:
        yield one
        taken += one.size
        if most is not None and taken >= most:
            return


def _archive(context: Context, one: FoundTranscript, model: SessionModel | None) -> bool:
    """Archive one session; what cannot be read is told by those who learn from it.

    A model is asked before the stores are locked: others may write while it thinks.
    """
    try:
        transcript = read_found(one, context.root).transcript
    except TranscriptError:
        mark_archived(context.state, one)
        return False
    if transcript.session_id in context.profile.silenced():
        return False
    transcript = without_forgotten(context, transcript)
    found = list(_entries_of(context, transcript, model, fallback=one.mtime_ns // 1_000_000))
    with context.exclusive():
        note_place(context)
        for entry in found:
            _store(context, entry)
        fill_gaps(context, transcript)
        mark_archived(context.state, one)
    remember_conversation(context, transcript, by_rule=True)
    return bool(found)


def _entries_of(
    context: Context, transcript: Transcript, model: SessionModel | None, *, fallback: int
) -> Iterator[Entry]:
    """Yield a session's summary, and the plans that were finished in it."""
    ends = [round(turn.at.timestamp() * 1000) for turn in transcript.turns if turn.at]
    at = min(max(ends, default=fallback), context.now())
    session = session_hash(transcript.session_id)
    summary = _summary_of(transcript)
    if summary is not None:
        branch = next((turn.branch for turn in reversed(transcript.turns) if turn.branch), "")
        by_model = model.summary(transcript) if model else ""
        texts = [by_model] if by_model else [summary.as_text(limit=_LENGTH, remarks=_REMARKS)]
        for text in (*texts, summary.as_text(limit=LENGTH)):  # the first that may be kept
            found = list(
                _entry(
                    context,
                    text,
                    tags=(SESSION, *summary.files_written[:_FILES]),
                    task="" if branch in _MAIN_BRANCHES else branch,
                    session=session,
                    at=at,
                )
            )
            if found:
                yield from found
                break
    plans = tuple(name for name in transcript.files_written if _is_plan(name))
    for written in written_in(context.root, replace(transcript, files_written=plans)) if plans else ():
        if text := finished_plan(written.path, written.text):
            plan = hash_of(PLAN, written.path)  # several sessions may have worked on it
            yield from _entry(context, text, tags=(PLAN, written.path), task=written.path, session=plan, at=at)


def _summary_of(transcript: Transcript) -> SessionSummary | None:
    """Return what a session came to; None where that is nothing: a single question and its answer need no place."""
    found = summarise(transcript)
    if found is None:
        return None
    is_work = found.decisions or found.files_written or found.open_ends or found.outcome
    is_telling = sum(map(signs_in, found.remarks)) >= _SIGNS
    return found if is_work or is_telling or found.prompts >= _TALK else None


def _is_plan(name: str) -> bool:
    return name.lower().endswith((".md", ".mdx")) and any(word in name.lower() for word in _PLAN_NAMES)


def _entry(context: Context, text: str, *, tags: Sequence[str], task: str, session: str, at: int) -> Iterator[Entry]:
    """Yield the entry for a text, unless it may not be kept: a secret, an order, or words that hide something."""
    try:
        content = checked_content(text, Source.SYSTEM)
        kept = [tags[0], *(tag for tag in tags[1:] if checked_content(tag, Source.SYSTEM) == tag)]
    except MemsuggestError:
        return
    yield Entry(
        id=entry_id(Layer.ARCHIVE, context.place.key, f"{session} {content}"),
        layer=Layer.ARCHIVE,
        content=content,
        source=Source.SYSTEM,
        created_at=at,
        updated_at=at,
        project=context.place.key,
        task=task,
        tags=tuple(kept),
        session=session,
    )


def _store(context: Context, entry: Entry) -> None:
    """Add an entry in the place of the one that stood for the same before; not one that was there, or was forgotten."""
    store = context.profile.entries
    if archive_mark(entry) in {stone.fact_id for stone in context.profile.contents().tombstones}:
        return
    same = [one for one in store.of_session(entry.session) if _is_of_same(one, entry)]
    if any(one.id == entry.id for one in same):
        return
    store.add([entry])
    for before in same:
        if before.status is EntryStatus.ACTIVE:
            store.update(before._replace(status=EntryStatus.INACTIVE, superseded_by=entry.id))


def _is_of_same(one: Entry, other: Entry) -> bool:
    is_plan = other.tags[0] == PLAN
    return one.layer is other.layer and one.tags[:1] == other.tags[:1] and (not is_plan or one.task == other.task)


def _archive_merged_branches(context: Context) -> None:
    """Archive the branches of archived sessions that were merged since."""
    archived = [
        one for one in context.profile.entries.entries(layers=(Layer.ARCHIVE,)) if one.status is EntryStatus.ACTIVE
    ]
    told = {one.task for one in archived if one.tags[:1] == (BRANCH,)}
    sessions = [one for one in archived if one.tags[:1] == (SESSION,) and one.task and one.task not in told]
    if not sessions:
        return
    for merged in merged_branches(context.root, {one.task for one in sessions}):
        of_branch = [one for one in sessions if one.task == merged.branch and one.created_at <= merged.at + SILENCE]
        if not of_branch:
            continue  # a branch of an earlier time had the same name
        text = merged_text(merged, [one.content for one in of_branch])
        day = datetime.fromtimestamp(merged.at / 1000, tz=UTC).date().isoformat()
        session = hash_of(BRANCH, merged.branch)
        with context.exclusive():
            for entry in _entry(context, text, tags=(BRANCH, day), task=merged.branch, session=session, at=merged.at):
                _store(context, entry)
