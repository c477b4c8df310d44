"""Memories of each app: an assistant, or one of its agents. At most a few, of one app each."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from memsuggest.core.context import Context, require_on
from memsuggest.core.errors import MemsuggestError, Skipped, TranscriptError, UnknownId
from memsuggest.core.model import AppMaker, AppMemory, Transcript, Trust
from memsuggest.files.journal import ADDED, FORGOT
from memsuggest.judging.engine_choice import NOBODY, Asking
from memsuggest.memory.app_memory import (
    BY_HAND,
    LENGTH,
    AppMemories,
    Remembered,
    agents_of,
    app_of,
    context_text,
    is_app_id,
    memory_by_rule,
    summarise,
)
from memsuggest.memory.app_reports import AppContext, AppForgotten, AppLearned, AppRow, AppRows, AppShown, AppsLearned
from memsuggest.memory.change_memory import changing_memory, forget_in_journals

if TYPE_CHECKING:
    from memsuggest.memory.app_models import AppModel

CLAIMED = "this transcript may be someone else's: run `memsuggest trust PATH` to mark it as yours"
EMPTY = "the chat is empty"
_BACKLOG = 2  # chats that are read at once, in times of those that an app keeps: some are empty, or with other apps


def remember_conversation(
    context: Context, transcript: Transcript, *, asking: Asking = NOBODY, app: str | None = None, by_rule: bool = False
) -> AppLearned:
    """Remember what a conversation that has ended was about, as one memory of its app.

    The same conversation is remembered once, anew when it went on, and never again when its memory was let go of.
    Whatever is wrong with a model, our own rules do it; `by_rule`: they do it anyway, where nobody can wait. Of a dry
    context it says what would be asked. Raises StoreError, and MemsuggestError for a name that no app can have.
    """
    from memsuggest.facts.forget_quotes import without_forgotten

    transcript = without_forgotten(context, _whole(transcript))
    app_id = _named(app) if app else transcript.format
    if not app and any(turn.signals.agent for turn in transcript.turns):
        app_id = app_of(transcript, agents_of(context.targets.targets, place=_place(context)))
    learned = AppLearned(app_id=app_id, path=transcript.origin, memory=None)
    if transcript.trust is Trust.CLAIMED:
        return replace(learned, why=CLAIMED)
    summary = summarise(transcript)
    if summary is None:
        return replace(learned, why=EMPTY)
    said = [round(turn.at.timestamp() * 1000) for turn in transcript.turns if turn.at]
    ended = min(context.now(), max(said, default=context.now()))
    new = memory_by_rule(summary, transcript, app_id=app_id, workspace=context.place.key, ended_at=ended)
    store, limit = _store(context), _limit(context)
    known = store.holding(app_id, transcript.session_id)
    if known and (known.digest == new.digest or known.related):
        return replace(learned, memory=known, why="the chat is already stored")
    if store.was_let_go(app_id, transcript.session_id):
        return replace(learned, why="the chat's memory was deleted earlier")
    if by_rule:
        done = store.remember(new, limit=limit, now=context.now())
        return replace(learned, memory=done.memory, decisions=done.decisions)
    from memsuggest.memory.app_models import app_model, planned_requests

    requests = planned_requests(context, asking, app_id=app_id, transcript=transcript) if context.is_dry else ()
    with ExitStack() as opened:
        model, why = app_model(context, asking, opened, app_id=app_id, transcript=transcript)
        if model:
            try:
                content = model.content(transcript)
                why = "" if content else "the model found nothing worth remembering in this chat"
                new = replace(new, content=content, maker=AppMaker.MODEL) if content else new
            except MemsuggestError as error:
                why = error.message
        done = keep_memory(store, new, model=model, limit=limit, now=context.now())
    return replace(learned, memory=done.memory, why_by_rule=why, decisions=done.decisions, requests=requests)


def keep_memory(store: AppMemories, new: AppMemory, *, model: AppModel | None, limit: int, now: int) -> Remembered:
    """Store a memory; where it needs room, a model is asked before, outside the transaction."""
    stored = store.of(new.app_id)
    is_known = any(new.conversation in item.conversations for item in stored)
    advice = model.advice(stored, new) if model and len(stored) >= limit and not is_known else None
    return store.remember(new, limit=limit, now=now, advice=advice)


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

    Raises MemsuggestError in `off` mode.
    """
    require_on(context)
    from memsuggest.transcripts.discovery import last_turn_at, read_found
    from memsuggest.transcripts.find_transcripts import find, not_too_old

    found = find(context, paths)
    chosen = sorted(found.transcripts, key=last_turn_at)  # as if each had been remembered when it ended
    if not paths:
        quiet_since = context.now() / 1000 - 60 * context.settings.number("sessionSilence")
        over = [item for item in not_too_old(context, chosen) if last_turn_at(item) <= quiet_since]
        chosen = sorted(over, key=last_turn_at)[-_BACKLOG * _limit(context) :]
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

    content = " ".join(text.split())
    if not content or len(content) > LENGTH:
        raise MemsuggestError(
            f"a memory must have 1 to {LENGTH} characters; this one has {len(content)}",
            hint="shorten the text to one or two sentences",
        )
    if why := why_unsafe(content):
        raise MemsuggestError(f"not stored: {why}", hint="remove the unsafe part and try again")
    app_id, now = _known(context, app), context.now()
    new = AppMemory(
        id=0,
        app_id=app_id,
        content=content,
        created_at=now,
        updated_at=now,
        importance=BY_HAND,
        maker=AppMaker.PERSON,
        workspace="" if everywhere else context.place.key,
    )
    with changing_memory(context, ADDED, app_id=app_id):
        done = _store(context).remember(new, limit=_limit(context), now=now)
    return AppLearned(app_id=app_id, path="", memory=done.memory, decisions=done.decisions)


