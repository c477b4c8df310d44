"""Files that were made to keep a parser busy: bounded work, whatever stands in them, and no traceback."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from builders import claude_session
from cli.conftest import Run
from processor_time import processor_seconds

SIZE = 100_000
HEAD = "---\napplyTo: {}\n---\n# Rules\n\n- Use uv.\n"
INSTRUCTIONS = ".github/instructions/x.instructions.md"
FILES = {
    "quotes in quotes": ("AGENTS.md", "\n".join("> " * (depth % 200) + "always keep it" for depth in range(2_000))),
    "lists in lists": ("AGENTS.md", "\n".join("  " * (depth % 300) + "- always use item" for depth in range(1_000))),
    "brackets": ("AGENTS.md", "[" * SIZE + "a" + "]" * SIZE),
    "underscores": ("AGENTS.md", "_" * SIZE + "a" + "_" * SIZE),
    "backticks": ("AGENTS.md", " ".join("`" * (length % 300) for length in range(1_500))),
    "a fence without an end": ("AGENTS.md", "```\n" * (SIZE // 4 + 1)),
    "headings": ("AGENTS.md", "\n".join(f"{'#' * (1 + level % 6)} H\n- Never do {level}" for level in range(4_000))),
    "underlined headings": ("AGENTS.md", "a\n=\n" * (SIZE // 4)),
    "one line": ("AGENTS.md", "- Always " + "use the thing and never the other " * (SIZE // 34)),
    "comments": ("AGENTS.md", "<!-- " * (SIZE // 5)),
    "imports": ("CLAUDE.md", "".join(f"@docs/a{number}.md\n" for number in range(SIZE // 16))),
    "braces": (INSTRUCTIONS, HEAD.format('"' + "{a," * 5_000 + "}" * 5_000 + '"')),
    "stars": (INSTRUCTIONS, HEAD.format('"' + "**/" * 20_000 + 'x"')),
    "keys": (INSTRUCTIONS, HEAD.format("\n".join(["'**'", *(f"k{number}: v" for number in range(10_000))]))),
    "deep YAML": (INSTRUCTIONS, HEAD.format("[" * 5_000)),
    "deep JSON": (".claude/settings.json", '{"hooks": ' + "[" * SIZE),
    "comments in JSON": (".github/hooks/a.json", "/*" * SIZE),
}


@pytest.mark.parametrize(("name", "text"), FILES.values(), ids=FILES)
def test_it_takes_no_long_time(run: Run, git_repo: Path, home: Path, name: str, text: str) -> None:
    """A chat is learned from beside such a file, and what is suggested is listed."""
    path = git_repo / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    subprocess.run(["git", "-C", str(git_repo), "add", "-A"], check=True)
    claude_session(home, git_repo, "From now on never mock the database in tests.")
    assert processor_seconds(lambda: (run("reconcile", "--offline"), run("list"), run("held"))) < 5
    assert run("list", "--format", "json").json["suggestions"]
