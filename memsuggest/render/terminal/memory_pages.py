"""Memory, for people."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from memsuggest.recall.context_block import WEAK
from memsuggest.recall.entry import EVERYWHERE, EntryStatus, Layer, is_doubted
from memsuggest.render.safe_output import one_line, safe
from memsuggest.render.terminal.page import FAINT, GOOD, HEAD, ID, SHORT, WARN, Page, count
from memsuggest.text.when import ago, iso

if TYPE_CHECKING:
    from memsuggest.graphiti.graph_facts import GraphRecalled
    from memsuggest.recall.entry import Entry
    from memsuggest.recall.recalled import Hit
    from memsuggest.reports import recall_reports as reports

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


def show_recall(page: Page, report: reports.RecallReport) -> None:
    """Print what was found for a prompt, best first."""
    for hit in report.hits:
        _show_hit(page, hit)
    if report.note:
        page.line((report.note, WARN))
    if report.graph:
        _show_graph(page, report.graph, is_explained=report.is_explained)
    if not report.hits and not (report.graph and report.graph.facts):
        page.line("nothing is remembered that fits" if report.query else "nothing is known of you yet")
        if not report.query:
            page.line(("`memsuggest identity add TEXT` says who you are to every assistant", FAINT))


def _show_hit(page: Page, hit: Hit) -> None:
    told = _told(hit.entry._replace(updated_at=hit.when), now=page.now)
    weak = " · weak" if hit.fit < WEAK else ""
    page.line(
        (hit.entry.id[:SHORT], ID), f"  {one_line(hit.content)}", (f"  {told} · {hit.score:.1f}{weak}", FAINT), hang=9
    )
    if hit.passage:
        page.line((f"         {one_line(hit.entry.content)}", FAINT), hang=9)
    if hit.replaced_by:
        page.line((f"         replaced on {one_line(hit.replaced_by)}", WARN), hang=9)


def _show_graph(page: Page, graph: GraphRecalled, *, is_explained: bool) -> None:
    """Print what the Graphiti server knows; if asked, how it came to that."""
    for fact in graph.facts:
        since = f", since {iso(fact.valid_at)}" if fact.valid_at is not None else ""
        page.line(("graphiti", ID), f"  {one_line(fact.text)}", (f"  {fact.scope}{since}", FAINT), hang=10)
    if is_explained:
        asked = f"asked for: {', '.join(graph.asked)}" if graph.asked else "not asked"
        page.line((f"graphiti {asked}; {count(len(graph.facts), 'fact', 'facts')} in {graph.milliseconds} ms", FAINT))
        if graph.why:
            page.line((f"graphiti: {one_line(graph.why)}", WARN))


def show_recall_log(page: Page, report: reports.RecallLog) -> None:
    """Print what was recalled lately."""
    for recall in report.recalls:
        page.line((f"{ago(recall.at, now=page.now)} · {recall.via}", FAINT), "  ", one_line(recall.query), hang=2)
        for hit in recall.hits:
            words = one_line(hit.entry.content) if hit.entry else "(forgotten since)"
            page.line("  ", (hit.id[:SHORT], ID), f"  {words}", (f"  {hit.score:.1f}", FAINT), hang=SHORT + 4)
        if not recall.hits:
            page.line(("  nothing was found", FAINT))
    if not report.recalls:
        page.line("nothing was recalled here yet")


def show_identity(page: Page, report: reports.IdentityReport) -> None:
    """Print the identity, how full it is, and what could stand there, too."""
    section = None
    for entry in report.entries:
        if entry.section != section:
            section = entry.section
            page.line((one_line(section), HEAD))
        page.line("  ", (entry.id[:SHORT], ID), f"  {one_line(entry.content)}", hang=SHORT + 4)
    if not report.entries:
        page.line("nothing is known of you yet: `memsuggest identity add TEXT`, or `memsuggest identity edit`")
    filled = min(_WIDTH, round(_WIDTH * report.used / report.limit))
    share = round(100 * report.used / report.limit)
    bar = "█" * filled + "░" * (_WIDTH - filled)
    page.line((f"{bar} {share} % of {report.limit:,} characters", FAINT))
    if report.waiting:
        page.line()
        page.line(("Assistants wrote, and you have not confirmed (`memory confirm ID`, `memory forget ID`):", FAINT))
        for entry in report.waiting:
            page.line("  ", (entry.id[:SHORT], ID), f"  {one_line(entry.content)}", hang=SHORT + 4)
    if report.offered:
        page.line()
        page.line(("Facts about you that could stand here, too (`identity add TEXT`):", FAINT))
        for fact in report.offered[:_OFFERED]:
            page.line("  ", (fact.id[:SHORT], ID), f"  {one_line(fact.content)}", hang=SHORT + 4)
        if len(report.offered) > _OFFERED:
            page.line((f"  and {len(report.offered) - _OFFERED} more: `memsuggest facts list --scope user`", FAINT))


def show_entries(page: Page, report: reports.EntryRows) -> None:
    """Print entries by layer."""
    if report.is_whole:
        for entry in report.entries:
            _show_whole(page, entry)
        return
    for layer, title in _LAYERS.items():
        found = [entry for entry in report.entries if entry.layer is layer]
        if found:
            page.line((title, HEAD), (f"  {count(len(found), 'entry', 'entries')}", FAINT))
        for entry in found:
            _show_row(page, entry, _told(entry, now=page.now))
    if doubted := [entry for entry in report.entries if is_doubted(entry)]:
        page.line()
        page.line((f"still true? `memory deactivate {doubted[0].id[:SHORT]}` takes it out of use,", FAINT))
        page.line((f"            `memory confirm {doubted[0].id[:SHORT]}` keeps it instead of the newer one", FAINT))
    if not report.entries:
        page.line("nothing is remembered here")


def show_entry_changed(page: Page, report: reports.EntryChanged) -> None:
    """Print what was done to an entry."""
    style = WARN if report.did == "waiting" else GOOD
    page.line((report.did, style), "  ", (report.entry.id[:SHORT], ID), f"  {one_line(report.entry.content)}")
    if report.note:
        page.line((f"  {safe(report.note)}", FAINT), hang=2)


def show_entries_changed(page: Page, report: reports.EntriesChanged) -> None:
    """Print what was done to several entries."""
    for change in report.changes:
        show_entry_changed(page, change)
    for left in report.left_out:
        page.line(("left out", WARN), f"  entry {left.place}: {one_line(left.content)}", hang=10)
        page.line((f"  {safe(left.why)}", FAINT), hang=2)
    if len(report.changes) + len(report.left_out) > _MANY:
        counts = Counter([change.did for change in report.changes] + ["left out"] * len(report.left_out))
        page.line((", ".join(f"{number:,} {did}" for did, number in counts.items()), HEAD))
    if not report.changes and not report.left_out:
        page.line("nothing was changed")


def show_memory_repaired(page: Page, report: reports.MemoryRepaired) -> None:
    """Print what a repair kept, and what was lost."""
    kept = (
        count(report.entries, "entry", "entries"),
        count(report.facts, "fact", "facts"),
        f"{count(report.app_memories, 'memory', 'memories')} of apps",
    )
    page.line(("kept", GOOD), f"  {', '.join(kept)}")
    for one in report.lost:
        page.line(("lost", WARN), f"  {one}: nobody could read them")
    page.line((f"the database as it was is {safe(str(report.aside))}", FAINT))


def _show_row(page: Page, entry: Entry, told: str) -> None:
    page.line((entry.id[:SHORT], ID), "  ", one_line(entry.content), (f"  {told}", FAINT), hang=SHORT + 2)


def _told(entry: Entry, *, now: int) -> str:
    parts = [entry.layer.value, _SOURCES[entry.source.value], ago(entry.updated_at, now=now)]
    if entry.project == EVERYWHERE and entry.layer is not Layer.IDENTITY:
        parts.append("everywhere")
    if entry.status is not EntryStatus.ACTIVE:
        parts.append("waits for you" if entry.status is EntryStatus.PENDING else "no longer true")
    if is_doubted(entry):
        parts.append(f"you said otherwise since ({entry.superseded_by[:SHORT]})")
    if entry.recall_count:
        parts.append(f"recalled {count(entry.recall_count, 'time', 'times')}")
    return " · ".join(parts)


_SOURCES = {"user": "you said", "agent": "an assistant noted", "system": "summed up"}


def _show_whole(page: Page, entry: Entry) -> None:
    page.line((entry.id, ID), "  ", (one_line(entry.content), HEAD), hang=4)
    page.line((f"  {_told(entry, now=page.now)} · since {iso(entry.created_at)}", FAINT))
    for name, value in (("section", entry.section), ("task", entry.task), ("tags", ", ".join(entry.tags))):
        if value:
            page.line(f"  {name}: {one_line(value)}")
    if entry.superseded_by:
        page.line("  corrected by ", (entry.superseded_by[:SHORT], ID))
    if entry.is_fact:
        page.line((f"  a fact: `memsuggest facts show {entry.id[:SHORT]}` has its evidence", FAINT))
