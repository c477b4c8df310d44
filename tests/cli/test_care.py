"""Care of the files: shown after what was said, decided like it, and never a nuisance."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest
from builders import claude_session, tree
from cases import cases
from cli.conftest import Run, commit, git, json_of, refused, suggestions, write
from held_kit import Chat, write_chats
from held_kit import commit as commit_on

from memsuggest.held.remedies import firmer_words
from memsuggest.suggestions.bridges import bridge
from memsuggest.suggestions.ranking.hosts import Host

SHOP = "# Shop\n\n- Orders live in `src/api/orders.py`.\n- Start `scripts/old.sh` first\n- Be terse.\n"
LISTED = '---\napplyTo: ["**/*.py"]\n---\n\n- Use type hints.\n'


@pytest.fixture(name="repo")
def _repo(git_repo: Path) -> Path:
    files = {
        "AGENTS.md": SHOP,
        ".github/instructions/py.instructions.md": LISTED,
        "src/api/orders.py": "def orders():\n    return [1, 2, 3]\n",
        "src/core/a.py": "a = 1\n",
        "scripts/old.sh": "echo old\n",
        "scripts/new.sh": "echo new\n",
    }
    commit(git_repo, files, "one")
    git(git_repo, "mv", "src/api/orders.py", "src/core/orders.py")
    git(git_repo, "rm", "-q", "scripts/old.sh")
    commit(git_repo, message="two")
    return git_repo


def maintenance() -> dict[str, str]:
    """What is listed, by the beginning of its words."""
    return {one["content"][:9]: one["id"] for one in json_of("list")["care"]}


def test_the_whole_way(run: Run, repo: Path) -> None:
    """Reconcile finds it, apply writes the diff that was shown, undo brings the bytes back."""
    before = tree(repo)
    report = run("reconcile", "--format", "json").json
    assert report["suggestions"] == []
    assert [(one["cause"], one["factId"], one["citations"]) for one in report["care"]] == [
        ("lint", None, []),
        ("stale", None, []),
    ]
    found = maintenance()
    shown = run("show", found["Mentions "]).out
    assert "-- Start `scripts/old.sh` first" in shown and "emoved by commit" in shown and "two" in shown
    run("apply", *found.values(), "--yes")
    assert (repo / "AGENTS.md").read_text() == "# Shop\n\n- Orders live in `src/api/orders.py`.\n- Be terse.\n"
    assert 'applyTo: "**/*.py"\n' in (repo / ".github/instructions/py.instructions.md").read_text()
    assert maintenance() == {}
    assert "Mentions" in run("undo").out
    assert tree(repo) == before
    assert len(maintenance()) == 2


def test_it_comes_after_what_was_said(run: Run, repo: Path, home: Path) -> None:
    """Not counted, not checked, not applied in bulk unseen; dismissed it stays silent; a setting turns it off."""
    claude_session(home, repo, "From now on never mock the database in tests.")
    assert len(json_of("reconcile", "--check", code=3)["suggestions"]) == 1
    assert "1 pending" in run("status").out
    assert "maintenance (3)" in run("apply", "--all", "--yes").out
    text = run("list", "--check").out
    assert text.index("0 pending") < text.index("Maintenance (3)")
    assert "for good" in run("dismiss", maintenance()["Mentions "]).out
    run("reconcile")
    assert "Mentions " not in maintenance()
    assert "old.sh" in run("list", "--status", "dismissed").out
    (repo / ".memsuggest.yml").write_text("care: false\n")
    assert json_of("reconcile")["care"] == []


def test_the_file_changed_meanwhile(run: Run, repo: Path) -> None:
    """It is planned anew for the file as it is; where there is no need any more, that is said."""
    run("reconcile")
    found = maintenance()
    (repo / "AGENTS.md").write_text("# New\n\n" + SHOP)
    run("apply", found["Mentions "], "--yes")
    assert (repo / "AGENTS.md").read_text() == "# New\n\n" + SHOP.replace("- Start `scripts/old.sh` first\n", "")
    (repo / ".github/instructions/py.instructions.md").write_text(LISTED.replace('["**/*.py"]', '"**/*.py"'))
    refused("apply", found["`applyTo`"], "--yes", says="no longer needs")


# Bridges: a rule said to an assistant that does not read its file comes with what makes it read that file.


SHOP_FILE = "# Shop\n\n## Testing\n\n- Tests live in tests/.\n"
MOCKING = "From now on never mock the database in tests."


@pytest.fixture
def learned(run: Run, git_repo: Path, home: Path) -> Run:
    """A repo whose AGENTS.md is to take a rule that was said to Claude Code."""
    (git_repo / "AGENTS.md").write_text(SHOP_FILE, encoding="utf-8")
    claude_session(home, git_repo, MOCKING)
    run("reconcile")
    return run


def bridges_of() -> list[dict[str, str]]:
    return [one for one in json_of("list")["care"] if one["cause"] == "unread"]


@pytest.mark.parametrize("before", [None, b"# For Claude\r\n\r\nBe brief."])
def test_offered_once_applied_and_taken_back(learned: Run, git_repo: Path, before: bytes | None) -> None:
    """The list says it once, `show` names the way, an apply makes it, `undo` leaves no trace; a no is remembered."""
    path = git_repo / "CLAUDE.md"
    if before is not None:
        path.write_bytes(before)
    (found,) = bridges_of()
    name = found["id"][:7]
    listed = learned("list", "--all").out
    assert listed.count("does not read AGENTS.md") == 1 and f"`memsuggest apply {name}` fixes this" in listed
    (rule,) = suggestions()
    assert f"run `memsuggest apply {name}` to make Claude Code read this file" in learned("show", rule["id"]).out
    learned("apply", name, "--yes")
    assert path.read_bytes() == (b"@AGENTS.md\n" if before is None else before + b"\r\n\r\n@AGENTS.md\r\n")
    assert "does not read" not in learned("list", "--all").out and bridges_of() == []
    learned("undo")
    assert (path.read_bytes() if path.exists() else None) == before
    assert [one["id"] for one in bridges_of()] == [found["id"]]
    learned("dismiss", found["id"])
    learned("reconcile")
    assert bridges_of() == [] and "does not read" not in learned("list", "--all").out


@pytest.mark.parametrize(
    ("host", "uri", "files", "path", "after"),
    [
        (Host.CLAUDE, "pkg/AGENTS.md", {}, "pkg/CLAUDE.md", "@AGENTS.md\n"),
        (Host.CLAUDE, "AGENTS.md", {".claude/CLAUDE.md": "x\n"}, ".claude/CLAUDE.md", "x\n\n@../AGENTS.md\n"),
        (Host.CLAUDE, ".github/copilot-instructions.md", {}, "CLAUDE.md", "@.github/copilot-instructions.md\n"),
        (Host.GEMINI, "AGENTS.md", {}, "GEMINI.md", "@./AGENTS.md\n"),
        (
            Host.CLAUDE,
            ".github/instructions/api.instructions.md",
            {".github/instructions/api.instructions.md": '---\napplyTo: "src/api/**,**/*.sql"\n---\n'},
            ".claude/rules/api.md",
            '---\npaths:\n  - "src/api/**"\n  - "**/*.sql"\n---\n\n@../../.github/instructions/api.instructions.md\n',
        ),
        (
            Host.CODEX,
            "CLAUDE.md",
            {"AGENTS.md": "a\n"},
            "AGENTS.md",
            "a\n\nRead `CLAUDE.md` before you start: it contains rules for this repository.\n",
        ),
    ],
)
def test_each_host_in_its_own_way(host: Host, uri: str, files: dict[str, str], path: str, after: str) -> None:
    """The file and the line are those that the host documents."""
    made = bridge(host, uri, files.get)
    assert made is not None
    assert (made.edit.path, made.edit.before, made.edit.after) == (path, files.get(path), after)


@pytest.mark.parametrize(
    ("host", "uri"),
    [
        (Host.COPILOT, "CLAUDE.md"),
        (Host.CODEX, "AGENTS.md"),
        (Host.CLAUDE, ".github/skills/deploy/SKILL.md"),
        (Host.CLAUDE, "~/.copilot/copilot-instructions.md"),
    ],
)
def test_none_where_none_is_needed_or_known(host: Host, uri: str) -> None:
    """What an assistant reads by itself, what is called by name, and the person's own files get no bridge."""
    assert bridge(host, uri, {}.get) is None


