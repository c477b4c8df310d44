"""A session as remarks: every statement of the person with what was said before it and how often it was said.

Owns the reading of a whole session: what repeats, what is a request for a feature, what a directive already took.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from memsuggest.extraction.directives import find_directives
from memsuggest.extraction.language.phrases import RECORDED
from memsuggest.extraction.remarks import Remark
from memsuggest.extraction.repetitions import with_repetitions
from memsuggest.model import Role
from memsuggest.text.sentences import statements

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memsuggest.model import Transcript, Turn

_BUILDS = re.compile(
    r"\b(?:build|create|implement|develop|write|make|design|generate|add|need|want) (?:me |us |out )?(?:a|an"
    r"|the|another|some|new|this|support)\b"
    r"|\b(?:erstelle|baue|implementiere|crée|développe|crea|construye|desarrolla|crie|construa|desenvolva"
    r"|implemente)\b|作成して|作って|实现|创建|开发"
)
_BRIEF = re.compile(
    r"\W{0,8}(?:(?:hi|hello|hey|ignore|forget|from now on|please|now)\b[^.\n]{0,120}[.,!]?\s+)?(?:you (?:are"
    r"|will be|will act as|should act as|act as)"
    r"|act as|pretend|imagine you|assume the role|your (?:task|role|job|goal|mission) is|as an? (?:ai|expert"
    r"|assistant)|i want you to (?:act|be|become))\b",
    re.IGNORECASE,
)
_PART = re.compile(
    (
        r"\b(?:immerse yourself|the role of|act as|pretend (?:to be|you are)|you are (?:about|going) to|do "
        r"anything now|your new role|stay in character|persona)\b"
    ),
    re.IGNORECASE,
)
_BRIEF_SIZE = 300  # characters from which a text that gives the assistant a part to play is a prepared brief
_HEADING = re.compile(r"^#{1,4} [^\n]*\w", re.MULTILINE)
_HEADINGS = 2  # from which a text was written as a document
_MOST = 300  # statements of one turn; nobody types more
_MANY = 5  # statements from which a turn that asks to build something is a specification


def remarks_of(transcript: Transcript) -> list[Remark]:
    """List the statements of the person outside directives, in order, as remarks."""
    answer: Turn | None = None
    found: list[Remark] = []
    for position, turn in enumerate(transcript.turns):
        if turn.role is Role.ASSISTANT:
            answer = turn
        elif turn.typed:
            verdict = _verdict(transcript.turns[position + 1 :])
            is_first = not found and not transcript.context
            said = _of_turn(turn, answer, verdict=verdict)
            found += [replace(remark, is_first=True) for remark in said] if is_first else said
    return with_repetitions(found)


def _verdict(later: Sequence[Turn]) -> int:
    """What the person made of the assistant's next turn."""
    answer = next((turn.signals for turn in later[:1] if turn.role is Role.ASSISTANT), None)
    if answer is None:
        return 0
    return (answer.vote > 0 or answer.kept) - (answer.vote < 0 or answer.undone)


def _of_turn(turn: Turn, answer: Turn | None, *, verdict: int) -> list[Remark]:
    taken = [(directive.start, directive.end) for directive in find_directives(turn.typed, turn.quoted)]
    left_out = sorted([*turn.quoted, *taken])
    found = statements(turn.typed, left_out)[:_MOST]
    is_request = len(found) >= _MANY and any(
        _BUILDS.search(statement.plain) and not RECORDED.search(statement.plain) for statement in found[:2]
    )
    is_brief = len(turn.typed) >= _BRIEF_SIZE and bool(_BRIEF.match(turn.typed))
    document = _document(turn.typed)
    parts = {text for text in {statement.paragraph for statement in found} if _plays_a_part(text)}
    return [
        Remark(
            statement=statement,
            turn=turn,
            answered=answer.text if answer else "",
            is_after_undo=bool(answer and (answer.signals.undone or answer.signals.vote < 0)),
            is_request=is_request,
            is_brief=is_brief or statement.paragraph in parts,
            is_document=0 <= document < statement.start,
            verdict=verdict,
        )
        for statement in found
    ]


def _document(typed: str) -> int:
    """Where the first of several Markdown headings stands; -1 where there are not several."""
    headings = [found.start() for found in _HEADING.finditer(typed)]
    return headings[0] if len(headings) >= _HEADINGS else -1


def _plays_a_part(paragraph: str) -> bool:
    """Whether a long paragraph gives the assistant a part to play."""
    return len(paragraph) >= _BRIEF_SIZE and bool(_PART.search(paragraph[:_BRIEF_SIZE]))
