"""Documents: lasting rules in what an assistant wrote during a session, as candidates that wait for the person.

Pure. Nobody typed these: they are marked `agent`, stay below every threshold, and no rule of theirs changes another.
Far fewer are taken than stand there: sections named for rules or decisions, a few sentences each, none with a link.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial

from memsuggest.core.model import QUOTE_LIMIT, Candidate, Citation, Skipped, Transcript, Trust
from memsuggest.core.redact.scan import MARK
from memsuggest.core.text.sentences import Sentence, sentences_of
from memsuggest.core.text.words import plain
from memsuggest.judging import safety
from memsuggest.judging.offline.cues import form, kind_of, plainness
from memsuggest.judging.offline.derive import derives_from_quotes
from memsuggest.judging.offline.findings import paths_in
from memsuggest.judging.offline.lasting import capitalised

_form = partial(form, "documents")
_standing = partial(form, "document_sections")
FOUND_BY = "document"
CONFIDENCE = 0.5  # of everything that only a document says; below what anybody typed
MOST = 5  # rules of one document: the plainest ones
MOST_OF_SESSION = 10
MOST_WEIGHED = 1000  # sentences of one document that are weighed; no team keeps more rules in one
_FEWEST = 3  # words
_BOLD = re.compile(r"\*\*")
_BROKEN = re.compile(r"(?<=[^\n])\n(?=[ \t]*[^\s*+\-#|>`\d<])")
"""The end of a line in the middle of a paragraph."""
_LOOSE = re.compile(r" (?=[:;,.](?:\s|\Z))")
_SHORT = 4  # words of a heading up to which a word in it says what it is about
_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(.*?)[ \t#]*\Z")
_STATUS = re.compile(r"\A(?:\d+[.)] )?status\Z")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_APART = re.compile(r"[ \t]*(?:>|\||<|\[\^?[^\]\n]{1,80}\]:|!\[)|[ \t]{4,}(?![-*+\d])|\t")
"""A quotation, a table, HTML, a link's address, an image, code by indentation."""
_DATED = re.compile(r"\A20\d\d-\d\d-\d\d\s?[:.\u2013\u2014-]\s+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A document that an assistant wrote in the session, redacted."""

    path: str
    text: str
    turn: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentFindings:
    """The findings in documents."""

    rules: tuple[Candidate, ...] = ()
    """Each with the file and the line it stands in."""
    held: tuple[Skipped, ...] = ()
    """Documents of which nothing is taken, since they hold what a poisoned one would; to be shown loudly."""


def rules_in(documents: Iterable[Written], transcript: Transcript) -> DocumentFindings:
    found = [_of_document(document, transcript) for document in documents]
    rules = [rule for findings in found for rule in findings.rules]
    return DocumentFindings(
        rules=tuple(rules[:MOST_OF_SESSION]), held=tuple(held for findings in found for held in findings.held)
    )


def _of_document(document: Written, transcript: Transcript) -> DocumentFindings:
    sentences = [
        (sentence, start + sentence.start)
        for start, end in stated(document.text, document.path)
        for sentence in _sentences(document.text[start:end])
    ]
    if not sentences:
        return DocumentFindings()
    is_poisoned = safety.commands_a_machine(document.text)
    why = "the document tells assistants to ignore their instructions" if is_poisoned else ""
    dangers = (safety.known_danger(found.text) or safety.refused(found.text) for found, _ in sentences)
    if why := why or next(filter(None, dangers), ""):
        return DocumentFindings(held=(Skipped(what=f"`{document.path}`, which an assistant wrote", why=why),))
    norms = []
    for sentence, at in sentences[:MOST_WEIGHED]:
        is_long = len(sentence.text.split()) >= _FEWEST or not sentence.text.isascii()
        if norm := plainness(sentence.text) if is_long else 0:
            norms.append((-norm, at, sentence))
    made = (
        _candidate(sentence, at, document, transcript) for _, at, sentence in sorted(norms, key=lambda norm: norm[:2])
    )
    return DocumentFindings(rules=tuple(candidate for candidate in made if candidate)[:MOST])


@dataclass(slots=True, kw_only=True)
class _Section:
    """The part of a document under one heading."""

    title: str = ""
    level: int = 0
    """Of the heading, from 1; 0 for what stands before the first."""
    holds: bool = False
    """Whether rules or decisions stand in it, as far as headings tell."""
    is_open: bool = False
    """Whether it says that it is not, or no longer, in force."""


def stated(text: str, path: str) -> Iterator[tuple[int, int]]:
    """Yield the stretches of a document that state rules or decisions in force: none for most documents.

    >>> text = "# Conventions\\nUse tabs.\\n## Examples\\nUse spaces.\\n"
    >>> [text[start:end] for start, end in stated(text, "docs/team.md")]
    ['Use tabs.\\n']
    """
    name = plain(path.rsplit(".", 1)[0])
    is_others = _standing("passing").search(name) or _standing("of-others").search(name.rpartition("/")[2])
    if is_others or any(part.startswith(".") for part in name.split("/")):
        return
    chain = [_Section(holds=_standing("states-name").search(name) is not None)]
    start, at, fence = -1, 0, ""
    for line in (*text.split("\n"), "<"):
        heading = None if fence else _HEADING.match(line)
        was, mark = fence, _FENCE.match(line)
        if mark:
            fence = "" if fence and mark[1].startswith(fence) else fence or mark[1]
        is_text = not (heading or was or fence or _APART.match(line))
        said = plain(line)
        if _standing("unsettled").match(said):
            chain[-1].is_open = True
        elif len(chain) > 1 and _STATUS.search(plain(chain[-1].title)) and _standing("open").match(said):
            chain[-2].is_open = True
        # What stands above the first heading introduces the rest.
        is_stated = is_text and len(chain) > 1 and chain[-1].holds and not any(section.is_open for section in chain)
        if start >= 0 and not is_stated:
            yield start, at
        start = (start if start >= 0 else at) if is_stated else -1
        if heading:
            level = len(heading[1])
            chain = [section for section in chain if section.level < level]
            chain.append(_below(chain[-1], heading[2].replace("*", "").strip().removesuffix(":"), level))
        at += len(line) + 1


def _below(above: _Section, title: str, level: int) -> _Section:
    """Open a section within another: it says what it is, or what it stands in does and it says nothing else."""
    heading = plain(title)
    is_foreign = any(_standing(name).search(heading) for name in ("undecided", "of-others"))
    if _standing("decides").search(heading):
        holds = True
    elif _standing("states").search(heading):
        holds = not is_foreign
    else:
        is_other = len(heading.split()) <= _SHORT and _standing("other").search(heading)
        holds = above.holds and not (is_foreign or is_other)
    return _Section(title=title, level=level, holds=holds)


def _sentences(text: str) -> list[Sentence]:
    """Return sentences; what a semicolon parts is one: "never store money as a float; use cents"."""
    text = _BROKEN.sub(" ", _BOLD.sub("  ", text))
    joined: list[Sentence] = []
    for sentence in sentences_of(text):
        last = joined[-1] if joined else None
        if last and last.text.endswith(";") and last.paragraph == sentence.paragraph:
            joined[-1] = replace(last, text=text[last.start : sentence.end], end=sentence.end)
        else:
            joined.append(sentence)
    return joined


def _candidate(sentence: Sentence, at: int, document: Written, transcript: Transcript) -> Candidate | None:
    said = _DATED.sub("", _LOOSE.sub("", " ".join(sentence.text.split())))
    content = capitalised(said)
    if len(said) > QUOTE_LIMIT or MARK in said or said.count("`") % 2 or len(said.split()) < _FEWEST:
        return None
    if any(_form(name).search(said) for name in ("hangs", "passes", "generic")) or safety.refused(content):
        return None
    if _form("foreign").search(sentence.paragraph) or not derives_from_quotes(content, [said]):
        return None
    line = document.text.count("\n", 0, at) + 1
    quote = " ".join(document.text[at : at + len(sentence.text)].split())
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
