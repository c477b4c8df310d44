"""Rules as inert lines."""

from __future__ import annotations

import json
import unicodedata

import pytest
from cases import cases
from conftest import SHARED

from memsuggest.customizations.discovery import target_from
from memsuggest.suggestions.placement.content_safety import one_line, why_forbidden
from memsuggest.suggestions.placement.place import place, why_unsafe

FILE = "# A\n\nintro\n\n## Rules\n\n- One\n- Two\n\n## Other\n\ntext\n"


@cases(
    "content",
    [
        "use pnpm <!-- and this -->",
        "write `<!-- this -->` above",
        "use pnpm -->",
        "![x](https://example.org/p)",
        "[run](command:workbench.action)",
        "see #file:secrets.md",
        "ask #codebase first",
        "read @~/.ssh/config",
        "read @../up.md",
        "!`id`",
        "first !`id`",
        "!id",
        "<script>x</script>",
        "x\n## New heading",
        "x\n---\ny",
        "```\ncode",
        "x\n~~~\ny",
        "take $ARGUMENTS",
        "<img src=x>",
        '<a href="https://example.org">x</a>',
        "[a](javascript:alert(1))",
        "---",
        "***",
        "",
        "use\u200bpnpm",
        "use\u2028pnpm",
        "use\x0bpnpm",
        "use \U000e0041pnpm",
    ],
)
def test_what_no_file_may_get(content: str) -> None:
    """Comments, images, commands, includes, raw HTML, hidden characters and breakouts are refused with a reason."""
    assert why_forbidden(content)


@cases(
    ("content", "line"),
    [
        pytest.param("use pnpm", "use pnpm", id="plain words"),
        pytest.param(" use\r\n  pnpm\tnow ", "use pnpm now", id="folded"),
        pytest.param("# not a heading", "\\# not a heading", id="heading"),
        pytest.param("1. not a step", "1\\. not a step", id="number"),
        pytest.param("- not an item", "\\- not an item", id="item"),
        pytest.param("> no quote", "\\> no quote", id="quote"),
        pytest.param("| no table |", "\\| no table |", id="table"),
        pytest.param("[ ] no box", "\\[ ] no box", id="box"),
        pytest.param("[x]: no-definition", "\\[x]: no-definition", id="definition"),
        pytest.param("return Result<T> always", "return `Result<T>` always", id="a type is code"),
        pytest.param("use <Link>, not <a>", "use `<Link>`, not `<a>`", id="a tag is code"),
        pytest.param("return <T extends U>", "return \\<T extends U>", id="an open tag is escaped"),
        pytest.param("two \\\\<b id", "two \\\\\\<b id", id="two backslashes escape nothing"),
        pytest.param("return `Result<T>` always", "return `Result<T>` always", id="code stays"),
        pytest.param("follow @docs/style.md", "follow `@docs/style.md`", id="an import is code"),
        pytest.param("install @types/node", "install `@types/node`", id="a scoped package is code"),
        pytest.param("import from `@/lib/db`", "import from `@/lib/db`", id="an alias in code stays"),
        pytest.param("ask @bob", "ask @bob", id="a name is no import"),
        pytest.param("name it ${input:tag}", "name it $\\{input:tag}", id="a variable of prompts"),
        pytest.param("cost is $5 or ${x}", "cost is $5 or ${x}", id="no variable of prompts"),
        pytest.param("**Note** this", "**Note** this", id="bold is no item"),
        pytest.param("-1 means none", "-1 means none", id="minus one"),
        pytest.param("#1 is the main issue", "#1 is the main issue", id="number one"),
        pytest.param("never call `.unwrap()!` here", "never call `.unwrap()!` here", id="no shell include"),
        pytest.param("use a < b", "use a < b", id="less than"),
        pytest.param("می\u200cخواهم تست", "می\u200cخواهم تست", id="a legal joiner"),
    ],
)
def test_one_line(content: str, line: str) -> None:
    """A fact is one logical line in which nothing opens a block, loads or hides; what is code looks like code."""
    assert why_forbidden(content) is None
    assert one_line(content) == line
    assert one_line(line) == line


HIDDEN = [
    chr(code)
    for code in (
        *range(0x250),
        *range(0x2000, 0x2070),
        *range(0xFE00, 0xFE10),
        *range(0xE0000, 0xE0200),
        0x3164,
        0xE000,
    )
    if unicodedata.category(chr(code)) in ("Cf", "Cc", "Co", "Zl", "Zp") and chr(code) not in "\n\t"
]


def test_no_hidden_character_gets_through() -> None:
    """Whatever shows nothing is refused, in every place of a text."""
    for char in [*HIDDEN, "\u115f", "\u3164", "\u2800", "\U000e0101"]:
        for text in (f"use{char}pnpm", f"{char}use pnpm", f"use `pn{char}pm`"):
            assert why_forbidden(text), f"U+{ord(char):04X}"


def test_a_carriage_return_before_a_line_feed_is_no_secret() -> None:
    """Lines of Windows fold like any others."""
    assert why_forbidden("use\r\npnpm") is None


def breakouts() -> list[str]:
    path = SHARED / "vectors" / "breakout.jsonl"
    rows = [json.loads(line) for line in path.read_text("utf-8").split("\n") if line] if path.exists() else []
    return [row["text"] for row in rows]


@cases("text", [*breakouts(), "a\r\n# b", "x\n\n- y", "  - z"])
def test_breakouts_are_refused_or_inert(text: str) -> None:
    """Whatever a fact says, it stays one item, and the file around it reads as before."""
    if why_forbidden(text):
        return
    target = target_from("AGENTS.md", FILE)
    placed = place(text, target, section=target.sections[1])
    assert placed is not None
    assert why_unsafe(FILE, placed.text) is None
    assert placed.text.count("\n") == FILE.count("\n") + 1


@cases("pump", ["<", "`", "@a/", "![", "${", "#", "a<b ", "[x", "- ", "!`", "<a ", "</", "@"])
def test_long_texts_take_linear_time(pump: str) -> None:
    """A text of 100 KB is read in well under a second, whatever it repeats."""
    text = pump * (100_000 // len(pump))
    why_forbidden(text)
    one_line(text)
