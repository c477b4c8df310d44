"""Where nothing may be added: below a closing line, among explanations, outside the marks for rules."""

from __future__ import annotations

from cases import cases
from edit_kit import fact_of

from memsuggest.core.model import MemorySuggestion
from memsuggest.customizations.discovery import target_from
from memsuggest.suggestions.ranking.workspace_index import WorkspaceIndex
from memsuggest.suggestions.suggest import suggest

RULE = "Prices have two digits"


def after(text: str, rule: str = RULE) -> str:
    made = suggest(fact_of(rule), WorkspaceIndex([target_from("AGENTS.md", text)]))
    assert isinstance(made, MemorySuggestion)
    return made.edit.after or ""


@cases(
    "closing",
    [
        "---\n\nSee you in the reviews.",
        "_Last updated: May 2026_",
        "Happy coding!",
        "That's all, thank you.",
        "🤖 Made with care by the shop team.",
        "Brought to you by acme/shop",
        "Proceed with the checkout by following the steps.",
    ],
)
def test_a_closing_line_stays_last(closing: str) -> None:
    """A goodbye or a date ends the file, with or without a line above it."""
    text = after(f"# Shop\n\n## Build\n\nRun make.\n\n{closing}\n")
    assert text.rstrip().endswith(closing)
    assert RULE in text


def test_the_only_words_of_a_section_close_nothing() -> None:
    """A section keeps its words below its heading."""
    assert "## License\n\nLicensed under MIT." in after("# Shop\n\n## License\n\nLicensed under MIT.\n")


def test_what_a_tool_writes_is_left_alone() -> None:
    """Marks with a name that is no word for rules are a program's."""
    text = after("# Shop\n\n## Rules\n\n<!-- BEGIN acme-rules -->\n- Carts expire.\n<!-- END acme-rules -->\n")
    assert text.index(RULE) > text.index("END acme-rules")


def test_a_named_section_is_nobodys_output() -> None:
    """Comments that look like tags name a section, so that others can point to it: people write in it."""
    text = "# Shop\n\n<!-- <price-rules> -->\n## Prices\n\n* Prices are in cents.\n<!-- </price-rules> -->\n"
    assert f"* Prices are in cents.\n* {RULE}" in after(text)


def test_a_near_heading_before_a_new_one() -> None:
    """A rule about commits is at home under "Workflow": no heading is invented beside it."""
    text = "# Shop\n\n## Workflow\n\n- Open a draft first.\n\n## What it checks\n\n- types\n"
    assert "- Open a draft first.\n- Squash commits" in after(text, "Squash commits before opening a pull request")


@cases(
    ("section", "rule"),
    [
        ("| Command | For |\n| --- | --- |\n| `make l10n` | texts |", "Never edit the files in l10n by hand"),
        (
            "Use `Money.fromCents()`:\n\n```ts\nMoney.fromCents(5);\n```",
            "Call Money.fromCents instead of the constructor",
        ),
        ("```ts\nconst total = sumOf(cart);\n```", "Pass whole carts to sumOf"),
    ],
    ids=["a table", "code with brackets", "only in code"],
)
def test_names_in_tables_and_code_are_read(section: str, rule: str) -> None:
    """A section that holds a name of the rule is its place, whatever the name stands in: no heading is invented."""
    text = after(f"# Shop\n\n## Deploying\n\nShips go weekly.\n\n## Values\n\n{section}\n", rule)
    assert "## Conventions" not in text
    assert text.index("## Values") < text.index(rule)
