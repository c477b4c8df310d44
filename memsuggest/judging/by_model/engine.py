"""The engine that asks a model: makes questions of sessions, reads the answers, and joins them with our own rules.

Several short sessions may be asked about at once (`ask_together`), before each is extracted as if it had been alone.

What the person gave a name (`remember: …`) stays, whatever the model says. Of the rest, its silence counts: what our
own rules would add to a session that it has judged is wrong four times in five.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from memsuggest.core.errors import ModelError
from memsuggest.core.identity import hash_of
from memsuggest.core.model import AGAIN, Candidate, MemoryFact, Skipped, Transcript, Trust, Turn
from memsuggest.judging.asking.answers import Kept
from memsuggest.judging.asking.ask_model import Asks
from memsuggest.judging.asking.question import Question, as_sent
from memsuggest.judging.by_model.disposing import Hearing, dispose, sifted
from memsuggest.judging.by_model.extraction_reply import ExtractionReply, Injection, read_reply
from memsuggest.judging.by_model.packets import (
    PORTION,
    TOGETHER,
    Joined,
    Planned,
    family_of,
    join,
    name_of,
    plan_session,
)
from memsuggest.judging.by_model.session_text import heard_before, told_turns
from memsuggest.judging.offline import offline
from memsuggest.judging.offline.documents import Written
from memsuggest.judging.offline.findings import Findings, merged_candidates

NAME = "haiku"


@dataclass(slots=True, kw_only=True)
class HaikuEngine:
    """The `haiku` engine, as a run has it."""

    asks: Asks
    read_written: Callable[[Transcript], Sequence[Written]]
    """Returns the documents that the assistant wrote in a session, as far as they may be read."""
    tell_token_usage: Callable[[Transcript], int | None] = lambda _transcript: None
    """Returns how many tokens the assistant itself used in a session; None where nobody knows."""
    portion: int = PORTION
    """Tokens of a session in one question."""
    NAME: str = NAME
    _heard: dict[str, list[tuple[Planned, ExtractionReply]]] = field(default_factory=dict, init=False)
    """By session, what was said of it in this run when several were asked about at once."""

    def extract(self, transcript: Transcript, known: Sequence[MemoryFact]) -> Findings:
        """Find what is worth remembering; raises ModelError and ConsentError, and then nothing was learned."""
        if transcript.trust is not Trust.TYPED:
            return offline.extract(transcript)  # somebody else's words are not sent
        hearing = self.hearing(transcript, known)
        family = family_of(transcript)
        heard = self._heard.pop(transcript.session_id, [])
        replies = [(self.NAME, reply) for _, reply in heard]
        whole = frozenset(name for planned, _ in heard for name in planned.covers)  # kept without what was dropped
        answers = [answer for answer in self.asks.answers(family) if not (whole and answer.covers <= whole)]
        replies += [(answer.judge, read_reply(answer.text)) for answer in answers]
        for planned in self._plan(transcript, known, hearing.written):
            sift = partial(kept_of, hearing=hearing)
            reply = self.asks.ask(planned.question, read_reply, family=family, covers=planned.covers, sift=sift)
            replies.append((self.NAME, reply))
        return _joined(replies, hearing)

    def plan_together(self, transcripts: Iterable[Transcript], known: Sequence[MemoryFact]) -> list[Joined]:
        """Return the questions about several sessions in the place of those that each would be asked by itself."""
        sessions: dict[str, Transcript] = {}
        for transcript in transcripts:
            sessions.setdefault(transcript.session_id, transcript)  # of copies, the first
        plans = (planned for session in sessions.values() for planned in self.plan(session, known))
        sent = (replace(plan, question=as_sent(plan.question)) for plan in plans)
        return join((plan for plan in sent if self.asks.may_join(plan.question)), most=min(TOGETHER, self.portion))

    def ask_together(self, transcripts: Iterable[Transcript], known: Sequence[MemoryFact]) -> dict[str, ModelError]:
        """Ask about the short ones of some sessions; return, by session, what went wrong where something did.

        Raises ConsentError. What is said is kept as the answers to the questions about each session.
        """
        failed: dict[str, ModelError] = {}
        for joined in self.plan_together(transcripts, known):
            hearings = [self.hearing(part.transcript, known) for part in joined.parts]
            keep = partial(kept_parts, joined=joined, hearings=hearings)
            try:
                reply = self.asks.ask_together(joined.question, read_reply, keep=keep)
            except ModelError as error:
                failed |= dict.fromkeys((part.transcript.session_id for part in joined.parts), error)
                continue
            for part, said in joined.split(reply):
                self._heard.setdefault(part.transcript.session_id, []).append((part, said))
        return failed

    def questions(self, transcripts: Sequence[Transcript], known: Sequence[MemoryFact]) -> list[Question]:
        """Return all questions that some sessions still need, as they would be asked."""
        return [joined.question for joined in self.plan_all(transcripts, known)]

    def plan_all(self, transcripts: Sequence[Transcript], known: Sequence[MemoryFact]) -> list[Joined]:
        """Return the same, each with the sessions that it is about."""
        joined = self.plan_together(transcripts, known)
        asked = {key for one in joined for key in one.question.parts}
        plans = [planned for transcript in transcripts for planned in self.plan(transcript, known)]
        alone = [plan for plan in plans if as_sent(plan.question).key not in asked]
        return [*joined, *(Joined(question=plan.question, parts=(plan,)) for plan in alone)]

    def hearing(self, transcript: Transcript, known: Sequence[MemoryFact]) -> Hearing:
        """Return what replies about a session are held against."""
        return Hearing(
            transcript=transcript,
            own=offline.extract(transcript),
            written=self.read_written(transcript),
            acts={turn.turn.number: _act(turn.turn, turn.before) for turn in told_turns(transcript)},
            known={name_of(fact): fact.content for fact in known},
        )

    def plan(self, transcript: Transcript, known: Sequence[MemoryFact]) -> list[Planned]:
        """Return the questions that a session still needs: about what no answer covers yet."""
        if transcript.trust is not Trust.TYPED:
            return []
        return self._plan(transcript, known, self.read_written(transcript))

    def _plan(self, transcript: Transcript, known: Sequence[MemoryFact], written: Sequence[Written]) -> list[Planned]:
        answered = {name for answer in self.asks.answers(family_of(transcript)) for name in answer.covers}
        plans = plan_session(transcript, known, written, answered=answered, portion=self.portion)
        use = self.tell_token_usage(transcript) if plans else None
        if use is None:
            return plans
        token_usage = {hash_of("session", transcript.session_id): use}
        return [replace(plan, question=replace(plan.question, token_usage=token_usage)) for plan in plans]


_SHOWN = 5


def _joined(replies: Iterable[tuple[str, ExtractionReply]], hearing: Hearing) -> Findings:
    found: list[Candidate] = []
    dropped: list[Skipped] = []
    for judge, reply in replies:
        for proposed in reply.facts:
            disposed = dispose(proposed, hearing, judge=judge)
            if isinstance(disposed, Skipped):
                dropped.append(disposed)
            else:
                found.append(disposed)
        dropped += [
            Skipped(
                what=f"turn {injection.turn} of {hearing.transcript.origin}",
                why="contains instructions aimed at an assistant",
            )
            for injection in reply.injections[:_SHOWN]
            if hearing.turn(injection.turn)
        ]
    candidates = merged_candidates(_with_own(found, hearing.own.candidates))
    return replace(hearing.own, candidates=tuple(candidates), held=(*hearing.own.held, *dropped))


def kept_parts(reply: ExtractionReply, *, joined: Joined, hearings: Iterable[Hearing]) -> list[Kept]:
    return [
        Kept(
            question=part.question.key,
            text=kept_of(said, hearing),
            family=family_of(part.transcript),
            covers=part.covers,
        )
        for (part, said), hearing in zip(joined.split(reply), hearings, strict=True)
    ]


def kept_of(reply: ExtractionReply, hearing: Hearing) -> str:
    """Return what of a reply is kept for later runs: what holds, and nothing that nobody said."""
    facts = [kept for proposed in reply.facts if (kept := sifted(proposed, hearing))]
    turns = [Injection(turn=injection.turn, what="") for injection in reply.injections if hearing.turn(injection.turn)]
    return ExtractionReply(facts=facts, injections=turns).model_dump_json()


def _act(turn: Turn, before: Turn | None) -> str:
    return f"{heard_before(turn, before)} {turn.signals.rejected_tool or ''}".strip()


def _with_own(proposed: Sequence[Candidate], own: Sequence[Candidate]) -> list[Candidate]:
    """Join the model's candidates with the person's directives, and with reminders of what it was told is known.

    Of the same utterance, there is one.
    """
    named = [candidate for candidate in own if candidate.explicit]
    again = [
        candidate
        for candidate in own
        if AGAIN in candidate.tags and not candidate.explicit and not _is_cited_by(candidate, proposed)
    ]
    return [*named, *(candidate for candidate in proposed if not _is_cited_by(candidate, named)), *again]


def _is_cited_by(candidate: Candidate, others: Collection[Candidate]) -> bool:
    """Tell whether others rest on the words that a candidate rests on first."""
    first = candidate.citations[0]
    words = " ".join(first.quote.split())
    cited = [citation for other in others for citation in other.citations if citation.turn == first.turn]
    return any(words in (said := " ".join(citation.quote.split())) or said in words for citation in cited)
