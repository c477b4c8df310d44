"""Several programs at once in one clone: nothing is lost, nothing doubled, nobody's lines overwritten."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from cli.conftest import AGENTS, Shop, invoke, refused

from memsuggest.files import lock


def at_once(*commands: tuple[str, ...], repo: Path) -> list[str]:
    """Run commands as processes of their own, all at once; assert that each ended well; return what they printed."""
    environ = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    processes = [
        subprocess.Popen(
            [sys.executable, "-m", "memsuggest", *words],
            cwd=repo,
            env=environ,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        for words in commands
    ]
    printed = [process.communicate(timeout=60)[0] for process in processes]
    assert [process.returncode for process in processes] == [0] * len(processes), printed
    return printed


def test_two_applies_to_one_file(shop: Shop) -> None:
    """Both rules stand in the file, in either order, and undo takes them back one after the other."""
    mock, pnpm = shop.id_of("mock"), shop.id_of("pnpm")
    at_once(("apply", mock, "--yes"), ("apply", pnpm, "--yes"), repo=shop.repo)
    text = shop.agents.read_text()
    assert text.count("Never mock the database") == text.count("We always use pnpm") == 1
    assert invoke("status", "--short").out == "mem 2\n"
    invoke("undo")
    invoke("undo")
    assert shop.agents.read_text() == AGENTS
    refused("undo", says="nothing to undo")


def test_reconciles_remembering_and_an_apply_at_once(shop: Shop) -> None:
    """Two runs over the same chats, three facts by hand and an apply: each fact once, the shared file whole."""
    before = {fact["id"] for fact in invoke("memory", "list", "--facts", "--format", "json").json["facts"]}
    said = ("Keep the changelog terse", "Ask before adding a dependency", "Write migrations by hand")
    at_once(
        ("reconcile",),
        ("reconcile", str(shop.transcript)),
        ("apply", shop.id_of("mock"), "--yes"),
        *(("remember", text) for text in said),
        repo=shop.repo,
    )
    facts = invoke("memory", "list", "--facts", "--format", "json").json["facts"]
    assert len(facts) == len({fact["id"] for fact in facts}) == len(before) + len(said)
    assert all(len(fact["citations"]) == 1 for fact in facts)
    assert all(text in shop.facts.read_text() for text in said)
    assert invoke("memory", "check").out.endswith(f"{len(facts) - 1} facts, 0 problems\n")
    assert shop.agents.read_text().count("Never mock the database") == 1


def test_two_first_runs_at_once(shop: Shop) -> None:
    """With no store there yet, both make them, and learn everything once."""
    for place in (shop.home / ".local", shop.repo / ".github"):
        subprocess.run(["rm", "-r", str(place)], check=True)
    at_once(("reconcile",), ("reconcile",), ("list",), repo=shop.repo)
    facts = invoke("memory", "list", "--facts", "--format", "json").json["facts"]
    assert len(facts) == len({fact["id"] for fact in facts}) == 4
    assert invoke("reconcile", "--format", "json").json["newFacts"] == 0
    assert invoke("status", "--short").out == "mem 4\n"


def test_a_program_that_does_not_end(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who waits too long says who is at work, and has changed nothing; looking needs no waiting."""
    monkeypatch.setattr("memsuggest.core.context.PATIENCE", 0.1)
    name = shop.id_of("mock")
    before = shop.files()
    with lock(shop.state.with_name("work.lock"), wait_seconds=1):
        for words in (("apply", name, "--yes"), ("dismiss", name), ("undo",), ("remember", "x"), ("reconcile",)):
            started = time.monotonic()
            assert f"process {os.getpid()}" in refused(
                *words, says="another memsuggest process is already running here"
            )
            assert time.monotonic() - started < 25
        for words in (
            ("list",),
            ("show", name),
            ("status",),
            ("memory", "list", "--facts"),
            ("reconcile", "--dry-run"),
        ):
            invoke(*words)
    assert shop.agents.read_bytes() == before["repo/AGENTS.md"]
    assert shop.facts.read_bytes() == before["repo/.github/memories/facts.json"]
