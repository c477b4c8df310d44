"""Reports on what was learned."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, ClassVar, TypedDict

from memsuggest.core.config import Mode
from memsuggest.core.json_shape import Also, Hidden, IfAny, Key, or_null
from memsuggest.core.model import Candidate, Contradiction, MemoryFact, Outcome, Skipped, Transcript
from memsuggest.core.render.page import FAINT, GOOD, HEAD, ID, INDENT, PATH, SHORT, WARN, Page, count, show_skipped
from memsuggest.core.render.safe_output import one_line
from memsuggest.core.text.when import iso
from memsuggest.judging.model_reports import Postponed, Request, show_requests
from memsuggest.suggestions.decision_reports import AlreadyThere
from memsuggest.suggestions.listed import in_order
from memsuggest.suggestions.status_report import CAUGHT_UP, EMPTY, show_header
from memsuggest.suggestions.suggestion_lines import (
    SuggestionView,
    place_written,
    show_contradictions,
    show_gone,
    show_maintenance,
    show_new,
    show_rest,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reconciled:
    """The results of a run: chats read, facts learned and pending suggestions."""

    mode: Mode
    engine: Annotated[str, "The engine used: `offline`, or the model that was asked."]
    better: Annotated[str, "A better engine that is available, and the command to use it.", or_null] = ""
    last_run: Annotated[int | None, "When chats were last read before this run (ISO 8601); null if never.", iso]
    is_dry: Annotated[bool, "Whether this was a dry run, which stores nothing.", Key("dryRun")] = False
    read: Annotated[int, "Chats read in this run.", Key("transcriptsRead")] = 0
    unchanged: Annotated[int, "Chats that have not changed since they were last read.", Key("transcriptsUnchanged")] = 0
    new_facts: int = 0
    shared_facts: Annotated[int, "Facts written to the team's file in this run."] = 0
    joined: Annotated[int, "Facts that a model merged with others that say the same thing."] = 0
    raised: Annotated[int, "Low-confidence suggestions that a model confirmed."] = 0
    maybes: Annotated[int, "Number of low-confidence suggestions; list them with `list --maybe`."] = 0
    pruned: Annotated[tuple[MemoryFact, ...], "Facts removed because the limits on stored facts were exceeded."] = ()
    postponed: Annotated[tuple[Postponed, ...], "Chats that a model could not evaluate; they stay pending."] = ()
    requests: Annotated[tuple[Request, ...], "In a dry run, the requests that would be sent to a model."] = ()
    suggestions: Annotated[tuple[SuggestionView, ...], "All pending suggestions, best first."]
    maintenance: Annotated[tuple[SuggestionView, ...], "Pending maintenance of customization files.", Key("care")] = ()
    maintenance_held: Annotated[
        Mapping[str, int],
        "Number of further maintenance items per file; they are shown once you have decided on the current ones.",
        Key("careHeld"),
    ] = field(default_factory=dict)
    stale_facts: Annotated[int, "Facts that mention deleted files or names; list them with `memory clean --stale`."] = 0
    contradictions: tuple[Contradiction, ...] = ()
    receipts: Annotated[
        tuple[MemoryFact, ...], "Facts stored immediately because of a directive such as `remember: …`."
    ] = ()
    written: Annotated[
        tuple[MemoryFact, ...],
        "New facts found only in an assistant's documents; they stay pending until you confirm them.",
    ] = ()
    written_before: Annotated[int, "Number of facts found in earlier runs that are still pending."] = 0
    already_there: tuple[AlreadyThere, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    dangerous: Hidden[frozenset[str]] = frozenset()  # ids of suggestions whose rules weaken safety
    unread: Hidden[Mapping[str, str]] = field(default_factory=dict)
    """By the ids of suggestions, the assistant that was told and does not read the file by itself."""
    seen: Hidden[frozenset[str]] = frozenset()
    """Ids of what was shown at the last look: one line tells of these."""
    older: Hidden[int] = 0  # transcripts that were never read, since they are older than is wanted
    since: Hidden[str] = "all"  # how far back chats are read

    @property
    def is_of_all(self) -> bool:
        """Tell whether it shows all that is pending, not only what would be."""
        return not self.is_dry

    def show(self, page: Page) -> None:
        if self.mode is Mode.OFF:
            page.line(EMPTY[Mode.OFF])
            return
        last_run = self.last_run if self.is_dry else page.now
        show_header(page, mode=self.mode, last_run=last_run, pending=len(self.suggestions))
        _show_counts(page, self)
        news, needs = show_new(
            page, self.suggestions, self.maintenance, seen=self.seen, dangerous=self.dangerous, unread=self.unread
        )
        show_contradictions(page, self.contradictions)
        for fact in self.receipts:
            about = f"({fact.kind}, {fact.scope}, {fact.id[:SHORT]})"
            page.line(("Remembered", GOOD), f": {one_line(fact.content)} ", (about, FAINT))
        if self.already_there:
            page.line()
            page.line(("Already in your files", HEAD), f" ({len(self.already_there)})")
        for there in self.already_there:
            page.line("  ", one_line(there.fact.content, limit=90), (f"  {there.target_uri}:{there.line}", PATH))
        if self.pruned:
            page.line()
            show_gone(page, self.pruned, verb="pruned")
        if not self.suggestions and not self.postponed:
            is_anything_there = self.read or self.unchanged or self.older
            page.line(CAUGHT_UP if is_anything_there else NO_CHATS)
        _show_facts_to_look_at(page, self)
        _show_written(page, self.written, before=self.written_before)
        show_maintenance(page, needs, held=self.maintenance_held)
        show_rest(page, self.suggestions, self.maintenance, seen=self.seen)
        show_skipped(page, self.skipped)
        if self.requests:
            show_requests(page, self.requests)
        if news and not self.is_dry:
            look = f"`memsuggest show {in_order(news, seen=())[0].id[:SHORT]}`"
            page.line()
            page.faint(f"run {look} for details, or `memsuggest review` to decide on all suggestions")
        unsure = count(self.maybes, "low-confidence suggestion", "low-confidence suggestions")
        parts = [f"{unsure} (`memsuggest list --maybe`)"] if self.maybes else []
        parts += [one_line(self.better)] if self.better else []
        if parts and not page.quiet:
            page.faint("; ".join(parts))


class VerdictJson(TypedDict):
    """The result for a sentence."""

    turn: Annotated[int, "The number of the message in the chat, starting at 1."]
    text: str
    outcome: Annotated[Outcome | None, "The result for the sentence; null if it was dropped."]
    kept: Annotated[bool, "Whether the sentence was kept."]
    why: str


def _typed_turns(transcript: Transcript) -> int:
    return sum(1 for turn in transcript.turns if turn.typed)


def _verdicts(rows: Iterable[tuple[int, str, Outcome | None, str]]) -> list[VerdictJson]:
    return [
        {"turn": turn, "text": text, "outcome": outcome, "kept": outcome is not None, "why": why}
        for turn, text, outcome, why in rows
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """Facts that an engine found in one transcript."""

    path: str
    format: ClassVar = Also("transcript.format", str, "The transcript format, such as `claude-code`.")
    session_id: ClassVar = Also("transcript.session_id", str, "The chat's ID.")
    transcript: Annotated[Transcript, "Number of messages in which you typed text.", Key("typedTurns"), _typed_turns]
    candidates: Annotated[tuple[Candidate, ...], Key("facts")]
    skipped: tuple[Skipped, ...]
    verdicts: Annotated[
        IfAny[tuple[tuple[int, str, Outcome | None, str], ...]],
        "With `--explain`, the result for each sentence.",
        _verdicts,
    ] = ()
    """Turn, sentence, outcome (None for neither), why: for `--explain`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Extracted:
    """Facts found in transcripts."""

    engine: Annotated[str, "The engine used: `offline`, or the model that was asked."]
    extractions: Annotated[tuple[Extraction, ...], Key("transcripts")]
    skipped: Annotated[tuple[Skipped, ...], "Files that could not be read."] = ()

    def show(self, page: Page) -> None:
        for extraction in self.extractions:
            page.line((extraction.path, PATH), f"  {extraction.transcript.format}, {self.engine} engine")
            maybes = [candidate for candidate in extraction.candidates if candidate.outcome is Outcome.MAYBE]
            for candidate in extraction.candidates:
                if candidate not in maybes:
                    _show_candidate(page, candidate)
            if len(maybes) == len(extraction.candidates):
                page.faint("  nothing to remember")
            if maybes:
                page.line((f"  Low confidence ({len(maybes)})", HEAD), (" · not suggested", FAINT))
            for candidate in maybes:
                _show_candidate(page, candidate)
            if extraction.verdicts:
                page.head("Sentence by sentence", " · what you typed, and the reason for each result")
            for turn, text, outcome, why in sorted(extraction.verdicts, key=lambda verdict: verdict[0]):
                name, style = _VERDICTS[outcome]
                page.line((f"  {name:<9}  ", style), "“", one_line(text), "”", (f"  turn {turn}", FAINT), hang=13)
                page.faint(f"{'':13}{one_line(why)}")
            show_skipped(page, extraction.skipped)
        show_skipped(page, self.skipped)


