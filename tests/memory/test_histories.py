"""Random histories of eight apps: never more than the limit, never another app's, nothing lost without a decision."""

from __future__ import annotations

import multiprocessing
import random
import threading
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import pytest
from memory.app_kit import store_at
from memory.endings import APPS, end_conversations

from memsuggest.core.model import AppAction

GONE = (AppAction.DELETE, AppAction.PURGE)


@pytest.fixture(scope="module")
def processes() -> Iterator[ProcessPoolExecutor]:
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        yield pool


def play(folder: Path, seed: int, processes: ProcessPoolExecutor) -> None:
    """Let conversations end in two processes and two threads while somebody looks, then count."""
    chance = random.Random(seed)
    limit, each = chance.choice((1, 3, 10, 10)), chance.randint(10, 30)
    folder.mkdir()
    store_at(folder).close()
    seen: list[int] = []
    is_over = threading.Event()

    def look() -> None:
        store = store_at(folder)
        while not is_over.is_set():
            seen.append(max(len(store.of(app)) for app in APPS))
            is_over.wait(0.01)
        store.close()

    watching = threading.Thread(target=look)
    watching.start()
    try:
        with ThreadPoolExecutor(2) as threads:
            jobs = [
                pool.submit(end_conversations, str(folder), seed * 10 + part, list(range(part, 4 * each, 4)), limit)
                for part, pool in enumerate((processes, processes, threads, threads))
            ]
            ended = [one for job in jobs for one in job.result(timeout=300)]
    finally:
        is_over.set()
        watching.join()
    assert max(seen, default=0) <= limit
    assert_accounted(folder, ended, limit=limit)


def assert_accounted(folder: Path, ended: list[str], *, limit: int) -> None:
    """Every conversation is in a memory of its own app, or went by a decision that is logged with its reason."""
    store = store_at(folder)
    for app in APPS:
        own = {one.partition(" ")[2] for one in ended if one.startswith(f"{app} ")}
        held = store.of(app)
        decisions = store.decisions(app, limit=10_000)
        there = {name for memory in held for name in memory.conversations}
        gone = {decision.conversation for decision in decisions if decision.action in GONE}
        assert there <= own
        assert not there & gone
        assert there | gone == own
        assert all(decision.reason for decision in decisions if decision.action in (*GONE, AppAction.MERGE))
        created = sum(decision.action is AppAction.CREATE for decision in decisions)
        lost = {decision.memory_id for decision in decisions if decision.action in GONE}
        assert len(held) == created - len(lost) <= limit
        assert len(held) == min(limit, created), "exactly the limit remains"
    store.close()


@pytest.mark.timeout(300)
def test_twenty_histories(tmp_path: Path, processes: ProcessPoolExecutor) -> None:
    """Whatever ends at the same time, and however models answer."""
    for seed in range(20):
        play(tmp_path / str(seed), seed, processes)


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_two_hundred_histories(tmp_path: Path, processes: ProcessPoolExecutor) -> None:
    """The same, longer."""
    for seed in range(1_000, 1_200):
        play(tmp_path / str(seed), seed, processes)
