"""Setting one value in a YAML file."""

from __future__ import annotations

import pytest
import yaml
from cases import cases
from hypothesis import given
from hypothesis import strategies as st

from memsuggest.core.yaml_edit import set_value


@cases(
    ("before", "keys", "after"),
    [
        pytest.param("", ("mode",), "mode: eager\n", id="empty file"),
        pytest.param("# mine\n", ("mode",), "# mine\nmode: eager\n", id="only a comment"),
        pytest.param("mode: off  # why\nx: 1\n", ("mode",), "mode: eager  # why\nx: 1\n", id="value replaced"),
        pytest.param("x: 1\r\n", ("mode",), "mode: eager\r\nx: 1\r\n", id="CRLF"),
        pytest.param("x: 1", ("mode",), "mode: eager\nx: 1", id="no final newline"),
        pytest.param("x: 1\n", ("w", "/a b", "mode"), "w:\n  /a b:\n    mode: eager\nx: 1\n", id="nested, new"),
        pytest.param(
            "w:\n  /a:\n    x: 1\n", ("w", "/a", "mode"), "w:\n  /a:\n    mode: eager\n    x: 1\n", id="nested, added"
        ),
        pytest.param("w:\nx: 1\n", ("w", "/a", "mode"), "w:\n    /a:\n      mode: eager\nx: 1\n", id="empty mapping"),
    ],
)
def test_only_that_line_changes(before: str, keys: tuple[str, ...], after: str) -> None:
    """Comments, order and line ends stay."""
    assert set_value(before, keys, "eager") == after


@cases("text", ["mode: [a]\n", "mode:\n  - a\n", "{mode: a}\n"])
def test_something_else_in_the_way_is_refused(text: str) -> None:
    """A list or a flow mapping is left to the person."""
    with pytest.raises(ValueError, match="mode|block"):
        set_value(text, ("mode",), "eager")


@given(st.text(min_size=1, max_size=20), st.text(st.characters(codec="ascii", exclude_categories=("Cc",)), max_size=20))
def test_what_is_set_reads_back(key: str, value: str) -> None:
    """Any key and value come back equal."""
    if not key.isprintable():
        return
    changed = set_value("# c\nother: 1\n", ("w", key), value)
    assert yaml.load(changed, Loader=yaml.BaseLoader) == {"other": "1", "w": {key: value}}
