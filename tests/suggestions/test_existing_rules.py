"""What files say, and whether they say a rule."""

from __future__ import annotations

import pytest
from cases import cases

from memsuggest.customizations.discovery import target_from
from memsuggest.suggestions.existing_rules import ExistingRules, existing_rules_of


def is_said(text: str, rule: str, *, uri: str = "AGENTS.md") -> bool:
    return bool(ExistingRules([target_from(uri, text)]).said(rule))


@cases(
    ("text", "rule"),
    [
        pytest.param("- use PNPM!\n", "Use pnpm", id="case and marks"),
        pytest.param("- **Packages:** use pnpm\n", "Use pnpm", id="behind a lead-in"),
        ("Some prose. Never mock the database in tests. More.\n", "Don't mock the database in tests"),  # sentence
        pytest.param("- Use [pnpm](https://pnpm.io)\n", "Use pnpm", id="a link's words"),
        pytest.param("- return `Result<T>` always\n", "return Result<T> always", id="as code"),
        pytest.param("- return Result\\<T> always\n", "return Result<T> always", id="escaped"),
        pytest.param("> Use pnpm for installs\n", "Use pnpm for installs", id="a quote"),
        pytest.param("| rule |\n|---|\n| Use pnpm for installs |\n", "Use pnpm for installs", id="a table's row"),
        pytest.param("- Use pnpm\n  for installs\n", "Use pnpm for installs", id="over two lines"),
        ("## Never do this\n\n- Mock the database in tests\n", "Never mock the database in tests"),  # a list of donts
        pytest.param("- ❌ Mock the database in tests\n", "Never mock the database in tests", id="a sign"),
        pytest.param("- 使用 pnpm 安装依赖\n", "使用 pnpm 安装依赖", id="any script"),
    ],
)
def test_said(text: str, rule: str) -> None:
    """A rule is said whatever the words around it, the marks and the list it stands in."""
    assert is_said(text, rule)


@cases(
    ("text", "rule"),
    [
        pytest.param("- Never use pnpm\n", "Use pnpm", id="the opposite"),
        pytest.param("- Use pnpm only in CI\n", "Use pnpm", id="less"),
        pytest.param("- Use pnpm\n", "Use pnpm, and pin every version", id="a part"),
        pytest.param("- Lines have 80 characters\n", "Lines have 100 characters", id="another number"),
        pytest.param("- Testing:\n", "Test", id="a label"),
        pytest.param("# Use pnpm for all things\n\n- x\n", "Use pnpm", id="a heading announces"),
        pytest.param("- Convert polars frames to pandas before plotting them\n", "Use polars", id="a word in passing"),
        pytest.param("```\nUse pnpm\n```\n", "Use pnpm", id="code"),
        pytest.param("<!-- Use pnpm -->\n", "Use pnpm", id="a comment"),
        pytest.param("## Examples\n\n- Use pnpm\n", "use pnpm!!", id="an example"),
        pytest.param("<example>\n- Use pnpm\n</example>\n", "Use pnpm", id="an example's tag"),
        pytest.param("## Don'ts\n\n- Mock the whole database\n", "Mock the database in tests", id="turned round"),
    ],
)
def test_not_said(text: str, rule: str) -> None:
    """Looks are not enough: what is wrongly taken for said is lost."""
    assert not is_said(text, rule)


def test_hook_files_say_nothing() -> None:
    """They hold no sentences."""
    assert existing_rules_of(target_from(".github/hooks/a.json", '{"hooks": {}}')) == []


def test_where_it_stands() -> None:
    """The line counts in the whole file, front matter included."""
    text = "---\napplyTo: '**'\n---\n# A\n\n- one\n- Use pnpm\n"
    said = ExistingRules([target_from(".github/instructions/a.instructions.md", text)]).said("use pnpm")
    assert [(existing_rule.line, existing_rule.raw) for existing_rule in said] == [(7, "Use pnpm")]


def test_many_lines_hide_none() -> None:
    """Among thousands of lines with the same words the one that says it is found."""
    lines = [f"- Use the cache number {number} for every request in the tests\n" for number in range(3000)]
    lines[1234] = "- Use the fast cache for images\n"
    assert is_said("".join(lines), "Use the fast cache for images")
    assert is_said("".join(lines), "Use the cache number 2345 for every request in the tests")
