"""The table from the kind of report to the function that returns its JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from memsuggest.render.as_json.ask_shapes import answered_json, asked_json, nothing_asked_json
from memsuggest.render.as_json.decision_shapes import (
    applied_json,
    decisions_json,
    dismissed_json,
    listing_json,
    maybes_json,
    moved_json,
    notice_json,
    places_json,
    shown_json,
    status_json,
    undone_json,
)
from memsuggest.render.as_json.fact_shapes import (
    checked_json,
    fact_changed_json,
    fact_shown_json,
    facts_changed_json,
    facts_listed_json,
    imported_json,
    pruned_json,
)
from memsuggest.render.as_json.inspection_shapes import ranking_json, targets_json, transcript_json, transcripts_json
from memsuggest.render.as_json.learning_shapes import extracted_json, reconciled_json
from memsuggest.render.as_json.memory_shapes import (
    entries_changed_json,
    entries_json,
    entry_changed_json,
    identity_json,
    recall_json,
    recall_log_json,
)
from memsuggest.render.as_json.model_shapes import consent_json, consolidated_json, usage_json
from memsuggest.render.as_json.pull_request_shapes import comment_json
from memsuggest.render.as_json.tool_shapes import examined_json, settings_json
from memsuggest.reports import (
    ask_reports,
    decision_reports,
    doctor_report,
    fact_reports,
    inspection_reports,
    learning_reports,
    model_reports,
    plain,
    pull_request,
    recall_reports,
    status_report,
    watch_reports,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

VERSION = 1


def render(report: object, *, indent: int | None = 2) -> str:
    """Return one JSON document, with a final newline; without `indent` on one line."""
    return json.dumps({"version": VERSION, **_RENDERERS[type(report)](report)}, indent=indent) + "\n"


def _answer(report: plain.Text) -> Mapping[str, object]:
    return report.payload


_RENDERERS: dict[type, Callable[[Any], Mapping[str, object]]] = {
    learning_reports.Reconciled: reconciled_json,
    learning_reports.Extracted: extracted_json,
    decision_reports.Listing: listing_json,
    decision_reports.Maybes: maybes_json,
    decision_reports.Shown: shown_json,
    decision_reports.Applied: applied_json,
    decision_reports.Moved: moved_json,
    decision_reports.Places: places_json,
    decision_reports.Dismissed: dismissed_json,
    decision_reports.Undone: undone_json,
    decision_reports.TakenRows: decisions_json,
    status_report.Status: status_json,
    watch_reports.Notice: notice_json,
    inspection_reports.TranscriptRows: transcripts_json,
    inspection_reports.TranscriptShown: transcript_json,
    inspection_reports.TargetRows: targets_json,
    inspection_reports.Ranking: ranking_json,
    fact_reports.FactRows: facts_listed_json,
    fact_reports.FactShown: fact_shown_json,
    fact_reports.FactChanged: fact_changed_json,
    fact_reports.FactsChanged: facts_changed_json,
    fact_reports.Checked: checked_json,
    fact_reports.Pruned: pruned_json,
    fact_reports.Imported: imported_json,
    model_reports.ConsentShown: consent_json,
    model_reports.UsageShown: usage_json,
    model_reports.Consolidated: consolidated_json,
    ask_reports.Asked: asked_json,
    ask_reports.NothingAsked: nothing_asked_json,
    ask_reports.Answered: answered_json,
    recall_reports.RecallReport: recall_json,
    recall_reports.RecallLog: recall_log_json,
    recall_reports.IdentityReport: identity_json,
    recall_reports.EntryRows: entries_json,
    recall_reports.EntryChanged: entry_changed_json,
    recall_reports.EntriesChanged: entries_changed_json,
    doctor_report.Examined: examined_json,
    plain.SettingsShown: settings_json,
    plain.Text: _answer,
    pull_request.PullRequestReport: comment_json,
}
