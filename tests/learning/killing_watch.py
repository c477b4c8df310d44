"""Ends `memsuggest watch` at random moments while chats go on, by every signal, and looks at what is left.

    python tests/learning/killing_watch.py FOLDER ROUNDS [SEED]

Prints a line of JSON: the rounds, how long an end by SIGINT, SIGTERM or SIGHUP took at most, and how often something
was wrong: a torn file, an unclean next start, a fact lost or doubled. Each watcher is a fork of this process, which
has everything loaded.
"""

from __future__ import annotations

import json
import os
import random
import re
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

from memsuggest.cli import main

SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
SESSIONS = 6
TOGETHER = 40
"""Rounds after which all is compared and begun anew."""
THINGS = ("ledger", "parser", "mailer", "router", "cache", "importer", "exporter", "scheduler", "renderer", "indexer")


class Chats:
    """Sessions of Claude Code that go on, now this one, now that one."""

    def __init__(self, root: Path, home: Path) -> None:
        self._root = root
        self._folder = home / ".claude/projects" / re.sub(r"[^A-Za-z0-9]", "-", str(root))
        self._folder.mkdir(parents=True, exist_ok=True)
        self._last: dict[int, str] = {}
        self.said: list[str] = []

    def go_on(self) -> None:
        """Say one more lasting thing, and have it answered."""
        number = len(self.said)
        session, thing = number % SESSIONS, THINGS[number % len(THINGS)]
        rule = f"{thing} number {number} is only called from src/{thing}{number}.py"
        self.said.append(rule)
        rows = ""
        for role, text in (("user", f"convention: {rule}"), ("assistant", "Done.")):
            uuid = f"{session:08x}-0000-4000-8000-{number * 2 + (role == 'assistant'):012x}"
            row = {
                "type": role,
                "uuid": uuid,
                "parentUuid": self._last.get(session),
                "isSidechain": False,
                "cwd": str(self._root),
                "sessionId": f"session-{session}",
                "timestamp": f"2026-03-{session + 1:02}T{number // 60 % 24:02}:{number % 60:02}:00.000Z",
                "message": {"role": role, "content": text},
            }
            rows += json.dumps(row) + "\n"
            self._last[session] = uuid
        with (self._folder / f"session-{session}.jsonl").open("a") as stream:
            stream.write(rows)


def start(root: Path, home: Path, *words: str, log: Path) -> int:
    """Start a program of its own; returns the process."""
    process = os.fork()
    if process:
        return process
    code = 70
    try:
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        descriptor = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        for number in (1, 2):
            os.dup2(descriptor, number)
        for name in [name for name in os.environ if name.startswith(("XDG_", "MEMSUGGEST_", "CLAUDE_"))]:
            del os.environ[name]
        os.environ["HOME"] = os.environ["USERPROFILE"] = str(home)
        os.chdir(root)
        for number in SIGNALS[1:]:  # whoever started us may ignore them
            signal.signal(number, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        sys.argv = ["memsuggest", "--offline", *words]
        main()
    except SystemExit as end:
        code = int(end.code or 0)
    finally:
        os._exit(code)


def end(process: int) -> int:
    """Return a process's exit code; 99 for one that does not end."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        found, status = os.waitpid(process, os.WNOHANG)
        if found:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.005)
    os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)
    return 99


def torn(root: Path, home: Path) -> list[str]:
    """Name what is not whole: the team's file, a database."""
    found = []
    team = root / ".github/memories/facts.json"
    if team.exists():
        try:
            json.loads(team.read_bytes())
        except ValueError as error:
            found.append(f"{team.name}: {error}")
    for path in home.rglob("*.db"):
        with closing(sqlite3.connect(path)) as connection:
            (answer,) = connection.execute("PRAGMA integrity_check").fetchone()
        if answer != "ok":
            found.append(f"{path.name}: {answer}")
    return found


def wrongs(root: Path, home: Path, said: list[str]) -> list[str]:
    """Compare what is remembered, after the last catching up, with what was said."""
    contents = [fact["content"] for fact in json.loads((root / ".github/memories/facts.json").read_text())["facts"]]
    plain = [re.sub(r"[`.]", "", content).casefold() for content in contents]
    found = [f"lost: {rule}" for rule in said if re.sub(r"[`.]", "", rule).casefold() not in plain]
    found += [f"twice: {rule}" for rule in sorted(set(plain)) if plain.count(rule) > 1]
    strays = [path.name for place in (root, home) for path in place.rglob("*memsuggest-tmp*")]
    return found + [f"left behind: {name}" for name in strays]


def main_loop(folder: Path, rounds: int, seed: int) -> dict[str, object]:
    """Make as many rounds, in several fresh homes."""
    chance = random.Random(seed)
    told: dict[str, object] = {"rounds": rounds, "turns": 0, "longest end": 0.0}
    wrong: list[str] = []
    ends = dict.fromkeys((number.name for number in SIGNALS), 0)
    for number in range(rounds):
        if number % TOGETHER == 0:
            place = folder / str(number)
            root, home, log = place / "shop", place / "home", place / "log"
            subprocess.run(["git", "init", "-q", "-b", "main", str(root)], check=True)
            chats = Chats(root, home)
        process = start(root, home, "watch", "--mode", "eager", log=log)
        until = time.monotonic() + 0.05 + chance.random() * 1.4
        while time.monotonic() < until:
            chats.go_on()
            time.sleep(chance.random() * 0.5)
        asked = chance.choice(SIGNALS)
        ends[asked.name] += 1
        begun = time.monotonic()
        os.kill(process, asked)
        code = end(process)
        took = time.monotonic() - begun
        is_kill = asked is signal.SIGKILL
        # Before its handlers are there, a signal simply ends it, as it ends any program.
        if code not in (-asked, 0, 130):
            wrong.append(f"round {number}: {asked.name} ended it with {code}")
        if not is_kill:
            told["longest end"] = max(float(str(told["longest end"])), round(took, 2))
        wrong += [f"round {number}: {text}" for text in torn(root, home)]
        if number % TOGETHER == TOGETHER - 1 or number == rounds - 1:
            if end(start(root, home, "watch", "--once", "--mode", "eager", log=log)) != 0:
                wrong.append(f"round {number}: the last catching up failed")
            wrong += [f"round {number}: {text}" for text in wrongs(root, home, chats.said)]
            bad = re.findall(r"^.*(?:error:|Traceback|will retry|disk I/O).*$", log.read_text(), re.MULTILINE)
            wrong += [f"until round {number}: {text}" for text in bad]
            told["turns"] = int(str(told["turns"])) + len(chats.said)
    return told | {"ends": ends, "wrong": wrong}


if __name__ == "__main__":
    seed = int([*sys.argv, "7"][3])
    sys.stdout.write(json.dumps(main_loop(Path(sys.argv[1]), int(sys.argv[2]), seed)) + "\n")
