"""`ask`: the next packet for the assistant in the chat, which answers what otherwise a model is paid for: first which
rules the assistants' notes hold, then what of the chats lasts, at last what becomes of each rule.

Chats are offered newest first, whatever our own rules learned from them, until every turn of them has an answer. The
chat in which this runs is one of them, and grows by being asked; it is offered again only when it has rested, so that
a person who says "go on" is not asked about that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NamedTuple

from memsuggest.core.config import OFFLINE, Mode
from memsuggest.core.context import Context
from memsuggest.core.database import open_database
from memsuggest.core.errors import ConsentError, TranscriptError
from memsuggest.core.model import Transcript
from memsuggest.core.workspace import is_ci
from memsuggest.facts.stores import all_facts
from memsuggest.judging.asking import answers, chat_packets
from memsuggest.judging.asking.answers import Answers, Kept
from memsuggest.judging.asking.ask_model import Asks
from memsuggest.judging.asking.chat_packets import Packet, Packets
from memsuggest.judging.asking.consent_store import NOTES, READING, RULES, is_own_folder
from memsuggest.judging.asking.prompts import load_prompt
from memsuggest.judging.asking.question import BYTES_PER_TOKEN, Purpose, Question, as_sent
from memsuggest.judging.assistant_documents import written_in
from memsuggest.judging.by_model.engine import HaikuEngine
from memsuggest.judging.by_model.packets import ExtractionReply, Planned, family_of
from memsuggest.judging.by_model.session_text import shown_turns, turn_name
from memsuggest.judging.engine_choice import consents_of
from memsuggest.judging.model_reports import Asked, Left, NothingAsked
from memsuggest.notes import ask_notes
from memsuggest.notes.read_notes import learn_notes
from memsuggest.suggestions.judge_rules import questions
from memsuggest.suggestions.suggesting import refresh_pending
from memsuggest.suggestions.writing import settle
from memsuggest.transcripts.discovery import FoundTranscript, in_order, read_found
from memsuggest.transcripts.find_transcripts import find
from memsuggest.transcripts.parsing.continuing import ReadOn

REST = 60 * 60 * 1000
"""Milliseconds in which a chat is not offered again for a few words, when we were asked in it and were done with it."""
LITTLE = 400  # characters that are a few words
DOCUMENT_LIMIT = 8_000  # bytes of a document that fits into a packet
EMPTY_ANSWER = ExtractionReply(facts=[], injections=[]).model_dump_json()
_EMPTY = {Purpose.EXTRACTION: EMPTY_ANSWER, Purpose.VERDICTS: '{"verdicts": []}', Purpose.NOTES: '{"notes": []}'}
VERDICTS = "verdicts"  # family of the packets that ask what becomes of rules
_ASKS_US = re.compile(r"\bmemsuggest\b|\breconcil\w*\b.{0,20}\bmemor", re.IGNORECASE)
_SHORT = 60  # characters of a turn that says nothing else than that memory is to be reconciled


class Waiting(NamedTuple):
    """A packet that can be answered now, and what waits besides."""

    packet: Packet
    question: Question
    left: Left


class Session(NamedTuple):
    """A chat as it is now, and what of it nobody judged yet."""

    found: FoundTranscript
    read: ReadOn
    news: Transcript  # without what was learned from other copies
    due: list[Planned]

    @property
    def names(self) -> frozenset[str]:
        return frozenset(turn_name(self.news, turn.turn) for turn in shown_turns(self.news))


@dataclass(frozen=True, slots=True, kw_only=True)
class Chat:
    """The assistant in the chat, with what it was asked and what it answered."""

    context: Context
    kept: Answers
    packets: Packets
    engine: HaikuEngine

    def session(self, found: FoundTranscript) -> Session:
        """Read a chat and say what is to be asked about it; raises TranscriptError."""
        read = read_found(found, self.context.root)
        news = self.context.progress.only_news(found, read.transcript, after=read.after)
        families = [family_of(news, version=version) for version in range(1, load_prompt("extraction").version)]
        before = {name for family in families for answer in self.kept.of(family) for name in answer.covers}
        typed = {turn_name(news, turn.turn): turn.turn.typed for turn in shown_turns(news)}
        due = []
        for planned in self.engine.plan(news, all_facts(self.context)):
            texts = [text for name, text in typed.items() if name in planned.covers]
            only_asks_us = all(len(text.strip()) <= _SHORT and _ASKS_US.search(text) for text in texts)
            if planned.covers - before and not (texts and only_asks_us):
                due.append(planned)
        return Session(found, read, news, due)

    def next(self) -> Waiting | None:
        """Return the packet that waits, made if need be; None without consent, or when nothing is left to ask.

        What becomes of the rules is asked when every note and chat was judged: then all of them are known.
        """
        if not has_consent(self.context):
            return None
        if notes := self._first_of(NOTES, ask_notes.FAMILY, ask_notes.ABOUT):
            return notes
        chats = reversed(in_order(find(self.context, []).transcripts))  # the newest first: it is worth most
        waiting = [chat for chat in chats if not self.packets.is_done(chat.place, _standing_of(chat))]
        for number, chat in enumerate(waiting, start=1):
            try:
                session = self.session(chat)
            except TranscriptError:  # `reconcile` says so
                self.note_done(chat)
                continue
            if not session.due:
                self.note_done(chat)
                continue
            now = self.context.now()
            due = [planned for planned in session.due if not self.packets.is_put_aside(planned.question.key, now=now)]
            if due and not self._rests(session):
                left = Left(packets=len(due) - 1, chats=len(waiting) - number)
                question, covers, family = due[0].question, due[0].covers, family_of(session.news)
                packet = self._packet(question, family=family, covers=covers, about=question.about, place=chat.place)
                return Waiting(packet, question, left)
        return self._first_of(RULES, VERDICTS, "where the rules belong")

    def _first_of(self, terms: int, family: str, about: str) -> Waiting | None:
        """Return the packet that asks about notes or rules, to whom agreed that they are shown, unless put aside."""
        if not has_consent(self.context, terms=terms):
            return None
        now = self.context.now()
        if family == VERDICTS:  # what becomes of rules, with their lines and the maybes
            cases = questions(self.context, most=chat_packets.PORTION)
            asked = [(frozenset(case.fact.id for case in some), question) for some, question in cases]
        else:  # which rules are in notes that nobody read but for their form
            notes = ask_notes.questions(self.context, most=int(chat_packets.PORTION * BYTES_PER_TOKEN))
            asked = [(frozenset(some), question) for some, question in notes]
        due = [(covers, question) for covers, question in asked if not self.packets.is_put_aside(question.key, now=now)]
        if not due:
            return None
        covers, question = due[0]
        packet = self._packet(question, family=family, covers=covers, about=about)
        return Waiting(packet, question, Left(packets=len(due) - 1))

    def note_done(self, chat: FoundTranscript) -> None:
        self.packets.note_done(chat.place, _standing_of(chat), now=self.context.now())

    def keep_needless(self, session: Session) -> None:
        """Keep an empty answer to what nobody was asked: it was judged by an earlier prompt, or only asks for us."""
        family = family_of(session.news)
        for planned in self.engine.plan(session.news, all_facts(self.context)):
            empty = Kept(question=planned.question.key, text=EMPTY_ANSWER, family=family, covers=planned.covers)
            self.kept.keep(empty, judge=chat_packets.NAME, now=self.context.now())

    def _rests(self, session: Session) -> bool:
        """Tell whether a few words came to a chat in which we were asked a moment ago, and had nothing more to ask."""
        new = frozenset(name for planned in session.due for name in planned.covers)
        typed = [turn.turn.typed for turn in shown_turns(session.news) if turn_name(session.news, turn.turn) in new]
        last, mark = self.packets.last_done(session.found.place), chat_packets.MARK.encode()
        if sum(map(len, typed)) >= LITTLE or self.context.now() - last >= REST:
            return False
        try:
            with session.found.path.open("rb") as lines:
                return any(mark in line for line in lines)
        except OSError:  # one in a database: nobody knows, so it may hold a packet
            return True

    def _packet(
        self, question: Question, *, family: str, covers: frozenset[str], about: str, place: str = ""
    ) -> Packet:
        key, now = question.key, self.context.now()
        with self.context.exclusive():
            return self.packets.open_for(key) or self.packets.issue(
                question=key, family=family, covers=covers, place=place, about=about, now=now
            )


def ask(context: Context) -> Asked | NothingAsked:
    """Return the next packet; raises ConsentError where this person did not agree that the chat is told."""
    if context.settings.mode is Mode.OFF:
        why = "memsuggest is off in this workspace; turn it on with `memsuggest config set mode manual`"
        return NothingAsked(why=why)
    require_consent(context)
    with context.exclusive():
        settle(context)
    with chat_at(context) as asked:
        if has_consent(context, terms=NOTES):
            _, learned = learn_notes(context)
            ask_notes.take_kept(context, asked.kept.of(ask_notes.FAMILY), learned)
            if learned.new_facts:
                with context.exclusive():
                    refresh_pending(context)
        found = asked.next()
    if found is None:
        return NothingAsked(why="all notes, chats and rules have been judged")
    packet, question, left = found.packet, as_sent(found.question), found.left
    return Asked(
        id=packet.id,
        purpose=question.purpose,
        about=packet.about,
        system=chat_packets.marked(question.prompt.text, packet.id),
        packet=chat_packets.marked(question.packet(), packet.id),
        schema=question.schema,
        text=chat_packets.as_text(question, packet.id, example=_EMPTY[question.purpose]),
        left=left,
    )


@contextmanager
def chat_at(context: Context) -> Iterator[Chat]:
    """Give the assistant in the chat, which is never asked anything by us."""
    connection = open_database(context.state_path.with_name("answers.db"), answers.MIGRATIONS)
    try:
        kept = Answers(connection)
        engine = HaikuEngine(
            asks=Asks(kept=kept),
            read_written=lambda transcript: written_in(context.root, transcript, limit=DOCUMENT_LIMIT),
            portion=chat_packets.PORTION,
            NAME=chat_packets.NAME,
        )
        yield Chat(context=context, kept=kept, packets=Packets(context.state), engine=engine)
    finally:
        connection.close()


def require_consent(context: Context) -> None:
    """Raise ConsentError unless this person agreed that the assistant in the chat sees this workspace's words."""
    offline = "omit `--offline`, or run `memsuggest config set engine auto`"
    command = "`memsuggest consent grant --engine chat`"
    grant = f"the user must run {command} in their own terminal; assistants must not run it for them"
    unseen = "the user has not allowed this assistant to see what they said in other chats"
    reasons = (
        (context.settings.engine == OFFLINE, "the engine is `offline`", offline),
        (not is_own_folder(context.root), f"`{context.root}` belongs to another user", "use your own clone"),
        (is_ci(context.machine.environ), "running in CI, without an assistant chat", "run it on your own machine"),
        (not has_consent(context), unseen, grant),
    )
    for is_so, why, hint in reasons:
        if is_so:
            raise ConsentError(f"nothing is asked: {why}", hint=hint)


def has_consent(context: Context, *, terms: int = READING) -> bool:
    """Tell whether this person agreed, for this workspace."""
    return consents_of(context).has(workspace=context.place.key, endpoint=chat_packets.NAME, terms=terms)


def _standing_of(chat: FoundTranscript) -> str:
    return f"{load_prompt('extraction').version} {chat.size} {chat.mtime_ns} {chat.inode} {chat.trust}"
