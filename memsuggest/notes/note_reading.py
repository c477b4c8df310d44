"""One note read: its text without secrets, its rules with what the person typed before, and what they are to memory."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from memsuggest.extraction.evidence import paths_in
from memsuggest.extraction.safety import commands_a_machine
from memsuggest.git import run_git
from memsuggest.identity import hash_of
from memsuggest.model import NOTED, QUOTE_LIMIT, Candidate, Citation, Kind, Scope, Trust
from memsuggest.notes.note import KnownNote, Verdict
from memsuggest.notes.note_places import LARGEST, shown
from memsuggest.notes.note_rules import rules_of
from memsuggest.notes.note_table import Row
from memsuggest.notes.readers.reader_table import READERS
from memsuggest.notes.typed_evidence import Sessions
from memsuggest.redact import clean, redact

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memsuggest.notes.note import NoteRule
    from memsuggest.notes.note_places import NotePlace
    from memsuggest.transcripts.discovery.surroundings import Surroundings
    from memsuggest.workflows.context import Context

SURE = 0.7
"""How sure a rule is that an assistant noted: a model judged it before."""
ORDERS = "orders to its reader, so no rule of it is taken"
_NOBODY = {"root", "user", "home", "admin", "runner", "ubuntu", "node", "vscode", "app", "dev", "developer", "test"}


def read_places(context: Context, around: Surroundings, places: Sequence[NotePlace]) -> list[Row]:
    """Read files with notes."""
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
    is_own = not place.is_shared and not place.path.startswith(f"{around.root}{os.sep}")
    if rules and is_own:  # a transcript that lies in the repo may be anybody's
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


def candidates_of(context: Context, note: KnownNote) -> Iterator[Candidate]:
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


def session_of(note: KnownNote) -> str:
    """Return the session that a note cites: the one that it names, or one of its own."""
    return note.session_id or hash_of(NOTED, note.path)


def _citations(context: Context, note: KnownNote, rule: NoteRule) -> Iterator[Citation]:
    at = datetime.fromtimestamp(note.at / 1000, UTC)
    path = shown(note.path, root=str(context.root), home=str(context.folders.home))
    session = session_of(note)
    yield Citation(
        session_id=session,
        turn=max(1, rule.turn),
        quote=rule.content[:QUOTE_LIMIT],
        paths=(f"{path}#L{rule.line}", *paths_in(rule.content)),
        trust=note.trust,
        at=at,
        format=f"{note.assistant} {NOTED}",
    )
    if rule.quote:
        trust = Trust.TYPED if rule.is_theirs else Trust.QUOTED
        yield Citation(session_id=session, turn=rule.turn, quote=rule.quote, trust=trust, at=at, format=note.assistant)
