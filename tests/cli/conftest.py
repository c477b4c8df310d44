"""Running commands in this process, with all they print; a repo that has learned something, put back for every test."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from builders import claude_session, fake_token, tree
from model_server import Server, answers
from program_kit import CENTS, NAMES, SIGNED_IN, TYPES, StandIn, install
from schema_kit import assert_as_the_schema_says
from typer.main import get_command
from typer.testing import CliRunner

from memsuggest.cli.app import COMMANDS, build_app


class Outcome:
    """What a command printed and how it ended."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code = code
        self.out = out
        self.err = err

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Run = Callable[..., Outcome]


@cache
def built(modules: frozenset[str]) -> Any:
    """The commands of some modules, ready to run: to build them takes longer than most commands do."""
    return get_command(build_app([COMMANDS[module][0] for module in modules]))


def command_line(words: Sequence[str]) -> Any:
    """What runs such a command line: the commands of the modules that the words name."""
    return built(frozenset(module for module, names in COMMANDS.items() if not set(names).isdisjoint(words)))


class Runner(CliRunner):
    """Runs commands that are built already."""

    def run(self, words: Sequence[str], stdin: str | bytes) -> tuple[int, str, str]:
        """The exit code, and what was printed where."""
        with self.isolation(input=stdin) as (out, err, _):
            code = 0
            try:
                command_line(words).main(args=list(words), prog_name="memsuggest")
            except SystemExit as end:
                code = int(end.code or 0)
            sys.stdout.flush()
            sys.stderr.flush()
            return code, text_of(out), text_of(err)


def text_of(stream: io.BytesIO) -> str:
    return stream.getvalue().decode("utf-8", "replace").replace("\r\n", "\n")


def invoke(*words: str, code: int = 0, stdin: str | bytes = "") -> Outcome:
    """Run a command; assert its exit code, and print all when that is another one. A traceback is raised.

    What it prints as JSON has to be what its schema says, in every test.
    """
    ended, out, err = Runner().run(words, stdin)
    assert ended == code, f"{words}: exit {ended}\n{out}\n{err}"
    assert_as_the_schema_says(words, out, code=ended)
    return Outcome(ended, out, err)


