"""Packets: sessions as questions to a model, one by one or, where they are short, several in one. Pure.

In a question about several sessions every turn has the number of its session before its own: turn 7 of the second
session is turn 2007. So a citation names its session too, and a number that is off by one stays within it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memsuggest.extraction.haiku.reply import Reply, schema
from memsuggest.extraction.haiku.telling import as_line, line_of, portions, told_turns, turn_name
from memsuggest.haiku.prompts import load_prompt
from memsuggest.haiku.question import Purpose, Question, fence
from memsuggest.haiku.tokens import estimate
from memsuggest.identity import hash_of
from memsuggest.model import FactStatus, Trust

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from memsuggest.extraction.documents import Written
    from memsuggest.extraction.haiku.telling import Told
    from memsuggest.model import MemoryFact, Transcript

PORTION = 30_000
"""Tokens of a session in one question: far below what is billed as long, and short texts are read with more care."""
SHORT = 4_000
"""Tokens of a session up to which it may share a question with others."""
TOGETHER = 9_000
"""Tokens of the sessions in one question: the prompt is a sixth of it then, and each is still read with care."""
MOST_TOGETHER = 12
"""Sessions in one question."""
KNOWN = 2_000
"""Tokens of known facts that are told, the newest first."""
_STRIDE = 1_000
"""Numbers of turns that each session of a shared question has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """A question that is to be asked, and the names of the turns and documents that it covers."""

    question: Question
    covers: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shared:
    """A question about several sessions, in their order in it."""

    question: Question
    sessions: tuple[Transcript, ...]

    def split(self, reply: Reply) -> dict[str, Reply]:
        """Return what a reply says of each session, by its id, with its own numbers of turns."""
        return {one.session_id: part_of(reply, place) for place, one in enumerate(self.sessions, 1)}


def plan_session(
    transcript: Transcript,
    known: Sequence[MemoryFact],
    written: Iterable[Written],
    *,
    answered: Collection[str] = (),
    portion: int = PORTION,
) -> list[Planned]:
    """Return the questions that a session still needs: about what no answer covers yet."""
    known_text = told_facts(known)
    told = told_turns(transcript)
    new = {one.turn.number for one in told if turn_name(transcript, one.turn) not in answered}
    plans = [
        Planned(
            question=_question(transcript.origin, known_text, [line_of(one) for one in told_now]),
            covers=frozenset(turn_name(transcript, one.turn) for one in told_now if one.is_new),
        )
        for told_now in portions(told, new=new, most=portion)
    ]
    for document in written:
        if document_name(document) not in answered:
            line = as_line({"file": document.path, "text": document.text})
            question = _question(transcript.origin, known_text, [line])
            plans.append(Planned(question=question, covers=frozenset({document_name(document)})))
    session = hash_of("session", transcript.session_id)
    return [replace(one, question=replace(one.question, session=session)) for one in plans]


def plan_together(transcripts: Iterable[Transcript], known: Sequence[MemoryFact]) -> list[Shared]:
    """Return questions about the short ones of some sessions, in their order, as few as can be read with care.

    A session that is long, or that is left alone, has no part in any: it is asked about by itself.
    """
    groups: list[list[tuple[Transcript, list[Told]]]] = [[]]
    room = TOGETHER
    for transcript in transcripts:
        told = told_turns(transcript)
        size = sum(estimate(line_of(one)) + 1 for one in told)
        if not told or size > SHORT or transcript.trust is not Trust.TYPED or transcript.context:
            continue
        if told[-1].turn.number >= _STRIDE:
            continue
        if size > room or len(groups[-1]) == MOST_TOGETHER:
            groups.append([])
            room = TOGETHER
        groups[-1].append((transcript, told))
        room -= size
    known_text = told_facts(known)
    return [_shared(group, known_text) for group in groups if len(group) > 1]


def _shared(group: Sequence[tuple[Transcript, Sequence[Told]]], known: str) -> Shared:
    lines = []
    for place, (_, told) in enumerate(group, 1):
        lines.append(as_line({"session": place}))
        lines += [line_of(one, after=place * _STRIDE) for one in told]
    about = f"{len(group)} sessions: {', '.join(transcript.origin for transcript, _ in group)}"
    session = hash_of("session", *(transcript.session_id for transcript, _ in group))
    question = replace(_question(about, known, lines), session=session)
    return Shared(question=question, sessions=tuple(transcript for transcript, _ in group))


def part_of(reply: Reply, place: int) -> Reply:
    """Return what a reply says of one session: a fact belongs to each session that it cites."""
    first, last = place * _STRIDE, (place + 1) * _STRIDE  # number 0 is no turn, but one that is off by one
    facts = []
    for fact in reply.facts:
        cited = [one for one in fact.citations if first <= one.turn < last]
        if cited:
            own = [one.model_copy(update={"turn": one.turn - first}) for one in cited]
            facts.append(fact.model_copy(update={"citations": own}))
    found = [one.model_copy(update={"turn": one.turn - first}) for one in reply.injections if first <= one.turn < last]
    return Reply(facts=facts, injections=found)


def family_of(transcript: Transcript, *, version: int | None = None) -> str:
    """Return the name under which the answers about a session are kept, by this version of the prompt or another."""
    of = load_prompt("extraction").version if version is None else version
    return hash_of("extraction", str(of), transcript.session_id)


def document_name(document: Written) -> str:
    """Return the identity of a document as it was told."""
    return hash_of("document", document.path, document.text)


def name_of(fact: MemoryFact) -> str:
    """Return the short id under which a fact is shown."""
    return f"K{fact.id[:8]}"


def told_facts(known: Sequence[MemoryFact]) -> str:
    """Return what is known already, a line each, newest first, as far as there is room.

    Fenced like the rest of the data: the facts of a clone are the words of strangers.
    """
    lines: list[str] = []
    room = KNOWN
    for fact in sorted(known, key=lambda fact: (-fact.timestamp, fact.id)):
        line = as_line(_told(fact))
        room -= estimate(line)
        if fact.status is FactStatus.ACTIVE and room >= 0:
            lines.append(line)
    return fence("\n".join(lines)) if lines else ""


def _told(fact: MemoryFact) -> Mapping[str, object]:
    return {"known": name_of(fact), "scope": fact.scope.value, "kind": fact.kind.value, "says": fact.content}


def _question(about: str, known: str, lines: Sequence[str]) -> Question:
    return Question(
        purpose=Purpose.EXTRACTION,
        prompt=load_prompt("extraction"),
        about=about,
        known=known,
        data="\n".join(lines),
        schema=schema(),
    )
