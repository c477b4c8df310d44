"""Quotations by their marks, and texts that follow an introduction such as `here is the log:`. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memsuggest.transcripts.pastes.line_voices import Stretch, VoicedLine, is_own_voice, lines_of, paragraphs

_FENCE = re.compile(r"\A[ \t]*(?:[-*+] |\d{1,3}[.)] )?[ \t]*(`{3,}|~{3,})([^`\n]*)\Z")
_TAG = re.compile(r"(?:<(/)|(?<![\w<])<)([A-Za-z][\w.:-]{0,60})(?:\s[^<>]{0,500})?>")
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


def marked(lines: Sequence[VoicedLine], text: str) -> list[Stretch]:
    """Find everything that the person marked as quoted."""
    closed, opened = _fences(lines)
    tagged = _elements(text)
    found = [*closed, *tagged, *_block_quotes(lines)]
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
    return [(line.start, line.end) for line in lines if line.text.lstrip()[:1] == ">"]


def lazy_quotes(_lines: Sequence[VoicedLine], text: str) -> list[Stretch]:
    """Find what goes on below a quoted line without a mark: Markdown shows it in the quotation, a person may answer."""
    found: list[Stretch] = []
    end = -1
    for line in lines_of(text) if ">" in text else ():
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
    return [*_between(lines, _TRIPLE, len(text)), *_bracketed(lines), *_between(lines, _BANNER, 0)]


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
    groups = paragraphs(lines)
    for place, group in enumerate(groups):
        for line in group:
            for colon in _introductions(line.text):
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
    colons = [at for at, char in enumerate(line) if char == ":" and line[at + 1 : at + 2] in ("", " ", "\t")]
    return [at for at in colons if _introduces(re.split(r"[.!?:]", line[max(at - _CLAUSE, 0) : at])[-1].rstrip())]


def _introduces(clause: str) -> bool:
    return bool(_SAID.search(clause) or (_GIVEN.search(clause) and _THING.search(clause) and not _OWN.search(clause)))
