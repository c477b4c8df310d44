"""What every test stands on: no network, no real home, a workspace of its own."""

from __future__ import annotations

import gc
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from itertools import count
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("memsuggest", deadline=None, max_examples=25)  # a busy machine is no failure
settings.register_profile("long", deadline=None, max_examples=1000)  # --hypothesis-profile=long, as at night
settings.load_profile("memsuggest")

# Hundreds of commands are started as processes of their own; none is to compile our modules anew.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# Within a hook of git or `git bisect run` these name the repository around us: tests would commit there.
for _name in [name for name in os.environ if name.startswith("GIT_")]:
    del os.environ[_name]

# What was started in the background, by cron or under nohup inherits signals that are ignored; what tests start, too.
for _number in ("SIGINT", "SIGHUP", "SIGQUIT", "SIGTERM"):
    _signal = getattr(signal, _number, None)
    if _signal is not None and signal.getsignal(_signal) is signal.SIG_IGN:
        signal.signal(_signal, signal.default_int_handler if _number == "SIGINT" else signal.SIG_DFL)

# Thousands of tests and what they import stay in memory; looking through all of it again and again finds no garbage.
gc.set_threshold(20_000, 20, 100)


def pytest_xdist_auto_num_workers() -> int:
    """Two workers a core: many tests wait for a program, a clock or a disk."""
    return 2 * (os.cpu_count() or 1)


def pytest_collection_finish() -> None:
    """Leave what was imported and collected out of the search for garbage."""
    gc.collect()
    gc.freeze()


ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared"
"""Cases computed from the hosts' own engines; where the folder is there, they run too."""


class NetworkUsedError(AssertionError):
    """A test tried to open a network connection."""


_homes = count()


@pytest.fixture(autouse=True)
def _sealed(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Every environment root points into a folder of this test; sockets other than local ones fail."""
    # By a count of ours: for a number of its own pytest looks at the folders of all tests before.
    home = tmp_path_factory.getbasetemp() / "homes" / str(next(_homes))
    home.mkdir(parents=True)
    for name in list(os.environ):
        if name.startswith(("XDG_", "CLAUDE_", "CODEX_", "COPILOT_", "MEMSUGGEST_", "ANTHROPIC_", "VSCODE_")):
            monkeypatch.delenv(name)
    for name in ("CI", "GITHUB_ACTIONS", "GITLAB_CI"):  # what it does there is for tests of that to say
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    monkeypatch.setenv("APPDATA", str(home / "AppData"))
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_SYSTEM", os.devnull)
    monkeypatch.setenv("GIT_AUTHOR_NAME", "Ada")
    monkeypatch.setenv("GIT_AUTHOR_EMAIL", "ada@localhost")
    monkeypatch.setenv("GIT_COMMITTER_NAME", "Ada")
    monkeypatch.setenv("GIT_COMMITTER_EMAIL", "ada@localhost")
    real = socket.socket.connect

    def connect(self: socket.socket, address: object) -> None:
        host = address[0] if isinstance(address, tuple) else ""
        if self.family in (socket.AF_INET, socket.AF_INET6) and host not in ("127.0.0.1", "::1", "localhost"):
            raise NetworkUsedError(str(address))
        real(self, address)  # type: ignore[arg-type]

    monkeypatch.setattr(socket.socket, "connect", connect)


@pytest.fixture(autouse=True, scope="session")
def _certificates() -> Iterator[None]:
    """Whom the machine trusts is read once: it takes longer than most questions to a server of ours."""
    httpcore2 = sys.modules.get("httpcore2")
    with pytest.MonkeyPatch.context() as patch:
        if httpcore2 is not None:
            patch.setattr(httpcore2, "default_ssl_context", cache(httpcore2.default_ssl_context))
        yield


@pytest.fixture
def home() -> Path:
    """This test's own home folder."""
    return Path(os.environ["HOME"])


@pytest.fixture(scope="session")
def _empty_repo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("empty-repo")
    subprocess.run(["git", "init", "-q", "-b", "main", str(folder)], check=True)
    return folder


@pytest.fixture
def git_repo(tmp_path: Path, _empty_repo: Path) -> Path:
    """An empty git repository."""
    return Path(shutil.copytree(_empty_repo, tmp_path / "repo", symlinks=True))


def conformance_cases(name: str) -> list[dict[str, object]]:
    """The cases of `../shared/conformance/NAME.json`, or none where the folder is missing."""
    path = SHARED / "conformance" / f"{name}.json"
    if not path.exists():
        return []
    loaded: list[dict[str, object]] = json.loads(path.read_text(encoding="utf-8"))["cases"]
    return loaded