@pytest.fixture
def run(git_repo: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command in an empty repo."""
    monkeypatch.chdir(git_repo)
    return invoke


REFUSAL = re.compile(r"error: [^\n]+\n\nhint: [^\n]+\n")


def refused(*words: str, says: str = "", stdin: str | bytes = "") -> str:
    """Run a command that is to end with one line of error and one of what to do, and nothing else; return both."""
    outcome = invoke(*words, code=1, stdin=stdin)
    assert REFUSAL.fullmatch(outcome.err), f"{words}: {outcome.err!r}"
    assert outcome.out == "", f"{words}: {outcome.out!r}"
    assert says in outcome.err, f"{words}: {outcome.err!r}"
    return outcome.err


def json_of(*words: str, code: int = 0, stdin: str | bytes = "") -> Any:
    """What a command prints with `--format json`."""
    return invoke(*words, "--format", "json", code=code, stdin=stdin).json


def suggestions(*words: str) -> list[dict[str, Any]]:
    """What is pending, as `list` has it."""
    return list(json_of("list", *words)["suggestions"])


def pending(*words: str) -> list[str]:
    return [one["content"] for one in suggestions(*words)]


def facts(*words: str) -> list[dict[str, Any]]:
    """What is remembered, as `memory list --facts` has it."""
    return list(json_of("memory", "list", "--facts", *words)["facts"])


def known() -> list[str]:
    return sorted(fact["content"] for fact in facts())


def id_of(word: str, *words: str) -> str:
    """The id of the one pending suggestion whose rule has a word in it."""
    found = [one["id"] for one in suggestions(*words) if word in one["content"]]
    assert len(found) == 1, (word, found)
    return str(found[0])


def session(number: int) -> str:
    """The id of a chat."""
    return f"{number:08d}-aaaa-4bbb-8ccc-222222222222"


def git(repo: Path, *words: str, **environ: str) -> str:
    """Run git in a repo; return what it prints."""
    command = ["git", "-C", str(repo), *words]
    return subprocess.run(command, check=True, capture_output=True, text=True, env={**os.environ, **environ}).stdout


def write(repo: Path, files: dict[str, str]) -> None:
    """Write files of a repo."""
    for name, text in files.items():
        path = repo / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())


def commit(repo: Path, files: dict[str, str] | None = None, message: str = "change", **environ: str) -> None:
    """Write files, and commit all that is there."""
    write(repo, files or {})
    git(repo, "add", "-A")
    git(repo, "commit", "-q", "--allow-empty", "-m", message, **environ)


def editor(folder: Path, script: str) -> str:
    """An editor that runs a line of Python over the file, known as `path`."""
    file = folder / "editor"
    file.write_text(f"#!{sys.executable}\nimport pathlib, sys\npath = pathlib.Path(sys.argv[1])\n{script}\n")
    file.chmod(file.stat().st_mode | stat.S_IXUSR)
    return str(file)


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """A server in the place of the model's service, and a key for it; until told otherwise, it finds nothing."""
    server = Server([answers('{"facts": [], "injections": []}')])
    monkeypatch.setenv("ANTHROPIC_API_KEY", fake_token())
    monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
    monkeypatch.setattr("memsuggest.judging.asking.ask_model.PAUSES", (0.0, 0.0))
    yield server
    server.close()


AGENTS = "# Shop\n\n## Commands\n\n- Build with `make`.\n\n## Testing\n\n- Tests live in tests/.\n"
MOCK, PNPM = "From now on never mock the database in tests.", "We always use pnpm, never npm, in this repo."
BRITISH = "preference (user): answer me in British English"
FORMAT = "Whenever you edit a Python file, always run `ruff format .`"


@dataclass(frozen=True, kw_only=True)
class Shop:
    """A repo and a home in which four things were learned: two for AGENTS.md, one hook, one of the person's own."""

    folder: Path
    saved: Path

    @property
    def repo(self) -> Path:
        return self.folder / "repo"

    @property
    def home(self) -> Path:
        return self.folder / "home"

    @property
    def agents(self) -> Path:
        """The file that most suggestions go to."""
        return self.repo / "AGENTS.md"

    @property
    def facts(self) -> Path:
        return self.repo / ".github/memories/facts.json"

    @property
    def profile(self) -> Path:
        return self.home / ".local/share/memsuggest/profile.db"

    @property
    def state(self) -> Path:
        (found,) = (self.home / ".local/state/memsuggest/workspaces").glob("*/state.db")
        return found

    @property
    def transcript(self) -> Path:
        (found,) = (self.home / ".claude/projects").rglob("*.jsonl")
        return found

    def id_of(self, word: str) -> str:
        return id_of(word)

    def fact_id_of(self, word: str) -> str:
        """The id of the fact that has a word in it."""
        (found,) = [fact["id"] for fact in facts() if word in fact["content"]]
        return str(found)

    def files(self) -> dict[str, bytes]:
        """Every file of repo and home; SQLite's own logs do not count while they are empty."""
        return {name: data for name, data in tree(self.folder).items() if data or not name.endswith(("-wal", "-shm"))}

    def put_back(self) -> None:
        """Make everything as it was at first, and go there."""
        shutil.rmtree(self.folder)
        shutil.copytree(self.saved, self.folder, symlinks=True)
        os.chdir(self.repo)


def lay_out_shop(folder: Path) -> None:
    """Make the repo and the chat about it."""
    repo = folder / "repo"
    repo.mkdir(parents=True)
    subprocess.run(["git", "init", "-q", "-b", "main", str(repo)], check=True)
    (repo / "AGENTS.md").write_bytes(AGENTS.encode())
    subprocess.run(["git", "-C", str(repo), "add", "-A"], check=True)
    subprocess.run(["git", "-C", str(repo), "commit", "-q", "-m", "start"], check=True)
    claude_session(folder / "home", repo, MOCK, PNPM, BRITISH, FORMAT)


@pytest.fixture(autouse=True, scope="session")
def _stop_terminals() -> Iterator[None]:
    """Let go, in the end, of the process that all commands on terminals come from."""
    yield
    if sys.platform != "win32":
        from cli.terminal import Terminal

        Terminal.stop()


@pytest.fixture(scope="session")
def _shop_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("shop")


@pytest.fixture
def shop(_shop_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Shop]:
    """The shop as it was made once; commands run in its repo with its home."""
    shop = Shop(folder=_shop_folder / "shop", saved=_shop_folder / "saved")
    monkeypatch.setenv("HOME", str(shop.home))
    monkeypatch.chdir(_shop_folder)
    if shop.saved.exists():
        shop.put_back()
    else:
        shutil.rmtree(shop.folder, ignore_errors=True)
        lay_out_shop(shop.folder)
        invoke("reconcile", "--repo", str(shop.repo))
        shutil.copytree(shop.folder, shop.saved, symlinks=True)
        shop.put_back()
    yield shop
    monkeypatch.undo()


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, StandIn]:
    """All three programs, signed in to, first on PATH."""
    folder = tmp_path / "programs"
    for name in ("GH_TOKEN", "GITHUB_TOKEN", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    for variable in SIGNED_IN.values():
        monkeypatch.setenv(variable, "x")
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    return {name: install(folder, name, CENTS, TYPES) for name in NAMES}


@pytest.fixture(params=NAMES)
def program(request: pytest.FixtureRequest, programs: dict[str, StandIn]) -> StandIn:
    """Each of the programs."""
    return programs[request.param]
