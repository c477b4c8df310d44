"""Evidence by rule in a typed message: what is certainly quoted or pasted, what may be, hints for the line model.

Pure. Each rule owns one kind of evidence and returns stretches; this module asks them all, once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from memsuggest.transcripts.pastes.line_voices import (
    Stretch,
    VoicedLine,
    bridged,
    covers,
    is_own_voice,
    lines_of,
    paragraphs,
    united,
    without,
)
from memsuggest.transcripts.pastes.machine_output import assistant_phrases, machine_output, templates
from memsuggest.transcripts.pastes.pasted_texts import comments, documents, mappings, posts, reviews, talks

_FENCE = re.compile(r"\A[ \t]*(?:[-*+] |\d{1,3}[.)] )?[ \t]*(`{3,}|~{3,}|\"{3}|'{3})([^`\n]*)\Z")
_FENCES = ("``", "~~", '"""', "'''")
_TAG = re.compile(r"<(?:(/)|(?<![\w<]<))([A-Za-z][\w.:-]{0,60})(?:\s[^<>]{0,500})?>")
_QUOTATION = re.compile(r"""(?<![\w"'`=(])(?:"(?=\S)([^"]{40,5000}+)"(?!\w)|“([^”]{40,5000}+)”|«([^»]{40,5000}+)»)""")
_REPLY = re.compile(
    r"""\s*+(?:
        no | nope | nah | yes | yeah | yep | ok | okay | well | please | pls | why | what | how | but | hm+ | right
      | wrong | agreed | exactly | true | false | sure | thanks | I(?:'\w+)? | this | that
      | nein | ja | doch | bitte | aber | warum
      | non | oui | mais | pourquoi | sí | si | pero | por\ favor
    )(?!\w)""",
    re.VERBOSE | re.IGNORECASE,
)
"""How somebody answers a quotation in the next line, where its sentence cannot go on."""


def marked(lines: Sequence[VoicedLine], text: str) -> list[Stretch]:
    closed, opened = _fences(lines) if any(mark in text for mark in _FENCES) else ([], None)
    tagged = _elements(text) if "<" in text else []
    found = [*closed, *tagged]
    if ">" in text:
        found += [(line.start, line.end) for line in lines if line.text.lstrip().startswith(">")]
    # A fence that stays open goes on to the end, unless it opened inside an element that ends. Behind others, a bare
    # one is the end of the first: the text inside broke out.
    if opened is not None and not any(start < opened < end < len(text) for start, end in tagged):
        is_end = bool(closed) and not text[opened:].partition("\n")[0].strip(" \t`~\"'")
        found.append((closed[0][0] if is_end else opened, len(text)))
    return found


def _fences(lines: Sequence[VoicedLine]) -> tuple[list[Stretch], int | None]:
    """Find fenced code, and where a fence opened that stays open; a fence with a language opens one inside another."""
    found: list[Stretch] = []
    opened: list[tuple[int, str]] = []
    for line in lines:
        fence = _FENCE.match(line.text) if any(mark in line.text for mark in _FENCES) else None
        if not fence:
            continue
        is_bare = not fence[2].strip()
        if not opened or (not is_bare and fence[1].startswith(opened[-1][1])):
            opened.append((line.start, fence[1]))
        elif is_bare and fence[1].startswith(opened[-1][1]):
            start, _ = opened.pop()
            if not opened:
                found.append((start, line.end))
    return found, opened[0][0] if opened else None


def lazy_quotes(lines: Sequence[VoicedLine]) -> list[Stretch]:
    """Find what goes on below a quoted line without a mark: Markdown shows it in the quotation, a person may answer."""
    found: list[Stretch] = []
    end = -1
    for line in lines:
        if line.text.lstrip()[:1] == ">":
            end = line.end
        elif end == line.start and line.text.strip() and not _REPLY.match(line.text):
            found.append((line.start, line.end))
            end = line.end
    return found


def _elements(text: str) -> list[Stretch]:
    """Find `<tag>…</tag>` of any name; a start tag alone on its line without an end goes on to the end."""
    found: list[Stretch] = []
    opened: dict[str, list[int]] = {}
    closed: dict[str, int] = {}
    alone = []
    for tag in _TAG.finditer(text):
        starts = opened.setdefault(tag[2], [])
        if not tag[1]:
            starts.append(tag.start())
            around = text[max(tag.start() - 80, 0) : tag.start()].rpartition("\n")[2]
            around += text[tag.end() : tag.end() + 80].partition("\n")[0]
            if not around.strip() and tag.end() < len(text):
                alone.append(tag.start())
            continue
        start = starts.pop() if starts else closed.get(tag[2])
        if start is not None:  # one end tag too many: the text inside broke out
            found.append((start, tag.end()))
            closed[tag[2]] = start
    unclosed = {start for starts in opened.values() for start in starts}
    return found + [(start, len(text)) for start in alone if start in unclosed]


