"""Care of the files: shown after what was said, decided like it, and never a nuisance."""

from __future__ import annotations

from pathlib import Path

import pytest
from builders import claude_session, tree
from cli.conftest import Run, commit, git, json_of, refused

AGENTS = "# Shop\n\n- Orders live in `src/api/orders.py`.\n- Start `scripts/old.sh` first\n- Be terse.\n"
LISTED = '---\napplyTo: ["**/*.py"]\n---\n\n- Use type hints.\n'


@pytest.fixture(name="repo")
def _repo(git_repo: Path) -> Path:
    files = {
        "AGENTS.md": AGENTS,
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
    assert "-- Start `scripts/old.sh` first" in shown and "removed it on" in shown and "two" in shown
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
    (repo / "AGENTS.md").write_text("# New\n\n" + AGENTS)
    run("apply", found["Mentions "], "--yes")
    assert (repo / "AGENTS.md").read_text() == "# New\n\n" + AGENTS.replace("- Start `scripts/old.sh` first\n", "")
    (repo / ".github/instructions/py.instructions.md").write_text(LISTED.replace('["**/*.py"]', '"**/*.py"'))
    refused("apply", found["`applyTo`"], "--yes", says="no longer needs")


def test_the_same_words_in_one_file(run: Run, repo: Path) -> None:
    """Lines that are twice the same are settled one after the other."""
    rule = "- Every public function of the payment package needs a short docstring with an example\n"
    text = "# A\n\n" + f"{rule}\n## B\n\n- Other\n{rule}\n## C\n\n- Third\n{rule}\n" + "Some words here. " * 1200 + "\n"
    (repo / "AGENTS.md").write_text(text)
    found = [one for one in run("reconcile", "--format", "json").json["care"] if one["cause"] == "budget"]
    assert len({one["id"] for one in found}) == len(found) == 2
    run("apply", *(one["id"] for one in found), "--yes")
    assert (repo / "AGENTS.md").read_text().count(rule) == 1
    run("undo")
    assert (repo / "AGENTS.md").read_text() == text
