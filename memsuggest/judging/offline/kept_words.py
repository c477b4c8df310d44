"""Words of a conversation that may be kept: that somebody said in it, as whose they are, and that harm nobody. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memsuggest.core.model import Transcript
from memsuggest.core.redact import clean, redact
from memsuggest.core.text.words import content_words
from memsuggest.judging.by_model.session_text import own_words
from memsuggest.judging.offline.derive import derives_from_quotes
from memsuggest.judging.safety import commands_a_machine, disguised, refused, weakens_safety

if TYPE_CHECKING:
    from memsuggest.judging.by_model.conversation_question import Sentence

SENTENCES = 4
_OWN, _HEARD = 0.66, 0.5
"""Share of a sentence's words that the person typed, or that anybody said, from which it may pass for theirs."""
_TELLING = content_words("the person user asked asks decided decides wanted wants chose said told left later")
"""How a sentence tells of the person: their own words are the others."""
_SAYS = "Says the assistant: "


def attributed_text(sentences: Sequence[Sentence], transcript: Transcript, *, limit: int) -> str:
    """Return a model's sentences about a conversation as one text, each as whose word it is; empty where none may stay.

    A sentence that claims to be the person's word and has few of their words is the assistant's, or goes. What the
    person quoted or pasted is nobody's word.
    """
    typed = [own for turn in transcript.turns if turn.typed and (own := own_words(turn))]
    heard = [*typed, *(turn.text for turn in transcript.turns if turn.text), *transcript.files_written]
    found: list[str] = []
    for sentence in sentences[:SENTENCES]:
        text = " ".join(sentence.text.split())
        if (
            sentence.by == "person"
            and is_of(text, typed, share=_OWN, apart=_TELLING)
            and not why_not_stored(text, typed)
        ):
            found.append(text)
        elif text and is_of(text, heard, share=_HEARD) and not why_not_stored(text, heard):
            found.append(f"{_SAYS}{text}")
    while found and len(" ".join(found)) > limit:
        found.pop()
    return " ".join(found)


def is_of(text: str, sources: Sequence[str], *, share: float, apart: frozenset[str] = frozenset()) -> bool:
    """Tell whether this share of a text's words, apart from some, stands in what it comes from."""
    words = content_words(text) - apart
    return bool(words) and len(words & content_words("\n".join(sources))) >= share * len(words)


def why_not_stored(content: str, sources: Sequence[str]) -> str:
    """Say why words may not be stored as memory, given what they come from; nothing when they may."""
    if sources and not derives_from_quotes(content, sources):
        return "it has a number, name, path or command that is not in the source"
    return why_unsafe(content)


def why_unsafe(content: str) -> str:
    """Say why words may not be stored whoever wrote them: a secret, hidden characters, an order, a danger."""
    if redact(clean(content)).text != content:
        return "it has a secret, personal data or invisible characters"
    if commands_a_machine(content):
        return "it tells assistants to ignore their instructions"
    return refused(content) or disguised(content) or weakens_safety(content)
