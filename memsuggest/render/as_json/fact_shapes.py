"""What is remembered, as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, TypedDict

from memsuggest.render.as_json.noun_shapes import FactJson, SkippedJson, fact_json, facts_json, skips
from memsuggest.render.as_json.suggestion_shapes import ContradictionJson, DecidedJson, contradiction_json, decided_json
from memsuggest.reports.fact_reports import FactVerdict

if TYPE_CHECKING:
    from memsuggest.reports import fact_reports as facts


class FactsJson(TypedDict):
    """Facts, and what was searched for."""

    query: Annotated[str | None, "The words that were searched for."]
    facts: list[FactJson]


class FactShownJson(TypedDict):
    """One fact, whole."""

    fact: FactJson
    inSharedFile: Annotated[bool, "Whether it stands in the team's facts.json."]
    note: Annotated[str, "What else is to be said of it; or empty."]
    decisions: list[DecidedJson]
    contradictions: Annotated[list[ContradictionJson], "Facts that it contradicts."]


class ChangedJson(TypedDict):
    """What was done to a fact."""

    did: Annotated[str, "`added`, `confirmed`, `edited` or `forgot`."]
    fact: FactJson
    danger: Annotated[str, "How it weakens safety; empty where it does not."]


class FactsChangedJson(ChangedJson):
    """What was done to a fact, and to the others that were named."""

    more: Annotated[list[ChangedJson], "The same of every further fact that was named."]


class PrunedJson(TypedDict):
    """What was let go of, beyond the limits."""

    dryRun: bool
    facts: Annotated[list[FactJson], "Worth least first."]


class CheckedJson(TypedDict):
    """Whether the shared facts.json is sound."""

    path: str
    facts: Annotated[int, "How many it holds."]
    problems: list[SkippedJson]


class ImportableJson(TypedDict):
    """An entry of an imported file."""

    verdict: Annotated[FactVerdict, "`forgotten`: it, or its words, had been forgotten on purpose."]
    fact: Annotated[FactJson, "As which it would be stored, or is."]
    other: Annotated[FactJson | None, "The fact that it is already, or that it contradicts."]


class ImportedJson(TypedDict):
    """What a file holds, and what of it was taken."""

    path: str
    facts: list[ImportableJson]
    skipped: list[SkippedJson]


def facts_listed_json(report: facts.FactRows) -> FactsJson:
    """Return facts, and what was searched for."""
    return {"query": report.query, "facts": facts_json(report.facts)}


def fact_shown_json(report: facts.FactShown) -> FactShownJson:
    """Return one fact, whole."""
    return {
        "fact": fact_json(report.fact),
        "inSharedFile": report.in_shared_file,
        "note": report.note,
        "decisions": [decided_json(decided) for decided in report.decisions],
        "contradictions": [contradiction_json(pair) for pair in report.contradictions],
    }


def fact_changed_json(report: facts.FactChanged) -> FactsChangedJson:
    """Return what was done to one fact."""
    return {**_changed(report), "more": []}


def facts_changed_json(report: facts.FactsChanged) -> FactsChangedJson:
    """Return what was done to the first fact, and to the others."""
    first, *others = map(_changed, report.changes)
    return {**first, "more": others}


def _changed(change: facts.FactChanged) -> ChangedJson:
    return {"did": change.verb, "fact": fact_json(change.fact), "danger": change.danger}


def pruned_json(report: facts.Pruned) -> PrunedJson:
    """Return what was let go of."""
    return {"dryRun": report.is_dry, "facts": facts_json(report.facts)}


def checked_json(report: facts.Checked) -> CheckedJson:
    """Return whether the shared file is sound."""
    return {"path": report.path, "facts": report.facts, "problems": skips(report.problems)}


def imported_json(report: facts.Imported) -> ImportedJson:
    """Return what a file holds."""
    return {
        "path": report.path,
        "facts": [_importable(row) for row in report.rows],
        "skipped": skips(report.skipped),
    }


def _importable(row: facts.Importable) -> ImportableJson:
    return {
        "verdict": row.verdict,
        "fact": fact_json(row.fact),
        "other": fact_json(row.other) if row.other else None,
    }
