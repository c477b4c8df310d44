"""Writing files with a journal: all of an apply or nothing of it, whatever fails or kills it in between."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from memsuggest.errors import EditConflict, FileError, MemsuggestError
from memsuggest.files import digest_of, remove_exact, remove_folders, sweep, write_exact
from memsuggest.memory.store_journal import note_change
from memsuggest.model import Edit
from memsuggest.suggestions.journal import APPLIED, About
from memsuggest.suggestions.moves import drop_move
from memsuggest.suggestions.pending import suggestions_of, text_of
from memsuggest.workflows.care import refresh_care
from memsuggest.workflows.maybes import agree
from memsuggest.workflows.paths import confine_within, current_text, missing_folders, path_of
from memsuggest.workflows.pending import refresh_pending
from memsuggest.workflows.renewing import open_facts, renew
from memsuggest.workflows.rewriting import change_between, repeat_stores, restore_stores, side_of
from memsuggest.workflows.stores import (
    all_decisions,
    all_facts,
    drop_decisions,
    open_stores,
    store_decisions,
    store_facts,
)
from memsuggest.workflows.three_way import merged

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memsuggest.model import Decision, MemoryFact
    from memsuggest.suggestions.journal import Entry
    from memsuggest.workflows.desk import Desk
    from memsuggest.workflows.pending import Refreshed
    from memsuggest.workflows.renewing import Renewed


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What an apply does."""

    edits: tuple[Edit, ...]
    decisions: tuple[Decision, ...]
    reworded: tuple[MemoryFact, ...]
    """Facts that the person put into other words."""
    about: tuple[About, ...] = ()
    verb: str = APPLIED


def carry_out(desk: Desk, change: Change) -> Renewed:
    """Write the files, remember the decisions and look for what else is pending, or leave all as it was.

    Raises MemsuggestError.
    """
    folders = [str(folder) for edit in change.edits for folder in missing_folders(path_of(desk, edit.path))]
    known, ids = open_facts(desk), {one.fact_id for one in change.decisions}
    before = side_of(desk, ids)
    number = desk.journal.begin(
        change.edits,
        decisions=change.decisions,
        folders=folders,
        now=desk.now(),
        verb=change.verb,
        about=change.about,
    )
    try:
        write_all(desk, change.edits)
        store_facts(desk, added=(), updated=change.reworded)
        agree(desk, change.decisions)
        store_decisions(desk, change.decisions)
        if done := change_between(before, side_of(desk, ids)):
            note_change(desk.state, number, done)
        renewed = renew(desk, known, paths=_paths(change.edits))
        desk.journal.note_waited(number, text_of(renewed.taken_away))
        desk.journal.finish(number)
    except MemsuggestError:
        # What cannot be taken back now, the open entry lets the next run take back.
        with suppress(MemsuggestError):
            _take_back(desk, desk.journal.entry(number))
            _refreshed(desk)
        raise
    return renewed


def carry_back(desk: Desk, entry: Entry) -> Renewed:
    """Undo an entry: restore its files and the stores, or leave all as it was; raises MemsuggestError."""
    edits = [backwards(desk, edit) for edit in reversed(entry.edits)]
    known = open_facts(desk)
    desk.journal.reopen(entry.number)  # killed from here on, the next run goes on
    try:
        write_all(desk, edits)
        restore_stores(desk, entry.number)
        drop_move(desk.state, entry=entry.number)
        drop_decisions(desk, _still(desk, entry.decisions))
        facts = {fact.id: fact for fact in all_facts(desk)}
        back = suggestions_of(desk.journal.waited(entry.number), facts=facts)
        renewed = renew(desk, known, paths=_paths(entry.edits), back=back)
        desk.journal.forget(entry.number)
    except MemsuggestError:
        with suppress(MemsuggestError):
            write_all(desk, [_turned_round(edit) for edit in reversed(edits)])
            repeat_stores(desk, entry.number)
            store_decisions(desk, entry.decisions)
            desk.journal.finish(entry.number)
            _refreshed(desk)
        raise
    remove_folders([Path(folder) for folder in entry.folders])
    return renewed


def _paths(edits: Iterable[Edit]) -> set[str]:
    return {edit.path for edit in edits}


def _still(desk: Desk, decisions: Iterable[Decision]) -> list[Decision]:
    """Return the decisions that hold; the stores may be as they were already, with what was decided before."""
    held = set(all_decisions(desk))
    return [one for one in decisions if one in held]


def _refreshed(desk: Desk) -> Refreshed:
    desk.forget_targets()
    refresh_care(desk)
    return refresh_pending(desk)


def write_all(desk: Desk, edits: Sequence[Edit]) -> None:
    """Write every edit, or none: a failure restores what was written before it."""
    written: list[Edit] = []
    try:
        for edit in edits:
            if edit.before != edit.after:
                _write(desk, edit)
                written.append(edit)
    except MemsuggestError:
        for edit in reversed(written):
            with suppress(MemsuggestError):
                _write(desk, _turned_round(edit))
        raise


def _turned_round(edit: Edit) -> Edit:
    """Return the edit that takes an edit back."""
    return Edit(path=edit.path, before=edit.after, after=edit.before)


def _write(desk: Desk, edit: Edit) -> None:
    path = path_of(desk, edit.path)
    within = confine_within(desk, edit.path)
    if edit.after is None:
        remove_exact(path, digest_of(edit.before or ""), within=within)
    else:
        expected = None if edit.before is None else digest_of(edit.before)
        write_exact(path, edit.after, expected_digest=expected, within=within)


def settle(desk: Desk) -> None:
    """Open the stores, and finish or take back what a crash left between the first write and the last decision."""
    open_stores(desk)
    if desk.is_dry:
        return
    sweep(desk.facts_file.path.parent)
    sweep(desk.state_path.parent)
    unfinished = desk.journal.unfinished()
    for entry in unfinished:
        for folder in {path_of(desk, edit.path).parent for edit in entry.edits}:
            sweep(folder)
        if entry.edits and all(_text_if_readable(desk, edit.path) == edit.after for edit in entry.edits):
            agree(desk, entry.decisions)
            store_decisions(desk, entry.decisions)
            desk.journal.finish(entry.number)
        else:
            _take_back(desk, entry)
    if unfinished:
        _refreshed(desk)


def _take_back(desk: Desk, entry: Entry) -> None:
    """Restore what an entry changed, as far as nobody else has changed it since, and forget the entry."""
    for edit in entry.edits:
        with suppress(EditConflict, FileError):
            write_all(desk, [backwards(desk, edit)])
    restore_stores(desk, entry.number)
    drop_decisions(desk, entry.decisions)
    desk.journal.forget(entry.number)
    remove_folders([Path(folder) for folder in entry.folders])


def backwards(desk: Desk, edit: Edit) -> Edit:
    """Return the edit that restores a file; what somebody else changed in it since stays. Raises EditConflict."""
    now = current_text(desk, edit.path)
    if now == edit.before:
        return Edit(path=edit.path, before=now, after=now)
    if now == edit.after:
        return Edit(path=edit.path, before=now, after=edit.before)
    both_there = now is not None and edit.before is not None and edit.after is not None
    restored = merged(now, base=edit.after, other=edit.before) if both_there else None  # type: ignore[arg-type]
    if restored is None:
        raise EditConflict(
            f"`{edit.path}` changed since it was applied, in the same place",
            hint="take the lines out by hand; the text before is still in the journal",
        )
    return Edit(path=edit.path, before=now, after=restored)


def _text_if_readable(desk: Desk, uri: str) -> str | None:
    try:
        return current_text(desk, uri)
    except (FileError, EditConflict):
        return None
