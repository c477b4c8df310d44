"""The offline engine: typed text to candidates by rules alone. Deterministic, no network, no model.

Reads like the job: directives first, then every statement is weighed, worded, routed; what says the same is one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from memsuggest.extraction import policy, safety
from memsuggest.extraction.derive import derives_from_quotes
from memsuggest.extraction.directives import ARCHIVE, CONTENT_LIMIT, Directive, find_directives
from memsuggest.extraction.evidence import cite
from memsuggest.extraction.judgement import FLOOR, Judgement, judge
from memsuggest.extraction.kinds import kind_of
from memsuggest.extraction.merging import CEILING, MENTION, merged
from memsuggest.extraction.refused_files import naming_refused_file
from memsuggest.extraction.rejections import Edited, choice_of, choice_on_editing, edited_in
from memsuggest.extraction.retractions import taken_back
from memsuggest.extraction.scope import scope_of
from memsuggest.extraction.session import remarks_of
from memsuggest.extraction.talks import Told, told_in
from memsuggest.extraction.wording import capitalised, word
from memsuggest.memory.claims import claims_of
from memsuggest.model import QUOTE_LIMIT, Candidate, FactStatus, Kind, Scope, Skipped, Trust
from memsuggest.redact.found import MARK

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memsuggest.extraction.remarks import Remark
    from memsuggest.model import MemoryFact, Transcript, Turn

NAME = "offline"
DIRECTIVE_CONFIDENCE = 0.95
_PARAGRAPH = 4000  # characters of it that are looked through
_HEARD = 300  # characters at the end of what the assistant said, in which a pronoun may have its noun
CONFIRMED_CONFIDENCE = 0.75
"""At most this for what the assistant put into words first."""
TOLD = "told-in-pieces"
TOLD_CONFIDENCE = 0.85
"""For what people tell each other in several sentences."""
REJECTION_CONFIDENCE = 0.7
"""For a choice that is half in what the assistant was about to do."""
_LINKED = "stands beside a page to read in the first prompt, which a link may have written; say it again to keep it"
UPDATE = "update"
"""Tag of a rule that changes an earlier one."""
REPLACES = "replaces:"
"""Begins the tag of a rule in whose place another one comes, known by its id."""


Rules = tuple[tuple[str, str], ...]
"""Ids and contents of rules in force."""


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
    """Find what is worth remembering in a session; `known` tells what people mean who speak of it among themselves."""
    is_talk = transcript.is_among_people
    in_force = tuple((fact.id, fact.content) for fact in known if is_talk and fact.status is FactStatus.ACTIVE)
    found = merged([verdict.candidate for verdict in _verdicts(transcript, in_force) if verdict.candidate])
    edits = [edited for turn in transcript.turns if (edited := edited_in(turn))]
    return [_backed(candidate, edits) for candidate in found] if edits else found


def _backed(candidate: Candidate, edits: Sequence[Edited]) -> Candidate:
    """Believe a rule more that the person followed themselves, when they changed a command before it ran."""
    if candidate.explicit or not any(edited.agrees(candidate.content) for edited in edits):
        return candidate
    return replace(
        candidate, confidence=max(candidate.confidence, round(min(CEILING, candidate.confidence + MENTION), 2))
    )


def explain(transcript: Transcript) -> list[Verdict]:
    """Say of every statement of a session why it was kept or dropped."""
    return list(_verdicts(transcript))


def held_back(transcript: Transcript) -> list[Skipped]:
    """List what was said but is held back because it would weaken safety, or cannot be stored."""
    return [
        Skipped(what=f"turn {verdict.turn} of {transcript.origin}: {verdict.text[:80]!r}", why=verdict.held)
        for verdict in _verdicts(transcript)
        if verdict.held
    ]


@lru_cache(maxsize=1)
def _verdicts(transcript: Transcript, in_force: Rules = ()) -> tuple[Verdict, ...]:
    """Weigh a session, once for all that is asked about it in a row."""
    return tuple(_ruled(transcript, in_force))


def _ruled(transcript: Transcript, in_force: Rules) -> Iterator[Verdict]:
    """Weigh a session; what stands in its first prompt beside a page to read may come from a link that wrote it."""
    first = next((turn for turn in transcript.turns if turn.typed), None)
    is_opened = not transcript.is_among_people and not transcript.context  # no link opens a talk, or the end of a chat
    linked = first.number if first and is_opened and safety.has_read_order(_said(first)) else 0
    for verdict in _weighed(transcript, in_force):
        is_held = verdict.candidate is not None and verdict.turn == linked
        yield replace(verdict, kept=False, candidate=None, why=_LINKED, held=_LINKED) if is_held else verdict


def _said(turn: Turn) -> str:
    """What the person typed in a turn, without what they quoted or pasted."""
    ends = [0, *(end for _, end in turn.quoted)]
    starts = [*(start for start, _ in turn.quoted), len(turn.typed)]
    return "\n".join(turn.typed[end:start] for end, start in zip(ends, starts, strict=True))


def _weighed(transcript: Transcript, in_force: Rules) -> Iterator[Verdict]:
    edited: Edited | None = None
    for turn in transcript.turns:
        for directive in find_directives(turn.typed, turn.quoted):
            yield _of_directive(transcript, turn, directive)
        if turn.signals.remember:
            yield _of_memory(transcript, turn)
        if verdict := _of_rejection(transcript, turn, edited):
            yield verdict
        edited = edited_in(turn)
    remarks = [remark for remark in remarks_of(transcript) if not remark.turn.signals.remember]
    back = taken_back(remarks)
    told = told_in(remarks, in_force) if transcript.is_among_people else {}
    for position, remark in enumerate(remarks):
        is_ruled = any(one.content for one in told.get(position, ()))  # what comes later replaces it, by what it fixes
        if position in back and not is_ruled:
            yield _dropped(remark, judge(remark), f"taken back in turn {back[position]}")
        elif position in told:
            yield from (_of_told(transcript, remark, one) for one in told[position])
        else:
            yield _of_remark(transcript, remark)


def _of_memory(transcript: Transcript, turn: Turn) -> Verdict:
    """What the person gave to the assistant's own memory is a directive without a name."""
    remark = next(iter(remarks_of(replace(transcript, turns=(turn,)))), None)
    scope = scope_of(remark) if remark else Scope.WORKSPACE
    kind = kind_of(judge(remark).fired) if remark else Kind.FACT
    directive = Directive(kind=kind, scope=scope, body=turn.typed.strip(), start=0, end=len(turn.typed))
    return _of_directive(transcript, turn, directive)


