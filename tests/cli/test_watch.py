"""`watch` as a program: its signals, its streams, and the mode in which it touches nothing."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from cli.conftest import write
from learning.watched import RULES, Chat, shop

from memsuggest.cli.run import Run
from memsuggest.core.config import Mode
from memsuggest.learning.watch_command import Terminal
from memsuggest.suggestions.status_report import Counts, Notice

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")


@pytest.fixture(name="repo")
def _repo(tmp_path: Path) -> Path:
    return shop(tmp_path)


@contextmanager
def program(*words: str, repo: Path) -> Iterator[subprocess.Popen[str]]:
    """Run it meanwhile; its first line of talk has come."""
    with subprocess.Popen(
        [sys.executable, "-m", "memsuggest", *words],
        cwd=repo,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as running:
        assert running.stderr
        try:
            yield running
        finally:
            running.kill()


def said(running: subprocess.Popen[str]) -> str:
    assert running.stderr
    return running.stderr.readline()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_it_within_a_second(repo: Path, home: Path, number: int) -> None:
    """It ends well, with what it learned stored, and prints nothing about it."""
    chat = Chat(home, repo)
    chat.say("hello")
    with program("watch", "--mode", "eager", repo=repo) as running:
        assert said(running) == f"watching {repo} in `eager` mode\n"
        chat.say(RULES[0])
        assert running.stdout
        assert running.stdout.readline().startswith("Learned: '")
        begun = time.monotonic()
        running.send_signal(number)
        out, err = running.communicate(timeout=30)
        assert time.monotonic() - begun < 30
    assert (running.returncode, out, err) == (0, "", "")
    assert len(json.loads((repo / ".github/memories/facts.json").read_text())["facts"]) == 1


def test_off_and_on_again(repo: Path, home: Path) -> None:
    """Switched on while it runs, it follows; a second one is told who watches; killed, the next takes over at once."""
    chat = Chat(home, repo)
    chat.say(RULES[0])
    write(home, {".config/memsuggest/config.yml": "mode: off\n"})
    with program("watch", "--format", "json", repo=repo) as running:
        assert "memsuggest is off" in said(running)
        write(home, {".config/memsuggest/config.yml": "mode: eager\n"})
        assert "watching" in said(running)
        assert running.stdout
        notice = json.loads(running.stdout.readline())
        assert notice["notice"].startswith("Learned: '") and len(notice["suggestions"]) == 1
        command = [sys.executable, "-m", "memsuggest", "watch"]
        done = subprocess.run(command, cwd=repo, capture_output=True, text=True, check=False)
        error = f"error: this workspace is already being watched by process {running.pid}\n\nhint: "
        assert done.returncode == 1 and done.stderr.startswith(error)
        running.kill()
        running.wait(30)
    with program("watch", "--mode", "eager", repo=repo) as running:
        assert said(running).startswith("watching")
        chat.say(RULES[1])
        assert running.stdout and "pnpm" in running.stdout.readline()


# The person at the terminal: notices, talk, and a line of counts that is always the last one.


COUNTS = Counts(mode=Mode.EAGER, transcripts=1_200, learned=1, pending=3)
LINE = "eager · 1,200 transcripts · 1 new fact learned · 3 pending"
NOTICE = Notice(text="Learned: 'x'", review="memsuggest show ab", suggestions=("ab12",))


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def screen_of(monkeypatch: pytest.MonkeyPatch) -> Screen:
    """Put a screen where everything is printed; not in a fixture, for pytest has screens of its own."""
    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr(sys, "stdout", screen)
    return screen


def rows(screen: Screen) -> list[str]:
    """What a person sees: later signs over earlier ones."""
    seen = []
    for row in screen.getvalue().split("\n"):
        shown: list[str] = []
        for part in row.split("\r"):
            shown[: len(part)] = part
        seen.append("".join(shown).rstrip())
    return seen


def test_what_is_told_stands_above_the_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each notice and each word of talk has a row of its own; at the end the counts are gone."""
    screen = screen_of(monkeypatch)
    terminal = Terminal(Run())
    terminal.show(COUNTS)
    assert rows(screen) == [LINE]
    terminal.tell(NOTICE)
    terminal.say("mode changed to `manual`")
    told = "Learned: 'x' → review with `memsuggest show ab`"
    assert rows(screen) == [told, "mode changed to `manual`", LINE]
    terminal.clear()
    assert rows(screen) == [told, "mode changed to `manual`", ""]
