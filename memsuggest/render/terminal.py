"""Reports for people: colour on a terminal, plain when piped, readable without either."""

from __future__ import annotations

import sys
import time
from itertools import groupby
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.text import Text

from memsuggest.config import Mode
from memsuggest.model import Citation, Contradiction, MemoryFact, MemorySuggestion, Skipped, SuggestionStatus
from memsuggest.model import TargetType as Type
from memsuggest.render.safe import one_line, safe
from memsuggest.render.when import ago, iso
from memsuggest.reports import deciding, facts, learning, looking, plain, status
from memsuggest.suggestions.diff import unified

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

SHORT = 7
"""Hex digits of an id that are printed, as git does."""

GROUPS = {
    Type.INSTRUCTIONS: "Instructions",
    Type.AGENT: "Agents",
    Type.SKILL: "Skills",
    Type.PROMPT: "Prompts",
    Type.HOOK: "Hooks",
    Type.NEW_FILE: "New files",
}
ID, FAINT, PATH, HEAD, GOOD, WARN, BAD = "yellow", "dim", "cyan", "bold", "green", "yellow", "red"


class Page:
    """Lines of styled text on stdout; what it is given is made safe first."""

    def __init__(self, *, quiet: bool = False) -> None:
        self.quiet = quiet
        self.now = time.time_ns() // 1_000_000
        self._console = Console(file=sys.stdout, markup=False, highlight=False, emoji=False, soft_wrap=True)

    def line(self, *parts: str | tuple[str, str]) -> None:
        """Print one line of parts, each a text or a text with its style."""
        text = Text()
        for part in parts:
            body, style = part if isinstance(part, tuple) else (part, "")
            text.append(safe(body), style)
        self._console.print(text)

    def block(self, body: str, *, style: str = "", indent: str = "") -> None:
        """Print several lines."""
        for row in body.removesuffix("\n").split("\n"):
            self.line((indent + row, style))


def show(report: object, *, quiet: bool = False) -> None:
    """Print a report on stdout."""
    _RENDERERS[type(report)](Page(quiet=quiet), report)


def show_diff(page: Page, diff: str) -> None:
    """Print a diff, coloured as git does."""
    for row in diff.removesuffix("\n").split("\n"):
        page.line((row.removesuffix("\r"), _diff_style(row)))


def _diff_style(row: str) -> str:
    if row.startswith(("+++", "---", "diff ", "new file", "index ")):
        return HEAD
    return {"+": GOOD, "-": BAD, "@": PATH, "\\": FAINT}.get(row[:1], "")


def show_suggestion(page: Page, suggestion: MemorySuggestion) -> None:
    """Print one suggestion whole: the rule, where it goes and why, the evidence, the diff."""
    fact = suggestion.fact
    page.line((suggestion.id[:SHORT], ID), "  ", (fact.content, HEAD))
    page.line(("  " + _facts_line(fact), FAINT))
    page.line("  → ", (place_of(suggestion), PATH))
    if suggestion.why:
        page.line(("  " + _sentence(suggestion.why), FAINT))
    if suggestion.replaces:
        page.line("  replaces: ", (one_line(suggestion.replaces), BAD))
    if suggestion.executable:
        page.line(("  this is executable configuration: it is confirmed by itself, never in bulk", WARN))
    page.line()
    _show_evidence(page, fact)
    page.line()
    show_diff(page, unified(suggestion.edit))


def place_of(suggestion: MemorySuggestion) -> str:
    """Return where a suggestion goes: file, heading, and whether it adds or replaces."""
    file = suggestion.target_uri or f"{suggestion.suggested_file_name} (new file)"
    where = f"{file} › {suggestion.heading}" if suggestion.heading else file
    return f"{where} · replaces a line" if suggestion.replaces else where


def _facts_line(fact: MemoryFact) -> str:
    parts = [str(fact.kind), str(fact.scope), f"confidence {fact.confidence:.2f}"]
    chats = len({citation.session_id for citation in fact.citations})
    if chats > 1:
        parts.append(f"said in {chats} chats")
    return " · ".join(parts)


def _sentence(text: str) -> str:
    return one_line(text[:1].upper() + text[1:])


def _show_evidence(page: Page, fact: MemoryFact) -> None:
    if fact.reason:
        page.line(("  because ", FAINT), one_line(fact.reason))
    if not fact.citations:
        page.line(("  evidence: with the person who said it (this fact comes from the shared file)", FAINT))
    for citation in fact.citations:
        page.line("  “", one_line(citation.quote), "”")
        page.line(("    " + _source_line(citation), FAINT))


