"""Documents: lasting rules in what an assistant wrote during a session, as candidates that wait for the person.

Pure. Nobody typed these: they are marked `agent`, stay below every threshold, and no rule of theirs changes another.
Far fewer are taken than stand there: sections named for rules or decisions, a few sentences each, none with a link.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memsuggest.extraction import safety
from memsuggest.extraction.derive import derives_from_quotes
from memsuggest.extraction.documents.document_sections import DocumentStretch, stated, states_rules
from memsuggest.extraction.documents.forms import plainness
from memsuggest.extraction.evidence import paths_in
from memsuggest.extraction.fact_kinds import kind_of
from memsuggest.extraction.orders import is_order
from memsuggest.extraction.stands_alone import points_elsewhere
from memsuggest.extraction.statements import speaks_of_work
from memsuggest.extraction.wording import capitalised
from memsuggest.model import QUOTE_LIMIT, Candidate, Citation, Skipped, Trust
from memsuggest.redact.finding import MARK
from memsuggest.text.content import content_words
from memsuggest.text.sentences import Sentence, sentences_of
from memsuggest.text.words import plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memsuggest.model import Transcript

FOUND_BY = "document"
CONFIDENCE = 0.5
"""Of everything that only a document says; below what anybody typed."""
MOST = 5
"""Rules of one document: the plainest ones."""
MOST_OF_SESSION = 10
MOST_WEIGHED = 1000
"""Sentences of one document that are weighed; no team keeps more rules in one."""
_AMID_WORK = 0.25
"""Share of the sentences under such headings that speak of software, from which the document is about the work."""
_FEWEST = 3  # words
_SMALL, _FEW = 3, 4
"""Level of a heading, and words of it, from and up to which it names the thing that what follows is about."""
_BOLD = re.compile(r"\*\*")
_BROKEN = re.compile(r"(?<=[^\n])\n(?=[ \t]*[^\s*+\-#|>`\d<])")
"""The end of a line in the middle of a paragraph."""
_LOOSE = re.compile(r" (?=[:;,.](?:\s|\Z))")
_DATED = re.compile(r"\A20\d\d-\d\d-\d\d\s?[:.\u2013\u2014-]\s+")
_HANGS = re.compile(
    r"\A(?:(?:both|these|those|this|that|it|they|such|otherwise|also|then|instead|but|and|or|so|however|exception"
    r"|except|unless|here|there|same|please)\b|(?:a|q|name|user|system|human|from|to|subject):)"
    r"|\b(?:instead|too|above|below|as follows)\W*\Z|[:,;]\Z|\]\(#|\A`[^`]*` (?:instead of|rather than)",
    re.IGNORECASE,
)
"""What needs the sentence before it or the list behind it, is said to somebody, or is a line of a table of contents."""
_FOREIGN = re.compile(
    r"https?://|\bwww\.|[\w.+-]+@[\w-]+\.\w|\b(?:i|me|my|assistants?|agents?|llms?|ai|copilot|claude|chatgpt|gpt|cursor"
    r"|codex|gemini|language models?|bots?|prompts?|(?:your|the|each|every) (?:answers?|repl(?:y|ies)|responses?"
    r"|messages?|keywords?)|password is|curl|wget|sudo|chmod|eval|base64|npx -y|rm -rf"
    r"|without (?:permission|asking|approval|consent|review)|looks? forward|committed to|terms of use|prior written)\b",
    re.IGNORECASE,
)
"""Links and addresses, orders to assistants, commands that fetch and run: what a document may not bring in."""
_BARE = re.compile(r"(?:never|always|no|do not|don't|only|avoid)\b")
_GENERIC = re.compile(
    r"\bfollow (?:the )?(?:[\w-]+ )?(?:existing|established|standard|best|common|framework|pep ?8|coding|code|style"
    r"|naming|language|official|same)\b|\bensure (?:that )?(?:all |the )?(?:tests?|eslint|ci|linters?|builds?)\b"
    r"|\b(?:add|write|include) (?:unit |more )?tests? for (?:all |any )?(?:new|your|every)\b"
    r"|\bupdate (?:the )?(?:docs|documentation|readme)\b|\bexisting (?:code|component|patterns?|utilit|librar)"
    r"|\b(?:commit|hard-?code|expose|introduce)\w*\b.{0,40}\b(?:credentials|secrets?|api keys?|keys)\b"
    r"|\bvalidate (?:all |user )?inputs?\b|\bfocused\b|\bminimal\b|\bgraceful(?:ly)?\b|\baccessib\w+\b|\bresponsive\b"
    r"|\b(?:meaningful|descriptive|clean|readable|readability|thorough(?:ly)?|proper(?:ly)?|appropriate(?:ly)?|good"
    r"|best"
    r"|careful(?:ly)?|consistent(?:ly)?|maintainable|self-documenting|as needed|(?:when|where|if|as much as)"
    r" (?:possible|needed|necessary|appropriate|applicable))\b",
    re.IGNORECASE,
)
"""Advice that anybody gives anybody."""
_WORK = re.compile(
    r"\b(?:booleans?|colou?rs?|floats?|indent\w*|integers?|keys?|lines?|makefiles?|money|names?|quotes|reviews?|rows?"
    r"|spaces|tables?|tabs?|timestamps?|utc|values?|bezeichner|abhängigkeiten|tablas|tabelas|dependencias)\b"
)
"""Words that are of the trade among rules, and anybody's elsewhere."""
_PASSES = re.compile(
    r"\A\W*(?:todo|fixme|tbd|wip|note|example|e\.g|for example|see|cf|status|date|deciders|author|updated"
    r"|users?(?!-))\b"
    r"|\b(?:will (?!always|never|be|not)|we(?:'ll| will| had| were| did| could)|was|were|had|has been|have been|today"
    r"|tomorrow|yesterday|this (?:week|sprint|release|pr|change|migration|plan|session)|next (?:week|sprint|release)"
    r"|since (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|last|\d)\w*"
    r"|mon|tues|wednes|thurs|fri|(?:plan|phase|step|milestone) \d)\b|[?]\s*\Z|\b20\d\d-\d\d\b|#\d+\b|\bplease\b|\d{5}",
    re.IGNORECASE,
)
"""What is said of a day, a person, a piece of work, or of what users do."""


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
    if not _is_about_work(document, sentences):
        return DocumentFindings()
    norms = [one for one in map(_weighed, sentences[:MOST_WEIGHED]) if one.norms]
    best = sorted(norms, key=lambda one: (-one.norms, one.at))
    made = (_candidate(one, document, transcript) for one in best)
    return DocumentFindings(rules=tuple(candidate for candidate in made if candidate)[:MOST])


