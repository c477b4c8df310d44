"""The table from the kind of report to the shape of its JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from memsuggest.render.as_json import (
    app_shapes,
    ask_shapes,
    decision_shapes,
    fact_shapes,
    graphiti_shapes,
    held_shapes,
    inspection_shapes,
    learning_shapes,
    memory_shapes,
    model_shapes,
    pull_request_shapes,
    report_shapes,
    tool_shapes,
)
from memsuggest.render.as_json.filling import fill
from memsuggest.reports import (
    app_reports,
    ask_reports,
    coverage_report,
    decision_reports,
    doctor_report,
    fact_reports,
    graphiti_reports,
    held_report,
    inspection_reports,
    learning_reports,
    model_reports,
    plain,
    pull_request,
    recall_reports,
    status_report,
    watch_reports,
    workspace_report,
)

VERSION = 1


def render(report: object, *, indent: int | None = 2) -> str:
    """Return one JSON document, with a final newline; without `indent` on one line."""
    return json.dumps({"version": VERSION, **_keys_of(report)}, indent=indent) + "\n"


def _keys_of(report: object) -> Mapping[str, object]:
    match report:
        case plain.Text():
            return report.payload
        case fact_reports.FactChanged():
            return _keys_of(fact_reports.FactsChanged(changes=(report,)))
        case fact_reports.FactsChanged():
            first, *others = (fill(fact_shapes.ChangedJson, change) for change in report.changes)
            return {**first, "more": others}
    shape = _SHAPES.get(type(report)) or import_module(type(report).__module__).SHAPES[type(report)]
    return fill(shape, report) if isinstance(shape, type) else shape(report)


_SHAPES: Mapping[type, type | Callable[[Any], Mapping[str, object]]] = {
    learning_reports.Reconciled: learning_shapes.ReconciledJson,
    learning_reports.Extracted: learning_shapes.ExtractedJson,
    decision_reports.Listing: decision_shapes.ListingJson,
    decision_reports.Maybes: decision_shapes.MaybesJson,
    decision_reports.Shown: decision_shapes.ShownJson,
    decision_reports.Applied: decision_shapes.AppliedJson,
    decision_reports.Moved: decision_shapes.MovedJson,
    decision_reports.Places: decision_shapes.PlacesJson,
    decision_reports.Dismissed: decision_shapes.DismissedJson,
    decision_reports.Undone: decision_shapes.UndoneJson,
    decision_reports.TakenRows: decision_shapes.DecisionsJson,
    status_report.Status: decision_shapes.StatusJson,
    watch_reports.Notice: decision_shapes.NoticeJson,
    inspection_reports.TranscriptRows: inspection_shapes.TranscriptsJson,
    inspection_reports.TranscriptShown: inspection_shapes.TranscriptJson,
    inspection_reports.TargetRows: inspection_shapes.TargetsJson,
    inspection_reports.Ranking: inspection_shapes.RankingJson,
    fact_reports.FactRows: fact_shapes.FactsJson,
    fact_reports.FactShown: fact_shapes.FactShownJson,
    fact_reports.Checked: fact_shapes.CheckedJson,
    fact_reports.Pruned: fact_shapes.PrunedJson,
    fact_reports.Imported: fact_shapes.ImportedJson,
    model_reports.ConsentShown: model_shapes.ConsentJson,
    model_reports.UsageShown: model_shapes.UsageJson,
    model_reports.Consolidated: model_shapes.ConsolidatedJson,
    graphiti_reports.GraphitiShown: graphiti_shapes.GraphitiJson,
    graphiti_reports.Promoted: graphiti_shapes.PromotedJson,
    graphiti_reports.GraphitiTried: graphiti_shapes.GraphitiTriedJson,
    app_reports.AppRows: app_shapes.apps_json,
    app_reports.AppShown: app_shapes.app_shown_json,
    app_reports.AppContext: app_shapes.app_context_json,
    app_reports.AppsLearned: app_shapes.apps_learned_json,
    app_reports.AppForgotten: app_shapes.app_forgotten_json,
    ask_reports.Asked: ask_shapes.AskedJson,
    ask_reports.NothingAsked: ask_shapes.NothingAskedJson,
    ask_reports.Answered: ask_shapes.AnsweredJson,
    recall_reports.RecallReport: memory_shapes.recall_json,
    recall_reports.RecallLog: memory_shapes.recall_log_json,
    recall_reports.IdentityReport: memory_shapes.IdentityJson,
    recall_reports.EntryRows: memory_shapes.EntriesJson,
    recall_reports.EntryChanged: memory_shapes.EntryChangedJson,
    recall_reports.EntriesChanged: memory_shapes.EntriesChangedJson,
    recall_reports.MemoryRepaired: memory_shapes.MemoryRepairedJson,
    held_report.HeldReport: held_shapes.HeldJson,
    coverage_report.CoverageReport: held_shapes.CoverageJson,
    doctor_report.Examined: tool_shapes.ExaminedJson,
    plain.SettingsShown: tool_shapes.SettingsJson,
    pull_request.PullRequestReport: pull_request_shapes.CommentJson,
    workspace_report.WorkspaceReport: report_shapes.ReportJson,
}
