"""Reading notes: what is new is read once, what it teaches becomes candidates, and nothing is ever written there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from memsuggest.core.config import Mode
from memsuggest.core.context import Context
from memsuggest.core.errors import MemsuggestError, Skipped, UnknownId
from memsuggest.core.identity import fact_id
from memsuggest.core.model import NOTED, Candidate, Scope, SuggestionStatus, TargetType
from memsuggest.core.text.likeness import keys_of, likeness, opposed, same_words
from memsuggest.customizations.discovery import target_from
from memsuggest.facts.stores import all_decisions
from memsuggest.facts.take_in import Learned
from memsuggest.notes.note import KnownNote, NoteRows, NoteRule, NoteShown, Verdict
from memsuggest.notes.note_places import KEEPERS, NotePlace, shown
from memsuggest.notes.note_store import NoteTable, Row
from memsuggest.notes.rules_in_note import plain_text, sentences
from memsuggest.suggestions.stale_search import stale_suggestions
from memsuggest.transcripts.discovery.ownership import claimed_among
from memsuggest.transcripts.discovery.surroundings import Surroundings
from memsuggest.transcripts.find_transcripts import surroundings

SAYS = 0.8  # likeness from which two assistants keep the same rule
_COMPARED = 12  # lines that a rule is compared with: those that share most words with it
_MARKS = " \t-*+>•0123456789.)#"


class Line(NamedTuple):
    """A sentence of a customization file, or a rule of another note."""

    text: str
    where: str


class _Lines:
    """Sentences, found by the words that they share with a rule."""

    def __init__(self, lines: Iterable[Line]) -> None:
        self._lines = list(lines)
        self._by_word: dict[str, list[int]] = {}
        for place, line in enumerate(self._lines):
            for word in keys_of(line.text):
                self._by_word.setdefault(word, []).append(place)

    def near(self, rule: str) -> Iterator[Line]:
        shared = Counter(place for word in keys_of(rule) for place in self._by_word.get(word, ())[:500])
        yield from (self._lines[place] for place, _ in shared.most_common(_COMPARED))


def judged(context: Context, notes: Sequence[KnownNote]) -> list[KnownNote]:
    lines: dict[Scope, list[Line]] = {scope: [] for scope in Scope}
    for target in context.targets.targets:
        for number, line in enumerate(target.text.splitlines() if target.type is not TargetType.HOOK else (), 1):
            text = plain_text(line.lstrip(_MARKS))
            parts = filter(None, dict.fromkeys([text, *sentences(text)]))
            lines[target.scope] += (Line(part, f"{target.uri}:{number}") for part in parts)
    found = {scope: _Lines(those) for scope, those in lines.items()}
    gone = _gone(context, {rule.content for note in notes for rule in note.rules if rule.scope is Scope.WORKSPACE})
    return [replace(note, rules=tuple(_judged_rule(rule, found, gone) for rule in note.rules)) for note in notes]


def _judged_rule(rule: NoteRule, lines: Mapping[Scope, _Lines], gone: Mapping[str, str]) -> NoteRule:
    nearest = [line for scope in (Scope.WORKSPACE, rule.scope) for line in lines[scope].near(rule.content)]
    parts = sentences(rule.content)
    saying = [next((line for line in nearest if same_words(line.text, part)), None) for part in parts]
    whole = next((line for line in nearest if same_words(line.text, rule.content)), None)
    if said := whole or (saying[0] if all(saying) else None):
        return replace(rule, verdict=Verdict.SAID, what=said.where, text=said.text)
    if against := next((line for line in nearest if opposed(line.text, rule.content)), None):
        return replace(rule, verdict=Verdict.CONTRADICTS, what=against.where, text=against.text)
    if rule.content in gone:
        return replace(rule, verdict=Verdict.STALE, what=gone[rule.content], text="")
    verdict = Verdict.PERSONAL if rule.scope is Scope.USER else Verdict.SUGGESTED
    return replace(rule, verdict=verdict, what="", text="")


def _gone(context: Context, rules: set[str]) -> dict[str, str]:
    """Return the rules that name what git shows was there and is gone, with what that is."""
    named = sorted(rule for rule in rules if "`" in rule or "/" in rule)
    if not named:
        return {}
    page = target_from("AGENTS.md", "".join(f"- {rule}\n" for rule in named))
    found: dict[str, str] = {}
    for suggestion in stale_suggestions(context, [page]):
        after = set((suggestion.edit.after or "").splitlines())
        found |= {rule: suggestion.content for rule in named if f"- {rule}" not in after}
    return found


def twins(notes: Sequence[KnownNote]) -> dict[tuple[str, str], str]:
    """Return, by note and rule, the note of another assistant that keeps the same, in whatever words."""
    found: dict[tuple[str, str], str] = {}
    rules = [(note, rule.content) for note in notes for rule in note.rules]
    if len({note.assistant for note, _ in rules}) < 2:
        return found
    lines = _Lines(Line(content, str(place)) for place, (_, content) in enumerate(rules))
    for note, content in rules:
        for line in lines.near(content):
            other, _ = rules[int(line.where)]
            is_alike = likeness(line.text, content) >= SAYS and not opposed(line.text, content)
            if other.assistant != note.assistant and (is_alike or same_words(line.text, content)):
                found[note.path, content] = other.path
                break
    return found


MOST_PER_RUN = 1_000  # new notes that one run reads, the newest: so that a run takes some seconds at most


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadNotes:
    """The notes of this workspace, what was left out, and what is new."""

    notes: tuple[KnownNote, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    """Rules of notes that were read just now, and that no file says."""


def read_notes(context: Context) -> ReadNotes:
    """Read what is new among the notes, and judge all by the files as they are; what was read before costs a stat."""
    if context.settings.mode is Mode.OFF:
        return ReadNotes()
    around = surroundings(context)
    places, skipped = _found(around)
    table = NoteTable(context.state, context.place.worktree_key)
    kept, changed = table.known(places)
    changed.sort(key=lambda place: -place.mtime_ns)
    if len(changed) > MOST_PER_RUN:
        skipped.append(Skipped(what=f"{len(changed) - MOST_PER_RUN} notes", why="left for the next run"))
    fresh = _read(context, around, changed)
    rows = [*kept, *fresh]
    if not context.is_dry:
        table.keep(fresh, all_paths=[place.path for place in places])
    if any(row.note and row.note.rules for row in rows) and (fresh or context.files.digest != table.judged_key()):
        # What the files say of rules is looked up anew where a note or a file changed.
        verdicts = iter(judged(context, [row.note for row in rows if row.note]))
        before, rows = rows, [row._replace(note=next(verdicts)) if row.note else row for row in rows]
        if not context.is_dry:
            changes = [new for new, old in zip(rows, before, strict=True) if new != old]
            table.keep_judged(changes, context.files.digest)
    skipped += [Skipped(what=row.place.path, why=row.why) for row in rows if row.why]
    notes = sorted((row.note for row in rows if row.note), key=lambda note: (-note.at, note.path))
    candidates: list[Candidate] = []
    if fresh:
        from memsuggest.notes.note_reading import candidates_of

        new = {row.place.path for row in fresh}
        candidates = [rule for note in notes if note.path in new for rule in candidates_of(context, note)]
    return ReadNotes(notes=tuple(notes), skipped=tuple(skipped), candidates=tuple(candidates))


def known_rows(context: Context) -> list[Row]:
    """Return the notes that were read, as they are in their files; for a preview the new ones as well."""
    if context.settings.mode is Mode.OFF:
        return []
    around = surroundings(context)
    kept, changed = NoteTable(context.state, context.place.worktree_key).known(_found(around)[0])
    return [*kept, *_read(context, around, changed)] if context.is_dry else kept


def _read(context: Context, around: Surroundings, places: Sequence[NotePlace]) -> list[Row]:
    if not places:
        return []
    from memsuggest.notes.note_reading import read_places

    return read_places(context, around, places[:MOST_PER_RUN])


def _found(around: Surroundings) -> tuple[list[NotePlace], list[Skipped]]:
    """Return the files that may be this workspace's notes, each once, and what was left out."""
    places: dict[str, NotePlace] = {}
    skipped: list[Skipped] = []
    for keeper in KEEPERS.values():
        for found in keeper.places(around):
            if isinstance(found, Skipped):
                skipped.append(found)
            else:
                places.setdefault(found.path, found)
    claimed = claimed_among(places, around.root)  # also where a folder of the home leads into the repo
    return [replace(place, is_shared=True) if place.path in claimed else place for place in places.values()], skipped


