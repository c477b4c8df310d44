"""Reports on facts."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memsuggest.model import Candidate, Contradiction, MemoryFact, Skipped
    from memsuggest.reports.decision_reports import Decided
    from memsuggest.reports.held_report import HeldRule


@dataclass(frozen=True, slots=True, kw_only=True)
class FactRows:
    """Facts, as `facts list` and `facts search` show them."""

    facts: tuple[MemoryFact, ...]
    query: str | None = None
    dismissed: frozenset[str] = frozenset()
    """Ids of those that were dismissed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FactShown:
    """One fact, whole."""

    fact: MemoryFact
    decisions: tuple[Decided, ...] = ()
    in_shared_file: bool = False
    note: str = ""
    """What else is to be said of it."""
    contradictions: tuple[Contradiction, ...] = ()
    """Facts that cannot hold beside it, none of them decided."""
    promotions: tuple[PromotedAs, ...] = ()
    """As what it was promoted to a Graphiti server."""
    held: tuple[HeldRule, ...] = ()
    """What became of the lines that it was applied to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PromotedAs:
    """A promotion of a fact."""

    endpoint: str
    kind: str
    scope: str
    at: int
    """Milliseconds since the epoch."""
    state: str
    """`waiting`, `queued`, `stored`, …; empty where nobody remembers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FactChanged:
    """A change by a fact command."""

    verb: str
    """`added`, `edited`, `forgot`, …"""
    fact: MemoryFact
    danger: str = ""
    """How it weakens safety, if it does."""
    notes: tuple[str, ...] = ()
    """What became of it elsewhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FactsChanged:
    """Changes of all the facts that were named."""

    changes: tuple[FactChanged, ...]
    """At least one."""
    is_for_good: bool = False
    """No `undo` brings back what was forgotten."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pruned:
    """The answer of `facts prune`."""

    facts: tuple[MemoryFact, ...]
    """Worth least first."""
    is_dry: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class StaleFact:
    """A fact that speaks of what is gone."""

    fact: MemoryFact
    what: str
    """What is gone, in a sentence."""
    why: str
    """The commit that took it away, or what was looked at."""
    new_content: str
    """The fact with the new names; empty where nothing is left of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """The answer of `facts check`."""

    path: str
    facts: int
    problems: tuple[Skipped, ...]
    stale: tuple[StaleFact, ...] = ()
    """With `--stale`: facts of both stores that speak of what is gone."""


class FactVerdict(StrEnum):
    """The standing of an imported entry here."""

    NEW = "new"
    KNOWN = "known"
    FORGOTTEN = "forgotten"
    """It, or its words, had been forgotten on purpose; to take it brings it back."""
    TAKEN = "taken"


@dataclass(frozen=True, slots=True, kw_only=True)
class Importable:
    """An entry of an imported file."""

    candidate: Candidate
    fact: MemoryFact
    """As which it would be stored."""
    verdict: FactVerdict
    other: MemoryFact | None = None
    """The fact that it is, or that it contradicts."""

    @property
    def id(self) -> str:
        """The id under which it would be stored."""
        return self.fact.id

    @property
    def is_open(self) -> bool:
        """Tell whether it can be taken."""
        return self.verdict in (FactVerdict.NEW, FactVerdict.FORGOTTEN)


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """The answer of `facts import`: a file's facts, and those of them that were taken."""

    path: str
    rows: tuple[Importable, ...]
    skipped: tuple[Skipped, ...] = ()
