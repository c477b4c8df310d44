"""Rules that say the same are one; rules that only look the same are two."""

from __future__ import annotations

import pytest
from cases import cases
from hypothesis import given
from hypothesis import strategies as st
from processor_time import processor_seconds

from memsuggest.memory.duplicates import KnownRules, difference, is_said_by, is_same, similarity

SAME = [
    ("Use pnpm, not npm", "Always use pnpm instead of npm."),
    ("Use pnpm, not npm", "we use pnpm"),
    ("Use tabs not spaces", "Indent with tabs"),
    ("Use pnpm", "Install packages with pnpm"),
    ("Use jest", "Use jest as the test runner"),
    ("Never mock the database in integration tests", "In integration tests, don't mock the db"),
    ("Never commit secrets", "Never, ever commit secrets!"),
    ("Run the linter before every commit", "Please run the linter before committing"),
    ("Use snake_case for function names", "Function names should use `snake_case`"),
    ("Keep commit messages short", "Commit messages must be terse"),
    ("Prefer composition over inheritance", "Use composition rather than inheritance"),
    ("Indent with four spaces", "Indent with 4 spaces"),
    ("Never use print, because it clutters the log", "Don't use print"),
    ("Write docs in English", "Docs must be written in English"),
    ("Use the configuration loader everywhere", "Use the configuraton loader everywhere"),
    ("Benutze immer pnpm statt npm", "Bitte pnpm statt npm verwenden"),
    ("N'utilise jamais axios", "Ne pas utiliser axios"),
    ("データベースをモックしない", "データベースを モックしない"),
    ("Test files live next to the source file", "Test files live next to the source files"),
    ("Don't hard-code URLs", "URLs must never be hard-coded"),
    ("Default exports are forbidden", "Never use default exports"),
    ("Keep build output out of git", "Never keep build output in git"),
    ("Ask before deleting a branch", "Don't delete a branch without asking me"),
    ("Use the client, not raw sockets", "Don't use raw sockets, use the client"),
    ("Add a screenshot to every pull request", "Each PR needs a screenshot"),
    ("Fixtures live in `tests/data`", "Put fixtures in `tests/data`"),
    ("Show me the plan first", "Present the plan first"),
    ("Leave the vendored parser alone", "Don't touch the vendored parser"),
    ("Format before every commit", "Run the formatter before every commit"),
    ("Answer briefly", "Keep your answers short"),
    ("Lines have at most 100 characters", "Keep lines under 100"),
    ("Write class names in PascalCase", "Use PascalCase when you name a class"),
]  # fmt: skip

DIFFERENT = [
    ("Use tabs", "Do not use tabs"),
    ("Use tabs for indentation in all our source files", "Never use tabs for indentation in all our source files"),
    ("Use pnpm, not npm", "Use npm, not pnpm"),
    ("Use pnpm instead of npm", "Use npm instead of pnpm"),
    ("Prefer composition over inheritance", "Prefer inheritance over composition"),
    ("Keep lines below 100 characters in Python files", "Keep lines below 120 characters in Python files"),
    ("Support Python 3.11 and newer in all packages", "Support Python 3.12 and newer in all packages"),
    ("Put unit tests for parsers next to the source file", "Put integration tests for parsers next to the source file"),
    ("Run the linter before the tests in every pipeline", "Run the tests before the linter in every pipeline"),
    ("Add trailing commas to multi-line calls in Python", "Remove trailing commas from multi-line calls in Python"),
    ("Enable strict mode in every new TypeScript package", "Disable strict mode in every new TypeScript package"),
    ("Always validate input on the server side", "Only validate input on the server side"),
    ("Deploy with `make deploy` after the review", "Deploy with `make release` after the review"),
    ("Log to `src/app.log` in development", "Log to `src/web.log` in development"),
    ("Run tests with coverage", "Run tests without coverage"),
    ("Use signed commits for releases and for hotfixes", "Use unsigned commits for releases and for hotfixes"),
    ("Make the client api synchronous everywhere", "Make the client api asynchronous everywhere"),
    ("Fail when the response is >= 400 bytes", "Fail when the response is <= 400 bytes"),
    ("Use ruff for linting Python code in this repo", "Use pylint for linting Python code in this repo"),
    ("No force pushes to main", "No force pushes to main except after a rebase"),
    ("Pass --strict to the compiler", "Pass --loose to the compiler"),
    ("Immer Tests schreiben", "Nie Tests schreiben"),
    ("データベースをモックする", "データベースをモックしない"),
    ("Copy the fixtures from tests to build", "Copy the fixtures from build to tests"),
    ("Allow default exports in components and in pages", "Forbid default exports in components and in pages"),
    ("Keep build output in git", "Keep build output out of git"),
    ("Deploy with make", "Deploy with just"),
    ("Use tabs", "Stop it: do not use tabs"),
    ("Use tabs", "No, never use tabs"),
    ("Never use tabs", "Not: never use tabs"),
    ("Squash before merging", "Never squash before merging"),
    ("Deploy without asking", "Never deploy without asking"),
    ("Change the schema without a review", "Change the schema without a review: no"),
    ("Reformat the code before every commit on main", "Reformat the docs before every commit on main"),
    ("Keep uploads below 5 MB", "Keep uploads above 5 MB"),
    ("Send at least 3 retries to the broker", "Send at most 3 retries to the broker"),
    ("Restart the workers on Sundays", "Nobody should restart the workers on Sundays"),
    ("Function names begin with `ab_`", "Function names begin with `ab_` in tests only"),
    ("Function names begin with `ab_`", "Function names end with `ab_`"),
    ("Function names begin with `ab_`", "Private function names begin with `ab_`"),
    ("Function names begin with `ab_`", "Function names no longer begin with `ab_`"),
    ("Use snake_case for functions and tables", "Use snake_case for functions"),
    ("Keep the guides in `doc`", "Keep the guides in `docs`"),
    ("Run the integration tests before every release", "Run the tests before every release"),
    ("Lines have at most 100 characters", "Lines have at most 120 characters"),
]  # fmt: skip


