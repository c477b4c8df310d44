"""Facts that cannot both hold are paired; facts that can are left in peace."""

from __future__ import annotations

from dataclasses import replace

from cases import cases
from facts.fakes import citation, fact

from memsuggest.core.model import FactStatus, Scope, Trust
from memsuggest.facts.contradictions import KnownPairs, find_contradictions, last_said

CLASHING = [
    ("Use tabs", "Use spaces"),
    ("Never commit generated files", "Commit generated files"),
    ("Keep lines below 100 characters", "Keep lines below 120 characters"),
    ("Immer npm verwenden", "Niemals npm verwenden"),
    ("Log with structlog, never with loguru", "Log with loguru, never with structlog"),
]

PEACEFUL = [
    ("Use tabs", "Indent with tabs"),
    ("Use pnpm", "Never use npm"),
    ("Use tabs in Makefiles", "Use spaces in Python files"),
    ("Use ruff for Python", "Use mypy for Python"),
    ("Keep functions below 40 lines", "Keep modules below 300 lines"),
    ("No force pushes to main", "No force pushes to main except after a rebase"),
    ("Support npm and pnpm", "Use npm"),
]


def paired(first: str, second: str) -> list[set[str]]:
    pairs = find_contradictions([fact(first)], [fact(second)])
    return [{pair.winner.content, pair.loser.content} for pair in pairs]


@cases(("first", "second"), CLASHING)
def test_clashing(first: str, second: str) -> None:
    """The same words but for a negation, a number or a name are found among the facts, whichever comes first."""
    assert paired(first, second) == paired(second, first) == [{first, second}]


@cases(("first", "second"), PEACEFUL)
def test_peaceful(first: str, second: str) -> None:
    """Rules that can both hold are not paired."""
    assert paired(first, second) == paired(second, first) == []


def test_newer_statement_wins() -> None:
    """The winner is what the person said last; what others claim never wins against it."""
    old = fact("Use tabs", citations=(citation(session="s1"),))
    new = fact("Use spaces", citations=(citation(session="s5"),), confidence=0.6)
    claimed = fact("Always use tabs", citations=(citation(session="s9", trust=Trust.CLAIMED),), confidence=1.0)
    (found,) = find_contradictions([old, new])
    assert (found.winner, found.loser, found.why) == (new, old, "“tabs” conflicts with “spaces”")
    assert find_contradictions([claimed], [new])[0].winner == new


def test_a_series_is_no_clash() -> None:
    """Two lengths of a line exclude each other; many modules of a number each do not."""
    lengths = [fact(f"Keep lines below {number} characters") for number in (88, 100)]
    modules = [fact(f"Add a test for module {number}") for number in range(40)]
    pairs = find_contradictions([*lengths, *modules])
    assert [{pair.winner.content, pair.loser.content} for pair in pairs] == [{length.content for length in lengths}]


def test_only_what_is_in_force() -> None:
    """Retired facts and facts of another scope clash with nothing, a fact not with itself."""
    new = fact("Use spaces")
    others = [fact("Use tabs", status=FactStatus.INACTIVE), fact("Use tabs", scope=Scope.USER), new]
    assert find_contradictions([new], others) == ()


def test_last_said() -> None:
    """A fact's time is that of its latest evidence, or its own where the evidence has none."""
    assert last_said(fact("x", citations=(), timestamp=7)) == 7
    assert last_said(fact("x", citations=(citation(session="s3"), citation(session="s2")))) > fact("x").timestamp


CHANGING = (
    "Always use pnpm.",
    "Never use pnpm.",
    "Indent with tabs.",
    "Indent with spaces.",
    "Wait 30 seconds for the queue.",
    "Wait 60 seconds for the queue.",
    "Log in UTC.",
)


def test_losers_are_those_of_comparing_all_anew() -> None:
    """Whatever is added, dropped, reworded, retired or said again later, the same facts lose."""
    facts = [fact(text, timestamp=at, citations=()) for at, text in enumerate(CHANGING)]
    retired = [replace(facts[0], status=FactStatus.INACTIVE), *facts[1:]]
    later = [replace(facts[0], timestamp=99), *facts[1:]]
    reworded = [*facts[:5], replace(facts[5], content="Wait 30 seconds for the queue."), facts[6]]
    known = KnownPairs()
    for now in ([], facts, facts[:5], facts, retired, facts, later, reworded, facts[1:], [*facts[2:], facts[0]], facts):
        assert known.losers(now) == {pair.loser.id for pair in find_contradictions(now)}, now
    assert len(known.losers(facts)) >= 2
