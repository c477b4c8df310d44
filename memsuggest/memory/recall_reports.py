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
from memsuggest.graphiti.graph_block import GraphRecalled
from memsuggest.memory.context_block import Hit, title_of
from memsuggest.memory.entry import EVERYWHERE, Entry, EntryStatus, Layer, Source
from memsuggest.memory.turns import ASSISTANT, PERSON, UNSURE, shortened


class EntryJson(TypedDict):
    """A memory entry in one of the layers."""

    id: str
    layer: Annotated[Layer, "`L0`: who you are; `L1`: knowledge; `L2`: past chats."]
    content: str
    source: Annotated[Source, "The author."]
    status: Annotated[EntryStatus, "Only `active` entries are recalled."]
    project: Annotated[str, "Key of the entry's workspace; empty if the entry applies everywhere."]
    section: Annotated[str, "For a line of the identity, its heading; otherwise empty."]
    task: Annotated[str, "For an archived entry, its topic; otherwise empty."]
    tags: list[str]
    session: Annotated[str, "Hash of the chat the entry comes from; empty if there is none."]
    supersededBy: Annotated[str | None, "ID of the entry that corrected this one.", From(to=or_null)]
    recallCount: Annotated[int, "Number of times the entry was recalled."]
    createdAt: Annotated[str | None, "In ISO 8601 format.", From(to=iso)]
    updatedAt: Annotated[str | None, "In ISO 8601 format.", From(to=iso)]
    isFact: Annotated[bool, "Whether the entry is a fact."]


class RecalledEntryJson(EntryJson):
    """A search result."""

    title: Annotated[str, "For a chat, its first question, with the matching turns in `content`; otherwise empty."]
    score: Annotated[float, "Ranking score within this result list."]
    weak: Annotated[bool, "Whether the match is weak and may be irrelevant."]
    at: Annotated[str | None, "Time of the statement, or of a chat's best-matching turn, in ISO 8601 format."]
    replacedBy: Annotated[str | None, "A later statement with a different value, preceded by its date."]


class GraphFactJson(TypedDict):
    """A fact from the Graphiti server."""

    id: Annotated[str, From("uuid")]
    content: Annotated[str, "The fact, on one line, with secrets redacted.", From("text")]
    scope: Annotated[str, "`session`, `workspace` or `user`."]
    since: Annotated[str | None, "When the fact became true (ISO 8601); null if unknown.", From("valid_at", iso)]


class GraphRecalledJson(TypedDict):
    """The Graphiti server's response."""

    facts: Annotated[list[GraphFactJson], "The facts found, sorted by scope, nearest first."]
    asked: Annotated[list[str], "The scopes searched."]
    why: Annotated[str, "Why the server was not searched or did not respond in time; otherwise empty."]
    milliseconds: int


class OfferedJson(TypedDict):
    """A fact about you that is not in your identity."""

    id: str
    content: str


EntryView: TypeAlias = Annotated[Entry, EntryJson]


def _found(hits: Sequence[Hit]) -> list[RecalledEntryJson]:
    return [
        cast(
            "RecalledEntryJson",
            fill(EntryJson, hit.entry)
            | {
                "content": hit.content,
                "source": hit.source.value,
                "title": hit.entry.content if hit.passage else "",
                "score": round(hit.score, 4),
                "weak": hit.is_weak,
                "at": iso(hit.when),
                "replacedBy": hit.replaced_by or None,
            },
        )
        for hit in hits
    ]


