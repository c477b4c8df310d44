"""`extract --explain`: of each sentence, in plain words, why it is a suggestion, a maybe or neither."""

from __future__ import annotations

from pathlib import Path

from builders import claude_session
from cli.conftest import Run


def test_each_sentence_has_its_outcome_and_reason(run: Run, git_repo: Path, home: Path) -> None:
    """They stand in the order in which they were said, what is suggested beside what is not."""
    path = claude_session(home, git_repo, "Does it build now?", "Never log a customer's address.", "remember: ask Ada")
    told = run("extract", "--explain", "--offline", str(path)).out.partition("Sentence by sentence")[2]
    rows = [row.strip() for row in told.splitlines()[1:] if row.strip()]
    assert [row.split()[0] for row in rows[::2]] == ["dropped", "suggested", "suggested"]
    assert rows[1] == "no sign of a lasting rule"
    assert rows[3] == "worded as a lasting rule (“never log a”)"
    assert rows[5] == "you marked it as something to remember"
