"""Extraction as a command: what an engine finds in transcripts, stored nowhere."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from memsuggest.core.errors import ModelError, Skipped, TranscriptError
from memsuggest.core.model import Outcome
from memsuggest.judging.offline.findings import Extractor
from memsuggest.learning.learning_reports import Extracted, Extraction
from memsuggest.transcripts.discovery import find_named
from memsuggest.transcripts.reading import read_transcript


def extract(
    paths: Sequence[Path],
    *,
    engine: Extractor,
    person: str | None,
    explain: bool,
    with_maybes: bool = False,
    progress: Callable[[int, int, str], None],
) -> Extracted:
    """Read transcripts and return their candidates; one that cannot be read is skipped, unless it is the only one.

    Of those that are not sure enough to be suggested, only if asked.
    """

    found = find_named(paths)
    files = [transcript.path for transcript in found.transcripts]
    extractions: list[Extraction] = []
    skipped: list[Skipped] = [*found.skipped]
    for done, path in enumerate(files):
        progress(done, len(files), path.name)
        try:
            one = _extract_one(path, engine, person=person, explain=explain)
            extractions.append(one if with_maybes else without_maybes(one))
        except (TranscriptError, ModelError) as error:
            if len(files) == 1:
                raise
            skipped.append(Skipped(what=str(path), why=error.message))
    return Extracted(engine=engine.NAME, extractions=tuple(extractions), skipped=tuple(skipped))


def without_maybes(one: Extraction) -> Extraction:
    return replace(one, candidates=tuple(found for found in one.candidates if found.outcome is Outcome.SUGGEST))


def _extract_one(path: Path, engine: Extractor, *, person: str | None, explain: bool) -> Extraction:
    transcript = read_transcript(path, person=person)
    found = engine.extract(transcript, [])
    verdicts = [
        (verdict.turn, verdict.text, verdict.candidate.outcome if verdict.candidate else None, verdict.why)
        for verdict in (found.verdicts if explain else ())
    ]
    return Extraction(
        path=str(path),
        transcript=transcript,
        candidates=found.candidates,
        skipped=(*transcript.skipped, *found.held),
        verdicts=tuple(verdicts),
    )
