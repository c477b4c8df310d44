"""The notes of chats and what is known of rules, as the state database of a workspace has them; no chat is read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.held.note_store import NoteStore
from memsuggest.held.rule_store import RuleStore
from memsuggest.model import Citation

if TYPE_CHECKING:
    from collections.abc import Collection

    from memsuggest.held.chat_note import NotedSentence
    from memsuggest.workflows.context import Context


def note_store(context: Context) -> NoteStore:
    """Return the store of notes."""
    return NoteStore(context.state)


def rule_store(context: Context) -> RuleStore:
    """Return the store of what is known of rules."""
    return RuleStore(context.state, worktree=context.place.worktree_key)


def forget_notes(context: Context, sessions: Collection[str]) -> None:
    """Drop the notes of some chats; taken anew, they are without what was forgotten."""
    if not context.is_dry:
        note_store(context).forget_chats(sessions)


def evidence_of(session: str, said: NotedSentence) -> str:
    """Return the key of a sentence, which it has as evidence of a fact, too."""
    return Citation(session_id=session, turn=said.turn, quote=said.quote).evidence_key
