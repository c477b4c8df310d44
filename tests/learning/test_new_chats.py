"""Chats that begin while somebody watches: they are followed at once, however their file comes to be."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from builders import claude_lines
from learning.watched import QUICK, RULES, Chat, shop, until, watched

from memsuggest.learning.watch.followed_sessions import Following

SOON = 5.0
"""Seconds in which a busy machine tells of a new chat; the next whole search is a minute away."""
Begin = Callable[[Path, Path], None]
SESSION = "77777777-aaaa-4bbb-8ccc-222222222222"
BOOKKEEPING: list[dict[str, Any]] = [
    {"type": "mode", "mode": "normal", "sessionId": SESSION},
    {
        "type": "file-history-snapshot",
        "messageId": "m",
        "snapshot": {"trackedFileBackups": {}},
        "isSnapshotUpdate": False,
    },
    {"type": "queue-operation", "operation": "enqueue", "timestamp": "2026-03-01T10:00:00.000Z", "sessionId": SESSION},
]
"""What Claude Code writes before the first prompt: nothing of it names the folder."""


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    return shop(tmp_path)


@pytest.fixture
def path(repo: Path, home: Path) -> Path:
    """Where the new chat will be, beside one that is known."""
    Chat(home, repo).say("please look at the footer")
    return home / ".claude/projects" / re.sub(r"[^A-Za-z0-9]", "-", str(repo)) / f"{SESSION}.jsonl"


@pytest.fixture
def searches(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[float]]:
    """When everything was searched."""
    times: list[float] = []
    search = Following.search

    def counted(self: Following) -> None:
        times.append(time.monotonic())
        search(self)

    monkeypatch.setattr(Following, "search", counted)
    yield times


def append(path: Path, *records: dict[str, Any]) -> None:
    with path.open("a", encoding="utf-8") as stream:
        stream.write("".join(json.dumps(record) + "\n" for record in records))


def turn(repo: Path) -> list[dict[str, Any]]:
    return claude_lines(repo, RULES[0], session=SESSION)


def bookkeeping_first(path: Path, repo: Path) -> None:
    """As 15 of 17 real ones begin: the first rows name no folder, and the prompt comes when it was typed."""
    append(path, *BOOKKEEPING)
    time.sleep(0.6)
    append(path, *turn(repo))


def empty_first(path: Path, repo: Path) -> None:
    path.touch()
    time.sleep(0.6)
    append(path, *turn(repo))


def in_pieces(path: Path, repo: Path) -> None:
    """Rows that are cut anywhere while they are written."""
    text = "".join(json.dumps(record) + "\n" for record in [*BOOKKEEPING, *turn(repo)])
    for start in range(0, len(text), 150):
        with path.open("a", encoding="utf-8") as stream:
            stream.write(text[start : start + 150])
        time.sleep(0.1)


@pytest.mark.parametrize("is_polling", [False, True], ids=["told by the system", "polling"])
@pytest.mark.parametrize("begin", [bookkeeping_first, empty_first, in_pieces])
def test_a_new_chat_is_followed_at_once(repo: Path, path: Path, begin: Begin, is_polling: bool) -> None:
    """Its first rule is told soon after it was written, not at the next search of everything; so is its second."""
    with watched(repo, is_polling=is_polling, mode="eager") as listener:
        begin(path, repo)
        until(lambda: listener.notices, seconds=SOON)
        append(path, *claude_lines(repo, RULES[0], RULES[1], session=SESSION)[2:])
        until(lambda: len(listener.notices) == 2, seconds=SOON)


def test_a_chat_of_another_folder_costs_no_searches(
    repo: Path, path: Path, tmp_path: Path, searches: list[float]
) -> None:
    """What goes on elsewhere, row by row, is looked into until it says so, and everything is searched once for it."""
    elsewhere = claude_lines(tmp_path / "other", *RULES, session=SESSION)
    with watched(repo, pace=QUICK, mode="eager") as listener:
        time.sleep(0.5)
        before = len(searches)
        for record in [*BOOKKEEPING, *elsewhere]:
            append(path, record)
            time.sleep(0.1)
        time.sleep(0.5)
        assert len(searches) - before == 1
    assert not listener.notices
