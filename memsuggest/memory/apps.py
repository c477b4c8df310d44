"""Memories of each app: an assistant, or one of its agents. At most a few, of one app each."""

from __future__ import annotations

import re
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from memsuggest.core.context import require_on
from memsuggest.core.errors import MemsuggestError, Skipped, TranscriptError, UnknownId
from memsuggest.core.model import AppMaker, Trust
from memsuggest.files.journal import ADDED, FORGOT
from memsuggest.judging.engine_choice import NOBODY
from memsuggest.memory.app_memory import LENGTH, agents_of, app_of, context_text, is_app_id
from memsuggest.memory.app_models import app_model, forget_app_answers, planned_requests
from memsuggest.memory.app_reports import (
    AppContext,
    AppForgotten,
    AppLearned,
    AppRow,
    AppRows,
    AppShown,
    AppsLearned,
)
from memsuggest.memory.app_table import AppMemories
from memsuggest.memory.change_memory import changing_memory
from memsuggest.memory.memory_journals import forget_in_journals

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Sequence

    from memsuggest.core.context import Context
    from memsuggest.core.model import MemoryFact, Transcript
    from memsuggest.judging.engine_choice import Asking
    from memsuggest.memory.app_memory import NewMemory
    from memsuggest.memory.app_models import AppModel
    from memsuggest.memory.app_table import Remembered

CLAIMED = "this transcript may be someone else's: run `memsuggest trust PATH` to mark it as yours"
EMPTY = "the chat is empty"
_BACKLOG = 2
"""Chats that are read at once, in times of those that an app keeps: some are empty, or with other apps."""


@contextmanager
def app_memories(context: Context) -> Iterator[AppMemories]:
    """Give the memories of all apps; raises StoreError."""
    yield AppMemories(context.profile.entries.connection)


def limit_of(context: Context) -> int:
    """Return how many memories an app keeps."""
    return int(context.settings.number("maxAppMemories"))


def remember_conversation(
    context: Context, transcript: Transcript, *, asking: Asking = NOBODY, app: str | None = None, by_rule: bool = False
) -> AppLearned:
    """Remember what a conversation that has ended was about, as one memory of its app.

    The same conversation is remembered once, anew when it went on, and never again when its memory was let go of.
    Whatever is wrong with a model, our own rules do it; `by_rule`: they do it anyway, where nobody can wait.
    Raises StoreError, and MemsuggestError for a name that no app can have.
    """
    from memsuggest.facts.forgotten_words import without_forgotten
    from memsuggest.memory.session_summary import summarise

    transcript = without_forgotten(context, _whole(transcript))
    app_id = _named(app) if app else app_id_of(context, transcript)
    learned = AppLearned(app_id=app_id, path=transcript.origin, memory=None)
    if transcript.trust is Trust.CLAIMED:
        return replace(learned, why=CLAIMED)
    summary = summarise(transcript)
    if summary is None:
        return replace(learned, why=EMPTY)
    from memsuggest.memory.app_memory import ended_at, memory_by_rule

    ended = min(context.now(), ended_at(transcript) or context.now())
    new = memory_by_rule(summary, transcript, app_id=app_id, workspace=context.place.key, ended_at=ended)
    with app_memories(context) as store:
        known = store.holding(app_id, transcript.session_id)
        if known and (known.digest == new.digest or known.related):
            return replace(learned, memory=known, why="it is already stored")
        if store.was_let_go(app_id, transcript.session_id):
            return replace(learned, why="its memory was deleted earlier")
        return _stored(context, store, learned, new, transcript, None if by_rule else asking)


def _stored(
    context: Context,
    store: AppMemories,
    learned: AppLearned,
    new: NewMemory,
    transcript: Transcript,
    asking: Asking | None,
) -> AppLearned:
    """Store a memory, worded by a model where one may be asked; of a dry context, say what would be asked."""
    if asking is None:
        done = keep_memory(store, new, model=None, limit=limit_of(context), now=context.now())
        return replace(learned, memory=done.memory, decisions=done.decisions)
    requests = planned_requests(context, asking, app_id=new.app_id, transcript=transcript) if context.is_dry else ()
    with app_model(context, asking, app_id=new.app_id, transcript=transcript) as (model, why_not):
        new, why = _worded(model, new, transcript) if model else (new, why_not)
        done = keep_memory(store, new, model=model, limit=limit_of(context), now=context.now())
    return replace(learned, memory=done.memory, why_by_rule=why, decisions=done.decisions, requests=requests)


