"""`memory list --facts`: what is remembered, and what of it holds no more."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli.conftest import Run

from memsuggest.cli import help_pages


def test_a_retired_rule_is_told_as_such(run: Run, tmp_path: Path) -> None:
    """`memory list --facts --all` says which facts hold no more."""
    rules = ("Functions must always start with 'zu_'", "From now on functions must start with 'ka_' instead of 'zu_'")
    for number, rule in enumerate(rules):
        talk = tmp_path / f"talk{number}.txt"
        talk.write_text(f"Ida: {rule}.\nBo: Okay, noted.\n", encoding="utf-8")
        run("reconcile", str(talk), "--person", "Ida")
    older, newer = run("memory", "list", "--facts", "--all").out.strip().split("\n")
    assert older.endswith("· inactive")
    assert "inactive" not in newer


def test_former_names_go_on_and_say_the_new_one(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Facts, the identity and apps are parts of memory; a person is told once, a script's stderr stays as it was."""
    run("remember", "use pnpm, not npm")
    assert run("identity", "add", "Ada").err == ""
    run("apps", "remember", "claude-code", "The person prefers short answers.")
    pairs = {
        ("facts", "list"): "memory list --facts",
        ("facts", "search", "pnpm"): "memory list --facts pnpm",
        ("facts", "export"): "memory export --facts",
        ("identity", "show"): "memory show identity",
        ("apps", "show", "claude-code"): "memory show claude-code",
        ("apps", "list"): "memory list --apps",
        ("memory", "browse"): "memory list",
    }
    monkeypatch.setattr(help_pages, "is_read_by_a_person", lambda: True)
    for former, now in pairs.items():
        old, new = run(*former), run(*now.split())
        assert (old.out, new.err) == (new.out, "")
        said = " ".join(now.split()[: len(now.split()) - len(former) + 2])
        assert old.err == f"`memsuggest {former[0]} {former[1]}` is `memsuggest {said}` now\n"
