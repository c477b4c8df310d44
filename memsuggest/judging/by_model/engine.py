"""The engine that asks a model: makes questions of sessions, reads the answers, and joins them with our own rules.

Several short sessions may be asked about at once (`ask_together`), before each is extracted as if it had been alone.

What the person gave a name (`remember: …`) stays, whatever the model says. Of the rest, its silence counts: what our
own rules would add to a session that it has judged is wrong four times in five.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from memsuggest.core.config import HAIKU
from memsuggest.core.errors import ModelError
from memsuggest.core.identity import hash_of
from memsuggest.core.model import AGAIN, Candidate, MemoryFact, Skipped, Transcript, Trust
from memsuggest.judging.asking.answers import Kept
from memsuggest.judging.asking.ask_model import Asks
from memsuggest.judging.asking.question import Question, as_sent
from memsuggest.judging.assistant_documents import Written
from memsuggest.judging.by_model import packets
from memsuggest.judging.by_model.disposing import Hearing, dispose, sifted
from memsuggest.judging.by_model.packets import ExtractionReply, Injection, Joined, Planned
from memsuggest.judging.by_model.session_text import heard_before, shown_turns
from memsuggest.judging.offline import offline
from memsuggest.judging.offline.findings import Findings, merged_candidates

_SHOWN = 5  # turns with instructions that are named for each reply


@dataclass(slots=True, kw_only=True)
class HaikuEngine:
    """The `haiku` engine, as a run has it."""

    asks: Asks
    read_written: Callable[[Transcript], Sequence[Written]]
    """Returns the documents that the assistant wrote in a session, as far as they may be read."""
    tell_token_usage: Callable[[Transcript], int | None] = lambda _transcript: None
    """Returns how many tokens the assistant itself used in a session; None where nobody knows."""
    portion: int = packets.PORTION
    NAME: str = HAIKU
    _heard: dict[str, list[tuple[Planned, ExtractionReply]]] = field(default_factory=dict, init=False)
    """By session, what was said of it in this run when several were asked about at once."""

    def extract(self, transcript: Transcript, known: Sequence[MemoryFact]) -> Findings:
        """Find what is worth remembering; raises ModelError and ConsentError, and then nothing was learned."""
        if transcript.trust is not Trust.TYPED:
            return offline.extract(transcript)  # somebody else's words are not sent
        hearing = self.hearing(transcript, known)
        family = packets.family_of(transcript)
        heard = self._heard.pop(transcript.session_id, [])
        replies = [(self.NAME, reply) for _, reply in heard]
        whole = frozenset(name for planned, _ in heard for name in planned.covers)  # kept without what was dropped
        answers = [answer for answer in self.asks.answers(family) if not (whole and answer.covers <= whole)]
        replies += [(answer.judge, packets.read_reply(answer.text)) for answer in answers]
        for planned in self.plan(transcript, known):
            sift = partial(kept_of, hearing=hearing)
            reply = self.asks.ask(planned.question, packets.read_reply, family=family, covers=planned.covers, sift=sift)
            replies.append((self.NAME, reply))
        return _joined(replies, hearing)

    def ask_together(self, transcripts: Iterable[Transcript], known: Sequence[MemoryFact]) -> dict[str, ModelError]:
        """Ask about the short ones of some sessions; return, by session, what went wrong where something did.

        Raises ConsentError. What is said is kept as the answers to the questions about each session.
        """
        failed: dict[str, ModelError] = {}
        for joined in self._plan_together(transcripts, known):
            hearings = [self.hearing(part.transcript, known) for part in joined.parts]  # before anything is paid for
            keep = partial(_kept_parts, joined=joined, hearings=hearings)
            try:
                reply = self.asks.ask_together(joined.question, packets.read_reply, keep=keep)
            except ModelError as error:
                failed |= dict.fromkeys((part.transcript.session_id for part in joined.parts), error)
                continue
            for part, said in joined.split(reply):
                self._heard.setdefault(part.transcript.session_id, []).append((part, said))
        return failed

    def _plan_together(self, transcripts: Iterable[Transcript], known: Sequence[MemoryFact]) -> list[Joined]:
        sessions: dict[str, Transcript] = {}
        for transcript in transcripts:
            sessions.setdefault(transcript.session_id, transcript)  # of copies, the first
        plans = (planned for session in sessions.values() for planned in self.plan(session, known))
        sent = (replace(plan, question=as_sent(plan.question)) for plan in plans)
        return packets.join(
            (plan for plan in sent if self.asks.may_join(plan.question)), most=min(packets.TOGETHER, self.portion)
        )

    def questions(self, transcripts: Sequence[Transcript], known: Sequence[MemoryFact]) -> list[Question]:
        """Return all questions that some sessions still need, as they would be asked."""
        together = [joined.question for joined in self._plan_together(transcripts, known)]
        asked = {key for question in together for key in question.parts}
        plans = (planned for transcript in transcripts for planned in self.plan(transcript, known))
        return [*together, *(plan.question for plan in plans if as_sent(plan.question).key not in asked)]

    def hearing(self, transcript: Transcript, known: Sequence[MemoryFact]) -> Hearing:
        """Return what replies about a session are held against."""
        acts = {
            turn.number: f"{heard_before(turn, before)} {turn.signals.rejected_tool or ''}".strip()
            for turn, before, _ in shown_turns(transcript)
        }
        return Hearing(
            transcript=transcript,
            own=offline.extract(transcript),
            written=self.read_written(transcript),
            acts=acts,
            known={packets.name_of(fact): fact.content for fact in known},
        )

    def plan(self, transcript: Transcript, known: Sequence[MemoryFact]) -> list[Planned]:
        """Return the questions that a session still needs: about what no answer covers yet."""
        if transcript.trust is not Trust.TYPED:
            return []
        answered = {name for answer in self.asks.answers(packets.family_of(transcript)) for name in answer.covers}
        written = self.read_written(transcript)
        plans = packets.plan_session(transcript, known, written, answered=answered, portion=self.portion)
        use = self.tell_token_usage(transcript) if plans else None
        if use is None:
            return plans
        token_usage = {hash_of("session", transcript.session_id): use}
        return [replace(plan, question=replace(plan.question, token_usage=token_usage)) for plan in plans]


def _joined(replies: Iterable[tuple[str, ExtractionReply]], hearing: Hearing) -> Findings:
    """Join what comes of some replies, each with its judge, and of our own rules; a model gives no reasons."""
    found: list[Candidate] = []
    dropped: list[Skipped] = []
    for judge, reply in replies:
        disposed = [dispose(proposed, hearing, judge=judge) for proposed in reply.facts]
        found += [candidate for candidate in disposed if isinstance(candidate, Candidate)]
        dropped += [skipped for skipped in disposed if isinstance(skipped, Skipped)]
        dropped += [
            Skipped(
                what=f"turn {injection.turn} of {hearing.transcript.origin}",
                why="contains instructions aimed at an assistant",
            )
            for injection in reply.injections[:_SHOWN]
            if hearing.turn(injection.turn)
        ]
    # The person's directives stay, and reminders of what the model was told is known; of one utterance, there is one.
    own = hearing.own.candidates
    named = [candidate for candidate in own if candidate.explicit]
    proposed = [candidate for candidate in found if not _is_cited_by(candidate, named)]
    again = [each for each in own if AGAIN in each.tags and not each.explicit and not _is_cited_by(each, found)]
    candidates = merged_candidates([*named, *proposed, *again])
    return replace(hearing.own, candidates=tuple(candidates), skipped=(*hearing.own.skipped, *dropped))


def _kept_parts(reply: ExtractionReply, _text: str, *, joined: Joined, hearings: Sequence[Hearing]) -> list[Kept]:
    kept = []
    for (part, said), hearing in zip(joined.split(reply), hearings, strict=True):
        family, text = packets.family_of(part.transcript), kept_of(said, hearing)
        kept.append(Kept(question=part.question.key, text=text, family=family, covers=part.covers))
    return kept


def kept_of(reply: ExtractionReply, hearing: Hearing) -> str:
    """Return what of a reply is kept for later runs: what holds, and nothing that nobody said."""
    facts = [kept for proposed in reply.facts if (kept := sifted(proposed, hearing))]
    turns = [Injection(turn=injection.turn, what="") for injection in reply.injections if hearing.turn(injection.turn)]
    return ExtractionReply(facts=facts, injections=turns).model_dump_json()


def _is_cited_by(candidate: Candidate, others: Collection[Candidate]) -> bool:
    """Tell whether others rest on the words that a candidate rests on first."""
    first = candidate.citations[0]
    words = " ".join(first.quote.split())
    cited = [citation for other in others for citation in other.citations if citation.turn == first.turn]
    return any(words in (said := " ".join(citation.quote.split())) or said in words for citation in cited)
