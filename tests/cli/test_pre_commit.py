"""The hooks of `.pre-commit-hooks.yaml`, run by the real pre-commit program in a repo, on commits."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from builders import fake_token
from cli.conftest import REFUSAL, Shop, invoke, write
from conftest import ROOT

HOOKS: list[dict[str, Any]] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))


def in_repo(shop: Shop, *words: str, code: int = 0) -> str:
    """Run a program there with this project's command on the path; return what it printed."""
    environ = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(words, cwd=shop.repo, capture_output=True, text=True, env=environ, check=False)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout


def commit(shop: Shop, *, code: int = 0) -> str:
    """Stage all and run the hooks on it, as `git commit` would."""
    in_repo(shop, "git", "add", "-A")
    return in_repo(shop, sys.executable, "-m", "pre_commit", "run", code=code)


@pytest.fixture
def team(shop: Shop) -> Shop:
    """A repo with our hooks; the program is the one that is installed, so that nothing is downloaded."""
    local = [{**hook, "language": "system"} for hook in HOOKS]
    config = {"repos": [{"repo": "local", "hooks": local}]}
    (shop.repo / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")
    return shop


def test_each_hook_is_complete() -> None:
    """Every hook says what it is, what it runs, and is made by pip."""
    for hook in HOOKS:
        assert {"id", "name", "description", "entry", "language"} <= hook.keys()
        assert hook["language"] == "python"
        assert hook["entry"].startswith("memsuggest-pre-commit ")


def test_passes_and_tells(team: Shop) -> None:
    """What waits for the files of the commit is told, and blocks only with `--check`; a secret fails, untold."""
    write(team.repo, {"AGENTS.md": team.agents.read_text(encoding="utf-8") + "\nMore.\n"})
    said = commit(team)
    assert "memsuggest facts" in said and "Passed" in said and "Never mock the database" in said
    path = team.repo / ".pre-commit-config.yaml"
    config = yaml.safe_load(path.read_text(encoding="utf-8"))
    config["repos"][0]["hooks"][1]["args"] = ["--check"]
    path.write_text(yaml.safe_dump(config), encoding="utf-8")
    assert "Failed" in commit(team, code=1)
    in_repo(team, "git", "commit", "-q", "-m", "facts")
    write(team.repo, {"notes.txt": "x\n"})
    assert "pending for files" not in commit(team)
    damage(team, "mock", fake_token())
    said = commit(team, code=1)
    assert "secret" in said and fake_token() not in said


def test_what_is_loaded(team: Shop) -> None:
    """Where all is well, a check loads neither the command line nor what suggesting needs: it runs at every commit."""
    code = (
        "import sys; sys.argv = ['memsuggest-pre-commit', {!r}, 'notes.txt']\n"
        "from memsuggest.cli.pre_commit import main\n"
        "try: main()\nexcept SystemExit as end: assert not end.code\n"
        "print(*sys.modules)"
    )
    for check in ("facts", "pending"):
        found = in_repo(team, sys.executable, "-c", code.format(check)).split()
        heavy = {"typer", "pydantic", "anthropic", "watchfiles"} | (
            {"rich", "snowballstemmer"} if check == "facts" else set()
        )
        assert not heavy & set(found)


def test_an_expected_failure(team: Shop) -> None:
    """It is said with a hint, as by every command; what is no check is said, too."""
    environ = {**os.environ, "MEMSUGGEST_MODE": "always"}
    command = [sys.executable, "-c", "from memsuggest.cli.pre_commit import main; main()", "facts"]
    done = subprocess.run(command, cwd=team.repo, env=environ, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert REFUSAL.fullmatch(done.stderr)
    done = subprocess.run([*command[:3], "fact"], cwd=team.repo, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.partition(" ")[0]) == (2, "usage:")


def damage(shop: Shop, old: str, new: str) -> None:
    text = shop.facts.read_text(encoding="utf-8")
    assert old in text
    shop.facts.write_text(text.replace(old, new, 1), encoding="utf-8")


def check(shop: Shop, *words: str, code: int = 0, **environ: str) -> tuple[str, str]:
    """Run the hook on files as pre-commit does; return what it printed, and what it said beside."""
    program = "from memsuggest.cli.pre_commit import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", program, "pending", *words],
        cwd=shop.repo,
        env={**os.environ, "HOME": str(shop.home), **environ},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == code, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout, done.stderr


def damage_all(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"<<<<<<< \x00 no file of ours\n")


DAMAGES = {
    "facts": lambda shop: damage_all(shop.facts),
    "profile": lambda shop: damage_all(shop.profile),
    "state": lambda shop: damage_all(shop.state),
    "settings": lambda shop: damage_all(shop.repo / ".memsuggest.yml"),
    "a setting": lambda shop: (shop.repo / ".memsuggest.yml").write_text("mode: always\n"),
    "a chat": lambda shop: damage_all(shop.transcript),
    "a target": lambda shop: shop.agents.write_bytes(b"\xff\xfe broken"),
}
HARMLESS = {"profile", "state", "a chat", "a setting"}
"""What neither the facts nor the files are."""


@pytest.mark.parametrize("what", DAMAGES)
def test_damage_elsewhere_blocks_no_commit(shop: Shop, what: str) -> None:
    """Without `--check`, whatever is damaged is said at most; with it, only facts and files matter."""
    DAMAGES[what](shop)
    _, err = check(shop, "AGENTS.md")
    if what in {"facts", "profile", "state", "settings"}:
        assert "not checked" in err, "it says it"
    if what in HARMLESS:
        assert "Never mock the database" in check(shop, "--check", "AGENTS.md", code=3)[0]
    if what == "facts":
        assert REFUSAL.fullmatch(check(shop, "--check", "AGENTS.md", code=1)[1])


def test_a_fresh_clone_agrees(shop: Shop, tmp_path: Path) -> None:
    """With `--check`, a clone in which nothing was ever run says what the first one says, and what `comment` says."""
    in_repo(shop, "git", "add", "-A")
    in_repo(shop, "git", "commit", "-q", "-m", "facts")
    here = check(shop, "--check", "AGENTS.md", code=3)
    fresh = Shop(folder=tmp_path, saved=tmp_path)
    subprocess.run(["git", "clone", "-q", str(shop.repo), str(fresh.repo)], check=True)
    assert check(fresh, "--check", "AGENTS.md", code=3) == here
    assert check(fresh, "--check", "README.md") == ("", "")
    assert not (fresh.home / ".local").exists(), "a check leaves nothing behind"
    shop.agents.write_text(shop.agents.read_text(encoding="utf-8") + "\nMore.\n", encoding="utf-8")
    told = invoke("comment", "--base", "HEAD", "--format", "json").json["suggestions"]
    assert told
    out, _ = check(shop, "--check", "AGENTS.md", code=3)
    assert [one["id"][:7] in out for one in told] == [True] * out.count("→")


def test_a_branch_is_told_what_its_pull_request_is_told(shop: Shop) -> None:
    """In CI, what the branch itself adds to the facts is a claim until it is merged; what it settles is settled."""
    facts = shop.facts.read_bytes()
    shop.facts.unlink()
    shop.agents.write_text(shop.agents.read_text(encoding="utf-8") + "\nMore.\n", encoding="utf-8")
    in_repo(shop, "git", "commit", "-q", "-a", "-m", "more")
    shop.facts.write_bytes(facts)
    in_repo(shop, "git", "add", "-A")
    in_repo(shop, "git", "commit", "-q", "-m", "facts")
    check(shop, "--check", "AGENTS.md", code=0, PRE_COMMIT_FROM_REF="HEAD~1")
    check(shop, "--check", "AGENTS.md", code=3, PRE_COMMIT_FROM_REF="HEAD")
    check(shop, "--check", "AGENTS.md", code=3, PRE_COMMIT_FROM_REF="0" * 40)
    for word in ("mock", "pnpm", "ruff"):
        invoke("dismiss", shop.id_of(word))
    check(shop, "--check", "AGENTS.md", PRE_COMMIT_FROM_REF="HEAD")
