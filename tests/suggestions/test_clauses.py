"""Clauses: what a rule says first, and whether it goes on."""

from __future__ import annotations

from cases import cases

from memsuggest.suggestions.existing.clauses import (
    covers,
    goes_on,
    is_by_chance,
    keeps_order,
    main_clause,
    put_otherwise,
)


@cases(
    ("text", "rule"),
    [
        ("Use pytest with fixtures", "Use pytest"),
        ("Log in JSON, because Loki parses it.", "Log in JSON"),
        ("Avoid inline styles (the CSP blocks them).", "Avoid inline styles."),
        ("Never print; use the logger", "Never print"),
        ("Use pytest, und zwar mit Fixtures", "Use pytest"),
    ],
)
def test_going_on(text: str, rule: str) -> None:
    """A reason, a remark, a second order or a means add to what was said."""
    assert goes_on(text, rule)


@cases(
    ("text", "rule"),
    [
        ("Use pytest in CI", "Use pytest"),
        ("Use pytest for the API", "Use pytest"),
        ("Never use pytest, use nose", "Use pytest"),
        ("Use pytest.", "Use pytest"),
        ("Use pytest, please", "Use pytest"),
        ("In CI, use pytest", "Use pytest"),
        ("Retry 5 times, then stop", "Retry 3 times"),
        ("Log with print", "Use the logger"),
    ],
)
def test_not_going_on(text: str, rule: str) -> None:
    """A narrower rule, another one, and the same one are no longer form of it."""
    assert not goes_on(text, rule)


@cases(
    ("text", "main"),
    [
        ("Use tabs, they are fine", "Use tabs"),
        ("Use tabs because I say so", "Use tabs"),
        ("In Go, use tabs", "In Go, use tabs"),
        ("Use tabs", "Use tabs"),
    ],
)
def test_main_clause(text: str, main: str) -> None:
    """What is said first, unless that is only where it holds."""
    assert main_clause(text) == main


@cases(
    ("rule", "other"),
    [
        ("Never delete a file without asking.", "asking before you delete a file"),
        ("Don't push without running the tests", "running the tests before you push"),
        ("Do not merge without writing a changelog entry", "writing a changelog entry before you merge"),
        ("never deploy without telling the team", "telling the team before you deploy"),
        ("Don't run the linter before committing", None),
        ("Use tabs without asking", None),
    ],
)
def test_put_otherwise(rule: str, other: str | None) -> None:
    """ "Not this without that" is "that before this"."""
    assert put_otherwise(rule) == other


def test_covering() -> None:
    """A text that lacks a word of weight does not say the rule, however alike it is."""
    assert covers("Validate input at the edge of the system", "Validate input at the edge")
    assert not covers("Validate input at the edge", "Validate input at the edge with pydantic")


def test_order_of_few_words() -> None:
    """Two words turned round are another thing; many words may stand in any order."""
    assert keeps_order("Always use merge commits here", "Use merge commits")
    assert not keeps_order("Always squash commits when merging", "Use merge commits")
    assert keeps_order("Dates of the API are UTC", "API dates are UTC in tests")


@cases("pump", ["never a " * 20_000, "x without " * 10_000, "a, " * 30_000, " with" * 20_000])
def test_long_texts(pump: str) -> None:
    """Text of any length is read in linear time."""
    assert put_otherwise(pump) is None
    assert main_clause(pump)


@cases(
    ("text", "rule"),
    [
        ("Spacing: use `fr-mt-1`, `fr-py-2`", "Indent with spaces"),
        ("Does it handle tabs and spaces?", "Indent with spaces"),
        ("Use a single commit for each change", "Quotes are single"),
        ("Push the changes before running the tests", "Run the tests before pushing changes"),
        ("Pinning by SHA is missing for actions", "Pin actions by SHA"),
    ],
)
def test_the_same_words_by_chance(text: str, rule: str) -> None:
    """Spaces of another kind, a question, the other way round: the words are there, and the rule is not."""
    assert is_by_chance(text, rule)


@cases(
    ("text", "rule"),
    [
        ("Avoid tabs; use spaces everywhere", "Indent with spaces"),
        ("Use spaces", "Indent with spaces"),
        ("Use pnpm for everything here", "Use pnpm"),
        ("Run the tests before you push changes", "Run the tests before pushing changes"),
    ],
)
def test_the_same_words_on_purpose(text: str, rule: str) -> None:
    """The words mean what the rule means."""
    assert not is_by_chance(text, rule)
