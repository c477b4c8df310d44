"""A command that is killed, or refused by the system, at any call: old or new, never torn, and the next settles it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from cli.conftest import AGENTS, Shop, invoke, refused

from memsuggest.files import lock

CALLS = "openat,write,pwrite64,fsync,fdatasync,rename,renameat2,link,linkat,unlink,unlinkat,ftruncate,mkdir,fchmod"
SOME = 3
"""How many points of each scenario the quick run takes; the slow one takes all."""

needs_strace = pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not here")


def nothing(_shop: Shop) -> None:
    """Nothing goes before."""


def apply_mock(shop: Shop) -> None:
    invoke("apply", shop.id_of("mock"), "--yes")


SCENARIOS = [
    pytest.param(nothing, ("apply", "{mock}", "--yes"), id="apply"),
    pytest.param(apply_mock, ("undo",), id="undo"),
    pytest.param(nothing, ("dismiss", "{mock}"), id="dismiss", marks=pytest.mark.slow),
    pytest.param(nothing, ("memory", "forget", "{fact}"), id="forget", marks=pytest.mark.slow),
]
DEPTHS = [pytest.param(SOME, id="some"), pytest.param(10_000, id="all", marks=pytest.mark.slow)]
Before = Callable[[Shop], None]


def words_of(shop: Shop, words: tuple[str, ...]) -> list[str]:
    known = {"{mock}": shop.id_of, "{fact}": shop.fact_id_of}
    return [known[word]("mock") if word in known else word for word in words]


def traced(shop: Shop, words: list[str], *options: str) -> subprocess.CompletedProcess[str]:
    # With a filter in the kernel only the calls that are asked for are stopped at, of hundreds of thousands.
    command = ["strace", "-f", "--seccomp-bpf", *options, sys.executable, "-m", "memsuggest", *words]
    environ = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}  # as many calls each time
    return subprocess.run(command, cwd=shop.repo, env=environ, capture_output=True, text=True, check=False)


def at(call: str, what: str) -> list[str]:
    """Do something at a call of that name."""
    return ["-o", "/dev/null", "-e", f"trace={call}", "-e", f"inject={call}:{what}"]


def writing_calls(shop: Shop, words: list[str], log: Path) -> list[tuple[str, int]]:
    """The system calls of a command that touch the repo, the state or the profile, by name and number."""
    traced(shop, words, "-y", "-e", f"trace={CALLS}", "-o", str(log))
    counts: dict[str, int] = {}
    found = []
    for line in log.read_text(errors="replace").split("\n"):
        match = re.match(r"\d+ +(\w+)\(", line)
        if not match:
            continue
        name = match.group(1)
        counts[name] = counts.get(name, 0) + 1
        if str(shop.folder) in line and "O_RDONLY" not in line:
            found.append((name, counts[name]))
    return found


def whole(shop: Shop) -> tuple[object, ...]:
    """What a person sees: the files, what is remembered and decided, what is pending."""
    pending = [one["id"] for one in invoke("list", "--format", "json").json["suggestions"]]
    facts = [
        (one["id"], one["content"]) for one in invoke("memory", "list", "--facts", "--format", "json").json["facts"]
    ]
    decided = [invoke("list", "--status", status).out for status in ("applied", "dismissed")]
    return shop.agents.read_bytes(), team(shop), facts, decided, pending


def team(shop: Shop) -> object:
    """The team's file, but for the time at which a fact was added by hand."""
    return json.loads(re.sub(rb'"timestamp": \d+', b'"timestamp": 0', shop.facts.read_bytes()))


def some(calls: list[tuple[str, int]], most: int) -> list[tuple[str, int]]:
    return calls[len(calls) // 2 % max(1, len(calls) // most) :: max(1, len(calls) // most)]


def strays(shop: Shop) -> list[str]:
    return [name for name in shop.files() if "memsuggest-tmp" in name or name.endswith(("-journal", ".backup"))]


@needs_strace
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("most", DEPTHS)
@pytest.mark.parametrize(("before", "words"), SCENARIOS)
def test_killed_at_every_call(shop: Shop, tmp_path: Path, before: Before, words: tuple[str, ...], most: int) -> None:
    """No kill tears a file, loses a fact or needs a repair by hand: run again, the command comes to the same end."""
    before(shop)
    start, command = whole(shop), words_of(shop, words)
    shop.put_back()
    before(shop)
    calls = writing_calls(shop, command, tmp_path / "log")
    end = whole(shop)
    assert start != end
    assert len(calls) > 8
    for name, number in some(calls, most):
        shop.put_back()
        before(shop)
        traced(shop, command, *at(name, f"signal=KILL:when={number}"))
        assert shop.agents.read_bytes() in {start[0], end[0]}, (name, number)
        assert team(shop) in (start[1], end[1]), (name, number)
        invoke("reconcile")
        assert strays(shop) == [], (name, number)
        if whole(shop) != end:
            invoke(*command)
        assert whole(shop) == end, (name, number)


# Several programs at once in one clone: nothing is lost, nothing doubled, nobody's lines overwritten.


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
