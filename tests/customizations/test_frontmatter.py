"""Front matter is read as VS Code reads it, and edited without touching anything else."""

from __future__ import annotations

import json

import pytest
import yaml
from cases import cases
from conftest import SHARED, conformance_cases
from hypothesis import given
from hypothesis import strategies as st

from memsuggest.core.errors import EditConflict
from memsuggest.customizations.frontmatter import (
    parse,
    quoted,
    rename_attribute,
    set_attribute,
)


@cases("case", conformance_cases("frontmatter"), ids=lambda case: case["id"])
def test_host_agrees(case: dict[str, object]) -> None:
    """What the host's own parser answers, we answer."""
    found = parse(str(case["text"]))
    answer = {
        "hasHeader": found.has_header,
        "attributes": found.attributes,
        "errors": found.errors,
        "applyTo": found.apply_to,
        "name": found.name,
        "description": found.description,
        "tools": found.tools,
        "model": found.model,
        "body": found.body,
    }
    assert answer == {key: case[key] for key in answer}


HEADERS = [
    pytest.param("name: Übersicht", {"name": "Übersicht"}, [], id="plain"),
    pytest.param("name : spaced", {"name": "spaced"}, [], id="blank before the colon"),
    pytest.param("name:\ttabbed", {"name": "tabbed"}, [], id="tab after the colon"),
    pytest.param("description: use it: often", {"description": "use it: often"}, [], id="second colon"),
    pytest.param("name: @core/review", {"name": "@core/review"}, [], id="at sign"),
    pytest.param("name: &core", {"name": "&core"}, [], id="no anchors"),
    pytest.param("name: null", {"name": "null"}, [], id="null is a string"),
    pytest.param("name: 007", {"name": "007"}, [], id="a number is a string"),
    pytest.param("applyTo: docs/#a.md # only this", {"applyTo": "docs/#a.md"}, [], id="comment needs a blank"),
    pytest.param("'applyTo': x", {"applyTo": "x"}, [], id="quoted key"),
    pytest.param('name:"x"\ndescription: y', {}, ["INVALID_YAML"], id="no blank after the colon"),
    pytest.param('applyTo: "a/**", "b/**"\nname: x', {"applyTo": "a/**"}, [], id="what follows a quoted value is lost"),
    pytest.param("name: a\nname: b", {"name": "a"}, ["duplicate-key"], id="first duplicate counts"),
    pytest.param("name: 'it''s'", {"name": "it's"}, [], id="doubled quote"),
    pytest.param('name: "a\\u00e4\\x41\\\\"', {"name": "aäA\\"}, [], id="escapes"),
    pytest.param('name: "\\ud83d\\ude00"', {"name": "😀"}, [], id="surrogates join"),
    pytest.param('name: "\\ud83d"', {"name": "\ufffd"}, [], id="half a pair"),
    pytest.param('name: "a  \n   b"', {"name": "a b"}, [], id="quoted over two lines"),
    pytest.param('name: "a\n\n  b"', {"name": "a\nb"}, [], id="quoted with a blank line"),
    pytest.param('name: "never closed\n', {"name": "never closed\n"}, [], id="unclosed quote"),
    ("description: >\n  one\n  two\n\n  three\nname: n", {"description": "one two\nthree\n", "name": "n"}, []),
    ("description: >-\n  one\n    more\n  two", {"description": "one\n  more\ntwo"}, []),
    pytest.param("description: |\n  one\n  two\n", {"description": "one\ntwo\n"}, [], id="literal"),
    pytest.param("description: |+\n  one\n\n", {"description": "one\n\n\n"}, [], id="literal, kept"),
    pytest.param("description: |2\n   one", {"description": " one\n"}, [], id="literal, explicit indent"),
    pytest.param("description: one\n\n  two", {"description": "one\ntwo"}, [], id="plain with a blank line"),
    pytest.param("description: one\n  - two", {"description": "one - two"}, [], id="plain with a dash"),
    pytest.param("  name: x", {"name": "x"}, [], id="all indented"),
    ("name: 'x'\n   description: y", {"name": "x", "description": "y"}, ["unexpected-indentation"]),
    pytest.param("%skip me\nname: x", {"name": "x"}, [], id="directive line"),
    pytest.param("# note\n\nname: x", {"name": "x"}, [], id="comment and blank line first"),
    pytest.param("name: 'x'\r\ndescription: y\r\n", {"name": "x", "description": "y"}, [], id="CRLF"),
    pytest.param("name: x\rdescription: y\r", {"name": "x", "description": "y"}, [], id="CR"),
]


@cases(("header", "strings", "errors"), HEADERS)
def test_lenient_values(header: str, strings: dict[str, str], errors: list[str]) -> None:
    """Values that YAML refuses or turns into something else are strings; what cannot be read is told."""
    found = parse(f"---\n{header}\n---\nbody\n")
    assert {entry.key: found.string(entry.key) for entry in found.entries} == strings
    assert [error.split(":")[0] for error in found.errors] == errors
    assert found.body == "body\n"


