"""Reports on what was learned, and on what was asked in batches."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, ClassVar, TypedDict

from memsuggest.core.config import Mode
from memsuggest.core.json_shape import Also, Hidden, IfAny, Key, or_null
from memsuggest.core.model import Candidate, Contradiction, MemoryFact, Outcome, Skipped, Transcript
from memsuggest.core.render.page import FAINT, GOOD, HEAD, ID, INDENT, PATH, SHORT, WARN, Page, count, show_skipped
from memsuggest.core.render.safe_output import one_line
from memsuggest.core.text.when import iso
from memsuggest.judging.asking.outcomes import OUTCOMES
from memsuggest.judging.asking.prices import Usage, dollars, in_dollars
from memsuggest.suggestions.listed import in_order
from memsuggest.suggestions.status_report import CAUGHT_UP, EMPTY, show_header
from memsuggest.suggestions.suggestion_lines import (
    SuggestionView,
    place_written,
    show_contradictions,
    show_gone,
    show_groups,
    show_maintenance,
    show_news,
    show_rest,
    unseen,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchEstimate:
    """The estimate of a batch."""

    endpoint: str
    model: str
    questions: int
    chats: int
    tokens: int
    """About how many."""
    micros: int
    """What it costs at most, in millionths of a dollar; half of what it would cost by itself."""
    left: int
    """Questions for which the budgets have no room."""


@dataclass(slots=True, kw_only=True)
class BatchReceipt:
    """The receipt of batches: sent, come back, and not."""

    JSON_NAME = "Batch"
    sent: Annotated[int, "Questions that were sent in this run."] = 0
    answered: Annotated[int, "Questions of which the answers came, and were kept, in this run."] = 0
    _failed: ClassVar = Also("failures", dict[str, int], "Questions that got no usable answer, by what happened.")
    waiting: Annotated[int, "Questions that are not answered yet."] = 0
    unplaced: Annotated[int, "Answers about chats that were not found in this run; they are kept until they are."] = 0
    left: Annotated[int, "Questions for which the budgets have no room."] = 0
    is_declined: Annotated[bool, "Whether you did not want a batch to be sent."] = False
    is_unsure: Annotated[bool, "Whether nobody can tell yet if a batch arrived."] = False
    input_tokens: ClassVar = Also("usage.prompt", int, "Tokens that were sent, of what came back.")
    output_tokens: ClassVar = Also("usage.output", int, "Tokens of what came back.")
    micros: Annotated[int, "What that cost.", Key("dollars"), dollars] = 0
    failed: Hidden[Counter[str]] = field(default_factory=Counter)
    """Questions that got no usable answer in this run, by what happened; they are asked again."""
    usage: Hidden[Usage] = field(default_factory=Usage)
    """Tokens of what came back in this run."""
    elsewhere: Hidden[str] = ""
    """Another endpoint at which a batch waits."""

    @property
    def is_empty(self) -> bool:
        """Tell whether there is nothing to tell."""
        counts = (self.sent, self.answered, self.waiting, self.unplaced, self.left, *self.failed.values())
        return not (any(counts) or self.is_unsure or self.is_declined or self.elsewhere)

    @property
    def failures(self) -> Mapping[str, int]:
        """The failures, and how often each."""
        return dict(self.failed)


@dataclass(frozen=True, slots=True, kw_only=True)
class AlreadyThere:
    """A fact that a customization file says already."""

    fact_id: ClassVar = Also("fact.id", str)
    content: ClassVar = Also("fact.content", str, "The rule.")
    target_uri: Annotated[str, "The file."]
    line: Annotated[int, "From 1."]
    fact: Hidden[MemoryFact]
    text: Hidden[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Postponed:
    """A chat that a model was asked about in vain."""

    path: str
    why: str
    hint: Annotated[str, "What to do about it."]
    offered: Annotated[int, "How much `--engine offline` would find in it.", Key("offlineCandidates")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A request to a model."""

    endpoint: Annotated[str, "The endpoint or program that would be asked."]
    model: str
    purpose: str
    about: Annotated[str, "What it is about: a chat, the facts …"]
    tokens: Annotated[int, "About how many."]
    micros: Annotated[int, "What it would cost at most.", Key("dollars"), dollars]
    token_usage: Annotated[
        int | None, "What the assistant itself used in that chat; null: nobody knows.", Key("assistantTokens")
    ] = None
    command: Annotated[tuple[str, ...], "The command line, where a program would be asked.", or_null] = ()
    texts: Annotated[tuple[str, ...], "All of its texts, word for word."]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reconciled:
    """The results of a run: read, learned, suggested."""

    mode: Mode
    engine: Annotated[str, "Who judged: `offline`, or the engine that was asked."]
    better: Annotated[str, "What would have judged better, and the command for it.", or_null] = ""
    last_run: Annotated[int | None, "When chats were last read before this run, as ISO 8601; null: never.", iso]
    is_dry: Annotated[bool, "Whether nothing was stored.", Key("dryRun")] = False
    read: Annotated[int, "Chats that were read in this run.", Key("transcriptsRead")] = 0
    unchanged: Annotated[int, "Chats that are known and have not changed.", Key("transcriptsUnchanged")] = 0
    new_facts: int = 0
    shared_facts: Annotated[int, "Facts that this run wrote to the team's file."] = 0
    joined: Annotated[int, "Facts that went into others which say the same, as a model judged."] = 0
    raised: Annotated[int, "Maybes that are suggested now, as a model judged."] = 0
    maybes: Annotated[int, "How many have low confidence: `list --maybe` shows them."] = 0
    pruned: Annotated[tuple[MemoryFact, ...], "Facts beyond the limits, which are forgotten now."] = ()
    postponed: Annotated[tuple[Postponed, ...], "Chats that a model was asked about in vain; they stay pending."] = ()
    in_batch: Annotated[int, "Chats that a batch is asked about, which has not answered yet."] = 0
    batch: Annotated[BatchReceipt | None, "What was asked in batches; null where nothing was."] = None
    requests: Annotated[tuple[Request, ...], "In a dry run: what would be sent to a model."] = ()
    suggestions: Annotated[tuple[SuggestionView, ...], "Everything that is pending now, best first."]
    maintenance: Annotated[tuple[SuggestionView, ...], "What customization files need by themselves.", Key("care")] = ()
    maintenance_held: Annotated[
        Mapping[str, int],
        "By file, how much more maintenance it needs: shown once what is shown now is settled.",
        Key("careHeld"),
    ] = field(default_factory=dict)
    stale_facts: Annotated[int, "Facts that mention what is gone: `memory check --stale` shows them."] = 0
    contradictions: tuple[Contradiction, ...] = ()
    receipts: Annotated[tuple[MemoryFact, ...], "Facts that directives such as `remember: …` made at once."] = ()
    written: Annotated[
        tuple[MemoryFact, ...],
        "New facts that only a document of an assistant says: they are pending until you confirm them.",
    ] = ()
    written_before: Annotated[int, "How many more such facts are pending since earlier runs."] = 0
    already_there: tuple[AlreadyThere, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    dangerous: Hidden[frozenset[str]] = frozenset()
    """Ids of suggestions whose rules weaken safety."""
    unread: Hidden[Mapping[str, str]] = field(default_factory=dict)
    """By the ids of suggestions, the assistant that was told and does not read the file by itself."""
    seen: Hidden[frozenset[str]] = frozenset()
    """Ids of what was shown at the last look: one line tells of these."""
    older: Hidden[int] = 0
    """Transcripts that were never read, since they are older than is wanted."""
    since: Hidden[str] = "all"
    """How far back chats are read."""

    def show(self, page: Page) -> None:
        """Print what a run found."""
        if self.mode is Mode.OFF:
            page.line(EMPTY[Mode.OFF])
            return
        show_header(page, mode=self.mode, last_run=self.last_run, pending=len(self.suggestions))
        _show_counts(page, self)
        news, new_maintenance = unseen(self.suggestions, self.seen), unseen(self.maintenance, self.seen)
        show_news(page, (*news, *new_maintenance), seen=self.seen)
        show_groups(page, news, dangerous=self.dangerous, unread=self.unread, maintenance=self.maintenance)
        show_contradictions(page, self.contradictions)
        for fact in self.receipts:
            page.line(
                ("Remembered", GOOD),
                f": {one_line(fact.content)} ",
                (f"({fact.kind}, {fact.scope}, {fact.id[:SHORT]})", FAINT),
            )
        _show_already_there(page, self.already_there)
        if self.pruned:
            page.line()
            show_gone(page, self.pruned, verb="pruned")
        if not self.suggestions and not self.postponed and not self.in_batch:
            is_anything_there = self.read or self.unchanged or self.older
            page.line(CAUGHT_UP if is_anything_there else NO_CHATS)
        _show_facts_to_look_at(page, self)
        _show_written(page, self.written, before=self.written_before)
        show_maintenance(page, new_maintenance, held=self.maintenance_held)
        show_rest(page, self.suggestions, self.maintenance, seen=self.seen)
        show_skipped(page, self.skipped)
        show_batch(page, self)
        show_requests(page, self.requests)
        if news and not self.is_dry:
            first = in_order(news, seen=())[0].id[:SHORT]
            page.line()
            page.faint(f"`memsuggest show {first}` explains one, `memsuggest review` walks through them")
        _show_who_could_judge(page, self)


class VerdictJson(TypedDict):
    """The outcome for a sentence."""

    turn: Annotated[int, "The number of the message in the chat, from 1."]
    text: str
    outcome: Annotated[Outcome | None, "What it became; null where nothing."]
    kept: Annotated[bool, "Whether it became anything."]
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
    """The findings of an engine in one transcript."""

    path: str
    format: ClassVar = Also("transcript.format", str, "The name of its reader, as `claude-code`.")
    session_id: ClassVar = Also("transcript.session_id", str, "The chat's own id.")
    transcript: Annotated[
        Transcript, "In how many messages the person typed something.", Key("typedTurns"), _typed_turns
    ]
    candidates: Annotated[tuple[Candidate, ...], Key("facts")]
    skipped: tuple[Skipped, ...]
    verdicts: Annotated[
        IfAny[tuple[tuple[int, str, Outcome | None, str], ...]],
        "With `--explain`: what became of each sentence.",
        _verdicts,
    ] = ()
    """Turn, sentence, outcome (None for neither), why: for `--explain`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Extracted:
    """The findings in transcripts."""

    engine: Annotated[str, "Who judged: `offline`, or the engine that was asked."]
    extractions: Annotated[tuple[Extraction, ...], Key("transcripts")]
    skipped: Annotated[tuple[Skipped, ...], "Files that could not be read."] = ()

    def show(self, page: Page) -> None:
        """Print what an engine found."""
        for extraction in self.extractions:
            page.line((extraction.path, PATH), f"  {extraction.transcript.format}, {self.engine} engine")
            maybes = [one for one in extraction.candidates if one.outcome is Outcome.MAYBE]
            for candidate in extraction.candidates:
                if candidate not in maybes:
                    _show_candidate(page, candidate)
            if len(maybes) == len(extraction.candidates):
                page.faint("  nothing to remember")
            if maybes:
                page.line((f"  Maybe ({len(maybes)})", HEAD), (" · low confidence, not suggested", FAINT))
            for candidate in maybes:
                _show_candidate(page, candidate)
            _show_verdicts(page, extraction)
            show_skipped(page, extraction.skipped)
        show_skipped(page, self.skipped)


def show_requests(page: Page, requests: Sequence[Request]) -> None:
    """Print what would be sent, word for word, and what it would cost at most."""
    for request in requests:
        page.line()
        page.line(
            ("Would be sent", HEAD),
            f" to {request.endpoint}, model {request.model}, for {request.purpose}: about {request.tokens:,} tokens,"
            f" at most {in_dollars(request.micros)}{_beside(request)}  ",
            (request.about, PATH),
        )
        if request.command:
            page.line(("  $ ", FAINT), one_line(shlex.join(request.command)))
        for text in request.texts:
            page.block(text, indent="  ")
    if requests:
        tokens, micros = sum(one.tokens for one in requests), sum(one.micros for one in requests)
        page.line()
        page.line(
            f"{count(len(requests), 'request', 'requests')}, about {tokens:,} tokens, at most {in_dollars(micros)}"
        )


def show_batch(page: Page, report: Reconciled) -> None:
    """Print what came back from batches, and what did not."""
    batch = report.batch
    if report.in_batch:
        chats = count(report.in_batch, "chat is pending", "chats are pending")
        page.line(f"{chats} for a batch", (": `memsuggest reconcile --batch` comes back to it", FAINT))
    if batch is None:
        return
    if batch.answered:
        usage = batch.usage
        page.line(
            (f"{count(batch.answered, 'question', 'questions')} answered in a batch", GOOD),
            f": {count(report.new_facts, 'new fact', 'new facts')}; {usage.prompt:,} tokens sent,"
            f" {usage.output:,} came back, {in_dollars(batch.micros)}",
        )
    for outcome, times in sorted(batch.failures.items()):
        page.line(
            (f"{count(times, 'question', 'questions')} of a batch without an answer", WARN), f": {_says(outcome)}"
        )
    if batch.sent and not batch.answered:
        page.line((f"{count(batch.sent, 'question', 'questions')} sent in a batch", GOOD))
    if batch.is_declined:
        page.line("nothing was sent")
    if batch.is_unsure:
        page.line("the receipt of a batch was lost on its way: it is looked for")
    if batch.unplaced:
        page.line(
            f"{count(batch.unplaced, 'answer is kept', 'answers are kept')} for chats that were not found in this run"
        )
    if batch.left:
        page.line(
            f"{count(batch.left, 'question', 'questions')} not sent",
            (": `memsuggest usage` shows the budgets, `memsuggest config set budgetPerRun 1` raises one", FAINT),
        )
    if batch.elsewhere:
        page.line(f"a batch is under way at {batch.elsewhere}, which is not asked now")


def _says(outcome: str) -> str:
    """Say what happened in the words of the outcome; what it may cost, and that it is asked again, is told there."""
    found = OUTCOMES.get(outcome)
    return found.says if found else outcome


def _beside(request: Request) -> str:
    """Say how much that is beside what the assistant itself used, where that is known."""
    return (
        f", {request.tokens / request.token_usage:.1%} of what the assistant used itself" if request.token_usage else ""
    )


PLACE = ".github/memories/facts.json"
NO_CHATS = "No chats of this workspace were found: `memsuggest transcripts` says where assistants were looked for."


def _show_who_could_judge(page: Page, report: Reconciled) -> None:
    """Print how much nobody has judged, and who could."""
    unsure = count(report.maybes, "low-confidence sentence", "low-confidence sentences")
    parts = [f"{unsure} (`memsuggest list --maybe`)"] if report.maybes else []
    parts += [one_line(report.better)] if report.better else []
    if parts and not page.quiet:
        page.faint("; ".join(parts))


def _show_counts(page: Page, report: Reconciled) -> None:
    """Print how much was read, and what was left out or could be better."""
    counts = [
        count(report.read, "transcript read", "transcripts read"),
        count(report.unchanged, "unchanged", "unchanged"),
    ]
    counts += [count(report.new_facts, "new fact", "new facts"), f"{report.engine} engine"]
    page.faint(", ".join(counts) + (" (dry run: nothing was stored)" if report.is_dry else ""))
    if report.shared_facts:
        facts = count(report.shared_facts, "fact", "facts")
        how = ": `memsuggest memory list --facts` shows them, `memsuggest memory forget ID` takes one back"
        page.line(f"{facts} written to {PLACE}", (how, FAINT))
    if report.older:
        chats = count(report.older, "chat is", "chats are")
        page.faint(f"{chats} older than {report.since}: `memsuggest reconcile --since all` reads them, too")


def _show_facts_to_look_at(page: Page, report: Reconciled) -> None:
    """Print which facts are alike, kept aside or stale, and the commands that show them."""
    if report.joined:
        joined = count(report.joined, "fact went into another that says", "facts went into others that say")
        page.line(joined, " the same", (": `memsuggest undo` takes it back", FAINT))
    if report.raised:
        page.line(count(report.raised, "maybe is suggested now", "maybes are suggested now"))
    if report.stale_facts and not page.quiet:
        speak = count(report.stale_facts, "fact speaks", "facts speak")
        page.faint(f"{speak} of what is gone: `memsuggest memory check --stale`")


def _show_written(page: Page, written: Sequence[MemoryFact], *, before: int) -> None:
    if not written:
        return
    page.line()
    about = " · not suggested before you say that they hold"
    page.line((f"In documents that an assistant wrote ({len(written)})", HEAD), (about, FAINT))
    for fact in written:
        page.line("  ", (fact.id[:SHORT], ID), "  ", one_line(fact.content), hang=INDENT)
        page.line((" " * INDENT + place_written(fact.citations[0]), PATH))
    if before:
        page.faint(f"  {before} more pending since before: `memsuggest memory list --written`")
    first = written[0].id[:SHORT]
    page.faint(f"`memsuggest memory confirm {first}` takes one, `memsuggest memory forget {first}` drops it")


def _show_already_there(page: Page, already: Sequence[AlreadyThere]) -> None:
    if already:
        page.line()
        page.line(("Already there", HEAD), f" ({len(already)})")
    for there in already:
        page.line("  ", one_line(there.fact.content, limit=90), (f"  {there.target_uri}:{there.line}", PATH))


_VERDICTS = {Outcome.SUGGEST: ("suggested", GOOD), Outcome.MAYBE: ("maybe", WARN), None: ("no", FAINT)}


def _show_verdicts(page: Page, extraction: Extraction) -> None:
    """Print of each sentence what came of it, and why, in the order in which they were said."""
    if extraction.verdicts:
        page.head("Sentence by sentence", " · what you typed, and why it is a suggestion or not")
    turns = sorted(extraction.verdicts, key=lambda verdict: verdict[0])
    for turn, text, outcome, why in turns:
        name, style = _VERDICTS[outcome]
        page.line((f"  {name:<9}  ", style), "“", one_line(text), "”", (f"  turn {turn}", FAINT), hang=13)
        page.faint(f"{'':13}{one_line(why)}")


def _show_candidate(page: Page, candidate: Candidate) -> None:
    page.line(
        f"  {candidate.confidence:.2f}  ",
        (one_line(candidate.content), HEAD),
        (f"  {candidate.kind}, {candidate.scope}", FAINT),
        hang=8,
    )
    first = candidate.citations[0]
    page.line("        “", one_line(first.quote), "” ", (f"turn {first.turn}", FAINT), hang=9)
