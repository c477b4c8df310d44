"""Bridges: a rule said to an assistant that does not read its file comes with what makes it read that file."""

from __future__ import annotations

from pathlib import Path

import pytest
from builders import claude_session
from cli.conftest import Run, json_of, suggestions

from memsuggest.suggestions.bridges import bridge
from memsuggest.suggestions.ranking.hosts import Host

AGENTS = "# Shop\n\n## Testing\n\n- Tests live in tests/.\n"
RULE = "From now on never mock the database in tests."


@pytest.fixture
def learned(run: Run, git_repo: Path, home: Path) -> Run:
    """A repo whose AGENTS.md is to take a rule that was said to Claude Code."""
    (git_repo / "AGENTS.md").write_text(AGENTS, encoding="utf-8")
    claude_session(home, git_repo, RULE)
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
    assert f"run `memsuggest apply {name}` to make Claude Code read it" in learned("show", rule["id"]).out
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