def _source_line(citation: Citation) -> str:
    who = {"typed": "you typed", "claimed": "claimed by a file in the repo", "confirmed": "you confirmed"}
    parts = [
        who.get(str(citation.trust), str(citation.trust)),
        f"turn {citation.turn}",
        f"chat {citation.session_id[:8]}",
    ]
    if citation.format:
        parts.append(citation.format)
    if citation.at:
        parts.append(citation.at.strftime("%Y-%m-%d %H:%M"))
    return " · ".join(parts)


def _show_groups(page: Page, suggestions: Sequence[MemorySuggestion]) -> None:
    order = list(GROUPS)
    ranked = sorted(suggestions, key=lambda suggestion: order.index(suggestion.target_type))
    for kind, group in groupby(ranked, key=lambda suggestion: suggestion.target_type):
        members = list(group)
        page.line()
        page.line((f"{GROUPS[kind]} ({len(members)})", HEAD))
        for suggestion in members:
            _show_row(page, suggestion)


def _show_row(page: Page, suggestion: MemorySuggestion) -> None:
    marks = [("  needs its own confirmation", WARN)] if suggestion.executable else []
    if any(citation.trust == "claimed" for citation in suggestion.fact.citations):
        marks.append(("  claimed", WARN))
    page.line("  ", (suggestion.id[:SHORT], ID), "  ", one_line(suggestion.fact.content), *marks)
    page.line("           → ", (place_of(suggestion), PATH))


def _header(page: Page, *, mode: Mode, last_run: int | None, pending: int) -> None:
    page.line(
        ("Memory suggestions", HEAD), f" · mode: {mode} · last run: {ago(last_run, now=page.now)} · {pending} pending"
    )


EMPTY = {
    Mode.OFF: "Memory is disabled. Enable it with `memsuggest config set mode occasional`.",
    Mode.MANUAL: "No suggestions yet. Run `memsuggest reconcile`.",
}
CAUGHT_UP = "All caught up! ✓"


def _reconciled(page: Page, report: learning.Reconciled) -> None:
    if report.mode is Mode.OFF:
        page.line(EMPTY[Mode.OFF])
        return
    _header(page, mode=report.mode, last_run=report.last_run, pending=len(report.suggestions))
    counts = [
        _count(report.read, "transcript read", "transcripts read"),
        _count(report.unchanged, "unchanged", "unchanged"),
    ]
    counts += [_count(report.new_facts, "new fact", "new facts"), f"{report.engine} engine"]
    page.line((", ".join(counts) + (" (dry run: nothing was stored)" if report.is_dry else ""), FAINT))
    _show_groups(page, report.suggestions)
    _show_contradictions(page, report.contradictions)
    for fact in report.receipts:
        page.line(
            ("Remembered", GOOD),
            f": {one_line(fact.content)} ",
            (f"({fact.kind}, {fact.scope}, {fact.id[:SHORT]})", FAINT),
        )
    _show_already_there(page, report.already_there)
    if not report.suggestions:
        page.line(CAUGHT_UP)
    _show_skipped(page, report.skipped)
    if report.suggestions and not report.is_dry:
        first = report.suggestions[0].id[:SHORT]
        page.line()
        page.line((f"`memsuggest show {first}` explains one, `memsuggest review` walks through them", FAINT))


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def _show_contradictions(page: Page, pairs: Iterable[Contradiction]) -> None:
    for pair in pairs:
        page.line()
        page.line(("Contradiction", WARN), f": {one_line(pair.why)}" if pair.why else "")
        for mark, fact in (("newer", pair.winner), ("older", pair.loser)):
            page.line(f"  {mark}  ", (fact.id[:SHORT], ID), "  ", one_line(fact.content))
            for citation in fact.citations[:1]:
                page.line("         “", one_line(citation.quote, limit=100), "” ", (_source_line(citation), FAINT))
        page.line((f"  keep one: `memsuggest facts forget {pair.loser.id[:SHORT]}` lets the newer win", FAINT))


def _show_already_there(page: Page, already: Sequence[learning.AlreadyThere]) -> None:
    if already:
        page.line()
        page.line(("Already there", HEAD), f" ({len(already)})")
    for there in already:
        page.line("  ", one_line(there.fact.content, limit=90), (f"  {there.target_uri}:{there.line}", PATH))


def _show_skipped(page: Page, skipped: Sequence[Skipped]) -> None:
    if skipped and not page.quiet:
        page.line()
        page.line((f"Skipped ({len(skipped)})", HEAD))
        for skip in skipped:
            page.line("  ", (one_line(skip.what), PATH), f": {one_line(skip.why)}")


