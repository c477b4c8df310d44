"""Packets: sessions as questions to a model, short questions joined to one, and the shape of the replies. Pure.

In a joined question every turn has the number of its session before its own: turn 7 of the second session is turn
2007. So a citation names its session too, and a number that is off by one stays within it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from memsuggest.core.identity import hash_of
from memsuggest.core.model import FactStatus, MemoryFact, Transcript
from memsuggest.judging.asking.json_object import ReplyPart, read_as, schema_of
from memsuggest.judging.asking.outcomes import failure
from memsuggest.judging.asking.prompts import load_prompt
from memsuggest.judging.asking.question import Purpose, Question, estimate, fence
from memsuggest.judging.assistant_documents import Written
from memsuggest.judging.by_model.session_text import ShownTurn, as_line, line_of, portions, shown_turns, turn_name

PORTION = 30_000
"""Tokens of a session in one question: far below what is billed as long, and short texts are read with more care."""
SHORT = 4_000  # tokens up to which a question about one session may be joined with others
TOGETHER = 9_000
"""Tokens of the sessions in a joined question: the prompt is a third of it then, and each is still read with care."""
MOST_TOGETHER = 12  # sessions in one question
KNOWN = 2_000  # tokens of known facts that are shown, the newest first
_STRIDE = 1_000  # numbers of turns that each session of a joined question has
_TOKENS_EACH = 8  # for the line before each session


MOST_FACTS = 60  # facts in one reply; a longer list is no honest answer
MOST_CITATIONS = 6
_ASKED = {"later": "string", "of_ten": "integer"}  # fields that a reply from elsewhere may lack


class Cited(ReplyPart):
    """A citation of the person, as the model has it."""

    turn: int
    file: str
    quote: str


class Proposed(ReplyPart):
    """One thing that the model believes worth remembering."""

    content: str
    reason: str
    kind: Literal["correction", "convention", "preference", "procedure", "terminology", "fact", "skill", "observation"]
    scope: Literal["workspace", "user"]
    later: str | None = None
    """The other work in which somebody needs it; empty where the model sees none, None where it was not asked."""
    confidence: Literal["high", "medium", "low"]
    of_ten: int | None = None
    """Careful readers of ten who would keep it, as the model thinks; None where it was not asked."""
    citations: list[Cited]
    replaces: str

    @property
    def is_for_nothing(self) -> bool:
        """Whether the model was asked who needs it later, and named nobody."""
        return self.later is not None and not self.later.strip()


class Injection(ReplyPart):
    """A turn in which a text gives orders to whoever reads it."""

    turn: int
    what: str


class ExtractionReply(ReplyPart):
    """A whole reply."""

    facts: list[Proposed]
    injections: list[Injection]


def read_reply(text: str) -> ExtractionReply:
    """Return a reply; raises ModelError for one of another shape, or with more in it than an honest one has."""
    reply = read_as(ExtractionReply, text)
    if len(reply.facts) > MOST_FACTS or any(len(fact.citations) > MOST_CITATIONS for fact in reply.facts):
        raise failure("wrong-shape", f"more than {MOST_FACTS} facts")
    return reply


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """A question that is to be asked, and the names of the turns and documents that it covers."""

    question: Question
    covers: frozenset[str]
    transcript: Transcript
    turns: tuple[ShownTurn, ...] = ()  # the turns in it; none where it is about a document


@dataclass(frozen=True, slots=True, kw_only=True)
class Joined:
    """A question in the place of several short ones, in their order in it."""

    question: Question
    parts: tuple[Planned, ...]

    def split(self, reply: ExtractionReply) -> list[tuple[Planned, ExtractionReply]]:
        """Return what a reply says to each part, with the session's own numbers of turns."""
        return [(part, part_of(reply, place)) for place, part in enumerate(self.parts, 1)]


