"""The archive: what was said in each finished chat, and what each plan that was ticked off came to.

A chat is finished when its assistant says so, or when its file or its last turn is two hours old. One entry stands for
it, with its turns; when it is resumed later, that entry has the turns that came since, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

from memsuggest.core.config import Mode
from memsuggest.core.context import Context
from memsuggest.core.database import transaction
from memsuggest.core.errors import MemsuggestError, TranscriptError
from memsuggest.core.identity import hash_of, session_hash
from memsuggest.core.model import Transcript, Trust
from memsuggest.core.workspace import is_ci
from memsuggest.facts.forget_quotes import as_forgotten_before, without_forgotten
from memsuggest.facts.known_places import note_place
from memsuggest.judging.assistant_documents import written_in
from memsuggest.judging.safety import commands_a_machine, refused, weakens_safety
from memsuggest.memory.app_memory import summarise
from memsuggest.memory.apps import remember_conversation
from memsuggest.memory.entry import Entry, EntryStatus, Layer, Source, archive_mark, entry_id
from memsuggest.memory.guard import speaks_of_trust
from memsuggest.memory.memory_entries import checked_content
from memsuggest.memory.turns import SaidTurn, turns_of
from memsuggest.suggestions.marker_files import take_ended
from memsuggest.transcripts.discovery import FoundTranscript, read_found
from memsuggest.transcripts.progress import mark_archived, not_archived

_BOX = re.compile(r"^[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t]+\[(?P<done>[ xX])\][ \t]+(?P<what>\S.*)$", re.MULTILINE)
_TITLE = re.compile(r"^#{1,3}[ \t]+(\S.*?)[ \t#]*$", re.MULTILINE)
_FENCE = re.compile(r"^(?P<mark>```+|~~~+).*?^(?P=mark)", re.MULTILINE | re.DOTALL)
_MARKS = re.compile(r"[`*_]{1,3}")
_FEWEST = 3  # boxes that make a plan of a list
_STEPS, _LENGTH = 3, 70  # steps that are named, and the characters of each


def finished_plan(path: str, text: str) -> str:
    """Return what a plan came to; empty where it is none, or a box is still open.

    Whoever wrote the file wrote the steps: what would tell a reader what to do, or is like a command, is only counted.
    """
    bare = _FENCE.sub("", text)
    boxes = list(_BOX.finditer(bare))
    if len(boxes) < _FEWEST or any(box["done"] == " " for box in boxes):
        return ""
    title = _TITLE.search(bare)
    named = f" “{_short(title[1])}”" if title and _is_plain(title[1]) else ""
    steps = [f"“{_short(box['what'])}”" for box in boxes if _is_plain(box["what"])][:_STEPS]
    more = f"{' and ' if steps else ''}{len(boxes) - len(steps)} {'more' if steps else 'steps'}"
    listed = "; ".join(steps) + (more if len(boxes) > len(steps) else "")
    return f"Finished the plan {path}, by its own words{named}: {listed}."


def _is_plain(text: str) -> bool:
    return not (speaks_of_trust(text) or refused(text) or commands_a_machine(text) or weakens_safety(text))


def _short(text: str) -> str:
    plain = " ".join(_MARKS.sub("", text).translate({0x201C: '"', 0x201D: '"'}).split())
    return plain if len(plain) <= _LENGTH else plain[: _LENGTH - 1].rstrip() + "…"


SILENCE = 2 * 3_600_000  # milliseconds after which a session that nobody touched counts as finished
AT_ONCE = 6_000_000
"""Bytes of transcripts that are archived while somebody waits, the newest first; the rest at the next run."""
_VECTOR_SECONDS = 30.0  # for vectors of what is new, in the background; while somebody waits, a tenth of it
SESSION, PLAN = "session", "plan"  # the first tags of what stands in the archive
_PLAN_NAMES = ("plan", "todo", "task", "checklist", "roadmap", "steps", "spec")
_MAIN_BRANCHES = frozenset({"main", "master", "develop", "trunk", "HEAD"})


def archive_as_read(context: Context, item: FoundTranscript, transcript: Transcript) -> bool:
    """Archive a chat that was just read whole, where nobody touched it for a while: it need not be read again."""
    if not _is_archiving(context) or item.trust is not Trust.TYPED or not not_archived(context.state, [item]):
        return False
    said = max((int(turn.at.timestamp() * 1000) for turn in transcript.turns if turn.at), default=context.now())
    is_finished = context.now() - min(item.mtime_ns // 1_000_000, said) >= SILENCE
    return is_finished and _archive(context, item, transcript)


def _is_archiving(context: Context) -> bool:
    return not (context.is_dry or context.settings.mode is Mode.OFF or is_ci(context.machine.environ))


def archive_finished(
    context: Context,
    found: Iterable[FoundTranscript],
    *,
    at_once: int | None = AT_ONCE,
    is_over: bool = False,
    archived: int = 0,
) -> int:
    """Archive what is finished of some transcripts, the newest first, and return how many sessions that were.

    `at_once` are bytes; None for all of it. `is_over`: whoever asks says that these sessions are over. `archived` were
    as they were read.
    """
    if not _is_archiving(context):
        return archived
    ended = take_ended(context)

    def is_finished(chat: FoundTranscript) -> bool:  # told without reading it
        names = {part.partition(".")[0] for part in chat.path.parts[-3:]}
        return is_over or not ended.isdisjoint(names) or context.now() - chat.mtime_ns // 1_000_000 >= SILENCE

    due = not_archived(context.state, [chat for chat in found if chat.trust is Trust.TYPED and is_finished(chat)])
    done, taken = archived, 0
    for chat in sorted(due, key=lambda chat: (-chat.mtime_ns, chat.place)):
        done += _archive(context, chat)
        taken += chat.size
        if at_once is not None and taken >= at_once:
            break
    if context.settings.text("meaning") != "off":
        from memsuggest.memory.meaning import embedder_of, make_vectors

        seconds = _VECTOR_SECONDS if at_once is None else _VECTOR_SECONDS / 10
        with suppress(MemsuggestError):
            if embedder := embedder_of(context.settings):
                make_vectors(context.profile.entries.connection, embedder, seconds=seconds)
    return done


def _archive(context: Context, item: FoundTranscript, transcript: Transcript | None = None) -> bool:
    try:
        transcript = transcript or read_found(item, context.root).transcript
    except TranscriptError:
        mark_archived(context.state, item)
        return False
    if transcript.session_id in context.profile.silenced():
        return False
    transcript = without_forgotten(context, transcript)
    turns = turns_of(transcript)
    ends = [turn.at for turn in turns if turn.at]
    at = min(max(ends, default=item.mtime_ns // 1_000_000), context.now())
    blank = Entry(
        id="",
        layer=Layer.ARCHIVE,
        content="",
        source=Source.SYSTEM,
        created_at=min(min(ends, default=at), at),
        updated_at=at,
        project=context.place.key,
    )
    plans = list(_plan_entries(context, transcript, blank))
    chat = _chat_entry(transcript, blank)
    with context.exclusive():
        with transaction(context.profile.entries.connection):
            note_place(context)
            for entry in (*plans, chat) if chat else plans:
                _store(context, entry, turns)
        mark_archived(context.state, item)
    remember_conversation(context, transcript, by_rule=True)
    return chat is not None


def _chat_entry(transcript: Transcript, blank: Entry) -> Entry | None:
    """Return the entry for a chat; None for one in which nobody said anything with a subject."""
    summary = summarise(transcript)
    if summary is None:
        return None
    branch = next((turn.branch for turn in reversed(transcript.turns) if turn.branch), "")
    session, text = session_hash(transcript.session_id), summary.as_text()
    return blank._replace(
        id=entry_id(Layer.ARCHIVE, blank.project, session),
        content=text if _may_be_kept(text) else "A chat.",
        task="" if branch in _MAIN_BRANCHES else branch,
        tags=(SESSION, *filter(_may_be_kept, summary.files_written)),
        session=session,
    )


def _plan_entries(context: Context, transcript: Transcript, blank: Entry) -> Iterator[Entry]:
    documents = [name for name in transcript.files_written if name.lower().endswith((".md", ".mdx"))]
    plans = tuple(name for name in documents if any(word in name.lower() for word in _PLAN_NAMES))
    for written in written_in(context.root, replace(transcript, files_written=plans)) if plans else ():
        path, text = written.path, _kept(finished_plan(written.path, written.text))
        if text:
            session = hash_of(PLAN, path)  # several sessions may have worked on it
            yield blank._replace(
                id=entry_id(Layer.ARCHIVE, blank.project, f"{session} {text}"),
                content=text,
                created_at=blank.updated_at,
                task=path,
                tags=(PLAN, *filter(_may_be_kept, [path])),
                session=session,
            )


def _store(context: Context, entry: Entry, turns: Sequence[SaidTurn]) -> None:
    """Keep a chat with its turns, or a plan, in the place of what stood for the same before.

    Not what the person forgot; words that were forgotten of a chat stay so.
    """
    if archive_mark(entry) in {tombstone.fact_id for tombstone in context.profile.tombstones()}:
        return
    store, is_plan = context.profile.entries, entry.tags[0] == PLAN
    same = [
        item
        for item in store.of_session(entry.session)
        if item.layer is entry.layer and item.tags[:1] == entry.tags[:1] and (not is_plan or item.task == entry.task)
    ]
    before = next((item for item in same if item.id == entry.id), None)
    if not is_plan:
        store.add([entry])
        store.keep_turns(entry, as_forgotten_before(store.turns_of(before), turns) if before else turns)
        store.remove([item for item in same if item.id != entry.id])  # the summaries of earlier versions
    elif before is None:
        store.add([entry])
        for item in (item for item in same if item.status is EntryStatus.ACTIVE):
            store.update(item._replace(status=EntryStatus.INACTIVE, superseded_by=entry.id))


def _kept(text: str) -> str:
    with suppress(MemsuggestError):
        return checked_content(text, Source.SYSTEM) if text else ""
    return ""


def _may_be_kept(text: str) -> bool:
    return bool(text) and _kept(text) == text