_COLON = re.compile(r":(?=[ \t]|\Z)")
_CLAUSE = 160  # characters before a colon that an introduction may have
_GIVEN = re.compile(
    r"\b(?:here(?:'s|’s|s| is| are| was)|this is|these are|got|get|getting|gives?|receiv\w{1,4}|see|seeing|saw"
    r"|past(?:ing|ed)|cop(?:ied|ying)|below (?:is|are)|attached|following|returned|found|came (?:in|from)|comes from"
    r"|printed|sent)\b",
    re.IGNORECASE,
)
_THING = re.compile(
    r"\b(?:logs?|output|errors?|exceptions?|traces?|stacktraces?|traceback|warnings?|stdout|stderr|console|terminal|response"
    r"|payload|results?|feedback|comments?|reviews?|findings?|reports?|messages?|e-?mails?|tickets?|issues?|descriptions?"
    r"|articles?|documents?|documentation|pages?|readme|readout|diffs?|patch|snippets?|contents?|json|transcripts?"
    r"|conversation|chat|quotes?|paste|text|answer|reply|thread|web ?sites?|sites?|posts?|blogs?|mail|tool)\b",
    re.IGNORECASE,
)
_SAID = re.compile(
    r"(?<!\bI )(?<!\bwe )\b(?:says?|said|states?|reads|wrote|writes|posted|replied|commented|reported|complains|told me"
    r"|printed)(?: (?:on|in|at|to) \w{1,20}| this){0,2}\Z"
    r"|\bthe (?:\w{1,20} )?(?:issue|ticket|page|mail|message|comment|review|text|description|article)"
    r" (?:\w{1,20} )?is\Z",
    re.IGNORECASE,
)
_OWN = re.compile(r"\b(?:my|our|some|few|couple|want|need|should|must|add|write|use)\b", re.IGNORECASE)


def introduced(lines: Sequence[VoicedLine], text: str) -> list[Stretch]:
    """Find what follows an introduction such as `the mail says:`, up to where the person speaks again."""
    found: list[Stretch] = []
    groups = paragraphs(lines) if ":" in text else []
    for place, group in enumerate(groups):
        for line in group:
            for colon in _COLON.finditer(line.text):
                clause = re.split(r"[.!?:]", line.text[max(colon.start() - _CLAUSE, 0) : colon.start()])[-1].rstrip()
                is_given = _GIVEN.search(clause) and _THING.search(clause) and not _OWN.search(clause)
                if not (is_given or _SAID.search(clause)):
                    continue
                is_below = line is group[-1] and not line.text[colon.end() :].strip()
                last = group[-1].end
                for number, after in enumerate(groups[place + 1 :]):
                    body = text[after[0].start : after[-1].end]
                    if (number or not is_below) and (is_own_voice(body) or body[:1].islower()):
                        break
                    last = after[-1].end
                found.append((line.start + colon.end(), last))
    return found


_Rule = Callable[[Sequence[VoicedLine], str], list[Stretch]]

_MARKS: tuple[_Rule, ...] = (marked, comments)
"""The person's own marks: what stands in them is quoted, and other rules look at the rest only."""
_CERTAIN: tuple[_Rule, ...] = (machine_output, talks, templates)
"""Shapes that nobody types: hardly a line of these was composed in the messages that the model was fitted on."""
_DRESSED: tuple[_Rule, ...] = (documents, assistant_phrases)
_LIKELY: tuple[_Rule, ...] = (reviews, mappings, posts)
"""These and those above are mostly pasted, and now and then composed: in doubt at least."""


class PasteEvidence(NamedTuple):
    """The findings of the rules in one message."""

    lines: Sequence[VoicedLine]
    certain: tuple[Stretch, ...]  # quoted or pasted
    likely: tuple[Stretch, ...]  # in doubt at least; these may overlap the certain ones
    left_open: Mapping[int, bool]
    """The numbers of the lines that no rule is certain of, and whether it is of a part of one."""
    is_dressed: bool  # whether something in it looks like a document or an assistant's answer


def evidence(text: str) -> PasteEvidence:

    def found(rules: Iterable[_Rule], lines: Sequence[VoicedLine]) -> list[Stretch]:
        return [stretch for rule in rules for stretch in rule(lines, text)]

    lines = lines_of(text)
    certain = found(_MARKS, lines)
    likely = [quotation.span() for quotation in _QUOTATION.finditer(text)]
    if text.lstrip()[:1] == ">" and all(line.text.lstrip()[:1] in (">", "") for line in lines):
        likely, certain = [*likely, *certain], []  # a prompt such as "> use tabs" is not a quotation of others
    unmarked = without(lines, united(certain))
    pasted = united([*certain, *found(_CERTAIN, unmarked)])
    rest = without(lines, pasted)
    dressed = found(_DRESSED, rest)
    likely += [*dressed, *found(_LIKELY, rest), *introduced(unmarked, text), *lazy_quotes(lines)]
    pasted = bridged(pasted, text)
    return PasteEvidence(lines, pasted, united(likely), open_lines(lines, pasted), bool(dressed))


def open_lines(lines: Sequence[VoicedLine], certain: Sequence[Stretch]) -> dict[int, bool]:
    """Number the lines that no rule is certain of, and tell of each whether a part of it is certain."""
    numbers: dict[int, bool] = {}
    at = 0
    for place, line in enumerate(lines):
        if not line.text or line.text.isspace():
            continue
        while at < len(certain) and certain[at][1] <= line.start:
            at += 1
        start, end = certain[at] if at < len(certain) else (line.end, line.end)
        if not start <= line.start < line.end <= end and not covers((start, end), line):
            numbers[place] = start < line.end
    return numbers