LISTS = [
    pytest.param("tools: a, 'b, c' , ,\"d\"", ["a", "b, c", "d"], id="comma string"),
    pytest.param("tools: [a, 'b', ]", ["a", "b"], id="flow list"),
    pytest.param("tools: [\n  a,\n  # no\n  b\n  c\n]", ["a", "b c"], id="flow list over lines"),
    pytest.param("tools:\n- a\n- 'b'", ["a", "b"], id="block list at the key's indent"),
    pytest.param("tools:\n  - a # x\n  -\n    b\n  - [c]", ["a", "b"], id="block list, nested list left out"),
    pytest.param("tools: {a: b}", None, id="map"),
    pytest.param("tools: [a", ["a"], id="unclosed list"),
]


@cases(("header", "tools"), LISTS)
def test_tools(header: str, tools: list[str] | None) -> None:
    """Tools are a list, or a string with commas whose items may be quoted."""
    assert parse(f"---\n{header}\n---\n").tools == tools


def test_maps_in_lists() -> None:
    """Lists of maps, as of an agent's handoffs, are read with their keys."""
    found = parse("---\nhandoffs:\n  - label: Go\n    agent: dev\n  - label: Stop\nname: x\n---\n")
    handoffs = found.value("handoffs")
    assert handoffs is not None
    assert [[(e.key, e.value.text) for e in item.entries] for item in handoffs.items] == [
        [("label", "Go"), ("agent", "dev")],
        [("label", "Stop")],
    ]
    assert found.name == "x"


EDGES = [
    pytest.param("\ufeff---\nname: x\n---\n", False, id="BOM"),
    pytest.param("\n---\nname: x\n---\n", False, id="blank line"),
    pytest.param("----\nname: x\n---\n", False, id="four dashes"),
    pytest.param("```instructions\n---\nname: x\n---\n```\n", False, id="wrapped in a fence"),
    pytest.param("--- \t\nname: x\n---  \n", True, id="blanks after the dashes"),
    pytest.param("---\r\nname: x\r\n---\r\n", True, id="CRLF"),
    pytest.param("---\nname: x\n----\n", True, id="closed by nothing"),
]


@cases(("text", "has_header"), EDGES)
def test_where_a_header_is(text: str, has_header: bool) -> None:
    """A header begins on the very first line, with three dashes and nothing else."""
    found = parse(text)
    assert found.has_header is has_header
    assert (found.body == text) is not has_header


def test_unclosed_header_has_no_body() -> None:
    """Without its second line of dashes the whole file is header."""
    found = parse("---\nname: x\n\n# Title\n")
    assert (found.has_header, found.is_closed, found.body, found.name) == (True, False, None, "x")


def test_claude_paths() -> None:
    """The paths of a rules file are a list, or a single string."""
    assert parse("---\npaths:\n  - src/**\n  - '*.py'\n---\n").paths == ["src/**", "*.py"]
    assert parse("---\npaths: src/**\n---\n").paths == ["src/**"]
    assert parse("---\nname: x\n---\n").paths is None


@cases("opening", ["[", "{a: ", "- ", "[{a: "])
def test_depth_is_bounded(opening: str) -> None:
    """A header nested twenty thousand deep is read without recursion running away."""
    assert parse(f"---\nx: {opening * 20_000}\n---\nbody").body == "body"


