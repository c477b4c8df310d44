"""Suggestions for people: what was learned, what waits, and what was decided."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from memsuggest.model import MemoryFact, MemorySuggestion, is_maybe
from memsuggest.model import TargetType as Type
from memsuggest.render.safe_output import one_line
from memsuggest.render.terminal.clashes import clash_lines
from memsuggest.render.terminal.evidence_lines import facts_line, show_evidence
from memsuggest.render.terminal.page import (
    BAD,
    FAINT,
    GOOD,
    HEAD,
    ID,
    INDENT,
    PATH,
    SHORT,
    UNDO,
    WARN,
    Page,
    count,
    listed,
    sentence,
    show_diff,
)
from memsuggest.reports import decision_reports, learning_reports
from memsuggest.suggestions.diff import unified
from memsuggest.suggestions.listed import as_written, in_order, where
from memsuggest.suggestions.ranking.hosts import why_read

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memsuggest.reports import decision_reports, learning_reports

GROUPS = {
    Type.INSTRUCTIONS: "Instructions",
    Type.AGENT: "Agents",
    Type.SKILL: "Skills",
    Type.PROMPT: "Prompts",
    Type.HOOK: "Hooks",
    Type.NEW_FILE: "New files",
}


_MOST_SIMILAR = 5  # rows shown beside one that was asked for
_MOST_HELD = 3  # files that a line names
_MAINTENANCE = "care of your files: nobody said this, the file shows it"


def show_suggestion(page: Page, shown: decision_reports.Shown) -> None:
    """Print one suggestion whole: the rule, where it goes and why, what contradicts it, the evidence, the diff."""
    suggestion, fact, danger = shown.suggestion, shown.suggestion.fact, shown.danger
    page.line((suggestion.id[:SHORT], ID), "  ", (one_line(as_written(suggestion)), HEAD), hang=SHORT + 2)
    page.line(("  " + (facts_line(fact) if fact else _MAINTENANCE), FAINT), hang=2)
    page.line("  → ", (where(suggestion), PATH), hang=4)
    if why := _why_there(shown):
        page.line(("  " + sentence(why), FAINT), hang=2)
    _show_readers(page, shown.readers)
    if suggestion.replaces:
        page.line("  replaces: ", (one_line(suggestion.replaces), BAD), hang=12)
    if fact and is_maybe(fact):
        page.line(
            ("  low confidence: it is suggested once you or a model agree (`apply`, `facts confirm`)", FAINT), hang=2
        )
    for line in clash_lines(fact, shown.contradictions) if fact else ():
        page.line(*line, hang=4)
    for rule in shown.held:
        page.line(("  what it replaces does not hold: " + one_line(rule.why), WARN), hang=4)
    if suggestion.executable:
        page.line(("  this is executable configuration: it is confirmed by itself, never in bulk", WARN))
    if danger:
        page.line((f"  warning: this rule {danger}; it is confirmed by itself, never in bulk", WARN), hang=2)
    page.line()
    if fact:
        show_evidence(page, fact)
        page.line()
    show_diff(page, unified(suggestion.edit))


def _why_there(shown: decision_reports.Shown) -> str:
    """Return why a suggestion goes to its file, without who reads that: it is said of every file."""
    suggestion = shown.suggestion
    told = why_read(suggestion.edit.path, suggestion.fact) if suggestion.fact and shown.readers.reading else ""
    return suggestion.why.replace(f"; {told}", "") if told else suggestion.why


def _show_readers(page: Page, readers: decision_reports.Readers) -> None:
    """Print which assistants read the file, and which do not."""
    others = f"; not by {listed(readers.others)}" if readers.others else ""
    if readers.reading:
        page.line((f"  Read by {listed(readers.reading)}{others}", FAINT), hang=2)


def show_groups(
    page: Page, suggestions: Sequence[MemorySuggestion], report: decision_reports.Listing | learning_reports.Reconciled
) -> None:
    """Print some suggestions of a report in groups, by the kind of file that they go to."""
    ranked = in_order(suggestions, seen=())
    for kind, group in groupby(ranked, key=lambda suggestion: suggestion.target_type):
        members = list(group)
        page.line()
        page.line((f"{GROUPS[kind]} ({len(members)})", HEAD))
        for suggestion in members:
            is_dangerous, unread = suggestion.id in report.dangerous, report.unread.get(suggestion.id, "")
            _show_row(page, suggestion, is_dangerous=is_dangerous, unread=unread)


def _show_row(page: Page, suggestion: MemorySuggestion, *, is_dangerous: bool = False, unread: str = "") -> None:
    marks = [("  needs its own confirmation", WARN)] if suggestion.executable else []
    if suggestion.contradicts:
        marks.append(("  contradicts a line: you choose", WARN))
    elif is_dangerous:
        marks.append(("  weakens safety: needs its own confirmation", WARN))
    if any(citation.trust == "claimed" for citation in suggestion.citations):
        marks.append(("  claimed", WARN))
    if suggestion.fact and suggestion.fact.is_noted:
        marks.append(("  an assistant noted it: needs a yes of its own", WARN))
    elif suggestion.fact and suggestion.fact.is_only_written:
        marks.append(("  an assistant wrote it", WARN))
    page.line("  ", (suggestion.id[:SHORT], ID), "  ", one_line(as_written(suggestion)), *marks, hang=INDENT)
    reader = (f"  {unread} does not read it", WARN) if unread else ""
    page.line(" " * INDENT + "→ ", (where(suggestion), PATH), reader, hang=INDENT + 2)
    if suggestion.contradicts:
        page.line((f"{' ' * INDENT}  the line: {one_line(suggestion.replaces or '')}", FAINT), hang=INDENT + 2)


def show_bundle(page: Page, report: decision_reports.Bundle) -> None:
    """Print what would be decided at once, a row each."""
    for suggestion in report.suggestions:
        _show_row(page, suggestion)
    for skip in report.held_back:
        page.line(("  held back  ", WARN), f"{one_line(skip.what)}: {one_line(skip.why)}")


def show_maintenance(page: Page, maintenance: Sequence[MemorySuggestion], *, held: Mapping[str, int]) -> None:
    """Print what files need by themselves, and how much more waits in which file."""
    if maintenance:
        page.line()
        page.line(
            (f"Care of your files ({len(maintenance)})", HEAD), (" · nobody said these, the files show them", FAINT)
        )
    for suggestion in maintenance:
        _show_row(page, suggestion)
    if maintenance and held:
        most = sorted(held, key=lambda path: (-held[path], path))
        listed = [f"{one_line(path)} {held[path]}" for path in most[:_MOST_HELD]]
        listed += [f"{len(most) - _MOST_HELD} more files"] if len(most) > _MOST_HELD else []
        page.line((f"  {sum(held.values())} more once these are settled: {', '.join(listed)}", FAINT))


def show_gone(page: Page, gone: Sequence[MemoryFact], *, verb: str) -> None:
    """Print facts that were too many, and how one comes back."""
    for fact in gone:
        page.line((f"{verb}  ", WARN), (fact.id[:SHORT], ID), f"  {one_line(fact.content)}")
    keeps = "`memsuggest config set maxWorkspaceFacts N` keeps more"
    hint = f"`memsuggest undo` brings them back; {keeps}" if verb == "pruned" else keeps
    page.line((f"{count(len(gone), 'fact', 'facts')} beyond the limit; {hint}", FAINT))


def show_shown(page: Page, report: decision_reports.Shown) -> None:
    """Print one suggestion whole."""
    if report.was_replanned:
        page.line(("the file changed since this was suggested; here is the edit for the file as it is now", WARN))
    show_suggestion(page, report)
    _show_similar(page, report.similar)


def _show_similar(page: Page, similar: Sequence[MemorySuggestion]) -> None:
    if similar:
        page.line()
        page.line((f"Similar ({len(similar)})", HEAD))
        for suggestion in similar[:_MOST_SIMILAR]:
            _show_row(page, suggestion)
        if len(similar) > _MOST_SIMILAR:
            page.line((f"  and {len(similar) - _MOST_SIMILAR} more in `memsuggest list`", FAINT))


def show_applied(page: Page, report: decision_reports.Applied) -> None:
    """Print what was written."""
    for suggestion in report.suggestions:
        page.line(("applied", GOOD), f"  {one_line(as_written(suggestion), limit=90)} → ", (where(suggestion), PATH))
    for skip in report.held_back:
        page.line(("held back", WARN), f"  {one_line(skip.what)}: {one_line(skip.why)}")
    if report.suggestions:
        page.line((UNDO, FAINT))
    if report.similar:
        _show_similar(page, report.similar)
        page.line((f"`memsuggest apply --similar {report.suggestions[-1].id[:SHORT]}` applies them too", FAINT))
