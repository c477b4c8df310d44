"""Reports on facts."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, ClassVar

from memsuggest.core.json_shape import Also, Hidden, Key, as_json, or_null
from memsuggest.core.model import Candidate, Contradiction, MemoryFact, Skipped
from memsuggest.core.render.page import FAINT, GOOD, HEAD, ID, PATH, SHORT, UNDO, WARN, Page, count, show_skipped
from memsuggest.core.render.safe_output import one_line
from memsuggest.core.text.when import iso, iso_of
from memsuggest.held.held_report import HeldRule, held_line
from memsuggest.judging.model_reports import Consolidated, Merge
from memsuggest.suggestions.decision_reports import Decided
from memsuggest.suggestions.suggestion_lines import clash_lines, facts_line, show_evidence, show_gone


@dataclass(frozen=True, slots=True, kw_only=True)
class FactRows:
    """Facts, with the search terms."""

    JSON_NAME = "Facts"
    query: Annotated[str | None, "The search terms."] = None
    facts: tuple[MemoryFact, ...]
    dismissed: Annotated[frozenset[str], "IDs of dismissed facts.", sorted] = frozenset()

    def show(self, page: Page) -> None:
        for fact in self.facts:
            status = "" if fact.status == "active" else f" · {fact.status}"
            dismissed = " · dismissed" if fact.id in self.dismissed else ""
            about = (f"  {facts_line(fact)}{status}{dismissed}", FAINT)
            page.line((fact.id[:SHORT], ID), "  ", one_line(fact.content), about, hang=SHORT + 2)
        if not self.facts:
            page.line("no matching facts" if self.query else "no facts yet")


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportedFacts:
    """All facts with all their evidence, as `memory import --facts` reads them."""

    JSON_NAME = "Export"
    facts: Annotated[tuple[MemoryFact, ...], "Sorted by ID."]


@dataclass(frozen=True, slots=True, kw_only=True)
class FactShown:
    """One fact, in full."""

    fact: MemoryFact
    in_shared_file: Annotated[bool, "Whether the fact is in the team's facts.json."] = False
    note: Annotated[str, "Additional information; may be empty."] = ""
    decisions: tuple[Decided, ...] = ()
    contradictions: Annotated[tuple[Contradiction, ...], "Contradictions between this fact and others."] = ()
    promotions: Annotated[tuple[PromotedAs, ...], "The fact's promotions to a Graphiti server."] = ()
    held: Annotated[tuple[HeldRule, ...], "The current state of the lines the fact was applied to."] = ()

    def show(self, page: Page) -> None:
        fact = self.fact
        page.line((fact.id, ID), "  ", (one_line(fact.content), HEAD), hang=4)
        page.faint("  " + facts_line(fact) + f" · {fact.status} · since {iso(fact.timestamp)}")
        if self.note:
            page.line(("  " + one_line(self.note), WARN), hang=2)
        if self.in_shared_file:
            page.faint("  in the shared facts.json")
        for line in clash_lines(fact, self.contradictions):
            page.line(*line, hang=4)
        show_evidence(page, fact)
        for rule in self.held:
            page.line("  ", *held_line(rule), hang=4)
            for remedy in rule.remedies[:1]:
                page.faint(f"    try: {one_line(remedy.what)}", hang=4)
        for decided in self.decisions:
            page.line(f"  {decided.status} ", (decided.target or "everywhere", PATH))
        for promotion in self.promotions:
            text = f"{promotion.kind} ({promotion.scope}), {iso(promotion.at)} to {one_line(promotion.endpoint)}"
            page.line(f"  promoted as {text}", (f"  {promotion.state}" if promotion.state else "", FAINT), hang=4)


@dataclass(frozen=True, slots=True, kw_only=True)
class PromotedAs:
    """A fact's promotion to a Graphiti server."""

    endpoint: str
    kind: str
    scope: Annotated[str, "`workspace` or `user`."]
    at: Annotated[int, "Time, in ISO 8601 format.", iso_of]
    state: Annotated[str, "`waiting`, `queued`, `stored`, …; null if unknown.", or_null]


@dataclass(frozen=True, slots=True, kw_only=True)
class FactChanged:
    """A change to a fact."""

    JSON_NAME = "Changed"
    verb: Annotated[str, "`added`, `confirmed`, `edited` or `forgot`.", Key("did")]
    fact: MemoryFact
    danger: Annotated[str, "How the rule weakens safety; empty if it does not."] = ""
    notes: Annotated[tuple[str, ...], "Effects on other facts and on files, one per line."] = ()

    def json_keys(self) -> dict[str, object]:
        return as_json(FactsChanged(changes=(self,)))

    def show(self, page: Page) -> None:
        _show_change(page, self)
        page.faint(UNDO)


@dataclass(frozen=True, slots=True, kw_only=True)
class FactsChanged:
    """Changes to one or more facts."""

    did: ClassVar = Also("first.verb", str, "`added`, `confirmed`, `edited` or `forgot`.")
    fact: ClassVar = Also("first.fact", MemoryFact)
    danger: ClassVar = Also("first.danger", str, "How the rule weakens safety; empty if it does not.")
    notes: ClassVar = Also("first.notes", list[str], "Effects on other facts and on files, one per line.")
    more: ClassVar = Also("others", tuple[FactChanged, ...], "The changes to the other facts.")
    changes: Hidden[tuple[FactChanged, ...]]  # at least one
    is_for_good: Hidden[bool] = False  # no `undo` brings back what was forgotten

    @property
    def first(self) -> FactChanged:
        return self.changes[0]

    @property
    def others(self) -> tuple[FactChanged, ...]:
        return self.changes[1:]

    def show(self, page: Page) -> None:
        for change in self.changes:
            _show_change(page, change)
        if not self.is_for_good:
            page.faint(UNDO)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pruned:
    """Facts removed because they exceeded the limits."""

    is_dry: Annotated[bool, Key("dryRun")] = False
    facts: Annotated[tuple[MemoryFact, ...], "The facts, least valuable first."]

    def show(self, page: Page) -> None:
        if self.facts:
            show_gone(page, self.facts, verb="would be removed" if self.is_dry else "pruned")
        else:
            page.line("within the limits; nothing to prune")


