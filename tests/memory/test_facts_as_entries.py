"""Facts stand in the layer of knowledge as long as they are true and sure."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path

from memory.conftest import NOW

from memsuggest.core.model import (
    Citation,
    Decision,
    FactStatus,
    Kind,
    MemoryFact,
    Scope,
    SuggestionStatus,
    Tombstone,
    Trust,
    fact_id,
)
from memsuggest.facts.profile import Profile, open_profile
from memsuggest.facts.profile_rows import m006_layers
from memsuggest.memory.entry import Layer, Source


def fact(
    content: str, *, trust: Trust = Trust.TYPED, confidence: float = 0.9, scope: Scope = Scope.WORKSPACE
) -> MemoryFact:
    return MemoryFact(
        id=fact_id(scope, content),
        content=content,
        kind=Kind.CORRECTION,
        scope=scope,
        confidence=confidence,
        citations=(Citation(session_id="s", turn=1, quote=content, trust=trust),),
        timestamp=NOW,
    )


def contents(profile: Profile) -> list[tuple[str, Source, str]]:
    return [
        (entry.content, entry.source, entry.project) for entry in profile.entries.entries(layers=(Layer.KNOWLEDGE,))
    ]


def test_they_come_with_the_trust_of_their_evidence(profile: Profile) -> None:
    """The person's word is the person's, an assistant's document is an assistant's, and the rest is nobody's."""
    profile.add(
        [
            fact("typed"),
            fact("about me", scope=Scope.USER),
            fact("written", trust=Trust.AGENT),
            fact("claimed", trust=Trust.CLAIMED),
            fact("a maybe", confidence=0.4),
            fact("doubtful", trust=Trust.DOUBTFUL),
        ]
    )
    assert sorted(contents(profile)) == [
        ("about me", Source.USER, ""),
        ("typed", Source.USER, "shop"),
        ("written", Source.AGENT, "shop"),
    ]


def test_they_follow_their_facts(profile: Profile) -> None:
    """Reworded, moved to the person, corrected, forgotten."""
    first = fact("use tabs")
    profile.add([first])
    profile.update([replace(first, content="use two spaces")])
    assert contents(profile) == [("use two spaces", Source.USER, "shop")]
    profile.update([replace(first, scope=Scope.USER)])
    assert contents(profile) == [("use tabs", Source.USER, "")]
    profile.update([replace(first, scope=Scope.USER, status=FactStatus.INACTIVE)])
    assert contents(profile) == []
    profile.update([replace(first, scope=Scope.USER)])
    assert contents(profile)
    profile.forget([Tombstone(fact_id=first.id)])
    assert contents(profile) == []
    assert profile.entries.connection.execute("SELECT count(*) FROM said_words").fetchone()[0] == 0


def test_counts_outlive_a_rewording(profile: Profile) -> None:
    """How often something was recalled is not lost with its words."""
    first = fact("use tabs")
    profile.add([first])
    profile.entries.connection.execute("UPDATE entries SET recall_count = 7")
    profile.update([replace(first, content="use tabs, always")])
    assert [entry.recall_count for entry in profile.entries.entries()] == [7]


def test_an_older_profile_gets_the_layers(tmp_path: Path) -> None:
    """With all facts that it has."""
    path = tmp_path / "profile.db"
    profile = open_profile(path, workspace="shop")
    profile.add([fact("kept from before")])
    profile.close()
    with sqlite3.connect(path) as old:
        old.execute("DROP TRIGGER entries_said_gone")
        for table in ("session_turns", "entries", "said_terms", "said_words", "recalls"):
            old.execute(f"DROP TABLE {table}")
        names = [m006_layers.__name__]
        old.execute(f"DELETE FROM migrations WHERE name IN ({', '.join('?' * len(names))})", names)
    old.close()
    again = open_profile(path, workspace="shop")
    assert contents(again) == [("kept from before", Source.USER, "shop")]
    again.close()


def test_what_was_dismissed_is_not_recalled(profile: Profile) -> None:
    """For as long as it stays dismissed, also when it is said again; a dismissal for one place hides nothing."""
    said = fact("Use uv")
    profile.add([said])
    profile.decide([Decision(fact_id=said.id, target="AGENTS.md", status=SuggestionStatus.DISMISSED)])
    assert contents(profile)
    profile.decide([Decision(fact_id=said.id, target=None, status=SuggestionStatus.DISMISSED)])
    profile.update([said])
    assert contents(profile) == []
    profile.decide([Decision(fact_id=said.id, target=None, status=SuggestionStatus.PENDING)])
    assert [content[0] for content in contents(profile)] == ["Use uv"]
