"""Asking a model about notes that none has read: its reading takes the place of the one by form, and is kept."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial

from memsuggest.core.context import Context
from memsuggest.core.identity import fact_id
from memsuggest.core.model import MemoryFact
from memsuggest.facts.stores import OWN_WORDS, all_decisions, known_facts
from memsuggest.facts.take_in import Learned, take_in
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
    notes = [note for note, _, _ in _unasked(context)]
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
    wanted = {note.name for note, _, _ in _unasked(context)}
    kept = [answer for answer in answers if wanted & answer.covers]  # those to an older prompt have another shape
    take_readings(
        context, {name: read for one in kept for name, read in read_answer(one.text, one.covers).items()}, learned
    )


def _unasked(context: Context) -> list[tuple[AskedNote, Row, KnownNote]]:
    """Return the notes that are about this workspace alone and that the prompt of today was not asked about."""
    version, found = load_prompt("notes").version, []
    rows = ((row, row.note) for row in known_rows(context) if row.note)
    for row, note in sorted(rows, key=lambda pair: (-pair[1].at, pair[0].place.path)):
        is_here = not row.place.is_users and row.place.assistant not in _IN_GROUPS
        if is_here and note.type != "index" and ORDERS not in note.private and note.prompt != version:
            found.append((row, note))
    return [(asked, row, note) for row, note in found[:MOST] if (asked := _asked(note))]


def _asked(note: KnownNote) -> AskedNote | None:
    try:
        text = text_of(note.path)
    except (OSError, ValueError):
        return None  # the next run sees that it is another file
    typed = tuple(dict.fromkeys(rule.quote for rule in note.rules if rule.quote))
    return AskedNote(noted_by=KEEPERS[note.assistant].label, type=note.type, title=note.title, text=text, typed=typed)


def take_readings(context: Context, said: Mapping[str, NoteReading], learned: Learned) -> None:
    """Take in what a model says of notes that it was not asked about before, by the notes' names.

    What it reads is kept; facts that rest on the form of such a note alone and that it does not name go.
    """
    around, names, version = surroundings(context), own_names(context), load_prompt("notes").version
    sessions = Sessions(around)
    rows: list[Row] = []
    notes: list[KnownNote] = []
    before: dict[str, KnownNote] = {}
    for asked, row, known in _unasked(context):
        if (reading := said.get(asked.name)) is None:
            continue
        rules, private = rules_in(reading, asked.text, is_users=known.type == "user", names=names)
        if rules and not row.place.is_shared and not row.place.path.startswith(f"{around.root}{os.sep}"):
            rules = sessions.with_quotes(rules, row.place, known.session_id)
        private = tuple(dict.fromkeys((*known.private, *private)))
        rows.append(row)
        notes.append(replace(known, rules=rules, private=private, prompt=version))
        before[known.path] = known
    if not rows:
        return
    found = judged(context, notes)
    with context.exclusive():
        context.profile.drop(_only_by_form(context, before, found))
        take_in(context, [candidate for note in found for candidate in candidates_of(context, note)], learned)
        table = NoteTable(context.state, context.place.worktree_key)
        table.change(row._replace(note=note) for row, note in zip(rows, found, strict=True))


def _only_by_form(context: Context, before: Mapping[str, KnownNote], now: Iterable[KnownNote]) -> list[MemoryFact]:
    """Return the facts that rest on the form of such a note and nothing else, and that nobody decided on."""
    facts = {fact.id: fact for fact in known_facts(context)}
    fixed = {decision.fact_id for decision in all_decisions(context)}
    fixed |= {fact.id for fact in context.facts_file.contents().facts}
    gone = ((note, id_) for note in now for id_ in _ids(before[note.path]) - _ids(note) - fixed)
    return [fact for note, id_ in gone if (fact := facts.get(id_)) and _is_replaced(fact, note)]


def _ids(note: KnownNote) -> set[str]:
    return {fact_id(rule.scope, rule.content) for rule in note.rules}


def _is_replaced(fact: MemoryFact, note: KnownNote) -> bool:
    notes = [citation for citation in fact.citations if citation.is_note]
    theirs = {rule.quote for rule in note.rules if rule.is_theirs}
    return len(notes) == 1 and all(
        citation.session_id == session_of(note) and (citation.trust not in OWN_WORDS or citation.quote in theirs)
        for citation in fact.citations
    )
