"""Sentences as people type them, and the rules that are made of them: `as_typed.txt`, one a line.

A line is `what was typed => what it says`, with ` ## ` between several rules of one message.
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from memsuggest.extraction.wording import word
from memsuggest.text.sentences import statements

SAID = datetime(2026, 3, 4, tzinfo=UTC)  # a Wednesday
_TABLE = Path(__file__).with_name("as_typed.txt").read_text(encoding="utf-8")
ROWS = [line.rsplit(" => ", 1) for line in _TABLE.split("\n") if " => " in line]


@pytest.mark.parametrize(("typed", "said"), ROWS)
def test_rules_are_clean_sentences(typed, said):
    """What was typed in haste, or spoken, is said in a plain sentence."""
    worded = [word(part.text, before=part.before, said=SAID).content for part in statements(typed)]
    assert set(said.split(" ## ")) <= set(worded)


@pytest.mark.parametrize(("typed", "said"), ROWS)
def test_a_clean_sentence_stays(typed, said):
    """What is worded already is not worded otherwise."""
    for content in said.split(" ## "):
        assert word(content, said=SAID).content in ("", content)
