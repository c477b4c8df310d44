"""`answer`: what an assistant hands in for its packet, held against the chat, kept, and learned from.

As untrusted as any model's: the same shape, the same disposal, the same acceptance. A packet is answered once.
"""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, NamedTuple

from memsuggest.errors import ModelError, TranscriptError, UnknownId
from memsuggest.extraction.haiku.disposing import dispose
from memsuggest.extraction.haiku.engine import kept_of
from memsuggest.extraction.haiku.packets import document_name
from memsuggest.extraction.haiku.reply import read_reply
from memsuggest.extraction.haiku.telling import turn_name
from memsuggest.haiku import chat
from memsuggest.haiku.answers import Kept
from memsuggest.haiku.chat_packets import TRIES, State
from memsuggest.haiku.object_in import json_in
from memsuggest.haiku.outcomes import failure
from memsuggest.haiku.prices import Usage
from memsuggest.haiku.question import Purpose
from memsuggest.haiku.recording import ANSWERED
from memsuggest.haiku.redacted import as_heard
from memsuggest.haiku.tokens import BYTES_PER_TOKEN
from memsuggest.model import Candidate, Skipped, is_maybe
from memsuggest.reports.asking import Answered, Item, Left
from memsuggest.suggestions.pending import note_run
from memsuggest.workflows.asking import chat_at, has_consent
from memsuggest.workflows.learned import Learned
from memsuggest.workflows.learning import candidates_in, take_in
from memsuggest.workflows.model import open_ledger
from memsuggest.workflows.pending import refresh_pending
from memsuggest.workflows.stores import all_facts, known_facts, share_facts
from memsuggest.workflows.transcripts import find
from memsuggest.workflows.widening import widen
from memsuggest.workflows.writing import settle

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memsuggest.extraction.haiku.disposing import Hearing
    from memsuggest.extraction.haiku.reply import Proposed, Reply
    from memsuggest.haiku.chat_packets import Packet
    from memsuggest.model import MemoryFact, MemorySuggestion
    from memsuggest.workflows.asking import Chat, Session
    from memsuggest.workflows.desk import Desk

_CLOSED: Mapping[State, str] = {
    State.ANSWERED: "was answered already; nothing was taken from this answer",
    State.REPLACED: "is too old: the chat went on, and a newer packet asks about the same turns",
    State.FAILED: f"was answered in vain {TRIES} times, and is put aside until tomorrow",
    State.VOID: "is about a chat that is gone, was rewritten, or was judged meanwhile",
}
"""Why a packet cannot be answered any more."""


def answer(desk: Desk, name: str, raw: bytes) -> Answered:
    """Take the answer to a packet, and return what became of each thing in it.

    Raises UnknownId for a packet that cannot be answered, ModelError for an answer that is of no use.
    """
    with desk.alone():
        settle(desk)
    with chat_at(desk) as asked:
        packet = _open_packet(asked, name)
        session = _session(asked, packet)
        hearing = asked.engine.hearing(session.news, all_facts(desk))
        try:
            heard = as_heard(_json_of(raw))
            reply = read_reply(heard)
            _require_own(reply, packet, hearing)
        except ModelError as error:
            _note(desk, packet, session, outcome=error.outcome, size=len(raw))
            raise _refused(asked, packet, error) from None
        with desk.alone():
            worth = Kept(
                question=packet.question, text=kept_of(reply, hearing), family=packet.family, covers=packet.covers
            )
            asked.kept.keep(worth, judge=chat.NAME, now=desk.now())
            asked.packets.close(packet, State.ANSWERED, now=desk.now())
        _note(desk, packet, session, outcome=ANSWERED, size=len(raw))
        session = asked.session(session.found)
        became = _learned(asked, session) if not session.due else None
        following = asked.next() if has_consent(desk) else None
    return Answered(
        id=packet.id,
        about=packet.about,
        items=tuple(_item(dispose(one, hearing), one.content, became) for one in reply.facts),
        is_whole=became is not None,
        next_id=following[0].id if following else None,
        left=following[2] if following else Left(),
    )


def _open_packet(asked: Chat, name: str) -> Packet:
    packet = asked.packets.find(name)
    if packet is None:
        raise UnknownId(f"there is no packet `{name[:40]}` in this workspace", hint=_what_waits(asked))
    if packet.state is not State.OPEN:
        raise _closed(asked, packet, packet.state)
    return packet


def _closed(asked: Chat, packet: Packet, state: State) -> UnknownId:
    return UnknownId(f"packet `{packet.id}` {_CLOSED[state]}", hint=_what_waits(asked))


def _what_waits(asked: Chat) -> str:
    """Say which packet can be answered now."""
    following = asked.next() if has_consent(asked.desk) else None
    return f"packet `{following[0].id}` waits: `memsuggest ask` prints it" if following else "no packet waits"


def _session(asked: Chat, packet: Packet) -> Session:
    """Return the chat that a packet is about, as it is now; UnknownId when its turns are gone, or judged by now.

    That it grew matters to nobody: what was said since is asked next.
    """
    found = next((one for one in find(asked.desk, []).transcripts if one.place == packet.place), None)
    try:
        session = asked.session(found) if found else None
    except TranscriptError:
        session = None
    if session is None or not any(one.covers & packet.covers for one in session.due) or _lacks(asked, session, packet):
        asked.packets.close(packet, State.VOID, now=asked.desk.now())
        raise _closed(asked, packet, State.VOID)
    return session


def _lacks(asked: Chat, session: Session, packet: Packet) -> bool:
    """Whether a chat has not all any more that a packet is about: it was rewritten, not only continued."""
    documents = {document_name(one) for one in asked.engine.read_written(session.news)}
    return not packet.covers <= session.names | documents