def _of_rejection(transcript: Transcript, turn: Turn, edited: Edited | None) -> Verdict | None:
    """A bare name said while refusing a command, or on changing it, chooses that instead of the command."""
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


def _of_directive(transcript: Transcript, turn: Turn, directive: Directive) -> Verdict:
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


def _of_remark(transcript: Transcript, remark: Remark) -> Verdict:
    spoken, file = naming_refused_file(remark.statement.text, remark.turn)
    judgement = judge(replace(remark, statement=replace(remark.statement, text=spoken)) if file else remark)
    if judgement.confidence < FLOOR:
        return _dropped(remark, judgement, f"not enough for it ({judgement.balance})")
    quote = remark.statement.text[:QUOTE_LIMIT].strip()
    before = remark.statement.before[:QUOTE_LIMIT].strip()
    said = spoken[:QUOTE_LIMIT].strip() if file else quote
    worded = word(said, before=before, heard=remark.answered[-_HEARD:], said=remark.turn.at)
    if not worded.content:
        return _dropped(remark, judgement, "it does not stand alone, and nothing before it says what it is about")
    if MARK in worded.content:
        return _dropped(remark, judgement, "part of it was secret or personal and was taken out")
    if quote.count("`") % 2:
        return _dropped(remark, judgement, "it begins or ends within code")
    held = safety.refused(worded.content) or safety.weakens_safety(quote)
    if not held and safety.commands_a_machine(remark.statement.paragraph[:_PARAGRAPH]):
        held = "stands beside an order to ignore instructions"
    if held:
        return _dropped(remark, judgement, held, held=held)
    quotes = (quote, before) if worded.leans else (quote,)
    if not derives_from_quotes(worded.content, quotes, known=(*worded.named, file)):
        return _dropped(remark, judgement, "its wording would say more than was said")
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


def _of_told(transcript: Transcript, remark: Remark, told: Told) -> Verdict:
    """What people tell each other in pieces, as one rule."""
    judgement = judge(remark)
    if told.is_lead:
        return _dropped(remark, judgement, "it leads up to what is said next, or speaks of what is known")
    quote = remark.statement.text[:QUOTE_LIMIT].strip()
    before, heard = remark.statement.before[:QUOTE_LIMIT].strip(), remark.answered[-_HEARD:]
    worded = word(quote, before=before, heard=heard).content if told.is_whole or not told.content else ""
    content = worded if _says_all(worded, told.content) else told.content
    held = safety.refused(content) or safety.weakens_safety(quote)
    if held or not content:
        return _dropped(remark, judgement, held or "it does not stand alone", held=held)
    if not derives_from_quotes(content, (quote, told.before)):
        return _dropped(remark, judgement, "its wording would say more than was said")
    quotes = (quote, told.before[:QUOTE_LIMIT].strip()) if told.before else (quote,)
    is_update = told.is_update or policy.changes_a_rule(remark)
    confidence = max(judgement.confidence, TOLD_CONFIDENCE)
    candidate = Candidate(
        content=content,
        kind=kind_of(judgement.fired),
        scope=scope_of(remark),
        confidence=confidence,
        citations=tuple(cite(transcript, remark.turn, text) for text in quotes),
        found_by=judgement.best or TOLD,
        tags=(*((UPDATE,) if is_update else ()), *(f"{REPLACES}{identity}" for identity in told.replaces)),
    )
    return Verdict(
        turn=remark.turn.number,
        text=remark.statement.text,
        kept=True,
        why="it says how code is written, together with what was said around it",
        cues=judgement.cues,
        confidence=confidence,
        candidate=candidate,
    )


def _says_all(worded: str, rule: str) -> bool:
    """Whether the wording of a sentence has what the rule in it fixes."""
    ruled, said = ({(claim.subject, claim.value) for claim in claims_of(text)} for text in (rule, worded))
    return bool(worded) and ruled <= said


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
