"""The share of a person's messages that hold words of their own. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from memsuggest.model import Transcript, Turn

_FEW = 3  # messages of which nobody can say that most are quoted


class TypedShare(NamedTuple):
    """Of how many messages something was typed."""

    typed: int
    messages: int

    @property
    def is_small(self) -> bool:
        """Tell whether most messages are quoted: then a reader or a rule for pastes may have been wrong."""
        return self.messages >= _FEW and 2 * self.typed < self.messages


def typed_share(transcript: Transcript) -> TypedShare:
    """Count the person's messages, and those of them that are not quoted from beginning to end."""
    messages = [turn for turn in transcript.turns if turn.typed]
    return TypedShare(sum(map(_has_words, messages)), len(messages))


def _has_words(turn: Turn) -> bool:
    place = 0
    for start, end in turn.quoted:
        if turn.typed[place:start].strip():
            return True
        place = end
    return bool(turn.typed[place:].strip())