# Rules that had to be said again are suggested in firmer words, or where they are read; a person decides as ever.


HEDGE = "- You should use pnpm, never npm, if possible."
HEDGED = f"# Shop\n\n{HEDGE}\n- Never mock the database in tests.\n"
FIRM = "- Use pnpm, never npm."
NO = "No, use pnpm, never npm."
HEDGED_NO = "No, you should use pnpm, never npm, if possible."
DAYS = (20, 23, 26, 29, 32, 35)


def chats(**said: str) -> list[Chat]:
    return [Chat(day=day, task="Add a library.", command="npm install x", said=said.get(f"d{day}", "")) for day in DAYS]


def care(run: Run) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = run("list", "--format", "json").json["care"]
    return [one for one in found if one["cause"] == "unheld"]


FIRMER = [
    ("When possible, use pnpm.", "Use pnpm."),
    ("Use named exports (if possible).", "Use named exports."),
    ("Prefer using pnpm.", "Use pnpm."),
    ("We prefer to use pnpm for installs.", "Use pnpm for installs."),
    ("Prefer composition over inheritance.", "Use composition over inheritance."),
    ("Please try to keep functions short.", "Keep functions short."),
    ("Ideally, tests are fast.", "Tests are fast."),
    ("Use `prefer-const` everywhere in TypeScript.", ""),
    ("Prefer not to mock the database in tests.", ""),
    ("Don't consider lint warnings as errors.", ""),
    ("You should preferably use named exports.", ""),
    ("The preferred package manager is pnpm.", ""),
    ("If you should need a package, use pnpm.", ""),
    ("Never use npm unless you could break the build.", ""),
    ("Only use any where appropriate.", ""),
    ("You should be careful.", ""),
]