def _layer_name(layer: Layer | None) -> str:
    return layer.value if layer else "auto"


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallReport:
    """The memories found for a prompt."""

    JSON_NAME = "Recall"
    query: Annotated[str, "The query, with secrets redacted; empty at the start of a session."]
    layer: Annotated[Layer | None, "The requested layer, or `auto`.", _layer_name]
    hits: Annotated[Sequence[Hit], "Best first.", Key("entries"), _found]
    note: Annotated[str, "A note if part of the query was not used; otherwise empty."] = ""
    block: Annotated[str, "The context block for an assistant; empty if nothing was found.", Key("context")]
    graph: Annotated[
        Annotated[GraphRecalled, GraphRecalledJson] | None,
        "Results from the Graphiti server; null if it was not searched.",
        Key("graphiti"),
    ] = None
    is_explained: Hidden[bool] = False  # whether to say also why the graph had nothing to say

    def show(self, page: Page) -> None:
        first = next((hit for hit in self.hits if hit.passage), None)
        for hit in self.hits:
            whole = hit.passage.within(_ROOM) if hit.passage and hit is first else None
            about = ago(hit.when, now=page.now) if hit.passage else _about(hit.entry, now=page.now)
            about = f"  {about}{' · weak match' if hit.is_weak else ''}"
            words = title_of(hit.entry) if whole else _line_of(hit)
            page.line(
                (hit.entry.id[:SHORT], ID), "  ", (one_line(words), HEAD if whole else ""), (about, FAINT), hang=9
            )
            if hit.replaced_by:
                page.line((f"         newer, {one_line(hit.replaced_by)}", WARN), hang=9)
            for turn in whole.turns if whole else ():
                if whole and turn.number in whole.gaps:
                    page.faint("         …")
                text = shortened(one_line(turn.text), _BEST if whole and turn == whole.best else _BESIDE)
                page.line((f"         {_BY[turn.by]:<10}", FAINT), text, hang=19)
        if sum(hit.passage is not None for hit in self.hits) > 1 and not page.quiet:
            page.faint("`--format context` prints more of each chat")
        if self.note:
            page.line((self.note, WARN))
        if self.graph:
            for fact in self.graph.facts:
                since = f", since {iso(fact.valid_at)}" if fact.valid_at is not None else ""
                page.line(("graphiti", ID), f"  {one_line(fact.text)}", (f"  {fact.scope}{since}", FAINT), hang=10)
        if self.graph and self.is_explained:
            graph = self.graph
            asked = f"searched {', '.join(graph.asked)}" if graph.asked else "not searched"
            page.faint(f"graphiti: {asked}; {count(len(graph.facts), 'fact', 'facts')} in {graph.milliseconds} ms")
            if graph.why:
                page.line((f"graphiti: {one_line(graph.why)}", WARN))
        if not self.hits and not (self.graph and self.graph.facts):
            page.line("no matching memories" if self.query else "your identity is empty")
            if not self.query:
                page.faint("`memsuggest memory add --identity TEXT` tells every assistant who you are")


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedHit:
    """An entry returned by a past recall."""

    id: str
    score: float
    content: ClassVar = Also("entry.content", str | None, "Text of the entry; null if it has since been forgotten.")
    entry: Hidden[Entry | None]  # None: it was forgotten since


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedRecall:
    """One recall."""

    at: Annotated[int, "In ISO 8601 format.", iso]
    via: Annotated[str, "`command`, `hook` or `mcp`."]
    query: str
    hits: Sequence[LoggedHit]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallLog:
    """The most recent recalls."""

    recalls: Annotated[Sequence[LoggedRecall], "Newest first."]

    def show(self, page: Page) -> None:
        for recall in self.recalls:
            page.line((f"{ago(recall.at, now=page.now)} · {recall.via}", FAINT), "  ", one_line(recall.query), hang=2)
            for hit in recall.hits:
                words = one_line(hit.entry.content) if hit.entry else "(since forgotten)"
                page.line("  ", (hit.id[:SHORT], ID), f"  {words}", (f"  {hit.score:.1f}", FAINT), hang=SHORT + 4)
            if not recall.hits:
                page.faint("  no results")
        if not self.recalls:
            page.line("no recalls in this workspace yet")


@dataclass(frozen=True, slots=True, kw_only=True)
class IdentityReport:
    """Your identity, included in every session."""

    JSON_NAME = "Identity"
    text: Annotated[str, "As Markdown."]
    used: Annotated[int, "Characters."]
    limit: Annotated[int, "Characters."]
    entries: Sequence[EntryView]
    offered: Annotated[Sequence[Annotated[MemoryFact, OfferedJson]], "Facts that could be added to your identity."] = ()
    waiting: Annotated[Sequence[EntryView], "Unconfirmed lines suggested by assistants."] = ()

    def show(self, page: Page) -> None:
        section = None
        for entry in self.entries:
            if entry.section != section:
                section = entry.section
                page.line((one_line(section), HEAD))
            _show_brief(page, entry)
        if not self.entries:
            page.line("your identity is empty: run `memsuggest memory add --identity TEXT` or `memory edit identity`")
        filled = min(_WIDTH, round(_WIDTH * self.used / self.limit))
        bar = "█" * filled + "░" * (_WIDTH - filled)
        page.faint(f"{bar} {round(100 * self.used / self.limit)} % of {self.limit:,} characters")
        others: tuple[tuple[str, Sequence[Entry | MemoryFact]], ...] = (
            ("Suggested by assistants, not yet confirmed (`memory confirm ID`, `memory forget ID`):", self.waiting),
            ("Facts about you that you could add here (`memory add --identity TEXT`):", self.offered[:_OFFERED]),
        )
        for title, items in others:
            if items:
                page.line()
                page.faint(title)
            for item in items:
                _show_brief(page, item)
        if len(self.offered) > _OFFERED:
            page.faint(f"  and {len(self.offered) - _OFFERED} more: `memsuggest memory list --scope user`")


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryRows:
    """Memory entries."""

    JSON_NAME = "Entries"
    entries: Sequence[EntryView]
    is_whole: Hidden[bool] = False  # whether everything about them is to be told

    def show(self, page: Page) -> None:
        if self.is_whole:
            for entry in self.entries:
                page.line((entry.id, ID), "  ", (one_line(entry.content), HEAD), hang=4)
                page.faint(f"  {_about(entry, now=page.now)} · since {iso(entry.created_at)}")
                named = (("section", entry.section), ("task", entry.task), ("tags", ", ".join(entry.tags)))
                for name, value in named:
                    if value:
                        page.line(f"  {name}: {one_line(value)}")
                if entry.superseded_by:
                    page.line("  corrected by ", (entry.superseded_by[:SHORT], ID))
                if entry.is_fact:
                    page.faint(f"  this is a fact; `memsuggest memory show {entry.id[:SHORT]}` shows its evidence")
            return
        for layer, title in _LAYERS.items():
            found = [entry for entry in self.entries if entry.layer is layer]
            if found:
                page.line((title, HEAD), (f"  {count(len(found), 'entry', 'entries')}", FAINT))
            for entry in found:
                about = (f"  {_about(entry, now=page.now)}", FAINT)
                page.line((entry.id[:SHORT], ID), "  ", one_line(entry.content), about, hang=SHORT + 2)
        if not self.entries:
            page.line("no memories found")


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryChanged:
    """A change to an entry."""

    did: Annotated[str, "`added`, `kept`, `updated`, `moved`, `waiting`, `deactivated`, `forgot` or `confirmed`."]
    entry: EntryView
    note: Annotated[str, "Additional information; may be empty."] = ""

    def show(self, page: Page) -> None:
        style = WARN if self.did == "waiting" else GOOD
        page.line((self.did, style), "  ", (self.entry.id[:SHORT], ID), f"  {one_line(self.entry.content)}")
        if self.note:
            page.faint(f"  {safe(self.note)}", hang=2)


