"""A first run over many chats shows what it found before it is through."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from builders import claude_session
from cli.conftest import Run

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are not there")
if sys.platform != "win32":
    from cli.terminal import Terminal

CHATS = 24
"""More than are read in the order in which they were had."""


def test_the_newest_rules_are_shown_while_the_older_chats_are_read(run: Run, git_repo: Path, home: Path) -> None:
    """What the newest chat taught is on the screen, and where it belongs, while there is more to read."""
    (git_repo / "AGENTS.md").write_text("# Kiln\n\n- Be brief.\n")
    for number in range(CHATS):
        rule = {0: "Never log a customer's address.", CHATS - 1: "Always use pnpm, never npm, in this repo."}
        said = rule.get(number, f"Look at kiln number {number}, please.")
        session = f"{number:08}-aaaa-4bbb-8ccc-222222222222"
        path = claude_session(home, git_repo, said, session=session)
        status = path.stat()
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns - number * 3 * 86_400 * 10**9))
    terminal = Terminal("reconcile", "--dry-run", slow=(".jsonl", 0.15), COLUMNS="80")
    assert "Memory suggestions" not in terminal.expect("Rules found so far, newest chats first (Ctrl-C keeps them):\n")
    found = terminal.expect("→ AGENTS.md › Kiln\n")
    assert "Never log a customer's address." in found and "pnpm" not in found
    rest = terminal.expect("2 pending")
    assert f"/{CHATS}" in rest
    report = terminal.end().partition("Memory suggestions")[2]
    assert "Never log a customer's address." in report and "pnpm" in report
