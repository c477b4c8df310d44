"""The report in numbers, as JSON; `held`, `coverage` and `facts` have the evidence."""

from __future__ import annotations

from typing import Annotated, TypedDict

from memsuggest.model import Cause, Kind, Scope, TargetType
from memsuggest.render.as_json.decision_shapes import TakenJson
from memsuggest.render.as_json.filling import From, fill, or_null
from memsuggest.render.as_json.held_shapes import CoverageJson
from memsuggest.render.as_json.model_shapes import UsageRowJson
from memsuggest.render.as_json.shared_shapes import SkippedJson
from memsuggest.render.when import iso
from memsuggest.reports.held_report import HeldOutcome, HeldRule, RemedyKind
from memsuggest.reports.workspace_report import LoadedWhen, share_before, share_since


class LearnedJson(TypedDict):
    """A fact, in numbers."""

    id: Annotated[str, From("fact.id")]
    content: Annotated[str, "The rule, in a line.", From("fact.content")]
    kind: Annotated[Kind, From("fact.kind")]
    scope: Annotated[Scope, "`workspace`: about this repo; `user`: about the person.", From("fact.scope")]
    at: Annotated[str | None, "When it was said first, as ISO 8601.", From("fact.timestamp", iso)]
    times: Annotated[int, "How often it was said, where the words are here.", From("quoted", len)]
    appliedTo: Annotated[list[str], "The files that it was written into."]
    dismissed: Annotated[bool, From("is_dismissed")]


class WaitingJson(TypedDict):
    """A rule, or what a file needs by itself, that waits for a decision."""

    id: str
    content: Annotated[str, "The rule; else what is wrong with the file."]
    cause: Annotated[Cause | None, "What a file needs; null for a rule.", From("maintenance.cause")]
    targetType: TargetType
    file: Annotated[str, "Where it would be written.", From("edit.path")]


class ChatShareJson(TypedDict):
    """In how many of the chats in which a rule mattered it was said."""

    said: int
    of: int


def _before(rule: HeldRule) -> object:
    return fill(ChatShareJson, share_before(rule))


def _since(rule: HeldRule) -> object:
    return fill(ChatShareJson, share_since(rule))


class RuleNumbersJson(TypedDict):
    """One rule of one file, in numbers."""

    id: Annotated[str, "What `held` takes."]
    uri: Annotated[str, "The file, relative to the root, or `~/…`."]
    line: Annotated[int, "From 1."]
    content: Annotated[str, "Its words in the file."]
    outcome: HeldOutcome
    why: Annotated[str, "The outcome in a sentence."]
    inForceSince: Annotated[
        str | None, "As ISO 8601; null where a team's report does not say.", From("since", lambda at: iso(at or None))
    ]
    before: Annotated[ChatShareJson, From(".", _before)]
    since: Annotated[ChatShareJson, "Chats whose assistant had read it.", From(".", _since)]
    notRead: Annotated[
        int,
        "Chats in which it mattered and whose assistant had not read it.",
        From("not_read", lambda rows: sum(row.chats for row in rows)),
    ]
    atMost: Annotated[float, "The highest share of chats in which it may be said again, with 95 % certainty."]
    remedies: Annotated[list[RemedyKind], "Best first.", From(to=lambda rows: [one.kind for one in rows])]


class HeldNumbersJson(TypedDict):
    """The numbers of rules by their outcomes."""

    chats: Annotated[int, "Chats that were looked at."]
    holds: Annotated[int, From(".", lambda held: held.count(HeldOutcome.HOLDS))]
    doesNotHold: Annotated[int, From(".", lambda held: held.count(HeldOutcome.DOES_NOT_HOLD))]
    untested: Annotated[int, From(".", lambda held: held.count(HeldOutcome.UNTESTED))]
    notLoaded: Annotated[int, From(".", lambda held: held.count(HeldOutcome.NOT_LOADED))]
    rules: Annotated[list[RuleNumbersJson], "What does not hold first."]


class FileCostJson(TypedDict):
    """A customization file and what it costs."""

    uri: Annotated[str, "Relative to the root, or `~/…`."]
    type: TargetType
    scope: Annotated[Scope, "Whom it concerns."]
    tokens: Annotated[int, "About how many; 0 for what no model reads."]
    budget: Annotated[int | None, "How many it may cost before it is said; null for what no model reads."]
    when: Annotated[LoadedWhen, "When an assistant that reads it does so."]
    appliesTo: Annotated[str | None, "Its patterns."]
    assistants: Annotated[list[str], "Those that read it by themselves."]
    warnings: Annotated[list[str], "What is odd about it."]


class AssistantCostJson(TypedDict):
    """The cost of the files that one assistant reads, in tokens."""

    assistant: str
    always: Annotated[int, "Before anybody types a word."]
    forPaths: Annotated[int, "What comes with some files, all of them together."]
    onDemand: Annotated[int, "What is read when it is called."]
    files: int


class LayerStateJson(TypedDict):
    """The size of one layer of memory."""

    layer: Annotated[str, "`L0`, `L1` or `L2`."]
    active: int
    waiting: Annotated[int, "What contradicts the person's word."]
    corrected: int
    tokens: Annotated[int, "Of what is active."]


class MemoryStateJson(TypedDict):
    """The state of memory."""

    layers: list[LayerStateJson]
    facts: int
    shared: Annotated[int, "Facts in the team's file."]
    maybes: int
    recalled: Annotated[int, "How often something of it was given to an assistant."]


class ReportJson(TypedDict):
    """The report of a workspace: learned, waiting, holding, and its cost."""

    name: Annotated[str | None, "Of the repo; null where a team's report knows none.", From(to=or_null)]
    madeAt: Annotated[str | None, "As ISO 8601.", From(to=iso)]
    since: Annotated[str | None, "From when things count; null: all.", From(to=iso)]
    team: Annotated[bool, "Whether it has only what everybody can see in the repo, and counts.", From("is_team")]
    learned: Annotated[list[LearnedJson], "Newest first."]
    applied: Annotated[int, "How many of these were written into files."]
    dismissed: int
    waiting: Annotated[list[WaitingJson], "Best first."]
    care: Annotated[list[WaitingJson], "What files need by themselves."]
    maybes: Annotated[int, "How many things are kept aside."]
    held: HeldNumbersJson
    coverage: CoverageJson
    files: Annotated[list[FileCostJson], "The dearest first."]
    assistants: Annotated[list[AssistantCostJson], "The dearest first."]
    decisions: Annotated[list[TakenJson], "Newest first; none in a team's report."]
    memory: Annotated[MemoryStateJson | None, "Null in a team's report."]
    usage: Annotated[list[UsageRowJson], "What models were asked; none in a team's report."]
    skipped: Annotated[list[SkippedJson], "What was left out."]
