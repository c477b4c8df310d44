"""Reports for people: colour on a terminal, plain when piped, readable without either."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from memsuggest.render.terminal.page import Page

if TYPE_CHECKING:
    from collections.abc import Mapping


def show(report: object, *, quiet: bool = False) -> None:
    """Print a report on stdout."""
    kind = type(report)
    room = kind.__module__.rpartition(".")[0]
    if room != "memsuggest.reports":  # a feature's own report has its page beside it
        own = import_module(kind.__module__.removesuffix("_report") + "_page")
        own.PAGES[kind.__name__](Page(quiet=quiet), report)
        return
    module, _, function = PAGES[f"{kind.__module__.rpartition('.')[2]}.{kind.__name__}"].partition(".")
    page = import_module(f"{__name__}.{module}")
    getattr(page, function)(Page(quiet=quiet), report)


PAGES: Mapping[str, str] = {
    "learning_reports.Reconciled": "reconcile_page.show_reconciled",
    "decision_reports.Listing": "listing.show_listing",
    "decision_reports.Maybes": "listing.show_maybes",
    "decision_reports.Shown": "suggestion_pages.show_shown",
    "decision_reports.Screen": "screen.show_screen",
    "decision_reports.Bundle": "suggestion_pages.show_bundle",
    "decision_reports.Applied": "suggestion_pages.show_applied",
    "decision_reports.Dismissed": "decisions.show_dismissed",
    "decision_reports.Moved": "decisions.show_moved",
    "decision_reports.Places": "decisions.show_places",
    "decision_reports.Undone": "decisions.show_undone",
    "decision_reports.TakenRows": "decisions.show_taken_rows",
    "status_report.Status": "status_page.show_status",
    "watch_reports.Notice": "status_page.show_notice",
    "learning_reports.Extracted": "row_pages.show_extracted",
    "inspection_reports.TranscriptRows": "transcript_pages.show_transcript_rows",
    "inspection_reports.TranscriptShown": "transcript_pages.show_transcript_shown",
    "inspection_reports.TargetRows": "row_pages.show_target_rows",
    "inspection_reports.Ranking": "row_pages.show_ranking",
    "fact_reports.FactRows": "row_pages.show_fact_rows",
    "fact_reports.FactShown": "row_pages.show_fact_shown",
    "fact_reports.FactChanged": "row_pages.show_fact_changed",
    "fact_reports.FactsChanged": "row_pages.show_facts_changed",
    "fact_reports.Checked": "row_pages.show_checked",
    "fact_reports.Pruned": "row_pages.show_pruned",
    "fact_reports.Importable": "row_pages.show_importable",
    "fact_reports.Imported": "row_pages.show_imported",
    "model_reports.ConsentShown": "model_pages.show_consent",
    "model_reports.UsageShown": "model_pages.show_usage",
    "model_reports.Consolidated": "model_pages.show_consolidated",
    "model_reports.Merge": "model_pages.show_one_merge",
    "graphiti_reports.GraphitiShown": "graphiti_pages.show_graphiti",
    "graphiti_reports.Promoted": "graphiti_pages.show_promoted",
    "graphiti_reports.GraphitiTried": "graphiti_pages.show_tried",
    "app_reports.AppRows": "app_pages.show_apps",
    "app_reports.AppShown": "app_pages.show_app",
    "app_reports.AppContext": "app_pages.show_context",
    "app_reports.AppsLearned": "app_pages.show_learned",
    "app_reports.AppForgotten": "app_pages.show_forgotten",
    "ask_reports.Asked": "ask_pages.show_asked",
    "ask_reports.NothingAsked": "ask_pages.show_nothing",
    "ask_reports.Answered": "ask_pages.show_answered",
    "recall_reports.RecallReport": "memory_pages.show_recall",
    "recall_reports.RecallLog": "memory_pages.show_recall_log",
    "recall_reports.IdentityReport": "memory_pages.show_identity",
    "recall_reports.EntryRows": "memory_pages.show_entries",
    "recall_reports.EntryChanged": "memory_pages.show_entry_changed",
    "recall_reports.EntriesChanged": "memory_pages.show_entries_changed",
    "recall_reports.MemoryRepaired": "memory_pages.show_memory_repaired",
    "coverage_report.CoverageReport": "coverage_page.show_coverage",
    "held_report.HeldReport": "held_pages.show_held",
    "doctor_report.Examined": "row_pages.show_examined",
    "plain.SettingsShown": "row_pages.show_settings_shown",
    "plain.Text": "row_pages.show_text",
    "plain.Talk": "row_pages.show_talk",
}
"""Each kind of report with the function here that prints it; by name, so that a command loads no other's."""
