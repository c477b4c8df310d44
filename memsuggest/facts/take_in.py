"""Taking in what was found, in a chat or a note: it becomes facts, or evidence of facts, and is stored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from memsuggest.core.context import Context
from memsuggest.core.model import Candidate, Contradiction, MemoryFact, Skipped, is_maybe
from memsuggest.facts.accept import accept
from memsuggest.facts.known_places import note_place
from memsuggest.facts.stores import (
    all_decisions,
    all_facts,
    all_tombstones,
    drop_old_maybes,
    known_facts,
    revive_facts,
    store_decisions,
    store_facts,
)
from memsuggest.suggestions.suggesting import said_where
from memsuggest.transcripts.find_transcripts import OpenedChat

if TYPE_CHECKING:
    from memsuggest.judging.model_reports import Postponed, Request


@dataclass(slots=True, kw_only=True)
class Learned:
    """The gatherings of reading."""

    engine: str
    skipped: list[Skipped] = field(default_factory=list)
    receipts: list[MemoryFact] = field(default_factory=list)
    retired: list[Contradiction] = field(default_factory=list)
    """Pairs of which the newer one said outright that it replaces the older."""
    postponed: list[Postponed] = field(default_factory=list)
    requests: list[Request] = field(default_factory=list)  # with a dry context: what would be sent
    read: int = 0
    archived: int = 0  # chats that are finished, and were archived as they were read
    new_facts: int = 0
    rules: list[MemoryFact] = field(default_factory=list)
    """Those new facts that can be suggested, as they were found."""
    written: list[MemoryFact] = field(default_factory=list)
    """New facts that only a document says which an assistant wrote."""
    joined: int = 0  # facts that went into others, as a model judged
    raised: int = 0  # maybes that are suggested now, as a model judged


def take_chat(
    context: Context, chat: OpenedChat, candidates: Sequence[Candidate], learned: Learned, *, is_news: bool = True
) -> None:
    """Take in what a chat teaches, and only then mark it as read: who is killed between the two learns it again.

    `is_news`: they are of what nobody learned from yet, unless another run was faster.
    """
    with context.exclusive():
        if candidates and (chat.is_again or not is_news or chat.has_news(context)):
            take_in(context, candidates, learned, is_again=chat.is_again)
        read, now = chat.read, context.now()
        context.progress.mark(chat.found, read.transcript, after=read.after, checkpoint=read.checkpoint, now=now)


def take_in(context: Context, candidates: Sequence[Candidate], learned: Learned, *, is_again: bool = False) -> None:
    """Make facts of candidates, or evidence of facts, and store them; what is read again lifts no dismissal."""
    acceptance = accept(
        candidates,
        known=known_facts(context),
        tombstones=all_tombstones(context),
        decisions=all_decisions(context),
        now=context.now(),
    )
    added = [fact for fact in acceptance.added if not (fact.is_only_written and said_where(context, fact))]
    store_facts(context, added=added, updated=[*acceptance.updated, *acceptance.retired])
    if not is_again:
        store_decisions(context, acceptance.lifted)
    revive_facts(context, acceptance.revived)
    if acceptance.retired:
        facts, why = {fact.id: fact for fact in all_facts(context)}, "the newer fact explicitly replaces the older one"
        winners = ((facts.get(fact.superseded_by or ""), fact) for fact in acceptance.retired)
        learned.retired += [Contradiction(winner=winner, loser=loser, why=why) for winner, loser in winners if winner]
    certain = [fact for fact in (*added, *acceptance.raised) if not is_maybe(fact)]
    if certain or acceptance.retired:
        note_place(context)
    if any(map(is_maybe, added)):
        drop_old_maybes(context)
    learned.new_facts += len(certain)
    learned.skipped += acceptance.refused
    learned.written += (fact for fact in added if fact.is_only_written and not fact.is_noted)
    learned.rules += [fact for fact in certain if fact.is_noted or not fact.is_only_written]
    explicit = {candidate.content for candidate in candidates if candidate.explicit}
    learned.receipts += [fact for fact in certain if fact.content in explicit]
