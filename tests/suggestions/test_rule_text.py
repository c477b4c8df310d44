"""Chat around a rule goes, the rule stays."""

from __future__ import annotations

from cases import cases
from hypothesis import given
from hypothesis import strategies as st

from memsuggest.suggestions.placement.line_format import as_rule


@cases(
    ("said", "rule"),
    [
        ("no no, please always use pnpm in this repo, ok?", "always use pnpm"),
        ("You keep forgetting: tests must not use fixtures!!", "tests must not use fixtures"),
        ("every PR needs a changelog entry, thanks", "every PR needs a changelog entry"),
        ("I want you to name branches feature/x", "name branches feature/x"),
        ("can you never use print for logging", "never use print for logging"),
        ("hey, as I said before, use tabs!!!", "use tabs"),
        ("From now on, please use tabs. Thanks!", "use tabs"),
        ("we should always keep controllers thin btw", "always keep controllers thin"),
        ("bitte immer Tests schreiben", "immer Tests schreiben"),
        ("Always use pnpm, never npm, in this repo.", "Always use pnpm, never npm."),
    ],
)
def test_chat_goes(said: str, rule: str) -> None:
    """Address, courtesy and emphasis are no part of a rule."""
    assert as_rule(said) == rule


@cases(
    "rule",
    [
        "No default exports",
        "you must not commit secrets",
        "We should be careful with dates",
        "So that tests stay fast, mock the network",
        "Thanks to the cache, reads are fast",
        "Turn left, not right",
        "Answer with ok",
        "Remember to run the tests",
        "Just-in-time compilation is off",
        "And then there is X",
        "Please",
        "Can you see the admin pages? Only admins can.",
    ],
)
def test_rules_stay(rule: str) -> None:
    """Words that only look like chat stay."""
    assert as_rule(rule) == rule


@given(st.text(max_size=200))
def test_nothing_is_added(said: str) -> None:
    """A rule is a stretch of what was said, never empty where that was not."""
    rule = as_rule(said)
    assert rule in said
    assert bool(rule.strip()) == bool(said.strip())


@cases("pump", ["please " * 20_000, "no, " * 20_000, "a thanks " * 10_000, "!" * 100_000])
def test_long_texts(pump: str) -> None:
    """Text of any length is read in linear time."""
    assert as_rule(pump)
