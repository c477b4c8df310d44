"""Lets several `memsuggest reconcile` read the same chats at once while these grow, and looks at what is known then.

    python tests/cli/together.py FOLDER ROUNDS new|grown [SEED]

Prints a line of JSON: the rounds, how many ended with other facts than one run after the other, how many runs failed.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import sys
import time
from pathlib import Path

from killing import known, set_up, start

RUNS = 3


def together(folder: Path, rounds: int, *, is_grown: bool, seed: int) -> dict[str, int]:
    """Compare what runs at once come to with what one run does."""
    chance = random.Random(seed)
    root, home = set_up(folder, is_grown=is_grown), folder / "home"
    places = {home: folder / "fresh/home", root / ".github": folder / "fresh/github"}
    for place, kept in places.items():
        shutil.copytree(place, kept) if place.exists() else kept.mkdir(parents=True)
    assert ended(start(root, home)) == 0
    wanted = known(root, home)
    told = {"rounds": rounds, "different": 0, "failed": 0, "facts": str(wanted).count('"content"')}
    for _ in range(rounds):
        for place, kept in places.items():
            shutil.rmtree(place, ignore_errors=True)
            shutil.copytree(kept, place)
        wholes = {chat: chat.read_bytes() for chat in home.rglob("*.jsonl")}
        for chat, whole in wholes.items():
            chat.write_bytes(whole[: chance.randrange(len(whole) // 2, len(whole))])
        processes = []
        for _ in range(RUNS):
            processes.append(start(root, home))
            time.sleep(chance.random() * 0.3)
            for chat, whole in wholes.items():
                with chat.open("ab") as stream:
                    stream.write(whole[chat.stat().st_size :])
        told["failed"] += sum(ended(process) != 0 for process in processes)
        told["failed"] += ended(start(root, home)) != 0
        told["different"] += known(root, home) != wanted
    return told


def ended(process: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


if __name__ == "__main__":
    place, count, kind, first = [*sys.argv[1:], *("7",)[len(sys.argv) - 4 :]]
    sys.stdout.write(json.dumps(together(Path(place), int(count), is_grown=kind == "grown", seed=int(first))) + "\n")
