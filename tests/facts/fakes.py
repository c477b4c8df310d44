"""Facts to test with, and a store in memory that keeps the promises of `Store`."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from memsuggest.core.identity import session_hash
from memsuggest.core.model import Citation, Decision, MemoryFact, Scope, SuggestionStatus, Tombstone, fact_id
from memsuggest.facts.fact_store import Contents

if TYPE_CHECKING:
    from collections.abc import Iterable

DAY = 86_400_000
MONDAY = 1_772_409_600_000  # 2026-03-02, in milliseconds


def citation(quote: str = "always do it", *, session: str = "s1", turn: int = 1, **more: object) -> Citation:
    """A citation with a time that follows from its session and turn."""
    day = int(session.removeprefix("s")) if session.removeprefix("s").isdigit() else 1
    at = datetime.fromtimestamp(MONDAY / 1000, UTC).replace(day=1 + day, minute=turn % 60)
    return Citation(**{"session_id": session, "turn": turn, "quote": quote, "at": at, **more})


def fact(content: str, *, scope: Scope = Scope.WORKSPACE, **more: object) -> MemoryFact:
    """A fact with one citation of its own words."""
    citations = more.pop("citations", (citation(content, paths=("src/app.py",)),))
    known: dict[str, object] = {
        "id": fact_id(scope, content),
        "content": content,
        "scope": scope,
        "confidence": 0.8,
        "citations": citations,
        "timestamp": MONDAY,
        "source_session_id": session_hash("s1"),
    }
    return MemoryFact(**{**known, **more})


class MemoryStore:
    """A `Store` in memory."""

    def __init__(self) -> None:
        self._facts: dict[str, MemoryFact] = {}
        self._decisions: dict[tuple[str, str], Decision] = {}
        self._tombstones: dict[str, Tombstone] = {}

    def contents(self) -> Contents:
        return Contents(
            facts=tuple(self._facts[key] for key in sorted(self._facts)),
            decisions=tuple(self._decisions[key] for key in sorted(self._decisions)),
            tombstones=tuple(self._tombstones[key] for key in sorted(self._tombstones)),
        )

    def add(self, facts: Iterable[MemoryFact]) -> None:
        for new in facts:
            self._tombstones.pop(new.id, None)
            old = self._facts.setdefault(new.id, new)
            self._facts[new.id] = _united(old, new)

    def update(self, facts: Iterable[MemoryFact]) -> None:
        for new in facts:
            if new.id in self._facts:
                self._facts[new.id] = _united(new, self._facts[new.id])

    def forget(self, tombstones: Iterable[Tombstone]) -> None:
        for stone in tombstones:
            self._facts.pop(stone.fact_id, None)
            self._decisions = {key: one for key, one in self._decisions.items() if key[0] != stone.fact_id}
            self._tombstones[stone.fact_id] = stone

    def decide(self, decisions: Iterable[Decision]) -> None:
        for decision in decisions:
            key = (decision.fact_id, decision.target or "")
            self._decisions.pop(key, None)
            if decision.status is not SuggestionStatus.PENDING:
                self._decisions[key] = decision


def _united(first: MemoryFact, second: MemoryFact) -> MemoryFact:
    by_key = {one.evidence_key: one for one in (*second.citations, *first.citations)}
    keys = dict.fromkeys(one.evidence_key for one in (*first.citations, *second.citations))
    return replace(first, citations=tuple(by_key[key] for key in keys))
