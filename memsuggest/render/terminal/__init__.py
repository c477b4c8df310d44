"""Reports for people: colour on a terminal, plain when piped, readable without either."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memsuggest.render.terminal import asking as packets
from memsuggest.render.terminal import decisions, listing, maybes, rows, screen, suggestions, transcripts
from memsuggest.render.terminal import models as asked
from memsuggest.render.terminal.page import Page
from memsuggest.reports import asking, deciding, doctor, facts, learning, looking, models, plain, status, watching

if TYPE_CHECKING:
    from collections.abc import Callable


def show(report: object, *, quiet: bool = False) -> None:
    """Print a report on stdout."""
    _RENDERERS[type(report)](Page(quiet=quiet), report)


_RENDERERS: dict[type, Callable[[Page, Any], None]] = {
    learning.Reconciled: suggestions.show_reconciled,
    deciding.Listing: listing.show_listing,
    deciding.Maybes: maybes.show_maybes,
    deciding.Shown: suggestions.show_shown,
    deciding.Screen: screen.show_screen,
    deciding.Bundle: suggestions.show_bundle,
    deciding.Applied: suggestions.show_applied,
    deciding.Dismissed: suggestions.show_dismissed,
    deciding.Undone: decisions.show_undone,
    deciding.TakenRows: decisions.show_taken_rows,
    status.Status: suggestions.show_status,
    watching.Notice: suggestions.show_notice,
    learning.Extracted: rows.show_extracted,
    looking.TranscriptRows: transcripts.show_transcript_rows,
    looking.TranscriptShown: transcripts.show_transcript_shown,
    looking.TargetRows: rows.show_target_rows,
    looking.Ranking: rows.show_ranking,
    facts.FactRows: rows.show_fact_rows,
    facts.FactShown: rows.show_fact_shown,
    facts.FactChanged: rows.show_fact_changed,
    facts.FactsChanged: rows.show_facts_changed,
    facts.Checked: rows.show_checked,
    facts.Pruned: rows.show_pruned,
    facts.Importable: rows.show_importable,
    facts.Imported: rows.show_imported,
    models.ConsentShown: asked.show_consent,
    models.UsageShown: asked.show_usage,
    models.Consolidated: asked.show_consolidated,
    models.Tidied: asked.show_one_tidied,
    asking.Asked: packets.show_asked,
    asking.NothingAsked: packets.show_nothing,
    asking.Answered: packets.show_answered,
    doctor.Examined: rows.show_examined,
    plain.SettingsShown: rows.show_settings_shown,
    plain.Text: rows.show_text,
    plain.Talk: rows.show_talk,
}
