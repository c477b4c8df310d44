"""Applying: choose, write exactly what was shown, take it back.

Every apply is one journal entry, written down before the first byte changes; `settle` finishes or takes back what a
crash left in between.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from memsuggest.errors import EditConflict, FileError, MemsuggestError
from memsuggest.files import digest_of, remove_exact, remove_folders, sweep, write_exact
from memsuggest.model import Decision, Edit, MemoryFact, MemorySuggestion, Skipped, SuggestionStatus, Trust
from memsuggest.reports.deciding import Applied, Choice, Shown, Undone
from memsuggest.suggestions.suggest import similar
from memsuggest.workflows.paths import confine_within, current_text, missing_folders, path_of
from memsuggest.workflows.pending import (
    find_pending,
    load,
    refresh_pending,
    replan_now,
    replan_on,
    replanned,
    similar_to,
)
from memsuggest.workflows.stores import all_facts, drop_decisions, open_stores, store_decisions, store_facts
from memsuggest.workflows.three_way import merged

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memsuggest.suggestions.journal import Entry
    from memsuggest.workflows.desk import Desk

NEEDS_OWN = "it is executable configuration: confirm it by itself, on a terminal, with `memsuggest apply ID`"
NEEDS_LOOK = (
    "it was not typed by you in a chat of your own: look at it with `memsuggest show ID`, then apply it by itself"
)


def choose(desk: Desk, *, ids: Sequence[str], every: bool, like: str | None) -> Choice:
    """Return what an apply is about to write, each planned for the files as they are now.

    `every` and `like` take all that are pending, or like one; what needs its own look is held back from those.
    """
    settle(desk)
    pending = load(desk)
    if every:
        return _bulk(desk, pending)
    if like:
        return _bulk(desk, similar_to(desk, like, pending))
    return Choice(shown=tuple(replanned(desk, find_pending(desk, prefix)) for prefix in dict.fromkeys(ids)))


def _bulk(desk: Desk, suggestions: Iterable[MemorySuggestion]) -> Choice:
    shown: list[Shown] = []
    held: list[Skipped] = []
    for suggestion in suggestions:
        why = why_not_in_bulk(suggestion)
        if why:
            held.append(Skipped(what=f"{suggestion.id[:7]} {suggestion.fact.content}", why=why))
        else:
            shown.append(replanned(desk, suggestion))
    return Choice(shown=tuple(shown), held_back=tuple(held))


def why_not_in_bulk(suggestion: MemorySuggestion) -> str | None:
    """Say why a suggestion needs the person's own look, if it does (SECURITY.md 4)."""
    if suggestion.executable:
        return NEEDS_OWN
    citations = suggestion.fact.citations
    safe = {Trust.TYPED, Trust.CONFIRMED, Trust.SHARED}
    if citations and not any(citation.trust in safe for citation in citations):
        return NEEDS_LOOK
    return None


def apply(
    desk: Desk,
    suggestions: Sequence[MemorySuggestion],
    *,
    held_back: Sequence[Skipped] = (),
    unconfirmed: Sequence[MemorySuggestion] = (),
) -> Applied:
    """Write suggestions as one entry of the journal, all or nothing; raises EditConflict and FileError."""
    settle(desk)
    held = [*held_back, *(Skipped(what=f"{one.id[:7]} {one.fact.content}", why=NEEDS_OWN) for one in unconfirmed)]
    done = _composed(desk, suggestions)
    edits = _merged(done)
    decisions = [Decision(fact_id=one.fact.id, target=one.edit.path, status=SuggestionStatus.APPLIED) for one in done]
    if edits:
        folders = [str(folder) for edit in edits for folder in missing_folders(path_of(desk, edit.path))]
        entry = desk.journal.begin(edits, decisions=decisions, folders=folders, now=desk.now())
        _write_all(desk, edits, entry=entry, folders=folders)
        store_decisions(desk, decisions)
        desk.journal.finish(entry)
    store_facts(desk, added=[], updated=_reworded(desk, done))
    desk.forget_targets()
    pending = refresh_pending(desk).suggestions
    alike = {other.id: other for one in done for other in similar(one, pending)}
    return Applied(suggestions=tuple(done), similar=tuple(alike.values()), held_back=tuple(held))


def _reworded(desk: Desk, suggestions: Sequence[MemorySuggestion]) -> list[MemoryFact]:
    """Return the facts that the person put into other words before applying them."""
    stored = {fact.id: fact.content for fact in all_facts(desk)}
    return [one.fact for one in suggestions if stored.get(one.fact.id, one.fact.content) != one.fact.content]


def _composed(desk: Desk, suggestions: Sequence[MemorySuggestion]) -> list[MemorySuggestion]:
    """Plan each suggestion on top of those before it that go to the same file."""
    texts: dict[str, str | None] = {}
    done = []
    for suggestion in suggestions:
        path = suggestion.edit.path
        planned = replan_on(desk, suggestion, texts[path]) if path in texts else suggestion
        texts[path] = planned.edit.after
        done.append(planned)
    return done


