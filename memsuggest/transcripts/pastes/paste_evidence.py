"""Evidence by rule in a typed message: what is certainly quoted or pasted, what may be, hints for the line model.

Pure. Each rule owns one kind of evidence and returns stretches; this module asks them all, once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain
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
from memsuggest.transcripts.pastes.pasted_texts import comments, documents, histories, mappings, posts, reviews, talks

# Quotations by their marks, and texts that follow an introduction such as `here is the log:`.

_FENCE = re.compile(r"\A[ \t]*(?:[-*+] |\d{1,3}[.)] )?[ \t]*(`{3,}|~{3,})([^`\n]*)\Z")
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
_TRIPLE = re.compile(r"\A[ \t]*(?:\"\"\"|''')[ \t]*\Z")
_BRACKET = re.compile(r"\A[ \t]*\[(/?)([A-Za-z][\w -]{0,40})\][ \t]*\Z")
_BANNER = re.compile(
    r"\A[ \t]*(?:[-=*_#~]{3,}+[ \t]*+[\w][\w \t.:/-]{0,60}[-=*_#~]{3,}|(?:BEGIN|END|START)\b[A-Z \t_-]{0,40})[ \t]*\Z"
)
_BANNERS = ("---", "===", "***", "___", "###", "~~~", "BEGIN", "END", "START")


def marked(lines: Sequence[VoicedLine], text: str) -> list[Stretch]:
    """Find everything that the person marked as quoted."""
    closed, opened = _fences(lines) if "``" in text or "~~" in text else ([], None)
    tagged = _elements(text)
    found = [*closed, *tagged, *(_block_quotes(lines) if ">" in text else ())]
    # A fence that stays open goes on to the end, unless it opened inside an element that ends. Behind others, a bare
    # one is the end of the first: the text inside broke out.
    if opened is not None and not any(start < opened < end < len(text) for start, end in tagged):
        is_end = bool(closed) and not text[opened:].partition("\n")[0].strip(" \t`~")
        found.append((closed[0][0] if is_end else opened, len(text)))
    return found


def _fences(lines: Sequence[VoicedLine]) -> tuple[list[Stretch], int | None]:
    """Find fenced code, and where a fence opened that stays open; a fence with a language opens one inside another."""
    found: list[Stretch] = []
    opened: list[tuple[int, str]] = []
    for line in lines:
        if "``" not in line.text and "~~" not in line.text:
            continue
        fence = _FENCE.match(line.text)
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


def _block_quotes(lines: Sequence[VoicedLine]) -> list[Stretch]:
    return [(line.start, line.end) for line in lines if ">" in line.text and line.text.lstrip()[:1] == ">"]


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
    if "<" not in text:
        return []
    found: list[Stretch] = []
    opened: dict[str, list[int]] = {}
    closed: dict[str, int] = {}
    alone = []
    for tag in _TAG.finditer(text):
        starts = opened.setdefault(tag[2], [])
        if not tag[1]:
            starts.append(tag.start())
            if _is_alone(text, tag.start(), tag.end()):
                alone.append(tag.start())
            continue
        start = starts.pop() if starts else closed.get(tag[2])
        if start is not None:  # one end tag too many: the text inside broke out
            found.append((start, tag.end()))
            closed[tag[2]] = start
    unclosed = {start for starts in opened.values() for start in starts}
    return found + [(start, len(text)) for start in alone if start in unclosed]


def _is_alone(text: str, start: int, end: int) -> bool:
    before = text[max(start - 80, 0) : start].rpartition("\n")[2]
    after = text[end : end + 80].partition("\n")[0]
    return not (before + after).strip() and end < len(text)


def quotations(text: str) -> list[Stretch]:
    """Find whole sentences in quotation marks; single words and names in them are the person's own."""
    if not any(mark in text for mark in '"“«'):
        return []
    return [found.span() for found in _QUOTATION.finditer(text)]


