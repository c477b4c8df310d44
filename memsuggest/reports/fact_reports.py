"""What is remembered."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memsuggest.model import Candidate, Contradiction, MemoryFact, Skipped
    from memsuggest.reports.decision_reports import Decided


@dataclass(frozen=True, slots=True, kw_only=True)
class FactRows:
    """Facts, as `facts list` and `facts search` show them."""

    facts: tuple[MemoryFact, ...]
    query: str | None = None


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


@dataclass(frozen=True, slots=True, kw_only=True)
class FactChanged:
    """What a fact command did."""

    verb: str
    """`added`, `edited`, `forgot`, …"""
    fact: MemoryFact
    danger: str = ""
    """How it weakens safety, if it does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FactsChanged:
    """What a command did to all the facts that were named."""

    changes: tuple[FactChanged, ...]
    """At least one."""
    is_for_good: bool = False
    """No `undo` brings back what was forgotten."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pruned:
    """What `facts prune` let go of."""

    facts: tuple[MemoryFact, ...]
    """Worth least first."""
    is_dry: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """What `facts check` found."""

    path: str
    facts: int
    problems: tuple[Skipped, ...]


class FactVerdict(StrEnum):
    """What an entry of an imported file is here."""

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
        """Whether it can be taken."""
        return self.verdict in (FactVerdict.NEW, FactVerdict.FORGOTTEN)


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """What `facts import` found in a file, and what of it was taken."""

    path: str
    rows: tuple[Importable, ...]
    skipped: tuple[Skipped, ...] = ()
