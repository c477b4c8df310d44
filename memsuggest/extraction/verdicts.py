"""Verdicts: what becomes of one directive, one refusal, one statement, with its wording, evidence and tags.

Pure. The ways from what was said to a candidate; `offline` walks through a session and asks for them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memsuggest.extraction import policy, safety
from memsuggest.extraction.derive import derives_from_quotes
from memsuggest.extraction.directives import ARCHIVE, CONTENT_LIMIT, Directive
from memsuggest.extraction.evidence import cite
from memsuggest.extraction.judgement import FLOOR, Judgement, judge
from memsuggest.extraction.kinds import kind_of
from memsuggest.extraction.refused_files import naming_refused_file
from memsuggest.extraction.rejections import Edited, choice_of, choice_on_editing
from memsuggest.extraction.scope import scope_of
from memsuggest.extraction.session import remarks_of
from memsuggest.extraction.wording import capitalised, word
from memsuggest.memory.tags import UPDATE
from memsuggest.model import QUOTE_LIMIT, Candidate, Kind, Scope, Trust
from memsuggest.redact.found import MARK

if TYPE_CHECKING:
    from memsuggest.extraction.remarks import Remark
    from memsuggest.model import Transcript, Turn

DIRECTIVE_CONFIDENCE = 0.95
_PARAGRAPH = 4000  # characters of it that are looked through
_HEARD = 300  # characters at the end of what the assistant said, in which a pronoun may have its noun
CONFIRMED_CONFIDENCE = 0.75
"""At most this for what the assistant put into words first."""
REJECTION_CONFIDENCE = 0.7
"""For a choice that is half in what the assistant was about to do."""


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


def of_memory(transcript: Transcript, turn: Turn) -> Verdict:
    """Make a rule of what the person gave to the assistant's own memory: a directive without a name."""
    remark = next(iter(remarks_of(replace(transcript, turns=(turn,)))), None)
    scope = scope_of(remark) if remark else Scope.WORKSPACE
    kind = kind_of(judge(remark).fired) if remark else Kind.FACT
    directive = Directive(kind=kind, scope=scope, body=turn.typed.strip(), start=0, end=len(turn.typed))
    return of_directive(transcript, turn, directive)


def of_rejection(transcript: Transcript, turn: Turn, edited: Edited | None) -> Verdict | None:
    """Make a rule of a bare name said while refusing or changing a command: it is chosen instead."""
    content, refused = choice_of(turn.typed, turn.signals.rejected_tool)
    if not content:
        content, refused = choice_on_editing(turn.typed, edited)
    if not content or turn.quoted:
        return None
    candidate = Candidate(
        content=content,
        kind=Kind.CORRECTION,
        confidence=REJECTION_CONFIDENCE,
        citations=(cite(transcript, turn, turn.typed, trust=Trust.CONFIRMED),),
        found_by="rejection",
        tags=(UPDATE,),
    )
    why = f"said while refusing `{refused}`, or on changing it"
    return Verdict(
        turn=turn.number, text=turn.typed, kept=True, why=why, confidence=REJECTION_CONFIDENCE, candidate=candidate
    )


def of_directive(transcript: Transcript, turn: Turn, directive: Directive) -> Verdict:
    """Make a rule of what the person wrote down to be remembered, or say why not."""
    quote = directive.quote(turn.typed)
    content = safety.one_line(directive.body)
    held = safety.refused(directive.body) or safety.weakens_safety(content)
    if not held and not 0 < len(content) <= CONTENT_LIMIT:
        held = f"longer than {CONTENT_LIMIT} characters" if content else "says nothing"
    if held:
        return Verdict(turn=turn.number, text=quote, kept=False, why=held, cues=("directive",), held=held)
    candidate = Candidate(
        content=capitalised(content),
        kind=directive.kind,
        scope=directive.scope,
        confidence=DIRECTIVE_CONFIDENCE,
        citations=(cite(transcript, turn, quote),),
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


def of_remark(transcript: Transcript, remark: Remark) -> Verdict:
    """Weigh and word one statement, and say what became of it."""
    spoken, file = naming_refused_file(remark.statement.text, remark.turn)
    judgement = judge(replace(remark, statement=replace(remark.statement, text=spoken)) if file else remark)
    if judgement.confidence < FLOOR:
        return dropped(remark, judgement, f"not enough for it ({judgement.balance})")
    quote = remark.statement.text[:QUOTE_LIMIT].strip()
    before = remark.statement.before[:QUOTE_LIMIT].strip()
    said = spoken[:QUOTE_LIMIT].strip() if file else quote
    worded = word(said, before=before, heard=remark.answered[-_HEARD:], said=remark.turn.at)
    if not worded.content:
        return dropped(remark, judgement, "it does not stand alone, and nothing before it says what it is about")
    if MARK in worded.content:
        return dropped(remark, judgement, "part of it was secret or personal and was taken out")
    if quote.count("`") % 2:
        return dropped(remark, judgement, "it begins or ends within code")
    held = safety.refused(worded.content) or safety.weakens_safety(quote)
    if not held and safety.commands_a_machine(remark.statement.paragraph[:_PARAGRAPH]):
        held = "stands beside an order to ignore instructions"
    if held:
        return dropped(remark, judgement, held, held=held)
    quotes = (quote, before) if worded.leans else (quote,)
    if not derives_from_quotes(worded.content, quotes, known=(*worded.named, file)):
        return dropped(remark, judgement, "its wording would say more than was said")
    is_confirmed = bool(file) or policy.is_restated(remark)
    confidence = min(judgement.confidence, CONFIRMED_CONFIDENCE) if is_confirmed else judgement.confidence
    trust = Trust.CONFIRMED if is_confirmed else Trust.TYPED
    candidate = Candidate(
        content=worded.content,
        reason=worded.reason,
        kind=kind_of(judgement.fired),
        scope=scope_of(remark),
        confidence=confidence,
        citations=tuple(cite(transcript, remark.turn, text, trust=trust) for text in quotes),
        found_by=judgement.best,
        tags=(UPDATE,) if policy.changes_a_rule(remark) else (),
    )
    return Verdict(
        turn=remark.turn.number,
        text=remark.statement.text,
        kept=True,
        why=judgement.balance,
        cues=judgement.cues,
        confidence=confidence,
        candidate=candidate,
    )


def dropped(remark: Remark, judgement: Judgement, why: str, *, held: str = "") -> Verdict:
    """Say of a statement why it is not kept; `held` where the person should be told loudly."""
    return Verdict(
        turn=remark.turn.number,
        text=remark.statement.text,
        kept=False,
        why=why,
        cues=judgement.cues,
        confidence=judgement.confidence,
        held=held,
    )
