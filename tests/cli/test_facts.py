"""`memory import --facts`: what a file holds is listed, and taken one by one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from builders import claude_session, tree
from cli.conftest import Run, facts, invoke, json_of, known, pending, refused
from judging_kit import proposed, reply
from model_server import Server, answers

from memsuggest.facts.facts_file import PLACE

LISTED = "- Use pnpm, not npm.\n- Indent with tabs.\n"


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    path = tmp_path / "rules.md"
    path.write_text(LISTED, encoding="utf-8")
    return path


def verdicts(run: Run, path: Path, *words: str) -> dict[str, str]:
    report = run("memory", "import", "--facts", str(path), "--format", "json", *words).json
    return {row["fact"]["content"]: row["verdict"] for row in report["facts"]}


def test_takes_what_is_named(run: Run, rules: Path) -> None:
    """By itself it only lists; an entry that was named becomes a fact, is suggested, and is known the next time."""
    assert verdicts(run, rules) == {"Use pnpm, not npm.": "new", "Indent with tabs.": "new"} and known() == []
    run("remember", "Indent with spaces.")
    assert "contradicts" in run("memory", "import", "--facts", str(rules)).out
    row = json_of("memory", "import", "--facts", str(rules))["facts"][0]
    assert verdicts(run, rules, "--take", row["fact"]["id"][:8])["Use pnpm, not npm."] == "taken"
    assert "Use pnpm, not npm." in known() and "Use pnpm, not npm." in pending()
    assert verdicts(run, rules)["Use pnpm, not npm."] == "known"
    refused("memory", "import", "--facts", str(rules), "--take", row["fact"]["id"][:8], says="is already stored")


def test_what_was_forgotten_is_said(run: Run, rules: Path) -> None:
    """A forgotten fact does not slip back in unnoticed; the person may take it all the same."""
    run("remember", "Use pnpm, not npm.")
    name = facts()[0]["id"]
    run("memory", "forget", name)
    assert verdicts(run, rules)["Use pnpm, not npm."] == "forgotten"
    assert verdicts(run, rules, "--take", name)["Use pnpm, not npm."] == "taken"
    assert known() == ["Use pnpm, not npm."]


# Limits: what is pruned, where, and that it stays gone.


LESSONS = (
    "use pnpm for the web client",
    "run the linter before a commit",
    "write commit messages in English",
    "keep migrations reversible",
    "log in JSON",
    "name branches after the ticket",
    "pin docker images by digest",
    "put fixtures below tests/data",
    "return problem+json for errors",
    "prefer dataclasses to dicts",
    "use British spelling in the docs",
    "store times in UTC",
)
RULES = [f"use tool-{number} for job-{number}" for number in range(12)]


@pytest.fixture
def full(run: Run) -> Run:
    """Twelve facts of the workspace where ten are allowed."""
    run("config", "set", "maxWorkspaceFacts", "10")
    for rule in RULES:
        run("remember", rule)
    return run


def prune(*words: str) -> list[Any]:
    return list(json_of("memory", "prune", *words)["facts"])


def test_prunes_to_the_limit(full: Run, git_repo: Path) -> None:
    """As many as are allowed stay, in both stores; `undo` brings all back; what a teammate brought stays."""
    path = git_repo / ".github/memories/facts.json"
    text = path.read_bytes()
    assert len(prune("--dry-run")) == 2 and len(known()) == 12
    assert json_of("reconcile")["pruned"] == [], "where nobody sees it"
    assert "`memsuggest undo` reverts this" in full("memory", "prune").out
    assert len(known()) == 10 and prune() == []
    team = json.loads(path.read_text())
    assert (len(team["facts"]), len(team["tombstones"])) == (10, 2)
    full("undo")
    assert len(known()) == 12 and path.read_bytes() == text
    (mine,) = {str(fact["sourceSessionId"]) for fact in json.loads(text)["facts"]}
    path.write_text(text.decode().replace(mine, "f" * len(mine)), encoding="utf-8")
    assert prune() == []
    for rule in RULES:
        full("remember", rule, "--user")
    (git_repo / ".memsuggest.yml").write_text("maxUserFacts: 10\n", encoding="utf-8")
    assert prune() == [], "a repo cannot evict what the person takes everywhere"


def test_a_pruned_fact_does_not_come_back(run: Run, git_repo: Path) -> None:
    """The chat that it was learned from is read again, as it grows, and does not bring it back; by hand it comes."""
    run("config", "set", "maxWorkspaceFacts", "10")
    said = [f"From now on always {rule}." for rule in LESSONS]
    claude_session(Path.home(), git_repo, *said)
    run("reconcile")
    first, _ = [fact["content"] for fact in prune()]
    claude_session(Path.home(), git_repo, *said, "Thanks, that is all.")
    run("reconcile")
    assert len(known()) == 10
    run("remember", first)
    assert first in known()


# `consolidate` from the command line: shown, carried out, undone.


CENTS, CENTS_TOO = "Keep prices in cents.", "Keep all the prices in cents."
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
    assert "says the same thing as" in invoke("consolidate").out
    assert file.read_bytes() == text
    assert consolidate("--yes")["changed"]
    assert known() == sorted([CENTS, *OTHERS])
    assert [tombstone["id"] for tombstone in json.loads(file.read_text(encoding="utf-8"))["tombstones"]] == ["f" * 16]
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
