"""The offline engine: typed text to candidates by rules alone. Deterministic, no network, no model.

Reads like the job: directives first, then every statement is weighed, worded, routed; what says the same is one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memsuggest.extraction import safety
from memsuggest.extraction.derive import derives_from_quotes
from memsuggest.extraction.directives import ARCHIVE, CONTENT_LIMIT, find_directives
from memsuggest.extraction.judgement import FLOOR, Judgement, judge
from memsuggest.extraction.kinds import kind_of
from memsuggest.extraction.merging import merged
from memsuggest.extraction.scope import scope_of
from memsuggest.extraction.session import remarks_of
from memsuggest.extraction.wording import word
from memsuggest.model import QUOTE_LIMIT, Candidate, Citation, Skipped, Trust

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memsuggest.extraction.directives import Directive
    from memsuggest.extraction.remarks import Remark
    from memsuggest.model import MemoryFact, Transcript, Turn

NAME = "offline"
DIRECTIVE_CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What became of one statement, for `extract --explain`."""

    turn: int
    text: str
    kept: bool
    why: str
    cues: tuple[str, ...] = ()
    confidence: float = 0.0
    candidate: Candidate | None = None
    held: str = ""
    """Why it is held back although the person said it; to be shown loudly."""


def extract(transcript: Transcript, known: Sequence[MemoryFact] = ()) -> list[Candidate]:
    """Find what is worth remembering in a session; the engine's own memory plays no part."""
    return merged([verdict.candidate for verdict in _verdicts(transcript) if verdict.candidate])


def explain(transcript: Transcript) -> list[Verdict]:
    """Say of every statement of a session why it was kept or dropped."""
    return list(_verdicts(transcript))


def held_back(transcript: Transcript) -> list[Skipped]:
    """List what was said but is held back because it would weaken safety, or cannot be stored."""
    return [
        Skipped(what=f"turn {verdict.turn}: {verdict.text[:80]!r}", why=verdict.held)
        for verdict in _verdicts(transcript)
        if verdict.held
    ]


def _verdicts(transcript: Transcript) -> Iterator[Verdict]:
    for turn in transcript.turns:
        for directive in find_directives(turn.typed, turn.quoted):
            yield _of_directive(transcript, turn, directive)
    for remark in remarks_of(transcript):
        yield _of_remark(transcript, remark)


def _of_directive(transcript: Transcript, turn: Turn, directive: Directive) -> Verdict:
    held = safety.refused(directive.body) or safety.weakens_safety(directive.body)
    if not held and len(directive.body) > CONTENT_LIMIT:
        held = f"longer than {CONTENT_LIMIT} characters"
    if held:
        return Verdict(turn=turn.number, text=directive.body, kept=False, why=held, held=held)
    quote = directive.quote(turn.typed)
    candidate = Candidate(
        content=directive.body,
        kind=directive.kind,
        scope=directive.scope,
        confidence=DIRECTIVE_CONFIDENCE,
        citations=(_citation(transcript, turn, quote),),
        found_by="directive",
        tags=(ARCHIVE,) if directive.archived else (),
        explicit=True,
    )
    return Verdict(
        turn=turn.number,
        text=quote,
        kept=True,
        why="a directive",
        cues=("directive",),
        confidence=DIRECTIVE_CONFIDENCE,
        candidate=candidate,
    )


def _of_remark(transcript: Transcript, remark: Remark) -> Verdict:
    judgement = judge(remark)
    if judgement.confidence < FLOOR:
        return _dropped(remark, judgement, "more speaks against it than for it")
    quote = remark.statement.text[:QUOTE_LIMIT].strip()
    content = word(quote)
    if not content:
        return _dropped(remark, judgement, "nothing is left without the small words")
    if refused := safety.refused(content):
        return _dropped(remark, judgement, refused, held=refused)
    if why := safety.weakens_safety(content):
        return _dropped(remark, judgement, why, held=why)
    if not derives_from_quotes(content, [quote]):
        return _dropped(remark, judgement, "its wording would say more than was said")
    candidate = Candidate(
        content=content,
        kind=kind_of(judgement.fired),
        scope=scope_of(remark),
        confidence=judgement.confidence,
        citations=(_citation(transcript, remark.turn, quote),),
        found_by=judgement.best,
    )
    return Verdict(
        turn=remark.turn.number,
        text=remark.statement.text,
        kept=True,
        why=", ".join(judgement.cues),
        cues=judgement.cues,
        confidence=judgement.confidence,
        candidate=candidate,
    )


def _dropped(remark: Remark, judgement: Judgement, why: str, *, held: str = "") -> Verdict:
    return Verdict(
        turn=remark.turn.number,
        text=remark.statement.text,
        kept=False,
        why=why,
        cues=judgement.cues,
        confidence=judgement.confidence,
        held=held,
    )


def _citation(transcript: Transcript, turn: Turn, quote: str) -> Citation:
    return Citation(
        session_id=transcript.session_id,
        turn=turn.number,
        quote=quote,
        paths=turn.paths,
        trust=transcript.trust if transcript.trust is not Trust.TYPED else Trust.TYPED,
        at=turn.at,
        format=transcript.format,
    )