@cases(
    "pump", ["a: ", "'", '"', "- ", "\n", "\\", "[,", "{", ":", " #", "|\n", ">\n  a\n", "a\n\n", "a:\n", '"x" :', "\r"]
)
def test_linear_time(pump: str) -> None:
    """A long run of anything is read within the time limit."""
    parse("---\n" + pump * (60_000 // len(pump)))


@given(st.text(alphabet="ab:-'\"[]{},#|> \t\r\n\\*é&%!", max_size=60))
def test_never_fails(header: str) -> None:
    """Whatever stands in a header, it is read, and header and body together are the file."""
    text = f"---\n{header}\n---\nbody"
    found = parse(text)
    assert found.has_header
    assert text.endswith(found.body or "")


# ---- edits ----

FILE = """\ufeff---
# who reads this
name: 'api'   # short
applyTo: "src/**"
tools: [a, b]
---
# Rules

- one""".replace("\n", "\r\n")


@cases(
    ("key", "value", "line"),
    [
        pytest.param("name", "web", "name: 'web'   # short", id="keeps quotes and comment"),
        pytest.param("applyTo", "**/*.ts", 'applyTo: "**/*.ts"', id="double quotes"),
        pytest.param("tools", "a", 'tools: "a"', id="list becomes a value"),
    ],
)
def test_only_one_line_changes(key: str, value: str, line: str) -> None:
    """An edit changes its own line; BOM, CRLF, comments, order and a missing final newline stay."""
    before, after = FILE.split("\r\n"), set_attribute(FILE, key, value).split("\r\n")
    assert [new for old, new in zip(before, after, strict=True) if old != new] == [line]


SETS = [
    pytest.param("---\nname: old\n---\n", "---\nname: new words\n---\n", id="plain stays plain"),
    pytest.param("---\nname:\nx: y\n---\n", '---\nname: "new words"\nx: y\n---\n', id="empty value"),
    pytest.param("---\nname: # why\n---\n", '---\nname: "new words" # why\n---\n', id="empty value with a comment"),
    pytest.param("---\nname: >\n  a\n  b\n\nx: y\n---\n", '---\nname: "new words"\n\nx: y\n---\n', id="folded block"),
    ("---\nname: # why\n  - a\n  - b\nx: y\n---\n", '---\nname: "new words" # why\nx: y\n---\n'),
    pytest.param("---\nname: a\n  b\nx: y\n---\n", "---\nname: new words\nx: y\n---\n", id="plain over two lines"),
    pytest.param("---\nname: 'it's'\nx: y\n---\n", "---\nname: 'new words'\nx: y\n---\n", id="quote closed too soon"),
    pytest.param("---\nx: y\n---\n", '---\nx: y\nname: "new words"\n---\n', id="new key at the end"),
    pytest.param("---\n---\nbody", '---\nname: "new words"\n---\nbody', id="empty header"),
    ("---\nx: 'a' b\ny: c\n---\n", "---\nname: \"new words\"\nx: 'a' b\ny: c\n---\n"),
    pytest.param("# Rules\n", '---\nname: "new words"\n---\n# Rules\n', id="no header"),
    pytest.param("# Rules\r\n", '---\r\nname: "new words"\r\n---\r\n# Rules\r\n', id="no header, CRLF"),
    pytest.param("", '---\nname: "new words"\n---\n', id="empty file"),
    pytest.param("---\nname: a\nname: b\n---\n", "---\nname: new words\nname: b\n---\n", id="first duplicate"),
]


@cases(("before", "after"), SETS)
def test_set_attribute(before: str, after: str) -> None:
    """A value is replaced where it stands, or added as a line of the header."""
    assert set_attribute(before, "name", "new words") == after
    assert parse(after).name == "new words"


@cases("text", ["---\nname: x\nno end", "\n---\nname: x\n---\n", "---\n- a\n---\n", '---\nx:"v"\nb\n---\n'])
def test_refuses_what_is_not_safe(text: str) -> None:
    """A header that the host does not read is not edited."""
    with pytest.raises(EditConflict):
        set_attribute(text, "description", "x")


def breakouts() -> list[str]:
    """Texts of our own that try to leave their place, and the shared ones where they are there."""
    own = ['x"\ntools: ["*"]\ny: "', "a\n---\nb", "a\r\napplyTo: '**'", "\u2028name: x", ">-\n  x", "'", "\\", "a\x85b"]
    own += ["\x00", "- ", "a #b", ""]
    path = SHARED / "vectors" / "breakout.jsonl"
    if not path.exists():
        return own
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]
    return own + [row["text"] for row in rows if row["sink"] == "front matter"]


@cases("value", breakouts())
@cases("style", ["name: old", "name: 'old'", 'name: "old"', "name: |\n  old", "x: y"])
def test_no_value_breaks_out(value: str, style: str) -> None:
    """Whatever the value, it reads back equal (as YAML too), and every other attribute is as it was."""
    before = f"---\napplyTo: 'src/**' # keep\n{style}\ntools: [a]\n---\n# Body\n"
    after = set_attribute(before, "name", value)
    found = parse(after)
    assert found.name == value
    assert (found.apply_to, found.tools, found.body) == ("src/**", ["a"], "# Body\n")
    assert "applyTo: 'src/**' # keep\n" in after
    assert yaml.safe_load(after.split("---\n")[1])["name"] == value


@given(st.text(max_size=40).filter(lambda text: not any(0xD800 <= ord(char) < 0xE000 for char in text)))
def test_quoted_reads_back(value: str) -> None:
    """Quoting is undone by reading, in every style."""
    for like in ("", "'", '"'):
        line = quoted(value, like=like)
        assert "\n" not in line
        assert parse(f"---\nname: {line}\n---\n").name == value


def test_rename_attribute() -> None:
    """A misspelt key is put right without touching its value."""
    text = "---\nuser-invokable : false # no\n---\n"
    assert rename_attribute(text, "user-invokable", "user-invocable") == "---\nuser-invocable : false # no\n---\n"
    with pytest.raises(EditConflict):
        rename_attribute("---\na: 1\nb: 2\n---\n", "a", "b")