@cases(("first", "second"), SAME)
def test_same(first: str, second: str) -> None:
    """A paraphrase is the same rule, whichever comes first."""
    assert difference(first, second) is None
    assert is_same(first, second)
    assert is_same(second, first)


@cases(("first", "second"), DIFFERENT)
def test_different(first: str, second: str) -> None:
    """A turned, limited or re-numbered rule is another one, whichever comes first."""
    assert not is_same(first, second)
    assert not is_same(second, first)


RULES = [
    "Write the changelog entry in the same commit as the change",
    "Validate every request body with the shared schema",
    "Store uploaded files in the object store of the region",
    "Name feature branches after the ticket they belong to",
    "Close the database connection when the request ends",
    "Show prices with two decimals in the checkout",
    "Translate all messages of the settings page",
]


@cases("rule", RULES)
@cases("negator", ["Do not", "Don't", "Never", "Avoid to", "Stop to", "You must not", "Please no longer"])
def test_flipped(rule: str, negator: str) -> None:
    """No way of saying no merges with the rule that says yes."""
    flipped = f"{negator} {rule[0].lower()}{rule[1:]}"
    assert not is_same(rule, flipped)
    assert not is_same(flipped, rule)


@cases(
    ("text", "rule", "said"),
    [
        ("Install packages with pnpm (never npm), and commit the lock file.", "Commit the lock file", True),
        ("We use pnpm; the lock file is committed.", "Use pnpm", True),
        ("We use pnpm.", "Never use pnpm", False),
        ("Never use pnpm.", "Use pnpm", False),
        ("Keep functions short.", "Keep functions below 40 lines", False),
        ("Commit the lock file only on main", "Commit the lock file", False),
        ("anything", "", False),
    ],
)
def test_said_by(text: str, rule: str, said: bool) -> None:
    """A longer text says a rule when nothing of the rule is missing or turned round."""
    assert is_said_by(text, rule) is said


@given(st.text(max_size=80), st.text(max_size=80))
def test_symmetric(first: str, second: str) -> None:
    """Similarity lies between 0 and 1 and does not depend on the order."""
    assert 0 <= similarity(first, second) <= 1
    assert similarity(first, second) == pytest.approx(similarity(second, first))
    assert is_same(first, second) is is_same(second, first)


@given(st.text(max_size=200))
def test_reflexive(text: str) -> None:
    """Every text is the same as itself."""
    assert similarity(text, text) == 1
    assert is_same(text, text)


def test_known() -> None:
    """One rule is found among many, the same one first."""
    known = KnownRules(["Use tabs", "Never mock the database in integration tests", "Mock the database in unit tests"])
    assert known.same_as("don't mock the db in integration tests") == 1
    assert known.same_as("mock the database in integration tests") is None
    assert [match.position for match in known.matches("don't mock the db in integration tests")] == [1, 2]


@cases("pump", ["not ", "a-", "`", "`a", "a.", "'a", "--", "never, ", "不", "<=", "instead of "])
def test_linear(pump: str) -> None:
    """No text takes long."""
    text = pump * (100_000 // len(pump))
    assert processor_seconds(lambda: similarity(text, text + "x")) < 10


@cases(
    ("a", "b"),
    [
        pytest.param("Service A owns billing.", "Service B owns billing.", id="capital letters"),
        pytest.param(
            "Use tool-a to build the a package", "Use tool-b to build the b package", id="a letter at the end"
        ),
        pytest.param("Team A reviews the API", "Team C reviews the API", id="teams"),
    ],
)
def test_one_letter_tells_things_apart(a: str, b: str) -> None:
    """What is called by one letter is not another that is called by another one."""
    assert not is_same(a, b)
    assert is_same(a, a.replace(".", ""))
