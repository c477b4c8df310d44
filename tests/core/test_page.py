"""Lines on a terminal: broken between words, further rows in line with the first; elsewhere left whole."""

from __future__ import annotations

import json
import re

import pytest
from cases import cases
from hypothesis import given
from hypothesis import strategies as st
from rich import text as rich_text

from memsuggest.core.json_shape import render
from memsuggest.core.plain_reports import Text
from memsuggest.core.render.page import Page, hung

LONG = "abc1234  Keep the words of a rule together, however narrow the terminal is that shows it."


@cases(
    ("width", "rows"),
    [
        pytest.param(
            50,
            [
                "abc1234  Keep the words of a rule together,",
                "         however narrow the terminal is that shows",
                "         it.",
            ],
            id="narrow",
        ),
        pytest.param(120, [LONG], id="wide enough"),
        pytest.param(24, [LONG], id="too narrow to break between words"),
    ],
)
def test_rows_hang(width, rows):
    """Further rows begin where the words of the first one do."""
    assert [row.plain.rstrip() for row in hung(rich_text.Text(LONG), width=width, hang=9)] == rows


def test_styles_stay():
    """What is coloured stays so over the rows."""
    text = rich_text.Text("abc1234  ").append("word " * 30, "bold")
    assert all("bold" in {span.style for span in row.spans} for row in hung(text, width=40, hang=9))


@given(st.text(alphabet="ab \u65e5\u672c", max_size=200), st.integers(30, 120))
def test_no_row_is_too_wide(words, width):
    """No row is wider than the terminal, in whatever script, and no letter is lost."""
    rows = hung(rich_text.Text("0123456  " + words), width=width, hang=9)
    assert all(len(row.plain.rstrip()) <= width and row.cell_len <= width + 1 for row in rows)
    assert "".join("".join(row.plain.split()) for row in rows) == "".join(("0123456" + words).split())


def test_only_a_terminal_breaks_lines(monkeypatch, capsys):
    """What is piped has one line for one line."""
    monkeypatch.setenv("COLUMNS", "40")
    Page().line(LONG, hang=9)
    assert capsys.readouterr().out == LONG + "\n"
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    Page().line(LONG, hang=9)
    shown = re.sub(r"\x1b\[[\d;]*m", "", capsys.readouterr().out)
    assert len(shown.rstrip("\n").split("\n")) == 3


def test_a_document_is_ascii_with_its_version_first():
    """Whatever could command a terminal is escaped."""
    report = Text(text="", payload={"changed": False, "path": "n\u00e9\x1b"})
    text = render(report)
    assert text.isascii() and text.endswith("}\n") and "\x1b" not in text
    assert next(iter(json.loads(text))) == "version"
    assert render(report, indent=None).count("\n") == 1
