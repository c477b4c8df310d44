"""Transcripts as workflows meet them: finding them, reading them, looking at them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from memsuggest.config import ALL
from memsuggest.errors import TranscriptError
from memsuggest.haiku.consent import is_ci
from memsuggest.model import Trust
from memsuggest.reports.looking import TranscriptRow, TranscriptRows, TranscriptShown
from memsuggest.reports.typed_share import TypedShare, typed_share
from memsuggest.transcripts.backlog import recent
from memsuggest.transcripts.discovery import Found, find_named, find_transcripts, last_turn_at
from memsuggest.transcripts.places import ASSISTANTS, Surroundings
from memsuggest.transcripts.reading import read_typed
from memsuggest.transcripts.stored import database_of, sessions_in, status_of
from memsuggest.transcripts.unreadable import find_unreadable
from memsuggest.workflows.trusting import with_trust

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from memsuggest.transcripts.discovery import FoundTranscript
    from memsuggest.workflows.desk import Desk


def find(desk: Desk, paths: Sequence[Path]) -> Found:
    """Find the transcripts that paths name, or without any, this workspace's in every assistant's place."""
    if paths:
        found = find_named(paths)
        return with_trust(desk, _claimed_below(desk.root, found)) if is_ci(desk.machine.environ) else found
    around = surroundings(desk)
    found = find_transcripts(
        around.root,
        home=around.home,
        environ=around.environ,
        platform=around.platform,
        extra=[Path(text).expanduser() for text in desk.settings.texts("transcripts")],
        memory=desk.progress,
    )
    return with_trust(desk, found)


def not_too_old(desk: Desk, found: Iterable[FoundTranscript]) -> list[FoundTranscript]:
    """Return the transcripts that are not older than the setting `since` wants them."""
    since = desk.settings.text("since")
    return recent(found, days=None if since == ALL else int(since.split()[0]), now=desk.now())


def _claimed_below(root: Path, found: Found) -> Found:
    """Mark what lies in the repo as claimed: in CI nobody says that it is theirs by naming it."""
    known = (
        replace(one, trust=Trust.CLAIMED) if one.path.resolve().is_relative_to(root) else one
        for one in found.transcripts
    )
    return replace(found, transcripts=tuple(known))


def surroundings(desk: Desk) -> Surroundings:
    """Return what the places of transcripts depend on."""
    machine = desk.machine
    return Surroundings(root=desk.root, home=desk.folders.home, environ=machine.environ, platform=machine.platform)


def found_again(found: Iterable[FoundTranscript]) -> list[FoundTranscript]:
    """Return transcripts as they are now; those that are gone are left out."""
    there = []
    for one in found:
        try:
            status = status_of(one.path)
        except OSError:
            continue
        there.append(replace(one, size=status.st_size, mtime_ns=status.st_mtime_ns, inode=status.st_ino))
    return there


def show_transcript(path: Path, *, person: str | None) -> TranscriptShown:
    """Return one transcript as we understand it; raises TranscriptError."""
    sessions = sessions_in(path)
    if len(sessions) > 1:
        hint = f"show one of them, such as `memsuggest transcripts show '{sessions[-1].path}'`"
        raise TranscriptError(f"{path} holds {len(sessions)} sessions", hint=hint)
    transcript = read_typed(sessions[0].path if sessions else path, person=person)
    return TranscriptShown(transcript=transcript, share=typed_share(transcript))


def list_transcripts(desk: Desk, *, paths: Sequence[Path]) -> TranscriptRows:
    """Return the transcripts with what has been learned from and what has not, newest first."""
    quiet = desk.dry()
    found = find(quiet, paths)
    progress = quiet.progress
    rows = []
    for one in found.transcripts:
        state, is_stored = progress.state_of(one), database_of(one.path) is not None
        rows.append(
            TranscriptRow(
                path=one.place,
                format=one.format,
                size=None if is_stored else one.size,
                messages=one.size if is_stored else 0,
                modified_at=one.mtime_ns / 1e9,
                last_turn_at=last_turn_at(one),
                state=state.name,
                why=state.why.removeprefix(f"{one.path} "),
                trust=one.trust,
            )
        )
    rows.sort(key=lambda row: -row.last_turn_at)
    rows = list(_with_shares(rows))
    home = str(desk.folders.home)
    if paths:
        return TranscriptRows(rows=tuple(rows), skipped=found.skipped, home=home)
    skipped = (*found.skipped, *find_unreadable(surroundings(desk)))
    return TranscriptRows(rows=tuple(rows), skipped=skipped, home=home, looked_for=ASSISTANTS)


_LOOKED_INTO = 32_000_000  # bytes of transcripts that a list is worth reading
_STORED_MESSAGE = 4_000  # bytes that a message in a database may have


def _with_shares(rows: Iterable[TranscriptRow]) -> Iterator[TranscriptRow]:
    """Look into the newest transcripts, as many as can be read in a moment, for what was typed in them."""
    left = _LOOKED_INTO
    for row in rows:
        size = row.messages * _STORED_MESSAGE if row.size is None else row.size
        if row.state == "failed" or size > left:
            yield row
            continue
        left -= size
        yield replace(row, share=_share_of(Path(row.path)))


def _share_of(path: Path) -> TypedShare | None:
    try:
        return typed_share(read_typed(path))
    except TranscriptError:
        return None  # said when it is learned from
