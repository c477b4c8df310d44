"""Markdown is cut into sections and blocks so that edits break into nothing."""

from __future__ import annotations

from itertools import pairwise

import pytest
from cases import cases
from hypothesis import given
from hypothesis import strategies as st
from processor_time import processor_seconds

from memsuggest.customizations.blocks.scan import Block, BlockKind
from memsuggest.customizations.blocks.sections import layout


def shown(text: str) -> list[tuple[str, int, int]]:
    """The blocks of a text as kind, start, end."""
    return [(block.kind.value, block.start, block.end) for block in layout(text).blocks]


def items(text: str) -> list[Block]:
    return [block for block in layout(text).blocks if block.kind is BlockKind.ITEM]


def test_sections_have_paths_and_lines() -> None:
    """A section runs from its heading to the next heading of any level, and knows the headings above it."""
    text = "intro\n\n# One\n\n- a\n\n### Deep\n\n## Two\ntext\n# Three\n"
    assert [(s.heading, s.level, s.path, s.start, s.end) for s in layout(text).sections] == [
        ("", 0, (), 0, 2),
        ("One", 1, ("One",), 2, 6),
        ("Deep", 3, ("One", "Deep"), 6, 8),
        ("Two", 2, ("One", "Two"), 8, 10),
        ("Three", 1, ("Three",), 10, 11),
    ]


SECTIONS = [
    pytest.param("", [""], id="empty file"),
    pytest.param("only text\n", [""], id="no heading"),
    pytest.param("\n\n# A\n", ["A"], id="no preface of blank lines"),
    pytest.param("---\nname: x\n---\n# A\n", ["A"], id="front matter is no preface"),
    pytest.param("---\nname: x\n---\n", [""], id="front matter alone"),
    pytest.param("\ufeff---\nname: x\n---\n# A\n", ["A"], id="front matter after a BOM"),
    pytest.param("applyTo:\n  - '**'\n---\n# A\n", ["A"], id="front matter without its first line"),
    pytest.param("name the thing: well\n---\n# A\n", ["name the thing: well", "A"], id="an underlined title"),
    pytest.param("\ufeff# A\n", ["A"], id="heading after a BOM"),
    pytest.param("# A #\n## B ## \n", ["A", "B"], id="closing signs"),
    pytest.param("# C#\n#hashtag\n", ["C#"], id="signs that belong to the text"),
    pytest.param("####### seven\n#\n", ["", ""], id="seven signs are text, none is a heading without words"),
    pytest.param("    # code\n   # A\n", ["", "A"], id="indented by four is code"),
    pytest.param("A\n===\nB\n---\n", ["A", "B"], id="underlined"),
    pytest.param("one\ntwo\n---\n", [""], id="a rule under two lines"),
    pytest.param("- a\n---\n", [""], id="a rule under an item"),
    pytest.param("```\n# no\n```\n# A\n", ["", "A"], id="fence"),
    pytest.param("~~~~\n# no\n~~~\n```\n~~~~~\n# A\n", ["", "A"], id="longer fence"),
    pytest.param("````md\n```\n# no\n```\n````\n# A\n", ["", "A"], id="nested fence"),
    ("```markdown\n# no\n```sh\nx\n```\n# no\n```\n# A\n", ["", "A"]),
    pytest.param("```sh\n# no\n", [""], id="unclosed fence"),
    pytest.param("1. do\n   ```sh\n# no\n   ```\n# A\n", ["", "A"], id="fence of an item, code at the margin"),
    pytest.param("<!-- x\n# no\n-->\n# A\n", ["", "A"], id="comment"),
    pytest.param("<details>\n# no\n\n# A\n</details>\n", ["", "A"], id="HTML to the next blank line"),
    pytest.param("<rules>\n# A\n</rules>\n", ["", "A"], id="a tag that is not HTML"),
    pytest.param("> # no\n# A\n", ["", "A"], id="quote"),
    pytest.param("- a\n  # no\n# A\n", ["", "A"], id="heading in an item"),
    pytest.param("# A\r\n\r\ntext\r\n## B\r\n", ["A", "B"], id="CRLF"),
    pytest.param("# A\u2028# no\n# B\x0b# no\n", ["A\u2028# no", "B\x0b# no"], id="only line feeds end lines"),
    pytest.param("```instructions\n---\napplyTo: x\n---\n# A\n```sh\n# no\n```\n```\n", ["A"], id="wrapped file"),
    pytest.param("---\n# A\n", ["", "A"], id="a rule on the first line"),
]


