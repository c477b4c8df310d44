"""Which stretches of a typed text are not the person's own words: code, logs, quotations, pasted documents.

Pure. Errs towards `quoted`: what is quoted can never become a fact on its own.
"""

from __future__ import annotations

import re

from memsuggest.transcripts.quoted_lines import Stretch, lines_of
from memsuggest.transcripts.quoted_machine import is_machine, machine_output
from memsuggest.transcripts.quoted_marks import block_quotes, elements, fences, quotations
from memsuggest.transcripts.quoted_pastes import documents, introduced, long_pastes, reviews

_MARKS = (fences, block_quotes, elements, quotations)
"""What the person marked as quoted."""
_PASTES = (machine_output, introduced, documents, reviews)
"""What only looks pasted; told in what the marks leave over."""


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
    found = united([stretch for rule in _MARKS for stretch in rule(lines, text)])
    rest = [line for line in lines if not is_within(line.start, found)]
    found = united([*found, *(stretch for rule in _PASTES for stretch in rule(rest, text))])
    rest = [line for line in rest if not is_within(line.start, found)]
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


def is_within(position: int, stretches: tuple[Stretch, ...]) -> bool:
    """Tell whether a position lies in one of some ascending, disjoint stretches."""
    return any(start <= position < end for start, end in stretches)
