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
    """The notes that assistants keep about this workspace, newest first."""

    JSON_NAME = "Notes"
    notes: tuple[KnownNote, ...]
    skipped: tuple[Skipped, ...] = ()

    def show(self, page: Page) -> None:
        """Print the notes in groups, by what became of them, and what to tell the assistants."""
        if not self.notes:
            page.line(NOTHING)
        for verdict, head in _HEADS.items():
            group = [note for note in self.notes if note.verdict is verdict]
            if group:
                page.line((f"{head} ({len(group)})", HEAD))
            for note in group[:_MOST]:
                _show_row(page, note)
            if len(group) > _MOST:
                page.faint(f"  {len(group) - _MOST} more: `memsuggest notes --format json` has them all")
            if group:
                page.line()
        if double := [note for note in self.notes if note.drop]:
            page.line(("Double since you applied them: tell the assistant", HEAD))
            for note in double:
                page.line("  ", (note.label, ID), "  ", one_line(note.drop), hang=4)
            page.line()
        for skip in self.skipped[:_MOST]:
            page.line(("  skipped  ", FAINT), f"{one_line(skip.what)}: {one_line(skip.why)}", hang=4)
        if any(note.verdict is Verdict.SUGGESTED for note in self.notes) and not page.quiet:
            page.faint("`memsuggest list` has the suggestions, `memsuggest notes show ID` a note with its evidence")


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteShown:
    """One note, whole."""

    note: KnownNote
    text: Annotated[str, "All of it, without secrets."]

    def show(self, page: Page) -> None:
        """Print one note whole, then the rules taken from it with their evidence."""
        note = self.note
        page.line((one_line(note.title), HEAD))
        when = ago(note.at, now=page.now)
        page.faint(" · ".join(filter(None, (note.label, note.type, when, note.shown, str(note.verdict)))))
        page.line()
        page.block(self.text, indent="  ")
        page.head(f"Rules taken from it ({len(note.rules)})")
        for rule in note.rules:
            page.line("  ", one_line(rule.content), *_outcome(rule), hang=4)
            if rule.text:
                page.line(("    the file  ", FAINT), in_quotes(rule.text), hang=6)
            if rule.quote:
                who = "you typed  " if rule.is_theirs else "typed before it was noted  "
                page.line((f"    {who}", FAINT), in_quotes(rule.quote), hang=6)
            else:
                page.faint(f"    noted by {note.label}, no quote found")
            if rule.why:
                page.faint(f"    for your own file alone: {rule.why}")
        if note.private:
            page.faint(f"  private things were left out: {', '.join(note.private)}")
        if note.drop:
            page.line(("  tell the assistant  ", FAINT), one_line(note.drop), hang=4)


NOTHING = "No notes of assistants about this workspace were found."
_HEADS = {
    Verdict.CONTRADICTS: "Contradict a file",
    Verdict.SUGGESTED: "Suggested, each after your own yes",
    Verdict.STALE: "About something that is gone",
    Verdict.PERSONAL: "About you: offered for your own files alone",
    Verdict.SAID: "A file already says it",
    Verdict.PRIVATE: "Private: stays where it is",
    Verdict.PASSING: "How things stood: nothing to suggest",
    Verdict.REFERENCE: "Looked up: nothing to suggest",
}
_MOST = 40
"""Notes of a group that are listed."""
_OPEN = {Verdict.SUGGESTED, Verdict.PERSONAL}


def _show_row(page: Page, note: KnownNote) -> None:
    facts = " · ".join(filter(None, (note.label, note.type, ago(note.at, now=page.now))))
    claimed = [("  came with the repo", WARN)] if note.trust is Trust.CLAIMED else []
    page.line(
        "  ", (note.short_id, ID), "  ", one_line(note.title, limit=80), (f"  {facts}", FAINT), *claimed, hang=INDENT
    )
    for rule in note.rules:
        page.line(" " * INDENT, one_line(rule.content), *_outcome(rule), hang=INDENT + 2)
    if note.private:
        page.faint(" " * INDENT + f"holds {', '.join(note.private)}", hang=INDENT + 2)


def _outcome(rule: NoteRule) -> list[str | tuple[str, str]]:
    told: list[str | tuple[str, str]] = []
    if rule.verdict not in _OPEN:
        told.append(
            (f"  {'gone: ' if rule.verdict is Verdict.STALE else f'{rule.verdict} '}{one_line(rule.what)}", PATH)
        )
    if rule.twin:
        told.append((f"  also in {one_line(rule.twin)}", FAINT))
    return told
