"""Documents: lasting rules in what an assistant wrote during a session, as candidates that wait for the person.

Pure. Nobody typed these: they are marked `agent`, stay below every threshold, and no rule of theirs changes another.
Far fewer are taken than stand there: sections named for rules or decisions, a few sentences each, none with a link.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from memsuggest.core.model import QUOTE_LIMIT, Candidate, Citation, Skipped, Transcript, Trust
from memsuggest.core.redact.scan import MARK
from memsuggest.core.text.sentences import Sentence, sentences_of
from memsuggest.core.text.words import content_words, plain
from memsuggest.judging import safety
from memsuggest.judging.offline.cues import form, is_order, kind_of, plainness
from memsuggest.judging.offline.derive import derives_from_quotes
from memsuggest.judging.offline.evidence import paths_in
from memsuggest.judging.offline.lasting import points_elsewhere
from memsuggest.judging.offline.wording import capitalised

_form = partial(form, "documents")
_standing = partial(form, "document_sections")
FOUND_BY = "document"
CONFIDENCE = 0.5  # of everything that only a document says; below what anybody typed
MOST = 5  # rules of one document: the plainest ones
MOST_OF_SESSION = 10
MOST_WEIGHED = 1000  # sentences of one document that are weighed; no team keeps more rules in one
_FEWEST = 3  # words
_SMALL, _FEW = 3, 4
"""Level of a heading, and words of it, from and up to which it names the thing that what follows is about."""
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
    found = [_of_document(document, transcript) for document in documents]
    rules = [rule for findings in found for rule in findings.rules]
    return DocumentFindings(
        rules=tuple(rules[:MOST_OF_SESSION]), held=tuple(held for findings in found for held in findings.held)
    )


def _of_document(document: Written, transcript: Transcript) -> DocumentFindings:
    stretches = stated(document.text, document.path)
    sentences = [sentence for start, end, under in stretches for sentence in _sentences(document, start, end, under)]
    if not sentences:
        return DocumentFindings()
    if why := _why_held(document, sentences):
        return DocumentFindings(held=(Skipped(what=f"`{document.path}`, which an assistant wrote", why=why),))
    norms = [sentence for sentence in map(_weighed, sentences[:MOST_WEIGHED]) if sentence.norms]
    best = sorted(norms, key=lambda norm: (-norm.norms, norm.at))
    made = (_candidate(norm, document, transcript) for norm in best)
    return DocumentFindings(rules=tuple(candidate for candidate in made if candidate)[:MOST])


def _why_held(document: Written, sentences: Sequence[_Sentence]) -> str:
    if safety.commands_a_machine(document.text):
        return "it tells assistants to ignore their instructions"
    texts = [sentence.statement.text for sentence in sentences]
    return next((why for text in texts if (why := safety.known_danger(text) or safety.refused(text))), "")


@dataclass(slots=True, kw_only=True)
class DocumentSection:
    """The part of a document under one heading."""

    title: str = ""
    """Its heading without marks."""
    level: int = 0
    """Of the heading, from 1; 0 for what stands before the first."""
    holds: bool = False
    """Whether rules or decisions stand in it, as far as headings tell."""
    is_decided: bool = False
    """Whether decisions do, which have to say themselves that something is to be so."""
    is_open: bool = False
    """Whether it says that it is not, or no longer, in force."""


def stated(text: str, path: str) -> Iterator[tuple[int, int, DocumentSection]]:
    """Yield the stretches of a document that state rules or decisions in force: none for most documents.

    >>> text = "# Conventions\\nUse tabs.\\n## Examples\\nUse spaces.\\n"
    >>> [text[start:end] for start, end, _ in stated(text, "docs/team.md")]
    ['Use tabs.\\n']
    """
    name = plain(path.rsplit(".", 1)[0])
    is_others = _standing("passing").search(name) or _standing("of-others").search(name.rpartition("/")[2])
    if is_others or any(part.startswith(".") for part in name.split("/")):
        return
    is_record = _standing("decides-name").search(name) is not None
    chain = [DocumentSection(holds=_standing("states-name").search(name) is not None)]
    start, at, fence = -1, 0, ""
    for line in (*text.split("\n"), "<"):
        heading = None if fence else _HEADING.match(line)
        was, fence = fence, _fence_after(line, fence)
        is_text = not (heading or was or fence or _APART.match(line))
        _note_standing(chain, plain(line))
        # What stands above the first heading introduces the rest.
        is_stated = is_text and len(chain) > 1 and chain[-1].holds and not any(section.is_open for section in chain)
        if start >= 0 and not is_stated:
            yield start, at, chain[-1]
        start = (start if start >= 0 else at) if is_stated else -1
        if heading:
            level = len(heading[1])
            chain = [section for section in chain if section.level < level]
            chain.append(_below(chain, heading[2].replace("*", "").strip().removesuffix(":"), level, is_record))
        at += len(line) + 1


def _fence_after(line: str, fence: str) -> str:
    """The fence that is open behind a line; "" for none."""
    found = _FENCE.match(line)
    if not found:
        return fence
    if not fence:
        return found[1]
    return "" if found[1].startswith(fence) else fence


def _note_standing(chain: Sequence[DocumentSection], said: str) -> None:
    if _standing("unsettled").match(said):
        chain[-1].is_open = True
    elif len(chain) > 1 and _STATUS.search(plain(chain[-1].title)) and _standing("open").match(said):
        chain[-2].is_open = True


def _below(chain: Sequence[DocumentSection], title: str, level: int, is_record: bool) -> DocumentSection:
    """Open a section within others: it says what it is, or what it stands in does and it says nothing else."""
    heading, above = plain(title), chain[-1]
    is_part = any(map(_is_other, chain))
    is_decided = _standing("decides").search(heading) is not None
    if is_decided:
        holds = (above.level == 0 or is_record) and not is_part
    elif _standing("undecided").search(heading) or _standing("of-others").search(heading):
        holds = False
    elif _standing("states").search(heading):
        holds = not is_part
    else:
        holds, is_decided = above.holds, above.is_decided
        holds = holds and not (_standing("other").search(heading) and len(heading.split()) <= _SHORT)
    return DocumentSection(title=title, level=level, holds=holds, is_decided=is_decided)


def _is_other(section: DocumentSection) -> bool:
    said = plain(section.title)
    names = ("undecided", "of-others", "other" if section.level > 1 else "of-work")
    return not (section.level <= 1 and section.holds) and any(_standing(name).search(said) for name in names)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sentence:
    """A sentence of a document, with where it stands."""

    statement: Sentence
    at: int
    """Its offset in the document."""
    section: DocumentSection
    norms: int = 0
    """In how many ways it says that something is to be so; 0 for none."""


def _sentences(document: Written, start: int, end: int, section: DocumentSection) -> list[_Sentence]:
    text = _BROKEN.sub(" ", _BOLD.sub("  ", document.text[start:end]))
    joined = _joined(text, sentences_of(text))
    return [_Sentence(statement=sentence, at=start + sentence.start, section=section) for sentence in joined]


def _joined(text: str, sentences: Sequence[Sentence]) -> list[Sentence]:
    """Join what a semicolon parts: "never store money as a float; use cents" is one rule."""
    joined: list[Sentence] = []
    for sentence in sentences:
        last = joined[-1] if joined else None
        if last and last.text.endswith(";") and last.paragraph == sentence.paragraph:
            joined[-1] = replace(last, text=text[last.start : sentence.end], end=sentence.end)
        else:
            joined.append(sentence)
    return joined


def _weighed(sentence: _Sentence) -> _Sentence:
    text = sentence.statement.text
    if len(text.split()) < _FEWEST and text.isascii():
        return sentence
    return replace(sentence, norms=plainness(text, is_decided=sentence.section.is_decided))


def _candidate(sentence: _Sentence, document: Written, transcript: Transcript) -> Candidate | None:
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
    section, said = sentence.section, plain(sentence.statement.text)
    heading = plain(section.title)
    words = content_words(heading)
    has_subject = not is_order(said) and not _BARE.match(said)
    is_small = section.level >= _SMALL and 0 < len(words) <= _FEW
    is_of_rules = _standing("states").search(heading) or _standing("decides").search(heading)
    return "" if has_subject or not is_small or is_of_rules or words & content_words(said) else section.title
