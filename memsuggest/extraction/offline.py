"""The offline engine: typed text to candidates by rules and a small fitted model. No network, no language model.

Reads like the job: directives first, then every statement is judged, worded and routed; what says the same is one.
Candidates from 0.6 on are suggested: directives, and what says by its form that it is to last. The rest is kept aside
as a maybe, the likeliest few of a session.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memsuggest.extraction import safety
from memsuggest.extraction.confirmations import proposal_to_remember, restates
from memsuggest.extraction.derive import derives_from_quotes
from memsuggest.extraction.directives import ARCHIVE, CONTENT_LIMIT, Directive, find_directives
from memsuggest.extraction.documents import rules_in
from memsuggest.extraction.evidence import cite
from memsuggest.extraction.fact_kinds import kind_of
from memsuggest.extraction.findings import Findings, Verdict
from memsuggest.extraction.judgement import MAYBE_FROM, Judgement, judge
from memsuggest.extraction.merge_candidates import merged_candidates
from memsuggest.extraction.rejections import choice_in, refused_file, with_its_name
from memsuggest.extraction.retractions import is_retraction, taken_back
from memsuggest.extraction.scope import scope_of
from memsuggest.extraction.statements import Statement, speaks_of_work, statements_of
from memsuggest.extraction.wording import Worded, capitalised, word
from memsuggest.memory.tags import UPDATE
from memsuggest.model import QUOTE_LIMIT, SUGGEST_FROM, Candidate, Kind, Scope, Skipped, Trust
from memsuggest.redact.finding import MARK

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from memsuggest.extraction.documents import Written
    from memsuggest.model import Citation, MemoryFact, Transcript, Turn

NAME = "offline"
MAYBES = 8
"""Of a session, the likeliest ones; people say about three lasting things in one."""
DIRECTIVE_CONFIDENCE = 0.95
REJECTION_CONFIDENCE = 0.7
"""Of a choice that is half in what the assistant was about to do."""
CONFIRMED_MOST = 0.75
"""Of what the assistant put into words first."""
MAYBE_MOST = 0.55
"""Of what may not be suggested at once: it may have been pasted, or does not say what it is about."""
_LINKED = "stands beside a page to read in the first prompt, which a link may have written; say it again to keep it"


def extract(transcript: Transcript, known: Sequence[MemoryFact] = ()) -> Findings:
    """Find what is worth remembering in a session; what is `known` already is none of this engine's business."""
    verdicts = _verdicts(transcript)
    return Findings(
        candidates=tuple(merged_candidates([verdict.candidate for verdict in verdicts if verdict.candidate])),
        held=tuple(
            Skipped(what=f"turn {verdict.turn} of {transcript.origin}: {verdict.text[:80]!r}", why=verdict.held)
            for verdict in verdicts
            if verdict.held
        ),
        verdicts=verdicts,
    )


@dataclass(slots=True, kw_only=True)
class OfflineEngine:
    """Our own rules in a workspace, where they also read what the assistant wrote there."""

    read_written: Callable[[Transcript], Sequence[Written]]
    """Returns the documents that the assistant wrote in a session, as far as they may be read."""
    NAME: str = NAME

    def extract(self, transcript: Transcript, known: Sequence[MemoryFact]) -> Findings:
        """Find what the person said, and behind it what only a document says that nobody knows yet."""
        said = extract(transcript, known)
        told = rules_in(self.read_written(transcript), transcript)
        contents = {one.content for one in said.candidates} | {fact.content for fact in known}
        only_written = (one for one in told.rules if one.content not in contents)
        return replace(said, candidates=(*said.candidates, *only_written), held=(*said.held, *told.held))


def _verdicts(transcript: Transcript) -> tuple[Verdict, ...]:
    """Judge every statement of a session."""
    found = list(_judged(transcript))
    likeliest = sorted(
        (one for one in found if one.candidate and one.candidate.confidence < SUGGEST_FROM),
        key=lambda one: -one.candidate.confidence if one.candidate else 0,
    )
    too_many = {id(one) for one in likeliest[MAYBES:]}
    verdicts = (
        replace(one, candidate=None, why=f"{MAYBES} others of this chat are likelier: {one.why}")
        if id(one) in too_many
        else one
        for one in found
    )
    linked = _linked_turn(transcript)
    return tuple(
        replace(one, candidate=None, why=_LINKED, held=_LINKED) if one.candidate and one.turn == linked else one
        for one in verdicts
    )


