"""Reports on pending suggestions, and on what was decided."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from operator import not_
from typing import Annotated, ClassVar

from memsuggest.core.config import Mode
from memsuggest.core.identity import normalised
from memsuggest.core.json_shape import Also, Hidden, Key, fill
from memsuggest.core.model import Contradiction, MemoryFact, MemorySuggestion, Skipped, SuggestionStatus, is_maybe
from memsuggest.core.render.page import (
    BAD,
    FAINT,
    GOOD,
    HEAD,
    ID,
    INDENT,
    PATH,
    SHORT,
    UNDO,
    WARN,
    Page,
    count,
    listed,
    sentence,
    show_diff,
)
from memsuggest.core.render.safe_output import one_line
from memsuggest.core.text.when import ago, iso
from memsuggest.customizations.diff import unified
from memsuggest.held.held_report import HeldRule
from memsuggest.suggestions.listed import as_written, where
from memsuggest.suggestions.ranking.hosts import Readers
from memsuggest.suggestions.status_report import CAUGHT_UP, EMPTY, show_header
from memsuggest.suggestions.suggestion_lines import (
    MAINTENANCE,
    Line,
    MaybeJson,
    MaybeView,
    SuggestionJson,
    SuggestionView,
    chat_of,
    clash_lines,
    facts_line,
    ids_of,
    show_evidence,
    show_groups,
    show_maintenance,
    show_new,
    show_rest,
    show_similar,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class AlreadyThere:
    """A fact that is already in a customization file."""

    fact_id: ClassVar = Also("fact.id", str)
    content: ClassVar = Also("fact.content", str, "The text of the rule.")
    target_uri: Annotated[str, "The file that contains the rule."]
    line: Annotated[int, "The line number, starting at 1."]
    fact: Hidden[MemoryFact]
    text: Hidden[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """A fact and the decision about it."""

    id: ClassVar = Also("fact.id", str, "The same as `factId`.")
    fact_id: ClassVar = Also("fact.id", str)
    content: ClassVar = Also("fact.content", str, "The rule.")
    target: Annotated[str | None, "The file the decision applies to; null for every file.", Key("targetUri")]
    status: SuggestionStatus
    fact: Hidden[MemoryFact]


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """Pending or decided suggestions."""

    mode: Mode
    last_run: Annotated[int | None, "When chats were last read, in ISO 8601 format; null if never.", iso]
    suggestions: Annotated[
        tuple[SuggestionView, ...], "Pending suggestions, best first; empty if `--status` is not `pending`."
    ]
    maintenance: Annotated[tuple[SuggestionView, ...], "Maintenance of your customization files.", Key("care")] = ()
    maintenance_held: Annotated[
        Mapping[str, int],
        (
            "The number of further maintenance suggestions per file; they are shown once you have decided on the "
            "current ones."
        ),
        Key("careHeld"),
    ] = field(default_factory=dict)
    written: Annotated[int, "The number of unconfirmed facts found only in documents written by an assistant."] = 0
    decided: Annotated[tuple[Decided, ...], "Decisions; empty unless `--status` is `applied` or `dismissed`."] = ()
    skipped: ClassVar = Also(".", list[Skipped], to=lambda _: [])
    status: Hidden[SuggestionStatus]
    dangerous: Annotated[
        frozenset[str],
        "IDs of suggestions that weaken safety or contradict a line; apply each one individually.",
        sorted,
    ] = frozenset()
    is_narrowed: Hidden[bool] = False
    """Only what concerns certain files."""
    unread: Hidden[Mapping[str, str]] = field(default_factory=dict)
    """By the ids of suggestions, the assistant in whose chat it was said and that does not read the file."""
    seen: Hidden[frozenset[str]] = frozenset()
    """Ids of what was shown at the last look: these come last."""

    is_whole: Hidden[bool] = False
    """What was shown at the last look is shown again; otherwise one line counts it."""

    @property
    def is_of_all(self) -> bool:
        """Tell whether it shows all that is pending."""
        return self.status is SuggestionStatus.PENDING and not self.is_narrowed

    def show(self, page: Page) -> None:
        if self.status is not SuggestionStatus.PENDING:
            page.line((f"{str(self.status).capitalize()} ({len(self.decided) + len(self.maintenance)})", HEAD))
            rows = [(decided.fact.id, decided.fact.content, decided.target or "everywhere") for decided in self.decided]
            rows += [(need.about, need.content, need.edit.path) for need in self.maintenance]
            for name, content, place in rows:
                page.line("  ", (name[:SHORT], ID), "  ", one_line(content), (f"  {place}", PATH), hang=INDENT)
            return
        if self.mode is Mode.OFF:
            page.line(EMPTY[Mode.OFF])
            return
        if self.is_narrowed and not self.suggestions:
            if not page.quiet:
                page.line("No pending suggestions for these files.")
            return
        show_header(page, mode=self.mode, last_run=self.last_run, pending=len(self.suggestions))
        _, needs = show_new(
            page, self.suggestions, self.maintenance, seen=self.seen, dangerous=self.dangerous, unread=self.unread
        )
        if not self.suggestions:
            page.line(EMPTY[Mode.MANUAL] if self.mode is Mode.MANUAL or self.last_run is None else CAUGHT_UP)
        show_maintenance(page, needs, held=self.maintenance_held)
        old = [need for need in (*self.suggestions, *self.maintenance) if need.id in self.seen]
        if old and self.is_whole:
            page.head(f"Already seen ({len(old)})")
            said = [suggestion for suggestion in old if suggestion.fact]
            show_groups(page, said, dangerous=self.dangerous, unread=self.unread, maintenance=self.maintenance)
            show_maintenance(page, [suggestion for suggestion in old if not suggestion.fact], held={})
        elif old:
            show_rest(page, self.suggestions, self.maintenance, seen=self.seen)
        if self.written:
            rules = count(self.written, "rule", "rules")
            page.line()
            page.faint(f"{rules} in documents written by an assistant: see `memsuggest memory list --written`")


@dataclass(frozen=True, slots=True, kw_only=True)
class Maybes:
    """Suggestions of low confidence: the answer to `--maybe`."""

    mode: Mode
    last_run: Annotated[int | None, "When chats were last read, in ISO 8601 format; null if never.", iso]
    facts: Annotated[
        tuple[MaybeView, ...], "Possible rules, starting with those you stated most often.", Key("suggestions")
    ]
    care: ClassVar = Also(".", list[SuggestionJson], to=lambda _: [])
    written: ClassVar = Also(".", int, to=lambda _: 0)
    decided: ClassVar = Also(".", list[Decided], to=lambda _: [])
    skipped: ClassVar = Also(".", list[Skipped], to=lambda _: [])

    def show(self, page: Page) -> None:
        if self.mode is Mode.OFF:
            page.line(EMPTY[Mode.OFF])
            return
        about = " · kept in your profile until you or a model confirms them"
        page.line((f"Low confidence ({len(self.facts)})", HEAD), (about, FAINT))
        for fact in self.facts:
            last = max(fact.citations, key=lambda remark: remark.at.timestamp() if remark.at else 0.0)
            page.line("  ", (fact.id[:SHORT], ID), "  “", one_line(last.quote), "”", hang=INDENT)
            if normalised(fact.content) != normalised(last.quote):
                page.line(" " * INDENT + "→ ", one_line(fact.content), hang=INDENT + 2)
            times = len({(remark.session_id, remark.turn) for remark in fact.citations if remark.quote})
            parts = [chat_of(last), last.format, "possibly pasted" if last.trust == "doubtful" else ""]
            parts += [f"said {times} times"] if times > 1 else []
            page.faint(" " * INDENT + " · ".join(map(one_line, filter(None, parts))))
        if not self.facts:
            page.line("No low-confidence suggestions.")
            return
        first = self.facts[0].id[:SHORT]
        page.line()
        page.faint(
            f"run `memsuggest show {first}` to see where this rule would go; `apply`, `edit` and `dismiss` accept "
            "the same ID"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """One suggestion in full."""

    suggestion: SuggestionView
    similar: Annotated[tuple[SuggestionView, ...], "IDs of similar pending suggestions.", ids_of] = ()
    was_replanned: Annotated[
        bool,
        "Whether the file has changed since the suggestion was made; the edit is against its current contents.",
        Key("replanned"),
    ] = False
    danger: Annotated[str, "How the rule weakens safety; empty if the rule is safe."] = ""
    contradictions: Annotated[tuple[Contradiction, ...], "Facts that the suggestion contradicts."] = ()
    read_by: ClassVar = Also(
        "readers.reading",
        list[str],
        "Assistants that read the file: any of VS Code, Copilot CLI, Claude Code, Codex, Cursor and Gemini CLI.",
    )
    not_read_by: ClassVar = Also(
        "readers.others", list[str], "Assistants that do not read the file; empty, like `readBy`, if unknown."
    )
    held: Annotated[tuple[HeldRule, ...], "Rules that you had to repeat and that the suggestion would replace."] = ()
    differs: Hidden[bool] = False
    """Planned anew, it puts other lines in, takes another out, or goes to another place."""
    chat: Hidden[str] = ""
    """The title of the chat of the first quote, where it is known."""
    unsure: Hidden[str] = ""
    """Why it is of low confidence, where that is known."""
    readers: Hidden[Readers] = field(default_factory=Readers)
    """Who reads the file that it goes to."""

    def show(self, page: Page) -> None:
        self.show_whole(page)
        show_similar(page, self.similar)

    def show_whole(self, page: Page) -> None:
        suggestion, fact = self.suggestion, self.suggestion.fact
        page.line((suggestion.id[:SHORT], ID), "  ", (one_line(as_written(suggestion)), HEAD), hang=SHORT + 2)
        page.faint("  " + (facts_line(fact) if fact else MAINTENANCE), hang=2)
        page.line("  → ", (where(suggestion), PATH), hang=4)
        if suggestion.why:
            page.faint("  " + sentence(suggestion.why), hang=2)
        show_readers(page, self.readers)
        if suggestion.replaces:
            page.line("  replaces: ", (one_line(suggestion.replaces), BAD), hang=12)
        if fact and is_maybe(fact):
            unsure = f"{self.unsure}; " if self.unsure else ""
            page.faint(f"  low confidence: {unsure}not suggested until you or a model confirms it", hang=2)
        for line in warnings_of(self):
            page.line(*line, hang=4)
        page.line()
        if fact:
            show_evidence(page, fact)
            page.line()
        show_diff(page, unified(suggestion.edit))


def warnings_of(shown: Shown) -> Iterator[Line]:
    fact = shown.suggestion.fact
    yield from clash_lines(fact, shown.contradictions) if fact else ()
    for rule in shown.held:
        yield (("  you had to repeat the rule this suggestion replaces: " + one_line(rule.why), WARN),)
    if shown.suggestion.executable:
        yield (("  executable configuration: must be confirmed individually, never in bulk", WARN),)
    if shown.danger:
        yield ((f"  warning: this rule {shown.danger}; it must be confirmed individually", WARN),)
    if shown.was_replanned:
        yield (("  the file has changed since this suggestion was made; the diff is against its current text", FAINT),)


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """Suggestions that an `apply` is about to write, each as it would be written now."""

    shown: tuple[Shown, ...]
    held_back: tuple[Skipped, ...] = ()
    """Ones that a bulk apply leaves for the person to confirm one by one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Applied:
    """Suggestions that were written to files."""

    suggestions: Annotated[tuple[SuggestionView, ...], Key("applied")]
    similar: Annotated[tuple[SuggestionView, ...], "IDs of similar pending suggestions.", ids_of] = ()
    held_back: Annotated[tuple[Skipped, ...], "Suggestions that were skipped; apply these one by one."] = ()

    def show(self, page: Page) -> None:
        for suggestion in self.suggestions:
            page.line(
                ("applied", GOOD), f"  {one_line(as_written(suggestion), limit=90)} → ", (where(suggestion), PATH)
            )
        for skip in self.held_back:
            page.line(("skipped", WARN), f"  {one_line(skip.what)}: {one_line(skip.why)}")
        if self.suggestions:
            page.faint(UNDO)
        if self.similar:
            show_similar(page, self.similar)
            page.faint(f"run `memsuggest apply --similar {self.suggestions[-1].id[:SHORT]}` to apply these too")


