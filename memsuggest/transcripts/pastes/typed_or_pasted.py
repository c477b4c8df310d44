"""The decision whose words a typed message consists of. Pure, but for the fitted weights that are loaded once.

Rules come first: what they are certain of is pasted. The fitted line model judges the lines that they leave open. What
neither is sure of is in doubt: it may be shown and asked about, but nothing is suggested on its word.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import takewhile
from typing import NamedTuple

from memsuggest.transcripts.pastes.line_model import fitted, judged, view
from memsuggest.transcripts.pastes.line_voices import Stretch, bridged, is_own_voice, outside, paragraphs, united
from memsuggest.transcripts.pastes.machine_output import is_machine, is_template
from memsuggest.transcripts.pastes.paste_evidence import PasteEvidence, evidence


class Words(NamedTuple):
    """Stretches of a message, `[start, end)`, each kind ascending and disjoint; the rest is the person's."""

    quoted: tuple[Stretch, ...] = ()
    doubtful: tuple[Stretch, ...] = ()  # never overlaps `quoted`

    def doubted(self, stretches: Sequence[Stretch], text: str) -> Words:
        doubtful = bridged(united([*self.doubtful, *stretches]), text)
        return Words(self.quoted, outside(doubtful, self.quoted, text))


PERSON_BELOW = -2.3
"""Scores of lines that are the person's, in a message in which something looks pasted …"""
PERSON_BELOW_PLAIN = 0.5
"""… and in one in which nothing does, where the model has only the wording to go by."""
PASTED_ABOVE = 1.4
"""Scores of lines that are pasted, if something else in the message looks so, too …"""
PROSE_ABOVE = 1.9
"""… and of those among them that are sentences."""

PERSON_AT_EDGE = 0.5
"""Scores of lines that are the person's at the beginning or end of a message: what leads up to a paste, or asks about
it."""

_SHORT = 140
_TELLING = re.compile(r"""[\n`~<>:"“«]""")  # what a short text that quotes something has at least one of
_FEW = 5  # lines that need no model where nothing looks pasted: nearly all of them are typed
_LONG = 40  # lines; nobody types that many in one message
_LINE = 80  # characters that a person types before a paste, in whatever voice
_LEAD = 3  # lines of a paragraph that still introduces or ends a paste

_WORD = re.compile(r"[^\W\d_]{2,}")
_PROSE_WORDS, _PROSE_SHARE = 3, 0.6
_PROSE_SEEN = 400  # characters of a line
_DRESSED = re.compile("\\*\\*\\S|^#{1,6} \\S|\t|[\u2600-\u27bf\U0001f300-\U0001faff]|^[-=*_]{3,}[ ]*$|`", re.MULTILINE)
"""Headings, bold, code, emoji, cells: what casual messages seldom have, and pasted answers and pages do."""


def _judge(found: PasteEvidence) -> Mapping[int, float]:
    return judged(view(found), fitted())


def whose_words(text: str, *, judge: Callable[[PasteEvidence], Mapping[int, float]] = _judge) -> Words:
    """Tell which stretches of a message are quoted or pasted, and which may be; `judge` scores lines by their numbers.

    >>> whose_words("why?\\n> use tabs\\nno, spaces").quoted
    ((5, 16),)
    """
    if len(text) < _SHORT and not _TELLING.search(text):
        return Words(((0, len(text)),)) if is_machine(text) or is_template(text) else Words()
    found = evidence(text)
    left_open, pasted, doubtful = found.left_open, list(found.certain), list(found.likely)
    is_dressed = bool(found.certain or found.is_dressed or _DRESSED.search(text))
    if len(left_open) > _FEW or ((is_dressed or found.likely) and left_open and "\n" in text):
        scores, said = judge(found), _may_be_said(found, text)
        edge = _edge(found, scores) if is_dressed else ()
        for place, is_part in left_open.items():
            (start, end, line), score = found.lines[place], scores.get(place)
            if score is None:  # in the middle of a paste that is too long to look at each line
                is_pasted, is_doubtful = not is_own_voice(line), True
            else:
                below = (PERSON_AT_EDGE if place in edge else PERSON_BELOW) if is_dressed else PERSON_BELOW_PLAIN
                is_pasted = is_dressed and score > (PROSE_ABOVE if is_prose(line) else PASTED_ABOVE)
                is_doubtful = score >= below or (said is not None and place not in said)
            if is_pasted or is_doubtful:
                (pasted if is_pasted and not is_part else doubtful).append((start, end))
    return Words(bridged(united(pasted), text)).doubted(doubtful, text)


def is_prose(line: str) -> bool:
    words = _WORD.findall(line[:_PROSE_SEEN])
    return (len(words) >= _PROSE_WORDS or any(len(word) > 1 and word > "\u3000" for word in words)) and is_wordy(line)


def is_wordy(line: str) -> bool:
    bare = line.strip()[:_PROSE_SEEN]
    return sum(map(len, _WORD.findall(bare))) > _PROSE_SHARE * (len(bare) - bare.count(" "))


def _edge(found: PasteEvidence, scores: Mapping[int, float]) -> set[int]:
    """Number the sentences before the first and behind the last line that looks pasted, a few at most."""
    filled = [place for place, line in enumerate(found.lines) if line.text.strip()]
    kept: set[int] = set()
    for ordered in (filled, filled[::-1]):
        run = list(takewhile(lambda place: place in found.left_open and scores.get(place, 0) <= PASTED_ABOVE, ordered))
        if len(run) <= _LEAD and all(is_wordy(found.lines[place].text) for place in run):
            kept.update(run)
    return kept


def _may_be_said(found: PasteEvidence, text: str) -> set[int] | None:
    """Number the lines of a long message that may be the person's; None for all, in one that is not long.

    A short paragraph at its beginning or end may be, and one in their own voice beside what is certainly pasted.
    """
    if sum(bool(line.text.strip()) for line in found.lines) <= _LONG:
        return None
    numbers = {line.start: place for place, line in enumerate(found.lines)}
    groups = [[numbers[line.start] for line in group] for group in paragraphs(found.lines)]
    kept: set[int] = set()
    for order, group in enumerate(groups):
        if len(group) > _LEAD:
            continue
        is_end = order in (0, len(groups) - 1)
        beside = () if is_end else (groups[order - 1][-1], groups[order + 1][0])
        body = text[found.lines[group[0]].start : found.lines[group[-1]].end].rstrip()
        is_brief = is_end and (len(body) <= _LINE or body.endswith((":", "?")))
        if is_brief or (is_own_voice(body) and (is_end or any(place not in found.left_open for place in beside))):
            kept.update(group)
    return kept
