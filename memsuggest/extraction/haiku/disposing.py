"""The model proposes, code disposes: what a reply must pass to become a candidate. Pure.

Every quote has to stand in what the person typed in the turn it names; every rare token of the content in a quote or
in what the person corrected; most of its words too. What our own rules say of the same sentence counts beside the
model's word. A reply can neither weaken safety nor raise the trust of anything.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memsuggest.extraction import safety
from memsuggest.extraction.derive import derives_from_quotes
from memsuggest.extraction.directives import CONTENT_LIMIT
from memsuggest.extraction.evidence import cite
from memsuggest.extraction.wording import capitalised, word
from memsuggest.memory.tags import UPDATE
from memsuggest.model import QUOTE_LIMIT, Candidate, Citation, Kind, Scope, Skipped, Trust
from memsuggest.redact import clean, redact
from memsuggest.text.content import content_words
from memsuggest.text.words import plain

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memsuggest.extraction.documents import Written
    from memsuggest.extraction.haiku.reply import Cited, Proposed
    from memsuggest.extraction.verdict import Verdict
    from memsuggest.model import Transcript, Turn

FOUND_BY = "haiku"
CONFIDENCE = {"high": 0.85, "medium": 0.72, "low": 0.55}
AGREED, DOUBTED = 0.08, 0.12
"""What it adds that our own rules keep the sentence, and takes that they are sure it is none."""
SURE_NOT = 0.05
"""Probability up to which our own engine is sure."""
CONFIRMED_CONFIDENCE, AGENT_CONFIDENCE, REWORDED_CONFIDENCE = 0.75, 0.5, 0.65
"""At most this for what needs the assistant's words, for what only a document says, for what the model put wrongly."""
OWN_WORDS, RESTATED = 0.5, 0.25
"""Share of the content's words that must stand in the quotes; together with what was corrected, and then of its own."""
_LEAST_WORDS = 2
"""Words with content that a quote must have, or one that is the content's too: "ok" is no evidence of anything."""
_CODE = re.compile(
    r"(?:import [\w.]+(?:, ?[\w.]+)*|from [\w.]+ import .+|[\w.\[\]\"']+ ?(?:=|\+=|:=) ?[^=\s].*|[\w.]+\(.*\);?"
    r"|(?:with|while|for|if|else|def|class|try|except)\b.*[:{]|(?:const|let|var|return|exec|print) .*;|[\[\](){};,\s]+)"
)
"""A line of code: left behind by a paste whose fence did not hold, it is nobody's word."""
_WHITE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Hearing:
    """What a reply is held against."""

    transcript: Transcript
    verdicts: Sequence[Verdict]
    """What our own rules say of every statement."""
    written: Sequence[Written]
    acts: Mapping[int, str]
    """By turn, what the assistant had said or was refused: what the person corrects there."""
    known: Mapping[str, str]
    """The contents of known facts, by the ids that were shown."""

    def turn(self, number: int) -> Turn | None:
        """Return a turn in which something was typed."""
        return next((turn for turn in self.transcript.turns if turn.number == number and turn.typed), None)


def dispose(proposed: Proposed, hearing: Hearing) -> Candidate | Skipped:
    """Return the candidate that a proposal comes to, or why it comes to none."""
    what = f"“{_clean(proposed.content)[:80]}”, proposed by the model"
    citations = [found for found in (_citation(one, hearing) for one in proposed.citations) if found]
    if not any(_says_something(citation.quote, proposed.content) for citation in citations):
        return Skipped(what=what, why="no quote of it stands in what was typed there, or none says anything")
    worded = _worded(proposed, citations, hearing)
    why = _why_not(worded.content, citations, hearing)
    if why:
        return Skipped(what=what, why=why)
    reason = _clean(proposed.reason)
    quotes = [citation.quote for citation in citations]
    return Candidate(
        content=worded.content,
        reason=reason if _share(reason, quotes) >= OWN_WORDS and derives_from_quotes(reason, quotes) else "",
        kind=Kind(proposed.kind),
        scope=_scope(proposed, citations, hearing),
        confidence=round(min(_confidence(proposed, citations, hearing), worded.ceiling), 2),
        citations=tuple(replace(one, trust=worded.trust) if one.trust is Trust.TYPED else one for one in citations),
        found_by=FOUND_BY,
        tags=(UPDATE,) if proposed.replaces in hearing.known else (),
    )


