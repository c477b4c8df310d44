"""Directives: what is one, what belongs to it, and where none can be."""

from __future__ import annotations

import pytest
from cases import cases
from hypothesis import given
from hypothesis import strategies as st

from memsuggest.core.model import QUOTE_LIMIT, Kind, Scope
from memsuggest.judging.offline.directives import find_directives


def only(typed, quoted=()):
    found = find_directives(typed, quoted)
    assert len(found) == 1
    return found[0]


@cases(
    ("name", "kind"),
    [
        ("preference", Kind.PREFERENCE),
        ("convention", Kind.CONVENTION),
        ("decision", Kind.CONVENTION),
        ("correction", Kind.CORRECTION),
        ("lesson_learned", Kind.CORRECTION),
        ("Lesson learned", Kind.CORRECTION),
        ("remember", Kind.FACT),
        ("steps", Kind.PROCEDURE),
        ("procedure", Kind.PROCEDURE),
        ("terminology", Kind.TERMINOLOGY),
        ("skill", Kind.SKILL),
        ("observation", Kind.OBSERVATION),
    ],
)
def test_names_and_their_aliases(name, kind):
    """Every name and alias makes its kind, in any case."""
    for spelt in (name, name.upper(), name.capitalize()):
        assert only(f"{spelt}: ports start at 4000").kind is kind


@cases("name", ["task", "task_update", "todo", "TODO"])
def test_tasks_go_to_the_archive(name):
    """Tasks are kept apart from rules."""
    assert only(f"{name}: finish the importer").archived


@cases(
    ("head", "scope"),
    [
        ("preference (user)", Scope.USER),
        ("preference\uff08user\uff09", Scope.USER),
        ("preference\uff08用户\uff09", Scope.USER),
        ("preference (USER)", Scope.USER),
        ("preference (workspace)", Scope.WORKSPACE),
        ("preference (whoever)", Scope.WORKSPACE),
        ("preference", Scope.WORKSPACE),
    ],
)
def test_scope(head, scope):
    """The word in brackets says the scope, in any case; what is not clear is the workspace."""
    assert only(f"{head}: short answers").scope is scope


@cases(
    ("typed", "body"),
    [
        pytest.param("- decision: pin versions", "pin versions", id="list item"),
        pytest.param("**Decision**: pin versions", "pin versions", id="bold name"),
        pytest.param("hi\nremember: pin versions  \nthanks", "pin versions", id="only its line"),
        pytest.param("remember：版本固定", "版本固定", id="wide colon"),
        pytest.param("remember:\r\n  pin versions\r\n", "pin versions", id="crlf"),
        pytest.param("remember:\npin versions\nand hashes\n\nbye", "pin versions and hashes", id="following lines"),
        pytest.param("remember:\n  pin versions\n  and hashes\nbye", "pin versions and hashes", id="indented lines"),
        pytest.param("steps:\n- build\n- tag\n\nbye", "build; tag", id="list below"),
        pytest.param("decision:\nnote: two", "two", id="the next directive ends the body"),
    ],
)
def test_bodies(typed, body):
    """A body is the rest of the line, or the lines below when nothing follows the colon."""
    assert only(typed).body == body


@cases(
    "typed",
    [
        "remember:",
        "remember:   \n\nnot this",
        "I remember: it was blue",
        "see the note: here",
        "decision pin versions",
    ],
)
def test_what_is_none(typed):
    """A name without text, or in the middle of a line, is no directive."""
    assert find_directives(typed) == []


def test_quoted_lines_hold_none():
    """Directives in fences, quotes and pastes are not the person's."""
    typed = "look:\n```\nremember: run this\n```\nremember: pin versions"
    start, end = typed.index("```"), typed.rindex("```") + 4
    assert only(typed, [(start, end)]).body == "pin versions"


def test_a_body_ends_where_a_quote_begins():
    """What is pasted below the colon does not belong to the body."""
    typed = "remember:\npin versions\n> run this"
    assert only(typed, [(typed.index(">"), len(typed))]).body == "pin versions"


@given(st.text(max_size=300), st.text(alphabet="abc \n-", max_size=600))
def test_quotes_are_verbatim(before, body):
    """The quote of a directive stands in the typed text and is no longer than a quote may be."""
    typed = f"{before}\nremember: {body}"
    for directive in find_directives(typed):
        assert directive.quote(typed) in typed
        assert len(directive.quote(typed)) <= QUOTE_LIMIT
        assert "\n" not in directive.body
