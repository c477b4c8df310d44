"""The last look: an edit does what it says, and nothing else."""

from __future__ import annotations

import pytest
from cases import cases

from memsuggest.suggestions.placement.place import why_unsafe

FILE = "---\nname: a\n---\n# A\n\n- one\n- two\n\n## B\n\ntext\n"


@cases(
    ("old", "new"),
    [
        pytest.param("- two\n", "- two\n- three\n", id="an item more"),
        pytest.param("text\n", "text\n\n## C\n\n- three\n", id="a section more"),
        pytest.param("text\n", "text\n\n- three\n", id="a list more"),
    ],
)
def test_safe(old: str, new: str) -> None:
    """One item, perhaps below a heading of its own."""
    assert why_unsafe(FILE, FILE.replace(old, new)) is None


@cases(
    ("old", "new", "why"),
    [
        pytest.param("name: a\n", "name: a\ntools: x\n", "the edit would change the front matter", id="front matter"),
        pytest.param("- two\n", "- three\n", "the edit would change other lines", id="another line"),
        pytest.param("- two\n", "", "the edit would change other lines", id="a line less"),
        ("text\n", "text\n---\n", "the edit would change how the rest of the file is parsed"),  # a heading now
        ("- two\n", "- two\nthree\n", "the edit would change how the rest of the file is parsed"),  # goes on
        pytest.param("- two\n", "- two\n- three\n- four\n", "the edit would add more than one rule", id="two items"),
        pytest.param("- two\n", "- two\n\n<!-- x -->\n", "the edit would add more than one rule", id="a comment"),
        pytest.param("text\n", "text\n\n```\nx\n```\n", "the edit would add more than one rule", id="a fence"),
        ("text\n", "text\n\n## C\n\n## D\n\n- x\n", "the edit would add more than one rule"),  # two headings
        pytest.param("text\n", "text\n\n", "the edit would add more than one rule", id="nothing"),
    ],
)
def test_unsafe(old: str, new: str, why: str) -> None:
    """What else an edit does is named."""
    assert why_unsafe(FILE, FILE.replace(old, new)) == why


@cases(
    ("before", "after", "replaced", "is_safe"),
    [
        pytest.param("- a\n- b\n", "- c\n- b\n", "- a\n", True, id="as said"),
        pytest.param("- a\n- b\n", "- a\n- c\n", "- a\n", False, id="another one"),
        pytest.param("- a\n- b\n", "- c\n", "- a\n", False, id="one more"),
        pytest.param("- a\n  b\n- c\n", "- a\n  d\n- c\n", "- a\n  b\n", True, id="its first line came back"),
        pytest.param("- a\n  b\n- c\n", "- d\n  b\n- c\n", "- a\n  b\n", True, id="its last line came back"),
        pytest.param("- a\n  - n\n- c\n", "- b\n  - n\n- c\n", "- a\n", True, id="what is nested stays"),
        pytest.param("- a", "- b", "- a", True, id="no final newline"),
        pytest.param("- a\r\n", "- b\r\n", "- a\r\n", True, id="CRLF"),
    ],
)
def test_replaced_lines(before: str, after: str, replaced: str, *, is_safe: bool) -> None:
    """The lines that may be gone are those that are named, wherever the edit shows."""
    assert (why_unsafe(before, after, replaced=replaced) is None) is is_safe


def test_generated_regions() -> None:
    """Nothing is put where a program writes."""
    before = "<!-- BEGIN x -->\n\n- a\n\n<!-- END x -->\n"
    assert why_unsafe(before, before.replace("- a\n", "- a\n- b\n")) == "the edit would be in a generated region"