PLACE = ".github/memories/facts.json"
NO_CHATS = "No chats found for this workspace. Run `memsuggest transcripts` to see where memsuggest looked."


def _show_counts(page: Page, report: Reconciled) -> None:
    read = count(report.read, "transcript read", "transcripts read")
    new = count(report.new_facts, "new fact", "new facts")
    dry = " (dry run: nothing was stored)" if report.is_dry else ""
    page.faint(f"{read}, {report.unchanged} unchanged, {new}, {report.engine} engine{dry}")
    if report.shared_facts:
        facts = count(report.shared_facts, "fact", "facts")
        how = ": list facts with `memsuggest memory list --facts`; remove one with `memsuggest memory forget ID`"
        page.line(f"{facts} written to {PLACE}", (how, FAINT))
    if report.older:
        chats = count(report.older, "chat is", "chats are")
        page.faint(f"{chats} older than {report.since}; to include older chats, run `memsuggest reconcile --since all`")


def _show_facts_to_look_at(page: Page, report: Reconciled) -> None:
    if report.joined:
        joined = count(report.joined, "fact merged with another that says", "facts merged with others that say")
        page.line(joined, " the same thing", ("; run `memsuggest undo` to revert the merge", FAINT))
    if report.raised:
        page.line(count(report.raised, "low-confidence suggestion confirmed", "low-confidence suggestions confirmed"))
    if report.stale_facts and not page.quiet:
        stale = count(report.stale_facts, "fact mentions", "facts mention")
        page.faint(f"{stale} deleted files or names; run `memsuggest memory clean --stale` for a list")


