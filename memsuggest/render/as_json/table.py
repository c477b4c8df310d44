"""The table from the kind of report to the function that returns its JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from memsuggest.render.as_json.asking import answered_json, asked_json, nothing_asked_json
from memsuggest.render.as_json.care import examined_json, settings_json
from memsuggest.render.as_json.deciding import (
    applied_json,
    decisions_json,
    dismissed_json,
    listing_json,
    maybes_json,
    notice_json,
    shown_json,
    status_json,
    undone_json,
)
from memsuggest.render.as_json.facts import (
    checked_json,
    fact_changed_json,
    fact_shown_json,
    facts_changed_json,
    facts_listed_json,
    imported_json,
    pruned_json,
)
from memsuggest.render.as_json.learning import extracted_json, reconciled_json
from memsuggest.render.as_json.looking import ranking_json, targets_json, transcript_json, transcripts_json
from memsuggest.render.as_json.models import consent_json, consolidated_json, usage_json
from memsuggest.render.as_json.teams import comment_json
from memsuggest.reports import (
    asking,
    deciding,
    doctor,
    facts,
    learning,
    looking,
    models,
    plain,
    pull_request,
    status,
    watching,
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
    learning.Reconciled: reconciled_json,
    learning.Extracted: extracted_json,
    deciding.Listing: listing_json,
    deciding.Maybes: maybes_json,
    deciding.Shown: shown_json,
    deciding.Applied: applied_json,
    deciding.Dismissed: dismissed_json,
    deciding.Undone: undone_json,
    deciding.TakenRows: decisions_json,
    status.Status: status_json,
    watching.Notice: notice_json,
    looking.TranscriptRows: transcripts_json,
    looking.TranscriptShown: transcript_json,
    looking.TargetRows: targets_json,
    looking.Ranking: ranking_json,
    facts.FactRows: facts_listed_json,
    facts.FactShown: fact_shown_json,
    facts.FactChanged: fact_changed_json,
    facts.FactsChanged: facts_changed_json,
    facts.Checked: checked_json,
    facts.Pruned: pruned_json,
    facts.Imported: imported_json,
    models.ConsentShown: consent_json,
    models.UsageShown: usage_json,
    models.Consolidated: consolidated_json,
    asking.Asked: asked_json,
    asking.NothingAsked: nothing_asked_json,
    asking.Answered: answered_json,
    doctor.Examined: examined_json,
    plain.SettingsShown: settings_json,
    plain.Text: _answer,
    pull_request.PullRequestReport: comment_json,
}
