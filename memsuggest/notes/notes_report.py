"""The report on notes: what became of each, as a page and as JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from memsuggest.core.model import Skipped, Trust
from memsuggest.core.render.page import FAINT, HEAD, ID, INDENT, PATH, WARN, Page
from memsuggest.core.render.safe_output import in_quotes, one_line
from memsuggest.core.text.when import ago
from memsuggest.notes.note import KnownNote, NoteRule, Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteRows:
    """Your assistants' notes about this workspace, newest first."""

    JSON_NAME = "Notes"
    notes: tuple[KnownNote, ...]
    skipped: tuple[Skipped, ...] = ()

    def show(self, page: Page) -> None:
        """Print the notes grouped by result, and what to tell the assistants."""
        if not self.notes:
            page.line(NOTHING)
        for verdict, head in _HEADS.items():
            group = [note for note in self.notes if note.verdict is verdict]
            if group:
                page.line((f"{head} ({len(group)})", HEAD))
            for note in group[:_MOST]:
                _show_row(page, note)
            if len(group) > _MOST:
                page.faint(f"  {len(group) - _MOST} more: run `memsuggest notes --format json` to list all")
            if group:
                page.line()
        if double := [note for note in self.notes if note.drop]:
            page.line(("Duplicates of applied rules: tell your assistant", HEAD))
            for note in double:
                page.line("  ", (note.label, ID), "  ", one_line(note.drop), hang=4)
            page.line()
        for skip in self.skipped[:_MOST]:
            page.line(("  skipped  ", FAINT), f"{one_line(skip.what)}: {one_line(skip.why)}", hang=4)
        if any(note.verdict is Verdict.SUGGESTED for note in self.notes) and not page.quiet:
            page.faint(
                "run `memsuggest list` for the suggestions, or `memsuggest notes show ID` for a note with its evidence"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteShown:
    """One note with its full text."""

    note: KnownNote
    text: Annotated[str, "The full text, with secrets redacted."]

    def show(self, page: Page) -> None:
        """Print one note whole, then the rules taken from it with their evidence."""
        note = self.note
        page.line((one_line(note.title), HEAD))
        when = ago(note.at, now=page.now)
        page.faint(" · ".join(filter(None, (note.label, note.type, when, note.shown, str(note.verdict)))))
        page.line()
        page.block(self.text, indent="  ")
        page.head(f"Rules ({len(note.rules)})")
        for rule in note.rules:
            page.line("  ", one_line(rule.content), *_outcome(rule), hang=4)
            if rule.text:
                page.line(("    the file  ", FAINT), in_quotes(rule.text), hang=6)
            if rule.quote:
                who = "you typed  " if rule.is_theirs else "typed before the note  "
                page.line((f"    {who}", FAINT), in_quotes(rule.quote), hang=6)
            else:
                page.faint(f"    written by {note.label}, no quote found")
            if rule.why:
                page.faint(f"    only for your own files: {rule.why}")
        if note.private:
            page.faint(f"  private details left out: {', '.join(note.private)}")
        if note.drop:
            page.line(("  tell your assistant  ", FAINT), one_line(note.drop), hang=4)


NOTHING = "No assistant notes found for this workspace."
_HEADS = {
    Verdict.CONTRADICTS: "Conflicts with a file",
    Verdict.SUGGESTED: "Suggested, each needs your approval",
    Verdict.STALE: "About files or names that no longer exist",
    Verdict.PERSONAL: "About you: suggested only for your own files",
    Verdict.SAID: "Already in a file",
    Verdict.PRIVATE: "Private: not suggested",
    Verdict.PASSING: "Status at one point in time: nothing to suggest",
    Verdict.REFERENCE: "Reference only: nothing to suggest",
}
_MOST = 40
"""Notes of a group that are listed."""
_OPEN = {Verdict.SUGGESTED, Verdict.PERSONAL}
_RESULTS = {Verdict.SAID: "already in", Verdict.CONTRADICTS: "conflicts with", Verdict.STALE: "not found:"}


def _show_row(page: Page, note: KnownNote) -> None:
    facts = " · ".join(filter(None, (note.label, note.type, ago(note.at, now=page.now))))
    claimed = [("  came with the repo", WARN)] if note.trust is Trust.CLAIMED else []
    page.line(
        "  ", (note.short_id, ID), "  ", one_line(note.title, limit=80), (f"  {facts}", FAINT), *claimed, hang=INDENT
    )
    for rule in note.rules:
        page.line(" " * INDENT, one_line(rule.content), *_outcome(rule), hang=INDENT + 2)
    if note.private:
        page.faint(" " * INDENT + f"contains {', '.join(note.private)}", hang=INDENT + 2)


def _outcome(rule: NoteRule) -> list[str | tuple[str, str]]:
    told: list[str | tuple[str, str]] = []
    if rule.verdict not in _OPEN:
        told.append((f"  {_RESULTS.get(rule.verdict, rule.verdict)} {one_line(rule.what)}", PATH))
    if rule.twin:
        told.append((f"  also in {one_line(rule.twin)}", FAINT))
    return told
