"""Reports on memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, ClassVar, TypeAlias, TypedDict, cast

from memsuggest.graphiti.graph_facts import GraphRecalled
from memsuggest.json_shape import Also, From, Hidden, Key, fill, or_null
from memsuggest.model import MemoryFact
from memsuggest.recall.context_block import WEAK
from memsuggest.recall.entry import Entry, EntryStatus, Layer, Source
from memsuggest.recall.recalled import Hit
from memsuggest.text.when import iso


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

    id: Annotated[str, From("uuid")]
    content: Annotated[str, "On one line, without secrets.", From("text")]
    scope: Annotated[str, "`session`, `workspace` or `user`."]
    since: Annotated[str | None, "From when on it holds, in ISO 8601; null where nobody says.", From("valid_at", iso)]


class GraphRecalledJson(TypedDict):
    """The Graphiti server's answer."""

    facts: Annotated[list[GraphFactJson], "The nearest scope first."]
    asked: Annotated[list[str], "The scopes that were asked."]
    why: Annotated[str, "Why it was not asked, or did not answer all in time; or empty."]
    milliseconds: int


class OfferedJson(TypedDict):
    """A fact about the person that does not stand in the identity."""

    id: str
    content: str


def _hit_json(hit: Hit) -> dict[str, object]:
    return fill(EntryJson, hit.entry) | {
        "content": hit.content,
        "source": hit.source.value,
        "title": hit.entry.content if hit.passage else "",
        "score": round(hit.score, 4),
        "fit": round(hit.fit, 4),
        "weak": hit.fit < WEAK,
        "at": iso(hit.when),
        "replacedBy": hit.replaced_by or None,
    }


EntryView: TypeAlias = Annotated[Entry, EntryJson]


def _found(hits: Sequence[Hit]) -> list[RecalledEntryJson]:
    return [cast("RecalledEntryJson", _hit_json(hit)) for hit in hits]


def _layer_name(layer: Layer | None) -> str:
    return layer.value if layer else "auto"


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallReport:
    """The findings for a prompt."""

    JSON_NAME = "Recall"
    query: Annotated[str, "Without secrets; empty for the beginning of a session."]
    layer: Annotated[Layer | None, "The layer that was asked for, or `auto`.", _layer_name]
    hits: Annotated[Sequence[Hit], "Best first.", Key("entries"), _found]
    note: Annotated[str, "What of the query was not searched for; else empty."] = ""
    block: Annotated[str, "The block for an assistant; empty where nothing was found.", Key("context")]
    graph: Annotated[
        Annotated[GraphRecalled, GraphRecalledJson] | None,
        "What the Graphiti server knows; null where it is not wanted.",
        Key("graphiti"),
    ] = None
    is_explained: Hidden[bool] = False
    """Whether to say also why the graph had nothing to say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedHit:
    """An entry that was recalled once."""

    id: str
    score: float
    content: ClassVar = Also("entry.content", str | None, "Null for one that was forgotten since.")
    entry: Hidden[Entry | None]
    """None: it was forgotten since."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedRecall:
    """One recall."""

    at: Annotated[int, "As ISO 8601.", iso]
    via: Annotated[str, "`command`, `hook` or `mcp`."]
    query: str
    hits: Sequence[LoggedHit]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallLog:
    """The latest recalls."""

    recalls: Annotated[Sequence[LoggedRecall], "The newest first."]


@dataclass(frozen=True, slots=True, kw_only=True)
class IdentityReport:
    """The identity of the person, for every session."""

    JSON_NAME = "Identity"
    text: Annotated[str, "As Markdown."]
    used: Annotated[int, "Characters."]
    limit: Annotated[int, "Characters."]
    entries: Sequence[EntryView]
    offered: Annotated[Sequence[Annotated[MemoryFact, OfferedJson]], "What could stand there, too."] = ()
    waiting: Annotated[Sequence[EntryView], "What assistants wrote for it, and you have not confirmed."] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryRows:
    """Entries of the layers."""

    JSON_NAME = "Entries"
    entries: Sequence[EntryView]
    is_whole: Hidden[bool] = False
    """Whether everything about them is to be told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryChanged:
    """A change of an entry."""

    did: Annotated[str, "`added`, `kept`, `updated`, `moved`, `waiting`, `deactivated`, `forgot` or `confirmed`."]
    entry: EntryView
    note: Annotated[str, "What else is to be known of it; or empty."] = ""


class EntryChange(EntryChanged):
    """A change of one entry."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """An entry of a document that was not taken."""

    place: Annotated[int, "Its number in the document, from 1."]
    content: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EntriesChanged:
    """Changes of several entries."""

    changes: Sequence[Annotated[EntryChanged, EntryChange]]
    left_out: Annotated[Sequence[LeftOut], "Of an import: what may not be remembered."] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryRepaired:
    """A repair of the profile database."""

    entries: Annotated[int, "Entries that are kept; sure facts are among them."]
    facts: int
    app_memories: int
    lost: Annotated[Sequence[str], "What could not be read."]
    aside: Annotated[Path, "The path of the database as it was.", str]
