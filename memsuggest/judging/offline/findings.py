"""Findings: what an engine makes of one session, said once each, and the seam that every engine keeps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from memsuggest.core.identity import normalised
from memsuggest.core.model import Candidate, MemoryFact, Skipped, Transcript


class Extractor(Protocol):
    """Turns a transcript into candidates; modules implement it."""

    NAME: str

    def extract(self, transcript: Transcript, known: Sequence[MemoryFact]) -> Findings:
        """Find what is worth remembering; every citation's quote stands in the typed text of its turn."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """The findings of an engine in one session."""

    candidates: tuple[Candidate, ...]
    held: tuple[Skipped, ...] = ()
    """What was said but would weaken safety or cannot be stored; to be shown loudly."""
    verdicts: tuple[Verdict, ...] = ()
    """What our own rules make of every statement."""

    def after(self, turn: int) -> Findings:
        """Leave out the candidates that rest on turns up to this one alone."""
        new = (
            candidate for candidate in self.candidates if any(citation.turn > turn for citation in candidate.citations)
        )
        return replace(self, candidates=tuple(new))


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The outcome for one statement."""

    turn: int
    text: str
    why: str
    probability: float = 0.0
    """Of its being worth remembering, as our own engine sees it."""
    candidate: Candidate | None = None
    """None where it is dropped."""
    held: str = ""
    """Why it is held back although the person said it; to be shown loudly."""

    @property
    def kept(self) -> bool:
        return self.candidate is not None


def merged_candidates(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Unite candidates that say the same in the same words, in the order of their first utterance."""
    kept: dict[tuple[str, str], Candidate] = {}
    for candidate in candidates:
        key = (candidate.scope, normalised(candidate.content))
        kept[key] = _united(kept[key], candidate) if key in kept else candidate
    return list(kept.values())


def _united(one: Candidate, two: Candidate) -> Candidate:
    best, other = (two, one) if (two.explicit, two.confidence) > (one.explicit, one.confidence) else (one, two)
    return replace(
        best,
        citations=tuple(dict.fromkeys((*best.citations, *other.citations))),
        tags=tuple(dict.fromkeys((*best.tags, *other.tags))),
    )
