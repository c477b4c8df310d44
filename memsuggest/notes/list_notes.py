"""Listing notes with what became of each, and showing one whole."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path

from memsuggest.core.context import Context
from memsuggest.core.errors import MemsuggestError, UnknownId
from memsuggest.core.identity import fact_id
from memsuggest.core.model import SuggestionStatus
from memsuggest.notes.note import KnownNote, NoteRule, Verdict
from memsuggest.notes.note_places import KEEPERS, shown
from memsuggest.notes.notes_report import NoteRows, NoteShown
from memsuggest.notes.read_notes import learn_notes


def list_notes(context: Context) -> NoteRows:
    """Read what is new, suggest its rules, and say of each note what became of it."""
    found, learned = learn_notes(context)
    if learned.new_facts:
        from memsuggest.suggestions.suggesting import refresh_pending

        with context.exclusive():
            refresh_pending(context)
    same: dict[tuple[str, str], str] = {}
    if len({note.assistant for note in found.notes if note.rules}) > 1:
        from memsuggest.notes.judge_notes import twins

        same = {key: _shown(context, path) for key, path in twins(found.notes).items()}
    is_said = any(rule.verdict is Verdict.SAID for note in found.notes for rule in note.rules)
    applied = _applied(context) if is_said else frozenset[str]()
    rows = tuple(_row(context, note, same, applied) for note in found.notes)
    return NoteRows(notes=rows, skipped=tuple(learned.skipped))


def show_note(context: Context, name: str) -> NoteShown:
    """Return one note by its id, its path or the name of its file; raises UnknownId and MemsuggestError."""
    rows = list_notes(context).notes
    named = [row for row in rows if name in (row.path, row.shown, Path(row.path).name, Path(row.path).stem)]
    named = named or [row for row in rows if row.short_id.startswith(name.lower())]
    if len(named) != 1:
        what = "several notes match" if named else "no note matches"
        raise UnknownId(f"{what} `{name}`", hint="run `memsuggest notes` to list all notes with their ids")
    from memsuggest.notes.note_reading import text_of

    try:
        text = text_of(named[0].path)
    except (OSError, ValueError) as error:
        raise MemsuggestError(
            f"`{named[0].shown}` cannot be read: {error}", hint="run `memsuggest notes` to refresh the list"
        ) from None
    return NoteShown(note=named[0], text=text)


def _shown(context: Context, path: str) -> str:
    return shown(path, root=str(context.root), home=str(context.folders.home))


def _applied(context: Context) -> frozenset[str]:
    from memsuggest.facts.stores import all_decisions

    return frozenset(
        decision.fact_id for decision in all_decisions(context) if decision.status is SuggestionStatus.APPLIED
    )


def _row(context: Context, note: KnownNote, same: Mapping[tuple[str, str], str], applied: Collection[str]) -> KnownNote:
    """Return a note as it is shown: with its twins, and whether a file says it since it was applied."""
    rules = note.rules
    if same or applied:
        rules = tuple(
            replace(
                rule,
                twin=same.get((note.path, rule.content), ""),
                is_double=rule.verdict is Verdict.SAID and fact_id(rule.scope, rule.content) in applied,
            )
            for rule in rules
        )
    label, path = KEEPERS[note.assistant].label, _shown(context, note.path)
    return replace(note, rules=rules, label=label, shown=path, drop=_drop(rules, note.path))


def _drop(rules: tuple[NoteRule, ...], path: str) -> str:
    """Return what to tell an assistant whose note is double since its rules were applied."""
    double = [rule for rule in rules if rule.is_double]
    if not double:
        return ""
    name = Path(path).name
    places = ", ".join(dict.fromkeys(rule.what.rpartition(":")[0] for rule in double))
    if len(double) == len(rules):
        return f"Delete your memory {name}: this is now in {places}."
    lines = f"line{'' if len(double) == 1 else 's'} " + ", ".join(str(rule.line) for rule in double)
    return f"Remove {lines} from your memory {name}: this is now in {places}."
