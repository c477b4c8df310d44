"""The shared file in real git: two branches merged with the driver, and from the index without one."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from cli.conftest import invoke, refused

from memsuggest.facts.codec import Document, parse, render

PLACE = ".github/memories/facts.json"


def git(repo: Path, *words: str, ok: bool = True) -> str:
    done = subprocess.run(["git", "-C", str(repo), *words], capture_output=True, text=True, check=False)
    assert not ok or done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def put(repo: Path, contents: dict[str, str], tombstones: set[str]) -> None:
    facts = {name: {"id": name, "content": text, "status": "active"} for name, text in contents.items()}
    text = render(Document(facts=facts, tombstones={name: {"id": name} for name in tombstones}))
    (repo / PLACE).parent.mkdir(parents=True, exist_ok=True)
    (repo / PLACE).write_bytes(text.encode())
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", "facts")


def held(repo: Path) -> tuple[dict[str, str], set[str]]:
    found = parse((repo / PLACE).read_text(encoding="utf-8"), name="it")
    return {name: str(one["content"]) for name, one in found.facts.items()}, set(found.tombstones)


def commit(repo: Path, document: Document, name: str) -> None:
    (repo / PLACE).parent.mkdir(parents=True, exist_ok=True)
    (repo / PLACE).write_bytes(render(document).encode())
    git(repo, "add", "-A")
    git(repo, "commit", "-q", "--allow-empty", "-m", name)


DAMAGES = {
    "committed markers": lambda one, two: f"<<<<<<< HEAD\n{one}=======\n{two}>>>>>>> one\n",
    "a comma too many": lambda one, _: one.replace("},\n", "},,\n", 1),
    "no comma": lambda one, _: one.replace("},\n", "}\n", 1),
    "cut in the middle": lambda one, _: one[: len(one) * 2 // 3],
    "a byte order mark": lambda one, _: f"\ufeff{one}",
    "twice": lambda one, _: one.replace("[\n    {", '[\n    {"id": "a0", "content": "Rule 0"},\n    {', 1),
    "an invisible character": lambda one, _: one.replace("Rule 1", "Rule \u200b1"),
    "a secret": lambda one, _: one.replace("Rule 1", "Rule 1 with " + "ghp_" + "a1B2" * 9),
    "another order": lambda one, _: json.dumps(json.loads(one)),
}


def test_resolve_mends_what_check_finds(git_repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a conflict in git, and without a hand: every fact is there again, and nothing is left to say."""
    monkeypatch.chdir(git_repo)
    facts = {f"a{number}": {"id": f"a{number}", "content": f"Rule {number}"} for number in range(6)}
    one, two = Document(facts=facts), Document(facts=facts | {"b0": {"id": "b0", "content": "Rule b"}})
    commit(git_repo, one, "facts")
    for name, damage in DAMAGES.items():
        (git_repo / PLACE).write_text(damage(render(one), render(two)), encoding="utf-8")
        invoke("memory", "check", code=3)
        assert invoke("memory", "resolve").out.startswith("repaired: "), name
        assert invoke("memory", "check", "--format", "json").json["problems"] == []
        assert held(git_repo)[0].keys() >= set(facts) - ({"a3", "a4", "a5"} if name == "cut in the middle" else set())
        refused("memory", "resolve", says="nothing to repair")
    whole = render(Document(facts={"a": {"id": "a", "content": "Rule"}}))
    for name, text in {"base": whole, "ours": whole, "theirs": whole[:40]}.items():
        (git_repo / name).write_text(text)
    refused("memory", "merge", "base", "ours", "theirs", says="the other branch's version")
    refused("memory", "merge", "base", "theirs", "ours", says="the current branch's version")
    assert (git_repo / "ours").read_text() == whole


def test_forgotten_here_and_reworded_there(git_repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The driver stops git and says so; `resolve` keeps the new wording, which can still be forgotten."""
    monkeypatch.chdir(git_repo)
    invoke("memory", "merge-driver", "install")
    put(git_repo, {"a0": "Use tabs", "a1": "Use npm"}, set())
    git(git_repo, "checkout", "-qb", "one")
    put(git_repo, {"a0": "Use tabs, four wide", "a1": "Use npm"}, set())
    git(git_repo, "checkout", "-qb", "two", "main")
    put(git_repo, {"a1": "Use npm"}, {"a0"})
    assert "CONFLICT" in git(git_repo, "merge", "-q", "-m", "both", "one", ok=False)
    told = invoke("memory", "resolve").out
    assert "fact a0" in told and "the new text was kept" in told
    assert held(git_repo) == ({"a0": "Use tabs, four wide", "a1": "Use npm"}, set())
    invoke("memory", "forget", "a0")
    assert held(git_repo) == ({"a1": "Use npm"}, {"a0"})


@pytest.mark.parametrize("before", [b"*.png binary", b"\n", b"*.png binary\r\n# \xc3\xa9", None])
def test_driver_is_taken_back(git_repo: Path, monkeypatch: pytest.MonkeyPatch, before: bytes | None) -> None:
    """Uninstalling leaves neither the setting nor the line, and every byte of the file as it was."""
    monkeypatch.chdir(git_repo)
    attributes = git_repo / ".gitattributes"
    if before is not None:
        attributes.write_bytes(before)
    settings = git(git_repo, "config", "--local", "--list")
    invoke("memory", "merge-driver", "install")
    lines = attributes.read_text(encoding="utf-8").splitlines()
    assert lines[-1] == "/.github/memories/facts.json merge=memsuggest"
    assert invoke("memory", "merge-driver", "install", "--format", "json").json["diff"] == ""
    invoke("memory", "merge-driver", "uninstall")
    assert (attributes.read_bytes() if attributes.exists() else None) == before
    assert git(git_repo, "config", "--local", "--list") == settings


def test_resolve_leaves_a_newer_file_alone(git_repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a newer version wrote is not damaged: nothing of it is saved, cut or rewritten."""
    monkeypatch.chdir(git_repo)
    path = git_repo / ".github/memories/facts.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    text = '{"version": 2, "facts": [{"id": "a1b2", "content": "Use pnpm."}], "layers": []}\n'
    path.write_text(text, encoding="utf-8")
    refused("memory", "resolve", says="has version 2")
    assert path.read_text(encoding="utf-8") == text