class EntryChange(EntryChanged):
    """A change to one entry."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """An entry that was not imported."""

    place: Annotated[int, "Position in the document, starting at 1."]
    content: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EntriesChanged:
    """Changes to several entries."""

    changes: Sequence[Annotated[EntryChanged, EntryChange]]
    left_out: Annotated[Sequence[LeftOut], "Entries rejected during an import."] = ()

    def show(self, page: Page) -> None:
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
    """The result of repairing the profile database."""

    entries: Annotated[int, "Number of entries kept, including high-confidence facts."]
    facts: int
    app_memories: int
    lost: Annotated[Sequence[str], "Unreadable parts."]
    aside: Annotated[Path, "Path of the backup of the damaged database.", str]

    def show(self, page: Page) -> None:
        kept = (
            count(self.entries, "entry", "entries"),
            count(self.facts, "fact", "facts"),
            count(self.app_memories, "app memory", "app memories"),
        )
        page.line(("kept", GOOD), f"  {', '.join(kept)}")
        for part in self.lost:
            page.line(("lost", WARN), f"  {part}: unreadable")
        page.faint(f"backup of the damaged database: {safe(str(self.aside))}")


_LAYERS = {
    Layer.IDENTITY: "Who you are (L0, in every session)",
    Layer.KNOWLEDGE: "Knowledge (L1, recalled when relevant to a prompt)",
    Layer.ARCHIVE: "Past chats (L2, recalled on request)",
}
_WIDTH = 20  # characters of the bar that shows how full the identity is
_OFFERED = 5  # facts that are offered for the identity at once
_MANY = 10  # changes from which they are counted at the end


def _line_of(hit: Hit) -> str:
    if hit.passage is None:
        return hit.content
    turns = (hit.passage.best,) if hit.is_weak else hit.passage.within(_LINE).turns
    return shortened(" / ".join(one_line(turn.text) for turn in turns), _WEAK if hit.is_weak else _LINE)


_BY = {PERSON: "you", UNSURE: "you?", ASSISTANT: "assistant"}
_ROOM, _BEST, _BESIDE = 1_000, 400, 200
"""Characters of the best chat, of the turn that answers, and of the ones beside it."""
_LINE, _WEAK = 240, 100
"""Characters of another chat, and of one that may be irrelevant: of 75 questions asked in other words 63 have their
answer on the page, on 21 rows, and 71 with every chat whole, on 55."""


def _show_brief(page: Page, item: Entry | MemoryFact) -> None:
    page.line("  ", (item.id[:SHORT], ID), f"  {one_line(item.content)}", hang=SHORT + 4)


def _about(entry: Entry, *, now: int) -> str:
    parts = [entry.layer.value, _SOURCES[entry.source.value], ago(entry.updated_at, now=now)]
    if entry.project == EVERYWHERE and entry.layer is not Layer.IDENTITY:
        parts.append("everywhere")
    if entry.status is not EntryStatus.ACTIVE:
        parts.append("pending" if entry.status is EntryStatus.PENDING else "no longer true")
    if entry.recall_count:
        parts.append(f"recalled {count(entry.recall_count, 'time', 'times')}")
    return " · ".join(parts)


_SOURCES = {"user": "said by you", "agent": "noted by an assistant", "system": "summary"}