@dataclass(frozen=True, slots=True, kw_only=True)
class StaleFact:
    """A fact that mentions something no longer in the repo."""

    fact: MemoryFact
    what: Annotated[str, "The missing or renamed file or script."]
    why: Annotated[str, "The commit that removed or renamed the file or script, or where memsuggest looked."]
    new_content: Annotated[str, "Text with the new names; empty if the fact is best forgotten."]


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """The result of checking the shared facts.json."""

    path: str
    facts: Annotated[int, "Number of facts in the file."]
    problems: tuple[Skipped, ...]
    stale: Annotated[tuple[StaleFact, ...], "With `--stale`, facts that mention missing files or scripts."] = ()

    def show(self, page: Page) -> None:
        for problem in self.problems:
            page.line((one_line(problem.what), PATH), f": {one_line(problem.why)}")
        for item in self.stale:
            name = item.fact.id[:SHORT]
            wording = f" --content {shlex.quote(one_line(item.new_content))}" if item.new_content else ""
            page.line((name, ID), "  ", one_line(item.fact.content))
            page.faint(f"  {one_line(item.what)}: {one_line(item.why)}")
            page.faint(f"  `memsuggest memory {'edit' if wording else 'forget'} {name}{wording}`")
        problems = count(len(self.problems), "problem", "problems")
        page.line(f"{self.path}: {count(self.facts, 'fact', 'facts')}, {problems}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cleaned:
    """The result of `memory clean`."""

    JSON_NAME = "MemoryCleaned"
    is_tidied: Annotated[bool, "Whether facts.json was reformatted.", Key("tidied")]
    _operations: ClassVar = Also("merged.operations", tuple[Merge, ...], "Merges of duplicate facts.")
    _changed: ClassVar = Also("merged.is_changed", bool, "Whether the merges were made.")
    _pruned: ClassVar = Also("removed.facts", tuple[MemoryFact, ...], "Facts that exceed the limits.")
    _problems: ClassVar = Also("checked.problems", tuple[Skipped, ...], "Problems left in facts.json.")
    _dry_run: ClassVar = Also("removed.is_dry", bool)
    merged: Hidden[Consolidated]
    removed: Hidden[Pruned]
    checked: Hidden[Checked]

    def show(self, page: Page) -> None:
        self.removed.show(page)
        self.checked.show(page)


class FactVerdict(StrEnum):
    """The status of an imported entry."""

    NEW = "new"
    KNOWN = "known"
    FORGOTTEN = "forgotten"
    """It, or its words, had been forgotten on purpose; to take it brings it back."""
    TAKEN = "taken"


@dataclass(frozen=True, slots=True, kw_only=True)
class Importable:
    """An entry in an imported file."""

    verdict: Annotated[FactVerdict, "`forgotten` means that you asked memsuggest to forget this fact or its text."]
    fact: Annotated[MemoryFact, "The fact as it is, or would be, stored."]
    other: Annotated[MemoryFact | None, "The stored fact that this one matches or contradicts."] = None
    candidate: Hidden[Candidate]

    @property
    def id(self) -> str:
        return self.fact.id

    @property
    def is_open(self) -> bool:
        return self.verdict in (FactVerdict.NEW, FactVerdict.FORGOTTEN)

    def show(self, page: Page) -> None:
        style = {"new": GOOD, "taken": GOOD, "forgotten": WARN}.get(self.verdict, FAINT)
        fact, other, about = self.fact, self.other, (f"  {self.fact.kind}, {self.fact.scope}", FAINT)
        page.line((f"{self.verdict:<9} ", style), (fact.id[:SHORT], ID), "  ", one_line(fact.content), about)
        if other and self.verdict != "taken":
            says = "already stored as" if self.verdict == "known" else "contradicts"
            content = (f"  {one_line(other.content)}", FAINT)
            page.line((f"{'':10}{says} ", FAINT), (other.id[:SHORT], ID), content)


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """The facts in a file, with those that were imported."""

    path: str
    rows: Annotated[tuple[Importable, ...], Key("facts")]
    skipped: tuple[Skipped, ...] = ()

    def show(self, page: Page) -> None:
        for row in self.rows:
            row.show(page)
        waiting = [row for row in self.rows if row.is_open]
        taken = sum(row.verdict == "taken" for row in self.rows)
        page.line(f"{self.path}: {count(len(self.rows), 'fact', 'facts')}, {taken} imported, {len(waiting)} skipped")
        if waiting and not taken:
            first = waiting[0].fact.id[:SHORT]
            page.faint(f"`memsuggest memory import --facts {self.path} --take {first}` imports one fact")
        show_skipped(page, self.skipped)


def _show_change(page: Page, report: FactChanged) -> None:
    page.line((report.verb, GOOD), "  ", (report.fact.id[:SHORT], ID), f"  {one_line(report.fact.content)}")
    if report.danger:
        page.line(("warning", WARN), f"  this rule {report.danger}: apply it individually, never in bulk")
    for note in report.notes:
        page.faint(f"  {one_line(note)}", hang=4)
