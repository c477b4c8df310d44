"""Extraction as a command: what an engine finds in transcripts, stored nowhere."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
            transcript = read_transcript(path, person=person)
            findings = engine.extract(transcript, [])
        except (TranscriptError, ModelError) as error:
            if len(files) == 1:
                raise
            skipped.append(Skipped(what=str(path), why=error.message))
            continue
        verdicts = (
            (verdict.turn, verdict.text, verdict.candidate.outcome if verdict.candidate else None, verdict.why)
            for verdict in (findings.verdicts if explain else ())
        )
        extraction = Extraction(
            path=str(path),
            transcript=transcript,
            candidates=tuple(each for each in findings.candidates if with_maybes or each.outcome is Outcome.SUGGEST),
            skipped=(*transcript.skipped, *findings.skipped),
            verdicts=tuple(verdicts),
        )
        extractions.append(extraction)
    return Extracted(engine=engine.NAME, extractions=tuple(extractions), skipped=tuple(skipped))
