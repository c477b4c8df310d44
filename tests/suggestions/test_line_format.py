"""A rule in the manner of its neighbours."""

from __future__ import annotations

import pytest
from cases import cases

from memsuggest.customizations.blocks.sections import layout
from memsuggest.suggestions.placement.line_format import (
    as_item,
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
