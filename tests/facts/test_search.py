"""Whatever a person types finds facts, and nothing that they type does harm."""

from __future__ import annotations

from cases import cases
from facts.fakes import citation, fact
from hypothesis import given
from hypothesis import strategies as st

from memsuggest.facts.look_at_facts import search_among

FOUND = {
    "C++": "Write new modules in C++ only",
    "c#": "The old client is C#",
    "it's forbidden": "It's forbidden to log passwords",
    "#1": "Rule #1: be kind to reviewers",
    "-npm": "Use pnpm, never npm",
    "npm OR": "Use pnpm, never npm",
    "migration": "Run migrations before deploying",
    "deploy": "Run migrations before deploying",
    "how do we run the migrations?": "Run migrations before deploying",
    "src/api/client.py": "Keep retries in src/api/client.py",
    "naive": "Naïve Bayes lives in `ml/`",
    "データベース": "データベースをモックしない",
    "🚀": "Announce releases with 🚀 in the channel",
    "->": "Annotate with -> None",
}


@cases(("query", "content"), FOUND.items())
def test_search(query: str, content: str) -> None:
    """Whatever is typed finds what it should, first."""
    assert search_among([*map(fact, FOUND.values())], query)[0].content == content


def test_search_ranks() -> None:
    """A fact that says it comes before one that was only said near it; all words before some of them."""
    quoted = fact("Use uv", citations=(citation("and the changelog was fine"),))
    reason = fact("Squash commits", reason="so that the changelog is short")
    said, both = fact("Keep the changelog terse"), fact("The changelog lists fixes")
    facts = [quoted, reason, said, both]
    assert [one.content for one in search_among(facts, "changelog")][2:] == ["Squash commits", "Use uv"]
    assert [one.content for one in search_among(facts, "changelog fixes")] == ["The changelog lists fixes"]
    assert len(search_among(facts, "changelog wizardry")) == 4
    assert len(search_among(facts, "changelog", limit=2)) == 2


@given(st.text())
def test_any_search(query: str) -> None:
    """No text makes a search fail."""
    search_among([fact("Use uv")], query)
