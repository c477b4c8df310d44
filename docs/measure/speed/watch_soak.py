"""A week of watching in minutes: does a watcher's memory, work and number of open files stay as it is?

Run by hand: `python docs/measure/speed/watch_soak.py [TURNS] [SESSIONS]`. A real watcher follows real files while a
simulated week of chats goes on: its clock runs some hundred times as fast (debounce, silence, interval), its mode is
changed every simulated day, and its customization files now and then. Prints its figures after every tenth.
"""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "tests"))

from builders import claude_lines

MODES = ("eager", "occasional", "manual", "eager", "off", "occasional", "eager")
"""Of the days of the week."""
TALK = "please have another look at the footer of page {}, it is a little too high"
RULE = "convention: {1} number {0} is only called from src/{1}{0}.py"
THINGS = ("ledger", "parser", "mailer", "router", "cache", "importer", "exporter", "scheduler", "renderer", "indexer")
EVERY = 25
"""One turn of so many has something lasting in it."""

WATCHER = """
import os, sys, time
from pathlib import Path
from memsuggest.learning.stopping import StopSign, stopped_by_signals
from memsuggest.core.context import open_context
from memsuggest.learning.watch import Pace, Watch, watch
from memsuggest.core.workspace import Machine

class Nobody:
    told = 0
    def tell(self, notice): print(len(notice.suggestions), flush=True)
    def say(self, text): pass
    def show(self, counts): pass

machine = Machine(environ=os.environ, platform=sys.platform, now=lambda: time.time_ns() // 1_000_000)
pace = Pace(settings=100, targets=200, everything=1_000, retry=100, debounce=20, silence=400, interval=900)
sign = StopSign()
with stopped_by_signals(sign):
    watch(open_context(start=Path(sys.argv[1]), given=True, machine=machine, flags={}),
          Watch(sign=sign, audience=Nobody(), flags={}, pace=pace))
"""


class Process:
    """What the system says of a running program."""

    def __init__(self, pid: int) -> None:
        self._place = Path(f"/proc/{pid}")

    def figures(self) -> tuple[float, float, int, int]:
        """Return MB of memory, seconds of work so far, open files, threads."""
        memory = int((self._place / "statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
        fields = (self._place / "stat").read_text().rpartition(")")[2].split()
        work = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        return memory, work, len(list((self._place / "fd").iterdir())), int(fields[17])


def lay_out(folder: Path) -> tuple[Path, Path, Path]:
    repo, home = folder / "repo", folder / "home"
    subprocess.run(["git", "init", "-q", str(repo)], check=True)
    (repo / "AGENTS.md").write_text("# Repo\n\n- Build with `make`.\n")
    chats = home / ".claude/projects" / re.sub(r"[^A-Za-z0-9]", "-", str(repo))
    chats.mkdir(parents=True)
    config = home / ".config/memsuggest/config.yml"
    config.parent.mkdir(parents=True)
    return repo, chats, config


def go_on(repo: Path, path: Path, said: list[str], text: str) -> None:
    """Append one turn and its answer to a session."""
    said.append(text)
    records = claude_lines(repo, *said[-3:], session=path.stem)[-2:]
    uuids = [f"{path.stem[:8]}-{len(said) - 1:06d}-assistant" if len(said) > 1 else None]
    for record in records:
        record["parentUuid"] = uuids[-1]
        uuids.append(f"{path.stem[:8]}-{len(said):06d}-{record['type']}")
        record["uuid"] = uuids[-1]
    with path.open("a", encoding="utf-8") as stream:
        stream.write("".join(json.dumps(record) + "\n" for record in records))


def main(turns: int = 10_000, sessions: int = 210) -> None:
    """Print the figures."""
    chance, rules = random.Random(3), 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        repo, chats, config = lay_out(folder)
        config.write_text(f"mode: {MODES[0]}\n")
        environ = {key: value for key, value in os.environ.items() if not key.startswith(("XDG_", "MEMSUGGEST_"))}
        environ["HOME"] = str(folder / "home")
        command = [sys.executable, "-c", WATCHER, str(repo)]
        log = folder / "told"
        with log.open("w") as told, subprocess.Popen(command, env=environ, stdout=told) as watcher:
            time.sleep(3)
            process, before, taken = Process(watcher.pid), 0.0, {}
            for number in range(turns):
                day = number * len(MODES) // turns
                if number and day != (number - 1) * len(MODES) // turns:
                    config.write_text(f"mode: {MODES[day]}\n")
                if number % 500 == 250:
                    (repo / "AGENTS.md").write_text(f"# Repo\n\n- Build with `make`, take {number}.\n")
                newest = number * sessions // turns
                session = max(0, newest - chance.randrange(3))
                path = chats / f"{session:08x}-aaaa-4bbb-8ccc-222222222222.jsonl"
                is_rule = number % EVERY == 0
                text = RULE.format(number, THINGS[number // EVERY % 10]) if is_rule else TALK.format(number)
                rules += is_rule
                go_on(repo, path, taken.setdefault(session, []), text)
                time.sleep(chance.random() * 0.06)
                if (number + 1) % (turns // 10) == 0:
                    time.sleep(1.5)
                    memory, work, files, threads = process.figures()
                    spent = work - before
                    before = work
                    print(
                        f"{number + 1:>6} turns  {MODES[day]:<10} {memory:6.1f} MB  {files:>3} files  {threads} threads"
                        f"  {1000 * spent / (turns // 10):5.1f} ms of work a turn",
                        flush=True,
                    )
            watcher.terminate()
            begun = time.monotonic()
            watcher.wait(10)
            ended = time.monotonic() - begun
        command = [sys.executable, "-m", "memsuggest", "--repo", str(repo), "watch", "--once", "--mode", "manual"]
        subprocess.run(command, env=environ, check=True, capture_output=True)
        facts = json.loads((repo / ".github/memories/facts.json").read_text())["facts"]
        logs = sum(path.stat().st_size for path in folder.rglob("watch.log*"))
        print(f"ended after {ended:.2f} s; {len(facts)} facts of {rules} rules; {logs / 1000:.0f} KB of log")
        print(f"notices: {len(log.read_text().split())}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