def _why_held(document: Written, sentences: Sequence[_Sentence]) -> str:
    """Say why nothing of a document is taken; nothing when it is harmless."""
    if safety.commands_a_machine(document.text):
        return "it tells an assistant to ignore its instructions"
    texts = [one.statement.text for one in sentences]
    return next((why for text in texts if (why := safety.weakens_safety(text) or safety.refused(text))), "")


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
    """Return the sentences of a stretch."""
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
    """A text of the same length without bold marks, whose paragraphs are not broken into lines."""
    return _BROKEN.sub(" ", _BOLD.sub("  ", text))


def _is_about_work(document: Written, sentences: Sequence[_Sentence]) -> bool:
    """Tell whether a document speaks of software, by its headings or by what stands under them."""
    said = [one.statement.text for one in sentences]
    about = sum(_speaks_of_work(text) for text in said)
    return about >= _AMID_WORK * len(said)


def _speaks_of_work(text: str) -> bool:
    """Tell whether a text has a word of the trade, or is in a language whose words of the trade nobody has listed."""
    said = plain(text)
    return speaks_of_work(said) or _WORK.search(said) is not None or not said.isascii()


def _weighed(sentence: _Sentence) -> _Sentence:
    """Say how plainly a sentence states a rule."""
    text = sentence.statement.text
    if len(text.split()) < _FEWEST and text.isascii():
        return sentence
    return replace(sentence, norms=plainness(text, is_decided=sentence.stretch.is_decided))


def _candidate(sentence: _Sentence, document: Written, transcript: Transcript) -> Candidate | None:
    """Make a candidate of a sentence; None for one that may not become one, or does not stand alone."""
    said = _DATED.sub("", _LOOSE.sub("", " ".join(sentence.statement.text.split())))
    if len(said) > QUOTE_LIMIT or MARK in said or said.count("`") % 2 or _HANGS.search(said):
        return None
    if _FOREIGN.search(sentence.statement.paragraph) or _PASSES.search(said):
        return None
    if _GENERIC.search(said):
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
