"""`answer`: what an assistant hands in for its packet, held against the chat, kept, and learned from.

As untrusted as any model's: the same shape, the same disposal, the same acceptance. A packet is answered once.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from typing import NamedTuple, TypeVar

from memsuggest.core.context import Context, require_on
from memsuggest.core.errors import ModelError, Skipped, TranscriptError, UnknownId
from memsuggest.core.model import Candidate, MemoryFact, MemorySuggestion, is_maybe
from memsuggest.core.render.page import count
from memsuggest.facts.stores import all_facts, known_facts, share_facts
from memsuggest.facts.take_in import Learned, take_chat
from memsuggest.judging.asking import chat_packets
from memsuggest.judging.asking.answers import Kept
from memsuggest.judging.asking.chat_packets import TRIES, Packet, PacketState
from memsuggest.judging.asking.json_object import json_in
from memsuggest.judging.asking.outcomes import ANSWERED, failure
from memsuggest.judging.asking.prices import Usage
from memsuggest.judging.asking.question import BYTES_PER_TOKEN, Purpose, as_heard
from memsuggest.judging.by_model.disposing import Hearing, dispose
from memsuggest.judging.by_model.engine import kept_of
from memsuggest.judging.by_model.packets import ExtractionReply, Proposed, document_name, read_reply
from memsuggest.judging.by_model.session_text import turn_name
from memsuggest.judging.model_access import open_ledger
from memsuggest.judging.model_reports import Answered, Item, Left
from memsuggest.judging.verdicts.cases import question_about as rule_question
from memsuggest.judging.verdicts.verdict import Becomes
from memsuggest.judging.verdicts.verdict_wording import read_verdicts
from memsuggest.learning.next_packet import VERDICTS, Chat, Session, chat_at
from memsuggest.notes import ask_notes
from memsuggest.notes.note_reading import Answer, question_about, read_answer, taken
from memsuggest.suggestions.judge_rules import Judged, take_verdicts, unjudged, why_not_words
from memsuggest.suggestions.pending_suggestions import note_run
from memsuggest.suggestions.suggesting import Refreshed, refresh_pending
from memsuggest.suggestions.writing import settle
from memsuggest.transcripts.find_transcripts import OpenedChat, find

Read = TypeVar("Read")

_CLOSED = {
    PacketState.ANSWERED: "has already been answered; this answer was ignored",
    PacketState.REPLACED: "was replaced by a newer question that also covers later messages",
    PacketState.FAILED: f"received {TRIES} unusable answers and is postponed until tomorrow",
    PacketState.VOID: "is no longer valid: its source was deleted, changed or already evaluated",
}
"""Why a packet cannot be answered any more."""


def answer(context: Context, name: str, raw: bytes) -> Answered:
    """Take the answer to a packet, and return what became of each thing in it.

    Raises UnknownId for a packet that cannot be answered, ModelError for an answer that is of no use, and
    MemsuggestError in `off` mode.
    """
    require_on(context)
    with context.exclusive():
        settle(context)
    with chat_at(context) as asked:
        packet = asked.packets.find(name)
        if packet is None:
            raise UnknownId(f"question `{name[:40]}` not found in this workspace", hint=_what_waits(asked))
        if packet.state is not PacketState.OPEN:
            raise _closed(asked, packet, packet.state)
        take = {VERDICTS: _take_verdicts, ask_notes.FAMILY: _take_notes}.get(packet.family, _take_chat)
        items, is_whole = take(asked, packet, raw)
        following = asked.next()
        return Answered(
            id=packet.id,
            about=packet.about,
            items=tuple(items),
            is_whole=is_whole,
            next_id=following.packet.id if following else None,
            left=following.left if following else Left(),
        )


def _take_chat(asked: Chat, packet: Packet, raw: bytes) -> tuple[list[Item], bool]:
    """Take what lasts of a chat; it is learned from once every turn of it was judged."""
    session = _session(asked, packet)
    hearing = asked.engine.hearing(session.news, all_facts(asked.context))

    def read(text: str) -> ExtractionReply:
        reply = read_reply(text)
        # What the disposal takes is about the packet, and so is what it drops for another reason than its quotes.
        if reply.facts and not any(_is_about(fact, packet, hearing) for fact in reply.facts):
            raise failure("wrong-packet")
        return reply

    tokens = next((planned.question.tokens for planned in session.due if planned.question.key == packet.question), 0)
    reply = _handed_in(asked, packet, raw, read, purpose=Purpose.EXTRACTION, tokens=tokens)
    with asked.context.exclusive():
        _keep(asked, packet, kept_of(reply, hearing))
    session = asked.session(session.found)
    became = None if session.due else _learned(asked, session)
    return [_item(dispose(fact, hearing), fact.content, became) for fact in reply.facts], became is not None


def _take_notes(asked: Chat, packet: Packet, raw: bytes) -> tuple[list[Item], bool]:
    """Take which rules some notes hold; raises UnknownId when none of them is as it was, or all were read since."""
    context = asked.context
    shown = {name: note for notes, _ in ask_notes.questions(context) for name, note in notes.items()}
    notes = {name: shown[name] for name in packet.covers & shown.keys()}
    if not notes:
        raise _void(asked, packet)
    tokens = question_about(notes, about=packet.about).tokens
    answers = partial(read_answer, names=packet.covers)
    read = _handed_in(asked, packet, raw, answers, purpose=Purpose.NOTES, tokens=tokens)
    before, learned = _known_ids(context), Learned(engine=chat_packets.NAME)
    with context.exclusive():
        _keep(asked, packet, Answer(notes=list(read.values())).model_dump_json())
        ask_notes.take_readings(context, {name: read[name] for name in notes}, learned)
        refreshed = refresh_pending(context)
    became = _became(context, learned, refreshed, before=before)
    items = []
    for name, note in notes.items():
        for rule in read[name].rules:
            kept, _, why = taken(rule, note.text, holds=read[name].holds)
            if kept is None:
                items.append(Item(content=rule.content, outcome="dropped", why=why))
                continue
            fact = next((fact for fact in became.facts if fact.content == kept.content), None)
            items.append(_of_fact(fact, kept.content, became))
    return items, True


def _take_verdicts(asked: Chat, packet: Packet, raw: bytes) -> tuple[list[Item], bool]:
    """Take what becomes of rules; raises UnknownId when all of them are decided, ModelError for an answer of no use.

    A line that was applied or changed since has another name: only the rule that names it falls back.
    """
    context = asked.context
    cases = [case for case in unjudged(context) if case.fact.id in packet.covers]
    if not cases:
        raise _void(asked, packet)
    read = partial(read_verdicts, cases=cases, check=why_not_words)
    tokens = rule_question(cases, about=packet.about).tokens
    verdicts = _handed_in(asked, packet, raw, read, purpose=Purpose.VERDICTS, tokens=tokens)
    with context.exclusive():
        take_verdicts(context, verdicts, cases, Judged())
        asked.packets.close(packet, PacketState.ANSWERED, now=context.now())
        suggested = _by_fact(refresh_pending(context))
    contents = {case.fact.id: case.fact.content for case in cases}
    items = []
    for verdict in verdicts:
        name, content = verdict.fact_id, contents[verdict.fact_id]
        if verdict.becomes is Becomes.UNUSABLE:
            items.append(Item(content=content, outcome="dropped", why=verdict.why, fact_id=name))
        elif suggestion := suggested.get(name):
            content, target = verdict.content or content, suggestion.target_uri or suggestion.suggested_file_name
            items.append(Item(content=content, outcome="suggested", fact_id=name, target=target))
        else:
            why = _WHY.get(verdict.becomes, "no suggestion for this rule right now")
            items.append(Item(content=content, outcome="known", why=why, fact_id=name))
    return items, True


_WHY = {
    Becomes.SAID: "a line in a file already says this",
    Becomes.JOINS: "merged into a fact that says the same thing",
    Becomes.NOWHERE: "does not belong in a customization file",
}


def _keep(asked: Chat, packet: Packet, text: str) -> None:
    worth = Kept(question=packet.question, text=text, family=packet.family, covers=packet.covers)
    asked.kept.keep(worth, judge=chat_packets.NAME, now=asked.context.now())
    asked.packets.close(packet, PacketState.ANSWERED, now=asked.context.now())


def _session(asked: Chat, packet: Packet) -> Session:
    """Return the chat that a packet is about, as it is now; UnknownId when its turns are gone, or judged by now.

    That it grew matters to nobody: what was said since is asked next.
    """
    transcripts = find(asked.context, []).transcripts
    found = next((transcript for transcript in transcripts if transcript.place == packet.place), None)
    try:
        session = asked.session(found) if found else None
    except TranscriptError:
        session = None
    if session is None or not any(planned.covers & packet.covers for planned in session.due):
        raise _void(asked, packet)
    documents = {document_name(document) for document in asked.engine.read_written(session.news)}
    if not packet.covers <= session.names | documents:  # it was rewritten, not only continued
        raise _void(asked, packet)
    return session


def _is_about(proposed: Proposed, packet: Packet, hearing: Hearing) -> bool:
    names = {turn_name(hearing.transcript, turn): turn for turn in hearing.transcript.turns if turn.typed}
    shown = [turn for name, turn in names.items() if name in packet.covers]
    texts = [_letters(turn.typed) for turn in shown]
    texts += [_letters(document.text) for document in hearing.written if document_name(document) in packet.covers]
    quotes = [_letters(cited.quote) for cited in proposed.citations]
    if any(quote and quote in text for quote in quotes for text in texts):
        return True
    found = dispose(proposed, hearing)
    numbers = {turn.number for turn in shown}
    return isinstance(found, Candidate) and any(citation.turn in numbers for citation in found.citations)


def _letters(text: str) -> str:
    """Return the letters and digits of a text, which every way of copying it keeps."""
    return "".join(filter(str.isalnum, text.casefold()))


class _Became(NamedTuple):
    """The outcome of learning."""

    before: frozenset[str]  # ids of the facts that were known
    facts: list[MemoryFact]
    suggested: dict[str, MemorySuggestion]  # by the fact's id
    refused: dict[str, str]  # why something was not accepted, by how it is called


def _learned(asked: Chat, session: Session) -> _Became:
    """Learn from a chat of which every turn was judged, as `reconcile` does, and suggest."""
    context = asked.context
    asked.note_done(session.found)
    asked.keep_needless(session)
    candidates = asked.engine.extract(session.news, all_facts(context)).after(session.news.context).candidates
    before, learned = _known_ids(context), Learned(engine=chat_packets.NAME)
    with context.exclusive():
        take_chat(context, OpenedChat(session.found, session.read), candidates, learned, is_news=False)
        share_facts(context)
        refreshed = refresh_pending(context)
        note_run(context.state, context.place.worktree_key, now=context.now())
    return _became(context, learned, refreshed, before=before)


def _known_ids(context: Context) -> frozenset[str]:
    return frozenset(fact.id for fact in known_facts(context))


def _became(context: Context, learned: Learned, refreshed: Refreshed, *, before: frozenset[str]) -> _Became:
    refused = {skip.what: skip.why for skip in (*learned.skipped, *refreshed.refused)}
    return _Became(before, known_facts(context), _by_fact(refreshed), refused)


def _by_fact(refreshed: Refreshed) -> dict[str, MemorySuggestion]:
    return {suggestion.fact.id: suggestion for suggestion in refreshed.suggestions if suggestion.fact}


def _item(disposed: Candidate | Skipped, content: str, became: _Became | None) -> Item:
    """Say what became of one thing that an answer proposes."""
    if isinstance(disposed, Skipped):
        return Item(content=content, outcome="dropped", why=disposed.why)
    if became is None:
        return Item(content=disposed.content, outcome="waits", why="the rest of the chat must be evaluated first")
    evidence = {citation.evidence_key for citation in disposed.citations}
    fact = next((fact for fact in became.facts if evidence & {each.evidence_key for each in fact.citations}), None)
    return _of_fact(fact, disposed.content, became)


def _of_fact(fact: MemoryFact | None, content: str, became: _Became) -> Item:
    if fact is None:
        called = next((why for what, why in became.refused.items() if content[:79] in what), "")
        return Item(content=content, outcome="dropped", why=called or "not accepted")
    if suggestion := became.suggested.get(fact.id):
        target = suggestion.target_uri or suggestion.suggested_file_name
        return Item(content=fact.content, outcome="suggested", fact_id=fact.id, target=target)
    if is_maybe(fact):
        why = "low confidence; not suggested until confirmed"
        return Item(content=fact.content, outcome="maybe", why=why, fact_id=fact.id)
    is_known = fact.id in became.before
    return Item(content=fact.content, outcome="known" if is_known else "new", fact_id=fact.id)


def _void(asked: Chat, packet: Packet) -> UnknownId:
    """Close a packet that asks about what is not there any more; return the error that says so."""
    asked.packets.close(packet, PacketState.VOID, now=asked.context.now())
    return _closed(asked, packet, PacketState.VOID)


def _closed(asked: Chat, packet: Packet, state: PacketState) -> UnknownId:
    return UnknownId(f"question `{packet.id}` {_CLOSED[state]}", hint=_what_waits(asked))


def _what_waits(asked: Chat) -> str:
    following = asked.next()
    return (
        f"run `memsuggest ask` to print question `{following.packet.id}`" if following else "no questions are pending"
    )


def _handed_in(
    asked: Chat, packet: Packet, raw: bytes, read: Callable[[str], Read], *, purpose: Purpose, tokens: int
) -> Read:
    """Return what `read` makes of an answer, and write down that the assistant worked for us.

    Raises ModelError for an answer of no use, to us or to `read`: the packet stays open a few times.
    """
    usage, outcome = Usage(input=tokens, output=round(len(raw) / BYTES_PER_TOKEN)), ANSWERED
    try:
        if len(raw) > chat_packets.ANSWER_LIMIT:
            raise failure("too-long", f"more than {chat_packets.ANSWER_LIMIT // 1024} KiB")
        try:
            text = raw.decode("utf-8")
        except UnicodeDecodeError:
            raise failure("unreadable", "not valid UTF-8") from None
        return read(as_heard(json_in(text)))
    except ModelError as error:
        outcome = error.outcome
        raise _refused(asked, packet, error) from None
    finally:  # it costs nothing that we could count
        now, model = asked.context.now(), chat_packets.NAME
        with ExitStack() as opened:
            ledger = open_ledger(asked.context, opened)
            ledger.note(model=model, purpose=purpose, usage=usage, guess=usage, outcome=outcome, now=now)


def _refused(asked: Chat, packet: Packet, error: ModelError) -> ModelError:
    """Return the error for an answer of no use, with what to do next; the packet stays open a few times."""
    with asked.context.exclusive():
        state = asked.packets.note_failure(packet, now=asked.context.now())
    if state is PacketState.FAILED:
        hint = f"question `{packet.id}` is postponed until tomorrow; {_what_waits(asked)}"
    else:
        left = count(TRIES - packet.tries - 1, "try", "tries")
        submit = f"then submit one JSON object with `memsuggest answer {packet.id}`"
        hint = (
            f"question `{packet.id}` is still pending ({left} left): run `memsuggest ask` to print it again, {submit}"
        )
    return ModelError(error.message, outcome=error.outcome, hint=hint)
