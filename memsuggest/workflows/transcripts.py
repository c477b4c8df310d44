"""`transcripts`: looking at what was found, and at one transcript as we understand it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from memsuggest.errors import TranscriptError
from memsuggest.reports.inspection_reports import (
    TranscriptRow,
    TranscriptRows,
    TranscriptShown,
    TypedShare,
    typed_share,
)
from memsuggest.transcripts.discovery.places import ASSISTANTS, find_unreadable
from memsuggest.transcripts.discovery.session_order import last_turn_at
from memsuggest.transcripts.reading import read_typed
from memsuggest.transcripts.storage.virtual_sessions import sessions_in
from memsuggest.workflows.find_transcripts import find, surroundings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from memsuggest.workflows.context import Context


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
