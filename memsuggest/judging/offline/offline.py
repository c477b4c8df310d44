"""The offline engine: what the person marked as lasting, and behind it the maybes. No network, no language model.

Suggested are directives (`remember: …`), what was given to the assistant's own command for remembering, and sentences
that say of themselves that they are to last and stand by themselves. Every other sentence is at most a maybe, which
waits for a model or for the person; of these, the likeliest few of a session.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import Any

from memsuggest.core.model import (
    AGAIN,
    QUOTE_LIMIT,
    SUGGEST_FROM,
    UPDATE,
    Candidate,
    Citation,
    Kind,
    MemoryFact,
    Role,
    Skipped,
    Transcript,
    Trust,
    Turn,
)
from memsuggest.core.redact.scan import MARK
from memsuggest.judging import safety
from memsuggest.judging.offline.cues import changes_what_holds, cues_in, is_normative, kind_of, says_again, scope_of
from memsuggest.judging.offline.derive import derives_from_quotes
from memsuggest.judging.offline.directives import ARCHIVE, CONTENT_LIMIT, Directive, find_directives
from memsuggest.judging.offline.findings import Findings, Verdict, cite, merged_candidates
from memsuggest.judging.offline.lasting import as_line, capitalised, is_question, lasting_mark, why_not_alone
from memsuggest.judging.offline.statements import Statement, statements_of

# A linear model over the words of a sentence and the cues in it; its weights stand in `weights.json`, which
# `docs/measure/maybes.py` writes and measures on repositories left out.

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?|[?!:`]")
_LENGTHS = (4, 7, 12, 20, 35)
_MESSAGES = (2, 4, 9, 21)


@cache
def weights() -> Mapping[str, Any]:
    """Return what training found, in logits: `bias`, the `weights` of features, the sum from which one is a maybe."""
    loaded: dict[str, Any] = json.loads(files(__package__).joinpath("weights.json").read_text(encoding="utf-8"))
    return loaded


def _probability(logit: float) -> float:
    return 1 / (1 + math.exp(-logit))


def features_of(statement: Statement) -> list[str]:
    words = ["#" if word.isdigit() else word for word in _WORD.findall(statement.plain)]
    found = {f"cue:{name}" for name in cues_in(statement.plain)} | {f"word:{word}" for word in words}
    found.add(f"words:{sum(len(words) >= step for step in _LENGTHS)}")
    found.add(f"sentences:{sum(statement.sentence.count >= step for step in _MESSAGES)}")
    if statement.sentence.in_list:
        found.add("list")
    if statement.heard:
        found.add("answer")
    return sorted(found)


NAME = "offline"
MAYBES = 8  # of a session, the likeliest ones; people say about three lasting things in one
DIRECTIVE_CONFIDENCE = 0.95
MARKED_CONFIDENCE = 0.85
MAYBE_MOST = 0.55  # of what may not be suggested at once
_FEWEST = 2  # words of a maybe
_PASTED = "may have been pasted"
_WISHED = re.compile(
    r"\b(?:can|(?:could|should|would|must)(?:n't)?|won't|will you|shall|may|might|please|why (?:don't|not)"
    r"|isn't it better|warum nicht|pourquoi pas|por qué no"
    r"|kann|können|könn\w{2,4}|soll\w{0,4}|peu[xt]|pou[vr]\w{1,6}|dev\w{2,6}|pued\w{1,4}|pod\w{2,6}|deb\w{1,7})\b"
    r"|能|可以|[请請]|[应應][该該]|もらえ|ください|べき|주세|주실"
)
"""By which a question asks for something. Of 17 others that were maybes in 95 chats, readers kept 2 as rules."""
_TAG = re.compile(
    r"(?:, ?(?:and )?(?:right|ok(?:ay)?|understood|agreed|got it|clear|yes|oder|ja|klar|verstanden|vale|d'accord)"
    r"|[，,] ?(?:好吗|好嗎|对吧|對吧|行吗|行嗎))\W*\Z"
)
"""By which a rule is put as a question."""
_LINKED = (
    "the first prompt asks the assistant to read a web page, so this rule may come from that page; repeat "
    "the rule to keep it"
)


def extract(transcript: Transcript, known: Sequence[MemoryFact] = ()) -> Findings:
    """Find what is worth remembering in a session; what is `known` already is none of this engine's business."""
    verdicts = list(_judged(transcript))
    maybes = [verdict for verdict in verdicts if verdict.candidate and verdict.candidate.confidence < SUGGEST_FROM]
    maybes.sort(key=_confidence, reverse=True)
    less_likely = {id(maybe) for maybe in maybes[MAYBES:]}
    why = f"{MAYBES} other sentences in this chat are more likely to be rules"
    verdicts = [
        replace(verdict, candidate=None, why=why) if id(verdict) in less_likely else verdict for verdict in verdicts
    ]
    first = next((turn for turn in transcript.turns if turn.typed), None)
    if first and not transcript.context:  # what stands in a first prompt that asks to read a page may come from there
        ends = [0, *(end for _, end in first.quoted)]
        starts = [*(start for start, _ in first.quoted), len(first.typed)]
        if safety.has_read_order("\n".join(first.typed[end:start] for end, start in zip(ends, starts, strict=True))):
            verdicts = [
                replace(verdict, candidate=None, why=_LINKED, refused=_LINKED)
                if verdict.candidate and verdict.turn == first.number
                else verdict
                for verdict in verdicts
            ]
    return Findings(
        candidates=tuple(merged_candidates([verdict.candidate for verdict in verdicts if verdict.candidate])),
        skipped=tuple(
            Skipped(what=f"turn {verdict.turn} of {transcript.origin}: {verdict.text[:80]!r}", why=verdict.refused)
            for verdict in verdicts
            if verdict.refused
        ),
        verdicts=tuple(verdicts),
    )