def keep_memory(store: AppMemories, new: NewMemory, *, model: AppModel | None, limit: int, now: int) -> Remembered:
    """Store a memory; where it needs room, a model is asked before, outside the transaction."""
    held = store.of(new.app_id)
    is_known = any(new.conversation in item.conversations for item in held)
    advice = model.advice(held, new) if model and len(held) >= limit and not is_known else None
    return store.remember(new, limit=limit, now=now, advice=advice)


def _worded(model: AppModel, new: NewMemory, transcript: Transcript) -> tuple[NewMemory, str]:
    """Return the memory in a model's words; in our own, and why, where those are of no use."""
    try:
        content = model.content(transcript)
    except MemsuggestError as error:
        return new, error.message
    if not content:
        return new, "the model found nothing worth remembering in this chat"
    return replace(new, content=content, maker=AppMaker.MODEL), ""


def _whole(transcript: Transcript) -> Transcript:
    """Return all of a conversation where only its end was read; that end where the file is gone."""
    if not transcript.context:
        return transcript
    from memsuggest.transcripts.reading import read_transcript

    try:
        return read_transcript(Path(transcript.origin), trust=transcript.trust)
    except (TranscriptError, OSError):
        return transcript


def learn_conversations(
    context: Context, paths: Sequence[Path], *, asking: Asking = NOBODY, app: str | None = None
) -> AppsLearned:
    """Remember the finished conversations that paths name; without any, the newest of this workspace that are over.

    Raises MemsuggestError in the mode `off`.
    """
    require_on(context)
    from memsuggest.transcripts.discovery import read_found
    from memsuggest.transcripts.discovery.session_order import last_turn_at
    from memsuggest.transcripts.find_transcripts import find, not_too_old

    found = find(context, paths)
    chosen = sorted(found.transcripts, key=last_turn_at)  # as if each had been remembered when it ended
    if not paths:
        quiet_since = context.now() / 1000 - 60 * context.settings.number("sessionSilence")
        over = [item for item in not_too_old(context, chosen) if last_turn_at(item) <= quiet_since]
        chosen = sorted(over, key=last_turn_at)[-_BACKLOG * limit_of(context) :]
    rows: list[AppLearned] = []
    skipped = list(found.skipped)
    for item in chosen:
        try:
            transcript = read_found(item, context.root).transcript
        except TranscriptError as error:
            skipped.append(Skipped(what=str(item.path), why=error.message))
            continue
        rows.append(remember_conversation(context, transcript, asking=asking, app=app))
    return AppsLearned(rows=tuple(rows), skipped=tuple(skipped))


def remember_by_hand(context: Context, app: str, text: str, *, everywhere: bool = False) -> AppLearned:
    """Let an app remember what the person writes; raises MemsuggestError for what may not be stored."""
    from memsuggest.judging.offline.derive import why_unsafe
    from memsuggest.memory.app_memory import written_by_hand

    content = " ".join(text.split())
    if not content or len(content) > LENGTH:
        raise MemsuggestError(
            f"a memory must have 1 to {LENGTH} characters; this one has {len(content)}",
            hint="shorten it to one or two sentences",
        )
    if why := why_unsafe(content):
        raise MemsuggestError(f"not stored: {why}", hint="leave that part out and try again")
    with app_memories(context) as store:
        app_id = _known(context, store, app)
        new = written_by_hand(content, app_id=app_id, workspace="" if everywhere else context.place.key)
        with changing_memory(context, ADDED, app_id=app_id):
            done = store.remember(new, limit=limit_of(context), now=context.now())
    return AppLearned(app_id=app_id, path="", memory=done.memory, decisions=done.decisions)


def list_apps(context: Context) -> AppRows:
    """Return all apps that something is remembered of, or was."""
    with app_memories(context) as store:
        rows = tuple(AppRow(app_id=app, memories=count, changed_at=at) for app, count, at in store.apps())
    return AppRows(rows=rows, limit=limit_of(context))


