"""Statements: where a sentence ends, what a line is, what is said apart."""

from __future__ import annotations

import pytest
from cases import cases
from hypothesis import given
from hypothesis import strategies as st
from processor_time import processor_seconds

from memsuggest.core.text.sentences import sentences_of


def texts(typed, quoted=()):
    return [sentence.text for sentence in sentences_of(typed, quoted)]


@cases(
    ("typed", "parts"),
    [
        pytest.param("Use tabs. Not spaces!", ["Use tabs.", "Not spaces!"], id="stops"),
        pytest.param("done. also, fix it", ["done.", "also, fix it"], id="lower case after a stop"),
        pytest.param("Bump to v1.2.3 please. Ok?", ["Bump to v1.2.3 please.", "Ok?"], id="version"),
        pytest.param("Read docs/a.b.md first. Then go.", ["Read docs/a.b.md first.", "Then go."], id="file name"),
        pytest.param("See https://a.b/c?d=1. Next", ["See https://a.b/c?d=1.", "Next"], id="url"),
        pytest.param("Run `a. b; c` twice. Stop", ["Run `a. b; c` twice.", "Stop"], id="code span"),
        pytest.param("Use a linter, e.g. the fast one. Ok", ["Use a linter, e.g. the fast one.", "Ok"], id="e.g."),
        pytest.param("Das ist z. B. so. Gut", ["Das ist z. B. so.", "Gut"], id="z. B."),
        pytest.param("Files, etc. are kept. Fine", ["Files, etc. are kept.", "Fine"], id="etc."),
        pytest.param("hm... maybe later. ok", ["hm... maybe later.", "ok"], id="ellipsis inside"),
        pytest.param("put it in .env and go. ok", ["put it in .env and go.", "ok"], id="dot file"),
        ("テストは必ず書く。モックは使わない。", ["テストは必ず書く。", "モックは使わない。"]),
        pytest.param("先跑测试！再提交；谢谢", ["先跑测试！", "再提交；", "谢谢"], id="chinese"),
        pytest.param("¿Por qué? Usa tabs.", ["¿Por qué?", "Usa tabs."], id="spanish"),
        pytest.param("one thing - another thing", ["one thing", "another thing"], id="dash"),
        ("if you add a route, make sure to document it", ["if you add a route, make sure to document it"]),
        pytest.param("lists use the - marker", ["lists use the - marker"], id="dash as a word"),
        ('never ask "shall I go on?" in chats', ['never ask "shall I go on?" in chats']),
    ],
)
def test_sentence_ends(typed, parts):
    """Abbreviations, versions, names, links and code do not end a sentence."""
    assert texts(typed) == parts


@cases(
    ("typed", "parts"),
    [
        pytest.param("- a b c\n- d e f\n", ["a b c", "d e f"], id="bullets"),
        pytest.param("1. a b c\n2) d e f", ["a b c", "d e f"], id="numbers"),
        pytest.param("1) a b c 2) d e f 3) g", ["a b c", "d e f", "g"], id="numbers in one line"),
        pytest.param("1. a b c 2. d e f", ["a b c", "d e f"], id="numbers with stops in one line"),
        pytest.param("1. use step 3. then stop", ["use step 3.", "then stop"], id="a number that is none of the list"),
        pytest.param("use python 2) and 3) too", ["use python 2) and 3) too"], id="no list"),
        pytest.param("- [ ] a b c\n- [x] d e f", ["a b c", "d e f"], id="check boxes"),
        pytest.param("- a b\n  goes on", ["a b\n  goes on"], id="indented continuation"),
        pytest.param("# Title\nfoo bar\n\n---\nbaz", ["foo bar", "baz"], id="heading and ruler"),
        pytest.param("first line\nsecond line", ["first line", "second line"], id="short lines are sentences"),
        pytest.param(
            "this is quite a long line that somebody broke at the margin because\nit was too long",
            ["this is quite a long line that somebody broke at the margin because\nit was too long"],
            id="broken line",
        ),
    ],
)
def test_lines(typed, parts):
    """List items and short lines stand alone; a broken line goes on."""
    assert texts(typed) == parts


def test_quoted_stretches_are_left_out():
    """No statement reaches into a quoted stretch."""
    typed = "one two `x` three"
    assert texts(typed, [(8, 11)]) == ["one two", "three"]


def test_context():
    """A statement knows its sentence, its neighbours, its paragraph and its heading."""
    first, second, third = sentences_of("Rules:\n- one is enough. two is not")
    assert second.before == "Rules:"
    assert second.after == "two is not"
    assert second.heading == "Rules:"
    assert third.paragraph == "one is enough. two is not"
    assert (first.position, third.position, third.count) == (0, 2, 3)


@given(st.text(max_size=400))
def test_offsets_are_exact(typed):
    """Every statement is a verbatim piece of the text, in order."""
    last = 0
    for statement in sentences_of(typed):
        assert typed[statement.start : statement.end] == statement.text
        assert last <= statement.start < statement.end
        last = statement.end


PUMPS = [
    *("a.b", ". ", "`", "- ", ", and", "please ", "so so ", "http://", "\n- x", ", also make sure that", "x"),
    *("...a", " \n", '"a.', "(", ";-", "$ ", "\t", ":)"),
]


@cases("pump", PUMPS)
def test_time_is_linear(pump):
    """A hundred kilobytes of anything are cut in a second or so; a square of them would take minutes."""
    assert processor_seconds(lambda: sentences_of((pump * 100_000)[:100_000])) < 10