def _listing(page: Page, report: deciding.Listing) -> None:
    if report.status is not SuggestionStatus.PENDING:
        _show_decided(page, report)
        return
    if report.mode is Mode.OFF:
        page.line(EMPTY[Mode.OFF])
        return
    _header(page, mode=report.mode, last_run=report.last_run, pending=len(report.suggestions))
    _show_groups(page, report.suggestions)
    if not report.suggestions:
        page.line(EMPTY[Mode.MANUAL] if report.mode is Mode.MANUAL or report.last_run is None else CAUGHT_UP)


def _show_decided(page: Page, report: deciding.Listing) -> None:
    page.line((f"{str(report.status).capitalize()} ({len(report.decided)})", HEAD))
    for decided in report.decided:
        where = decided.target or "everywhere"
        page.line("  ", (decided.fact.id[:SHORT], ID), "  ", one_line(decided.fact.content), (f"  {where}", PATH))


def _shown(page: Page, report: deciding.Shown) -> None:
    if report.was_replanned:
        page.line(("the file changed since this was suggested; here is the edit for the file as it is now", WARN))
    show_suggestion(page, report.suggestion)
    _show_similar(page, report.similar)


def _show_similar(page: Page, similar: Sequence[MemorySuggestion]) -> None:
    if similar:
        page.line()
        page.line((f"Similar ({len(similar)})", HEAD))
        for suggestion in similar:
            _show_row(page, suggestion)


def _applied(page: Page, report: deciding.Applied) -> None:
    for suggestion in report.suggestions:
        page.line(
            ("applied", GOOD), f"  {one_line(suggestion.fact.content, limit=90)} → ", (place_of(suggestion), PATH)
        )
    for skip in report.held_back:
        page.line(("held back", WARN), f"  {one_line(skip.what)}: {one_line(skip.why)}")
    if report.suggestions:
        page.line(("`memsuggest undo` takes it back", FAINT))
    if report.similar:
        _show_similar(page, report.similar)
        page.line((f"`memsuggest apply --similar {report.suggestions[-1].fact.id[:SHORT]}` applies them too", FAINT))


def _dismissed(page: Page, report: deciding.Dismissed) -> None:
    for suggestion in report.suggestions:
        where = f"for {suggestion.edit.path}" if report.only_here else "everywhere"
        page.line(f"dismissed {where}: {one_line(suggestion.fact.content)}")


def _undone(page: Page, report: deciding.Undone) -> None:
    for path in report.paths:
        page.line(("restored", GOOD), "  ", (path, PATH))
    for content in report.contents:
        page.line("pending again: ", one_line(content))


def _status(page: Page, report: status.Status) -> None:
    _header(page, mode=report.mode, last_run=report.last_run, pending=report.pending)
    if report.mode is Mode.OFF:
        page.line(EMPTY[Mode.OFF])


def _extracted(page: Page, report: learning.Extracted) -> None:
    for extraction in report.extractions:
        page.line((extraction.path, PATH), f"  {extraction.transcript.format}, {report.engine} engine")
        for candidate in extraction.candidates:
            page.line(
                f"  {candidate.confidence:.2f}  ",
                (one_line(candidate.content), HEAD),
                (f"  {candidate.kind}, {candidate.scope}", FAINT),
            )
            page.line(
                "        “",
                one_line(candidate.citations[0].quote),
                "” ",
                (f"turn {candidate.citations[0].turn}", FAINT),
            )
        for turn, text, kept, why in extraction.verdicts:
            page.line(
                ("  kept  " if kept else "  drop  ", GOOD if kept else FAINT), f"{turn:4}  {one_line(text, limit=100)}"
            )
            page.line((f"              {one_line(why)}", FAINT))
        if not extraction.candidates:
            page.line(("  nothing to remember", FAINT))
        _show_skipped(page, extraction.skipped)
    _show_skipped(page, report.skipped)


def _transcript_rows(page: Page, report: looking.TranscriptRows) -> None:
    for row in report.rows:
        why = f": {row.why}" if row.why else ""
        mark = " claimed" if row.trust == "claimed" else ""
        modified = ago(int(row.modified_at * 1000), now=page.now)
        page.line(
            (f"{row.state:<9}", GOOD if row.state == "processed" else WARN),
            f" {row.format:<14} {row.size:>10,}  {modified:<12} ",
            (row.path, PATH),
            f"{mark}{why}",
        )
    if not report.rows:
        page.line("no transcripts of this workspace were found; name files or folders to read")
    _show_skipped(page, report.skipped)


def _transcript_shown(page: Page, report: looking.TranscriptShown) -> None:
    transcript = report.transcript
    page.line((transcript.origin, PATH), f"  {transcript.format}  {transcript.session_id}")
    for turn in transcript.turns:
        if not turn.typed:
            continue
        page.line()
        page.line(
            (f"turn {turn.number}", HEAD), (f"  {turn.at.isoformat(timespec='minutes')}" if turn.at else "", FAINT)
        )
        _show_typed(page, turn.typed, turn.quoted)
    _show_skipped(page, transcript.skipped)


