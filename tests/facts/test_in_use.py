"""What was in use when something was said is remembered with the evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.core.model import Citation, MemoryFact, fact_id
from memsuggest.facts.profile import open_profile

if TYPE_CHECKING:
    from pathlib import Path


def test_it_is_stored_and_read_again(tmp_path: Path) -> None:
    """A citation comes back with the agents and skills that were in use."""
    said = Citation(session_id="s", turn=1, quote="tag first", in_use=("release", ".github/agents/reviewer.agent.md"))
    fact = MemoryFact(
        id=fact_id("workspace", "Tag first"), content="Tag first", confidence=0.9, citations=(said,), timestamp=1
    )
    profile = open_profile(tmp_path / "profile.db", workspace="w")
    profile.add([fact])
    assert profile.contents().facts[0].citations == (said,)
    profile.close()