def delimited(lines: Sequence[VoicedLine], text: str) -> list[Stretch]:
    found = _between(lines, _TRIPLE, len(text)) if '"""' in text or "'''" in text else []
    if "[" in text:
        found += _bracketed(lines)
    if any(mark in text for mark in _BANNERS):
        found += _between(lines, _BANNER, 0)
    return found


def _between(lines: Sequence[VoicedLine], mark: re.Pattern[str], open_end: int) -> list[Stretch]:
    marks = [line for line in lines if mark.match(line.text)]
    found = [(first.start, last.end) for first, last in zip(marks[::2], marks[1::2], strict=False)]
    return [*found, (marks[-1].start, open_end)] if open_end and len(marks) % 2 else found


def _bracketed(lines: Sequence[VoicedLine]) -> list[Stretch]:
    found: list[Stretch] = []
    opened: dict[str, int] = {}
    for line in lines:
        mark = _BRACKET.match(line.text) if "[" in line.text else None
        if mark and not mark[1]:
            opened.setdefault(mark[2].casefold(), line.start)
        elif mark and (start := opened.pop(mark[2].casefold(), None)) is not None:
            found.append((start, line.end))
    return found


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
            for colon in _introductions(line.text) if ":" in line.text else ():
                is_below = line is group[-1] and not line.text[colon + 1 :].strip()
                last = group[-1].end
                for number, after in enumerate(groups[place + 1 :]):
                    body = text[after[0].start : after[-1].end]
                    if (number or not is_below) and (is_own_voice(body) or body[:1].islower()):
                        break
                    last = after[-1].end
                found.append((line.start + colon + 1, last))
    return found


def _introductions(line: str) -> list[int]:
    colons = (colon.start() for colon in _COLON.finditer(line))
    return [at for at in colons if _introduces(re.split(r"[.!?:]", line[max(at - _CLAUSE, 0) : at])[-1].rstrip())]


def _introduces(clause: str) -> bool:
    return bool(_SAID.search(clause) or (_GIVEN.search(clause) and _THING.search(clause) and not _OWN.search(clause)))


# Words that the assistant said before: its answer, or much of it, copied into the person's message.

_WORD = re.compile(r"\w+")
_RUN = 4  # words in a row that are looked up
_LEAST = 5  # words that a line has to have, to be an echo by most of them
_LEAST_SIZE = 18  # characters that a whole line has to have
_MOST = 0.6  # of a line's runs of words
_WHOLE, _WHOLE_LINES = 0.75, 8  # of a message's lines, for the rest to be an echo, too
_SOME = 3  # lines of a message; one or two may name what the assistant offered: "do option 2, the …"
HEARD = 20_000  # characters of the last that was heard that are looked at


def echoes(lines: Sequence[VoicedLine], heard: Sequence[str]) -> tuple[list[Stretch], list[Stretch]]:
    """Find lines that the assistant said before: those that surely were copied, and those that may have been."""
    filled = [line for line in lines if line.text.strip()]
    if len(filled) < _SOME or not any(heard):
        return [], []
    known = _Received(heard)
    found = [(line.start, line.end) for line in filled if known.said(line.text)]
    if len(found) < _SOME:
        return [], found
    if len(filled) >= _WHOLE_LINES and len(found) >= _WHOLE * len(filled):
        return [(filled[0].start, filled[-1].end)], []
    return found, []


class _Received:
    """The assistant's words, for looking up lines and runs of words."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._answers: list[_Answer] = []
        left = HEARD
        for text in reversed(texts):
            if not left:
                break
            near = text[-left:]
            left -= len(near)
            self._answers.append(_answer_of(near))

    def said(self, line: str) -> bool:
        """Tell whether the assistant said this line, or most of its words in a row."""
        words = _WORD.findall(line.casefold())
        folded = " ".join(words)
        if len(folded) >= _LEAST_SIZE:
            for answer in self._answers:
                if folded in answer.lines:
                    return True
        if len(words) < _LEAST:
            return False
        runs = list(_runs(words))
        heard: set[tuple[str, ...]] = set()
        for answer in self._answers:
            heard |= answer.runs.intersection(runs)
        return bool(heard) and sum(run in heard for run in runs) >= _MOST * len(runs)


class _Answer(NamedTuple):
    lines: frozenset[str]
    """Without signs."""
    runs: frozenset[tuple[str, ...]]


@lru_cache(maxsize=16)
def _answer_of(text: str) -> _Answer:
    """Look through an answer; several messages come after the same ones."""
    lines = list(map(_WORD.findall, text.casefold().split("\n")))
    return _Answer(frozenset(map(" ".join, lines)), frozenset(_runs(list(chain.from_iterable(lines)))))


def _runs(words: Sequence[str]) -> Iterable[tuple[str, ...]]:
    return zip(*(words[at:] for at in range(_RUN)), strict=False)


_Rule = Callable[[Sequence[VoicedLine], str], list[Stretch]]

_MARKS: tuple[_Rule, ...] = (marked, delimited, comments)
"""The person's own marks: what stands in them is quoted, and other rules look at the rest only."""

