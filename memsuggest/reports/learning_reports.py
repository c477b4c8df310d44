"""Reports on what was learned."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memsuggest.config import Mode
    from memsuggest.model import Candidate, Contradiction, MemoryFact, MemorySuggestion, Outcome, Skipped, Transcript
    from memsuggest.reports.batch_report import BatchReceipt


@dataclass(frozen=True, slots=True, kw_only=True)
class AlreadyThere:
    """A fact that a customization file says already."""

    fact: MemoryFact
    target_uri: str
    line: int
    """From 1."""
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Postponed:
    """A transcript that a model was asked about in vain."""

    path: str
    why: str
    hint: str
    offered: int
    """How many things worth remembering our own rules find in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A request to a model."""

    endpoint: str
    model: str
    purpose: str
    about: str
    tokens: int
    """About how many."""
    micros: int
    """What it would cost at most, in millionths of a dollar."""
    token_usage: int | None = None
    """Tokens that the assistant itself used in the session; None where nobody knows, or it is about none."""
    command: tuple[str, ...] = ()
    """The command line, where a program would be asked."""
    texts: tuple[str, ...]
    """All of its texts, in their order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reconciled:
    """The answer of `reconcile`."""

    mode: Mode
    engine: str
    last_run: int | None
    better: str = ""
    """What would have judged better, and the command for it; empty where nothing would or may."""
    suggestions: tuple[MemorySuggestion, ...]
    dangerous: frozenset[str] = frozenset()
    """Ids of suggestions whose rules weaken safety."""
    unread: Mapping[str, str] = field(default_factory=dict)
    """By the ids of suggestions, the assistant that was told and does not read the file by itself."""
    maintenance: tuple[MemorySuggestion, ...] = ()
    """What files need by themselves, after what was said."""
    maintenance_held: Mapping[str, int] = field(default_factory=dict)
    """By file, how much more it needs than is shown at a time."""
    stale_facts: int = 0
    """Facts that speak of what is gone; `facts check --stale` shows them."""
    seen: frozenset[str] = frozenset()
    """Ids of what was shown at the last look: one line tells of these."""
    contradictions: tuple[Contradiction, ...] = ()
    receipts: tuple[MemoryFact, ...] = ()
    """Facts that directives made at once."""
    written: tuple[MemoryFact, ...] = ()
    """New facts that only a document of an assistant says; not suggested before the person says that they hold."""
    written_before: int = 0
    """How many more such facts wait since earlier runs, where there are new ones."""
    already_there: tuple[AlreadyThere, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    read: int = 0
    """Transcripts read in this run."""
    unchanged: int = 0
    """Transcripts known and not changed since."""
    older: int = 0
    """Transcripts that were never read, since they are older than is wanted."""
    since: str = "all"
    """How far back chats are read."""
    new_facts: int = 0
    shared_facts: int = 0
    """How many the run wrote to the team's file."""
    joined: int = 0
    """Facts that went into others which say the same, as a model judged; `undo` takes it back."""
    raised: int = 0
    """Maybes that are suggested now, as a model judged."""
    maybes: int = 0
    """How much is kept aside that could be a rule; `list --maybe` shows it."""
    pruned: tuple[MemoryFact, ...] = ()
    """Facts beyond the limits, which are forgotten now."""
    postponed: tuple[Postponed, ...] = ()
    """Transcripts that a model was asked about in vain; they stay pending."""
    in_batch: int = 0
    """Transcripts that a batch is asked about, which has not answered yet; they stay pending."""
    batch: BatchReceipt | None = None
    """What was sent in batches and what came back; None where there was neither."""
    requests: tuple[Request, ...] = ()
    """For a dry run: what would be sent."""
    is_dry: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """The findings of an engine in one transcript."""

    path: str
    transcript: Transcript
    candidates: tuple[Candidate, ...]
    skipped: tuple[Skipped, ...]
    verdicts: tuple[tuple[int, str, Outcome | None, str], ...] = ()
    """Turn, sentence, outcome (None for neither), why: for `--explain`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Extracted:
    """The answer of `extract`."""

    engine: str
    extractions: tuple[Extraction, ...]
    skipped: tuple[Skipped, ...] = ()
