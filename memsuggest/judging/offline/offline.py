"""The offline engine: what the person marked as lasting, and behind it the maybes. No network, no language model.

Suggested are directives (`remember: …`), what was given to the assistant's own command for remembering, and sentences
that say of themselves that they are to last and stand by themselves. Every other sentence is at most a maybe, which
waits for a model or for the person; of these, the likeliest few of a session.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from memsuggest.core.model import (
    AGAIN,
    QUOTE_LIMIT,
    SUGGEST_FROM,
    UPDATE,
    Candidate,
    Kind,
    MemoryFact,
    Skipped,
    Transcript,
    Trust,
    Turn,
)
from memsuggest.core.redact.scan import MARK
from memsuggest.judging import safety
from memsuggest.judging.offline.cues import changes_what_holds, cues_in, kind_of, says_again, scope_of
from memsuggest.judging.offline.derive import derives_from_quotes
from memsuggest.judging.offline.directives import ARCHIVE, CONTENT_LIMIT, Directive, find_directives
from memsuggest.judging.offline.documents import Written, rules_in
from memsuggest.judging.offline.evidence import cite
from memsuggest.judging.offline.findings import Findings, Verdict, merged_candidates
from memsuggest.judging.offline.lasting import lasting_mark, why_not_alone
from memsuggest.judging.offline.statements import Statement, statements_of
from memsuggest.judging.offline.wording import as_line, capitalised

# A linear model over the words of a sentence and the cues in it; its weights stand in `weights.json`, which
# `docs/measure/maybes.py` writes and measures on repositories left out.

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?|[?!:`]")
_LENGTHS = (4, 7, 12, 20, 35)
_MESSAGES = (2, 4, 9, 21)


class Weights(NamedTuple):
    """The weights that training found, in logits."""

    bias: float
    least: float
    """The sum from which a sentence is a maybe."""
    weights: Mapping[str, float]
    """By the name of a feature; one that is not there counts nothing."""


def likelihood(statement: Statement) -> float:
    table = weights()
    total = table.bias + sum(table.weights.get(name, 0.0) for name in features_of(statement))
    return 1 / (1 + math.exp(-total))


def is_maybe_at(probability: float) -> bool:
    return probability >= 1 / (1 + math.exp(-weights().least))


def features_of(statement: Statement) -> list[str]:
    return sorted(set(_features(statement)))


def _features(statement: Statement) -> Iterator[str]:
    yield from (f"cue:{name}" for name in cues_in(statement.plain))
    words = ["#" if word.isdigit() else word for word in _WORD.findall(statement.plain)]
    yield from (f"word:{word}" for word in words)
    yield f"words:{sum(len(words) >= step for step in _LENGTHS)}"
    yield f"sentences:{sum(statement.sentence.count >= step for step in _MESSAGES)}"
    if statement.sentence.in_list:
        yield "list"
    if statement.heard:
        yield "answer"


@cache
def weights() -> Weights:
    """Load the weights when the first sentence is judged."""
    raw = json.loads(files(__package__).joinpath("weights.json").read_text(encoding="utf-8"))
    return Weights(bias=raw["bias"], least=raw["least"], weights=raw["weights"])


NAME = "offline"
MAYBES = 8  # of a session, the likeliest ones; people say about three lasting things in one
DIRECTIVE_CONFIDENCE = 0.95
MARKED_CONFIDENCE = 0.85
MAYBE_MOST = 0.55  # of what may not be suggested at once
_FEWEST = 2  # words of a maybe
_LINKED = "the first prompt asks to read a web page, so this may have come from a link; repeat the rule to keep it"


def extract(transcript: Transcript, known: Sequence[MemoryFact] = ()) -> Findings:
    """Find what is worth remembering in a session; what is `known` already is none of this engine's business."""
    verdicts = _without_linked(transcript, _likeliest(list(_judged(transcript))))
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
        written = rules_in(self.read_written(transcript), transcript)
        contents = {candidate.content for candidate in said.candidates} | {fact.content for fact in known}
        only_written = (rule for rule in written.rules if rule.content not in contents)
        return replace(said, candidates=(*said.candidates, *only_written), held=(*said.held, *written.held))


def _likeliest(verdicts: Sequence[Verdict]) -> list[Verdict]:
    maybes = [verdict for verdict in verdicts if verdict.candidate and verdict.candidate.confidence < SUGGEST_FROM]
    too_many = {id(maybe) for maybe in sorted(maybes, key=_confidence, reverse=True)[MAYBES:]}
    why = f"{MAYBES} other sentences in this chat are more likely to be rules"
    return [replace(verdict, candidate=None, why=why) if id(verdict) in too_many else verdict for verdict in verdicts]


def _confidence(verdict: Verdict) -> tuple[float, float]:
    return (verdict.candidate.confidence if verdict.candidate else 0.0, verdict.probability)


def _without_linked(transcript: Transcript, verdicts: Sequence[Verdict]) -> tuple[Verdict, ...]:
    """Drop what stands in a first prompt that asks to read a page."""
    first = next((turn for turn in transcript.turns if turn.typed), None)
    if not first or transcript.context or not safety.has_read_order(_said(first)):
        return tuple(verdicts)
    return tuple(
        replace(verdict, candidate=None, why=_LINKED, held=_LINKED)
        if verdict.candidate and verdict.turn == first.number
        else verdict
        for verdict in verdicts
    )


