"""Facts to test with."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from memsuggest.core.identity import session_hash
from memsuggest.core.model import Citation, MemoryFact, Scope, fact_id

if TYPE_CHECKING:
    pass

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
