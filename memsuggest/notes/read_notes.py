"""Reading notes: what is new is read once, what it teaches becomes candidates, and nothing is ever written there."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from memsuggest.config import Mode
from memsuggest.errors import Skipped
from memsuggest.extraction.evidence import paths_in
from memsuggest.extraction.safety import commands_a_machine
from memsuggest.git import run_git
from memsuggest.identity import hash_of
from memsuggest.model import NOTED, QUOTE_LIMIT, Candidate, Citation, Kind, Scope, Trust
from memsuggest.notes.judge_notes import judged
from memsuggest.notes.note import KnownNote, Verdict
from memsuggest.notes.note_places import LARGEST, NotePlace
from memsuggest.notes.note_rules import rules_of
from memsuggest.notes.note_table import NoteTable, Row
from memsuggest.notes.readers.reader_table import READERS
from memsuggest.notes.typed_evidence import Sessions
from memsuggest.redact import clean, redact
from memsuggest.transcripts.discovery.ownership import claimed_among
from memsuggest.workflows.find_transcripts import surroundings
from memsuggest.workflows.learn.learned import Learned
from memsuggest.workflows.learn.learning import take_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memsuggest.notes.note import NoteRule
    from memsuggest.transcripts.discovery.surroundings import Surroundings
    from memsuggest.workflows.context import Context

SURE = 0.7
"""How sure a rule is that an assistant noted: a model judged it before."""
MOST_PER_RUN = 2_000
"""New notes that one run reads."""
ORDERS = "orders to its reader, so no rule of it is taken"
_NOBODY = {"root", "user", "home", "admin", "runner", "ubuntu", "node", "vscode", "app", "dev", "developer", "test"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadNotes:
    """The notes of this workspace, what was left out, and what is new."""

    notes: tuple[KnownNote, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    """Rules of notes that were read just now, and that no file says."""


def read_notes(context: Context) -> ReadNotes:
    """Read what is new among the notes, and judge all by the files as they are; what was read before costs a stat."""
    if context.settings.mode is Mode.OFF:
        return ReadNotes()
    around = surroundings(context)
    places, skipped = _found(around)
    table = NoteTable(context.state, context.place.worktree_key)
    kept, changed = table.known(places)
    if len(changed) > MOST_PER_RUN:
        skipped.append(Skipped(what=f"{len(changed) - MOST_PER_RUN} notes", why="the next run reads them"))
    fresh = _read(context, around, changed[:MOST_PER_RUN]) if changed else []
    rows = [*kept, *fresh]
    if not context.is_dry:
        table.keep(fresh, all_paths=[place.path for place in places])
    rows = _judged(context, table, rows, is_new=bool(fresh))
    skipped += [Skipped(what=row.place.path, why=row.why) for row in rows if row.why]
    new = {row.place.path for row in fresh}
    notes = sorted((row.note for row in rows if row.note), key=lambda note: (-note.at, note.path))
    told = [one for note in notes if note.path in new for one in _candidates(context, note)]
    return ReadNotes(notes=tuple(notes), skipped=tuple(skipped), candidates=tuple(told))


def _found(around: Surroundings) -> tuple[list[NotePlace], list[Skipped]]:
    """Return the files that may be this workspace's notes, each once, and what was left out."""
    places, skipped = dict[str, NotePlace](), list[Skipped]()
    for reader in READERS.values():
        for one in reader.places(around):
            if isinstance(one, Skipped):
                skipped.append(one)
            else:
                places.setdefault(one.path, one)
    claimed = claimed_among([path for path in places if Path(path).is_relative_to(around.root)], around.root)
    return [replace(one, is_shared=one.is_shared or one.path in claimed) for one in places.values()], skipped


def _judged(context: Context, table: NoteTable, rows: list[Row], *, is_new: bool) -> list[Row]:
    """Return notes with what the files say of their rules, looked up anew where a note or a file changed."""
    if not any(row.note and row.note.rules for row in rows):
        return rows
    key = context.targets_digest
    if not is_new and key == table.judged_key():
        return rows
    notes = iter(judged(context, [row.note for row in rows if row.note]))
    found = [row._replace(note=next(notes)) if row.note else row for row in rows]
    if not context.is_dry:
        table.keep_judged((new for new, old in zip(found, rows, strict=True) if new != old), key)
    return found


