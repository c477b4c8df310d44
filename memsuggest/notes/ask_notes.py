"""Asking a model about notes that none has read: its reading takes the place of the one by form, and is kept."""

from __future__ import annotations

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
from memsuggest.notes import note_reading
from memsuggest.notes.note import KnownNote
from memsuggest.notes.note_places import KEEPERS
from memsuggest.notes.note_reading import ORDERS, AskedNote, NoteReading
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
    for portion in note_reading.portions(notes, most=most) if most else note_reading.portions(notes):
        yield portion, note_reading.question_about(portion, about=ABOUT)


def ask_about_notes(context: Context, asks: Asks, learned: Learned) -> None:
    """Ask about every note that no model has read, and take in what comes of it.

    Raises ModelError and ConsentError; what was answered by then is kept, the others stay to be asked.
    """
    take_kept(context, asks.answers(FAMILY), learned)
    for portion, question in list(questions(context)):
        read = asks.ask(
            question, partial(note_reading.read_answer, names=portion), family=FAMILY, covers=frozenset(portion)
        )
        take_readings(context, read, learned)


def take_kept(context: Context, answers: Iterable[PaidAnswer], learned: Learned) -> None:
    """Take in what was answered before about notes of the same words: a file that was touched is not asked about."""
    wanted = {note.name for note, _, _ in _unasked(context)}
    read: dict[str, NoteReading] = {}
    for answer in answers:
        if wanted & answer.covers:  # those to an older prompt have another shape
            read |= note_reading.read_answer(answer.text, answer.covers)
    take_readings(context, read, learned)


def _unasked(context: Context) -> list[tuple[AskedNote, Row, KnownNote]]:
    """Return the notes that are about this workspace alone and that the prompt of today was not asked about."""
    version, found = load_prompt("notes").version, []
    rows = ((row, row.note) for row in known_rows(context) if row.note)
    for row, note in sorted(rows, key=lambda pair: (-pair[1].at, pair[0].place.path)):
        is_here = not row.place.is_users and row.place.assistant not in _IN_GROUPS
        if is_here and note.type != "index" and ORDERS not in note.private and note.prompt != version:
            found.append((row, note))
    asked = []
    for row, note in found[:MOST]:
        try:
            text = note_reading.text_of(note.path)
        except (OSError, ValueError):
            continue  # the next run sees that it is another file
        typed = tuple(dict.fromkeys(rule.quote for rule in note.rules if rule.quote))
        label = KEEPERS[note.assistant].label
        asked.append((AskedNote(noted_by=label, type=note.type, title=note.title, text=text, typed=typed), row, note))
    return asked


def take_readings(context: Context, said: Mapping[str, NoteReading], learned: Learned) -> None:
    """Take in what a model says of notes that it was not asked about before, by the notes' names.

    What it reads is kept; facts that rest on the form of such a note alone and that it does not name go.
    """
    names, version = note_reading.own_names(context), load_prompt("notes").version
    sessions = Sessions(surroundings(context))
    rows: list[Row] = []
    notes: list[KnownNote] = []
    before: list[KnownNote] = []
    for asked, row, known in _unasked(context):
        if (reading := said.get(asked.name)) is None:
            continue
        rules, private = note_reading.rules_in(reading, asked.text, is_users=known.type == "user", names=names)
        rules = sessions.with_quotes(rules, row.place, known.session_id)
        private = tuple(dict.fromkeys((*known.private, *private)))
        rows.append(row)
        notes.append(replace(known, rules=rules, private=private, prompt=version))
        before.append(known)
    if not rows:
        return
    found = judged(context, notes)
    with context.exclusive():
        context.profile.drop(_only_by_form(context, before, found))
        take_in(context, [rule for note in found for rule in note_reading.candidates_of(context, note)], learned)
        table = NoteTable(context.state, context.place.worktree_key)
        table.change(row._replace(note=note) for row, note in zip(rows, found, strict=True))


def _only_by_form(context: Context, before: Iterable[KnownNote], now: Iterable[KnownNote]) -> list[MemoryFact]:
    """Return the facts that rest on the form of such a note and nothing else, and that nobody decided on."""
    facts = {fact.id: fact for fact in known_facts(context)}
    fixed = {decision.fact_id for decision in all_decisions(context)}
    fixed |= {fact.id for fact in context.facts_file.contents().facts}
    gone: list[MemoryFact] = []
    for by_form, note in zip(before, now, strict=True):
        ids, kept = ({fact_id(rule.scope, rule.content) for rule in each.rules} for each in (by_form, note))
        theirs = {rule.quote for rule in note.rules if rule.is_theirs}
        session = note_reading.session_of(note)
        for fact in filter(None, map(facts.get, ids - kept - fixed)):
            is_noted_once = sum(citation.is_note for citation in fact.citations) == 1
            if is_noted_once and all(
                citation.session_id == session and (citation.trust not in OWN_WORDS or citation.quote in theirs)
                for citation in fact.citations
            ):
                gone.append(fact)
    return gone
