"""`memory import --facts`: what a file holds is listed, and taken one by one."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli.conftest import Run, facts, json_of, known, pending, refused

RULES = "- Use pnpm, not npm.\n- Indent with tabs.\n"


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    path = tmp_path / "rules.md"
    path.write_text(RULES, encoding="utf-8")
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


@pytest.mark.usefixtures("run")
def test_bad_input(tmp_path: Path) -> None:
    """A missing file, one without facts and an unknown id are errors with a way on."""
    (tmp_path / "none.md").write_text("prose\n", encoding="utf-8")
    (tmp_path / "one.md").write_text("- a rule\n", encoding="utf-8")
    refused("memory", "import", "--facts", str(tmp_path / "gone.json"), says="does not exist")
    refused("memory", "import", "--facts", str(tmp_path / "none.md"), says="no facts found")
    refused(
        "memory", "import", "--facts", str(tmp_path / "one.md"), "--take", "zzzz", says="no entry with the id `zzzz`"
    )
