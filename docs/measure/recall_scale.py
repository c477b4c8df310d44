"""What a big archive costs: 10,000 chats with 300,000 turns, indexed and asked.

Run: `python docs/measure/recall_scale.py [CHATS]`. Turns are made of words by their rank, as in a language; prints
turns indexed a second, the profile's size, what a recall by hand costs of CPU beyond start-up, what the hook costs as a
process, and the memory that was needed.
"""

from __future__ import annotations

import itertools
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from memsuggest.facts.profile import open_profile
from memsuggest.memory.entry import Entry, Layer, Source, entry_id
from memsuggest.memory.lookup import Wanted, look_up
from memsuggest.memory.turns import ASSISTANT, PERSON, SaidTurn

_TURNS, _DAY = 30, 86_400_000
_COMMON = (
    "the of to a in is it we for this that with on as be are not have can i you do will should add use test file run"
)
_QUERIES = (
    "which database did we choose for billing?", "how do I deploy to staging", "why is the import of invoices slow",
    "what did we decide about caching last month", "wie lange gilt der Link in der Mail?",
)  # fmt: skip
_NAMED = "database billing deploy staging import invoice slow cache link mail choose decide"


def chats(count: int) -> list[str]:
    """The words of the language, the commonest first."""
    rng = random.Random(7)
    made = ["".join(rng.choices("bdfgklmnprstvaeiou", k=rng.randint(4, 10))) for _ in range(20_000)]
    return [*_COMMON.split(), *made[:200], *_NAMED.split(), *made[200:]][: max(1_000, count * 10)]


def main() -> None:
    """Print the figures."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    home = Path(tempfile.mkdtemp())
    repo = home / "repo"
    (repo / ".git").mkdir(parents=True)
    environ = {"HOME": str(home), "PATH": os.environ["PATH"]}
    from memsuggest.core.workspace import find_folders, find_workspace

    place, folders = find_workspace(repo, home=home, given=True), find_folders(environ)
    path = folders.data / "profile.db"
    path.parent.mkdir(parents=True, mode=0o700)
    profile = open_profile(path, workspace=place.key)
    rng, words = random.Random(1), chats(count)
    weights = list(itertools.accumulate(1 / (rank + 2) for rank in range(len(words))))
    now, spent = round(time.time() * 1000), 0.0
    for number in range(count):
        at = now - (count - number) * _DAY // 30
        turns = []
        for turn in range(_TURNS):
            text = " ".join(rng.choices(words, cum_weights=weights, k=rng.randint(8, 60)))
            turns.append(SaidTurn(turn + 1, ASSISTANT if turn % 2 else PERSON, at + turn * 60_000, text))
        key = entry_id(Layer.ARCHIVE, place.key, str(number))
        entry = Entry(
            id=key, layer=Layer.ARCHIVE, content=f"Asked: “{turns[0].text[:80]}”.", source=Source.SYSTEM,
            created_at=at, updated_at=at, project=place.key, tags=("session",), session=f"s{number}",
        )  # fmt: skip
        begun = time.process_time()
        profile.entries.add([entry])
        profile.entries.keep_turns(entry, turns)
        spent += time.process_time() - begun
    print(f"indexed {count * _TURNS / spent:,.0f} turns a second of CPU")
    for query in _QUERIES:
        times = []
        for _ in range(3):
            begun = time.process_time()
            hits = look_up(profile.entries.connection, query, Wanted(budget=100_000), project=place.key, now=now)
            times.append(time.process_time() - begun)
        print(f"recall by hand {1000 * min(times):6.1f} ms, first {1000 * times[0]:6.1f} ms, {len(hits)} hits: {query}")
    profile.close()
    print(f"profile {sum(one.stat().st_size for one in path.parent.glob('profile.db*')) / 1e6:.0f} MB")
    for query in ("", *_QUERIES):
        payload = {"hook_event_name": "UserPromptSubmit", "prompt": query, "cwd": str(repo), "session_id": "s"}
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(
            [sys.executable, "-m", "memsuggest", "hook", "--recall"],
            input=json.dumps(payload).encode(), env=environ, check=True, capture_output=True, cwd=repo,
        )  # fmt: skip
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        print(f"hook process {1000 * cpu:6.1f} ms of CPU: {query or '(no prompt)'}")
    print(f"most memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main()
