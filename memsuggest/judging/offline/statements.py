"""Statements: each sentence that the person typed in a session, with what surrounds it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from memsuggest.core.model import Role, Transcript, Turn
from memsuggest.core.text.sentences import Sentence, sentences_of
from memsuggest.core.text.words import plain
from memsuggest.judging.offline.cues import form

LONGEST = 600  # characters of a statement that are judged
_QUOTED_WORDS = re.compile(r"[\"\u201c](?:[^\s\"\u201c\u201d]+\s){2,60}[^\s\"\u201c\u201d]+[\"\u201d]")
"""Three words and more in quotation marks: what a text says, not what the person says."""
_CODE = re.compile(r"`[^`\n]{0,400}?\s[^`\n]{0,400}`")  # a command line in a code span
_PART_TO_PLAY = re.compile(r"\s*(?:#.*\n\s*)?You are an? ", re.IGNORECASE)
_BRIEF = 300  # characters; a longer prompt that gives the assistant a part to play was prepared, or is somebody else's


@dataclass(frozen=True, kw_only=True)
class Statement:
    """A sentence that the person typed, with what surrounds it."""

    sentence: Sentence
    turn: Turn = field(default_factory=lambda: Turn(number=1, role=Role.USER))
    heard: str = ""
    is_doubtful: bool = False

    @property
    def text(self) -> str:
        """Verbatim, as typed."""
        return self.sentence.text

    @cached_property
    def plain(self) -> str:
        """Its words in lower case, without what stands in quotation marks or a command line."""
        text = _CODE.sub("`\u2026`", self.sentence.text[:LONGEST])
        return plain(_QUOTED_WORDS.sub('"\u2026"', text))

    @cached_property
    def core(self) -> str:
        """The plain words without those that merely open a sentence; all of them where nothing else is there."""
        opening = form("statements", "opening").match(self.plain)
        return (self.plain[opening.end() :] if opening else "") or self.plain


def statements_of(transcript: Transcript) -> Iterator[Statement]:
    """Yield the statements of a session in their order."""
    heard = ""
    for turn in transcript.turns:
        if turn.role is not Role.USER:
            heard = turn.text or heard
        elif turn.typed.strip():
            is_part = len(turn.typed) > _BRIEF and _PART_TO_PLAY.match(turn.typed) is not None
            for sentence in sentences_of(turn.typed, turn.quoted):
                is_doubtful = is_part or any(
                    start < sentence.end and sentence.start < end for start, end in turn.doubtful
                )
                yield Statement(sentence=sentence, turn=turn, heard=heard, is_doubtful=is_doubtful)
            heard = ""
