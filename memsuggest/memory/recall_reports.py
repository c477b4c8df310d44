"""Reports on memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, ClassVar, TypeAlias, TypedDict, cast

from memsuggest.core.json_shape import Also, From, Hidden, Key, fill, or_null
from memsuggest.core.model import MemoryFact
from memsuggest.core.render.page import FAINT, GOOD, HEAD, ID, SHORT, WARN, Page, count
from memsuggest.core.render.safe_output import one_line, safe
from memsuggest.core.text.when import ago, iso
from memsuggest.graphiti.graph_facts import GraphRecalled
from memsuggest.memory.context_block import WEAK
from memsuggest.memory.entry import EVERYWHERE, Entry, EntryStatus, Layer, Source, is_doubted
from memsuggest.memory.recalled import Hit


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

    def show(self, page: Page) -> None:
        """Print what was found for a prompt, best first."""
        for hit in self.hits:
            _show_hit(page, hit)
        if self.note:
            page.line((self.note, WARN))
        if self.graph:
            _show_graph(page, self.graph, is_explained=self.is_explained)
        if not self.hits and not (self.graph and self.graph.facts):
            page.line("nothing found" if self.query else "nothing is known of you yet")
            if not self.query:
                page.faint("`memsuggest memory add --identity TEXT` says who you are to every assistant")


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

    def show(self, page: Page) -> None:
        """Print what was recalled lately."""
        for recall in self.recalls:
            page.line((f"{ago(recall.at, now=page.now)} · {recall.via}", FAINT), "  ", one_line(recall.query), hang=2)
            for hit in recall.hits:
                words = one_line(hit.entry.content) if hit.entry else "(forgotten since)"
                page.line("  ", (hit.id[:SHORT], ID), f"  {words}", (f"  {hit.score:.1f}", FAINT), hang=SHORT + 4)
            if not recall.hits:
                page.faint("  nothing was found")
        if not self.recalls:
            page.line("nothing was recalled here yet")


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

    def show(self, page: Page) -> None:
        """Print the identity, how full it is, and what could stand there, too."""
        section = None
        for entry in self.entries:
            if entry.section != section:
                section = entry.section
                page.line((one_line(section), HEAD))
            page.line("  ", (entry.id[:SHORT], ID), f"  {one_line(entry.content)}", hang=SHORT + 4)
        if not self.entries:
            page.line("nothing is known of you yet: `memsuggest memory add --identity TEXT` or `memory edit identity`")
        filled = min(_WIDTH, round(_WIDTH * self.used / self.limit))
        share = round(100 * self.used / self.limit)
        bar = "█" * filled + "░" * (_WIDTH - filled)
        page.faint(f"{bar} {share} % of {self.limit:,} characters")
        if self.waiting:
            page.line()
            page.faint("Assistants wrote, and you have not confirmed (`memory confirm ID`, `memory forget ID`):")
            for entry in self.waiting:
                page.line("  ", (entry.id[:SHORT], ID), f"  {one_line(entry.content)}", hang=SHORT + 4)
        if self.offered:
            page.line()
            page.faint("Facts about you that could stand here, too (`memory add --identity TEXT`):")
            for fact in self.offered[:_OFFERED]:
                page.line("  ", (fact.id[:SHORT], ID), f"  {one_line(fact.content)}", hang=SHORT + 4)
            if len(self.offered) > _OFFERED:
                page.faint(f"  and {len(self.offered) - _OFFERED} more: `memsuggest memory list --scope user`")


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryRows:
    """Entries of the layers."""

    JSON_NAME = "Entries"
    entries: Sequence[EntryView]
    is_whole: Hidden[bool] = False
    """Whether everything about them is to be told."""

    def show(self, page: Page) -> None:
        """Print entries by layer."""
        if self.is_whole:
            for entry in self.entries:
                _show_whole(page, entry)
            return
        for layer, title in _LAYERS.items():
            found = [entry for entry in self.entries if entry.layer is layer]
            if found:
                page.line((title, HEAD), (f"  {count(len(found), 'entry', 'entries')}", FAINT))
            for entry in found:
                _show_row(page, entry, _told(entry, now=page.now))
        if doubted := [entry for entry in self.entries if is_doubted(entry)]:
            page.line()
            page.faint(f"still true? `memory deactivate {doubted[0].id[:SHORT]}` takes it out of use,")
            page.faint(f"            `memory confirm {doubted[0].id[:SHORT]}` keeps it instead of the newer one")
        if not self.entries:
            page.line("nothing is remembered here")


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryChanged:
    """A change of an entry."""

    did: Annotated[str, "`added`, `kept`, `updated`, `moved`, `waiting`, `deactivated`, `forgot` or `confirmed`."]
    entry: EntryView
    note: Annotated[str, "What else is to be known of it; or empty."] = ""

    def show(self, page: Page) -> None:
        """Print what was done to an entry."""
        style = WARN if self.did == "waiting" else GOOD
        page.line((self.did, style), "  ", (self.entry.id[:SHORT], ID), f"  {one_line(self.entry.content)}")
        if self.note:
            page.faint(f"  {safe(self.note)}", hang=2)


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

    def show(self, page: Page) -> None:
        """Print what was done to several entries."""
        for change in self.changes:
            change.show(page)
        for left in self.left_out:
            page.line(("left out", WARN), f"  entry {left.place}: {one_line(left.content)}", hang=10)
            page.faint(f"  {safe(left.why)}", hang=2)
        if len(self.changes) + len(self.left_out) > _MANY:
            counts = Counter([change.did for change in self.changes] + ["left out"] * len(self.left_out))
            page.line((", ".join(f"{number:,} {did}" for did, number in counts.items()), HEAD))
        if not self.changes and not self.left_out:
            page.line("nothing was changed")


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryRepaired:
    """A repair of the profile database."""

    entries: Annotated[int, "Entries that are kept; sure facts are among them."]
    facts: int
    app_memories: int
    lost: Annotated[Sequence[str], "What could not be read."]
    aside: Annotated[Path, "The path of the database as it was.", str]

    def show(self, page: Page) -> None:
        """Print what a repair kept, and what was lost."""
        kept = (
            count(self.entries, "entry", "entries"),
            count(self.facts, "fact", "facts"),
            f"{count(self.app_memories, 'memory', 'memories')} of apps",
        )
        page.line(("kept", GOOD), f"  {', '.join(kept)}")
        for one in self.lost:
            page.line(("lost", WARN), f"  {one}: nobody could read them")
        page.faint(f"the database as it was is {safe(str(self.aside))}")


_LAYERS = {
    Layer.IDENTITY: "Who you are (L0, in every session)",
    Layer.KNOWLEDGE: "What is known (L1, found when a prompt is about it)",
    Layer.ARCHIVE: "What was done (L2, found on request)",
}
_WIDTH = 20
"""Characters of the bar that shows how full the identity is."""
_OFFERED = 5
"""Facts that are offered for the identity at once."""
_MANY = 10
"""Changes from which they are counted at the end."""


def _show_hit(page: Page, hit: Hit) -> None:
    told = _told(hit.entry._replace(updated_at=hit.when), now=page.now)
    weak = " · weak" if hit.fit < WEAK else ""
    page.line(
        (hit.entry.id[:SHORT], ID), f"  {one_line(hit.content)}", (f"  {told} · {hit.score:.1f}{weak}", FAINT), hang=9
    )
    if hit.passage:
        page.faint(f"         {one_line(hit.entry.content)}", hang=9)
    if hit.replaced_by:
        page.line((f"         replaced on {one_line(hit.replaced_by)}", WARN), hang=9)


def _show_graph(page: Page, graph: GraphRecalled, *, is_explained: bool) -> None:
    """Print what the Graphiti server knows; if asked, how it came to that."""
    for fact in graph.facts:
        since = f", since {iso(fact.valid_at)}" if fact.valid_at is not None else ""
        page.line(("graphiti", ID), f"  {one_line(fact.text)}", (f"  {fact.scope}{since}", FAINT), hang=10)
    if is_explained:
        asked = f"asked for: {', '.join(graph.asked)}" if graph.asked else "not asked"
        page.faint(f"graphiti {asked}; {count(len(graph.facts), 'fact', 'facts')} in {graph.milliseconds} ms")
        if graph.why:
            page.line((f"graphiti: {one_line(graph.why)}", WARN))


def _show_row(page: Page, entry: Entry, told: str) -> None:
    page.line((entry.id[:SHORT], ID), "  ", one_line(entry.content), (f"  {told}", FAINT), hang=SHORT + 2)


def _told(entry: Entry, *, now: int) -> str:
    parts = [entry.layer.value, _SOURCES[entry.source.value], ago(entry.updated_at, now=now)]
    if entry.project == EVERYWHERE and entry.layer is not Layer.IDENTITY:
        parts.append("everywhere")
    if entry.status is not EntryStatus.ACTIVE:
        parts.append("pending" if entry.status is EntryStatus.PENDING else "no longer true")
    if is_doubted(entry):
        parts.append(f"you said otherwise since ({entry.superseded_by[:SHORT]})")
    if entry.recall_count:
        parts.append(f"recalled {count(entry.recall_count, 'time', 'times')}")
    return " · ".join(parts)


_SOURCES = {"user": "you said", "agent": "an assistant noted", "system": "summed up"}


def _show_whole(page: Page, entry: Entry) -> None:
    page.line((entry.id, ID), "  ", (one_line(entry.content), HEAD), hang=4)
    page.faint(f"  {_told(entry, now=page.now)} · since {iso(entry.created_at)}")
    for name, value in (("section", entry.section), ("task", entry.task), ("tags", ", ".join(entry.tags))):
        if value:
            page.line(f"  {name}: {one_line(value)}")
    if entry.superseded_by:
        page.line("  corrected by ", (entry.superseded_by[:SHORT], ID))
    if entry.is_fact:
        page.faint(f"  a fact: `memsuggest memory show {entry.id[:SHORT]}` has its evidence")