def list_apps(context: Context) -> AppRows:
    """Return all apps that something is remembered of, or was."""
    rows = tuple(AppRow(app_id=app, memories=count, changed_at=at) for app, count, at in _store(context).apps())
    return AppRows(rows=rows, limit=_limit(context))


def show_app(context: Context, app: str) -> AppShown:
    """Return one app's memories and the log of decisions; raises UnknownId."""
    app_id, store = _known(context, app), _store(context)
    decisions = store.decisions(app_id)
    return AppShown(app_id=app_id, limit=_limit(context), memories=store.of(app_id), decisions=decisions)


def app_context(context: Context, app: str, *, everywhere: bool = False) -> AppContext:
    """Return what an app gets of its former conversations: those in this workspace, or in all; raises UnknownId."""
    app_id = _known(context, app)
    stored = _store(context).of(app_id)
    here = [item for item in stored if everywhere or item.workspace in ("", context.place.key)]
    return AppContext(
        app_id=app_id, text=context_text(app_id, here), shown=len(here), elsewhere=len(stored) - len(here)
    )


def purge_app(context: Context, app: str) -> AppForgotten:
    """Delete all that is remembered of an app, also where models' answers and decisions are kept; raises UnknownId."""
    from memsuggest.memory.app_models import forget_app_answers

    app_id, at = _known(context, app), context.now()
    ids = _store(context).purge(app_id, now=at, by=AppMaker.PERSON)
    forget_app_answers(context.folders.state, app_id)
    forget_in_journals(context.folders, context, app_id=app_id)
    return AppForgotten(app_id=app_id, ids=ids, at=at, left=0)


def forget_memory(context: Context, app: str, memory_id: int) -> AppForgotten:
    """Delete one memory of an app, which `undo` takes back for some weeks; raises UnknownId."""
    from memsuggest.memory.app_models import forget_app_answers

    app_id, store, at = _known(context, app), _store(context), context.now()
    with changing_memory(context, FORGOT, app_id=app_id):
        is_gone = store.forget(app_id, memory_id, now=at, by=AppMaker.PERSON)
    if not is_gone:
        raise UnknownId(
            f"`{app_id}` has no memory with the number {memory_id}",
            hint=f"`memsuggest memory show {app_id}` lists its memories",
        )
    forget_app_answers(context.folders.state, app_id)
    return AppForgotten(app_id=app_id, ids=(memory_id,), at=at, left=len(store.of(app_id)))


def forget_words_in_apps(context: Context, texts: Iterable[str]) -> int:
    """Delete the memories of apps that say one of some texts; how many there were."""
    return _store(context).forget_words(texts, now=context.now())


def _store(context: Context) -> AppMemories:
    return AppMemories(context.profile.entries.connection)


def _limit(context: Context) -> int:
    return int(context.settings.number("maxAppMemories"))


def _place(context: Context) -> str:
    name = re.sub(r"[^\w.-]+", "-", context.root.name).strip(".-") or "repo"
    return f"{name[:40]}-{context.place.key[:4]}"


def _named(app: str) -> str:
    if not is_app_id(app):
        raise MemsuggestError(
            f"`{app[:80]}` is not a valid app name",
            hint="use letters, digits, `-`, `_`, `.` and `@`, up to 80 characters",
        )
    return app


def _known(context: Context, app: str) -> str:
    """Return the app of that name: one that is known, an agent of this repo by its short name, or an assistant."""
    from memsuggest.transcripts.formats.table import READERS

    known = [item for item, _, _ in _store(context).apps()]
    if app in known or app in READERS:
        return app
    here = f"{_named(app)}@{_place(context)}"
    begun = [item for item in known if item.startswith(app)]
    if here in known or len(begun) == 1:
        return here if here in known else begun[0]
    agents = agents_of(context.targets.targets, place=_place(context)).values()
    for name in (here, app):
        if name in agents:
            return name
    several = f"`{app}` matches several apps: {', '.join(begun)}"
    why = several if begun else f"no memories found for an app called `{app}`"
    raise UnknownId(why, hint="`memsuggest memory list --apps` lists the apps")
