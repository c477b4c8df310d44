"""Reports on what was learned."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, ClassVar, TypedDict

from memsuggest.asking.prices import dollars
from memsuggest.config import Mode
from memsuggest.json_shape import Also, Hidden, IfAny, Key, or_null
from memsuggest.model import Candidate, Contradiction, MemoryFact, Outcome, Skipped, Transcript
from memsuggest.reports.batch_report import BatchReceipt
from memsuggest.reports.suggestion_view import SuggestionView
from memsuggest.text.when import iso


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
    maybes: Annotated[int, "How much is kept aside: `list --maybe` shows it."] = 0
    pruned: Annotated[tuple[MemoryFact, ...], "Facts beyond the limits, which are forgotten now."] = ()
    postponed: Annotated[tuple[Postponed, ...], "Chats that a model was asked about in vain; they stay pending."] = ()
    in_batch: Annotated[int, "Chats that a batch is asked about, which has not answered yet."] = 0
    batch: Annotated[BatchReceipt | None, "What was asked in batches; null where nothing was."] = None
    requests: Annotated[tuple[Request, ...], "In a dry run: what would be sent to a model."] = ()
    suggestions: Annotated[tuple[SuggestionView, ...], "Everything that waits now, best first."]
    maintenance: Annotated[tuple[SuggestionView, ...], "What customization files need by themselves.", Key("care")] = ()
    maintenance_held: Annotated[
        Mapping[str, int],
        "By file, how much more care it needs: shown once what is shown now is settled.",
        Key("careHeld"),
    ] = field(default_factory=dict)
    stale_facts: Annotated[int, "Facts that speak of what is gone: `facts check --stale` shows them."] = 0
    contradictions: tuple[Contradiction, ...] = ()
    receipts: Annotated[tuple[MemoryFact, ...], "Facts that directives such as `remember: …` made at once."] = ()
    written: Annotated[
        tuple[MemoryFact, ...], "New facts that only a document of an assistant says: they wait for your word."
    ] = ()
    written_before: Annotated[int, "How many more such facts wait since earlier runs."] = 0
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
