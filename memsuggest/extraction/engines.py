"""The seam between transcripts and candidates: every engine, by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from memsuggest.errors import ConfigError
from memsuggest.extraction import offline

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memsuggest.extraction.offline import Verdict
    from memsuggest.model import Candidate, MemoryFact, Skipped, Transcript


class Extractor(Protocol):
    """Turns a transcript into candidates; modules implement it."""

    NAME: str

    def extract(self, transcript: Transcript, known: Sequence[MemoryFact]) -> list[Candidate]:
        """Find what is worth remembering; every citation's quote stands in the typed text of its turn."""
        ...

    def explain(self, transcript: Transcript) -> list[Verdict]:
        """Say of every statement why it was kept or dropped."""
        ...

    def held_back(self, transcript: Transcript) -> list[Skipped]:
        """List what was said but would weaken safety or cannot be stored; to be shown loudly."""
        ...


ENGINES: dict[str, Extractor] = {offline.NAME: offline}


def find_engine(name: str) -> Extractor:
    """Return the engine of a name, or say which names there are; `auto` is the offline engine."""
    engine = ENGINES.get(offline.NAME if name == "auto" else name)
    if engine is None:
        raise ConfigError(f"there is no engine `{name}`", hint=f"engines: auto, {', '.join(ENGINES)}")
    return engine