def _show_written(page: Page, written: Sequence[MemoryFact], *, before: int) -> None:
    if not written:
        return
    page.line()
    title = f"From documents your assistants wrote ({len(written)})"
    page.line((title, HEAD), (" · not suggested until confirmed", FAINT))
    for fact in written:
        page.line("  ", (fact.id[:SHORT], ID), "  ", one_line(fact.content), hang=INDENT)
        page.line((" " * INDENT + place_written(fact.citations[0]), PATH))
    if before:
        page.faint(f"  {before} more from earlier runs: see `memsuggest memory list --written`")
    keep, drop = (f"`memsuggest memory {verb} {written[0].id[:SHORT]}`" for verb in ("confirm", "forget"))
    page.faint(f"run {keep} to keep a fact, or {drop} to drop it")


_VERDICTS = {Outcome.SUGGEST: ("suggested", GOOD), Outcome.MAYBE: ("low", WARN), None: ("dropped", FAINT)}


def _show_candidate(page: Page, candidate: Candidate) -> None:
    first, about = candidate.citations[0], (f"  {candidate.kind}, {candidate.scope}", FAINT)
    page.line(f"  {candidate.confidence:.2f}  ", (one_line(candidate.content), HEAD), about, hang=8)
    page.line("        “", one_line(first.quote), "” ", (f"turn {first.turn}", FAINT), hang=9)