def _linked_turn(transcript: Transcript) -> int:
    """Number the first prompt where it asks to read a page: a link may have written what stands beside it."""
    first = next((turn for turn in transcript.turns if turn.typed), None)
    if not first or transcript.context or not safety.has_read_order(_said(first)):
        return 0
    return first.number


def _said(turn: Turn) -> str:
    """Return what the person typed in a turn, without what they quoted or pasted."""
    ends = [0, *(end for _, end in turn.quoted)]
    starts = [*(start for start, _ in turn.quoted), len(turn.typed)]
    return "\n".join(turn.typed[end:start] for end, start in zip(ends, starts, strict=True))


def _judged(transcript: Transcript) -> Iterator[Verdict]:
    directed: dict[int, list[tuple[int, int]]] = {}
    before: Turn | None = None
    for turn in transcript.turns:
        quoted = tuple(sorted((*turn.quoted, *turn.doubtful)))
        for directive in find_directives(turn.typed, quoted):
            directed.setdefault(turn.number, []).append((directive.start, directive.end))
            yield _of_directive(transcript, turn, directive)
        if turn.signals.remember:
            directed.setdefault(turn.number, []).append((0, len(turn.typed)))
            yield _of_directive(transcript, turn, _remembered(turn))
        if choice := choice_in(turn, before):
            yield _of_choice(transcript, turn, *choice)
        before = turn
    statements = [one for one in statements_of(transcript) if not _stands_in(one, directed)]
    back = taken_back(statements)
    for place, statement in enumerate(statements):
        if place in back:
            yield _dropped(statement, f"taken back in turn {back[place]}")
        else:
            yield _of_statement(transcript, statement)


def _stands_in(statement: Statement, stretches: dict[int, list[tuple[int, int]]]) -> bool:
    """Tell whether a statement is part of a directive."""
    found = stretches.get(statement.turn.number, ())
    return any(start <= statement.sentence.start < end for start, end in found)


def _remembered(turn: Turn) -> Directive:
    """Make a directive of what the person gave to the assistant's own command for remembering."""
    return Directive(kind=Kind.FACT, scope=scope_of(turn.typed), body=turn.typed.strip(), start=0, end=len(turn.typed))


def _of_directive(transcript: Transcript, turn: Turn, directive: Directive) -> Verdict:
    """Make a rule of what the person wrote down to be remembered, or say why not."""
    quote = directive.quote(turn.typed)
    content = capitalised(safety.one_line(directive.body))
    held = safety.refused(directive.body) or safety.weakens_safety(content)
    if not held and not 0 < len(content) <= CONTENT_LIMIT:
        held = f"longer than {CONTENT_LIMIT} characters" if content else "says nothing"
    if held:
        return Verdict(turn=turn.number, text=quote, why=held, held=held)
    candidate = Candidate(
        content=content,
        kind=directive.kind,
        scope=directive.scope,
        confidence=DIRECTIVE_CONFIDENCE,
        citations=(cite(transcript, turn, quote),),
        found_by="directive",
        tags=(ARCHIVE,) if directive.archived else (),
        explicit=True,
    )
    return Verdict(turn=turn.number, text=quote, why="you marked it as something to remember", candidate=candidate)


def _of_choice(transcript: Transcript, turn: Turn, content: str, refused: str) -> Verdict:
    """Make a rule of a bare name said while refusing or changing a command: it is chosen instead."""
    candidate = Candidate(
        content=content,
        kind=Kind.CORRECTION,
        confidence=REJECTION_CONFIDENCE,
        citations=(cite(transcript, turn, turn.typed, trust=Trust.CONFIRMED),),
        found_by="rejection",
        tags=(UPDATE,),
    )
    why = f"said while refusing `{refused}`, or on changing it"
    return Verdict(turn=turn.number, text=turn.typed, why=why, candidate=candidate)