@cases(("line", "firm"), FIRMER)
def test_words_that_leave_no_choice(line: str, firm: str) -> None:
    """A sentence of the same meaning, or none."""
    found = firmer_words(line)
    assert (found[1] if found else "") == firm


def test_firmer_words(run: Run, git_repo: Path, home: Path) -> None:
    """A line that leaves a choice loses it; what was applied is taken back by `undo`, what was dismissed stays so."""
    commit_on(git_repo, HEDGED, day=10, path="CLAUDE.md")
    write_chats(home, git_repo, chats(d23=HEDGED_NO, d32=HEDGED_NO))
    run("reconcile")
    (one,) = care(run)
    assert one["content"] == "Repeated in 2 of the 6 chats where the rule was relevant and had been read"
    assert (one["targetUri"], one["suggestedMergeContent"]) == ("CLAUDE.md", FIRM)
    run("apply", one["id"], "--yes")
    assert (git_repo / "CLAUDE.md").read_text() == HEDGED.replace(HEDGE, FIRM)
    run("reconcile")
    assert care(run) == []
    run("undo")
    assert (git_repo / "CLAUDE.md").read_text() == HEDGED
    run("reconcile")
    assert [again["id"] for again in care(run)] == [one["id"]]
    run("dismiss", one["id"])
    run("reconcile")
    assert care(run) == []


def test_a_pointer_for_who_does_not_read_the_file(run: Run, git_repo: Path, home: Path) -> None:
    """Claude Code reads no `AGENTS.md`: a `CLAUDE.md` is to read it in; a firm rule that is read has no edit."""
    commit_on(git_repo, "# Shop\n\n- Use pnpm, never npm.\n", day=10)
    write_chats(home, git_repo, chats(d23=NO))
    run("reconcile")
    (one,) = care(run)
    assert one["content"] == "A rule in `AGENTS.md` had to be repeated because the assistant had not read the file"
    assert (one["targetType"], one["suggestedFileName"]) == ("newFile", "CLAUDE.md")
    run("apply", one["id"], "--yes")
    assert (git_repo / "CLAUDE.md").read_text() == "@AGENTS.md\n"
    run("undo")
    assert not (git_repo / "CLAUDE.md").exists()
    (git_repo / "AGENTS.md").unlink()
    commit_on(git_repo, "# Shop\n\n- Use pnpm, never npm.\n", day=11, path="CLAUDE.md")
    run("reconcile")
    assert care(run) == []
    assert "add a good and a bad example" in run("held").out


# What the files say of things that are gone, over a real history: by which commit, and never too much.


HISTORY = """# Shop

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


@pytest.fixture(name="history")
def _history(git_repo: Path) -> Path:
    gone = ("src/api/orders.py", "docs/guide.md", "web/docs/buttons.md", "tools/import_orders.py")
    begin = {
        "AGENTS.md": HISTORY,
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


def test_all_that_is_gone(run: Run, history: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Named with the commit that took it, what only moved left alone; applied as shown, undone; history asked once."""
    before, trace = tree(history), history.parent / "trace"
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
    expected = HISTORY.replace("- `make image` builds the image\n", "").replace(
        "- See [the guide](docs/guide.md)\n", ""
    )
    assert (history / "AGENTS.md").read_text() == expected.replace("# everything at once\nnpm run all\n", "")
    assert json_of("reconcile")["care"] == []
    run("undo")
    assert tree(history) == before


def test_what_git_never_saw_is_left_alone(run: Run, history: Path) -> None:
    """A file that was written for another repo, or before what it speaks of; of many lines a few are shown."""
    names = [f"src/api/part_{number}.py" for number in range(20)]
    commit(history, dict.fromkeys(names, "x = 1\n"))
    git(history, "rm", "-qr", "src/api")
    commit(history)
    listed = "".join(f"- See `{name}`\n" for name in names)
    write(history, {"docs/AGENTS.md": f"# Docs\n\n- The parser in `src/parser.ts` must stay free of I/O\n{listed}"})
    report = json_of("reconcile")
    assert not any("parser" in one["content"] for one in report["care"])
    assert (len(report["care"]), report["careHeld"]["docs/AGENTS.md"]) == (5, 18)
    assert "more after you decide on these: docs/AGENTS.md 18" in run("list", "--all").out
    assert json_of("list")["careHeld"] == report["careHeld"]


def test_facts_about_what_is_gone(run: Run, history: Path, home: Path) -> None:
    """A fact is told of with the command that forgets it or words it anew, whether its paths are marked or not."""
    for said in ("Orders are read in src/api/orders.py", "Read `docs/guide.md` first", "Use `npm run check` often"):
        run("remember", said)
    assert (
        "1 fact mentions deleted files or names; run `memsuggest memory clean --stale` for a list"
        in run("reconcile").out
    )
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
