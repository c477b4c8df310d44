"""What is remembered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memsuggest.model import MemoryFact, Skipped
    from memsuggest.reports.deciding import Decided


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


@dataclass(frozen=True, slots=True, kw_only=True)
class FactChanged:
    """What a fact command did."""

    verb: str
    """`added`, `edited`, `forgot`, …"""
    fact: MemoryFact


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """What `facts check` found."""

    path: str
    facts: int
    problems: tuple[Skipped, ...]
