"""Lists of what was found: transcripts, targets, places, facts, settings."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from memsuggest.config import SETTINGS
from memsuggest.model import Outcome
from memsuggest.render.safe_output import one_line
from memsuggest.render.terminal.clashes import clash_lines
from memsuggest.render.terminal.evidence_lines import facts_line, show_evidence
from memsuggest.render.terminal.held_pages import held_line
from memsuggest.render.terminal.page import (
    BAD,
    FAINT,
    GOOD,
    HEAD,
    ID,
    PATH,
    SHORT,
    UNDO,
    WARN,
    Page,
    count,
    sentence,
    show_diff,
    show_skipped,
)
from memsuggest.render.terminal.suggestion_pages import show_gone
from memsuggest.text.when import iso

if TYPE_CHECKING:
    from memsuggest.model import Candidate
    from memsuggest.reports import doctor_report, fact_reports, inspection_reports, learning_reports, plain


def show_extracted(page: Page, report: learning_reports.Extracted) -> None:
    """Print what an engine found."""
    for extraction in report.extractions:
        page.line((extraction.path, PATH), f"  {extraction.transcript.format}, {report.engine} engine")
        maybes = [one for one in extraction.candidates if one.outcome is Outcome.MAYBE]
        for candidate in extraction.candidates:
            if candidate not in maybes:
                _show_candidate(page, candidate)
        if len(maybes) == len(extraction.candidates):
            page.line(("  nothing to remember", FAINT))
        if maybes:
            page.line((f"  Maybe ({len(maybes)})", HEAD), (" · kept aside, not suggested", FAINT))
        for candidate in maybes:
            _show_candidate(page, candidate)
        _show_verdicts(page, extraction)
        show_skipped(page, extraction.skipped)
    show_skipped(page, report.skipped)


_VERDICTS = {Outcome.SUGGEST: ("suggested", GOOD), Outcome.MAYBE: ("maybe", WARN), None: ("no", FAINT)}


def _show_verdicts(page: Page, extraction: learning_reports.Extraction) -> None:
    """Print of each sentence what came of it, and why, in the order in which they were said."""
    if extraction.verdicts:
        page.line()
        page.line(("Sentence by sentence", HEAD), (" · what you typed, and why it is a suggestion or not", FAINT))
    turns = sorted(extraction.verdicts, key=lambda verdict: verdict[0])
    for turn, text, outcome, why in turns:
        name, style = _VERDICTS[outcome]
        page.line((f"  {name:<9}  ", style), "“", one_line(text), "”", (f"  turn {turn}", FAINT), hang=13)
        page.line((f"{'':13}{one_line(why)}", FAINT))


def _show_candidate(page: Page, candidate: Candidate) -> None:
    page.line(
        f"  {candidate.confidence:.2f}  ",
        (one_line(candidate.content), HEAD),
        (f"  {candidate.kind}, {candidate.scope}", FAINT),
        hang=8,
    )
    first = candidate.citations[0]
    page.line("        “", one_line(first.quote), "” ", (f"turn {first.turn}", FAINT), hang=9)


_HOSTS = {"vscode": "VS Code", "github": "GitHub Copilot"}


def show_target_rows(page: Page, report: inspection_reports.TargetRows) -> None:
    """Print the customization files."""
    for row in report.rows:
        _show_target(page, row)
    if report.source_file is None:
        page.line((f"{count(len(report.rows), 'file', 'files')} in all, about {report.tokens:,} tokens", FAINT))
    else:
        _show_cost(page, report, report.source_file)
    show_skipped(page, report.skipped)


def _show_cost(page: Page, report: inspection_reports.TargetRows, source_file: str) -> None:
    """Print what is loaded for one file, and whether that is more than it should be."""
    loaded = sum(row.is_loaded for row in report.rows)
    told = f"{loaded} of {count(len(report.rows), 'file', 'files')} loaded for {source_file}"
    page.line((f"{told}, about {report.tokens:,} tokens", FAINT))
    if report.budget is not None and report.tokens > report.budget:
        page.line((f"that is more than {report.budget:,}: every request about this file carries it", WARN))


def _show_target(page: Page, row: inspection_reports.TargetRow) -> None:
    page.line(f"{row.type:<13} ", (row.path, PATH), (f"  {one_line(row.title)}" if row.title else "", HEAD))
    details = [f"about {row.tokens:,} tokens"]
    if row.applies_to:
        details.append(f"applyTo {row.applies_to}")
    if row.matches is not None:
        yes = [_HOSTS[dialect] for dialect, matches in row.matches.items() if matches] + list(row.others)
        details.append(f"loaded by {', '.join(yes)} ({row.pattern})" if yes else "not loaded")
    page.line((" " * 14 + " · ".join(details), FAINT))
    for warning in row.warnings:
        page.line((" " * 14 + warning, WARN))


def show_ranking(page: Page, report: inspection_reports.Ranking) -> None:
    """Print the places for a rule, with the diff of the best."""
    for number, place in enumerate(report.places, 1):
        heading = f" › {place.heading}" if place.heading else ""
        page.line(f"{number}. ", (f"{place.path}{heading}", PATH), (f"  {place.score:.2f}", FAINT))
        page.line((f"   {sentence(place.why)}", FAINT))
    if report.places:
        page.line()
        show_diff(page, report.places[0].diff)


def show_fact_rows(page: Page, report: fact_reports.FactRows) -> None:
    """Print facts, a line each."""
    for fact in report.facts:
        status = "" if fact.status == "active" else f" · {fact.status}"
        status += " · dismissed" if fact.id in report.dismissed else ""
        told = (f"  {facts_line(fact)}{status}", FAINT)
        page.line((fact.id[:SHORT], ID), "  ", one_line(fact.content), told, hang=SHORT + 2)
    if not report.facts:
        page.line("nothing found" if report.query else "no facts yet")


def show_fact_shown(page: Page, report: fact_reports.FactShown) -> None:
    """Print one fact whole."""
    fact = report.fact
    page.line((fact.id, ID), "  ", (one_line(fact.content), HEAD), hang=4)
    page.line(("  " + facts_line(fact) + f" · {fact.status} · since {iso(fact.timestamp)}", FAINT))
    if report.note:
        page.line(("  " + one_line(report.note), WARN), hang=2)
    if report.in_shared_file:
        page.line(("  in the shared facts.json", FAINT))
    for line in clash_lines(fact, report.contradictions):
        page.line(*line, hang=4)
    show_evidence(page, fact)
    for rule in report.held:
        page.line("  ", *held_line(rule), hang=4)
        for remedy in rule.remedies[:1]:
            page.line((f"    try: {one_line(remedy.what)}", FAINT), hang=4)
    for decided in report.decisions:
        page.line(f"  {decided.status} ", (decided.target or "everywhere", PATH))
    for promotion in report.promotions:
        told = f"{promotion.kind} ({promotion.scope}), {iso(promotion.at)} to {one_line(promotion.endpoint)}"
        page.line(f"  promoted as {told}", (f"  {promotion.state}" if promotion.state else "", FAINT), hang=4)


def show_fact_changed(page: Page, report: fact_reports.FactChanged) -> None:
    """Print what was done to a fact, and that it can be taken back."""
    _show_change(page, report)
    page.line((UNDO, FAINT))


def _show_change(page: Page, report: fact_reports.FactChanged) -> None:
    page.line((report.verb, GOOD), "  ", (report.fact.id[:SHORT], ID), f"  {one_line(report.fact.content)}")
    if report.danger:
        page.line(("warning", WARN), f"  this rule {report.danger}: it is applied by itself alone, never in bulk")
    for note in report.notes:
        page.line((f"  {one_line(note)}", FAINT), hang=4)


def show_facts_changed(page: Page, report: fact_reports.FactsChanged) -> None:
    """Print what was done to each fact that was named."""
    for change in report.changes:
        _show_change(page, change)
    if not report.is_for_good:
        page.line((UNDO, FAINT))


def show_pruned(page: Page, report: fact_reports.Pruned) -> None:
    """Print the facts that went, or would go."""
    if not report.facts:
        page.line("within the limits; nothing to prune")
        return
    show_gone(page, report.facts, verb="would go" if report.is_dry else "pruned")


def show_checked(page: Page, report: fact_reports.Checked) -> None:
    """Print what is wrong with the shared file."""
    for problem in report.problems:
        page.line((one_line(problem.what), PATH), f": {one_line(problem.why)}")
    for one in report.stale:
        name = one.fact.id[:SHORT]
        wording = f" --content {shlex.quote(one_line(one.new_content))}" if one.new_content else ""
        page.line((name, ID), "  ", one_line(one.fact.content))
        page.line((f"  {one_line(one.what)}: {one_line(one.why)}", FAINT))
        page.line((f"  `memsuggest facts {'edit' if wording else 'forget'} {name}{wording}`", FAINT))
    page.line(
        f"{report.path}: {count(report.facts, 'fact', 'facts')}, {count(len(report.problems), 'problem', 'problems')}"
    )


def show_importable(page: Page, row: fact_reports.Importable) -> None:
    """Print one entry of an imported file, with what speaks against it."""
    style = {"new": GOOD, "taken": GOOD, "forgotten": WARN}.get(row.verdict, FAINT)
    page.line(
        (f"{row.verdict:<9} ", style), (row.fact.id[:SHORT], ID), "  ", one_line(row.fact.content), (_about(row), FAINT)
    )
    if row.other and row.verdict != "taken":
        says = "stands already as" if row.verdict == "known" else "contradicts"
        page.line(
            (f"          {says} ", FAINT), (row.other.id[:SHORT], ID), (f"  {one_line(row.other.content)}", FAINT)
        )


def _about(row: fact_reports.Importable) -> str:
    return f"  {row.fact.kind}, {row.fact.scope}"


def show_imported(page: Page, report: fact_reports.Imported) -> None:
    """Print what a file held, and what became of it."""
    for row in report.rows:
        show_importable(page, row)
    waiting = [row for row in report.rows if row.is_open]
    taken = sum(row.verdict == "taken" for row in report.rows)
    page.line(f"{report.path}: {count(len(report.rows), 'fact', 'facts')}, {taken} taken, {len(waiting)} not taken")
    if waiting and not taken:
        page.line((f"to take one: memsuggest facts import {report.path} --take {waiting[0].fact.id[:SHORT]}", FAINT))
    show_skipped(page, report.skipped)


_MARKS = {"ok": GOOD, "off": FAINT, "look": WARN, "bad": BAD}


def show_examined(page: Page, report: doctor_report.Examined) -> None:
    """Print everything that was looked at, a line each, by area."""
    area = ""
    for check in report.checks:
        if check.area != area:
            page.line((check.area.capitalize(), HEAD))
            area = check.area
        hint = (f"  {check.hint}", FAINT) if check.hint else ""
        page.line("  ", (f"{check.health:<5}", _MARKS[check.health]), f"{check.name:<16} ", one_line(check.text), hint)


def show_settings_shown(page: Page, report: plain.SettingsShown) -> None:
    """Print the settings and where they came from."""
    for name, value in report.values.items():
        shown = ", ".join(value.value) if isinstance(value.value, tuple) else str(value.value)
        shown = " ".join(filter(None, (shown, SETTINGS[name].unit)))
        page.line(f"{name:<20} {shown or '(none)':<18} ", (value.source, FAINT))
    for skip in report.ignored:
        page.line((f"ignored  {skip.what}: {skip.why}", WARN))


def show_talk(page: Page, report: plain.Talk) -> None:
    """Print what is said, each line as far to the right as it begins."""
    for row in report.rows:
        page.line(row, hang=3)


def show_text(page: Page, report: plain.Text) -> None:
    """Print a plain answer."""
    page.block(report.text)
