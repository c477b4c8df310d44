"""Taking notes of chats: while they are learned from, and later of those that were read before anybody took notes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from memsuggest.extraction import offline
from memsuggest.held.chat_note import note_of
from memsuggest.model import Skipped, Trust
from memsuggest.transcripts.discovery.backlog import newest_first
from memsuggest.workflows.check_rules.notes import evidence_of, note_store
from memsuggest.workflows.facts.forgotten_words import forgotten_evidence
from memsuggest.workflows.learn.read_transcript import Understood, Unreadable, understand
from memsuggest.workflows.learn.reading_ahead import reading_ahead

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from memsuggest.model import Candidate
    from memsuggest.transcripts.discovery import FoundTranscript
    from memsuggest.transcripts.progress.continuing import ReadOn
    from memsuggest.workflows.context import Context


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
    due = store.not_noted(one for one in found if one.trust is Trust.TYPED)
    ordered = newest_first(due, now=context.now())
    skipped: list[Skipped] = []
    silenced = context.profile.silenced() if ordered else frozenset()
    again = {one.place for one in ordered}
    with reading_ahead(context, engine=offline.NAME, person=None, again=again) as reading:
        for number, (one, future) in enumerate(reading.over(ordered)):
            progress(number, len(ordered), one.path.name)
            early = reading.result(future)
            understood = early if early is not None else understand(reading.job(one))
            if isinstance(understood, Understood):
                is_silenced = understood.read.transcript.session_id in silenced
                with context.exclusive():
                    if is_silenced:
                        store.keep_empty(one)
                    else:
                        note_chat(context, one, understood.read, understood.findings.candidates)
            elif isinstance(understood, Unreadable):
                skipped.append(Skipped(what=one.place, why=understood.why))
                with context.exclusive():
                    store.keep_empty(one)
    return tuple(skipped)
