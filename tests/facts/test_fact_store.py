"""The same promises, kept by both stores: the profile database and the shared file."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from facts.fakes import citation, fact

from memsuggest.core.model import Decision, FactStatus, Kind, SuggestionStatus, Tombstone
from memsuggest.facts.facts_file import PLACE, FactsFile
from memsuggest.facts.profile import Profile, open_profile

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TABS = fact("Use tabs")
PNPM = fact("Use pnpm")
Store = FactsFile | Profile
DISMISSED = Decision(fact_id=TABS.id, target=None, status=SuggestionStatus.DISMISSED)
APPLIED = Decision(fact_id=TABS.id, target="AGENTS.md", status=SuggestionStatus.APPLIED)
GONE = Tombstone(fact_id=TABS.id, words="abc", evidence=("e1", "e2"))


@pytest.fixture(params=["profile", "file"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    if request.param == "file":
        yield FactsFile(tmp_path / PLACE)
    else:
        with closing(open_profile(tmp_path / "profile.db", workspace="here")) as profile:
            yield profile


def contents_of(store: Store) -> list[tuple[str, str]]:
    return [(one.id, one.content) for one in store.contents().facts]


def test_empty(store: Store) -> None:
    """A new store holds nothing."""
    found = store.contents()
    assert (found.facts, found.decisions, found.tombstones) == ((), (), ())


def test_facts_by_id(store: Store) -> None:
    """What was added comes back, sorted by id, with all its fields."""
    rich = fact("Run make check", kind=Kind.PROCEDURE, reason="it is quick", tags=("ci", "tests"), paths=("a b.py",))
    store.add([TABS, PNPM, rich])
    assert [one.id for one in store.contents().facts] == sorted([TABS.id, PNPM.id, rich.id])
    back = {one.id: one for one in store.contents().facts}[rich.id]
    same = ("content", "reason", "kind", "scope", "confidence", "timestamp", "source_session_id", "status", "tags")
    assert [getattr(back, name) for name in same] == [getattr(rich, name) for name in same]
    assert "a b.py" in back.paths


def test_adding_again_changes_no_words(store: Store) -> None:
    """The first wording of a fact stays when the same fact is added again."""
    store.add([TABS])
    store.add([replace(TABS, content="Tabs, please", confidence=0.1)])
    assert contents_of(store) == [(TABS.id, "Use tabs")]


def test_update(store: Store) -> None:
    """Wording and status change under the same id; an unknown fact is not added."""
    store.add([TABS])
    store.update([replace(TABS, content="Indent with tabs", status=FactStatus.INACTIVE, superseded_by=PNPM.id), PNPM])
    (found,) = store.contents().facts
    assert (found.id, found.content, found.status) == (TABS.id, "Indent with tabs", FactStatus.INACTIVE)
    assert found.superseded_by == PNPM.id
    store.update([TABS])
    (found,) = store.contents().facts
    assert (found.content, found.status, found.superseded_by) == ("Use tabs", FactStatus.ACTIVE, None)


def test_forget(store: Store) -> None:
    """A forgotten fact takes its decisions along and leaves a tombstone; others stay."""
    store.add([TABS, PNPM])
    store.decide([DISMISSED, APPLIED])
    store.forget([GONE])
    assert contents_of(store) == [(PNPM.id, "Use pnpm")]
    assert store.contents().decisions == ()
    assert store.contents().tombstones == (GONE,)
    store.forget([GONE])
    assert store.contents().tombstones == (GONE,)


def test_added_again_on_purpose(store: Store) -> None:
    """Adding a forgotten fact brings it back and removes its tombstone."""
    store.add([TABS])
    store.forget([GONE])
    store.add([TABS])
    assert contents_of(store) == [(TABS.id, "Use tabs")]
    assert store.contents().tombstones == ()


def test_decisions(store: Store) -> None:
    """Decisions are kept by fact and target, the last one counts, and `pending` lifts one."""
    store.add([TABS])
    store.decide([DISMISSED, APPLIED])
    assert store.contents().decisions == (DISMISSED, APPLIED)
    store.decide([replace(APPLIED, status=SuggestionStatus.DISMISSED)])
    store.decide([replace(DISMISSED, status=SuggestionStatus.PENDING)])
    assert store.contents().decisions == (replace(APPLIED, status=SuggestionStatus.DISMISSED),)


def test_secrets_are_taken_out(store: Store) -> None:
    """Whatever way a secret came as far as here, it is not written."""
    secret = "gh" + "p_" + "a1B2" * 9
    leaky = fact(f"Log in with {secret}", reason=f"{secret} works", citations=(citation(f"use {secret}"),))
    store.add([leaky])
    assert secret not in repr(store.contents())
