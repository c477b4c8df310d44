"""`facts list`: what is remembered, and what of it holds no more."""

from __future__ import annotations

from pathlib import Path

from cli.conftest import Run


def test_a_retired_rule_is_told_as_such(run: Run, tmp_path: Path) -> None:
    """`facts list --all` says which facts hold no more."""
    rules = ("Functions must always start with 'zu_'", "From now on functions must start with 'ka_' instead of 'zu_'")
    for number, rule in enumerate(rules):
        talk = tmp_path / f"talk{number}.txt"
        talk.write_text(f"Ida: {rule}.\nBo: Okay, noted.\n", encoding="utf-8")
        run("reconcile", str(talk), "--person", "Ida")
    older, newer = run("facts", "list", "--all").out.strip().split("\n")
    assert older.endswith("· inactive")
    assert "inactive" not in newer
