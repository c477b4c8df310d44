"""Quotations that are marked as such: fences, block quotes, elements, long passages in quotation marks."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memsuggest.transcripts.quoted_lines import Line, Stretch

_FENCE = re.compile(r"\A[ \t]*(?:[-*+>] |\d{1,3}[.)] )?[ \t]*(`{3,}|~{3,})([^`\n]*)\Z")
_TAG = re.compile(r"(?:<(/)|(?<![\w<])<)([A-Za-z][\w.:-]{0,60})(?:\s[^<>]{0,500})?>")
_QUOTATION = re.compile(r"""(?<![\w"'`=(])(?:"(?=\S)([^"]{40,5000}+)"(?!\w)|“([^”]{40,5000}+)”|«([^»]{40,5000}+)»)""")


def fences(lines: Sequence[Line], _text: str) -> list[Stretch]:
    """Find fenced code; an open fence goes on to the end."""
    found: list[Stretch] = []
    start, mark = -1, ""
    for line in lines:
        if "``" not in line.text and "~~" not in line.text:
            continue
        fence = _FENCE.match(line.text)
        if start < 0 and fence:
            start, mark = line.start, fence[1]
        elif start >= 0 and fence and fence[1].startswith(mark) and not fence[2].strip():
            found.append((start, line.end))
            start = -1
    return [*found, (start, lines[-1].end)] if start >= 0 else found


def block_quotes(lines: Sequence[Line], _text: str) -> list[Stretch]:
    """Find lines that start with `>`."""
    return [(line.start, line.end) for line in lines if line.text.lstrip()[:1] == ">"]


def elements(_lines: Sequence[Line], text: str) -> list[Stretch]:
    """Find `<tag>…</tag>` of any name; a start tag alone on its line without an end goes on to the end."""
    if "<" not in text:
        return []
    found: list[Stretch] = []
    opened: dict[str, list[int]] = {}
    alone = []
    for tag in _TAG.finditer(text):
        starts = opened.setdefault(tag[2], [])
        if not tag[1]:
            starts.append(tag.start())
            if _is_alone(text, tag.start(), tag.end()):
                alone.append(tag.start())
        elif starts:
            found.append((starts.pop(), tag.end()))
    unclosed = {start for starts in opened.values() for start in starts}
    return found + [(start, len(text)) for start in alone if start in unclosed]


def _is_alone(text: str, start: int, end: int) -> bool:
    before = text[max(start - 80, 0) : start].rpartition("\n")[2]
    after = text[end : end + 80].partition("\n")[0]
    return not (before + after).strip() and end < len(text)


def quotations(_lines: Sequence[Line], text: str) -> list[Stretch]:
    """Find whole sentences in quotation marks; single words and names in them are the person's own."""
    if not any(mark in text for mark in '"“«'):
        return []
    return [found.span() for found in _QUOTATION.finditer(text)]
