"""The question what to keep of a conversation that is over, and the shape of its answer: a few sentences, each of which
says whose words it rests on. What of it is kept is decided in `extraction.kept_words`. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from pydantic import BaseModel, Field

from memsuggest.core.model import Role, Transcript
from memsuggest.core.text.words import content_words
from memsuggest.judging.asking.json_object import ReplyPart, bare, read_as
from memsuggest.judging.asking.outcomes import failure
from memsuggest.judging.asking.prompts import load_prompt
from memsuggest.judging.asking.question import Purpose, Question
from memsuggest.judging.by_model.session_text import as_line, own_words, shortened
from memsuggest.judging.offline.derive import is_of, why_not_stored

ROOM = 24_000  # characters of a conversation that are shown: its beginning and its end
_TURN = 600  # characters of one turn of the assistant, from its end, where it says what it did
_ANSWER = 1_000  # tokens of an answer
_MOST = 12  # sentences of an answer; more is no honest one


class Sentence(ReplyPart):
    """A sentence about a conversation, and whose words it rests on."""

    text: str
    by: Literal["person", "assistant"] = Field(alias="from")


class SentencesReply(ReplyPart):
    """The answer to the question what to keep."""

    sentences: list[Sentence]


def conversation_question(
    transcript: Transcript, *, purpose: Purpose, about: str, token_usage: Mapping[str, int]
) -> Question:
    """Ask what to keep of a conversation, shown a line a turn; of a long one, its beginning and its end.

    The purpose says which prompt asks.
    """
    lines = []
    for turn in transcript.turns:
        if turn.role is Role.USER and turn.typed.strip():
            lines.append(as_line({"person": shortened(turn)[: ROOM // 4]}))
        elif turn.role is not Role.USER and turn.text.strip():
            lines.append(as_line({"assistant": turn.text[-_TURN:]}))
    if transcript.files_written:
        lines.append(as_line({"files_written": list(transcript.files_written[:40])}))
    while sum(map(len, lines)) > ROOM and len(lines) > 2:
        del lines[len(lines) // 2]
    return question_of(purpose, lines, SentencesReply, about=about, token_usage=token_usage)


def read_sentences(text: str) -> SentencesReply:
    """Return what a model would keep; raises ModelError for an answer of another shape."""
    reply = read_as(SentencesReply, text)
    if len(reply.sentences) > _MOST:
        raise failure("wrong-shape", f"more than {_MOST} sentences")
    return reply


def question_of(
    purpose: Purpose, lines: Sequence[str], shape: type[BaseModel], *, about: str, token_usage: Mapping[str, int]
) -> Question:
    """Return a question about some lines of JSON, to be answered in a shape."""
    return Question(
        purpose=purpose,
        prompt=load_prompt(purpose.value),
        about=about,
        data="\n".join(lines),
        schema=bare(shape.model_json_schema(by_alias=True)),
        max_tokens=_ANSWER,
        token_usage=token_usage,
    )


# Words of a conversation that may be kept: that somebody said in it, as whose they are, and that harm nobody.

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
