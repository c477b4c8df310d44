"""Writing files with a journal: all of an apply or nothing of it, whatever fails or kills it in between."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from pathlib import Path

from memsuggest.core.context import Context
from memsuggest.core.database import transaction
from memsuggest.core.errors import EditConflict, FileError, MemsuggestError
from memsuggest.core.git import run_git
from memsuggest.core.model import Decision, Edit, MemoryFact, MemorySuggestion, SuggestionStatus, is_maybe
from memsuggest.customizations.diff import around_change
from memsuggest.facts.change_facts import change_between, confirmed, restore_stores, side_of
from memsuggest.facts.store_journal import Side, note_change
from memsuggest.facts.stores import (
    all_decisions,
    drop_decisions,
    known_facts,
    open_stores,
    read_known,
    share_facts,
    store_decisions,
    store_facts,
)
from memsuggest.files import digest_of, remove_exact, remove_folders, sweep, write_exact
from memsuggest.files.journal import APPLIED, About, Entry
from memsuggest.memory.change_memory import restore_memory
from memsuggest.suggestions.maintenance import refresh_maintenance
from memsuggest.suggestions.pending_suggestions import drop_move, suggestions_of, text_of
from memsuggest.suggestions.suggesting import AfterDecision, refresh_pending, renew
from memsuggest.suggestions.target_paths import confine_within, current_text, missing_folders, path_of


@dataclass(frozen=True, slots=True, kw_only=True)
class FileChange:
    """A change of a file by an apply."""

    edits: tuple[Edit, ...]
    decisions: tuple[Decision, ...] = ()
    facts: tuple[MemoryFact, ...] = ()
    """Those that are written, maybe in words that the person chose."""
    about: tuple[About, ...] = ()
    verb: str = APPLIED


def carry_out(context: Context, change: FileChange) -> AfterDecision:
    """Write the files, bring what is pending up to date and remember the decisions, or leave all as it was.

    What is known is read once, before anything is written, and stored once, when all else is done: a file that fails
    leaves the stores alone. Raises MemsuggestError.
    """
    folders = [str(folder) for edit in change.edits for folder in missing_folders(path_of(context, edit.path))]
    before = read_known(context)
    known = {fact.id: fact for fact in change.facts if is_maybe(fact)} | {fact.id: fact for fact in before.facts}
    changed = _changed_facts(context, known.values(), change.decisions, change.facts)
    after = read_known(context, changed=changed, decided=change.decisions)
    number = context.journal.begin(
        change.edits,
        decisions=change.decisions,
        folders=folders,
        now=context.now(),
        verb=change.verb,
        about=change.about,
    )
    try:
        write_all(context, change.edits)
        renewed = renew(context, before, after, paths={edit.path for edit in change.edits})
        context.journal.note_waited(number, text_of(renewed.taken_away))
        _store(context, changed, change.decisions, entry=number)
        context.journal.finish(number)
    except MemsuggestError:
        # What cannot be taken back now, the open entry lets the next run take back.
        with suppress(MemsuggestError):
            _take_back(context, context.journal.entry(number))
            _refresh(context)
        raise
    return renewed


def _changed_facts(
    context: Context, known: Iterable[MemoryFact], decisions: Iterable[Decision], said: Iterable[MemoryFact] = ()
) -> list[MemoryFact]:
    """Return the facts that an apply changes: in other words, or the person's own now that they agreed.

    Before that, they were kept aside, or an assistant's note.
    """
    words = {fact.id: fact.content for fact in said}
    applied = {decision.fact_id for decision in decisions if decision.status is SuggestionStatus.APPLIED}
    found = []
    for fact in known if applied or words else ():
        written = replace(fact, content=words.get(fact.id, fact.content))
        if fact.id in applied and (is_maybe(fact) or fact.is_noted):
            found.append(confirmed(written, now=context.now()))
        elif written != fact:
            found.append(written)
    return found


def _store(
    context: Context, changed: Sequence[MemoryFact], decisions: Sequence[Decision], *, entry: int | None = None
) -> None:
    """Remember the facts that an apply changed, and its decisions; share what the person agreed to.

    The entry of the journal keeps what that changed in the stores.
    """
    ids = {decision.fact_id for decision in decisions}
    before = side_of(context, ids)
    store_facts(context, added=(), updated=changed)
    if changed:
        share_facts(context)
    store_decisions(context, decisions)
    if entry is not None and (done := change_between(before, side_of(context, ids))):
        note_change(context.state, entry, done)


def carry_back(context: Context, entry: Entry) -> tuple[AfterDecision, list[str]]:
    """Undo an entry: restore its files, the stores and memory, or leave all as it was; raises MemsuggestError.

    Returns what waits again, and what memory has again.
    """
    edits = [backwards(context, edit) for edit in reversed(entry.edits)]
    known = read_known(context)
    context.journal.reopen(entry.number)  # killed from here on, the next run goes on
    try:
        write_all(context, edits)
        restore_stores(context, entry.number)
        drop_move(context.state, entry=entry.number)
        known_now = set(all_decisions(context))
        drop_decisions(context, [decision for decision in entry.decisions if decision in known_now])
        now = read_known(context)
        back = suggestions_of(context.journal.waited(entry.number), facts={fact.id: fact for fact in now.facts})
        renewed = renew(context, known, now, paths={edit.path for edit in entry.edits}, back=back)
        again = restore_memory(context, entry.number)
        context.journal.forget(entry.number)
    except MemsuggestError:
        with suppress(MemsuggestError):
            write_all(context, [_turned_round(edit) for edit in reversed(edits)])
            restore_stores(context, entry.number, is_again=True)
            store_decisions(context, entry.decisions)
            context.journal.finish(entry.number)
            _refresh(context)
        raise
    remove_folders([Path(folder) for folder in entry.folders])
    return renewed, again


def _refresh(context: Context) -> None:
    context.forget_targets()
    refresh_maintenance(context)
    refresh_pending(context)


@contextmanager
def deciding(context: Context) -> Iterator[Callable[..., None]]:
    """Open the stores before a change; bring what is pending up to date after it, and write down what `undo` needs.

    It hands over a function that notes what is about to be done, to what, and the chats whose silence changes. What is
    not noted beforehand is done all the same, and cannot be undone.
    """
    noted: list[tuple[str, tuple[About, ...], tuple[str, ...], Side]] = []

    def note(verb: str, subjects: Iterable[MemoryFact | MemorySuggestion], chats: Sequence[str] = ()) -> None:
        about = tuple(About(id=subject.id, content=subject.content) for subject in subjects)
        before = side_of(context, {subject.id for subject in about}, chats)
        noted.append((verb, about, tuple(chats), before))

    with context.exclusive():
        open_stores(context)
        known = read_known(context)
        yield note
        share_facts(context)
        renewed = renew(context, known)
        if not noted or context.is_dry:
            return
        verb, about, chats, before = noted[-1]
        change = change_between(before, side_of(context, {subject.id for subject in about}, chats))
        if change is not None:
            with transaction(context.state):
                number = context.journal.begin((), now=context.now(), verb=verb, about=about)
                note_change(context.state, number, change)
                context.journal.note_waited(number, text_of(renewed.taken_away))
                context.journal.finish(number)


def write_all(context: Context, edits: Sequence[Edit]) -> None:
    """Write every edit, or none: a failure restores what was written before it."""
    written: list[Edit] = []
    try:
        for edit in edits:
            if edit.before != edit.after:
                _write(context, edit)
                written.append(edit)
    except MemsuggestError:
        for edit in reversed(written):
            with suppress(MemsuggestError):
                _write(context, _turned_round(edit))
        raise


def _turned_round(edit: Edit) -> Edit:
    return Edit(path=edit.path, before=edit.after, after=edit.before)


def _write(context: Context, edit: Edit) -> None:
    path, within = path_of(context, edit.path), confine_within(context, edit.path)
    if edit.after is None:
        remove_exact(path, digest_of(edit.before or ""), within=within)
    else:
        expected = None if edit.before is None else digest_of(edit.before)
        write_exact(path, edit.after, expected_digest=expected, within=within)


def settle(context: Context) -> None:
    """Open the stores, and finish or take back what a crash left between the first write and the last decision."""
    open_stores(context)
    if context.is_dry:
        return
    sweep(context.facts_file.path.parent)
    sweep(context.state_path.parent)
    unfinished = context.journal.unfinished()
    for entry in unfinished:
        for folder in {path_of(context, edit.path).parent for edit in entry.edits}:
            sweep(folder)
        try:
            is_written = all(current_text(context, edit.path) == edit.after for edit in entry.edits)
        except (FileError, EditConflict):
            is_written = False
        if entry.edits and is_written:
            _store(context, _changed_facts(context, known_facts(context), entry.decisions), entry.decisions)
            context.journal.finish(entry.number)
        else:
            _take_back(context, entry)
    if unfinished:
        _refresh(context)


def _take_back(context: Context, entry: Entry) -> None:
    """Restore what an entry changed, as far as nobody else has changed it since, and forget the entry."""
    for edit in entry.edits:
        with suppress(EditConflict, FileError):
            write_all(context, [backwards(context, edit)])
    restore_stores(context, entry.number)
    restore_memory(context, entry.number)
    drop_decisions(context, entry.decisions)
    context.journal.forget(entry.number)
    remove_folders([Path(folder) for folder in entry.folders])


def backwards(context: Context, edit: Edit) -> Edit:
    """Return the edit that restores a file; what somebody else changed in it since stays. Raises EditConflict."""
    now = current_text(context, edit.path)
    if now == edit.before:
        return Edit(path=edit.path, before=now, after=now)
    if now == edit.after:
        return Edit(path=edit.path, before=now, after=edit.before)
    restored = None
    if now is not None and edit.before is not None and edit.after is not None:
        with tempfile.TemporaryDirectory(prefix="memsuggest-") as folder:
            names = ("now", "applied", "before")
            for name, text in zip(names, (now, edit.after, edit.before), strict=True):
                Path(folder, name).write_bytes(text.encode())
            merged = run_git(Path(folder), "merge-file", "-p", *names)
        # For git, a change of the line beside it is one in the same place.
        found = merged.decode() if merged is not None else None
        restored = found if found is not None else without_edit(now, before=edit.before, after=edit.after)
    if restored is None:
        raise EditConflict(
            f"the same lines of `{edit.path}` have changed since the suggestion was applied",
            hint="restore or remove the changed lines by hand, then run `memsuggest undo` again",
        )
    return Edit(path=edit.path, before=now, after=restored)


def without_edit(now: str, *, before: str, after: str) -> str | None:
    """Return a text without an edit, each of whose parts still stands in it once, word for word; None otherwise.

    >>> without_edit("a2\\nrule\\nb\\n", before="a\\nb\\n", after="a\\nrule\\nb\\n")
    'a2\\nb\\n'
    >>> without_edit("a\\nrule 2\\nb\\n", before="a\\nb\\n", after="a\\nrule\\nb\\n")
    """
    _, old, new = around_change(before.splitlines(keepends=True), after.splitlines(keepends=True))
    lines = now.splitlines(keepends=True)
    for kind, start, end, new_start, new_end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            continue
        part = new[new_start:new_end]
        places = [at for at in range(len(lines) - len(part) + 1) if lines[at : at + len(part)] == part]
        if not "".join(part).strip() or len(places) != 1:
            return None  # a line that went stood nowhere, and a blank one stands everywhere
        lines[places[0] : places[0] + len(part)] = old[start:end]
    return "".join(lines)