def _merged(suggestions: Sequence[MemorySuggestion]) -> list[Edit]:
    """One edit per file: from its text before the first suggestion to its text after the last."""
    edits: dict[str, Edit] = {}
    for suggestion in suggestions:
        edit = suggestion.edit
        first = edits.get(edit.path)
        edits[edit.path] = replace(first, after=edit.after) if first else edit
    return list(edits.values())


def _write_all(desk: Desk, edits: Sequence[Edit], *, entry: int, folders: Sequence[str]) -> None:
    """Write every edit, or none: a failure restores what was written before it."""
    written: list[Edit] = []
    try:
        for edit in edits:
            _write(desk, edit)
            written.append(edit)
    except MemsuggestError:
        for edit in reversed(written):
            _write(desk, Edit(path=edit.path, before=edit.after, after=edit.before))
        _remove_made(folders)
        desk.journal.forget(entry)
        raise


def _write(desk: Desk, edit: Edit) -> None:
    path = path_of(desk, edit.path)
    within = confine_within(desk, edit.path)
    if edit.after is None:
        remove_exact(path, digest_of(edit.before or ""), within=within)
    else:
        expected = None if edit.before is None else digest_of(edit.before)
        write_exact(path, edit.after, expected_digest=expected, within=within)


def _remove_made(folders: Iterable[str]) -> None:

    remove_folders([Path(folder) for folder in folders])


def undo(desk: Desk) -> Undone:
    """Take the last apply of this working tree back, byte for byte; raises EditConflict when it no longer fits."""
    settle(desk)
    entry = desk.journal.last()
    if entry is None:
        raise MemsuggestError(
            "there is nothing to undo", hint="`memsuggest list --status applied` shows what was applied"
        )
    backwards = [_backwards(desk, edit) for edit in reversed(entry.edits)]
    for edit in backwards:
        if edit.before != edit.after:
            _write(desk, edit)
    _remove_made(entry.folders)
    drop_decisions(desk, entry.decisions)
    desk.journal.forget(entry.number)
    desk.forget_targets()
    refreshed = refresh_pending(desk)
    back = {decision.fact_id for decision in entry.decisions}
    contents = [one.fact.content for one in refreshed.suggestions if one.fact.id in back]
    return Undone(paths=tuple(edit.path for edit in entry.edits), contents=tuple(contents))


def _backwards(desk: Desk, edit: Edit) -> Edit:
    """Return the edit that restores a file, merging three ways when something else in it changed since."""
    now = current_text(desk, edit.path)
    if now == edit.before:
        return Edit(path=edit.path, before=now, after=now)
    if now == edit.after:
        return Edit(path=edit.path, before=now, after=edit.before)
    if now is None or edit.before is None or edit.after is None:
        raise _no_longer_fits(edit.path)

    restored = merged(now, base=edit.after, other=edit.before)
    if restored is None:
        raise _no_longer_fits(edit.path)
    return Edit(path=edit.path, before=now, after=restored)


def _no_longer_fits(path: str) -> EditConflict:
    return EditConflict(
        f"`{path}` changed since it was applied, in the same place",
        hint="take the lines out by hand; the text before is still in the journal",
    )


def settle(desk: Desk) -> None:
    """Finish or take back what a crash left between the first write and the last decision."""
    open_stores(desk)
    sweep(desk.facts_file.path.parent)
    for entry in desk.journal.unfinished():
        _sweep(desk, entry)
        if all(_safe_text(desk, edit.path) == edit.after for edit in entry.edits):
            store_decisions(desk, entry.decisions)
            desk.journal.finish(entry.number)
            continue
        for edit in entry.edits:
            if edit.before != edit.after and _safe_text(desk, edit.path) == edit.after:
                _write(desk, Edit(path=edit.path, before=edit.after, after=edit.before))
        _remove_made(entry.folders)
        desk.journal.forget(entry.number)


def _safe_text(desk: Desk, uri: str) -> str | None:
    try:
        return current_text(desk, uri)
    except (FileError, EditConflict):
        return None


def _sweep(desk: Desk, entry: Entry) -> None:
    folders: set[Path] = {path_of(desk, edit.path).parent for edit in entry.edits}
    for folder in folders:
        sweep(folder)


def reworded(desk: Desk, suggestion: MemorySuggestion, words: str) -> MemorySuggestion:
    """Return the suggestion for the same fact in other words, planned anew for the same file."""

    fact = replace(suggestion.fact, content=words)
    return replan_now(desk, replace(suggestion, fact=fact)).suggestion


def with_text(suggestion: MemorySuggestion, after: str) -> MemorySuggestion:
    """Return the suggestion with the whole file as the person wrote it."""
    return replace(suggestion, edit=replace(suggestion.edit, after=after))
