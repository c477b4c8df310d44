"""Transcripts as workflows meet them: finding them, reading them, looking at them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from memsuggest.asking.consent_store import is_ci
from memsuggest.config import ALL
from memsuggest.errors import TranscriptError
from memsuggest.model import Trust
from memsuggest.reports.inspection_reports import TranscriptRow, TranscriptRows, TranscriptShown
from memsuggest.reports.typed_share import TypedShare, typed_share
from memsuggest.transcripts.discovery import FoundTranscripts, find_named, find_transcripts
from memsuggest.transcripts.discovery.backlog import recent
from memsuggest.transcripts.discovery.places import ASSISTANTS, Surroundings
from memsuggest.transcripts.discovery.session_order import last_turn_at
from memsuggest.transcripts.discovery.unreadable import find_unreadable
from memsuggest.transcripts.reading import read_typed
from memsuggest.transcripts.storage.virtual_sessions import sessions_in, status_of
from memsuggest.workflows.trust import with_trust

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from memsuggest.transcripts.discovery import FoundTranscript
    from memsuggest.workflows.context import Context


def find(context: Context, paths: Sequence[Path]) -> FoundTranscripts:
    """Find the transcripts that paths name, or without any, this workspace's in every assistant's place."""
    if paths:
        found = find_named(paths)
        return with_trust(context, _claimed_below(context.root, found)) if is_ci(context.machine.environ) else found
    around = surroundings(context)
    found = find_transcripts(
        around.root,
        home=around.home,
        environ=around.environ,
        platform=around.platform,
        extra=[Path(text).expanduser() for text in context.settings.texts("transcripts")],
        memory=context.progress,
    )
    return with_trust(context, found)


def not_too_old(context: Context, found: Iterable[FoundTranscript]) -> list[FoundTranscript]:
    """Return the transcripts that are not older than the setting `since` wants them."""
    since = context.settings.text("since")
    return recent(found, days=None if since == ALL else int(since.split()[0]), now=context.now())


def _claimed_below(root: Path, found: FoundTranscripts) -> FoundTranscripts:
    """Mark what lies in the repo as claimed: in CI nobody says that it is theirs by naming it."""
    known = (
        replace(one, trust=Trust.CLAIMED) if one.path.resolve().is_relative_to(root) else one
        for one in found.transcripts
    )
    return replace(found, transcripts=tuple(known))


def surroundings(context: Context) -> Surroundings:
    """Return what the places of transcripts depend on."""
    machine = context.machine
    return Surroundings(
        root=context.root, home=context.folders.home, environ=machine.environ, platform=machine.platform
    )


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


def list_transcripts(context: Context, *, paths: Sequence[Path]) -> TranscriptRows:
    """Return the transcripts with what has been learned from and what has not, newest first."""
    quiet = context.dry()
    found = find(quiet, paths)
    progress = quiet.progress
    rows = []
    for one in found.transcripts:
        state, is_stored = progress.state_of(one), one.container is not None
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
    home = str(context.folders.home)
    if paths:
        return TranscriptRows(rows=tuple(rows), skipped=found.skipped, home=home)
    skipped = (*found.skipped, *find_unreadable(surroundings(context)))
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
