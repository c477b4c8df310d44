"""What the files say of things that are gone, over a real history: by which commit, and never too much."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from builders import tree
from cli.conftest import Run

AGENTS = """# Shop

- Run `npm run fmt` before you commit
- Run `npm run check` and nothing else
- `make image` builds the image
- Orders are read in `src/api/orders.py`, one day at a time.
- See [the guide](docs/guide.md)
- Names are short, e.g. `src/api/a.py`

```bash
npm run check
# everything at once
npm run all
```

The importer starts in `tools/import_orders.py` every night.
"""
NESTED = "# Web\n\n- Buttons are described in [the list](docs/buttons.md)\n- Start with `npm run serve`\n"


def git(repo: Path, *words: str, **environ: str) -> None:
    subprocess.run(["git", "-C", str(repo), *words], check=True, capture_output=True, env={**os.environ, **environ})


def write(repo: Path, name: str, text: str) -> None:
    (repo / name).parent.mkdir(parents=True, exist_ok=True)
    (repo / name).write_text(text)


def scripts(**names: str) -> str:
    return json.dumps({"name": "shop", "scripts": names}, indent=2) + "\n"


def commit(repo: Path, subject: str, *, day: int = 1) -> None:
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", subject, GIT_COMMITTER_DATE=f"2026-03-0{day}T12:00:00Z")


@pytest.fixture(name="repo")
def _repo(git_repo: Path) -> Path:
    write(git_repo, "AGENTS.md", AGENTS)
    write(git_repo, "web/AGENTS.md", NESTED)
    write(git_repo, "package.json", scripts(fmt="prettier -w .", check="eslint .", all="run-s check test"))
    write(git_repo, "web/package.json", scripts(serve="vite"))
    write(git_repo, "Makefile", "all: test\n\ntest:\n\tpytest\n\nimage: all\n\tdocker build .\n")
    for name in ("src/api/orders.py", "docs/guide.md", "web/docs/buttons.md", "tools/import_orders.py"):
        write(git_repo, name, f"what {name} holds\n" * 9)
    write(git_repo, "src/app.ts", "export {}\n")
    commit(git_repo, "begin")
    write(git_repo, "package.json", scripts(format="prettier -w .", check="eslint ."))
    write(git_repo, "Makefile", "all: test\n\ntest:\n\tpytest\n")
    commit(git_repo, "build: images are built elsewhere")
    write(git_repo, "src/core/x.py", "x = 1\n")
    git(git_repo, "mv", "src/api/orders.py", "src/core/orders.py")
    git(git_repo, "mv", "web/docs/buttons.md", "web/docs/controls.md")
    git(git_repo, "rm", "-q", "docs/guide.md")
    commit(git_repo, "tidy the folders")
    write(git_repo, "src/domain/x.py", "x = 1\n")
    git(git_repo, "mv", "src/core/orders.py", "src/domain/orders.py")
    commit(git_repo, "domain first")
    return git_repo


Found = Callable[[], dict[str, str]]


@pytest.fixture(name="found")
def _found(run: Run, monkeypatch: pytest.MonkeyPatch) -> Found:
    """All that is found, by its words with the reason: as many as there are."""

    def look() -> dict[str, str]:
        told: dict[str, str] = {}
        while care := run("reconcile", "--format", "json").json["care"]:
            told |= {one["content"]: one["why"] for one in care}
            run("dismiss", *(one["id"] for one in care))
        return told

    return look


def test_all_that_is_gone(found: Found, repo: Path) -> None:
    """Scripts, targets and files are named with the commit that took them; what only moved is left alone."""
    told = found()
    assert sorted(told) == [
        "Mentions `docs/guide.md`, which no longer exists",
        "Mentions `make image`, which no longer exists",
        "Mentions `npm run all`, which no longer exists",
    ]
    assert told["Mentions `make image`, which no longer exists"].endswith("“build: images are built elsewhere”")


def test_applied_and_undone(run: Run, repo: Path) -> None:
    """What is applied is what was shown, and undo brings the bytes back."""
    before = tree(repo)
    run("apply", *(one["id"] for one in run("reconcile", "--format", "json").json["care"]), "--yes")
    gone = (
        "- `make image` builds the image\n",
        "- See [the guide](docs/guide.md)\n",
        "# everything at once\nnpm run all\n",
    )
    expected = AGENTS
    for line in gone:
        expected = expected.replace(line, "")
    assert (repo / "AGENTS.md").read_text() == expected
    assert run("reconcile", "--format", "json").json["care"] == []
    run("undo")
    assert tree(repo) == before


def test_a_file_full_of_them(run: Run, repo: Path) -> None:
    """A file with many such lines shows a few and says how many more there are."""
    for number in range(200):
        write(repo, f"src/api/part_{number}.py", "x = 1\n")
    commit(repo, "parts")
    git(repo, "rm", "-qr", "src/api")
    commit(repo, "no parts")
    listed = "".join(f"- See `src/api/part_{number}.py`\n" for number in range(200))
    write(repo, "docs/AGENTS.md", f"# Docs\n\n{listed}")
    report = run("reconcile", "--format", "json").json
    assert (len(report["care"]), report["careHeld"]["docs/AGENTS.md"]) == (5, 198)
    assert "more once these are decided: docs/AGENTS.md 198" in run("list", "--all").out
    assert run("list", "--format", "json").json["careHeld"] == report["careHeld"]


def test_what_git_never_saw_is_left_alone(run: Run, repo: Path) -> None:
    """A file that was written for another repo, or before what it speaks of; a name is no word of the sentence."""
    write(repo, "src/legacy.ts", "export {}\n")
    commit(repo, "old things")
    git(repo, "rm", "-q", "src/legacy.ts")
    commit(repo, "without them")
    lines = "- The parser in `src/parser.ts` must stay free of I/O\n- Read `src/legacy.ts` before a release\n"
    write(repo, "docs/AGENTS.md", f"# Docs\n\n{lines}")
    report = run("reconcile", "--format", "json").json
    told = [one["content"] for one in report["care"] if "docs/AGENTS.md" in one.values()]
    assert told == ["Mentions `src/legacy.ts`, which no longer exists"]


def test_a_history_is_asked_once(run: Run, repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As long as nothing is committed, git's history is not walked again."""
    trace = repo.parent / "trace"
    monkeypatch.setenv("GIT_TRACE", str(trace))
    first = run("reconcile", "--format", "json").json["care"]
    assert " log " in trace.read_text()
    trace.unlink()
    assert run("reconcile", "--format", "json").json["care"] == first
    assert " log " not in trace.read_text()


