"""Reading on several cores: the same stores as by one, whatever happens to the processes that read."""

from __future__ import annotations

import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
from concurrent.futures import Future
from contextlib import closing
from pathlib import Path

import pytest
from builders import claude_lines
from cases import cases
from watching.watched import until

from memsuggest.reports.learning_reports import Reconciled
from memsuggest.transcripts.discovery import FoundTranscript
from memsuggest.workflows.context import open_context
from memsuggest.workflows.learn import reading_ahead, worker_processes
from memsuggest.workflows.learn.read_transcript import Job
from memsuggest.workflows.learn.reading_ahead import ReadingAhead
from memsuggest.workflows.reconcile import reconcile
from memsuggest.workflows.show_progress import READING
from memsuggest.workspace import Machine

COUNT = 24
THINGS = ("ledger", "parser", "mailer", "router", "cache", "importer")


@pytest.fixture
def repo(git_repo: Path) -> Path:
    """A repo with chats about it: lasting things, the same in several, a copy of a session, one that is damaged."""
    chats = Path(os.environ["HOME"]) / ".claude/projects" / re.sub(r"[^A-Za-z0-9]", "-", str(git_repo))
    chats.mkdir(parents=True)
    for number in range(COUNT):
        session = f"{number:08x}-aaaa-4bbb-8ccc-222222222222"
        thing = THINGS[number % len(THINGS)]
        said = (
            "please look at the footer of the page",
            f"convention: {thing} number {number // 2} is only called from src/{thing}{number // 2}.py",
            "remember: the staging database is reset every night",
        )
        lines = claude_lines(git_repo, *said, session=session, day=number % 28 + 1)
        text = "".join(json.dumps(line) + "\n" for line in lines)
        (chats / f"{session}.jsonl").write_text(text + ('{"type": "user", "mess\n' if number == 3 else ""))
        if number == 5:
            (chats / f"copy-{session}.jsonl").write_text(text)
    (chats / "damaged.jsonl").write_bytes(b"\xff\xfe" + b"x" * 50)
    return git_repo


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Processes are started for whatever is to be read."""
    monkeypatch.setattr(reading_ahead, "TELLING", 0.0)
    monkeypatch.setattr(reading_ahead, "WORTH", 0.0)


def run(
    repo: Path, folder: Path, *, cores: int, is_again: bool = False, progress: list[object] | None = None
) -> Reconciled:
    environ = {"HOME": os.environ["HOME"]}
    for name in ("DATA", "STATE", "CONFIG", "CACHE"):
        environ[f"MEMSUGGEST_{name}_DIR"] = str(folder / name.lower())
    machine = Machine(environ=environ, platform="linux", now=lambda: 1_772_355_600_000, cores=cores)
    context = open_context(start=repo, given=True, machine=machine, flags={"engine": "offline", "since": "all"})
    told = [] if progress is None else progress

    def note(done: int, total: int, name: str, /, *, phase: str = READING) -> None:
        if phase == READING:
            told.append((done, total, name))

    try:
        return reconcile(context, paths=[], person=None, progress=note, is_again=is_again)
    finally:
        context.close()


def stored(repo: Path, folder: Path) -> dict[str, object]:
    """All that is kept, in the order in which it was stored."""
    kept: dict[str, object] = {"facts.json": (repo / ".github/memories/facts.json").read_bytes()}
    for path in sorted(folder.rglob("*.db")):
        with closing(sqlite3.connect(path)) as connection:
            kept[path.name] = list(connection.iterdump())
    (repo / ".github/memories/facts.json").unlink()
    return kept


@pytest.mark.usefixtures("at_once")
def test_same_as_alone(repo: Path, tmp_path: Path) -> None:
    """Several processes store what one stores, in its order, and say the same, at the first run and again."""
    found, told = {}, {}
    for cores in (1, 3):
        folder, steps = tmp_path / str(cores), []
        reports = [run(repo, folder, cores=cores, is_again=is_again, progress=steps) for is_again in (False, True)]
        told[cores] = ([(one.read, one.new_facts, one.skipped, one.suggestions) for one in reports], steps)
        found[cores] = stored(repo, folder)
    assert told[1] == told[3]
    assert told[1][0][0][0] == COUNT + 1
    assert found[1] == found[3]


@pytest.mark.usefixtures("at_once")
def test_killed_process(repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that somebody ends loses nothing: another one reads what it was at."""
    run(repo, tmp_path / "alone", cores=1)
    wanted = stored(repo, tmp_path / "alone")
    answer, left = worker_processes._Worker.answer, [1]

    def killed_at_first(worker: worker_processes._Worker, job: Job) -> object:
        if left:
            left.pop()
            worker._process.kill()
        return answer(worker, job)

    monkeypatch.setattr(worker_processes._Worker, "answer", killed_at_first)
    run(repo, tmp_path / "killed", cores=2)
    assert stored(repo, tmp_path / "killed") == wanted


