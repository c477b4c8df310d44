"""What headings and labels say about the place of a rule."""

from __future__ import annotations

from cases import cases

from memsuggest.customizations.blocks.sections import layout
from memsuggest.suggestions.placement.lists import is_about_examples, is_about_wrong, is_example_tag
from memsuggest.suggestions.placement.place import is_about_rules, usual_section


@cases("heading", ["Conventions", "Key Conventions", "3. Coding Standards & Conventions", "📏 Rules", "Regeln", "规则"])
def test_headings_of_rules(heading: str) -> None:
    """Rules about everything are announced in many ways."""
    assert is_about_rules(heading)


@cases("heading", ["Testing Conventions", "Naming rules", "Commands", "Overview", ""])
def test_headings_about_something(heading: str) -> None:
    """A heading that is about something is not for everything."""
    assert not is_about_rules(heading)


@cases(
    ("text", "heading"),
    [
        ("# A\n\n## Notes\n\nx\n\n## Rules\n\n- x\n", "Rules"),
        ("# A\n\n## Steps\n\n1. x\n\n## Checklist\n\n- x\n", "Checklist"),
        ("# Project guidelines\n\nText.\n\n## Build\n\n- x\n", None),
        ("# Project guidelines\n\n- x\n\n## Build\n\n- x\n", "Project guidelines"),
        ("# A\n\n- x\n", "A"),
        ("# A\n\n## Build\n\n- x\n", None),
        ("<rules>\n- x\n</rules>\n", ""),
    ],
)
def test_usual_sections(text: str, heading: str | None) -> None:
    """A section for rules about everything is known by its heading, its tag, or as the only list."""
    section = usual_section(layout(text))
    assert (section.heading if section else None) == heading


@cases(
    "name",
    ["Don'ts", "Never:", "❌ Bad", "Things to avoid", "What not to do", "**Do not:**", "Anti-patterns", "Don\u2019t"],
)
def test_what_is_wrong(name: str) -> None:
    """Some lists hold what one should not do."""
    assert is_about_wrong(name)


@cases("name", ["Avoid N+1 queries", "Do's and Don'ts", "Never mock the database:", "Rules", "Error handling", ""])
def test_what_is_not_wrong(name: str) -> None:
    """A rule that forbids something announces no list of wrongs."""
    assert not is_about_wrong(name)


def test_examples() -> None:
    """What only shows how something looks is no rule, and no place for one."""
    assert is_about_examples("Example:")
    assert is_about_examples("For example:")
    assert not is_about_examples("Keep examples short")
    assert is_example_tag("example-2")
    assert is_example_tag("think_example_batch")
    assert not is_example_tag("rules")
