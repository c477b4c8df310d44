"""Asking a model about notes that none has read: its reading takes the place of the one by form, and is kept."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial

from memsuggest.core.context import Context
from memsuggest.core.identity import fact_id
from memsuggest.core.model import MemoryFact
from memsuggest.facts.learned import Learned
from memsuggest.facts.stores import OWN_WORDS, all_decisions, known_facts
from memsuggest.facts.take_in import take_in
from memsuggest.judging.asking.answers import PaidAnswer
from memsuggest.judging.asking.ask_model import Asks
from memsuggest.judging.asking.prompts import load_prompt
from memsuggest.judging.asking.question import Question
from memsuggest.notes.note import KnownNote
from memsuggest.notes.note_places import KEEPERS
from memsuggest.notes.note_reading import (
    ORDERS,
    AskedNote,
    NoteReading,
    candidates_of,
    own_names,
    portions,
    question_about,
    read_answer,
    rules_in,
    session_of,
    text_of,
)
from memsuggest.notes.note_store import NoteTable, Row
from memsuggest.notes.read_notes import judged, known_rows
from memsuggest.notes.typed_evidence import Sessions
from memsuggest.transcripts.find_transcripts import surroundings

FAMILY = "notes"  # name under which answers about notes are kept
ABOUT = "notes of assistants"
MOST = 200  # notes, the newest, that a run asks about
_IN_GROUPS = frozenset({"codex"})
"""Assistants whose file holds notes about other folders as well, which are nobody's business here."""


def questions(context: Context, *, most: int | None = None) -> Iterator[tuple[dict[str, AskedNote], Question]]:
    """Yield what is to be asked about notes now, with the notes of each question by their names.

    `most` is how many characters of notes a question holds.
    """
    notes = [note for note, _ in _unasked(context)]
    for portion in portions(notes, most=most) if most else portions(notes):
        yield portion, question_about(portion, about=ABOUT)


def ask_about_notes(context: Context, asks: Asks, learned: Learned) -> None:
    """Ask about every note that no model has read, and take in what comes of it.

    Raises ModelError and ConsentError; what was answered by then is kept, the others stay to be asked.
    """
    take_kept(context, asks.answers(FAMILY), learned)
    for portion, question in list(questions(context)):
        read = asks.ask(question, partial(read_answer, names=portion), family=FAMILY, covers=frozenset(portion))
        take_readings(context, read, learned)


def take_kept(context: Context, answers: Iterable[PaidAnswer], learned: Learned) -> None:
    """Take in what was answered before about notes of the same words: a file that was touched is not asked about."""
    wanted = {note.name for note, _ in _unasked(context)}
    kept = [answer for answer in answers if wanted & answer.covers]  # those to an older prompt have another shape
    take_readings(
        context, {name: read for one in kept for name, read in read_answer(one.text, one.covers).items()}, learned
    )


def take_readings(context: Context, said: Mapping[str, NoteReading], learned: Learned) -> None:
    """Take in what a model says of notes that it was not asked about before, by the notes' names."""
    _take(context, [(row, note, said[note.name]) for note, row in _unasked(context) if note.name in said], learned)


def _unasked(context: Context) -> list[tuple[AskedNote, Row]]:
    """Return the notes that are about this workspace alone and that the prompt of today was not asked about."""
    version = load_prompt("notes").version
    rows = [row for row in known_rows(context) if row.note and _may_be_asked(row) and row.note.prompt != version]
    rows.sort(key=lambda row: (-row.note.at if row.note else 0, row.place.path))
    return [(asked, row) for row in rows[:MOST] if row.note and (asked := _asked(row.note))]


def _may_be_asked(row: Row) -> bool:
    is_here = not row.place.is_users and row.place.assistant not in _IN_GROUPS
    return is_here and row.note is not None and row.note.type != "index" and ORDERS not in row.note.private


def _asked(note: KnownNote) -> AskedNote | None:
    try:
        text = text_of(note.path)
    except (OSError, ValueError):
        return None  # the next run sees that it is another file
    typed = tuple(dict.fromkeys(rule.quote for rule in note.rules if rule.quote))
    return AskedNote(noted_by=KEEPERS[note.assistant].label, type=note.type, title=note.title, text=text, typed=typed)


def _take(context: Context, said: Iterable[tuple[Row, AskedNote, NoteReading]], learned: Learned) -> None:
    """Keep what a model reads in notes, and take in the rules; those by form alone that it does not name go."""
    around, names, version = surroundings(context), own_names(context), load_prompt("notes").version
    sessions = Sessions(around)
    rows: list[Row] = []
    before: dict[str, KnownNote] = {}
    for row, asked, reading in said:
        if row.note is None:
            continue
        rules, private = rules_in(reading, asked.text, is_users=row.note.type == "user", names=names)
        if rules and not row.place.is_shared and not row.place.path.startswith(f"{around.root}{os.sep}"):
            rules = sessions.with_quotes(rules, row.place, row.note.session_id)
        private = tuple(dict.fromkeys((*row.note.private, *private)))
        note = replace(row.note, rules=rules, private=private, prompt=version)
        rows.append(row._replace(note=note))
        before[note.path] = row.note
    if not rows:
        return
    found = judged(context, [row.note for row in rows if row.note])
    with context.exclusive():
        context.profile.drop(_only_by_form(context, before, found))
        take_in(context, [one for note in found for one in candidates_of(context, note)], learned)
        table = NoteTable(context.state, context.place.worktree_key)
        table.change(row._replace(note=note) for row, note in zip(rows, found, strict=True))


def _only_by_form(context: Context, before: Mapping[str, KnownNote], now: Iterable[KnownNote]) -> list[MemoryFact]:
    """Return the facts that rest on the form of such a note and nothing else, and that nobody decided on."""
    facts = {fact.id: fact for fact in known_facts(context)}
    fixed = {decision.fact_id for decision in all_decisions(context)}
    fixed |= {fact.id for fact in context.facts_file.contents().facts}
    gone = []
    for note in now:
        kept = _ids(note)
        for one in _ids(before[note.path]) - kept - fixed:
            if (fact := facts.get(one)) and _is_replaced(fact, note):
                gone.append(fact)
    return gone


def _ids(note: KnownNote) -> set[str]:
    return {fact_id(rule.scope, rule.content) for rule in note.rules}


def _is_replaced(fact: MemoryFact, note: KnownNote) -> bool:
    notes = [citation for citation in fact.citations if citation.is_note]
    theirs = {rule.quote for rule in note.rules if rule.is_theirs}
    return len(notes) == 1 and all(
        citation.session_id == session_of(note) and (citation.trust not in OWN_WORDS or citation.quote in theirs)
        for citation in fact.citations
    )
