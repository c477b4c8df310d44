"""Words of texts: what counts as the same word, and what as none."""

from __future__ import annotations

import pytest
from cases import cases
from hypothesis import given
from hypothesis import strategies as st
from processor_time import processor_seconds

from memsuggest.suggestions.ranking.match import Vocabulary


@cases(
    ("first", "second"),
    [
        pytest.param("migrations", "migration", id="plural"),
        pytest.param("TypeScript", "typescript", id="camel-case-of-one-word"),
    ],
)
def test_the_same_word(first: str, second: str) -> None:
    """Forms of a word are one word."""
    words = Vocabulary().words
    assert words(second)[0] in words(first)


@cases(
    ("text", "word"),
    [
        pytest.param("parseInvoiceLine", "invoic", id="part-of-camel-case"),
        pytest.param("parse_invoice_line", "invoic", id="part-of-snake-case"),
        pytest.param("parse_invoice_line", "parseinvoiceline", id="whole-identifier"),
        pytest.param("run the e2e suite", "e2e", id="letters-and-digits"),
        pytest.param("HTTPServer", "server", id="acronym-before-a-word"),
        pytest.param("日本語のルール", "ルー", id="pairs-of-japanese-signs"),
    ],
)
def test_words_within(text: str, word: str) -> None:
    """Identifiers give their parts and themselves; scripts without spaces give pairs of signs."""
    assert word in Vocabulary().words(text)


@cases("text", ["", "the and of", "a - b", "7"], ids=["empty", "common", "letters", "digit"])
def test_no_words(text: str) -> None:
    """What every text has, or what says nothing, is no word."""
    assert Vocabulary().words(text) == []


def test_stems_of_another_language() -> None:
    """German words are stemmed as German."""
    words = Vocabulary("de").words
    assert words("Prüfungen") == words("Prüfung")


@given(st.text(max_size=300))
def test_any_text(text: str) -> None:
    """Every text has words, none of them empty, and the same ones each time."""
    vocabulary = Vocabulary()
    assert all(vocabulary.words(text)) or vocabulary.words(text) == []
    assert vocabulary.words(text) == vocabulary.words(text)


@cases("unit", ["aB", "a_", "_", ".NET", "A", "日"], ids=repr)
def test_long_texts_take_linear_time(unit: str) -> None:
    """A hundred thousand characters of one kind are read within a second."""
    assert processor_seconds(lambda: Vocabulary().words(unit * (100_000 // len(unit)))) < 10
