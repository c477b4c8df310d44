"""A session as remarks: every statement of the person with what was said before it and how often it was said.

Owns the reading of a whole session: what repeats, what is a request for a feature, what a directive already took.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.extraction.directives import find_directives
from memsuggest.extraction.remarks import Remark
from memsuggest.extraction.sentences import statements
from memsuggest.model import Role

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memsuggest.model import Transcript, Turn


def remarks_of(transcript: Transcript) -> Iterator[Remark]:
    """Yield the statements of the person outside directives, in order, as remarks."""
    answered = ""
    for turn in transcript.turns:
        if turn.role is Role.ASSISTANT:
            answered = turn.text
        elif turn.typed:
            yield from _of_turn(turn, answered)


def _of_turn(turn: Turn, answered: str) -> Iterator[Remark]:
    taken = [(directive.start, directive.end) for directive in find_directives(turn.typed, turn.quoted)]
    left_out = sorted([*turn.quoted, *taken])
    for statement in statements(turn.typed, left_out):
        yield Remark(statement=statement, turn=turn, answered=answered)
