"""Rules as inert lines."""

from __future__ import annotations

import pytest

from conftest import SHARED
from memsuggest.customizations.discovery import target_from
from memsuggest.suggestions.place import place
from memsuggest.suggestions.style import end_like, one_line, why_forbidden
from memsuggest.suggestions.verify import why_unsafe

FILE = "# A\n\nintro\n\n## Rules\n\n- one\n- two\n\n## Other\n\ntext\n"


@pytest.mark.parametrize(
    "content",
    [
        "use pnpm <!-- and this -->",
        "![x](https://example.org/p)",
        "[run](command:workbench.action)",
        "see #file:secrets.md",
        "read @~/.ssh/config",
        "!`id`",
        "<script>x</script>",
        "x\n## New heading",
        "```\ncode",
        "${input:name}",
        "<img src=x>",
        "[a](javascript:alert(1))",
        "---",
    ],
)
def test_what_no_file_may_get(content: str) -> None:
    """Comments, images, commands, includes, raw HTML and breakouts are refused with a reason."""
    assert why_forbidden(content)


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("use pnpm", "use pnpm"),
        ("use\u2028pnpm\x85now\x0b!", "use pnpm now !"),
        ("# not a heading", "\\# not a heading"),
        ("1. not a step", "\\1. not a step"),
        ("> no quote", "\\> no quote"),
        ("[x]: no-definition", "\\[x]: no-definition"),
        ("return Result<T> always", "return Result\\<T> always"),
        ("return `Result<T>` always", "return `Result<T>` always"),
        ("-1 means none", "-1 means none"),
        ("#1 is the main issue", "#1 is the main issue"),
    ],
)
def test_one_line(content: str, line: str) -> None:
    """A fact is one logical line in which nothing opens a block or a tag."""
    assert why_forbidden(content) is None
    assert one_line(content) == line


def test_periods_follow_the_neighbours() -> None:
    """A final period comes and goes with those around it."""
    assert end_like("use it", ["One.", "Two.", "three"]) == "use it."
    assert end_like("use it.", ["one", "two"]) == "use it"
    assert end_like("use it. Always.", ["one", "two"]) == "use it. Always."
    assert end_like("use e.g. etc.", ["one"]) == "use e.g. etc."


def breakouts() -> list[str]:
    path = SHARED / "vectors" / "breakout.jsonl"
    import json

    rows = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
    return [row["text"] for row in rows if row["sink"] in {"bullet", "front matter", "recall block", "terminal"}]


@pytest.mark.parametrize("text", [*breakouts(), "a\r\n# b", "x\n\n- y", "  - z"])
def test_breakouts_are_refused_or_inert(text: str) -> None:
    """Whatever a fact says, the file around its line reads as before."""
    if why_forbidden(text):
        return
    target = target_from("AGENTS.md", FILE)
    placed = place(text, target, section=target.sections[1])
    if placed.text != FILE:
        assert why_unsafe(FILE, placed.text) is None
        assert placed.text.count("\n") == FILE.count("\n") + 1
