"""`trust`: which of the repo's transcripts are this person's own, and what stays a claim."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from memsuggest.errors import TranscriptError
from memsuggest.files import UNCHECKED, lock, read_exact, write_exact
from memsuggest.reports.plain import Text
from memsuggest.transcripts.discovery import find_named
from memsuggest.transcripts.discovery.ownership import TrustedFile, read_trusted_files, trusted_file_of, written

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from contextlib import AbstractContextManager

    from memsuggest.workflows.context import Context

FILE = "trusted.json"
_PATIENCE = 10.0  # seconds


def list_trusted(context: Context) -> Text:
    """Say which transcripts are trusted."""
    pins = trusted_files(context)
    lines = [trusted_file.path for trusted_file in pins] or [
        "no transcript of a repo is trusted; `memsuggest trust PATH` trusts one"
    ]
    return _told("\n".join(lines), pins)


def trust(context: Context, paths: Sequence[Path]) -> Text:
    """Trust transcripts as they are now: what is typed in them counts as typed by this person."""
    files = dict.fromkeys(one.container or one.path for one in find_named(paths).transcripts)
    found = [trusted_file_of(Path(os.path.realpath(path))) for path in files]
    with _alone(context):
        digests = {trusted_file.digest for trusted_file in found}
        _write(
            context,
            [*(trusted_file for trusted_file in trusted_files(context) if trusted_file.digest not in digests), *found],
        )
    count = "1 transcript is" if len(found) == 1 else f"{len(found)} transcripts are"
    return _told(f"{count} trusted as they are now: `memsuggest reconcile` learns from them", found)


def revoke(context: Context, paths: Sequence[Path]) -> Text:
    """Take trust back; what was learned already stays until it is forgotten. Raises TranscriptError."""
    folders = [Path(os.path.realpath(path)) for path in paths]
    with _alone(context):
        pins = trusted_files(context)
        gone = [trusted_file for trusted_file in pins if any(_lies_in(trusted_file, folder) for folder in folders)]
        if not gone:
            raise TranscriptError("none of these is trusted", hint="`memsuggest trust --list` names those that are")
        _write(context, [trusted_file for trusted_file in pins if trusted_file not in gone])
    return _told("no longer trusted; what was learned from it stays: `memsuggest facts list` shows it", gone)


def _lies_in(trusted_file: TrustedFile, folder: Path) -> bool:
    return (
        trusted_file.path == str(folder)
        or trusted_file.path.startswith(f"{folder}/")
        or trusted_file.path.startswith(f"{folder}\\")
    )


def _told(text: str, pins: Iterable[TrustedFile]) -> Text:
    return Text(
        text=text,
        payload={"transcripts": [{"path": trusted_file.path, "digest": trusted_file.digest} for trusted_file in pins]},
    )


def _path(context: Context) -> Path:
    return context.folders.data / FILE


def trusted_files(context: Context) -> tuple[TrustedFile, ...]:
    """Return the transcripts of repos that the person trusts."""
    path = _path(context)
    return read_trusted_files(read_exact(path).text, where=str(path)) if path.exists() else ()


def _write(context: Context, pins: Sequence[TrustedFile]) -> None:
    write_exact(_path(context), written(pins), expected_digest=UNCHECKED, mode=0o600)


def _alone(context: Context) -> AbstractContextManager[None]:
    return lock(_path(context).with_suffix(".lock"), wait_seconds=_PATIENCE)
