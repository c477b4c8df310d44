"""The seam between transcripts and candidates: every engine, by name."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from memsuggest.errors import ConfigError
from memsuggest.extraction import offline
from memsuggest.extraction.documents import rules_in

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memsuggest.extraction.documents import Written
    from memsuggest.extraction.verdict import Verdict
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


@dataclass(slots=True, kw_only=True)
class OfflineEngine:
    """Our own rules in a workspace, where they also read what the assistant wrote there."""

    read_written: Callable[[Transcript], Sequence[Written]]
    """Returns the documents that the assistant wrote in a session, as far as they may be read."""
    NAME: str = offline.NAME
    _held: dict[str, tuple[Skipped, ...]] = field(default_factory=dict, init=False)

    def extract(self, transcript: Transcript, known: Sequence[MemoryFact]) -> list[Candidate]:
        """Find what the person said, and behind it what only a document says that nobody knows yet."""
        said = offline.extract(transcript, known)
        told = rules_in(self.read_written(transcript), transcript)
        self._held[transcript.session_id] = told.held
        contents = {one.content for one in said} | {fact.content for fact in known}
        return [*said, *(one for one in told.rules if one.content not in contents)]

    def explain(self, transcript: Transcript) -> list[Verdict]:
        """Say of every statement why it was kept or dropped."""
        return offline.explain(transcript)

    def held_back(self, transcript: Transcript) -> list[Skipped]:
        """List what was said but would weaken safety or cannot be stored, and documents that hold such."""
        return [*offline.held_back(transcript), *self._held.get(transcript.session_id, ())]


ENGINES: dict[str, Extractor] = {offline.NAME: offline}


def find_engine(name: str) -> Extractor:
    """Return the engine of a name, or say which names there are; `auto` is the offline engine."""
    engine = ENGINES.get(offline.NAME if name == "auto" else name)
    if engine is None:
        raise ConfigError(f"there is no engine `{name}`", hint=f"engines: auto, {', '.join(ENGINES)}")
    return engine
