"""Transcripts as workflows meet them: finding them, reading them, looking at them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from memsuggest.errors import TranscriptError
from memsuggest.reports.looking import TranscriptRow, TranscriptRows, TranscriptShown
from memsuggest.transcripts.discovery import Found, find_named, find_transcripts, last_turn_at
from memsuggest.transcripts.reading import read_typed
from memsuggest.transcripts.stored import sessions_in, status_of
from memsuggest.workflows.trusting import with_trust

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memsuggest.transcripts.discovery import FoundTranscript
    from memsuggest.workflows.desk import Desk


def find(desk: Desk, paths: Sequence[Path]) -> Found:
    """Find the transcripts that paths name, or without any, this workspace's in every assistant's place."""
    if paths:
        return find_named(paths)
    found = find_transcripts(
        desk.root,
        home=desk.folders.home,
        environ=desk.machine.environ,
        platform=desk.machine.platform,
        extra=[Path(text).expanduser() for text in desk.settings.texts("transcripts")],
        memory=desk.progress,
    )
    return with_trust(desk, found)


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
    return TranscriptShown(transcript=read_typed(sessions[0].path if sessions else path, person=person))


def list_transcripts(desk: Desk, *, paths: Sequence[Path]) -> TranscriptRows:
    """Return the transcripts with what has been learned from and what has not, newest first."""
    quiet = desk.dry()
    found = find(quiet, paths)
    progress = quiet.progress
    rows = []
    for one in sorted(found.transcripts, key=lambda one: -one.mtime_ns):
        state = progress.state_of(one)
        rows.append(
            TranscriptRow(
                path=str(one.path),
                format=one.format,
                size=one.size,
                modified_at=one.mtime_ns / 1e9,
                last_turn_at=last_turn_at(one),
                state=state.name,
                why=state.why,
                trust=str(one.trust),
            )
        )
    return TranscriptRows(rows=tuple(rows), skipped=found.skipped)