@cases(("text", "headings"), SECTIONS)
def test_what_is_a_heading(text: str, headings: list[str]) -> None:
    """Headings in code, comments, quotes, HTML and front matter do not count."""
    assert [section.heading for section in layout(text).sections] == headings


BLOCKS = [
    pytest.param("a\nb\n\nc\n", [("paragraph", 0, 2), ("paragraph", 3, 4)], id="paragraphs"),
    pytest.param("a\n- b\n", [("paragraph", 0, 1), ("item", 1, 2)], id="an item ends a paragraph"),
    pytest.param("in\n2024. it was\n", [("paragraph", 0, 2)], id="a year is no item"),
    pytest.param("a\n1. b\n", [("paragraph", 0, 1), ("item", 1, 2)], id="a list that begins with one"),
    pytest.param("| a | b |\n|---|:-:|\n| c | d |\n\nx\n", [("table", 0, 3), ("paragraph", 4, 5)], id="table"),
    pytest.param("text\na | b\n--|--\nc | d\n", [("paragraph", 0, 1), ("table", 1, 4)], id="table below text"),
    pytest.param("a | b\nc | d\n", [("paragraph", 0, 2)], id="no table without its row of dashes"),
    pytest.param("***\n- - -\n___\n", [("rule", 0, 1), ("rule", 1, 2), ("rule", 2, 3)], id="rules"),
    pytest.param("[a]: b.md\n[^1]: c\n", [("definition", 0, 1), ("definition", 1, 2)], id="definitions"),
    pytest.param("    x\n    y\n", [("indented code", 0, 2)], id="indented code"),
    pytest.param("> a\nlazy\n\nb\n", [("quote", 0, 2), ("paragraph", 3, 4)], id="quote with a lazy line"),
    pytest.param("<!-- a -->\n<!--\nb\n-->\n", [("comment", 0, 1), ("comment", 1, 4)], id="comments"),
    pytest.param("<script>\n\nx\n</script>\n", [("html", 0, 4)], id="script"),
    pytest.param("<div>\nx\n\ny\n", [("html", 0, 2), ("paragraph", 3, 4)], id="HTML block"),
    pytest.param("<https://x.test>\n<b>x</b>\n", [("paragraph", 0, 2)], id="inline HTML and addresses"),
    pytest.param("<rules>\n- a\n</rules>\n", [("tag", 0, 1), ("item", 1, 2), ("tag", 2, 3)], id="tags"),
    pytest.param("<!DOCTYPE x>\n", [("html", 0, 1)], id="declaration"),
    pytest.param("---\nx: y\n---\n", [("front matter", 0, 3)], id="front matter"),
]


@cases(("text", "expected"), BLOCKS)
def test_blocks(text: str, expected: list[tuple[str, int, int]]) -> None:
    """Each kind of block is found with its lines."""
    assert shown(text) == expected


def test_items() -> None:
    """An item knows its mark, text, place, nesting and list."""
    text = "- [ ] one\n  more\n\n  para\n  - sub\n* other\n1. first\n2. second\n"
    found = items(text)
    assert [(i.mark, i.text, i.task, i.level, i.start, i.end, i.last) for i in found] == [
        ("-", "one more", "[ ]", 0, 0, 2, 5),
        ("-", "sub", "", 1, 4, 5, 5),
        ("*", "other", "", 0, 5, 6, 6),
        ("1.", "first", "", 0, 6, 7, 7),
        ("2.", "second", "", 0, 7, 8, 8),
    ]
    assert len({i.group for i in found}) == 4
    assert found[3].group == found[4].group
    assert [i.number for i in found] == [None, None, None, 1, 2]


NESTING = [
    pytest.param("- a\n  - b\n    - c\n- d\n", [0, 1, 2, 0], id="by two"),
    pytest.param("- a\n    - b\n- c\n", [0, 1, 0], id="by four"),
    pytest.param("1. a\n  - b\n2. c\n", [0, 1, 0], id="too little under a number"),
    pytest.param("10. a\n   - b\n", [0, 1], id="under two digits"),
    pytest.param("-   a\n  - b\n", [0, 1], id="wide mark"),
    pytest.param("- a\n      - b\n", [0, 1], id="much too deep"),
    pytest.param("\t- a\n", [], id="a tab is code"),
    pytest.param("- a\n\t- b\n", [0, 1], id="by a tab"),
    pytest.param("* a\n * b\n", [0, 0], id="by one is beside"),
    pytest.param("• a\n• b\n", [0, 0], id="bullets of word processors"),
    pytest.param("1) a\n2) b\n", [0, 0], id="parenthesis"),
]


