"""Documents: lasting rules in what an assistant wrote during a session, as candidates that wait for the person.

Pure. Nobody typed these: they are marked `agent`, stay below every threshold, and no rule of theirs changes another.
Far fewer are taken than stand there: sections named for rules or decisions, a few sentences each, none with a link.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from memsuggest.core.model import QUOTE_LIMIT, Candidate, Citation, Skipped, Transcript, Trust
from memsuggest.core.redact.finding import MARK
from memsuggest.core.text.sentences import Sentence, sentences_of
from memsuggest.core.text.words import content_words, plain
from memsuggest.judging import safety
from memsuggest.judging.offline.cues import form
from memsuggest.judging.offline.derive import derives_from_quotes
from memsuggest.judging.offline.documents.document_sections import DocumentStretch, stated, states_rules
from memsuggest.judging.offline.evidence import paths_in
from memsuggest.judging.offline.forms import is_order, plainness
from memsuggest.judging.offline.scope import kind_of
from memsuggest.judging.offline.stands_alone import points_elsewhere
from memsuggest.judging.offline.wording import capitalised

_form = partial(form, "documents")
FOUND_BY = "document"
CONFIDENCE = 0.5
"""Of everything that only a document says; below what anybody typed."""
MOST = 5
"""Rules of one document: the plainest ones."""
MOST_OF_SESSION = 10
MOST_WEIGHED = 1000
"""Sentences of one document that are weighed; no team keeps more rules in one."""
_FEWEST = 3  # words
_SMALL, _FEW = 3, 4
"""Level of a heading, and words of it, from and up to which it names the thing that what follows is about."""
_BOLD = re.compile(r"\*\*")
_BROKEN = re.compile(r"(?<=[^\n])\n(?=[ \t]*[^\s*+\-#|>`\d<])")
"""The end of a line in the middle of a paragraph."""
_LOOSE = re.compile(r" (?=[:;,.](?:\s|\Z))")
_DATED = re.compile(r"\A20\d\d-\d\d-\d\d\s?[:.\u2013\u2014-]\s+")
_BARE = re.compile(r"(?:never|always|no|do not|don't|only|avoid)\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A document that an assistant wrote in the session, redacted."""

    path: str
    text: str
    turn: int
    """The turn in which it was written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentFindings:
    """The findings in documents."""

    rules: tuple[Candidate, ...] = ()
    """Each with the file and the line it stands in."""
    held: tuple[Skipped, ...] = ()
    """Documents of which nothing is taken, since they hold what a poisoned one would; to be shown loudly."""


def rules_in(documents: Iterable[Written], transcript: Transcript) -> DocumentFindings:
    """Return the rules that documents of a session state."""
    found = [_of_document(document, transcript) for document in documents]
    rules = [rule for one in found for rule in one.rules]
    return DocumentFindings(
        rules=tuple(rules[:MOST_OF_SESSION]), held=tuple(held for one in found for held in one.held)
    )


def _of_document(document: Written, transcript: Transcript) -> DocumentFindings:
    sentences = [one for stretch in stated(document.text, document.path) for one in _sentences(document, stretch)]
    if not sentences:
        return DocumentFindings()
    if why := _why_held(document, sentences):
        return DocumentFindings(held=(Skipped(what=f"`{document.path}`, which an assistant wrote", why=why),))
    norms = [one for one in map(_weighed, sentences[:MOST_WEIGHED]) if one.norms]
    best = sorted(norms, key=lambda one: (-one.norms, one.at))
    made = (_candidate(one, document, transcript) for one in best)
    return DocumentFindings(rules=tuple(candidate for candidate in made if candidate)[:MOST])


def _why_held(document: Written, sentences: Sequence[_Sentence]) -> str:
    if safety.commands_a_machine(document.text):
        return "it tells an assistant to ignore its instructions"
    texts = [one.statement.text for one in sentences]
    return next((why for text in texts if (why := safety.known_danger(text) or safety.refused(text))), "")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sentence:
    """A sentence of a document, with where it stands."""

    statement: Sentence
    at: int
    """Its offset in the document."""
    stretch: DocumentStretch
    norms: int = 0
    """In how many ways it says that something is to be so; 0 for none."""


def _sentences(document: Written, stretch: DocumentStretch) -> list[_Sentence]:
    text = _even(document.text[stretch.start : stretch.end])
    joined = _joined(text, sentences_of(text))
    return [_Sentence(statement=one, at=stretch.start + one.start, stretch=stretch) for one in joined]


def _joined(text: str, sentences: Sequence[Sentence]) -> list[Sentence]:
    """Join what a semicolon parts: "never store money as a float; use cents" is one rule."""
    joined: list[Sentence] = []
    for one in sentences:
        last = joined[-1] if joined else None
        if last and last.text.endswith(";") and last.paragraph == one.paragraph:
            joined[-1] = replace(last, text=text[last.start : one.end], end=one.end)
        else:
            joined.append(one)
    return joined


def _even(text: str) -> str:
    return _BROKEN.sub(" ", _BOLD.sub("  ", text))


def _weighed(sentence: _Sentence) -> _Sentence:
    text = sentence.statement.text
    if len(text.split()) < _FEWEST and text.isascii():
        return sentence
    return replace(sentence, norms=plainness(text, is_decided=sentence.stretch.is_decided))


def _candidate(sentence: _Sentence, document: Written, transcript: Transcript) -> Candidate | None:
    """Make a candidate of a sentence; None for one that may not become one, or does not stand alone."""
    said = _DATED.sub("", _LOOSE.sub("", " ".join(sentence.statement.text.split())))
    if len(said) > QUOTE_LIMIT or MARK in said or said.count("`") % 2 or _form("hangs").search(said):
        return None
    if _form("foreign").search(sentence.statement.paragraph) or _form("passes").search(said):
        return None
    if _form("generic").search(said):
        return None
    if points_elsewhere(plain(said)) or len(said.split()) < _FEWEST:
        return None
    topic = _topic(sentence)
    content = f"{topic}: {said}" if topic else capitalised(said)
    if safety.refused(content) or not derives_from_quotes(content, [topic, said]):
        return None
    line = document.text.count("\n", 0, sentence.at) + 1
    quote = " ".join(document.text[sentence.at : sentence.at + len(sentence.statement.text)].split())
    citation = Citation(
        session_id=transcript.session_id,
        turn=document.turn,
        quote=quote[:QUOTE_LIMIT],
        paths=(f"{document.path}#L{line}", *paths_in(said)),
        trust=Trust.AGENT,
        format=transcript.format,
    )
    return Candidate(
        content=content,
        kind=kind_of(plain(said)),
        confidence=CONFIDENCE,
        citations=(citation,),
        found_by=FOUND_BY,
    )


def _topic(sentence: _Sentence) -> str:
    """The heading that says what a sentence is about, where it does not say so itself."""
    stretch = sentence.stretch
    words = content_words(plain(stretch.heading))
    said = plain(sentence.statement.text)
    if not is_order(said) and not _BARE.match(said):
        return ""  # it has a subject of its own
    is_small = stretch.level >= _SMALL and 0 < len(words) <= _FEW
    if not is_small or states_rules(stretch.heading) or words & content_words(said):
        return ""
    return stretch.heading
