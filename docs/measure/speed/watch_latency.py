"""From a completed turn in a file to its notice: a real watcher, 300 customization files, 2,000 known transcripts.

Run by hand: `python docs/measure/speed/watch_latency.py [TURNS] [TARGETS] [TRANSCRIPTS] [PENDING]`. Makes a repo and a
home of its own, starts `memsuggest watch --mode eager` there, writes turns at random moments, and prints how long after
the last byte each notice came, beside the debounce: in known files, in new ones whose first rows name no folder, in
files that were empty first, and in new ones that are written row by row. So many facts are known and pending before.

On a busy machine others have their share of the time. Beside the watcher a loop does a hundredth of a second of work
again and again, and the figures say how long that took, and how much work the watcher itself had with a turn.
"""

from __future__ import annotations

import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from queue import Empty, Queue
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "tests"))

from builders import claude_lines

from memsuggest.learning.schedule import Pace

DEBOUNCE = Pace().debounce
SHAPES = ("known", "new", "empty", "slow")
THINGS = ("ledger", "parser", "mailer", "router", "cache", "importer", "exporter", "scheduler", "renderer", "indexer")


def said(number: int) -> str:
    """One lasting thing that nobody said before, and that replaces nothing."""
    thing = THINGS[number % 10]
    return f"convention: {thing} number {number} is only called from src/{thing}{number}.py"


def lay_out(folder: Path, *, targets: int, transcripts: int, pending: int) -> tuple[Path, Path]:
    """Make the repo and the folder of its chats."""
    repo = folder / "repo"
    subprocess.run(["git", "init", "-q", str(repo)], check=True)
    place = repo / ".github/instructions"
    place.mkdir(parents=True)
    (repo / "AGENTS.md").write_text("# Repo\n\n- Build with `make`.\n")
    for number in range(targets - 1):
        thing = THINGS[number % 10]
        rules = "".join(f"- Rule {line} of {thing} {number}: keep it short.\n" for line in range(12))
        text = f"---\napplyTo: 'src/{thing}/{number}/**'\n---\n# {thing.title()} {number}\n\n## Rules\n\n{rules}"
        (place / f"{thing}-{number}.instructions.md").write_text(text)
    subprocess.run(["git", "-C", str(repo), "add", "-A"], check=True)
    chats = folder / "home/.claude/projects" / re.sub(r"[^A-Za-z0-9]", "-", str(repo))
    chats.mkdir(parents=True)
    for number in range(transcripts):
        session = f"{number:08x}-aaaa-4bbb-8ccc-222222222222"
        texts = ["please look at the footer"]
        if number < pending:
            texts.append(said(100_000 + number))
        write(chats / f"{session}.jsonl", claude_lines(repo, *texts, session=session))
    return repo, chats


def write(path: Path, records: list[dict[str, object]]) -> None:
    with path.open("a", encoding="utf-8") as stream:
        stream.write("".join(json.dumps(record) + "\n" for record in records))


def listen(stream: object, lines: Queue[tuple[float, str]]) -> None:
    for line in stream:  # type: ignore[attr-defined]
        lines.put((time.perf_counter(), line))


def known_file(chats: Path, chance: random.Random, said_before: dict[Path, list[str]]) -> Path:
    """Choose a session that goes on."""
    path = chance.choice(sorted(chats.glob("0*.jsonl")))
    if path not in said_before:
        rows = path.read_text().count("\n") // 2
        said_before[path] = ["please look at the footer"] * rows
    return path


def write_turn(repo: Path, path: Path, said_by_now: list[str], *, shape: str) -> None:
    """Write the last turn as a host does that writes files of this shape."""
    records = claude_lines(repo, *said_by_now, session=path.stem)[-2:]
    begin: list[dict[str, object]] = [{"type": "mode", "mode": "normal", "sessionId": path.stem}]
    if shape == "empty":
        path.touch()
        time.sleep(0.6)
    elif shape == "new":
        write(path, begin)
        time.sleep(0.6)
    elif shape == "slow":
        for record in [*begin, *records[:-1]]:
            write(path, [record])
            time.sleep(0.2)
        records = records[-1:]
    write(path, records)