@cases(("text", "levels"), NESTING)
def test_nesting(text: str, levels: list[int]) -> None:
    """Nesting follows the indent, also where it is sloppy."""
    assert [item.level for item in items(text)] == levels


GROUPS = [
    pytest.param("- a\n- b\n", 1, id="one list"),
    pytest.param("- a\n\n- b\n", 1, id="loose list"),
    pytest.param("- a\n* b\n", 2, id="other mark"),
    pytest.param("- a\n\ntext\n\n- b\n", 2, id="text between"),
    pytest.param("1. a\n\n```\nx\n```\n\n2. b\n", 1, id="code between numbers that go on"),
    pytest.param("1. a\n\n## H\n\n2. b\n", 2, id="heading between"),
]


@cases(("text", "lists"), GROUPS)
def test_lists(text: str, lists: int) -> None:
    """Items of one list have one number."""
    assert len({item.group for item in items(text)}) == lists


def test_loose() -> None:
    """A loose list is known by the blank line before its later items."""
    assert [item.is_loose for item in items("- a\n\n- b\n- c\n")] == [False, True, False]


GENERATED = [
    pytest.param("- a\n<!-- BEGIN TOC -->\n- b\n<!-- END TOC -->\n- c\n", ["b"], id="begin and end"),
    pytest.param("<!-- tool:start -->\n- a\n<!-- tool:end -->\n- b\n", ["a"], id="name before"),
    pytest.param("<!-- toc -->\n- a\n<!-- tocstop -->\n- b\n", ["a"], id="table of contents"),
    pytest.param("<!-- mytool v2 -->\n- a\n<!-- /mytool -->\n- b\n", ["a"], id="like a tag"),
    pytest.param("<!-- BEGIN a -->\n- a\n<!-- END b -->\n- b\n", [], id="not the same name"),
    pytest.param("<!-- BEGIN a -->\n- a\n", [], id="never closed"),
    pytest.param("<!-- prettier-ignore-start -->\n- a\n<!-- prettier-ignore-end -->\n", [], id="a note to a formatter"),
]


@cases(("text", "inside"), GENERATED)
def test_generated_regions(text: str, inside: list[str]) -> None:
    """What a tool will write again is marked."""
    assert [item.text for item in items(text) if item.is_generated] == inside


def test_where_a_line_may_go() -> None:
    """No line is put into front matter, a table, code, a comment, an item's text or a generated region."""
    text = "---\nx: y\n---\n# A\n- a\n  b\n- c\n\n| a |\n|---|\n| b |\n\n```\nx\n```\n"
    found = layout(text + "<!-- BEGIN x -->\n- d\n\n- e\n<!-- END x -->\n")
    forbidden = [line for line, may in enumerate(found.gaps) if not may]
    assert forbidden == [0, 1, 2, 5, 9, 10, 13, 14, 16, 17, 18, 19]
    assert found.may_insert(len(found.lines))


def test_blocks_of_a_section() -> None:
    """A section's blocks leave out its heading."""
    found = layout("# A\n\n- a\n\n## B\n\ntext\n")
    assert [[block.text for block in found.within(section)] for section in found.sections] == [["a"], ["text"]]


markdown = st.text(alphabet="ab #-*+1.>|`~<!/=_[]:\t\r\n\ufeff\u2028", max_size=120)


@given(markdown)
def test_lines_give_the_text_again(text: str) -> None:
    """Nothing is lost by cutting, blocks ascend and lie within the file, and every section is in its place."""
    found = layout(text)
    assert "".join(found.lines) == text
    own = [block for block in found.blocks if block.parent is None]
    assert all(0 <= one.start < one.end <= one.last <= len(found.lines) for one in found.blocks)
    assert all(before.last <= after.start for before, after in pairwise(own))
    assert all(before.end == after.start for before, after in pairwise(found.sections))
    assert found.sections[-1].end == len(found.lines)


PUMPS = [
    *("- ", "  - a\n", "```md\n```x\n", "<!-- begin a -->\n", "<!-- end a -->\n", "|", "| a |\n|-|\n"),
    *("a\n---\n", "> ", "[", "# ", "<", "<a ", "\t", "1. a\n\n", "*", "`", "- a\n", "a\n", "=\n", "<!--\n"),
    *("<rules>\n", "    x\n", "- - "),
]


@cases("pump", PUMPS)
def test_linear_time(pump: str) -> None:
    """A long run of anything is cut in time that grows with its length."""
    assert processor_seconds(lambda: layout(pump * (40_000 // len(pump)))) < 20
