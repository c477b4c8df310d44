"""The work of a run grows with the chats that there are, not with their square."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from builders import claude_session
from learning.watched import context_of, shop

import memsuggest
from memsuggest.core.show_progress import no_progress
from memsuggest.learning.reconcile import reconcile

FEWEST, FEW, MANY = 10, 50, 200
MOST = 6.0
"""Times the work that 150 more chats add, over what 40 more add: 3.75 in proportion, 15.6 by the square."""
OURS = str(Path(memsuggest.__file__).parent)
SYLLABLES = ("ka", "lo", "mi", "ta", "ren", "vor", "sul", "pin", "dax", "gom", "fel", "tri", "nor", "wex")


def run(repo: Path) -> None:
    context = context_of(repo)
    reconcile(context, paths=[], person=None, progress=no_progress)
    context.close()


def lines_of(work: Callable[[], None]) -> int:
    """Count the lines of ours that some work runs, each turn of a loop anew: no clock, so the same on every machine."""
    lines = 0

    def counted(frame: FrameType, event: str, _given: object) -> Any:
        nonlocal lines
        lines += event == "line"
        return counted if frame.f_code.co_filename.startswith(OURS) else None

    before = sys.gettrace()
    sys.settrace(counted)
    try:
        work()
    finally:
        sys.settrace(before)
    return lines


def work_after(chats: int, folder: Path, home: Path) -> tuple[int, int]:
    """Return the work of a run with nothing new, and of one with a new chat, after so many of which a third taught."""
    folder.mkdir()
    repo, chance = shop(folder), random.Random(3)

    def say(number: int) -> None:
        words = ["".join(chance.choices(SYLLABLES, k=3)) for _ in range(5)]
        rule = (
            "remember: {} {} of {} is {} before {}" if number % 3 == 0 else "please look at the {} page and the {} test"
        )
        claude_session(home, repo, rule.format(*words), session=f"{number:08d}-aaaa-4bbb-8ccc-222222222222")

    for number in range(chats):
        say(number)
    run(repo)
    nothing = lines_of(lambda: run(repo))
    say(3 * chats)
    return nothing, lines_of(lambda: run(repo))


def test_cost(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a look at chats that are known nor one new chat costs more than in proportion."""
    monkeypatch.setenv("MEMSUGGEST_SINCE", "all")
    fewest, few, many = (work_after(chats, tmp_path / str(chats), home) for chats in (FEWEST, FEW, MANY))
    for before, between, after in zip(fewest, few, many, strict=True):
        assert (after - between) / (between - before) < MOST, (fewest, few, many)
