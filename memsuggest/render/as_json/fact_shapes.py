"""Facts, as JSON."""

from __future__ import annotations

from typing import Annotated, TypedDict

from memsuggest.render.as_json.filling import From, or_null
from memsuggest.render.as_json.held_shapes import HeldRuleJson
from memsuggest.render.as_json.shared_shapes import FactJson, SkippedJson
from memsuggest.render.as_json.suggestion_shapes import ContradictionJson, DecidedJson
from memsuggest.render.when import iso
from memsuggest.reports.fact_reports import FactVerdict


class FactsJson(TypedDict):
    """Facts, and what was searched for."""

    query: Annotated[str | None, "The words that were searched for."]
    facts: list[FactJson]
    dismissed: Annotated[list[str], "Ids of those that were dismissed.", From(to=sorted)]


class PromotedAsJson(TypedDict):
    """A promotion of a fact."""

    endpoint: str
    kind: str
    scope: Annotated[str, "`workspace` or `user`."]
    at: Annotated[str, "ISO 8601.", From(to=iso)]
    state: Annotated[str | None, "`waiting`, `queued`, `stored`, …; null: nobody remembers.", From("state", or_null)]


class FactShownJson(TypedDict):
    """One fact, whole."""

    fact: FactJson
    inSharedFile: Annotated[bool, "Whether it stands in the team's facts.json."]
    note: Annotated[str, "What else is to be said of it; or empty."]
    decisions: list[DecidedJson]
    contradictions: Annotated[list[ContradictionJson], "Facts that it contradicts."]
    promotions: Annotated[list[PromotedAsJson], "As what it was promoted to a Graphiti server."]
    held: Annotated[list[HeldRuleJson], "What became of the lines that it was applied to."]


class ChangedJson(TypedDict):
    """A change of a fact."""

    did: Annotated[str, "`added`, `confirmed`, `edited` or `forgot`.", From("verb")]
    fact: FactJson
    danger: Annotated[str, "How it weakens safety; empty where it does not."]
    notes: Annotated[list[str], "What became of it elsewhere, a line each."]


class FactsChangedJson(ChangedJson):
    """Changes of a fact, and of the others that were named."""

    more: Annotated[list[ChangedJson], "The same of every further fact that was named."]


class PrunedJson(TypedDict):
    """Facts that were let go of, beyond the limits."""

    dryRun: Annotated[bool, From("is_dry")]
    facts: Annotated[list[FactJson], "Worth least first."]


class StaleFactJson(TypedDict):
    """A fact that speaks of what the repo does not have any more."""

    fact: FactJson
    what: Annotated[str, "What is gone, or has another name now."]
    why: Annotated[str, "The commit that did it, or what was looked at."]
    newContent: Annotated[str, "The fact with the new names; empty where it is best forgotten."]


class CheckedJson(TypedDict):
    """The soundness of the shared facts.json."""

    path: str
    facts: Annotated[int, "How many it holds."]
    problems: list[SkippedJson]
    stale: Annotated[list[StaleFactJson], "With `--stale`: facts of both stores that speak of what is gone."]


class ImportableJson(TypedDict):
    """An entry of an imported file."""

    verdict: Annotated[FactVerdict, "`forgotten`: it, or its words, had been forgotten on purpose."]
    fact: Annotated[FactJson, "As which it would be stored, or is."]
    other: Annotated[FactJson | None, "The fact that it is already, or that it contradicts."]


class ImportedJson(TypedDict):
    """The facts of a file, and those of them that were taken."""

    path: str
    facts: Annotated[list[ImportableJson], From("rows")]
    skipped: list[SkippedJson]
