"""The notes of chats and what is known of rules, as the state database of a workspace has them; no chat is read."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace

from memsuggest.core.context import Context
from memsuggest.core.errors import Skipped, TranscriptError
from memsuggest.core.model import Candidate, Citation, Trust
from memsuggest.facts.forgotten_words import forgotten_evidence
from memsuggest.held.chat_note import NotedSentence, note_of
from memsuggest.held.note_store import NoteStore
from memsuggest.held.rule_store import RuleStore
from memsuggest.judging.assistant_documents import own_rules
from memsuggest.transcripts.discovery import FoundTranscript, read_found
from memsuggest.transcripts.discovery.session_order import newest_first
from memsuggest.transcripts.parsing.continuing import ReadOn


def note_store(context: Context) -> NoteStore:
    """Return the store of notes."""
    return NoteStore(context.state)


def rule_store(context: Context) -> RuleStore:
    return RuleStore(context.state, worktree=context.place.worktree_key)


def forget_notes(context: Context, sessions: Collection[str]) -> None:
    """Drop the notes of some chats; taken anew, they are without what was forgotten."""
    if not context.is_dry:
        note_store(context).forget_chats(sessions)


def evidence_of(session: str, said: NotedSentence) -> str:
    return Citation(session_id=session, turn=said.turn, quote=said.quote).evidence_key


def note_chat(context: Context, one: FoundTranscript, read: ReadOn, candidates: Iterable[Candidate]) -> None:
    """Note what a chat that was just read says of rules; only of this person's own chats."""
    if one.trust is not Trust.TYPED or context.is_dry:
        return
    note = note_of(read.transcript, candidates, place=one.place)
    gone = forgotten_evidence(context) if note.said else frozenset()
    kept = tuple(said for said in note.said if evidence_of(note.session_id, said) not in gone)
    note_store(context).keep(one, replace(note, said=kept), is_whole=read.after is None)


def note_backlog(
    context: Context, found: Sequence[FoundTranscript], *, progress: Callable[[int, int, str], None]
) -> tuple[Skipped, ...]:
    """Read the chats of which there is no note as they are now, the newest first; nothing is learned from them."""
    store = note_store(context)
    due = store.not_noted(transcript for transcript in found if transcript.trust is Trust.TYPED)
    ordered = newest_first(due, now=context.now())
    skipped: list[Skipped] = []
    silenced = context.profile.silenced() if ordered else frozenset()
    rules = own_rules(context.root)
    for number, one in enumerate(ordered):
        progress(number, len(ordered), one.path.name)
        try:
            read = read_found(one, context.root)
        except TranscriptError as error:
            skipped.append(Skipped(what=one.place, why=error.message))
            with context.exclusive():
                store.keep_empty(one)
            continue
        candidates = rules.extract(read.transcript, ()).candidates
        with context.exclusive():
            if read.transcript.session_id in silenced:
                store.keep_empty(one)
            else:
                note_chat(context, one, read, candidates)
    return tuple(skipped)