def _said(turn: Turn) -> str:
    ends = [0, *(end for _, end in turn.quoted)]
    starts = [*(start for start, _ in turn.quoted), len(turn.typed)]
    return "\n".join(turn.typed[end:start] for end, start in zip(ends, starts, strict=True))


def _judged(transcript: Transcript) -> Iterator[Verdict]:
    directed: dict[int, list[tuple[int, int]]] = {}
    for turn in transcript.turns:
        quoted = tuple(sorted((*turn.quoted, *turn.doubtful)))
        found = find_directives(turn.typed, quoted)
        found += [_remembered(turn)] if turn.signals.remember else []
        for directive in found:
            directed.setdefault(turn.number, []).append((directive.start, directive.end))
            yield _of_directive(transcript, turn, directive)
    for statement in statements_of(transcript):
        stretches = directed.get(statement.turn.number, ())
        if not any(start <= statement.sentence.start < end for start, end in stretches):
            yield _of_statement(transcript, statement)


def _remembered(turn: Turn) -> Directive:
    return Directive(kind=Kind.FACT, scope=scope_of(turn.typed), body=turn.typed.strip(), start=0, end=len(turn.typed))


def _of_directive(transcript: Transcript, turn: Turn, directive: Directive) -> Verdict:
    quote = directive.quote(turn.typed)
    content = capitalised(safety.one_line(directive.body))
    held = safety.refused(directive.body) or safety.known_danger(content)
    if not held and not 0 < len(content) <= CONTENT_LIMIT:
        held = f"longer than {CONTENT_LIMIT} characters" if content else "is empty"
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
    return Verdict(
        turn=turn.number, text=quote, why="you marked this text as something to remember", candidate=candidate
    )


def _of_statement(transcript: Transcript, statement: Statement) -> Verdict:
    count = statement.sentence.count
    mark = lasting_mark(statement.core, sentences=count) or lasting_mark(statement.plain, sentences=count)
    probability = round(likelihood(statement), 3)
    if not mark and not is_maybe_at(probability) and not says_again(statement.plain):
        return _dropped(statement, "no sign of a lasting rule", probability=probability)
    quote = statement.text[:QUOTE_LIMIT].strip()
    content = as_line(quote)
    if why := _unusable(statement, quote, content):
        return _dropped(statement, why, probability=probability)
    if held := _refused(statement, content):
        return _dropped(statement, held, held=held)
    leans = "may have been pasted" if statement.is_doubtful else ""
    leans = leans or (why_not_alone(statement.text, content, mark=mark) if mark else "")
    return _kept(transcript, statement, content, mark=mark, leans=leans, probability=probability)


def _unusable(statement: Statement, quote: str, content: str) -> str:
    if len(statement.plain.split()) < _FEWEST and statement.text.isascii():
        return "is too short on its own"
    if MARK in content or "[REDACTED:secret]" in quote:
        return "the text contained a secret or personal data, which was redacted"
    if quote.count("`") % 2:
        return "begins or ends within code"
    return "" if derives_from_quotes(content, (quote,)) else "a rule made from this text would claim more than you said"


def _refused(statement: Statement, content: str) -> str:
    if why := safety.refused(content) or safety.known_danger(content):
        return why
    is_order = safety.commands_a_machine(statement.sentence.paragraph[:4000])
    return "is next to text that says to ignore instructions" if is_order else ""


def _kept(
    transcript: Transcript, statement: Statement, content: str, *, mark: str, leans: str, probability: float
) -> Verdict:
    """Make a candidate of a sentence: a suggestion where it is marked and stands by itself, else a maybe."""
    is_suggested = bool(mark) and not leans
    unmarked = round(min(MAYBE_MOST, probability), 2)
    confidence = MARKED_CONFIDENCE if is_suggested else MAYBE_MOST if mark else unmarked
    says = f"worded as a lasting rule (“{mark}”)" if mark else "might be a rule, but is not worded as a lasting one"
    candidate = Candidate(
        content=content,
        kind=kind_of(statement.plain),
        scope=scope_of(statement.text),
        confidence=confidence,
        citations=(
            cite(
                transcript,
                statement.turn,
                statement.text[:QUOTE_LIMIT].strip(),
                trust=Trust.DOUBTFUL if statement.is_doubtful else Trust.TYPED,
            ),
        ),
        found_by="said to last" if is_suggested else "maybe",
        tags=(*((UPDATE,) if mark and changes_what_holds(statement.plain) else ()), *_again(statement)),
    )
    return Verdict(
        turn=statement.turn.number,
        text=statement.text,
        why=leans or says,
        probability=probability,
        candidate=candidate,
    )


def _again(statement: Statement) -> tuple[str, ...]:
    return (AGAIN,) if says_again(statement.plain) and not statement.is_doubtful else ()


def _dropped(statement: Statement, why: str, *, probability: float = 0.0, held: str = "") -> Verdict:
    return Verdict(turn=statement.turn.number, text=statement.text, why=why, probability=probability, held=held)