def _confidence(verdict: Verdict) -> tuple[float, float]:
    return verdict.candidate.confidence if verdict.candidate else 0.0, verdict.probability


def _judged(transcript: Transcript) -> Iterator[Verdict]:
    directed: dict[int, list[tuple[int, int]]] = {}
    for turn in transcript.turns:
        found = find_directives(turn.typed, tuple(sorted((*turn.quoted, *turn.doubtful))))
        if turn.signals.remember:
            body, scope = turn.typed.strip(), scope_of(turn.typed)
            found.append(Directive(kind=Kind.FACT, scope=scope, body=body, start=0, end=len(turn.typed)))
        for directive in found:
            directed.setdefault(turn.number, []).append((directive.start, directive.end))
            quote, content = directive.quote(turn.typed), capitalised(safety.one_line(directive.body))
            refused = safety.refused(directive.body) or safety.known_danger(content)
            if not refused and not 0 < len(content) <= CONTENT_LIMIT:
                refused = f"longer than {CONTENT_LIMIT} characters" if content else "is empty"
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
            made = None if refused else candidate
            why = refused or "you marked this text as something to remember"
            yield Verdict(turn=turn.number, text=quote, why=why, refused=refused, candidate=made)
    for statement in statements_of(transcript):
        stretches = directed.get(statement.turn.number, ())
        if not any(start <= statement.sentence.start < end for start, end in stretches):
            yield _of_statement(transcript, statement)


def _wishes(question: str) -> bool:
    """Tell whether a plain question asks for something, or is a rule with a tag: "we use tabs, right?"."""
    rule = _TAG.sub("", question)
    return _WISHED.search(question) is not None or (rule != question and is_normative(rule))


def _of_statement(transcript: Transcript, statement: Statement) -> Verdict:
    """Make a suggestion of a sentence that is marked and stands by itself, a maybe of one that may be a rule."""
    count = statement.sentence.count
    mark = lasting_mark(statement.core, sentences=count) or lasting_mark(statement.plain, sentences=count)
    table = weights()
    total = table["bias"] + sum(table["weights"].get(name, 0.0) for name in features_of(statement))
    probability = round(_probability(total), 3)
    dropped = Verdict(
        turn=statement.turn.number, text=statement.text, why="no sign of a lasting rule", probability=probability
    )
    is_again = says_again(statement.plain)
    if not mark and not is_again and probability < _probability(table["least"]):
        return dropped
    if not mark and not is_again and is_question(statement.text) and not _wishes(statement.plain):
        return replace(dropped, why="asks a question")
    quote = statement.text[:QUOTE_LIMIT].strip()
    content = as_line(quote)
    if why := _unusable(statement, quote, content):
        return replace(dropped, why=why)
    refused = safety.refused(content) or safety.known_danger(content)
    if not refused and safety.commands_a_machine(statement.sentence.paragraph[:4000]):
        refused = "is next to text that tells assistants to ignore their instructions"
    if refused:
        return replace(dropped, why=refused, refused=refused, probability=0.0)
    leans = _PASTED if statement.is_doubtful else ""
    leans = leans or (why_not_alone(statement.text, content, mark=mark) if mark else "")
    confidence = MAYBE_MOST if mark else round(min(MAYBE_MOST, probability), 2)
    says = f"worded as a lasting rule (“{mark}”)" if mark else "might be a rule, but is not worded as a lasting one"
    is_suggested = bool(mark) and not leans
    trust = Trust.DOUBTFUL if statement.is_doubtful else Trust.TYPED
    tags = [UPDATE] if mark and changes_what_holds(statement.plain) else []
    candidate = Candidate(
        content=content,
        kind=kind_of(statement.plain),
        scope=scope_of(statement.text),
        confidence=MARKED_CONFIDENCE if is_suggested else confidence,
        citations=(cite(transcript, statement.turn, quote, trust=trust),),
        found_by="said to last" if is_suggested else "maybe",
        tags=(*tags, AGAIN) if is_again and not statement.is_doubtful else tuple(tags),
    )
    return replace(dropped, why=leans or says, candidate=candidate)


def why_maybe(citation: Citation) -> str:
    """Say why a sentence that was said became no more than a maybe, as its words alone show it."""
    if citation.trust is Trust.DOUBTFUL:
        return _PASTED
    turn = Turn(number=1, role=Role.USER, typed=citation.quote)
    found = _judged(Transcript(session_id="", format="", origin="", turns=(turn,)))
    return next((verdict.why for verdict in found if verdict.candidate), "")


def _unusable(statement: Statement, quote: str, content: str) -> str:
    if len(statement.plain.split()) < _FEWEST and statement.text.isascii():
        return "is too short on its own"
    if MARK in content or "[REDACTED:secret]" in quote:
        return "the text contained a secret or personal data, which was redacted"
    if quote.count("`") % 2:
        return "begins or ends within code"
    return "" if derives_from_quotes(content, (quote,)) else "a rule based on this text would go beyond what you said"
