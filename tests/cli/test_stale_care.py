"""What the files say of things that are gone, over a real history: by which commit, and never too much."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest
from builders import tree
from cli.conftest import Run, commit, git, json_of, write

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


def scripts(**names: str) -> str:
    return json.dumps({"name": "shop", "scripts": names}, indent=2) + "\n"


@pytest.fixture(name="repo")
def _repo(git_repo: Path) -> Path:
    gone = ("src/api/orders.py", "docs/guide.md", "web/docs/buttons.md", "tools/import_orders.py")
    begin = {
        "AGENTS.md": AGENTS,
        "web/AGENTS.md": NESTED,
        "package.json": scripts(fmt="prettier -w .", check="eslint .", all="run-s check test"),
        "web/package.json": scripts(serve="vite"),
        "Makefile": "all: test\n\ntest:\n\tpytest\n\nimage: all\n\tdocker build .\n",
        "src/app.ts": "export {}\n",
        **{name: f"what {name} holds\n" * 9 for name in gone},
    }
    commit(git_repo, begin, "begin")
    later = {
        "package.json": scripts(format="prettier -w .", check="eslint ."),
        "Makefile": "all: test\n\ntest:\n\tpytest\n",
    }
    commit(git_repo, later, "build: images are built elsewhere")
    write(git_repo, {"src/core/x.py": "x = 1\n"})
    git(git_repo, "mv", "src/api/orders.py", "src/core/orders.py")
    git(git_repo, "mv", "web/docs/buttons.md", "web/docs/controls.md")
    git(git_repo, "rm", "-q", "docs/guide.md")
    commit(git_repo, message="tidy the folders")
    return git_repo


def test_all_that_is_gone(run: Run, repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Named with the commit that took it, what only moved left alone; applied as shown, undone; history asked once."""
    before, trace = tree(repo), repo.parent / "trace"
    monkeypatch.setenv("GIT_TRACE", str(trace))
    care = json_of("reconcile")["care"]
    assert " log " in trace.read_text()
    trace.unlink()
    assert json_of("reconcile")["care"] == care and " log " not in trace.read_text()
    told = {one["content"]: one["why"] for one in care}
    assert sorted(told) == [
        "Mentions `docs/guide.md`, which no longer exists",
        "Mentions `make image`, which no longer exists",
        "Mentions `npm run all`, which no longer exists",
    ]
    assert told["Mentions `make image`, which no longer exists"].endswith("“build: images are built elsewhere”")
    run("apply", *(one["id"] for one in care), "--yes")
    expected = AGENTS.replace("- `make image` builds the image\n", "").replace("- See [the guide](docs/guide.md)\n", "")
    assert (repo / "AGENTS.md").read_text() == expected.replace("# everything at once\nnpm run all\n", "")
    assert json_of("reconcile")["care"] == []
    run("undo")
    assert tree(repo) == before


def test_what_git_never_saw_is_left_alone(run: Run, repo: Path) -> None:
    """A file that was written for another repo, or before what it speaks of; of many lines a few are shown."""
    names = [f"src/api/part_{number}.py" for number in range(20)]
    commit(repo, dict.fromkeys(names, "x = 1\n"))
    git(repo, "rm", "-qr", "src/api")
    commit(repo)
    listed = "".join(f"- See `{name}`\n" for name in names)
    write(repo, {"docs/AGENTS.md": f"# Docs\n\n- The parser in `src/parser.ts` must stay free of I/O\n{listed}"})
    report = json_of("reconcile")
    assert not any("parser" in one["content"] for one in report["care"])
    assert (len(report["care"]), report["careHeld"]["docs/AGENTS.md"]) == (5, 18)
    assert "more after you decide these: docs/AGENTS.md 18" in run("list", "--all").out
    assert json_of("list")["careHeld"] == report["careHeld"]


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


def test_what_is_there_after_all(git_repo: Path, run: Run) -> None:
    """Nothing is gone that has another form now, lies beyond a link, is ignored, or that settings of git only hide."""
    assert run
    rules = [
        "Run `just deploy` after a release",
        "Run `make lint-api` before a commit",
        "Run `task fmt` before a commit",
        "Wrap every write in `with_mutex()`",
        "Read the settings with `pyyaml`",
        "Ports are set in `config/dev.local.json`",
        "Tables lie in `data/tables.csv`",
        "Decisions stand in [the records](docs/adr/0001-x.md)",
    ]
    begin = {
        "AGENTS.md": "# Shop\n\n" + "".join(f"- {rule}\n" for rule in rules),
        "justfile": "deploy:\n    ./deploy\n",
        "Makefile": "lint-api:\n\tcheck api\nlint-web:\n\tcheck web\n",
        "Taskfile.yml": "version: '3'\ntasks:\n  fmt:\n    cmd: x\n",
        "src/util.py": "def with_mutex(): ...\n",
        "requirements.txt": "pyyaml==6.0\n",
        "config/prod.json": "{}\n",
        "docs/adr/0001-x.md": "# One\n\nWe use a queue for all letters.\n",
        ".gitignore": "config/*.local.json\ndata\n",
    }
    (git_repo / "data").symlink_to(git_repo.parent)
    commit(git_repo, begin, "begin")
    (git_repo / "src/util.py").unlink()
    git(git_repo, "mv", "docs/adr", "docs/what we decided")
    later = {
        "justfile": 'deploy env="prod":\n    ./deploy {{env}}\n',
        "Makefile": "lint-%:\n\tcheck $*\n",
        "Taskfile.yml": "version: '3'\ntasks:\n  format:\n    aliases: [fmt]\n    cmd: x\n",
        "src/locking.py": "def with_mutex(): ...\n",
        "requirements.txt": "PyYAML==6.0.1\n",
    }
    commit(git_repo, later, "other forms")
    for name in ("grep.lineNumber", "grep.column", "grep.fullName"):
        git(git_repo, "config", name, "true")
    assert [one["content"] for one in json_of("reconcile")["care"]] == []
