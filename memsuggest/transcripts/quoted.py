"""Which stretches of a typed text are not the person's own words: code, logs, quotations, pasted documents.

Pure. Errs towards `quoted`: what is quoted can never become a fact on its own.
"""

from __future__ import annotations

import re

from memsuggest.transcripts.quoted_delimited import delimited
from memsuggest.transcripts.quoted_lines import Line, Stretch, lines_of
from memsuggest.transcripts.quoted_machine import is_machine, machine_output
from memsuggest.transcripts.quoted_marks import marked
from memsuggest.transcripts.quoted_pastes import documents, introduced, long_pastes, reviews
from memsuggest.transcripts.quoted_records import examples, nested_data, records
from memsuggest.transcripts.quoted_talks import comments, consoles, histories, talks

_PASTES = (machine_output, introduced, documents, reviews, records, nested_data, examples, histories, talks, consoles)
"""What only looks pasted; told in what the person's own marks leave over."""


_SHORT = 140
_TELLING = re.compile(r"""[\n`~<>:"“«]""")
"""What a short text that quotes something has at least one of."""


def quoted_stretches(text: str) -> tuple[Stretch, ...]:
    """Return the `[start, end)` stretches of a text that are quoted or pasted, ascending and disjoint.

    >>> quoted_stretches("why?\\n> use tabs\\nno, spaces")
    ((5, 16),)
    """
    if len(text) < _SHORT and not _TELLING.search(text):
        return ((0, len(text)),) if is_machine(text) else ()
    lines = lines_of(text)
    found = united([*marked(lines, text), *delimited(lines, text), *comments(lines, text)])
    rest = _outside(lines, found)
    found = united([*found, *(stretch for rule in _PASTES for stretch in rule(rest, text))])
    rest = _outside(lines, found)
    return _bridged(united([*found, *long_pastes(rest, text)]), text)


def united(found: list[Stretch] | tuple[Stretch, ...]) -> tuple[Stretch, ...]:
    """Sort stretches and join those that touch."""
    joined: list[Stretch] = []
    for start, end in sorted(found):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        elif end > start:
            joined.append((start, end))
    return tuple(joined)


def _bridged(stretches: tuple[Stretch, ...], text: str) -> tuple[Stretch, ...]:
    """Join stretches that only white space separates."""
    joined: list[Stretch] = []
    for start, end in stretches:
        if joined and not text[joined[-1][1] : start].strip():
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return tuple(joined)


def _outside(lines: list[Line], stretches: tuple[Stretch, ...]) -> list[Line]:
    """Keep the lines that begin outside, and what goes on behind a stretch that ends within a line."""
    kept = []
    covered = iter([*stretches, (lines[-1].end + 1, lines[-1].end + 1)])
    start, end = next(covered)
    for line in lines:
        while end <= line.start and end <= lines[-1].end:
            start, end = next(covered)
        if line.start < start:
            kept.append(line)
        elif line.start < end < line.end:
            kept.append(Line(end, line.end, line.text[end - line.start :]))
    return kept
