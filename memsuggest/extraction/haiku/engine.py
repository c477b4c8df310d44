"""The engine that asks a model: cuts a session into questions, reads the answers, and joins them with our own rules.

What the person gave a name (`remember: …`) and what our rules are nearly certain of stays, whatever the model says.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

from memsuggest.extraction import offline
from memsuggest.extraction.haiku.disposing import Hearing, dispose, sifted
from memsuggest.extraction.haiku.reply import Injection, Reply, read_reply, schema
from memsuggest.extraction.haiku.telling import as_line, heard_before, line_of, portions, told_turns, turn_name
from memsuggest.extraction.merging import merged
from memsuggest.haiku.prompts import load_prompt
from memsuggest.haiku.question import Purpose, Question
from memsuggest.haiku.tokens import estimate
from memsuggest.identity import hash_of
from memsuggest.model import Candidate, FactStatus, Skipped, Trust

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from memsuggest.extraction.documents import Written
    from memsuggest.extraction.verdict import Verdict
    from memsuggest.haiku.asking import Asks
    from memsuggest.model import MemoryFact, Transcript, Turn

NAME = "haiku"
PORTION = 30_000
"""Tokens of a session in one question: far below what is billed as long, and short texts are read with more care."""
KNOWN = 2_000
"""Tokens of known facts that are told, the newest first."""
SURE = 0.85
"""Confidence from which our own rules need no model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """A question that is to be asked, and the names of the turns and documents that it covers."""

    question: Question
    covers: frozenset[str]


@dataclass(slots=True, kw_only=True)
class HaikuEngine:
    """The engine `haiku`, as a run has it."""

    asks: Asks
    read_written: Callable[[Transcript], Sequence[Written]]
    """Returns the documents that the assistant wrote in a session, as far as they may be read."""
    tell_own_use: Callable[[Transcript], int | None] = lambda _transcript: None
    """Returns how many tokens the assistant itself used in a session; None where nobody knows."""
    portion: int = PORTION
    """Tokens of a session in one question, at most."""
    NAME: str = NAME
    _dropped: dict[str, list[Skipped]] = field(default_factory=dict, init=False)

    def extract(self, transcript: Transcript, known: Sequence[MemoryFact]) -> list[Candidate]:
        """Find what is worth remembering; raises ModelError and ConsentError, and then nothing was learned."""
        if transcript.trust is not Trust.TYPED:
            return offline.extract(transcript)  # somebody else's words are not sent
        written = self.read_written(transcript)
        hearing = Hearing(
            transcript=transcript,
            verdicts=offline.explain(transcript),
            written=written,
            acts={one.turn.number: _act(one.turn, one.before) for one in told_turns(transcript)},
            known={name_of(fact): fact.content for fact in known},
        )
        family = family_of(transcript)
        replies = [read_reply(answer.text) for answer in self.asks.answers(family)]
        for planned in self._plan(transcript, known, written):
            sift = partial(_sifted, hearing=hearing)
            replies.append(self.asks.ask(planned.question, read_reply, family=family, covers=planned.covers, sift=sift))
        return self._joined(replies, hearing)

    def plan(self, transcript: Transcript, known: Sequence[MemoryFact]) -> list[Planned]:
        """Return the questions that a session still needs: about what no answer covers yet."""
        if transcript.trust is not Trust.TYPED:
            return []
        return self._plan(transcript, known, self.read_written(transcript))

    def _plan(self, transcript: Transcript, known: Sequence[MemoryFact], written: Sequence[Written]) -> list[Planned]:
        answered = {name for answer in self.asks.answers(family_of(transcript)) for name in answer.covers}
        known_text = told_facts(known)
        told = told_turns(transcript)
        new = {one.turn.number for one in told if turn_name(transcript, one.turn) not in answered}
        plans = [
            Planned(
                question=_question(transcript, known_text, [line_of(one) for one in portion]),
                covers=frozenset(turn_name(transcript, one.turn) for one in portion if one.is_new),
            )
            for portion in portions(told, new=new, most=self.portion)
        ]
        documents = [one for one in written if document_name(one) not in answered]
        for document in documents:
            line = as_line({"file": document.path, "text": document.text})
            question = _question(transcript, known_text, [line])
            plans.append(Planned(question=question, covers=frozenset({document_name(document)})))
        use = self.tell_own_use(transcript) if plans else None
        session = hash_of("session", transcript.session_id)
        return [replace(one, question=replace(one.question, session=session, own_use=use)) for one in plans]

    def explain(self, transcript: Transcript) -> list[Verdict]:
        """Say of every statement what our own rules make of it; a model gives no reasons."""
        return offline.explain(transcript)

    def held_back(self, transcript: Transcript) -> list[Skipped]:
        """List what our own rules hold back, and what the model proposed in vain in this run."""
        return [*offline.held_back(transcript), *self._dropped.get(transcript.session_id, ())]

    def _joined(self, replies: Sequence[Reply], hearing: Hearing) -> list[Candidate]:
        found: list[Candidate] = []
        dropped: list[Skipped] = []
        for reply in replies:
            for proposed in reply.facts:
                disposed = dispose(proposed, hearing)
                if isinstance(disposed, Skipped):
                    dropped.append(disposed)
                else:
                    found.append(disposed)
            dropped += [
                Skipped(
                    what=f"turn {one.turn} of {hearing.transcript.origin}", why="a text in it gives orders to readers"
                )
                for one in reply.injections[:_SHOWN]
                if hearing.turn(one.turn)
            ]
        self._dropped[hearing.transcript.session_id] = dropped
        return merged(_with_own(found, offline.extract(hearing.transcript)))


