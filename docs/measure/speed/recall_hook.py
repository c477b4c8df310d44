"""What a prompt waits for: the CPU time of `memsuggest hook --recall`, start-up included, over many entries.

Run by hand: `python docs/measure/speed/recall_hook.py [ENTRIES.jsonl] [--runs N]`, where each line has an `entry`;
without a file, entries are made up. CPU time, since others may be at work on this machine; a bare Python beside it
tells how fast the machine is just now.
"""

from __future__ import annotations

import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from compileall import compile_dir
from pathlib import Path
from statistics import median

import memsuggest
from memsuggest.core.workspace import find_workspace
from memsuggest.facts.profile import open_profile
from memsuggest.memory.entry import Entry, Layer, Source, entry_id

COUNT = 10_000
PROMPTS = (
    "how do we deploy the billing service to staging, and who has to approve it?",
    "add an endpoint for listing refunds, with a test",
    "the importer for the warehouse fails at night: look at the retry settings in src/importer/retry.py",
    "thanks, go on",
)
_THINGS = [
    "billing",
    "refund",
    "importer",
    "warehouse",
    "staging",
    "cluster",
    "queue",
    "invoice",
    "ledger",
    "search",
    "mailer",
    "tests",
    "schema",
    "cache",
]
_DOING = ["runs", "lives", "moves", "fails", "waits", "stays", "belongs", "goes"]


def contents(path: Path | None) -> list[str]:
    """Return what the entries say."""
    given = [json.loads(line)["entry"] for line in path.read_text(encoding="utf-8").splitlines()] if path else []
    chance = random.Random(7)
    while len(given) < COUNT:
        one, other = chance.sample(_THINGS, 2)
        given.append(
            f"The {one} of unit {len(given)} {chance.choice(_DOING)} with the {other} in `{one}/{other}.toml`."
        )
    return given[:COUNT]


def fill(folder: Path, repo: Path, entries: list[str]) -> None:
    """Store the entries as the knowledge of a repo."""
    key = find_workspace(repo, home=folder, given=True).key
    profile = open_profile(folder / "data/profile.db", workspace=key)
    now = time.time_ns() // 1_000_000
    profile.entries.add(
        Entry(
            id=entry_id(Layer.KNOWLEDGE, key, text),
            layer=Layer.KNOWLEDGE,
            content=text,
            source=Source.AGENT,
            created_at=now,
            updated_at=now,
            project=key,
        )
        for text in entries
    )
    profile.close()


def cpu(words: list[str], *, raw: bytes, folder: Path, repo: Path) -> tuple[float, str]:
    """Run a program; return its CPU time in milliseconds, and what it printed."""
    environ = dict(os.environ, HOME=str(folder)) | {
        f"MEMSUGGEST_{name.upper()}_DIR": str(folder / name) for name in ("data", "state", "config", "cache")
    }
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(words, input=raw, cwd=repo, env=environ, capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return spent * 1000, done.stdout.decode()


def main(words: list[str]) -> None:
    """Print the figures."""
    runs = int(words[words.index("--runs") + 1]) if "--runs" in words else 10
    named = [Path(word) for word in words if word.endswith(".jsonl")]
    program = str(Path(sys.executable).with_name("memsuggest"))
    compile_dir(Path(memsuggest.__file__).parent, quiet=1)  # as an installer does; a stale cache would be measured else
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        repo = folder / "repo"
        (repo / ".git").mkdir(parents=True)
        fill(folder, repo, contents(named[0] if named else None))
        bare = [cpu([sys.executable, "-c", "pass"], raw=b"", folder=folder, repo=repo)[0] for _ in range(runs)]
        print(f"{'a bare Python':50} median {median(bare):6.1f} ms")
        for prompt in PROMPTS:
            raw = json.dumps({"hook_event_name": "UserPromptSubmit", "prompt": prompt, "cwd": str(repo)}).encode()
            found = [cpu([program, "hook", "--recall"], raw=raw, folder=folder, repo=repo) for _ in range(runs)]
            spent = sorted(one for one, _ in found)
            lines = (
                json.loads(found[0][1])["hookSpecificOutput"]["additionalContext"].count("\n- ") if found[0][1] else 0
            )
            print(f"{prompt[:48]:50} median {median(spent):6.1f} ms, worst {spent[-1]:6.1f} ms, {lines} entries given")


if __name__ == "__main__":
    main(sys.argv[1:])