def learn_notes(context: Context) -> tuple[ReadNotes, Learned]:
    """Read notes, and take in what is new in them; each of their rules waits for the person's own yes."""
    found, learned = read_notes(context), Learned(engine=NOTED)
    learned.skipped += found.skipped
    if found.candidates:
        from memsuggest.facts.take_in import take_in

        with context.exclusive():
            take_in(context, found.candidates, learned)
    return found, learned


def list_notes(context: Context) -> NoteRows:
    """Read what is new, suggest its rules, and say of each note what became of it."""
    found, learned = learn_notes(context)
    if learned.new_facts:
        from memsuggest.suggestions.suggesting import refresh_pending

        with context.exclusive():
            refresh_pending(context)
    same = {key: _shown(context, path) for key, path in twins(found.notes).items()}
    applied = {item.fact_id for item in all_decisions(context) if item.status is SuggestionStatus.APPLIED}
    notes = (_with_outcome(note, same, applied) for note in found.notes)
    rows = (replace(note, label=KEEPERS[note.assistant].label, shown=_shown(context, note.path)) for note in notes)
    return NoteRows(notes=tuple(rows), skipped=tuple(learned.skipped))


def show_note(context: Context, name: str) -> NoteShown:
    """Return one note by its id, its path or the name of its file; raises UnknownId and MemsuggestError."""
    rows = list_notes(context).notes
    named = [row for row in rows if name in (row.path, row.shown, Path(row.path).name, Path(row.path).stem)]
    named = named or [row for row in rows if row.short_id.startswith(name.lower())]
    if len(named) != 1:
        what = "several notes match" if named else "no note matches"
        raise UnknownId(f"{what} `{name}`", hint="run `memsuggest notes` to list all notes with their IDs")
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


def _with_outcome(note: KnownNote, same: Mapping[tuple[str, str], str], applied: Collection[str]) -> KnownNote:
    """Return a note with the twins of its rules, and what to tell its assistant where a file has them now."""
    rules = tuple(
        replace(
            rule,
            twin=same.get((note.path, rule.content), ""),
            is_double=rule.verdict is Verdict.SAID and fact_id(rule.scope, rule.content) in applied,
        )
        for rule in note.rules
    )
    double = [rule for rule in rules if rule.is_double]
    if not double:
        return replace(note, rules=rules)
    name, places = Path(note.path).name, ", ".join(dict.fromkeys(rule.what.rpartition(":")[0] for rule in double))
    lines = f"line{'' if len(double) == 1 else 's'} " + ", ".join(str(rule.line) for rule in double)
    what = name if len(double) == len(rules) else f"{lines} of {name}"
    return replace(note, rules=rules, drop=f"Remove {what} from your memory; {places} now contains the same rules.")