def _show_typed(page: Page, typed: str, quoted: tuple[tuple[int, int], ...]) -> None:
    """Print what was typed, with its quoted stretches faint."""
    parts: list[str | tuple[str, str]] = []
    place = 0
    for start, end in quoted:
        parts += [typed[place:start], (typed[start:end], FAINT)]
        place = end
    page.line(*parts, typed[place:])


def _target_rows(page: Page, report: looking.TargetRows) -> None:
    for row in report.rows:
        _show_target(page, row)
    total = sum(row.tokens for row in report.rows)
    subject = f"for {report.source_file}" if report.source_file else "in all"
    page.line((f"{_count(len(report.rows), 'file', 'files')} {subject}, about {total:,} tokens", FAINT))
    _show_skipped(page, report.skipped)


def _show_target(page: Page, row: looking.TargetRow) -> None:
    page.line(f"{row.type:<13} ", (row.path, PATH), (f"  {one_line(row.title)}" if row.title else "", HEAD))
    details = [f"about {row.tokens:,} tokens"]
    if row.applies_to:
        details.append(f"applyTo {row.applies_to}")
    if row.matches is not None:
        yes = [dialect for dialect, matches in row.matches.items() if matches]
        details.append(f"loaded by {', '.join(yes)} ({row.pattern})" if yes else "not loaded")
    page.line((" " * 14 + " · ".join(details), FAINT))
    for warning in row.warnings:
        page.line((" " * 14 + warning, WARN))


def _ranking(page: Page, report: looking.Ranking) -> None:
    for number, place in enumerate(report.places, 1):
        heading = f" › {place.heading}" if place.heading else ""
        page.line(f"{number}. ", (f"{place.path}{heading}", PATH), (f"  {place.score:.2f}", FAINT))
        page.line((f"   {_sentence(place.why)}", FAINT))
    if report.places:
        page.line()
        show_diff(page, report.places[0].diff)


def _fact_rows(page: Page, report: facts.FactRows) -> None:
    for fact in report.facts:
        page.line((fact.id[:SHORT], ID), "  ", one_line(fact.content), (f"  {_facts_line(fact)}", FAINT))
    if not report.facts:
        page.line("nothing found" if report.query else "no facts yet")


def _fact_shown(page: Page, report: facts.FactShown) -> None:
    fact = report.fact
    page.line((fact.id, ID), "  ", (fact.content, HEAD))
    page.line(("  " + _facts_line(fact) + f" · {fact.status} · since {iso(fact.timestamp)}", FAINT))
    if report.in_shared_file:
        page.line(("  in the shared facts.json", FAINT))
    _show_evidence(page, fact)
    for decided in report.decisions:
        page.line(f"  {decided.status} ", (decided.target or "everywhere", PATH))


def _fact_changed(page: Page, report: facts.FactChanged) -> None:
    page.line((report.verb, GOOD), "  ", (report.fact.id[:SHORT], ID), f"  {one_line(report.fact.content)}")


def _checked(page: Page, report: facts.Checked) -> None:
    for problem in report.problems:
        page.line((one_line(problem.what), PATH), f": {one_line(problem.why)}")
    page.line(
        f"{report.path}: {_count(report.facts, 'fact', 'facts')}, {_count(len(report.problems), 'problem', 'problems')}"
    )


def _settings_shown(page: Page, report: plain.SettingsShown) -> None:
    for name, value in report.values.items():
        shown = ", ".join(value.value) if isinstance(value.value, tuple) else str(value.value)
        page.line(f"{name:<20} {shown or '(none)':<14} ", (value.source, FAINT))
    for skip in report.ignored:
        page.line((f"ignored  {skip.what}: {skip.why}", WARN))


def _text(page: Page, report: plain.Text) -> None:
    page.block(report.text)


_RENDERERS: dict[type, Callable[[Page, Any], None]] = {
    learning.Reconciled: _reconciled,
    deciding.Listing: _listing,
    deciding.Shown: _shown,
    deciding.Applied: _applied,
    deciding.Dismissed: _dismissed,
    deciding.Undone: _undone,
    status.Status: _status,
    learning.Extracted: _extracted,
    looking.TranscriptRows: _transcript_rows,
    looking.TranscriptShown: _transcript_shown,
    looking.TargetRows: _target_rows,
    looking.Ranking: _ranking,
    facts.FactRows: _fact_rows,
    facts.FactShown: _fact_shown,
    facts.FactChanged: _fact_changed,
    facts.Checked: _checked,
    plain.SettingsShown: _settings_shown,
    plain.Text: _text,
}
