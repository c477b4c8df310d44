"""A rule without what was said around it, in the manner of its neighbours."""

from __future__ import annotations

import pytest
from cases import cases
from hypothesis import given
from hypothesis import strategies as st

from memsuggest.customizations.blocks.sections import layout
from memsuggest.suggestions.placement.line_format import (
    as_item,
    as_rule,
    begin_like,
    end_like,
    lead_in_of,
    line_end,
    wrap_width,
)


@cases(
    ("content", "neighbours", "begins"),
    [
        pytest.param("migrations need a test", ["One", "Two"], "Migrations", id="capital like its neighbours"),
        pytest.param("migrations need a test", [], "Migrations", id="capital where there are none"),
        pytest.param("migrations need a test", ["one", "two"], "migrations", id="small like its neighbours"),
        pytest.param("pnpm is used here", ["One"], "pnpm", id="a tool keeps its name"),
        pytest.param("camelCase for fields", ["One"], "camelCase", id="an identifier keeps its name"),
        pytest.param("oxlint runs first", ["Run `oxlint --fix` often"], "oxlint", id="what is code nearby is a name"),
        pytest.param("`x` is set", ["One"], "`x`", id="code stays"),
        pytest.param("über uns", ["Eins"], "Über", id="any letter"),
        pytest.param("don't mock", ["**Never** mock"], "Don't", id="bold neighbours count"),
    ],
)
def test_first_letters(content: str, neighbours: list[str], begins: str) -> None:
    """The first letter is like the neighbours', but a name keeps its own."""
    assert begin_like(content, neighbours, code="".join(neighbours)).startswith(begins)


@cases(
    ("content", "neighbours", "ended"),
    [
        ("use it", ["One.", "Two.", "three"], "use it."),
        ("use it.", ["one", "two"], "use it"),
        ("use it. Always.", ["one", "two"], "use it. Always."),
        ("use e.g. etc.", ["one"], "use e.g. etc."),
        ("use `it`", ["One.", "Two."], "use `it`."),
        ("Use it", ["**One.**", "**Two.**"], "Use it."),
        ("is it?", ["One."], "is it?"),
        ("use it.", [], "use it."),
        ("使う。", ["One."], "使う。"),
    ],
)
def test_periods_follow_the_neighbours(content: str, neighbours: list[str], ended: str) -> None:
    """A final period comes and goes with those around it."""
    assert end_like(content, neighbours) == ended


@cases(
    ("text", "lead_in"),
    [
        ("**A:** b", "**A:** "),
        ("**A**: b", "**A**: "),
        ("**A** b", ""),
        ("**A** - b", "**A** - "),
        ("__A:__ b", "__A:__ "),
    ],
)
def test_lead_in_of(text: str, lead_in: str) -> None:
    """A lead-in is bold and set off from what follows."""
    assert lead_in_of(text) == lead_in


@cases(
    ("text", "width"),
    [
        ("- " + "word " * 12 + "\n  more words\n" + "- " + "word " * 12 + "\n  more words\n", 62),  # wrapped
        pytest.param("- one\n- two\n", None, id="short lines"),
        pytest.param("- " + "word " * 40 + "\n- " + "word " * 12 + "\n  more\n", None, id="long lines"),
        pytest.param("- one\n  two\n- three\n  four\n" + "- " + "word " * 20 + "\n", None, id="broken by sense"),
    ],
)
def test_wrapping_is_seen(text: str, width: int | None) -> None:
    """A file is wrapped when its lines go on where they are full."""
    assert wrap_width(layout(text)) == width


def test_code_spans_are_not_broken() -> None:
    """A line never ends within a code span, and never begins like a block."""
    rows = as_item("run `git add -- one two three` now and then", lead="- ", hang=2, width=30)
    assert rows == ["- run", "  `git add -- one two three`", "  now and then"]
    assert as_item("a " * 12 + "- b", lead="- ", hang=2, width=26) == ["- " + "a " * 12 + "- b"]


def test_line_ends() -> None:
    """Most lines decide."""
    assert line_end(["a\r\n", "b\r\n", "c\n"]) == "\r\n"
    assert line_end(["a"]) == "\n"


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
