"""What says the opposite of a rule gives way to it, in its place and manner."""

from __future__ import annotations

import pytest
from cases import cases
from edit_kit import sides_of

from memsuggest.customizations.discovery import target_from
from memsuggest.suggestions.existing_rules import ExistingRules, Like
from memsuggest.suggestions.placement.place import find_contradictions, rewritten


def likes(text: str, rule: str) -> list[Like]:
    return ExistingRules([target_from("AGENTS.md", text)]).like(rule)


def replaced(text: str, rule: str) -> str | None:
    """The text with the rule in the place of what it contradicts."""
    open_likes = [like for like in likes(text, rule) if like.existing_rule.is_replaceable]
    found = next(iter(find_contradictions(rule, open_likes)), None)
    done = rewritten(text, rule, found.existing_rule) if found else None
    return done[0] if done else None


@cases(
    "text",
    [
        "# A\n\n«- Use tabs for indentation\n»- Use spaces for indentation\n- Two\n",  # another choice
        "1. One\n«2. **Indent:** use tabs for indentation\n»2. **Indent:** Use spaces for indentation\n3. Three\n",
        "«- [x] Use tabs for indentation\n»- [x] Use spaces for indentation\n",  # the box stays
        "«- Use tabs for indentation\n»- Use spaces for indentation\n  - in Go\n  - in make\n",  # what is nested stays
        "«- Use tabs for\n«  indentation\n»- Use spaces for indentation\n- Two\n",  # an item of several lines
        "«- Use tabs for indentation. End files.\n»- Use spaces for indentation. End files.\n",  # one sentence
        "# A\n\n«Use tabs for indentation.\n»Use spaces for indentation.\n\nMore.\n",  # a paragraph
        "«- Use tabs for indentation\r\n»- Use spaces for indentation\r\n- Two\r\n",  # CRLF
    ],
)
def test_what_gives_way(text: str) -> None:
    """The line that a rule contradicts is replaced in its place and manner."""
    before, after = sides_of(text)
    assert replaced(before, "Use spaces for indentation") == after


@cases(
    ("before", "rule"),
    [
        ("* Use tabs for indentation", "Use spaces for indentation"),  # no end
        ("- Lines have at most 80 characters", "Lines have at most 100 characters"),
        (
            "- In all of the many files of this project we use tabs for\n  indentation\n- Two\n",
            "In all of the many files of this project we use spaces for\n  indentation",
        ),
        ("- Mock the database in unit tests.", "Never mock the database in unit tests."),
    ],
)
def test_the_rest_of_the_line_stays(before: str, rule: str) -> None:
    """Mark, wrapping and end of the line are those of the old one."""
    mark, end = before[:2], "\n- Two\n" if before.endswith("Two\n") else ""
    assert replaced(before, " ".join(rule.split()).removesuffix(".")) == f"{mark}{rule}{end}"


@cases(
    ("text", "rule"),
    [
        pytest.param("- Never modify files\n", "Never modify generated files", id="a narrower ban is another rule"),
        ("- Use dependency injection\n", "Use constructor injection for services"),  # a narrower wish, too
        pytest.param("- Use tabs in Go, spaces in YAML\n", "Use spaces in JSON", id="another subject"),
        pytest.param("- **Imports:**\n  - sorted\n", "No imports at the top", id="a head is no rule"),
        ("| use tabs for indentation |\n|---|\n| x |\n", "Use spaces for indentation"),  # never in a table
        pytest.param(
            "<!-- BEGIN generated -->\n- Use tabs for indentation\n<!-- END generated -->\n",
            "Use spaces for indentation",
            id="never what a program writes",
        ),
        pytest.param("## Don't\n\n- Use tabs for indentation\n", "Use spaces for indentation", id="it says so already"),
        pytest.param("## Example\n\n- Use tabs for indentation\n", "Use spaces for indentation", id="an example"),
        pytest.param("- Review code\n", "Don't use regions in the code", id="one word in common"),
        pytest.param("- Unit testing framework: vitest\n", "No unit testing framework in scripts", id="no order"),
    ],
)
def test_what_stays(text: str, rule: str) -> None:
    """What only looks like the rule stays as it is."""
    assert replaced(text, rule) is None


FLIPS = [
    ("Use pnpm", "Never use pnpm"),
    ("Commit the lock file", "Do not commit the lock file"),
    ("Mock the database in tests", "Never mock the database in tests"),
    ("Log every request", "Don't log every request"),
    ("Squash before merging", "Never squash before merging"),
]


@cases(("first", "second"), [*FLIPS, *((second, first) for first, second in FLIPS)])
def test_no_rule_is_turned_round_in_silence(first: str, second: str) -> None:
    """A rule is never taken for its opposite: it is not said already, and both wordings are shown."""
    assert not ExistingRules([target_from("AGENTS.md", f"- {first}\n")]).said(second)
    assert replaced(f"- {first}\n", second) == f"- {second}\n"


def test_both_wordings_are_shown() -> None:
    """The reason names the words that give way, their line, and why."""
    found = find_contradictions(
        "Use spaces for indentation", likes("# A\n\n- Use tabs for indentation\n", "Use spaces for indentation")
    )
    assert "“Use tabs for indentation” on line 3" in found[0].why


def test_a_changed_file_is_not_rewritten() -> None:
    """The words must stand where they stood."""
    text = "- Use tabs for indentation\n"
    found = find_contradictions("Use spaces for indentation", likes(text, "Use spaces for indentation"))
    assert rewritten("- Use tabs everywhere\n", "Use spaces for indentation", found[0].existing_rule) is None


@cases(
    ("line", "rule"),
    [
        pytest.param("Use fixtures in tests.", "In tests of the parser never use fixtures.", id="exception"),
        pytest.param("Don't commit generated files.", "Commit generated protobuf files.", id="exception turned"),
        pytest.param("Run `make test` before a commit.", "Run `make lint` before a commit.", id="both can be run"),
        pytest.param("npm scripts live in package.json.", "Use pnpm, not npm.", id="about something else"),
    ],
)
def test_beside_each_other(line: str, rule: str) -> None:
    """A narrower rule and one about something else take nothing's place."""
    assert replaced(f"- {line}\n", rule) is None
