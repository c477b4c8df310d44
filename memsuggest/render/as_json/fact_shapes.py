"""What is remembered, as JSON."""

from __future__ import annotations

from typing import Annotated, TypedDict

from memsuggest.render.as_json.filling import From
from memsuggest.render.as_json.noun_shapes import FactJson, SkippedJson
from memsuggest.render.as_json.suggestion_shapes import ContradictionJson, DecidedJson
from memsuggest.reports.fact_reports import FactVerdict


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

    did: Annotated[str, "`added`, `confirmed`, `edited` or `forgot`.", From("verb")]
    fact: FactJson
    danger: Annotated[str, "How it weakens safety; empty where it does not."]


class FactsChangedJson(ChangedJson):
    """What was done to a fact, and to the others that were named."""

    more: Annotated[list[ChangedJson], "The same of every further fact that was named."]


class PrunedJson(TypedDict):
    """What was let go of, beyond the limits."""

    dryRun: Annotated[bool, From("is_dry")]
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
    facts: Annotated[list[ImportableJson], From("rows")]
    skipped: list[SkippedJson]