def plan_session(
    transcript: Transcript,
    known: Sequence[MemoryFact],
    written: Iterable[Written],
    *,
    answered: Collection[str] = (),
    portion: int = PORTION,
) -> list[Planned]:
    """Return the questions that a session still needs: about what no answer covers yet."""
    turns = shown_turns(transcript)
    new = {shown.turn.number for shown in turns if turn_name(transcript, shown.turn) not in answered}
    asked: list[tuple[list[str], frozenset[str], tuple[ShownTurn, ...]]] = []
    for portion_turns in portions(turns, new=new, most=portion):
        covers = frozenset(turn_name(transcript, shown.turn) for shown in portion_turns if shown.is_new)
        asked.append(([line_of(shown) for shown in portion_turns], covers, tuple(portion_turns)))
    for document in written:
        if (name := document_name(document)) not in answered:
            asked.append(([as_line({"file": document.path, "text": document.text})], frozenset({name}), ()))
    prompt, known_text = load_prompt("extraction"), known_facts_text(known)
    shape = schema_of(ExtractionReply, "Proposed", **_ASKED)
    return [
        Planned(
            question=Question(
                purpose=Purpose.EXTRACTION,
                prompt=prompt,
                about=transcript.origin,
                known=known_text,
                data="\n".join(lines),
                schema=shape,
            ),
            covers=covers,
            transcript=transcript,
            turns=portion_turns,
        )
        for lines, covers, portion_turns in asked
    ]


def join(plans: Iterable[Planned], *, most: int = TOGETHER) -> list[Joined]:
    """Return questions in the place of the short ones among some, in their order, as few as can be read with care.

    What is long, about a document, or left alone has no part in any, and is asked by itself. Sessions of which nobody
    knows what the assistant itself used are asked about apart: they are not held against that.
    """
    groups: dict[bool, list[list[Planned]]] = {True: [[]], False: [[]]}
    room = dict.fromkeys(groups, most)
    for plan in plans:
        size = estimate(plan.question.data) + _TOKENS_EACH
        if not plan.turns or size > min(SHORT, most) or plan.turns[-1].turn.number >= _STRIDE:
            continue
        kind = bool(plan.question.token_usage)
        if size > room[kind] or len(groups[kind][-1]) == MOST_TOGETHER:
            groups[kind].append([])
            room[kind] = most
        groups[kind][-1].append(plan)
        room[kind] -= size
    found = []
    for group in (group for kind in groups.values() for group in kind if len(group) > 1):
        lines = []
        for place, planned in enumerate(group, 1):
            lines.append(as_line({"session": place}))
            lines += [line_of(shown, after=place * _STRIDE) for shown in planned.turns]
        question = replace(
            group[0].question,
            about=f"{len(group)} sessions: {', '.join(planned.question.about for planned in group)}",
            data="\n".join(lines),
            token_usage={session: used for planned in group for session, used in planned.question.token_usage.items()},
            parts=tuple(planned.question.key for planned in group),
        )
        found.append(Joined(question=question, parts=tuple(group)))
    return found


def part_of(reply: ExtractionReply, place: int) -> ExtractionReply:
    """Return what a reply says of one session: a fact belongs to each session that it cites."""
    first, last = place * _STRIDE, (place + 1) * _STRIDE  # number 0 is no turn, but one that is off by one
    facts = []
    for fact in reply.facts:
        cited = [citation for citation in fact.citations if first <= citation.turn < last]
        if cited:
            own = [citation.model_copy(update={"turn": citation.turn - first}) for citation in cited]
            facts.append(fact.model_copy(update={"citations": own}))
    found = [
        injection.model_copy(update={"turn": injection.turn - first})
        for injection in reply.injections
        if first <= injection.turn < last
    ]
    return ExtractionReply(facts=facts, injections=found)


def family_of(transcript: Transcript, *, version: int | None = None) -> str:
    """Return the name under which the answers about a session are kept, by this version of the prompt or another."""
    of = load_prompt("extraction").version if version is None else version
    return hash_of("extraction", str(of), transcript.session_id)


def document_name(document: Written) -> str:
    """Return the identity of a document as it was shown."""
    return hash_of("document", document.path, document.text)


def name_of(fact: MemoryFact) -> str:
    """Return the short id under which a fact is shown."""
    return f"K{fact.id[:8]}"


def known_facts_text(known: Sequence[MemoryFact]) -> str:
    """Return what is known already, a line each, newest first, as far as there is room.

    Fenced like the rest of the data: the facts of a clone are the words of strangers.
    """
    lines: list[str] = []
    room = KNOWN
    for fact in sorted(known, key=lambda fact: (-fact.timestamp, fact.id)):
        shown = {"known": name_of(fact), "scope": fact.scope.value, "kind": fact.kind.value, "says": fact.content}
        line = as_line(shown)
        room -= estimate(line)
        if fact.status is FactStatus.ACTIVE and room >= 0:
            lines.append(line)
    return fence("\n".join(lines)) if lines else ""