def _dismissed(report: Dismissed) -> list[dict[str, object]]:
    rows = [fill(SuggestionJson, suggestion) for suggestion in report.suggestions]
    return rows + [fill(MaybeJson, maybe) for maybe in report.maybes]


@dataclass(frozen=True, slots=True, kw_only=True)
class Dismissed:
    """Facts that were dismissed."""

    dismissed: ClassVar = Also(".", list[SuggestionJson | MaybeJson], to=_dismissed)
    only_here: Annotated[bool, "Whether the suggestions were dismissed for this file only (`--here`)."]
    suggestions: Hidden[tuple[MemorySuggestion, ...]]
    maybes: Hidden[tuple[MemoryFact, ...]] = ()
    """Those of low confidence."""
    elsewhere: Hidden[tuple[MemorySuggestion, ...]] = ()
    """Of what was dismissed for one file only, what is pending for another one now."""

    def show(self, page: Page) -> None:
        for suggestion in self.suggestions:
            reach = "for good" if suggestion.maintenance else "everywhere"
            reach = f"for {suggestion.edit.path}" if self.only_here else reach
            page.line(f"dismissed {reach}: {one_line(as_written(suggestion))}")
            if self.only_here and suggestion.fact and not is_maybe(suggestion.fact):
                now = next((where(other) for other in self.elsewhere if other.id == suggestion.id), "")
                page.line("  → ", (now, PATH) if now else ("no other file is suitable", FAINT))
        for maybe in self.maybes:
            page.line(f"dismissed everywhere: {one_line(maybe.content)}")
        page.faint(UNDO)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceChoice:
    """Another place for a rule."""

    JSON_NAME = "OtherPlace"
    uri: Annotated[str, "The file.", Key("path")]
    heading: Annotated[str | None, "The heading in the file; null if chosen automatically."] = None
    makes: Hidden[bool] = False
    """The file, or the heading in it, is made with the rule."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """Other places for a suggestion: the result without PLACE."""

    id: ClassVar = Also("suggestion.id", str, "ID of the suggestion.")
    path: ClassVar = Also("suggestion.edit.path", str, "The file the suggestion currently goes to.")
    heading: ClassVar = Also("suggestion.heading", str | None, "The heading the suggestion currently goes to.")
    places: Annotated[tuple[PlaceChoice, ...], "Best first."]
    suggestion: Hidden[MemorySuggestion]

    def show(self, page: Page) -> None:
        page.line(one_line(as_written(self.suggestion)))
        page.line("  → ", (where(self.suggestion), PATH))
        for number, place in enumerate(self.places, 1):
            page.line(f"  {number}  ", (f"{place.uri} › {place.heading}" if place.heading else place.uri, PATH))


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """A suggestion that was moved, and is pending at its new place."""

    stays: Annotated[bool, "False if the suggestion was already at the given place.", Key("moved"), not_] = False
    suggestion: SuggestionView

    def show(self, page: Page) -> None:
        made = self.suggestion
        if self.stays:
            page.line("already at ", (where(made), PATH))
            return
        page.line(("moved", GOOD), f"  {one_line(as_written(made), limit=90)} → ", (where(made), PATH))
        page.faint("  " + sentence(made.why))
        page.line()
        show_diff(page, unified(made.edit))
        page.line()
        page.faint(f"run `memsuggest apply {made.id[:SHORT]}` to write the rule to this file; {UNDO}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """A decision that can be undone, or was undone."""

    at: Annotated[int, "When the decision was made, in ISO 8601 format.", iso]
    verb: Annotated[str, "The action: `applied`, `dismissed`, `forgot` …"]
    ids: Annotated[tuple[str, ...], "IDs of the suggestions or facts."]
    contents: Annotated[tuple[str, ...], "Texts of the suggestions or facts."]
    paths: Annotated[tuple[str, ...], "Files that were written."]


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenRows:
    """The last decisions, newest first: the result of `--list`."""

    JSON_NAME = "Decisions"
    rows: Annotated[tuple[Taken, ...], Key("decisions")]

    def show(self, page: Page) -> None:
        if not self.rows:
            page.line("no decisions to undo")
            return
        page.line(("Last decisions", HEAD), (" · `memsuggest undo` reverts the latest", FAINT))
        for row in self.rows:
            name = row.ids[0][:SHORT] if row.ids else ""
            when = (f"  {ago(row.at, now=page.now)}", FAINT)
            page.line("  ", (f"{name:<{SHORT}}", ID), "  ", _words(row), when, hang=INDENT)


@dataclass(frozen=True, slots=True, kw_only=True)
class Undone:
    """Decisions that were undone."""

    taken: Annotated[Taken, Key("decision")]
    contents: Annotated[tuple[str, ...], "Texts of the suggestions or facts.", Key("undone")]
    paths: Annotated[tuple[str, ...], "Files that were restored."]
    facts: Annotated[tuple[str, ...], "Facts that were restored."] = ()
    places: Hidden[tuple[str, ...]] = ()
    """For each of the contents, where it goes."""
    removed: Hidden[frozenset[str]] = frozenset()
    """Files that were not there before, and are not there now."""

    def show(self, page: Page) -> None:
        page.line(("undone", GOOD), f"  {_words(self.taken)} ", (f"({ago(self.taken.at, now=page.now)})", FAINT))
        for path in self.paths:
            page.line(("removed " if path in self.removed else "restored", GOOD), "  ", (path, PATH))
        for content, place in zip(self.contents, self.places, strict=True):
            page.line("pending again: ", one_line(content), " → ", (one_line(place), PATH))
        for content in self.facts:
            page.line("restored fact: ", one_line(content))


_NAMED = 3
"""Rules of one decision that are named; of more, their number."""


def _words(taken: Taken) -> str:
    named = [f"“{one_line(content, limit=90)}”" for content in taken.contents[:_NAMED]]
    more = len(taken.contents) - len(named)
    named += [f"{more} more"] if more else []
    files = ", ".join(one_line(path) for path in dict.fromkeys(taken.paths))
    return " ".join(filter(None, (taken.verb, ", ".join(named), f"→ {files}" if files else "")))


def readers_line(readers: Readers) -> str:
    others = f", but not by {' or '.join(listed(readers.others).rsplit(' and ', 1))}" if readers.others else ""
    return f"Read by {listed(readers.reading)}{others}" if readers.reading else ""


def show_readers(page: Page, readers: Readers) -> None:
    if line := readers_line(readers):
        page.faint(f"  {line}", hang=2)
    for name, bridge in readers.bridges:
        page.faint(f"  run `memsuggest apply {bridge[:SHORT]}` to make {name} read this file", hang=2)