def _json_of(raw: bytes) -> str:
    if len(raw) > chat.ANSWER_LIMIT:
        raise failure("too-long", f"more than {chat.ANSWER_LIMIT // 1024} KiB")
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        raise failure("unreadable", "it is no UTF-8") from None
    return json_in(text)


def _require_own(reply: Reply, packet: Packet, hearing: Hearing) -> None:
    """Raise ModelError when nothing of an answer is about its packet: it belongs to another one.

    What the disposal takes is about it, and so is what it drops for another reason than its quotes.
    """
    if reply.facts and not any(_is_about(one, packet, hearing) for one in reply.facts):
        raise failure("wrong-packet")


def _is_about(proposed: Proposed, packet: Packet, hearing: Hearing) -> bool:
    names = {turn_name(hearing.transcript, turn): turn for turn in hearing.transcript.turns if turn.typed}
    shown = [turn for name, turn in names.items() if name in packet.covers]
    texts = [_letters(turn.typed) for turn in shown]
    texts += [_letters(one.text) for one in hearing.written if document_name(one) in packet.covers]
    quotes = [_letters(cited.quote) for cited in proposed.citations]
    if any(quote and quote in text for quote in quotes for text in texts):
        return True
    found = dispose(proposed, hearing)
    numbers = {turn.number for turn in shown}
    return isinstance(found, Candidate) and any(one.turn in numbers for one in found.citations)


def _letters(text: str) -> str:
    """Return the letters and digits of a text, which every way of copying it keeps."""
    return "".join(filter(str.isalnum, text.casefold()))


def _refused(asked: Chat, packet: Packet, error: ModelError) -> ModelError:
    """Return the error for an answer of no use, with what to do next; the packet stays open a few times."""
    with asked.desk.alone():
        state = asked.packets.note_failure(packet, now=asked.desk.now())
    if state is State.FAILED:
        hint = f"packet `{packet.id}` is put aside until tomorrow; {_what_waits(asked)}"
    else:
        left = TRIES - packet.tries - 1
        hint = (
            f"packet `{packet.id}` is still open ({left} more {'try' if left == 1 else 'tries'}): `memsuggest ask`"
            f" prints it again; hand in one JSON object with `memsuggest answer {packet.id}`"
        )
    return ModelError(error.message, outcome=error.outcome, hint=hint)


def _note(desk: Desk, packet: Packet, session: Session, *, outcome: str, size: int) -> None:
    """Write down that the assistant worked for us; it costs nothing that we could count."""
    asked = next((one.question.tokens for one in session.due if one.question.key == packet.question), 0)
    usage = Usage(input=asked, output=round(size / BYTES_PER_TOKEN))
    with ExitStack() as opened:
        open_ledger(desk, opened).note(
            model=chat.NAME, purpose=Purpose.EXTRACTION, usage=usage, guess=usage, outcome=outcome, now=desk.now()
        )


class _Became(NamedTuple):
    """What learning came to."""

    before: frozenset[str]
    """Ids of the facts that were known."""
    facts: list[MemoryFact]
    suggested: dict[str, MemorySuggestion]
    """By the fact's id."""
    refused: dict[str, str]
    """Why something was not accepted, by how it is called."""


def _learned(asked: Chat, session: Session) -> _Became:
    """Learn from a chat of which every turn was judged, as `reconcile` does, and suggest."""
    desk, read = asked.desk, session.read
    asked.note_done(session.found)
    asked.keep_needless(session)
    candidates = candidates_in(asked.engine, session.news, all_facts(desk))
    before = frozenset(fact.id for fact in known_facts(desk))
    learned = Learned(engine=chat.NAME)
    with desk.alone():
        take_in(desk, candidates, learned)
        desk.progress.mark(session.found, read.transcript, after=read.after, checkpoint=read.checkpoint, now=desk.now())
        if learned.new_facts or learned.retired:
            widen(desk)
        share_facts(desk)
        refreshed = refresh_pending(desk)
        note_run(desk.state, desk.place.worktree_key, now=desk.now())
    return _Became(
        before=before,
        facts=known_facts(desk),
        suggested={one.fact.id: one for one in refreshed.suggestions if one.fact},
        refused={one.what: one.why for one in (*learned.skipped, *refreshed.refused)},
    )


def _item(disposed: Candidate | Skipped, content: str, became: _Became | None) -> Item:
    """Say what became of one thing that an answer proposes."""
    if isinstance(disposed, Skipped):
        return Item(content=content, outcome="dropped", why=disposed.why)
    if became is None:
        return Item(content=disposed.content, outcome="waits", why="the rest of its chat is to be judged first")
    evidence = {citation.evidence_key for citation in disposed.citations}
    fact = next((one for one in became.facts if evidence & {each.evidence_key for each in one.citations}), None)
    if fact is None:
        called = next((why for what, why in became.refused.items() if disposed.content[:79] in what), "")
        return Item(content=disposed.content, outcome="dropped", why=called or "it was not accepted")
    suggestion = became.suggested.get(fact.id)
    if suggestion:
        return Item(
            content=fact.content,
            outcome="suggested",
            fact_id=fact.id,
            target=suggestion.target_uri or suggestion.suggested_file_name,
        )
    if is_maybe(fact):
        return Item(content=fact.content, outcome="maybe", why="kept aside until it is said again", fact_id=fact.id)
    outcome = "known" if fact.id in became.before else "new"
    return Item(content=fact.content, outcome=outcome, fact_id=fact.id)