def sifted(proposed: Proposed, hearing: Hearing) -> Proposed | None:
    """Return what of a proposal may be kept for later runs, in the words that came of it; None for nothing."""
    found = dispose(proposed, hearing)
    if isinstance(found, Skipped):
        return None
    return proposed.model_copy(
        update={
            "content": found.content,
            "reason": found.reason,
            "confidence": proposed.confidence if found.content == capitalised(_clean(proposed.content)) else "low",
            "citations": [one for one in proposed.citations if _citation(one, hearing)],
            "replaces": proposed.replaces if proposed.replaces in hearing.known else "",
        }
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Worded:
    """A content, whose words it is in, and how sure it can be at most."""

    content: str
    trust: Trust = Trust.TYPED
    ceiling: float = 1.0


def _worded(proposed: Proposed, citations: Sequence[Citation], hearing: Hearing) -> _Worded:
    """Return the model's wording where the quotes carry it; else the person's own sentence as our rules word it."""
    content = capitalised(_clean(proposed.content))
    said = [citation.quote for citation in citations]
    named = [path for citation in citations for path in citation.paths]
    acts = [hearing.acts.get(citation.turn, "") for citation in citations]
    own = _share(content, said)
    if own >= OWN_WORDS and derives_from_quotes(content, said, known=named):
        if all(citation.trust is Trust.AGENT for citation in citations):
            return _Worded(content=content, trust=Trust.AGENT, ceiling=AGENT_CONFIDENCE)
        return _Worded(content=content)
    together = [*said, *acts]
    if (
        own >= RESTATED
        and not _stands_alone(citations, hearing)
        and _share(content, together) >= OWN_WORDS
        and derives_from_quotes(content, together, known=named)
    ):
        return _Worded(content=content, trust=Trust.CONFIRMED, ceiling=CONFIRMED_CONFIDENCE)
    return _Worded(content=_own_wording(citations), ceiling=REWORDED_CONFIDENCE)


def _stands_alone(citations: Sequence[Citation], hearing: Hearing) -> bool:
    """Whether the person's own sentence is a rule without the assistant's words, so that none of these are needed."""
    return any(verdict.kept for one in citations for verdict in _verdicts_on(one, hearing))


def _own_wording(citations: Sequence[Citation]) -> str:
    """Return the first quote of the person that stands alone, as our rules word it; nothing where none does."""
    for citation in citations:
        if citation.trust is not Trust.AGENT and len(_words(citation.quote)) >= _LEAST_WORDS:
            worded = word(citation.quote)
            if worded.stands and derives_from_quotes(worded.content, [citation.quote]):
                return worded.content
    return ""


def _clean(text: str) -> str:
    return safety.one_line(redact(clean(text)).text)


def _scope(proposed: Proposed, citations: Sequence[Citation], hearing: Hearing) -> Scope:
    """Return the scope that the model says; where our rules see a tie to the workspace, that."""
    own = [verdict.candidate for one in citations for verdict in _verdicts_on(one, hearing) if verdict.candidate]
    is_tied = any(candidate.scope is Scope.WORKSPACE for candidate in own)
    return Scope.WORKSPACE if is_tied else Scope(proposed.scope)


def _why_not(content: str, citations: Sequence[Citation], hearing: Hearing) -> str:
    """Say why a proposal is dropped; nothing when it is not."""
    if not content:
        return "it says more than its quotes, and none of these stands alone"
    if len(content) > CONTENT_LIMIT:
        return "it is too long"
    return (
        safety.refused(content)
        or safety.weakens_safety(content)
        or next((why for one in citations if (why := safety.weakens_safety(one.quote))), "")
        or next((held for one in citations if (held := _held(one, hearing))), "")
    )


def _citation(cited: Cited, hearing: Hearing) -> Citation | None:
    """Return the citation of a quote that stands where the model says; None for one that does not."""
    quote = cited.quote.strip()
    if not quote:
        return None
    if cited.file:
        return _citation_of_file(cited, hearing)
    turn = hearing.turn(cited.turn)
    found = _verbatim(quote, turn.typed, turn.quoted) if turn else ""
    if not turn or not found or _is_code(found):
        return None
    is_doubtful = not _verbatim(quote, turn.typed, (*turn.quoted, *turn.doubtful))
    return cite(hearing.transcript, turn, found, trust=Trust.DOUBTFUL if is_doubtful else Trust.TYPED)


def _is_code(quote: str) -> bool:
    return all(_CODE.fullmatch(line.strip()) for line in quote.split("\n") if line.strip())


def _citation_of_file(cited: Cited, hearing: Hearing) -> Citation | None:
    document = next((one for one in hearing.written if one.path == cited.file), None)
    found = _verbatim(cited.quote.strip(), document.text) if document else ""
    if document is None or not found:
        return None
    line = document.text.count("\n", 0, document.text.find(found)) + 1
    return Citation(
        session_id=hearing.transcript.session_id,
        turn=document.turn,
        quote=found,
        paths=(f"{document.path}#L{line}",),
        trust=Trust.AGENT,
        format=hearing.transcript.format,
    )


def _verbatim(quote: str, text: str, quoted: Sequence[tuple[int, int]] = ()) -> str:
    """Return the stretch of a text that a quote is but for white space; nothing where there is none, or one not said.

    >>> _verbatim("use  pnpm", "please use\\n pnpm here")
    'use\\n pnpm'
    """
    if len(quote) > 4 * QUOTE_LIMIT:
        return ""
    pattern = re.compile(r"\s+".join(re.escape(word) for word in _WHITE.split(quote.strip())))
    for found in pattern.finditer(text):
        if not any(start < found.end() and found.start() < end for start, end in quoted):
            return found.group()[:QUOTE_LIMIT].strip()
    return ""


def _says_something(quote: str, content: str) -> bool:
    words = _words(quote)
    return len(words) >= _LEAST_WORDS or not words.isdisjoint(_words(content))


def _words(text: str) -> frozenset[str]:
    return content_words(plain(text))


def _share(text: str, sources: Sequence[str]) -> float:
    """Return which share of a text's words are somebody's own."""
    words = _words(text)
    return len(words & _words(" ".join(sources))) / len(words) if words else 0.0


def _confidence(proposed: Proposed, citations: Sequence[Citation], hearing: Hearing) -> float:
    """Combine the model's word with ours about the same sentences."""
    own = [verdict for one in citations for verdict in _verdicts_on(one, hearing)]
    sure = CONFIDENCE[proposed.confidence]
    if any(verdict.kept for verdict in own):
        sure += AGREED
    elif own and max(verdict.probability for verdict in own) <= SURE_NOT:
        sure -= DOUBTED
    return min(0.95, sure)


def _verdicts_on(citation: Citation, hearing: Hearing) -> list[Verdict]:
    quote = " ".join(citation.quote.split())
    return [
        verdict
        for verdict in hearing.verdicts
        if verdict.turn == citation.turn and _overlap(" ".join(verdict.text.split()), quote)
    ]


def _overlap(one: str, other: str) -> bool:
    return bool(one and other) and (one in other or other in one)


def _held(citation: Citation, hearing: Hearing) -> str:
    """Return why our own rules hold a sentence back, whatever the model makes of it."""
    return next((verdict.held for verdict in _verdicts_on(citation, hearing) if verdict.held), "")
