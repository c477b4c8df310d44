"""`consolidate` from the command line: shown, carried out, undone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from builders import claude_session, tree
from cli.conftest import Run, facts, invoke, json_of, known, session
from judging_kit import proposed, reply
from model_server import Server, answers

from memsuggest.facts.facts_file import PLACE

CENTS, CENTS_TOO = "Keep prices in cents.", "Keep all the prices in cents."
NOUNS = ["lamp", "boat", "kite", "drum", "fern", "gate", "bell", "cart", "mast", "rope", "sail", "oar"]
OTHERS = ("The worker queue is called harbor.", "Tests live in tests/.", "Ship on Tuesdays.", "Use pnpm.")


def whole() -> Any:
    """All that is remembered, with its evidence; not when, and not in which order it was stored."""
    return [json_of("memory", "show", fact["id"]) for fact in facts()]


def consolidate(*words: str) -> Any:
    return json_of("consolidate", *words)


def remember(*texts: str) -> None:
    for text in texts:
        invoke("remember", text)


@pytest.fixture
def file(run: Run, git_repo: Path) -> Path:
    """The team's file, in which two things say the same: the second came with a merge."""
    assert run
    remember(CENTS, *OTHERS)
    path = git_repo / PLACE
    document = json.loads(path.read_text(encoding="utf-8"))
    twin = {**document["facts"][0], "id": "f" * 16, "content": CENTS_TOO, "timestamp": 9_999_999_999_999}
    path.write_text(json.dumps({**document, "facts": [*document["facts"], twin]}), encoding="utf-8")
    invoke("memory", "tidy")
    return path


def verbs() -> set[str]:
    return {one["verb"] for one in json_of("undo", "--list")["decisions"]}


def test_what_says_the_same_is_shown_merged_and_undone(file: Path, home: Path) -> None:
    """As a table and a diff; carried out it is one entry of the journal, whose `undo` brings every byte back."""
    before, text = whole(), file.read_bytes()
    report = consolidate()
    (found,) = report["operations"]
    assert (report["tier"], report["changed"]) == ("generous", False)
    assert (found["operation"], found["content"], found["sure"]) == ("delete", CENTS_TOO, True)
    assert report["factsAfter"] == report["facts"] - 1
    assert f'"content": "{CENTS_TOO}"' in report["diff"]
    assert "says the same as" in invoke("consolidate").out
    assert file.read_bytes() == text
    assert consolidate("--yes")["changed"]
    assert known() == sorted([CENTS, *OTHERS])
    assert [stone["id"] for stone in json.loads(file.read_text(encoding="utf-8"))["tombstones"]] == ["f" * 16]
    assert CENTS_TOO in invoke("undo").out
    assert file.read_bytes() == text and whole() == before and verbs() == {"added"}
    assert not [path for path in tree(home) if "tmp" in path]


@pytest.mark.parametrize(("typed", "is_done"), [("n\n", False), ("y\n", True)])
def test_a_person_is_asked(file: Path, monkeypatch: pytest.MonkeyPatch, typed: str, *, is_done: bool) -> None:
    """On a terminal nothing goes without a yes."""
    monkeypatch.setattr("memsuggest.cli.dialog.is_interactive", lambda: True)
    assert file.exists() and "Apply 1 lossless change?" in invoke("consolidate", stdin=typed).out
    assert (CENTS_TOO in known()) is not is_done


def test_undo_keeps_what_was_said_since(file: Path, git_repo: Path, home: Path) -> None:
    consolidate("--yes")
    claude_session(home, git_repo, "From now on never mock the database in tests.")
    invoke("reconcile")
    (queue,) = [fact["id"] for fact in facts() if "harbor" in fact["content"]]
    invoke("memory", "forget", "--for-good", queue)
    invoke("undo")
    assert file.exists()
    assert known() == sorted([CENTS, CENTS_TOO, "Never mock the database in tests.", *OTHERS[1:]])


def test_the_fuller_the_memory_the_more_is_cut(run: Run, home: Path, git_repo: Path) -> None:
    """What was replaced stays in a generous store, and goes from a full one, until it is said again."""
    claude_session(home, git_repo, "We always use npm in this repo.", session=session(1))
    claude_session(home, git_repo, "From now on use pnpm instead of npm.", session=session(2), day=2)
    run("reconcile", "--offline")
    remember(*(f"The {noun} service has its own branch release-{noun}." for noun in NOUNS))
    for budget, tier in {5000: "generous", 1000: "selective", 600: "heavy cut"}.items():
        run("config", "set", "consolidation.budget", str(budget))
        report = consolidate()
        assert (report["tier"], report["budget"]) == (tier, budget)
        assert bool(report["operations"]) is (tier != "generous")
    (found,) = consolidate("--yes")["operations"]
    assert found["why"] == "replaced by"
    claude_session(home, git_repo, "No, we always use npm in this repo!", session=session(3), day=3)
    run("reconcile", "--offline")
    assert any("npm" in content and "pnpm" not in content for content in known())


def test_a_crash_in_the_middle_is_taken_back(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed between the two stores, the next command finds all as it was before."""
    before, text = whole(), file.read_bytes()

    class Killed(BaseException):
        pass

    def die(*_: object, **__: object) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr("memsuggest.facts.profile.Profile.rewrite", die)
        with pytest.raises(Killed):
            consolidate("--yes")
    assert file.read_bytes() != text
    invoke("reconcile", "--offline")
    assert file.read_bytes() == text and whole() == before and verbs() == {"added"}


def test_what_is_forgotten_is_gone_from_everywhere(run: Run, model: Server, home: Path, git_repo: Path) -> None:
    """Neither the answers of a model nor the journal keep a word of it, and no `undo` brings it back."""
    said, rule = "We always keep zebras in cents, never as floats.", "Keep zebras in cents, never as floats."
    model.behave(answers(reply(proposed(rule, said))))
    path = claude_session(home, git_repo, said)
    run("reconcile", "--engine", "haiku", "--consent")
    file = git_repo / PLACE
    document = json.loads(file.read_text(encoding="utf-8"))
    twin = {
        **document["facts"][0],
        "id": "f" * 16,
        "content": f"Always {rule.replace('K', 'k').replace(' z', ' the z')}",
    }
    file.write_text(json.dumps({**document, "facts": [*document["facts"], twin]}), encoding="utf-8")
    consolidate("--yes")
    path.unlink()
    (kept,) = [fact["id"] for fact in facts() if "zebra" in fact["content"]]
    run("memory", "forget", "--for-good", kept)
    assert "nothing to undo" in run("undo", code=1).err
    assert [name for name, data in (tree(home) | tree(git_repo)).items() if b"zebra" in data] == []
