"""The work of a run grows with the chats that there are, not with their square."""

from __future__ import annotations

import sqlite3
import sys
from pathlib import Path
from types import FrameType

import pytest
from builders import claude_session
from learning.watched import context_of, shop

from memsuggest.core.show_progress import no_progress
from memsuggest.learning.reconcile import reconcile

FEW, MANY = 60, 240
MOST = 1.6
"""Times the work of four times fewer chats, beyond four times: the square is sixteen times as much."""


def calls_of(repo: Path) -> int:
    """Count the calls of our functions and the steps of SQLite in one run."""
    calls = 0

    def counted(_frame: FrameType, event: str, _given: object) -> None:
        nonlocal calls
        calls += event == "call" or event == "c_call"

    context = context_of(repo)
    sys.setprofile(counted)
    try:
        reconcile(context, paths=[], person=None, progress=no_progress)
    finally:
        sys.setprofile(None)
        context.close()
    return calls


def work_after(folder: Path, home: Path, count: int, monkeypatch: pytest.MonkeyPatch) -> tuple[int, int]:
    """Return the calls for nothing new, and for one new chat, after so many chats with a rule each."""
    monkeypatch.setenv("MEMSUGGEST_SINCE", "all")
    folder.mkdir()
    repo = shop(folder)
    say = lambda number: claude_session(home, repo, f"remember: shelf {number} of the {'abcdefghij'[number % 10] * 5} hall is cleaned by team {number}", session=f"{number:08d}-aaaa-4bbb-8ccc-222222222222")
    for number in range(count):
        say(number)
    import time
    t=time.time()
    context = context_of(repo)
    r=reconcile(context, paths=[], person=None, progress=no_progress)
    context.close()
    print(count,'first',time.time()-t, r.new_facts, len(r.suggestions)); t=time.time()
    nothing = calls_of(repo)
    print('nothing',nothing,time.time()-t); t=time.time()
    say(count)
    new = calls_of(repo)
    print('new',new,time.time()-t)
    return nothing, new


def test_cost(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    few = work_after(tmp_path / "few", home, FEW, monkeypatch)
    many = work_after(tmp_path / "many", home, MANY, monkeypatch)
    print(few, many, [m/f for m,f in zip(many,few)])
    assert 0