def _of_statement(transcript: Transcript, statement: Statement) -> Verdict:
    """Judge and word one statement, and say what became of it."""
    proposal = proposal_to_remember(statement.plain, statement.heard)
    judgement = judge(statement)
    if not statement.is_amid_work and not speaks_of_work(statement.plain):
        return _dropped(statement, "it is talk about other things than software")
    if is_retraction(statement) and not judgement.is_sure:
        return _dropped(statement, "it takes something back")
    refused = refused_file(statement.turn) if judgement.is_sure else ""
    is_confirmed = bool(proposal or refused) or restates(statement.plain, statement.heard)
    if judgement.probability < MAYBE_FROM and not is_confirmed:
        return _dropped(statement, judgement.why_not, probability=judgement.probability)
    quote = statement.text[:QUOTE_LIMIT].strip()
    if "[REDACTED:secret]" in quote and not judgement.is_sure and not is_confirmed:
        return _dropped(statement, "it is about a secret, which is not kept", probability=judgement.probability)
    before = statement.sentence.before[:QUOTE_LIMIT].strip()
    scope = scope_of(quote)
    worded = (
        Worded(content=capitalised(proposal))
        if proposal
        else word(
            with_its_name(quote, refused) if refused else quote,
            before=before,
            said=statement.turn.at,
            is_personal=scope is Scope.USER,
        )
    )
    if why := _unusable(quote, worded):
        return _dropped(statement, why)
    held = safety.refused(worded.content) or safety.weakens_safety(worded.content)
    if not held and safety.commands_a_machine(statement.sentence.paragraph[:4000]):
        held = "stands beside an order to ignore instructions"
    if held:
        return _dropped(statement, held, held=held)
    quotes = (quote, before) if worded.leans else (quote,)
    if not derives_from_quotes(worded.content, quotes, known=(proposal, refused, *worded.named)):
        return _dropped(statement, "a rule made of it would say more than you said")
    confidence = _confidence(statement, judgement, worded, is_confirmed=is_confirmed, is_proposal=bool(proposal))
    trust = Trust.DOUBTFUL if statement.is_doubtful else Trust.CONFIRMED if is_confirmed else Trust.TYPED
    cited = tuple(cite(transcript, statement.turn, text, trust=trust) for text in quotes)
    return _kept(statement, judgement, worded, scope=scope, confidence=confidence, citations=cited)


def _kept(
    statement: Statement,
    judgement: Judgement,
    worded: Worded,
    *,
    scope: Scope,
    confidence: float,
    citations: tuple[Citation, ...],
) -> Verdict:
    """Make a candidate of a statement, and say why."""
    candidate = Candidate(
        content=worded.content,
        reason=worded.reason,
        kind=kind_of(judgement.features),
        scope=scope,
        confidence=confidence,
        citations=citations,
        found_by="said to last" if judgement.is_sure else "model",
        tags=(UPDATE,) if _is_update(judgement) else (),
    )
    return Verdict(
        turn=statement.turn.number,
        text=statement.text,
        why=f"it {worded.unclear}; {judgement.why}" if worded.unclear else judgement.why,
        probability=judgement.probability,
        candidate=candidate,
    )


def _is_update(judgement: Judgement) -> bool:
    """Tell whether a statement changes what held before: "from now on p_ instead of q_"."""
    return "is:changed-for-good" in judgement.features or {"cue:from-now-on", "cue:rather"} <= judgement.features


def _unusable(quote: str, worded: Worded) -> str:
    """Say why nothing can be made of a statement, or nothing."""
    if not worded.content:
        return "it says nothing by itself"
    if MARK in worded.content:
        return "part of it was secret or personal and was taken out"
    return "it begins or ends within code" if quote.count("`") % 2 else ""


def _confidence(
    statement: Statement, judgement: Judgement, worded: Worded, *, is_confirmed: bool, is_proposal: bool
) -> float:
    """Bound what is believed of a statement by what may be suggested at once."""
    most = CONFIRMED_MOST if is_confirmed else 1.0
    if is_proposal or statement.is_doubtful or worded.unclear or not judgement.is_sure:
        most = MAYBE_MOST
    return round(min(most, judgement.confidence), 2)


def _dropped(statement: Statement, why: str, *, probability: float = 0.0, held: str = "") -> Verdict:
    """Say of a statement why it is not kept; `held` where the person should be told loudly."""
    return Verdict(turn=statement.turn.number, text=statement.text, why=why, probability=probability, held=held)
