"""`consolidate` from the command line: shown, carried out, undone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from builders import claude_session, fake_token, tree
from cli.conftest import Outcome, Run
from model_server import Server, answers

from memsuggest.facts.facts_file import PLACE

CENTS, CENTS_TOO = "Keep prices in cents.", "Keep all the prices in cents."
NOUNS = ["lamp", "boat", "kite", "drum", "fern", "gate", "bell", "cart", "mast", "rope", "sail", "oar"]
OTHERS = ("The worker queue is called harbor.", "Tests live in tests/.", "Ship on Tuesdays.", "Use pnpm.")


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    server = Server([answers("{}")])
    monkeypatch.setenv("ANTHROPIC_API_KEY", fake_token())
    monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
    for name in ("CI", "GITHUB_ACTIONS"):
        monkeypatch.delenv(name, raising=False)
    yield server
    server.close()


def remember(run: Run, *texts: str) -> None:
    for text in texts:
        run("remember", text)


def listed(run: Run) -> list[Any]:
    found: list[Any] = run("memory", "list", "--facts", "--format", "json").json["facts"]
    return found


def contents(run: Run) -> list[str]:
    return sorted(fact["content"] for fact in listed(run))


def consolidate(run: Run, *words: str, code: int = 0) -> Outcome:
    return run("consolidate", *words, "--format", "json", code=code)


def whole(run: Run) -> Any:
    """All that is remembered, with its evidence; not when, and not in which order it was stored."""
    return [run("memory", "show", fact["id"], "--format", "json").json for fact in listed(run)]


def with_twins(run: Run, git_repo: Path) -> None:
    """Remember things of which two say the same: the second comes from the team's file, as after a merge."""
    remember(run, CENTS, *OTHERS)
    path = git_repo / PLACE
    document = json.loads(path.read_text(encoding="utf-8"))
    twin = {**document["facts"][0], "id": "f" * 16, "content": CENTS_TOO, "timestamp": 9_999_999_999_999}
    path.write_text(json.dumps({**document, "facts": [*document["facts"], twin]}), encoding="utf-8")
    run("memory", "tidy")


def test_what_says_the_same_is_shown(run: Run, git_repo: Path) -> None:
    """What says the same is shown with the fact that stays, as a table and a diff; nothing is changed by showing."""
    with_twins(run, git_repo)
    before = (git_repo / PLACE).read_bytes()
    report = consolidate(run).json
    (found,) = report["operations"]
    assert (report["tier"], report["changed"]) == ("generous", False)
    assert (found["operation"], found["content"], found["sure"]) == ("delete", CENTS_TOO, True)
    assert report["factsAfter"] == report["facts"] - 1
    assert f'"content": "{CENTS_TOO}"' in report["diff"]
    assert "says the same as" in run("consolidate").out
    assert (git_repo / PLACE).read_bytes() == before


def test_what_is_done_is_undone(run: Run, git_repo: Path, home: Path) -> None:
    """A consolidation is one entry of the journal: `undo` brings every fact and every byte of the file back."""
    with_twins(run, git_repo)
    before, file = whole(run), (git_repo / PLACE).read_bytes()
    assert consolidate(run, "--yes").json["changed"]
    assert contents(run) == sorted([CENTS, *OTHERS])
    stones = json.loads((git_repo / PLACE).read_text(encoding="utf-8"))["tombstones"]
    assert [stone["id"] for stone in stones] == ["f" * 16]
    assert CENTS_TOO in run("undo").out
    assert (git_repo / PLACE).read_bytes() == file
    assert whole(run) == before
    left = run("undo", "--list", "--format", "json").json["decisions"]
    assert {one["verb"] for one in left} == {"added"}
    assert not [path for path in tree(home) if "tmp" in path]


@pytest.mark.parametrize(("typed", "is_done"), [("n\n", False), ("y\n", True)])
def test_a_person_is_asked(
    run: Run, git_repo: Path, monkeypatch: pytest.MonkeyPatch, typed: str, *, is_done: bool
) -> None:
    """On a terminal nothing goes without a yes."""
    with_twins(run, git_repo)
    monkeypatch.setattr("memsuggest.cli.dialog.is_interactive", lambda: True)
    assert "apply 1 lossless change?" in run("consolidate", stdin=typed).out
    assert (CENTS_TOO in contents(run)) is not is_done


