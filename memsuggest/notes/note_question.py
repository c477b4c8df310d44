"""Notes in question one: what a model is shown of them, and what of its answer is taken. Pure."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from pydantic import BaseModel, ConfigDict

from memsuggest.core.identity import hash_of
from memsuggest.core.model import Scope
from memsuggest.core.redact import redact
from memsuggest.judging.asking.outcomes import failure
from memsuggest.judging.asking.prompts import load_prompt
from memsuggest.judging.asking.question import Purpose, Question
from memsuggest.judging.asking.read_reply import read_as
from memsuggest.judging.asking.schema import bare
from memsuggest.judging.verdicts.verdict_wording import why_no_reading
from memsuggest.notes.form import LONGEST, MOST, is_sentence, plain_text
from memsuggest.notes.note import NoteRule, Statement
from memsuggest.notes.note_rules import people_in, rule_of

TOGETHER = 8
"""Notes of one question."""
LONGEST_NOTE = 6_000
"""Characters of a note that are shown."""
TOKENS_EACH = 250
"""Of the reply, for each note."""
PERSONAL = "it is about you or about how the assistant works"
TEAM = "team-rule"
NOT_LASTING = "the note describes a current state, not a lasting rule"
STANDS_NOT = "its quote is not in the note"
NO_RULE = "nothing is left of the rule without its private or unsafe details"


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class NotedRule(_Part):
    """A rule of a note, as a model words it, and the note's words for it."""

    content: str
    quote: str


class NoteReading(_Part):
    """A note, as a model reads it."""

    note: str
    holds: Literal["team-rule", "personal", "passing", "reference"]
    rules: list[NotedRule]


class Answer(_Part):
    """The whole reply."""

    notes: list[NoteReading]


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedNote:
    """A note as a model is shown it: without secrets and hidden signs."""

    noted_by: str
    type: str
    title: str
    text: str
    typed: tuple[str, ...] = ()
    """What the person typed before it, where that was found."""

    def told(self) -> dict[str, object]:
        """Return what a model is shown, but for the name."""
        text = self.text[:LONGEST_NOTE]
        found = {"noted_by": self.noted_by, "type": self.type, "title": self.title, "text": text, "typed": self.typed}
        return {key: value for key, value in found.items() if value}

    @property
    def name(self) -> str:
        """Its name in a question; with another text, or another prompt, it has another."""
        version = load_prompt("notes").version
        return f"N{hash_of('note', str(version), json.dumps(self.told(), ensure_ascii=False))[:8]}"


def question_about(notes: Mapping[str, AskedNote], *, about: str) -> Question:
    """Ask which rules some notes hold, each under its name."""
    lines = ({"note": name, **note.told()} for name, note in notes.items())
    return Question(
        purpose=Purpose.NOTES,
        prompt=load_prompt("notes"),
        about=about,
        data="\n".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) for line in lines),
        schema=bare(Answer.model_json_schema()),
        max_tokens=400 + TOKENS_EACH * len(notes),
    )


def read_answer(text: str, names: Collection[str]) -> dict[str, NoteReading]:
    """Return how an answer reads each note; raises ModelError for one of another shape, or to another question.

    A note that it leaves out holds nothing.
    """
    readings = read_as(Answer, text).notes
    found = {reading.note: reading for reading in reversed(readings) if reading.note in names}
    if readings and not found:
        raise failure("wrong-packet")
    return {name: found.get(name) or NoteReading(note=name, holds="passing", rules=[]) for name in names}


def rules_in(
    reading: NoteReading, text: str, *, is_users: bool = False, names: Collection[str] = ()
) -> tuple[tuple[NoteRule, ...], tuple[str, ...]]:
    """Return the rules of a note that code takes from a reading of it, and what was private in them."""
    found, private = dict[str, NoteRule](), list[str]()
    names = (*names, *people_in(text))
    for one in reading.rules:
        rule, kinds, _ = taken(one, text, holds=reading.holds, is_users=is_users, names=names)
        private += kinds
        if rule is not None:
            found.setdefault(rule.content.casefold(), rule)
    return tuple(found.values())[:MOST], tuple(dict.fromkeys(private))


def taken(
    one: NotedRule, text: str, *, holds: str = TEAM, is_users: bool = False, names: Collection[str] = ()
) -> tuple[NoteRule | None, tuple[str, ...], str]:
    """Return the rule that code takes, what was private in it, and why it is none.

    In the model's words where they say what the note's own sentence says, else in that sentence itself.
    """
    quote = plain_text(one.quote)
    if holds not in (TEAM, "personal"):
        return None, (), NOT_LASTING
    if not is_sentence(quote) or quote not in plain_text(text):
        return None, (), STANDS_NOT
    content = redact(" ".join(one.content.split())).text
    why = why_no_reading(content, quote, text)
    if why and len(quote) > LONGEST:
        return None, (), why
    statement = Statement(text=quote if why else content, line=_line_of(one.quote, text))
    rule, private = rule_of(statement, is_users=is_users, names=names)
    if rule is None:
        return None, private, ", ".join(private) or why or NO_RULE
    if holds != TEAM and rule.scope is Scope.WORKSPACE:
        rule = replace(rule, scope=Scope.USER, why=PERSONAL)
    return rule, private, ""


def _line_of(quote: str, text: str) -> int:
    start = next((line.strip() for line in quote.splitlines() if line.strip()), "")
    place = text.find(start) if start else -1
    return text.count("\n", 0, place) + 1 if place > 0 else 1


def portions(notes: Sequence[AskedNote], *, most: int = TOGETHER * LONGEST_NOTE) -> list[dict[str, AskedNote]]:
    """Return notes by their names, as many together as are read with attention and have `most` characters.

    The same text is asked about once.
    """
    found: list[dict[str, AskedNote]] = []
    room = 0
    for name, note in {note.name: note for note in notes}.items():
        size = min(len(note.text), LONGEST_NOTE)
        if not found or len(found[-1]) == TOGETHER or size > room:
            found.append({})
            room = most
        found[-1][name] = note
        room -= size
    return found