_CERTAIN: tuple[_Rule, ...] = (machine_output, histories, talks, templates)
"""Shapes that nobody types: hardly a line of these was composed in the messages that the model was fitted on."""

_LIKELY: dict[str, _Rule] = {
    "document": documents,
    "review": reviews,
    "mapping": mappings,
    "post": posts,
    "assistant": assistant_phrases,
}
"""What is mostly pasted, and now and then composed: in doubt at least. These look at what nothing is certain of; what
an introduction introduces may be certain."""


class PasteEvidence(NamedTuple):
    """The findings of the rules in one message."""

    lines: Sequence[VoicedLine]
    certain: tuple[Stretch, ...]
    """Quoted or pasted."""
    likely: tuple[Stretch, ...]
    """In doubt at least; these may overlap the certain ones."""
    left_open: Mapping[int, bool]
    """The numbers of the lines that no rule is certain of, and whether it is of a part of one."""
    hints: Mapping[int, Sequence[str]]
    """Of these lines, which rules that are not certain found it whole; none where no rule did."""


def evidence(text: str, heard: Sequence[str] = ()) -> PasteEvidence:
    """Ask all rules about a message; `heard` is what the assistant said before it."""
    lines = lines_of(text)
    certain = _found(_MARKS, lines, text)
    likely = {"quotation": quotations(text)}
    if _is_all_quoted(text):  # a prompt such as "> use tabs" or one in quotation marks is not a quotation of others
        likely["all"], certain = certain, []
    unmarked = without(lines, united(certain)) if certain else lines
    certain += _found(_CERTAIN, unmarked, text)
    rest = without(lines, united(certain)) if certain else lines
    repeated, likely["echo"] = echoes(rest, heard)
    pasted = bridged(united([*certain, *repeated]), text)
    likely["lazy"] = lazy_quotes(lines) if ">" in text else []
    likely["introduced"] = introduced(unmarked, text)
    likely |= {name: rule(rest, text) for name, rule in _LIKELY.items()}
    left_open = open_lines(lines, pasted)
    return PasteEvidence(
        lines, pasted, united([*chain.from_iterable(likely.values())]), left_open, _hints(likely, lines, left_open)
    )


def _found(rules: Iterable[_Rule], lines: Sequence[VoicedLine], text: str) -> list[Stretch]:
    return [stretch for rule in rules for stretch in rule(lines, text)]


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


def _hints(
    found: Mapping[str, Sequence[Stretch]], lines: Sequence[VoicedLine], left_open: Iterable[int]
) -> dict[int, list[str]]:
    """Note of each open line that lies in a rule's stretches as a whole, which rule found it."""
    hints: dict[int, list[str]] = {}
    for name, stretches in found.items():
        ordered, at = united(stretches), 0
        for place in left_open if ordered else ():
            while at < len(ordered) and ordered[at][1] <= lines[place].start:
                at += 1
            if at == len(ordered):
                break
            if covers(ordered[at], lines[place]):
                hints.setdefault(place, []).append(name)
    return hints


def _is_all_quoted(text: str) -> bool:
    return text.lstrip()[:1] == ">" and all(line.lstrip()[:1] in (">", "") for line in text.split("\n"))
