"""Kills `memsuggest reconcile` at random moments, or lets three read the same growing chats, and looks what is known.

    python tests/cli/killing.py FOLDER ROUNDS kill|together new|grown [SEED]

The chats are new, or were learned from and have grown since, so that they are read on. Prints a line of JSON: how many
were killed in the middle, how many failed, how many rounds ended with other facts than a run that nobody disturbed.
Each command is a fork of this process, which has everything loaded.
"""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

from memsuggest.cli import main

SESSIONS = 8
THINGS = ("ledger", "parser", "mailer", "router", "cache", "importer", "exporter", "scheduler", "renderer", "indexer")


TALK = 40  # prompts that teach nothing, before a chat has grown


def session(number: int, root: Path, *, talk: int = 0) -> str:
    """A session of Claude Code in which the person says five lasting things, one of them in every session."""
    said = [*["go on"] * talk, "remember: the staging database is reset every night"]
    for step in range(4):
        thing = THINGS[(number * 4 + step) % len(THINGS)]
        said.append(f"convention: {thing} number {number * 4 + step} is only called from src/{thing}{number}.py")
    lines = []
    parent = None
    for step, text in enumerate(said):
        uuid = f"{number:08x}-0000-4000-8000-{step:012x}"
        common = {"parentUuid": parent, "isSidechain": False, "cwd": str(root), "sessionId": f"session-{number}"}
        at = f"2026-03-{number + 1:02}T09:{step:02}:00.000Z"
        message = {"role": "user", "content": text}
        lines.append(json.dumps(common | {"type": "user", "uuid": uuid, "timestamp": at, "message": message}))
        parent = uuid
    return "\n".join(lines) + "\n"


def set_up(folder: Path, *, is_grown: bool) -> Path:
    """Make a home with chats about an empty repo; or with chats that were learned from before they grew."""
    root = folder / "shop"
    subprocess.run(["git", "init", "-q", "-b", "main", str(root)], check=True)
    chats = folder / "home/.claude/projects" / re.sub(r"[^A-Za-z0-9]", "-", str(root))
    chats.mkdir(parents=True)
    for number in range(SESSIONS):
        whole = session(number, root, talk=TALK if is_grown else 0)
        lines = whole.splitlines(keepends=True)
        (chats / f"session-{number}.jsonl").write_text("".join(lines[: TALK + 2]) if is_grown else whole)
        (chats / f"session-{number}.rest").write_text("".join(lines[TALK + 2 :]) if is_grown else "")
    if is_grown:
        assert ended(start(root, folder / "home")) == 0
    for rest in chats.glob("*.rest"):
        with rest.with_suffix(".jsonl").open("a") as stream:
            stream.write(rest.read_text())
        rest.unlink()
    return root


def start(root: Path, home: Path) -> int:
    """Start a run of its own; returns the process."""
    process = os.fork()
    if process:
        return process
    code = 70
    try:
        for descriptor in (1, 2):
            os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)
        for name in [name for name in os.environ if name.startswith(("XDG_", "MEMSUGGEST_", "CLAUDE_"))]:
            del os.environ[name]
        os.environ["HOME"] = os.environ["USERPROFILE"] = str(home)
        os.chdir(root)
        sys.argv = ["memsuggest", "reconcile", "--offline", "--quiet"]
        main()
    except SystemExit as end:
        code = int(end.code or 0)
    finally:
        os._exit(code)


def known(root: Path, home: Path) -> object:
    """All that is remembered: the team's file, the person's own facts and evidence, each as often as it is there.

    The numbers that rows have in the order in which they came do not count.
    """
    team = json.loads((root / ".github/memories/facts.json").read_text())
    profile = next(home.rglob("profile.db"))
    with closing(sqlite3.connect(profile)) as connection:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        rows = {
            name: sorted(repr(row[isinstance(row[0], int) :]) for row in connection.execute(f"SELECT * FROM {name}"))
            for name in tables
            if name in {"facts", "evidence", "citations"}
        }
    without_time = re.compile(r'"timestamp": \d+|\b1[5-9]\d{11}\b')
    return without_time.sub("", json.dumps([team, rows], sort_keys=True))


def main_loop(folder: Path, rounds: int, *, way: str, is_grown: bool, seed: int) -> dict[str, int]:
    """Disturb as many runs, and compare what the next run knows with what an undisturbed one does."""
    chance = random.Random(seed)
    root, home = set_up(folder, is_grown=is_grown), folder / "home"
    places = {home: folder / "fresh/home", root / ".github": folder / "fresh/github"}
    for place, kept in places.items():
        shutil.copytree(place, kept) if place.exists() else kept.mkdir(parents=True)
    begun = time.perf_counter()
    assert ended(start(root, home)) == 0
    seconds = time.perf_counter() - begun
    wanted = known(root, home)
    told = {"killed": 0, "failed": 0, "different": 0, "facts": str(wanted).count('"content"')}
    told["read_on"] = read_on(folder / "fresh/home")
    for _ in range(rounds):
        for place, kept in places.items():
            shutil.rmtree(place, ignore_errors=True)
            shutil.copytree(kept, place)
        if way == "kill":
            process = start(root, home)
            time.sleep(chance.random() * seconds)
            os.kill(process, signal.SIGKILL)
            told["killed"] += ended(process) == -signal.SIGKILL
        else:
            told["failed"] += together(root, home, chance)
        told["failed"] += ended(start(root, home)) != 0
        told["different"] += known(root, home) != wanted
    return told


def together(root: Path, home: Path, chance: random.Random) -> int:
    """Let three runs read at once while the chats grow; how many failed."""
    wholes = {chat: chat.read_bytes() for chat in home.rglob("*.jsonl")}
    for chat, whole in wholes.items():
        chat.write_bytes(whole[: chance.randrange(len(whole) // 2, len(whole))])
    processes = []
    for _ in range(3):
        processes.append(start(root, home))
        time.sleep(chance.random() * 0.3)
        for chat, whole in wholes.items():
            with chat.open("ab") as stream:
                stream.write(whole[chat.stat().st_size :])
    return sum(ended(process) != 0 for process in processes)


def ended(process: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


def read_on(home: Path) -> int:
    """Count the chats that are read on, and not from their beginning."""
    found = 0
    for state in home.rglob("state.db"):
        with closing(sqlite3.connect(state)) as connection:
            found += connection.execute("SELECT count(*) FROM transcripts WHERE checkpoint <> ''").fetchone()[0]
    return found


if __name__ == "__main__":
    place, count, way, kind, first = [*sys.argv[1:], *("7",)[len(sys.argv) - 5 :]]
    found = main_loop(Path(place), int(count), way=way, is_grown=kind == "grown", seed=int(first))
    sys.stdout.write(json.dumps(found) + "\n")
