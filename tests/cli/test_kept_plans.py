"""A run in which nothing changed plans nothing; whatever changed is seen, however it changed."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from builders import claude_session
from cli.conftest import Run

from memsuggest.core.model import MemoryFact
from memsuggest.learning import reconcile as workflow
from memsuggest.suggestions import suggesting

PAGE = "# Kiln\n\n## Conventions\n\n- Write dates as year, month, day.\n"
RULE = "remember: glazes are named after rivers"


@pytest.fixture
def planned(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Gets an entry for each time that suggestions are planned."""
    times: list[str] = []
    plan = workflow.refresh_pending

    def counted(*given: object, **named: object) -> object:
        times.append("planned")
        return plan(*given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(workflow, "refresh_pending", counted)
    return times


@pytest.fixture
def kiln(run: Run, git_repo: Path, home: Path, planned: list[str]) -> Path:
    """A repo with a pending suggestion, reconciled twice."""
    (git_repo / "AGENTS.md").write_text(PAGE)
    claude_session(home, git_repo, RULE)
    run("reconcile")
    assert "lazes" in run("reconcile").out
    planned.clear()
    return git_repo


def change_unseen(page: Path) -> None:
    """The same size and the same time as before."""
    before = page.stat()
    page.write_text(PAGE.replace("year, month, day", "day, month, year"))
    os.utime(page, ns=(before.st_atime_ns, before.st_mtime_ns))


def add(page: Path) -> None:
    page.with_name("CLAUDE.md").write_text(PAGE)


@pytest.mark.parametrize("happens", [change_unseen, add, Path.unlink])
def test_a_changed_file_is_planned_for_anew(
    kiln: Path, run: Run, home: Path, planned: list[str], placed: list[str], happens: Callable[[Path], None]
) -> None:
    """And every rule is placed anew then, the new and the old."""
    first, second = run("reconcile", "--format", "json").json, run("reconcile", "--format", "json").json
    assert planned == [] and first["suggestions"] == second["suggestions"] != []
    assert first["skipped"] == second["skipped"]
    claude_session(home, kiln, f"remember: {NEW}", session="22222222-aaaa-4bbb-8ccc-222222222222")
    happens(kiln / "AGENTS.md")
    run("reconcile")
    assert planned == ["planned"] and sorted(placed) == [OLD, NEW]


@pytest.fixture
def placed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Gets the rules that are placed, each time that one is."""
    rules: list[str] = []
    place = suggesting.suggest

    def noted(fact: MemoryFact, *given: Any, **named: Any) -> Any:
        rules.append(fact.content)
        return place(fact, *given, **named)

    monkeypatch.setattr(suggesting, "suggest", noted)
    return rules


OLD, NEW = "Glazes are named after rivers", "Kilns are fired on Fridays"


def test_only_a_new_rule_is_placed(kiln: Path, run: Run, home: Path, placed: list[str]) -> None:
    """What came of the others is kept, and is what would come of them now."""
    claude_session(home, kiln, f"remember: {NEW}", session="22222222-aaaa-4bbb-8ccc-222222222222")
    warm = run("reconcile", "--format", "json").json["suggestions"]
    assert placed == [NEW]
    for path in home.rglob("state.db"):
        with closing(sqlite3.connect(path)) as state, state:
            state.execute("UPDATE plans SET told = '{}', key = ''")
    cold = run("reconcile", "--format", "json").json["suggestions"]
    assert sorted(placed[1:]) == [OLD, NEW]
    assert warm == cold and len(warm) == 2


def test_a_suggestion_lost_from_the_state_is_made_again(kiln: Path, run: Run, planned: list[str]) -> None:
    shown = run("list", "--format", "json").json["suggestions"]
    run("dismiss", shown[0]["id"])
    assert run("reconcile", "--format", "json").json["suggestions"] == []
    run("undo")
    assert [found["id"] for found in run("reconcile", "--format", "json").json["suggestions"]] == [shown[0]["id"]]
