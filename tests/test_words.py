"""The same thing has the same word wherever a person reads it: no text has a word that `docs/words.md` leaves out."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from cases import cases

ROOT = Path(__file__).resolve().parent.parent
OUT = re.compile(
    r"""
    \b(?:is|are|was|were)\s+told\b | \bwaits\b | \bstill\s+wait\b | \bsuggestions?\s+wait\b
  | \bkept\s+aside\b | \b(?:in|of|needs?|more)\s+care\b | \bcare\s+of\s+(?:your|the)\b
  | \bholds\s+(?:no|more|a|an|what|the|your)\b | \bspeaks?\s+(?:for|of)\b | \bmatters\b | \bmattered\b
  | \bsilence[ds]?\b | \b(?:no|little)\s+talk\b | \btalks?\s+(?:to|over|about)\b
    """,
    re.VERBOSE | re.IGNORECASE,
)
"""Words in whose place there is a plain one."""
ABOUT_WORDS = ("judging/", "core/text/", "memory/guard.py", "transcripts/program_text.py", "held/")
"""What recognises sentences of others, or tells whether a rule holds: that word is the field's own."""
EXCEPT = re.compile(r"--wait|CREATE|INSERT|DELETE|SELECT|minutes of silence|reconcile --batch` waits")
PAGES = [ROOT / "README.md", *sorted(page for page in (ROOT / "docs").glob("*.md") if page.name != "words.md")]


def texts(path: Path) -> Iterator[tuple[int, str]]:
    """The strings of a module that may be printed, and the help of its commands; no docstring of anything else."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    silent = {
        id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in silent:
            yield node.lineno, node.value
        if isinstance(node, ast.FunctionDef) and any(isinstance(one, ast.Call) for one in node.decorator_list):
            yield node.lineno, ast.get_docstring(node) or ""


def is_out(text: str) -> bool:
    return " " in text.strip() and OUT.search(text) is not None and EXCEPT.search(text) is None


def test_no_text_has_a_word_that_is_out() -> None:
    """Strings of the package and the help of commands."""
    package = ROOT / "memsuggest"
    found = [
        f"{path.relative_to(package)}:{line}: {text[:100]}"
        for path in sorted(package.rglob("*.py"))
        if not path.relative_to(package).as_posix().startswith(ABOUT_WORDS)
        for line, text in texts(path)
        if is_out(text)
    ]
    assert found == []


@cases("page", PAGES)
def test_no_page_has_a_word_that_is_out(page: Path) -> None:
    """README and docs, but for code and examples."""
    prose = re.sub(r"^```.*?^```|`[^`]*`", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    assert [line for line in prose.splitlines() if is_out(line)] == []


def test_the_test_can_fail() -> None:
    """It finds the words that readers stumbled over, and leaves plain ones alone."""
    assert all(
        map(is_out, ("what waits is told", "care of your files", "it matters here", "the old token holds no more"))
    )
    assert not any(map(is_out, ("3 pending", "does the rule hold?", "a rule that holds")))