def test_facts_about_what_is_gone(run: Run, repo: Path, home: Path) -> None:
    """A fact is told of with the command that forgets it or words it anew, whether its paths are marked or not."""
    for said in ("Orders are read in src/api/orders.py", "Read `docs/guide.md` first", "Use `npm run check` often"):
        run("remember", said)
    assert "1 fact mentions deleted files or names: `memsuggest memory clean --stale`" in run("reconcile").out
    report = run("memory", "check", "--stale", "--format", "json", code=3).json
    assert [(one["what"], one["newContent"]) for one in report["stale"]] == [
        ("Mentions `docs/guide.md`, which no longer exists", "")
    ]
    told = run("memory", "check", "--stale", code=3).out
    assert "tidy the folders" in told
    for command in [
        line.strip().strip("`") for line in told.split("\n") if line.strip().startswith("`memsuggest memory")
    ]:
        run(*shlex.split(command)[1:])
    assert run("memory", "check", "--stale", "--format", "json").json["stale"] == []


def test_what_is_there_after_all(run: Run, git_repo: Path) -> None:
    """Nothing is gone that has another form now, lies beyond a link, is ignored, or that settings of git only hide."""
    rules = [
        "Run `just deploy` after a release",
        "Run `make lint-api` before a commit",
        "Run `task fmt` before a commit",
        "Wrap every write in `with_mutex()`",
        "Read the settings with `pyyaml`",
        "Ports are set in `config/dev.local.json`",
        "Hosts are set in [the file](config/dev.local.json)",
        "Tables lie in `data/tables.csv`",
        "Decisions stand in [the records](docs/adr/0001-x.md)",
    ]
    write(git_repo, "AGENTS.md", "# Shop\n\n" + "".join(f"- {rule}\n" for rule in rules))
    write(git_repo, "justfile", "deploy:\n    ./deploy\n")
    write(git_repo, "Makefile", "lint-api:\n\tcheck api\nlint-web:\n\tcheck web\n")
    write(git_repo, "Taskfile.yml", "version: '3'\ntasks:\n  fmt:\n    cmd: x\n")
    write(git_repo, "src/util.py", "def with_mutex(): ...\n")
    write(git_repo, "requirements.txt", "pyyaml==6.0\n")
    write(git_repo, "config/prod.json", "{}\n")
    write(git_repo, "docs/adr/0001-x.md", "# One\n\nWe use a queue for all letters.\n")
    write(git_repo, ".gitignore", "config/*.local.json\ndata\n")
    (git_repo / "data").symlink_to(git_repo.parent)
    commit(git_repo, "begin")
    write(git_repo, "justfile", 'deploy env="prod":\n    ./deploy {{env}}\n')
    write(git_repo, "Makefile", "lint-%:\n\tcheck $*\n")
    write(git_repo, "Taskfile.yml", "version: '3'\ntasks:\n  format:\n    aliases: [fmt]\n    cmd: x\n")
    (git_repo / "src/util.py").unlink()
    write(git_repo, "src/locking.py", "def with_mutex(): ...\n")
    write(git_repo, "requirements.txt", "PyYAML==6.0.1\n")
    git(git_repo, "mv", "docs/adr", "docs/what we decided")
    commit(git_repo, "other forms")
    for name, value in (("grep.lineNumber", "true"), ("grep.column", "true"), ("grep.fullName", "true")):
        git(git_repo, "config", name, value)
    care = run("reconcile", "--format", "json").json["care"]
    assert [one["content"] for one in care] == []
