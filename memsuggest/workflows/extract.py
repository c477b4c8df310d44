"""`extract`: what an engine finds in transcripts, stored nowhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.errors import ModelError, TranscriptError
from memsuggest.model import Skipped
from memsuggest.reports.learning import Extracted, Extraction
from memsuggest.transcripts.discovery import find_named
from memsuggest.transcripts.reading import read_transcript

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from memsuggest.extraction.engines import Extractor


def extract(
    paths: Sequence[Path],
    *,
    engine: Extractor,
    person: str | None,
    explain: bool,
    progress: Callable[[int, int, str], None],
) -> Extracted:
    """Read transcripts and return their candidates; one that cannot be read is skipped, unless it is the only one."""

    found = find_named(paths)
    files = [one.path for one in found.transcripts]
    extractions: list[Extraction] = []
    skipped: list[Skipped] = [*found.skipped]
    for done, path in enumerate(files):
        progress(done, len(files), path.name)
        try:
            extractions.append(_extract_one(path, engine, person=person, explain=explain))
        except (TranscriptError, ModelError) as error:
            if len(files) == 1:
                raise
            skipped.append(Skipped(what=str(path), why=error.message))
    return Extracted(engine=engine.NAME, extractions=tuple(extractions), skipped=tuple(skipped))


def _extract_one(path: Path, engine: Extractor, *, person: str | None, explain: bool) -> Extraction:

    transcript = read_transcript(path, person=person)
    found = engine.extract(transcript, [])
    held = engine.held_back(transcript)
    verdicts = [(one.turn, one.text, one.kept, one.why) for one in engine.explain(transcript)] if explain else []
    return Extraction(
        path=str(path),
        transcript=transcript,
        candidates=tuple(found),
        skipped=(*transcript.skipped, *held),
        verdicts=tuple(verdicts),
    )
