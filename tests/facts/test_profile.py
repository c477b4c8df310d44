"""The profile database: evidence, workspaces, search for anything a person may type, other processes, kills."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from facts.fakes import citation, fact
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memsuggest.core.model import Decision, Scope, SuggestionStatus, Tombstone, Trust
from memsuggest.facts.profile import Profile, open_profile

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def profile(tmp_path: Path) -> Iterator[Profile]:
    with closing(open_profile(tmp_path / "profile.db", workspace="here")) as opened:
        yield opened


def contents(profile: Profile) -> set[str]:
    return {one.content for one in profile.contents().facts}


def test_citations_come_back_whole(profile: Profile) -> None:
    """Evidence keeps quote, place, time, paths, trust and what was in use, in its order."""
    cited = (
        citation("two", session="s2", turn=9, trust=Trust.CLAIMED, format="aider"),
        citation("one", session="s1", paths=("a.py", "b c.py")),
        citation("no time", session="s3", at=None, in_use=("release", ".github/agents/reviewer.agent.md")),
    )
    profile.add([fact("Use uv", citations=cited)])
    assert profile.contents().facts[0].citations == cited


def test_dropped_facts_may_come_again(profile: Profile) -> None:
    """Dropping takes a fact with its words and evidence, and leaves nothing that would keep it away."""
    profile.add([fact("Use uv"), fact("Use tabs")])
    profile.drop([fact("Use uv")])
    assert contents(profile) == {"Use tabs"}
    assert profile.contents().tombstones == ()
    profile.add([fact("Use uv")])
    assert contents(profile) == {"Use tabs", "Use uv"}


def test_doubtful_words_become_typed_ones(profile: Profile) -> None:
    """A reader that knows more later says so; nothing makes typed words doubtful."""
    doubtful, typed = (citation("use uv", trust=trust) for trust in (Trust.DOUBTFUL, Trust.TYPED))
    profile.add([fact("Use uv", citations=(doubtful,))])
    profile.update([fact("Use uv", citations=(typed,))])
    profile.update([fact("Use uv", citations=(doubtful,))])
    assert [one.trust for one in profile.contents().facts[0].citations] == [Trust.TYPED]


def test_evidence_is_united(profile: Profile) -> None:
    """Each piece of evidence is kept once; the order is that of the last writer, and nobody's is dropped."""
    first, second, third = (citation(quote) for quote in ("one", "two", "three"))
    profile.add([fact("Use uv", citations=(second,))])
    profile.add([fact("Use uv", citations=(third,))])
    profile.update([fact("Use uv", citations=(first, second))])
    assert {one.quote for one in profile.contents().facts[0].citations} == {"one", "two", "three"}
    assert profile.contents().facts[0].citations[0] == first


def test_evidence_in_thousands_is_not_written_again(tmp_path: Path) -> None:
    """What comes before and after the evidence that is stored is added to it; in memory and on disk it is the same."""
    path = tmp_path / "profile.db"
    said = [citation(f"use uv {number}", turn=number) for number in range(2_000)]
    with closing(open_profile(path, workspace="w")) as profile:
        profile.add([fact("Use uv", citations=tuple(said[500:1_500]))])
        for number in range(100):
            known = profile.contents().facts[0]
            before, after = said[499 - number], said[1_500 + number]
            writes = profile.version[1]
            profile.update([replace(known, citations=(before, *known.citations, after))])
            assert profile.version[1] - writes < 100
        read = profile.contents()
    with closing(open_profile(path, workspace="w")) as anew:
        assert anew.contents() == read
    assert list(read.facts[0].citations) == said[400:1_600]


def test_workspaces_are_apart(tmp_path: Path) -> None:
    """A workspace sees its own facts and the person's own, never another's; the same words may be in several."""
    path = tmp_path / "profile.db"
    with closing(open_profile(path, workspace="here")) as here, closing(open_profile(path, workspace="there")) as there:
        here.add([fact("Use uv"), fact("Answer tersely", scope=Scope.USER)])
        there.add([fact("Use uv"), fact("Use tabs")])
        assert contents(here) == {"Use uv", "Answer tersely"}
        assert contents(there) == {"Use uv", "Use tabs", "Answer tersely"}
        here.forget([Tombstone(fact_id=fact("Use uv").id)])
        assert "Use uv" in contents(there)
        assert there.contents().tombstones == ()


def test_low_confidence_sentences_stay_in_their_workspace(tmp_path: Path) -> None:
    """What is perhaps pasted, or no rule at all, is not the person's word in another repo; once it is sure, it is."""
    path = tmp_path / "profile.db"
    doubtful = fact("Answer tersely", scope=Scope.USER, confidence=0.4)
    with closing(open_profile(path, workspace="here")) as here, closing(open_profile(path, workspace="there")) as there:
        here.add([doubtful])
        assert contents(there) == set()
        here.update([replace(doubtful, confidence=0.9)])
        assert contents(there) == contents(here) == {"Answer tersely"}


def test_user_facts_are_decided_and_forgotten_everywhere(tmp_path: Path) -> None:
    """What was decided about a user fact holds in every workspace."""
    path, mine = tmp_path / "profile.db", fact("Answer tersely", scope=Scope.USER)
    with closing(open_profile(path, workspace="here")) as here, closing(open_profile(path, workspace="there")) as there:
        here.add([mine])
        decision = Decision(fact_id=mine.id, target=None, status=SuggestionStatus.DISMISSED)
        here.decide([decision])
        assert there.contents().decisions == (decision,)
        there.forget([Tombstone(fact_id=mine.id)])
        assert here.contents().facts == here.contents().decisions == ()
        assert [tombstone.fact_id for tombstone in here.contents().tombstones] == [mine.id]


def test_forgotten_words_are_gone(tmp_path: Path) -> None:
    """After forgetting, the words stand nowhere in the files any more."""
    with closing(open_profile(tmp_path / "profile.db", workspace="here")) as profile:
        profile.add([fact(f"rule {number}") for number in range(30)] + [fact("Zanzibar is our codename")])
        profile.forget([Tombstone(fact_id=fact("Zanzibar is our codename").id)])
        assert not any(b"anzibar" in path.read_bytes() for path in tmp_path.iterdir())
    assert not any(b"anzibar" in path.read_bytes() for path in tmp_path.iterdir())


def test_dry_run(tmp_path: Path) -> None:
    """A profile opened for reading takes everything and writes nothing."""
    path = tmp_path / "profile.db"
    with closing(open_profile(path, workspace="here")) as profile:
        profile.add([fact("Use uv")])
    before = path.read_bytes()
    with closing(open_profile(path, workspace="here", read_only=True)) as profile:
        profile.add([fact("Use tabs")])
        profile.forget([Tombstone(fact_id=fact("Use uv").id)])
        assert contents(profile) == {"Use tabs"}
    assert path.read_bytes() == before


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)
@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=60))
def test_any_text_is_kept(profile: Profile, text: str) -> None:
    """Whatever a redacted fact says is stored, and found by its id."""
    profile.add([fact(text, id="x")])
    assert any(one.id == "x" for one in profile.contents().facts)
    profile.forget([Tombstone(fact_id="x")])
