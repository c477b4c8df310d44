"""Memory, as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, TypedDict

from memsuggest.recall.context_block import WEAK
from memsuggest.recall.entry import EntryStatus, Layer, Source
from memsuggest.render.as_json.filling import From, fill, or_null
from memsuggest.render.when import iso

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memsuggest.graphiti.graph_facts import GraphRecalled
    from memsuggest.recall.entry import Entry
    from memsuggest.recall.recalled import Hit
    from memsuggest.reports import recall_reports as reports


class EntryJson(TypedDict):
    """Something that is remembered, in one of the layers."""

    id: str
    layer: Annotated[Layer, "`L0`: who the person is; `L1`: what is known; `L2`: what was done."]
    content: str
    source: Annotated[Source, "Who wrote it."]
    status: Annotated[EntryStatus, "Only `active` entries are recalled."]
    project: Annotated[str, "The key of its workspace; empty for what belongs to the person everywhere."]
    section: Annotated[str, "The heading in the identity; else empty."]
    task: Annotated[str, "What an archived entry was about; else empty."]
    tags: list[str]
    session: Annotated[str, "A hash of the session that it comes from; empty where there is none."]
    supersededBy: Annotated[str | None, "The id of the entry that corrected it.", From(to=or_null)]
    recallCount: Annotated[int, "How often it was recalled."]
    createdAt: Annotated[str | None, "As ISO 8601.", From(to=iso)]
    updatedAt: Annotated[str | None, "As ISO 8601.", From(to=iso)]
    isFact: Annotated[bool, "Whether it is a fact, which `facts` changes."]


class RecalledEntryJson(EntryJson):
    """An entry that was found."""

    title: Annotated[str, "Of a chat, what was asked first; else empty. Its `content` are the turns that answer."]
    score: Annotated[float, "How well it fits, in the order of this answer."]
    fit: Annotated[float, "From 0 to 1, how sure it is that it helps."]
    weak: Annotated[bool, "Whether it fits so little that it may be of no use."]
    at: Annotated[str | None, "When it was said, of a chat that of the best turn; as ISO 8601."]
    replacedBy: Annotated[str | None, "What was said later with another value for the same thing, after its day."]


class GraphFactJson(TypedDict):
    """A fact of the Graphiti server."""

    id: str
    content: Annotated[str, "On one line, without secrets."]
    scope: Annotated[str, "`session`, `workspace` or `user`."]
    since: Annotated[str | None, "From when on it holds, in ISO 8601; null where nobody says."]


class GraphRecalledJson(TypedDict):
    """The Graphiti server's answer."""

    facts: Annotated[list[GraphFactJson], "The nearest scope first."]
    asked: Annotated[list[str], "The scopes that were asked."]
    why: Annotated[str, "Why it was not asked, or did not answer all in time; or empty."]
    milliseconds: int


class RecallJson(TypedDict):
    """The findings for a prompt."""

    query: Annotated[str, "Without secrets; empty for the beginning of a session."]
    layer: Annotated[str, "The layer that was asked for, or `auto`."]
    entries: Annotated[list[RecalledEntryJson], "Best first."]
    note: Annotated[str, "What of the query was not searched for; else empty."]
    context: Annotated[str, "The block for an assistant; empty where nothing was found."]
    graphiti: Annotated[GraphRecalledJson | None, "What the Graphiti server knows; null where it is not wanted."]


class LoggedHitJson(TypedDict):
    """An entry that was recalled once."""

    id: str
    score: float
    content: Annotated[str | None, "Null for one that was forgotten since."]


class LoggedRecallJson(TypedDict):
    """One recall."""

    at: Annotated[str | None, "As ISO 8601."]
    via: Annotated[str, "`command`, `hook` or `mcp`."]
    query: str
    hits: list[LoggedHitJson]


class RecallLogJson(TypedDict):
    """The latest recalls."""

    recalls: Annotated[list[LoggedRecallJson], "The newest first."]


class OfferedJson(TypedDict):
    """A fact about the person that does not stand in the identity."""

    id: str
    content: str


class IdentityJson(TypedDict):
    """The identity of the person, for every session."""

    text: Annotated[str, "As Markdown."]
    used: Annotated[int, "Characters."]
    limit: Annotated[int, "Characters."]
    entries: list[EntryJson]
    offered: Annotated[list[OfferedJson], "What could stand there, too."]
    waiting: Annotated[list[EntryJson], "What assistants wrote for it, and you have not confirmed."]


class EntriesJson(TypedDict):
    """Entries of the layers."""

    entries: list[EntryJson]


class EntryChangeJson(TypedDict):
    """A change of one entry."""

    did: Annotated[str, "`added`, `kept`, `updated`, `moved`, `waiting`, `deactivated`, `forgot` or `confirmed`."]
    entry: EntryJson
    note: Annotated[str, "What else is to be known of it; or empty."]


class EntryChangedJson(EntryChangeJson):
    """A change of an entry."""


class LeftOutJson(TypedDict):
    """An entry of a document that was not taken."""

    place: Annotated[int, "Its number in the document, from 1."]
    content: str
    why: str


class EntriesChangedJson(TypedDict):
    """Changes of several entries."""

    changes: list[EntryChangeJson]
    leftOut: Annotated[list[LeftOutJson], "Of an import: what may not be remembered."]


class MemoryRepairedJson(TypedDict):
    """A repair of the profile database."""

    entries: Annotated[int, "Entries that are kept; sure facts are among them."]
    facts: int
    appMemories: int
    lost: Annotated[list[str], "What could not be read."]
    aside: Annotated[str, "The path of the database as it was.", From(to=str)]


def entry_json(entry: Entry) -> dict[str, object]:
    """Return an entry."""
    return fill(EntryJson, entry)


def recall_json(report: reports.RecallReport) -> Mapping[str, object]:
    """Return what was found for a prompt."""
    return {
        "query": report.query,
        "layer": report.layer.value if report.layer else "auto",
        "entries": [_hit_json(hit) for hit in report.hits],
        "note": report.note,
        "context": report.block,
        "graphiti": _graph_json(report.graph) if report.graph else None,
    }


def _hit_json(hit: Hit) -> dict[str, object]:
    return entry_json(hit.entry) | {
        "content": hit.content,
        "source": hit.source.value,
        "title": hit.entry.content if hit.passage else "",
        "score": round(hit.score, 4),
        "fit": round(hit.fit, 4),
        "weak": hit.fit < WEAK,
        "at": iso(hit.when),
        "replacedBy": hit.replaced_by or None,
    }


def _graph_json(graph: GraphRecalled) -> dict[str, object]:
    return {
        "facts": [
            {
                "id": one.uuid,
                "content": one.text,
                "scope": one.scope,
                "since": None if one.valid_at is None else iso(one.valid_at),
            }
            for one in graph.facts
        ],
        "asked": list(graph.asked),
        "why": graph.why,
        "milliseconds": graph.milliseconds,
    }


def recall_log_json(report: reports.RecallLog) -> Mapping[str, object]:
    """Return what was recalled lately."""
    return {
        "recalls": [
            {
                "at": iso(recall.at),
                "via": recall.via,
                "query": recall.query,
                "hits": [
                    {"id": hit.id, "score": hit.score, "content": hit.entry.content if hit.entry else None}
                    for hit in recall.hits
                ],
            }
            for recall in report.recalls
        ]
    }