@pytest.mark.usefixtures("at_once")
def test_transcript_that_kills(repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A transcript that ends every process that reads it is named, the others are learned from, and it waits."""
    answer = worker_processes._Worker.answer

    def deadly(worker: worker_processes._Worker, job: Job) -> object:
        if "0000000a-" in job.one.place:
            worker._process.kill()
        return answer(worker, job)

    with monkeypatch.context() as patched:
        patched.setattr(worker_processes._Worker, "answer", deadly)
        report = run(repo, tmp_path / "run", cores=2)
    (skip,) = [skip for skip in report.skipped if "0000000a-" in skip.what]
    assert skip.why == "SIGKILL ended the process that read it; it is tried again at the next run"
    assert report.read == COUNT
    assert run(repo, tmp_path / "run", cores=2).read == 1


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("broken", ["no start", "ends at once"])
def test_no_processes(repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: str) -> None:
    """Where no process can be started, or none can work, one reads alone and comes to the same."""
    run(repo, tmp_path / "alone", cores=1)
    wanted = stored(repo, tmp_path / "alone")
    program = str(tmp_path / "nothing") if broken == "no start" else "/bin/true"
    with monkeypatch.context() as patched:
        patched.setattr(worker_processes.sys, "executable", program)
        run(repo, tmp_path / "broken", cores=2)
    assert stored(repo, tmp_path / "broken") == wanted


def test_alone_when_it_is_little(repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is started for what is read in a moment."""
    monkeypatch.setattr(reading_ahead, "WORTH", 600.0)
    monkeypatch.setattr(reading_ahead, "Crew", lambda size: pytest.fail("started"))
    assert run(repo, tmp_path, cores=8).read == COUNT + 1


PARENT = """
import os, sys, time
from pathlib import Path
from memsuggest.workflows.learn.worker_processes import Crew
crew = Crew(3)
print(*(one._process.pid for one in crew._all), flush=True)
time.sleep(600)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@cases("number", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_none_survives(number: signal.Signals) -> None:
    """However the parent ends, its processes end, too."""
    with subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as parent:
        assert parent.stdout
        children = [int(word) for word in parent.stdout.readline().split()]
        assert len(children) == 3
        parent.send_signal(number)
        parent.wait()
    until(lambda: not any(map(is_alive, children)))


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{pid}/stat")
    return not status.exists() or status.read_text().rpartition(")")[2].split()[0] != "Z"


@pytest.mark.usefixtures("at_once")
def test_interrupted(repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C in the middle ends all processes; what was stored stays, and the next run completes it."""
    run(repo, tmp_path / "alone", cores=1)
    alone = json.loads((repo / ".github/memories/facts.json").read_text())["facts"]
    (repo / ".github/memories/facts.json").unlink()
    started: list[worker_processes.Crew] = []
    monkeypatch.setattr(reading_ahead, "Crew", lambda size: started.append(worker_processes.Crew(size)) or started[-1])

    class Steps(list[object]):
        def append(self, step: object) -> None:
            if step[0] == COUNT // 2:
                raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(repo, tmp_path / "run", cores=2, progress=Steps())
    assert all(worker._process.poll() is not None for worker in started[0]._all)
    run(repo, tmp_path / "run", cores=2)
    assert json.loads((repo / ".github/memories/facts.json").read_text())["facts"] == alone


class OnPaper:
    """A crew that has every answer at once, and counts how many it was asked for."""

    def __init__(self, size: int) -> None:
        self.asked = 0

    def ask(self, job: object) -> Future[object]:
        self.asked += 1
        future: Future[object] = Future()
        future.set_result(job)
        return future

    def close(self) -> None:
        pass


@pytest.mark.usefixtures("at_once")
def test_bounded(git_repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many transcripts there are, only a few are held ahead of the one whose turn it is; in their order."""
    made: list[OnPaper] = []
    monkeypatch.setattr(reading_ahead, "Crew", lambda size: made.append(OnPaper(size)) or made[-1])
    monkeypatch.setattr(ReadingAhead, "job", lambda self, one: one.place)
    machine = Machine(environ=dict(os.environ), platform="linux", now=lambda: 0, cores=3)
    context = open_context(start=git_repo, given=True, machine=machine, flags={})
    found = [
        FoundTranscript(place=f"/chats/{number % 490}", format="generic", size=1, mtime_ns=0, inode=number)
        for number in range(500)
    ]
    reading = ReadingAhead(context, engine="offline", person=None, again=())
    for number, (one, future) in enumerate(reading.over(found)):
        assert one is found[number]
        if made:
            assert made[0].asked - number <= 3 * reading_ahead._AHEAD
        is_alone = number == 0 or number > 490  # the first tells how long it takes; the last were asked for
        assert reading.result(future) == (None if is_alone else one.place)
    context.close()