def measure(repo: Path, chats: Path, turns: int, lines: Queue[tuple[float, str]], *, shape: str) -> list[float]:
    """Return the milliseconds from the last byte of each turn to its notice; infinity for none."""
    chance = random.Random(shape)
    said_before: dict[Path, list[str]] = {}
    found = []
    for turn in range(turns):
        number = SHAPES.index(shape) * 1_000 + turn
        path = chats / f"f{number:07x}-aaaa-4bbb-8ccc-222222222222.jsonl"
        if shape == "known":
            path = known_file(chats, chance, said_before)
        said_before.setdefault(path, []).append(said(number))
        time.sleep(0.3 + chance.random())
        write_turn(repo, path, said_before[path], shape=shape)
        found.append(wait_for(number, lines))
    return found


def wait_for(number: int, lines: Queue[tuple[float, str]]) -> float:
    """Return after how many milliseconds the notice of a turn came."""
    begun = time.perf_counter()
    while time.perf_counter() < begun + 10:
        try:
            at, line = lines.get(timeout=0.2)
        except Empty:
            continue
        if f"{number} " in line or f"{number}.py" in line:
            return (at - begun) * 1000
    return float("inf")


WORK = 0.01
"""Seconds of work that are done again and again, to tell what the machine leaves to one program."""
IDLE_LOOP = """
import sys, time
while True:
    begun, work = time.perf_counter(), time.process_time()
    while time.process_time() - work < {}: pass
    print(time.perf_counter() - begun, flush=True)
    time.sleep(0.19)
"""


def work_of(pid: int) -> float:
    """Return the seconds that a program has worked so far, with the programs that it waited for."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def share(found: list[float]) -> str:
    """Say how long the piece of work took."""
    late = found[int(len(found) * 0.95)]
    times = f"{median(found) * 1000:.0f} ms (median), {late * 1000:.0f} ms (95 %)"
    return f"{WORK * 1000:.0f} ms of work took {times}: a share of {WORK / (sum(found) / len(found)):.0%}"


def main(turns: int = 40, targets: int = 300, transcripts: int = 2_000, pending: int = 200) -> None:
    """Print the figures."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        repo, chats = lay_out(folder, targets=targets, transcripts=transcripts, pending=pending)
        environ = {key: value for key, value in os.environ.items() if not key.startswith(("XDG_", "MEMSUGGEST_"))}
        environ |= {"HOME": str(folder / "home"), "PYTHONUNBUFFERED": "1"}
        command = [sys.executable, "-m", "memsuggest", "--repo", str(repo)]
        subprocess.run([*command, "--quiet", "reconcile"], env=environ, stdout=subprocess.DEVNULL, check=True)
        lines: Queue[tuple[float, str]] = Queue()
        with subprocess.Popen(
            [*command, "watch", "--mode", "eager"],
            env=environ,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as watcher:
            assert watcher.stderr
            watcher.stderr.readline()
            threading.Thread(target=listen, args=(watcher.stdout, lines), daemon=True).start()
            threading.Thread(target=listen, args=(watcher.stderr, Queue()), daemon=True).start()
            time.sleep(4)
            loop = subprocess.Popen([sys.executable, "-c", IDLE_LOOP.format(WORK)], stdout=subprocess.PIPE, text=True)
            found, work = {}, {}
            for shape in SHAPES:
                before = work_of(watcher.pid)
                found[shape] = sorted(measure(repo, chats, turns, lines, shape=shape))
                work[shape] = (work_of(watcher.pid) - before) / turns
            loop.terminate()
            told = sorted(map(float, loop.communicate()[0].split()))
            watcher.send_signal(signal.SIGTERM)
            watcher.wait(5)
    print(
        f"{targets} targets, {transcripts} transcripts, {pending} pending, {turns} turns in each sort of file,"
        f" debounce {DEBOUNCE} ms"
    )
    print(f"the machine: {share(told)}")
    for shape, times in found.items():
        late = times[max(0, int(len(times) * 0.95) - 1)]
        within = sum(one <= DEBOUNCE + 250 for one in times)
        over = sum(one > 1000 for one in times)
        print(
            f"{shape:6} within debounce + 250 ms: {within} of {turns} ({within / turns:.0%}),"
            f" median {median(times):.0f}, 95 % {late:.0f}, longest {times[-1]:.0f} ms,"
            f" {over} over 1 s; {work[shape] * 1000:.0f} ms of work a turn"
        )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
