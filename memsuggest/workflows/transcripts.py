"""Looking at transcripts: which there are, and what the person typed in one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.errors import TranscriptError
from memsuggest.reports.looking import TranscriptShown
from memsuggest.transcripts.reading import read_transcript

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path



_ENDINGS = {".json", ".jsonl", ".md", ".txt", ".gz"}
"""What transcripts are called in a folder that the person names."""


def show_transcript(path: Path, *, person: str | None) -> TranscriptShown:
    """Return one transcript as we understand it; raises TranscriptError."""

    return TranscriptShown(transcript=read_transcript(path, person=person))


def files_in(paths: Sequence[Path]) -> list[Path]:
    """Return the files that paths name, those of folders in order of their names; raises TranscriptError for none."""
    files: list[Path] = []
    for path in paths:
        if path.is_dir():
            files += sorted(one for one in path.rglob("*") if one.suffix.lower() in _ENDINGS and one.is_file())
        elif path.exists():
            files.append(path)
        else:
            raise TranscriptError(f"`{path}` is not there", hint="name a transcript, or a folder of them")
    return files
