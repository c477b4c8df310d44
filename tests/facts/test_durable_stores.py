"""Both stores beside other processes and through kills: nothing is torn, lost or doubled."""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest
from cases import cases
from facts.fakes import citation, fact

from memsuggest.facts.facts_file import PLACE, FactsFile
from memsuggest.facts.profile import Profile, open_profile

KINDS = ("file", "file with a lock", "profile")


def store_of(kind: str, folder: Path) -> FactsFile | Profile:
    if kind == "profile":
        return open_profile(folder / "profile.db", workspace="here")
    return FactsFile(folder / "repo" / PLACE, lock_path=folder / "lock" if "lock" in kind else None)


def add_some(kind: str, folder: Path, worker: int) -> None:
    store = store_of(kind, folder)
    for number in range(6):
        shared = fact("everybody's", citations=(citation(f"{worker} {number}"),))
        store.add([fact(f"rule {number} of worker {worker}"), shared])


def add_without_end(kind: str, folder: str, worker: str) -> None:
    store, number = store_of(kind, Path(folder)), 0
    while True:
        store.add([fact(f"rule {worker} {number}")])
        print(number, flush=True)
        number += 1


@cases("kind", KINDS)
def test_concurrent_writers_lose_nothing(tmp_path: Path, kind: str) -> None:
    """Facts and evidence that several processes add at once are all there."""
    context = multiprocessing.get_context("spawn")
    crowd = [context.Process(target=add_some, args=(kind, tmp_path, worker)) for worker in range(4)]
    for process in crowd:
        process.start()
    for process in crowd:
        process.join()
    assert [process.exitcode for process in crowd] == [0] * 4
    store = store_of(kind, tmp_path)
    found = {one.content: one for one in store.contents().facts}
    assert len(found) == 25
    if isinstance(store, Profile):
        assert len(found["everybody's"].citations) == 24
        store.close()
    else:
        assert [entry.name for entry in store.path.parent.iterdir()] == ["facts.json"]


@pytest.mark.skipif(os.name != "posix", reason="kill -9 is POSIX")
@cases("kind", KINDS[::2])
def test_killed_writer(tmp_path: Path, kind: str) -> None:
    """Whenever a writer is killed, the store is whole and holds everything that was reported as written."""
    chance = random.Random(7)
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)}
    script = "import sys; from facts.test_durable_stores import add_without_end; add_without_end(*sys.argv[1:])"
    for round_ in range(5):
        command = [sys.executable, "-c", script, kind, str(tmp_path), str(round_)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=env) as process:
            assert process.stdout
            last = int(process.stdout.readline())
            time.sleep(chance.random() * 0.1)
            process.send_signal(signal.SIGKILL)
            last = max([last, *map(int, process.stdout.read().split())])
        store = store_of(kind, tmp_path)
        assert {f"rule {round_} {number}" for number in range(last + 1)} <= {
            one.content for one in store.contents().facts
        }
        if isinstance(store, Profile):
            store.close()
            with closing(sqlite3.connect(tmp_path / "profile.db")) as connection:
                assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
