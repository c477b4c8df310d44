"""The model proposes, code disposes: what a reply must pass to become a candidate. Pure.

Every quote has to stand in what the person typed, but for its spelling (`quotes`); every rare token of the content in
the typed turn or in what the person corrected; most of its words in the quotes. Whether it lasts, for whom and how
surely is the model's to say. A reply can neither weaken safety nor raise the trust of anything.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice, pairwise
from typing import Literal, NamedTuple

from rapidfuzz.distance import OSA

from memsuggest.core.model import (
    QUOTE_LIMIT,
    UPDATE,
    Candidate,
    Citation,
    Kind,
    Outcome,
    Scope,
    Skipped,
    Transcript,
    Trust,
    Turn,
)
from memsuggest.core.redact import clean, redact, without_redacted
from memsuggest.core.redact.scan import MARK
from memsuggest.core.text.words import content_words, plain, word_set
from memsuggest.judging import safety
from memsuggest.judging.assistant_documents import Written
from memsuggest.judging.by_model.packets import MOST_CITATIONS, Cited, Proposed
from memsuggest.judging.by_model.session_text import own_words
from memsuggest.judging.offline.derive import derives_from_quotes
from memsuggest.judging.offline.directives import CONTENT_LIMIT
from memsuggest.judging.offline.findings import Findings, Verdict, cite, paths_in
from memsuggest.judging.offline.lasting import as_line, capitalised, why_not_alone

Stretch = tuple[int, int]  # of a text, that a model's quote stands for, however the model spelt it
LONGEST = 4 * QUOTE_LIMIT  # characters of a quote that is looked for; an honest one is shorter
_WORDS_EACH = 2  # words of each piece of a quote with an ellipsis: single words stand anywhere
_FAR_APART = 3  # words of a piece that is evidence by itself, where the pieces stand too far apart for one citation
_WORDS_PER_TYPO = 4
_FEWEST_TO_MEND = 3  # words of a quote in which one may be mended
_SHORT, _LONG = 3, 4  # letters of the shorter and of the longer word of two that may differ by a letter
_ELLIPSIS = re.compile(r"\s*(?:[\[(]\s*(?:…|\.{3,})\s*[\])]|…|\.{3,})\s*")
_TOKEN = re.compile(
    r"""
      [\u3041-\u9fff\uac00-\ud7af]                                 # a letter of a script without spaces
    | (?: [^\W_\u3041-\u9fff\uac00-\ud7af] [\u0300-\u036f]* )+     # a word, accents typed apart included
      (?: ['’ʼ] (?: [^\W_] [\u0300-\u036f]* )+ )*                  # don't
    | [^\w\s]                                                      # a mark
    """,
    re.VERBOSE,
)
_LIGHT = frozenset("'’‘ʼ´\"“”„«»`*_~,;:.!?…()[]-–—。、，！？：；「」『』")
"""Marks that a quote may have or lack: they set words off, and mean little by themselves."""
_NEGATIONS = word_set(
    "no not nor none never nothing cannot cant dont doesnt didnt isnt arent wont shouldnt mustnt without"
    " nicht kein keine keinen nie niemals ohne ne pas jamais sans nunca sin não nao nem sem non mai senza"
)


class _Token(NamedTuple):
    word: str
    start: int
    end: int


def find_quote(quote: str, text: str, *, closed: Sequence[Stretch] = ()) -> list[Stretch]:
    """Return the stretches of a text that a quote stands for, none of them touching a `closed` one; else nothing.

    There are several where the quote leaves out more between its pieces than one citation can hold.

    >>> text = "oh, and pls never log the acces token"
    >>> [text[start:end] for start, end in find_quote("Never log the access token.", text)]
    ['never log the acces token']
    """
    quote = quote.strip()
    if not quote or len(quote) > LONGEST:
        return []
    found: list[Stretch] = []
    if whole := _stretch_of(quote, text, closed):
        found = [whole]
    elif pieces := [piece for piece in _ELLIPSIS.split(quote) if _tokens(piece)]:
        if len(pieces) < 2 or any(len(_tokens(piece)) < _WORDS_EACH for piece in pieces):
            return []
        for piece in pieces:
            before = (0, found[-1][1] if found else 0)  # the pieces stand in the order of the quote
            stretch = _stretch_of(piece, text, (*closed, before))
            if stretch is None:
                return []
            found.append(stretch)
        whole = (found[0][0], found[-1][1])
        if whole[1] - whole[0] <= QUOTE_LIMIT and _is_open(whole, closed):
            found = [whole]
        else:
            found = [stretch for stretch in found if len(_tokens(text[slice(*stretch)])) >= _FAR_APART]
    return [(start, min(end, start + QUOTE_LIMIT)) for start, end in found]


def _stretch_of(quote: str, text: str, closed: Sequence[Stretch]) -> Stretch | None:
    """Find a quote word for word; else with a few letters mended, where only one stretch comes into question."""
    pattern = re.compile(r"\s+".join(map(re.escape, quote.split())))
    if verbatim := next((match for match in pattern.finditer(text) if _is_open(match.span(), closed)), None):
        return verbatim.span()
    wanted = _written_as_one(_tokens(quote), _words_of(text))
    most_typos = -(-len(wanted) // _WORDS_PER_TYPO) if len(wanted) >= _FEWEST_TO_MEND else 0
    if not wanted or sum(token.word not in _words_of(text) for token in wanted) > 2 * most_typos:
        return None  # a word typed as two is missing twice; the rest is not worth a look
    tokens = _written_as_one(_tokens(text), _words_of(quote))
    exact: list[Stretch] = []
    near: list[Stretch] = []
    for at in range(len(tokens) - len(wanted) + 1):
        window = tokens[at : at + len(wanted)]
        typos = [pair for pair in zip(wanted, window, strict=True) if pair[0].word != pair[1].word]
        if len(typos) <= most_typos and all(_is_typo(meant.word, typed.word) for meant, typed in typos):
            (near if typos else exact).append((window[0].start, window[-1].end))
    found = exact or (near if len(near) == 1 else [])
    return next((stretch for stretch in found if _is_open(stretch, closed)), None)


def _written_as_one(tokens: Sequence[_Token], words: Collection[str]) -> list[_Token]:
    """Join what is written as two words here and as one among some others: "can not", "a lot"."""
    found: list[_Token] = []
    for token in tokens:
        if found and found[-1].word + token.word in words:
            found[-1] = _Token(found[-1].word + token.word, found[-1].start, token.end)
        else:
            found.append(token)
    return found


def _is_open(stretch: Stretch, closed: Sequence[Stretch]) -> bool:
    return not any(start < stretch[1] and stretch[0] < end for start, end in closed)


@lru_cache(maxsize=64)
def _tokens(text: str) -> tuple[_Token, ...]:
    """Cut a text into words and marks, folded, without the marks that a quote may have or lack."""
    return tuple(
        _Token(_folded(match[0]), *match.span())
        for match in _TOKEN.finditer(text)
        if not (len(match[0]) == 1 and match[0] in _LIGHT)
    )


@lru_cache(maxsize=64)
def _words_of(text: str) -> frozenset[str]:
    return frozenset(token.word for token in _tokens(text))


@lru_cache(maxsize=4096)
def _folded(word: str) -> str:
    """Return a word as it is compared: without case, width and apostrophes, chat spelling "pls" written out."""
    return plain(unicodedata.normalize("NFKC", word)).casefold().replace("'", "")


def _is_typo(one: str, other: str) -> bool:
    """Tell if two words differ by a letter, or by two that changed places, so that they may be meant as one word."""
    lengths = sorted((len(one), len(other)))
    if lengths[0] < _SHORT or not (one.isalpha() and other.isalpha()) or OSA.distance(one, other, score_cutoff=1) > 1:
        return False
    if sorted(one) == sorted(other):
        return True
    if one in _NEGATIONS or other in _NEGATIONS:  # "note" and "ever" are words of their own, "nevr" is none
        return lengths[0] != lengths[1] and (one[0], one[-1]) == (other[0], other[-1])
    return lengths[1] >= _LONG


_LEAST_WORDS = 2
"""Words with content that a quote must have, or one that is the content's too: "ok" is no evidence of anything."""
_ROOT = 4  # letters from which a word may be the beginning of another form of it
_UNSPACED = re.compile(r"[\u3041-\u30ff\u3400-\u9fff]+")  # words that no spaces part


def share(text: str, sources: Sequence[str]) -> float:
    """Return which share of a text's words is somebody's own.

    >>> share("Mock no clock in tests.", ["why are clocks mocked again?"])
    0.6666666666666666
    """

    def is_own(word: str) -> bool:
        pairs = (sorted((word, other), key=len) for other in own)
        return word in own or any(
            len(short) >= _ROOT and short.isalpha() and long.startswith(short) for short, long in pairs
        )

    words, own = _words(text), _words(" ".join(sources))
    return sum(map(is_own, words)) / len(words) if words else 0.0


def _words(text: str) -> frozenset[str]:
    pairs = {first + two for run in _UNSPACED.findall(text) for first, two in pairwise(run)}
    return content_words(plain(_UNSPACED.sub(" ", text))) | pairs


Confidence = Literal["high", "medium", "low"]
CONFIDENCE: Mapping[Confidence, float] = {"high": 0.90, "medium": 0.80, "low": 0.50}
"""What a model calls low is right two times in five: a maybe. Our own doubts about the sentence change nothing."""
OF_TEN = (0.2, 0.2, 0.3, 0.4, 0.45, 0.55, 0.8, 0.85, 0.9, 0.95, 0.95)
"""The same by how many careful readers of ten would keep it, where the model says so.

Of 40 chats by a reader who saw no labels, right were of six 16 of 18, of seven 15 of 17, of more 23 of 23; of five
every second one, of four and less two in five: maybes, which are suggested once question two agrees.
"""
_FEW = 4
CONFIRMED_CONFIDENCE, AGENT_CONFIDENCE, REWORDED_CONFIDENCE = 0.75, 0.5, 0.65
"""At most this for what needs the assistant's words, for what only a document or a paste says, for freer wordings."""
OWN_WORDS, RESTATED = 0.5, 0.25
"""Share of the content's words that must stand in what was said; of those, in the quotes themselves."""
_CODE = re.compile(
    r"(?:import [\w.]+(?:, ?[\w.]+)*|from [\w.]+ import .+|[\w.\[\]\"']+ ?(?:=|\+=|:=) ?[^=\s].*|[\w.]+\(.*\);?"
    r"|(?:with|while|for|if|else|def|class|try|except)\b.*[:{]|(?:const|let|var|return|exec|print) .*;|[\[\](){};,\s]+)"
)
"""A line of code: left behind by a paste whose fence did not hold, it is nobody's word."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hearing:
    """The session that a reply is held against."""

    transcript: Transcript
    own: Findings
    written: Sequence[Written]
    acts: Mapping[int, str]
    """By turn, what the assistant had said or was refused: what the person corrects there."""
    known: Mapping[str, str]
    """The contents of known facts, by the ids that were shown."""

    def turn(self, number: int) -> Turn | None:
        """Return a turn in which something was typed."""
        return next((turn for turn in self.transcript.turns if turn.number == number and turn.typed), None)


def dispose(proposed: Proposed, hearing: Hearing, *, judge: str = "") -> Candidate | Skipped:
    """Return the candidate that a proposal comes to, or why it comes to none; `judge` is the engine that made it."""
    what = f"“{_clean(proposed.content)[:80]}”, proposed by the model"
    citations = list(dict.fromkeys(found for cited in proposed.citations for found in _citations(cited, hearing)))
    quotes = [citation.quote for citation in citations]
    if not any(len(said) >= _LEAST_WORDS or said & _words(proposed.content) for said in map(_words, quotes)):
        return Skipped(what=what, why="the quotes are not in your messages or are too short")
    content, trust, ceiling = _worded(proposed, citations, hearing)
    if why := _why_not(content, citations, hearing):
        return Skipped(what=what, why=why)
    reason, agreed, written = _clean(proposed.reason), _of_ten(proposed), hearing.transcript.files_written
    is_tied = any(path == name or name.endswith(f"/{path}") for path in paths_in(content) for name in written)
    return Candidate(
        content=content,
        reason=reason if share(reason, quotes) >= OWN_WORDS and derives_from_quotes(reason, quotes) else "",
        kind=Kind(proposed.kind),
        scope=Scope.WORKSPACE if is_tied else Scope(proposed.scope),
        confidence=min(CONFIDENCE[_sureness(proposed)] if agreed is None else OF_TEN[agreed], ceiling),
        citations=tuple(
            replace(citation, trust=trust) if citation.trust is Trust.TYPED else citation for citation in citations
        ),
        found_by=judge,
        tags=(UPDATE,) if proposed.replaces in hearing.known else (),
    )


def sifted(proposed: Proposed, hearing: Hearing) -> Proposed | None:
    """Return what of a proposal may be kept for later runs, in the words that came of it; None for nothing."""
    found = dispose(proposed, hearing)
    if isinstance(found, Skipped):
        return None
    sureness: Confidence = "medium" if found.confidence >= CONFIDENCE["medium"] else "low"
    agreed = None
    if found.content == capitalised(_clean(proposed.content)):  # its own words, so its own estimate of them
        sureness, agreed = _sureness(proposed), _of_ten(proposed)
    cited = [
        cited.model_copy(update={"turn": cited.turn if cited.file else citation.turn, "quote": citation.quote})
        for cited in proposed.citations
        for citation in _citations(cited, hearing)
    ]
    return proposed.model_copy(
        update={
            "content": found.content,
            "reason": found.reason,
            "later": None,
            "confidence": sureness,
            "of_ten": agreed,
            "citations": cited[:MOST_CITATIONS],
            "replaces": proposed.replaces if proposed.replaces in hearing.known else "",
        }
    )


def _of_ten(proposed: Proposed) -> int | None:
    most = _FEW if proposed.is_for_nothing else len(OF_TEN) - 1
    return None if proposed.of_ten is None else max(0, min(proposed.of_ten, most))


def _sureness(proposed: Proposed) -> Confidence:
    return "low" if proposed.is_for_nothing else proposed.confidence


def _worded(proposed: Proposed, citations: Sequence[Citation], hearing: Hearing) -> tuple[str, Trust, float]:
    """Return the content of a proposal, whose words it is in, and how sure it can be at most.

    That is the model's wording where what was said carries it; else the person's own sentence as our rules word it.
    In another tense, with a word for "it" or in general, a wording has fewer of the quotes' words; it may not have
    other names than were said.
    """
    content = capitalised(without_redacted(_clean(proposed.content)))
    said = [citation.quote for citation in citations]
    turns = (hearing.turn(citation.turn) for citation in citations if citation.trust is not Trust.AGENT)
    around = [own_words(turn) for turn in turns if turn]
    paths = (path for citation in citations for path in citation.paths)
    named = [*paths, *around, hearing.known.get(proposed.replaces, "")]
    own = share(content, said)
    typed = [citation.quote for citation in citations if citation.trust not in {Trust.DOUBTFUL, Trust.AGENT}]
    rests_on_others = len(typed) < len(citations) and share(content, typed) < RESTATED
    ceiling = AGENT_CONFIDENCE if rests_on_others else 1.0
    trust = Trust.AGENT if all(citation.trust is Trust.AGENT for citation in citations) else Trust.TYPED
    is_named = derives_from_quotes(content, said, known=named)
    if is_named and (own >= OWN_WORDS or (own >= RESTATED and share(content, [*said, *around]) >= OWN_WORDS)):
        return content, trust, ceiling
    verdicts = (verdict for citation in citations for verdict in _verdicts_on(citation, hearing))
    is_sure = any(verdict.candidate and verdict.candidate.outcome is Outcome.SUGGEST for verdict in verdicts)
    together = [*said, *(hearing.acts.get(citation.turn, "") for citation in citations)]
    is_carried = own >= RESTATED and share(content, together) >= OWN_WORDS
    if is_carried and not is_sure and derives_from_quotes(content, together, known=named):
        return content, Trust.CONFIRMED, min(ceiling, CONFIRMED_CONFIDENCE)
    if is_named and own >= RESTATED and trust is Trust.TYPED:
        return content, trust, min(ceiling, REWORDED_CONFIDENCE)
    return _own_wording(citations), Trust.TYPED, min(ceiling, CONFIDENCE["medium" if is_sure else "low"])


def _own_wording(citations: Sequence[Citation]) -> str:
    for citation in citations:
        if citation.trust is not Trust.AGENT and len(_words(citation.quote)) >= _LEAST_WORDS:
            line = as_line(citation.quote)
            if not why_not_alone(citation.quote, line) and derives_from_quotes(line, [citation.quote]):
                return line
    return ""


def _clean(text: str) -> str:
    return safety.one_line(redact(clean(text)).text)


def _why_not(content: str, citations: Sequence[Citation], hearing: Hearing) -> str:
    if not content:
        return "the rule says more than its quotes, and no quote is clear on its own"
    if MARK in content:
        return "the rule contained a secret or personal data, which was redacted"
    if len(content) > CONTENT_LIMIT:
        return "the rule is too long"
    return (
        safety.refused(content)
        or safety.known_danger(content)
        or next((why for citation in citations if (why := safety.known_danger(citation.quote))), "")
        or next(
            (said.refused for citation in citations for said in _verdicts_on(citation, hearing) if said.refused), ""
        )
    )


def _citations(cited: Cited, hearing: Hearing) -> list[Citation]:
    """Return the citations that a quote comes to: where the model says, else in the one other turn that has it."""
    if cited.file:
        transcript = hearing.transcript
        named = (document for document in hearing.written if document.path == cited.file)
        return [
            Citation(
                session_id=transcript.session_id,
                turn=document.turn,
                quote=document.text[start:end].strip(),
                paths=(f"{document.path}#L{document.text.count(chr(10), 0, start) + 1}",),
                trust=Trust.AGENT,
                format=transcript.format,
            )
            for document in islice(named, 1)
            for start, end in find_quote(cited.quote, document.text)
        ]
    if found := _citations_in(cited.quote, hearing.turn(cited.turn), hearing):
        return found
    others = [turn for turn in hearing.transcript.turns if turn.typed and turn.number != cited.turn]
    elsewhere = [found for turn in others if (found := _citations_in(cited.quote, turn, hearing))]
    return elsewhere[0] if len(elsewhere) == 1 else []


def _citations_in(quote: str, turn: Turn | None, hearing: Hearing) -> list[Citation]:
    """Return the citations of a quote in a turn: of what was said there, else of what may have been pasted."""
    if turn is None:
        return []
    said = find_quote(quote, turn.typed, closed=(*turn.quoted, *turn.doubtful))
    trust = Trust.TYPED if said else Trust.DOUBTFUL
    stretches = said or (find_quote(quote, turn.typed, closed=turn.quoted) if turn.doubtful else [])
    texts = [turn.typed[start:end].strip() for start, end in stretches]
    return [cite(hearing.transcript, turn, text, trust=trust) for text in texts if text and not _is_code(text)]


def _is_code(quote: str) -> bool:
    return all(_CODE.fullmatch(line.strip()) for line in quote.split("\n") if line.strip())


def _verdicts_on(citation: Citation, hearing: Hearing) -> list[Verdict]:
    quote = " ".join(citation.quote.split())
    said = ((verdict, " ".join(verdict.text.split())) for verdict in hearing.own.verdicts)
    here = ((verdict, text) for verdict, text in said if verdict.turn == citation.turn and text and quote)
    return [verdict for verdict, text in here if text in quote or quote in text]
