"""How little a run takes when nothing is new, and when one turn is. Run by hand; prints ratios.

    python tests/benchmarks/runs.py [--known N] [--size MB]

Whole runs at a context of their own, databases, search, suggestions and all; only the start of the process is left out.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from sessions import record, session

from memsuggest.core.context import open_context
from memsuggest.core.show_progress import no_progress
from memsuggest.core.workspace import Machine
from memsuggest.learning.reconcile import reconcile

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memsuggest.learning.learning_reports import Reconciled


TAUGHT = "remember: the {} is {} with {} on {}"
TOLD = (
    ("ledger", "parser", "mailer", "router", "cache", "importer", "exporter", "scheduler", "renderer", "indexer"),
    ("built", "released", "tested", "started", "linted", "deployed", "measured"),
    ("make", "pnpm", "cargo", "gradle", "poetry", "bazel", "deno", "docker", "terraform", "just", "meson"),
    ("mondays", "staging", "linux", "request", "merge", "commit", "fridays", "windows", "release"),
)
"""What forty sentences about one repo are made of."""


class Place:
    """A repo with a home of its own."""

    def __init__(self, folder: Path) -> None:
        self.root, self.folder = folder / "work", folder
        self.root.mkdir(parents=True)
        self.chats = folder / "home/.claude/projects" / re.sub(r"[^A-Za-z0-9]", "-", str(self.root))
        self.chats.mkdir(parents=True)
        subprocess.run(["git", "init", "-q", "-b", "main", str(self.root)], check=True)

    def run(self, paths: Sequence[Path] = ()) -> Reconciled:
        """Reconcile, as the command does."""
        environ = {"HOME": str(self.folder / "home")}
        for name in ("DATA", "STATE", "CONFIG", "CACHE"):
            environ[f"MEMSUGGEST_{name}_DIR"] = str(self.folder / name.lower())
        machine = Machine(environ=environ, platform="linux", now=lambda: time.time_ns() // 1_000_000)
        context = open_context(start=self.root, given=True, machine=machine, flags={"engine": "offline"})
        try:
            return reconcile(context, paths=paths, person=None, progress=no_progress)
        finally:
            context.close()


def seconds(work: Callable[[], object]) -> float:
    """Seconds of work, git's with it; what else the machine does is not counted."""
    before = os.times()
    work()
    return sum(os.times()[:4]) - sum(before[:4])


def no_change(place: Place, count: int) -> None:
    """Run over known transcripts, and compare with a stat of each; some of them have taught something."""
    paths = []
    for number in range(count):
        path = place.chats.with_name(f"{place.chats.name}-{number // 100}") / f"{number}.jsonl"
        path.parent.mkdir(exist_ok=True)
        said = "go on" if number % 250 else TAUGHT.format(*(words[number // 250 % len(words)] for words in TOLD))
        message = {"role": "user", "content": said}
        path.write_text(json.dumps(record("user", number, message=message, cwd=str(place.root))) + "\n")
        paths.append(str(path))
    first = seconds(place.run)
    stat = min(seconds(lambda: [os.stat(path) for path in paths * 5]) for _ in range(7)) / 5  # noqa: PTH116
    run = min(seconds(place.run) for _ in range(7))
    found = place.run()
    say(f"{found.unchanged} known transcripts, {found.read} read, {len(found.suggestions)} suggestions")
    say(f"  the first run                  {first:7.3f} s")
    say(f"  os.stat of each                {stat:7.3f} s")
    say(f"  a whole run without news       {run:7.3f} s  {run / stat:5.2f} × a stat of each (limit 10)")


def one_turn(place: Place, megabytes: int) -> None:
    """Add one turn to a long session, and compare what a run costs with a run that reads it whole."""
    path = place.chats / "long.jsonl"
    path.write_bytes(b"".join(session(megabytes * 1_000_000, random.Random(1))))
    whole = seconds(lambda: place.run([path]))
    idle = min(seconds(lambda: place.run([path])) for _ in range(3))
    size, rounds = path.stat().st_size, []
    for number in range(1, 6):
        turn = b"".join(session(1, random.Random(number), number=number * 10**9))
        with path.open("ab") as stream:
            stream.write(turn)
        rounds.append(seconds(lambda: place.run([path])))
    grown = min(rounds)
    say(f"one session of {size / 1e6:.0f} MB, to which a turn of {len(turn) / 1e6:.2f} MB is added")
    say(f"  a run that reads it whole      {whole:7.3f} s")
    say(f"  a run with nothing new         {idle:7.3f} s")
    say(f"  a run with one turn more       {grown:7.3f} s  1 : {(whole - idle) / (grown - idle):.0f} of the whole")


def say(line: str) -> None:
    sys.stdout.write(line + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--known", type=int, default=10_000, help="known transcripts")
    parser.add_argument("--size", type=int, default=100, help="MB of a long session")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        one_turn(Place(Path(temporary) / "turn"), given.size)
        no_change(Place(Path(temporary) / "known"), given.known)


if __name__ == "__main__":
    main()
