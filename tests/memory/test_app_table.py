"""The table of app memories: the limit, isolation, the log, and what happens at the same time."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from memory.app_kit import NOW, new, store_at

from memsuggest.core.errors import StoreError
from memsuggest.core.model import AppAction, AppMaker
from memsuggest.memory.app_memory import Advice, Compaction


def fill(folder: Path, count: int = 10, *, app: str = "claude-code") -> None:
    store = store_at(folder)
    for number in range(count):
        store.remember(new(number, app=app), limit=10, now=NOW + number)
    store.close()


def test_apps_are_isolated(tmp_path: Path) -> None:
    """What makes room in one app leaves the others alone, even when both heard of the same conversation."""
    fill(tmp_path)
    fill(tmp_path, app="reviewer@shop")
    store = store_at(tmp_path)
    before = store.of("reviewer@shop")
    store.remember(new(11), limit=10, now=NOW + 50)
    store.purge("claude-code", now=NOW + 60, by=AppMaker.PERSON)
    assert store.of("reviewer@shop") == before
    assert not store.of("claude-code")


def test_a_conversation_is_remembered_once(tmp_path: Path) -> None:
    """Said again it changes nothing, gone on it is worded anew, let go of it stays away."""
    store = store_at(tmp_path)
    store.remember(new(1), limit=10, now=NOW)
    assert not store.remember(new(1), limit=10, now=NOW + 1).decisions
    longer = new(1, content="Asked: “fix the search box”. It works.")
    object.__setattr__(longer, "digest", "other")
    done = store.remember(longer, limit=10, now=NOW + 2)
    assert [decision.action for decision in done.decisions] == [AppAction.UPDATE]
    (held,) = store.of("claude-code")
    assert (held.content, held.created_at, held.updated_at) == (longer.content, NOW, NOW + 2)
    assert store.forget("claude-code", held.id, now=NOW + 3, by=AppMaker.PERSON)
    assert store.was_let_go("claude-code", "claude-code-1")


def test_a_models_decision_is_carried_out(tmp_path: Path) -> None:
    """A deletion or a merge, where everything is as it was shown."""
    fill(tmp_path)
    store = store_at(tmp_path)
    shown = store.of("claude-code")
    delete = Compaction(action=AppAction.DELETE, target=5, reason="over", by=AppMaker.MODEL)
    done = store.remember(new(10), limit=10, now=NOW + 20, advice=Advice(shown=shown, decision=delete))
    assert [(decision.action, decision.memory_id, decision.by) for decision in done.decisions][-1] == (
        AppAction.DELETE,
        5,
        AppMaker.MODEL,
    )
    shown = store.of("claude-code")
    merge = Compaction(action=AppAction.MERGE, target=6, content="Both.", reason="same", by=AppMaker.MODEL)
    done = store.remember(new(11), limit=10, now=NOW + 21, advice=Advice(shown=shown, decision=merge))
    assert done.memory is not None
    assert (done.memory.id, done.memory.content, done.memory.related) == (6, "Both.", ("claude-code-11",))
    assert len(store.of("claude-code")) == 10
    assert store.holding("claude-code", "claude-code-11") == done.memory
    assert not store.remember(new(11), limit=10, now=NOW + 22).decisions


def test_a_decision_about_others_counts_nothing(tmp_path: Path) -> None:
    """What was decided about memories that have changed meanwhile is decided anew, by rule."""
    fill(tmp_path)
    store = store_at(tmp_path)
    shown = store.of("claude-code")
    store.remember(new(10), limit=10, now=NOW + 20)  # another conversation ended: memory 1 went
    stale = Compaction(action=AppAction.DELETE, target=1, by=AppMaker.MODEL)
    done = store.remember(new(11), limit=10, now=NOW + 21, advice=Advice(shown=shown, decision=stale))
    assert [(decision.action, decision.memory_id, decision.by) for decision in done.decisions][-1] == (
        AppAction.DELETE,
        2,
        AppMaker.RULE,
    )
    assert len(store.of("claude-code")) == 10


def test_after_a_failure_the_oldest_goes(tmp_path: Path) -> None:
    """Whatever went wrong with a model is told in the log."""
    store = store_at(tmp_path)
    for number in range(10):
        store.remember(new(number, importance=9 - number), limit=10, now=NOW + number)
    done = store.remember(new(10), limit=10, now=NOW + 20, advice=Advice(shown=(), failure="too slow"))
    last = done.decisions[-1]
    assert (last.action, last.memory_id, last.reason) == (AppAction.DELETE, 3, "the oldest memory; too slow")


def test_a_purge_leaves_no_words(tmp_path: Path) -> None:
    """What was remembered is gone from the file and its log; that it went is known."""
    store = store_at(tmp_path)
    word = "zanzibarfish"
    store.remember(new(1, content=f"Asked about the {word}."), limit=1, now=NOW)
    shown = store.of("claude-code")
    told = Compaction(action=AppAction.DELETE, target=shown[0].id, reason=f"{word} is over", by=AppMaker.MODEL)
    store.remember(new(2, content=f"The {word} again."), limit=1, now=NOW, advice=Advice(shown=shown, decision=told))
    assert len(store.purge("claude-code", now=NOW + 5, by=AppMaker.API)) == 1
    store.close()
    left = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert word.encode() not in left
    decisions = store_at(tmp_path).decisions("claude-code")
    assert [(decision.action, decision.by) for decision in decisions][:1] == [(AppAction.PURGE, AppMaker.API)]
    assert not any(word in decision.reason for decision in decisions)


def test_forgotten_words_take_memories_with_them(tmp_path: Path) -> None:
    """In all apps, whatever the punctuation; short words take none, and others stay."""
    store = store_at(tmp_path)
    store.remember(new(1, content="Decided: “Always keep prices in cents”."), limit=10, now=NOW)
    store.remember(new(2, app="codex", content="Asked: “keep prices in cents, please”."), limit=10, now=NOW)
    store.remember(new(3, content="Asked: “fix the search box”."), limit=10, now=NOW)
    assert store.forget_words(["box", ""], now=NOW + 1) == 0
    assert store.forget_words(["keep prices in cents!"], now=NOW + 1) == 2
    assert [one.content for one in store.of("claude-code")] == ["Asked: “fix the search box”."]
    assert store.decisions("codex")[0].reason == "the memory repeats a forgotten fact"
    assert store.was_let_go("codex", "codex-2")


def test_a_failure_in_the_middle_changes_nothing(tmp_path: Path) -> None:
    """Creation and compaction are one step: when the log cannot be written, neither happens."""
    fill(tmp_path)
    connection = sqlite3.connect(tmp_path / "profile.db")
    connection.execute("CREATE TRIGGER refuse BEFORE INSERT ON app_decisions BEGIN SELECT raise(ABORT, 'no'); END")
    connection.commit()
    connection.close()
    store = store_at(tmp_path)
    before = store.of("claude-code")
    with pytest.raises(sqlite3.IntegrityError):
        store.remember(new(10), limit=10, now=NOW + 20)
    assert store.of("claude-code") == before


@pytest.mark.parametrize("metadata", ["", "[]", "null", '{"madeBy": "nobody"}', '{"importance": "much"}'])
def test_a_damaged_row_is_told(tmp_path: Path, metadata: str) -> None:
    """A row that no program of ours has written is an error with a hint, not a traceback."""
    fill(tmp_path, 1)
    connection = sqlite3.connect(tmp_path / "profile.db")
    connection.execute("UPDATE app_memories SET metadata = ?", (metadata,))
    connection.commit()
    connection.close()
    with pytest.raises(StoreError, match="unreadable"):
        store_at(tmp_path).of("claude-code")