def test_undo_keeps_what_was_said_since(run: Run, git_repo: Path, home: Path) -> None:
    """What changed after a consolidation stays when it is undone."""
    with_twins(run, git_repo)
    consolidate(run, "--yes")
    claude_session(home, git_repo, "From now on never mock the database in tests.")
    run("reconcile")
    (queue,) = [fact["id"] for fact in listed(run) if "harbor" in fact["content"]]
    run("memory", "forget", "--for-good", queue)
    run("undo")
    assert contents(run) == sorted([CENTS, CENTS_TOO, "Never mock the database in tests.", *OTHERS[1:]])


def test_all_tiers_are_reached(run: Run) -> None:
    """The fuller the memory, the more is cut: real stores in all three tiers."""
    remember(run, *(f"The {noun} service is deployed from the branch release-{noun}." for noun in NOUNS))
    tiers = {5000: "generous", 1000: "selective", 600: "heavy cut"}
    for budget, tier in tiers.items():
        run("config", "set", "consolidation.budget", str(budget))
        report = consolidate(run).json
        assert report["tier"] == tier
        assert not report["operations"]


def test_what_was_replaced_goes_when_room_is_short(run: Run, home: Path, git_repo: Path) -> None:
    """In a generous store what was replaced stays to be looked at; in a full one it goes, and may be said again."""
    old = "We always use npm in this repo."
    claude_session(home, git_repo, old, session="11111111-aaaa-4bbb-8ccc-222222222221")
    claude_session(home, git_repo, "From now on use pnpm instead of npm.", session="1111-2", day=2)
    run("reconcile", "--offline")
    remember(run, *(f"The {noun} service has its own branch release-{noun}." for noun in NOUNS))
    assert not consolidate(run).json["operations"]
    run("config", "set", "consolidation.budget", "600")
    (found,) = consolidate(run, "--yes").json["operations"]
    assert found["why"] == "replaced by"
    claude_session(home, git_repo, "No, we always use npm in this repo!", session="1111-3", day=3)
    run("reconcile", "--offline")
    assert any("npm" in content and "pnpm" not in content for content in contents(run))


def test_a_crash_in_the_middle_is_taken_back(run: Run, git_repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed between the two stores, the next command finds all as it was before."""
    with_twins(run, git_repo)
    before, file = whole(run), (git_repo / PLACE).read_bytes()

    class Killed(BaseException):
        pass

    def die(*_: object, **__: object) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr("memsuggest.facts.profile.Profile.rewrite", die)
        with pytest.raises(Killed):
            consolidate(run, "--yes")
    assert (git_repo / PLACE).read_bytes() != file
    run("reconcile", "--offline")
    assert (git_repo / PLACE).read_bytes() == file
    assert whole(run) == before
    left = run("undo", "--list", "--format", "json").json["decisions"]
    assert {one["verb"] for one in left} == {"added"}


def test_what_is_forgotten_is_gone_from_everywhere(run: Run, server: Server, home: Path, git_repo: Path) -> None:
    """Neither the answers of a model nor the journal keep a word of it, and no `undo` brings it back."""
    said = "We always keep zebras in cents, never as floats."
    cited = [{"turn": 1, "file": "", "quote": said}]
    fact = {"content": "Keep zebras in cents, never as floats.", "reason": "", "kind": "convention", "citations": cited}
    found = fact | {"scope": "workspace", "confidence": "high", "replaces": ""}
    server.behave(answers(json.dumps({"facts": [found], "injections": []})))
    path = claude_session(home, git_repo, said)
    run("reconcile", "--engine", "haiku", "--consent")
    file = git_repo / PLACE
    document = json.loads(file.read_text(encoding="utf-8"))
    twin = {**document["facts"][0], "id": "f" * 16, "content": "Always keep the zebras in cents, never as floats."}
    file.write_text(json.dumps({**document, "facts": [*document["facts"], twin]}), encoding="utf-8")
    consolidate(run, "--yes")
    path.unlink()
    (kept,) = [statement["id"] for statement in listed(run) if "zebra" in statement["content"]]
    run("memory", "forget", "--for-good", kept)
    assert "nothing to undo" in run("undo", code=1).err
    left = [name for name, data in (tree(home) | tree(git_repo)).items() if b"zebra" in data]
    assert left == []
