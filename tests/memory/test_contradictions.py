"""Facts that cannot both hold are paired; facts that can are left in peace."""

from __future__ import annotations

import random

from cases import cases
from memory.fakes import citation, fact

from memsuggest.memory.contradictions import find_contradictions, is_update_of, last_said, why_contradicting
from memsuggest.memory.duplicates import is_same
from memsuggest.model import FactStatus, Scope, Trust

CLASHING = [
    ("Use tabs", "Use spaces"),
    ("Use tabs for indentation", "Indent with spaces"),
    ("Use pnpm, not npm", "Use npm"),
    ("Install dependencies with pnpm", "Install packages with yarn"),
    ("Never commit generated files", "Commit generated files"),
    ("Don't use default exports", "Use default exports"),
    ("Prefer composition over inheritance", "Prefer inheritance over composition"),
    ("Keep lines below 100 characters", "Keep lines below 120 characters"),
    ("Support Python 3.11", "Support Python 3.12"),
    ("Put tests in `tests/`", "Put tests in `spec/`"),
    ("Start helper names with `x_`", "Start helper names with `y_`"),
    ("Use zod for schema validation", "Use joi for schema validation"),
    ("Enable strict mode", "Disable strict mode"),
    ("Add trailing commas", "Remove trailing commas"),
    ("Run the linter before the tests", "Run the linter after the tests"),
    ("Write commit messages in English", "Write commit messages in German"),
    ("Immer npm verwenden", "Niemals npm verwenden"),
    ("Log with structlog, never with loguru", "Log with loguru, never with structlog"),
]  # fmt: skip

PEACEFUL = [
    ("Use tabs", "Indent with tabs"),
    ("The demo is a plain file, never served by a web server", "The demo is a plain file and needs no server"),
    ("Use pnpm", "Never use npm"),
    ("Use tabs in Makefiles", "Use spaces in Python files"),
    ("Use ruff for linting", "Use ruff for formatting"),
    ("Use ruff for Python", "Use mypy for Python"),
    ("Add tests for parsers", "Add tests for readers"),
    ("Write docs in English", "Write comments in German"),
    ("Never push to main", "Review every pull request before merging"),
    ("Use Postgres in production", "Use SQLite in unit tests"),
    ("Keep functions below 40 lines", "Keep modules below 300 lines"),
    ("Run tests with coverage", "Run tests in parallel"),
    ("No force pushes to main", "No force pushes to main except after a rebase"),
    ("Support npm and pnpm", "Use npm"),
    ("Close the ticket in the tracker", "Close the database connection"),
    ("Use pytest for tests", "Use playwright for tests"),
    ("Log errors with the request id", "Log errors with a stack trace"),
]  # fmt: skip


@cases(("first", "second"), CLASHING)
def test_clashing(first: str, second: str) -> None:
    """Rules that cannot both hold are told, whichever comes first, and are never taken for the same."""
    assert why_contradicting(first, second)
    assert why_contradicting(second, first)
    assert not is_same(first, second)


@cases(("first", "second"), PEACEFUL)
def test_peaceful(first: str, second: str) -> None:
    """Rules that can both hold are not paired."""
    assert why_contradicting(first, second) is None
    assert why_contradicting(second, first) is None


@cases(
    ("new", "old", "replaces"),
    [
        ("Prefix helpers with `y_` instead of `x_`", "Prefix helpers with `x_`", True),
        ("Use four spaces for indentation", "Use two spaces for indentation", True),
        ("Deploy to staging on Mondays", "Deploy to staging on Tuesdays", True),
        ("Use pnpm", "Keep functions short", False),
        ("Use pnpm", "Use pnpm", False),
    ],
)
def test_update(new: str, old: str, replaces: bool) -> None:
    """What is said to change something replaces its like, and nothing else."""
    assert is_update_of(new, old) is replaces


def test_newer_statement_wins() -> None:
    """The winner is what the person said last; what others claim never wins against it."""
    old = fact("Use tabs", citations=(citation(session="s1"),))
    new = fact("Use spaces", citations=(citation(session="s5"),), confidence=0.6)
    claimed = fact("Use tab", citations=(citation(session="s9", trust=Trust.CLAIMED),), confidence=1.0)
    (found,) = find_contradictions([old, new])
    assert (found.winner, found.loser, found.why) == (new, old, "they choose differently")
    assert find_contradictions([claimed], [new])[0].winner == new


def test_a_series_is_no_clash() -> None:
    """Two lengths of a line exclude each other; many modules of a number each do not."""
    lengths = [fact(f"Keep lines below {number} characters") for number in (88, 100)]
    modules = [fact(f"Add a test for module {number}") for number in range(40)]
    pairs = find_contradictions([*lengths, *modules])
    assert [{pair.winner.content, pair.loser.content} for pair in pairs] == [{one.content for one in lengths}]


def test_only_what_is_in_force() -> None:
    """Retired facts and facts of another scope clash with nothing, a fact not with itself."""
    new = fact("Use spaces")
    others = [fact("Use tabs", status=FactStatus.INACTIVE), fact("Use tabs", scope=Scope.USER), new]
    assert find_contradictions([new], others) == ()


def test_last_said() -> None:
    """A fact's time is that of its latest evidence, or its own where the evidence has none."""
    assert last_said(fact("x", citations=(), timestamp=7)) == 7
    assert last_said(fact("x", citations=(citation(session="s3"), citation(session="s2")))) > fact("x").timestamp


def test_thousand_facts() -> None:
    """Among a thousand facts, those that clash are found, and nothing else."""
    chance = random.Random(3)
    things = [f"{chr(97 + n % 26)}{chr(97 + n % 7)}o{chr(97 + n % 11)}" for n in range(60)]
    facts = [fact(f"Keep the {' '.join(chance.choices(things, k=6))} tidy in part {n % 50}") for n in range(1000)]
    clashing = find_contradictions([*facts, fact("Use tabs"), fact("Use spaces")])
    assert {pair.winner.content for pair in clashing} <= {one.content for one in facts} | {"Use tabs", "Use spaces"}
    assert any({pair.winner.content, pair.loser.content} == {"Use tabs", "Use spaces"} for pair in clashing)
