"""One transcript, and what is worth remembering in it: all that can be told without the stores.

Nothing here depends on another transcript, so that several processes may do it at once.
"""

from __future__ import annotations

import signal
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memsuggest.errors import TranscriptError
from memsuggest.extraction.offline import OfflineEngine
from memsuggest.model import is_only_of_assistants
from memsuggest.transcripts.discovery import read_found
from memsuggest.workflows.learn.assistant_documents import OWN_LIMIT, written_in

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from memsuggest.extraction.findings import Findings
    from memsuggest.model import Candidate, MemoryFact, Transcript
    from memsuggest.transcripts.discovery import FoundTranscript
    from memsuggest.transcripts.progress.continuing import Checkpoint, ReadOn


_CRASHES = 0x80000000  # exit codes from here on are crashes on Windows


@dataclass(frozen=True, slots=True, kw_only=True)
class Gone:
    """No answer: the processes that read this transcript ended."""

    code: int
    """The exit code of the last one; a signal's number, negative, where it was one."""

    @property
    def name(self) -> str:
        """The name of what ended it."""
        try:
            return signal.Signals(-self.code).name
        except ValueError:
            return f"exit code {self.code:#x}" if self.code >= _CRASHES else f"exit code {self.code}"

    @property
    def is_crash(self) -> bool:
        """Tell whether it was ended from outside, or broke; else it ended by itself, which is a bug of ours."""
        return self.code < 0 or self.code >= _CRASHES


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A transcript to be read, and from where on."""

    one: FoundTranscript
    root: Path
    person: str | None
    checkpoint: Checkpoint | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Understood:
    """A transcript as it was understood."""

    read: ReadOn
    findings: Findings
    """What our own rules find in it, whatever is known already."""

    def extract(self, _transcript: Transcript, known: Sequence[MemoryFact]) -> Findings:
        """Return what was found, but for what only a document says and is known in these very words."""
        contents = {fact.content for fact in known}
        found = (one for one in self.findings.candidates if not (is_only_written(one) and one.content in contents))
        return replace(self.findings, candidates=tuple(found))


@dataclass(frozen=True, slots=True, kw_only=True)
class Unreadable:
    """The reason why a transcript could not be read."""

    why: str


def understand(job: Job) -> Understood | Unreadable:
    """Read a transcript, and find by our own rules what is worth remembering."""
    try:
        read = read_now(job, None)
    except TranscriptError as error:
        return Unreadable(why=error.message)
    found = own_rules(job.root).extract(read.transcript, ())
    return Understood(read=read, findings=replace(found, verdicts=()))  # nobody asks another process for reasons


def read_now(job: Job, early: Understood | Unreadable | Gone | None) -> ReadOn:
    """Return what was read before, or read it; raises TranscriptError."""
    if isinstance(early, Understood):
        return early.read
    if isinstance(early, Unreadable):
        raise TranscriptError(early.why)
    if early is not None:
        raise TranscriptError(f"{early.name} ended the process that read it; it is tried again at the next run")
    return read_found(job.one, job.root, person=job.person, checkpoint=job.checkpoint)


def found_before(early: object, transcript: Transcript) -> Understood | None:
    """Return what was found in just this transcript before; None where it was another part of the session."""
    return early if isinstance(early, Understood) and early.read.transcript is transcript else None


def own_rules(root: Path) -> OfflineEngine:
    """Return our own rules at work in a workspace."""
    return OfflineEngine(read_written=lambda transcript: written_in(root, transcript, limit=OWN_LIMIT))


def is_only_written(candidate: Candidate) -> bool:
    """Tell whether nobody said it: it stands in what an assistant wrote."""
    return is_only_of_assistants(candidate.citations)