def _read(context: Context, around: Surroundings, places: Sequence[NotePlace]) -> list[Row]:
    names, sessions = own_names(context), Sessions(around)
    return [_row(place, around, names=names, sessions=sessions) for place in places]


def _row(place: NotePlace, around: Surroundings, *, names: Sequence[str], sessions: Sessions) -> Row:
    try:
        text = text_of(place.path)
    except (OSError, ValueError) as error:
        return Row(place, None, getattr(error, "strerror", None) or str(error))
    found = READERS[place.assistant].read(text, place, around)
    if found is None:
        return Row(place, None)
    rules, private = rules_of(found, is_users=place.is_users, names=names)
    if commands_a_machine(text):
        rules, private = (), (*private, ORDERS)
    if rules and not place.is_shared:
        rules = sessions.with_quotes(rules, place, found.session_id)
    note = KnownNote(
        path=place.path,
        assistant=place.assistant,
        trust=Trust.CLAIMED if place.is_shared else Trust.AGENT,
        type=found.type,
        title=" ".join(found.title.split())[:120] or Path(place.path).stem,
        at=_written_at(found.modified) or place.mtime_ns // 1_000_000,
        session_id=found.session_id,
        rules=rules,
        private=private,
    )
    return Row(place, note)


def text_of(path: str) -> str:
    """Return a note without secrets and hidden signs; raises OSError, and ValueError for what is no text."""
    with Path(path).open("rb") as stream:
        data = stream.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise ValueError(f"it is larger than {LARGEST // 1024} KB")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError("it is no text in UTF-8") from None
    if "\0" in text:
        raise ValueError("it is no text")
    return redact(clean(text)).text


def own_names(context: Context) -> list[str]:
    """Return the names of the person, as git and the home folder tell them."""
    told = (run_git(context.root, "config", "user.name", accept=(0, 1)) or b"").decode("utf-8", "replace")
    return [
        name for name in re.split(r"[\s._-]+", f"{told} {context.folders.home.name}") if name.casefold() not in _NOBODY
    ]


def _written_at(modified: str) -> int:
    with suppress(ValueError, OverflowError):
        at = datetime.fromisoformat(modified)
        return int((at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp() * 1000)
    return 0


def _candidates(context: Context, note: KnownNote) -> Iterator[Candidate]:
    """Yield the rules of a note that no file says, each with the note as its evidence, and what the person typed."""
    for rule, against in zip(note.rules, note.judged, strict=True):
        if against.verdict in (Verdict.SAID, Verdict.STALE):
            continue
        yield Candidate(
            content=rule.content,
            kind=Kind.CONVENTION if rule.scope is Scope.WORKSPACE else Kind.PREFERENCE,
            scope=rule.scope,
            confidence=SURE,
            citations=tuple(_citations(context, note, rule)),
            found_by=NOTED,
        )


def _citations(context: Context, note: KnownNote, rule: NoteRule) -> Iterator[Citation]:
    at = datetime.fromtimestamp(note.at / 1000, UTC)
    session = note.session_id or hash_of(NOTED, note.path)
    yield Citation(
        session_id=session,
        turn=max(1, rule.turn),
        quote=rule.content[:QUOTE_LIMIT],
        paths=(f"{shown(context, note.path)}#L{rule.line}", *paths_in(rule.content)),
        trust=note.trust,
        at=at,
        format=f"{note.assistant} {NOTED}",
    )
    if rule.quote:
        trust = Trust.TYPED if rule.is_theirs else Trust.QUOTED
        yield Citation(session_id=session, turn=rule.turn, quote=rule.quote, trust=trust, at=at, format=note.assistant)


def shown(context: Context, path: str) -> str:
    """Return a path as people read it: from the root, or from the home folder."""
    place, home = Path(path), context.folders.home
    if place.is_relative_to(context.root):
        return place.relative_to(context.root).as_posix()
    return f"~/{place.relative_to(home).as_posix()}" if place.is_relative_to(home) else place.as_posix()


def learn_notes(context: Context) -> tuple[ReadNotes, Learned]:
    """Read notes, and take in what is new in them; each of their rules waits for the person's own yes."""
    found, learned = read_notes(context), Learned(engine=NOTED)
    learned.skipped += found.skipped
    if found.candidates:
        with context.exclusive():
            take_in(context, found.candidates, learned)
    return found, learned