_SHOWN = 5


def family_of(transcript: Transcript) -> str:
    """Return the name under which the answers about a session are kept, by this version of the prompt."""
    prompt = load_prompt("extraction")
    return hash_of("extraction", str(prompt.version), transcript.session_id)


def document_name(document: Written) -> str:
    """Return the identity of a document as it was told."""
    return hash_of("document", document.path, document.text)


def name_of(fact: MemoryFact) -> str:
    """Return the short id under which a fact is shown."""
    return f"K{fact.id[:8]}"


def told_facts(known: Sequence[MemoryFact]) -> str:
    """Return what is known already, a line each, newest first, as far as there is room."""
    lines = ["Known facts:"]
    room = KNOWN
    for fact in sorted(known, key=lambda fact: (-fact.timestamp, fact.id)):
        line = f"{name_of(fact)} {fact.scope} {fact.kind}: {fact.content}"
        room -= estimate(line)
        if fact.status is FactStatus.ACTIVE and room >= 0:
            lines.append(line)
    return "\n".join(lines) if len(lines) > 1 else ""


def _question(transcript: Transcript, known: str, lines: Sequence[str]) -> Question:
    return Question(
        purpose=Purpose.EXTRACTION,
        prompt=load_prompt("extraction"),
        about=transcript.origin,
        known=known,
        data="\n".join(lines),
        schema=schema(),
    )


def _sifted(reply: Reply, hearing: Hearing) -> str:
    """Return what of a reply is kept for later runs: what holds, and nothing that nobody said."""
    facts = [kept for proposed in reply.facts if (kept := sifted(proposed, hearing))]
    turns = [Injection(turn=one.turn, what="") for one in reply.injections if hearing.turn(one.turn)]
    return Reply(facts=facts, injections=turns).model_dump_json()


def _act(turn: Turn, before: Turn | None) -> str:
    """Return what the person reacts to: the end of what was said, and the command that was refused."""
    return f"{heard_before(turn, before)} {turn.signals.rejected_tool or ''}".strip()


def _with_own(proposed: Sequence[Candidate], own: Sequence[Candidate]) -> list[Candidate]:
    """Join the model's candidates with our own that need no model; of the same utterance, there is one."""
    named = [one for one in own if one.explicit]
    rest = [one for one in proposed if not _is_cited_by(one, named)]
    sure = [one for one in own if not one.explicit and one.confidence >= SURE and not _is_cited_by(one, rest)]
    return [*named, *rest, *sure]


def _is_cited_by(candidate: Candidate, others: Collection[Candidate]) -> bool:
    """Whether others rest on the words that a candidate rests on first."""
    first = candidate.citations[0]
    words = " ".join(first.quote.split())
    cited = [citation for other in others for citation in other.citations if citation.turn == first.turn]
    return any(words in (said := " ".join(one.quote.split())) or said in words for one in cited)