def show_app(context: Context, app: str) -> AppShown:
    """Return one app's memories and the log of decisions; raises UnknownId."""
    with app_memories(context) as store:
        app_id = _known(context, store, app)
        return AppShown(
            app_id=app_id,
            limit=limit_of(context),
            memories=store.of(app_id),
            decisions=store.decisions(app_id),
        )


def app_context(context: Context, app: str, *, everywhere: bool = False) -> AppContext:
    """Return what an app is told of its former conversations: those in this workspace, or in all; raises UnknownId."""
    with app_memories(context) as store:
        app_id = _known(context, store, app)
        held = store.of(app_id)
    here = [item for item in held if everywhere or item.workspace in ("", context.place.key)]
    return AppContext(app_id=app_id, text=context_text(app_id, here), shown=len(here), elsewhere=len(held) - len(here))


def purge_app(context: Context, app: str, *, by: AppMaker = AppMaker.PERSON) -> AppForgotten:
    """Delete all that is remembered of an app, also where models' answers and decisions are kept; raises UnknownId."""
    with app_memories(context) as store:
        app_id = _known(context, store, app)
        at = context.now()
        ids = store.purge(app_id, now=at, by=by)
    forget_app_answers(context.folders.state, app_id)
    forget_in_journals(context, app_id=app_id)
    return AppForgotten(app_id=app_id, ids=ids, at=at, left=0)


def forget_memory(context: Context, app: str, memory_id: int, *, by: AppMaker = AppMaker.PERSON) -> AppForgotten:
    """Delete one memory of an app, which `undo` takes back for some weeks; raises UnknownId."""
    with app_memories(context) as store:
        app_id = _known(context, store, app)
        at = context.now()
        with changing_memory(context, FORGOT, app_id=app_id):
            is_gone = store.forget(app_id, memory_id, now=at, by=by)
        if not is_gone:
            raise UnknownId(
                f"`{app_id}` has no memory {memory_id}", hint=f"`memsuggest memory show {app_id}` lists its memories"
            )
        left = len(store.of(app_id))
    forget_app_answers(context.folders.state, app_id)
    return AppForgotten(app_id=app_id, ids=(memory_id,), at=at, left=left)


def forget_in_apps(context: Context, facts: Iterable[MemoryFact]) -> int:
    """Delete the memories of apps that say what a forgotten fact says, or quote what was said of it; how many."""
    return forget_words_in_apps(
        context, [text for fact in facts for text in (fact.content, *(item.quote for item in fact.citations))]
    )


def forget_words_in_apps(context: Context, texts: Iterable[str]) -> int:
    """Delete the memories of apps that say one of some texts; how many there were."""
    with app_memories(context) as store:
        return store.forget_words(texts, now=context.now())


def app_id_of(context: Context, transcript: Transcript) -> str:
    """Return the app that a conversation was with."""
    if not any(turn.signals.agent for turn in transcript.turns):
        return transcript.format
    return app_of(transcript, agents_of(context.targets.targets, place=_place(context)))


def _place(context: Context) -> str:
    """Return what this repo is called in the names of its agents."""
    name = re.sub(r"[^\w.-]+", "-", context.root.name).strip(".-") or "repo"
    return f"{name[:40]}-{context.place.key[:4]}"


def _assistants() -> Container[str]:
    from memsuggest.transcripts.formats.table import READERS

    return READERS


def _named(app: str) -> str:
    if not is_app_id(app):
        raise MemsuggestError(
            f"`{app[:80]}` is not a valid app name",
            hint="use letters, digits, `-`, `_`, `.` and `@`, up to 80 characters",
        )
    return app


def _known(context: Context, store: AppMemories, app: str) -> str:
    """Return the app of that name: one that is known, an agent of this repo by its short name, or an assistant."""
    known = [item for item, _, _ in store.apps()]
    if app in known or app in _assistants():
        return app
    here = f"{_named(app)}@{_place(context)}"
    if here in known:
        return here
    begun = [item for item in known if item.startswith(app)]
    if len(begun) == 1:
        return begun[0]
    agents = {agent.app_id for agent in agents_of(context.targets.targets, place=_place(context))}
    if {here, app} & agents:
        return here if here in agents else app
    several = (
        f"`{app}` matches several apps: {', '.join(begun)}" if begun else f"no memories found for an app called `{app}`"
    )
    raise UnknownId(several, hint="`memsuggest memory list --apps` lists the apps")
