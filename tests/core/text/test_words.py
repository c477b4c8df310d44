"""Words, their stems, and the language that a text is in."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from cases import cases

from memsuggest.core.text.stems import known_stems, stem, stemmer_of
from memsuggest.core.text.words import STOP_WORDS, main_language, plain


@cases(
    ("typed", "words"),
    [
        ("Dont   mock\tit", "don't mock it"),
        ("That\u2019s \u201cfine\u201d", 'that\'s "fine"'),
        ("cant find src/cant.py", "can't find src/cant.py"),
        ("pls use uv", "please use uv"),
    ],
)
def test_plain(typed: str, words: str) -> None:
    """The spelling of chat becomes that of books; names of files stay as they are."""
    assert plain(typed) == words


@cases(
    ("text", "language"),
    [
        pytest.param("Use the cache and do not write to it", "en", id="english"),
        pytest.param("Die Prüfung ist mit dem Werkzeug und nicht von Hand zu machen", "de", id="german"),
        pytest.param("Il ne faut pas écrire dans la base avec les tests", "fr", id="french"),
        pytest.param("", "en", id="nothing"),
    ],
)
def test_main_language(text: str, language: str) -> None:
    """The language of files is told by their smallest words; English in doubt."""
    assert main_language([text]) == language


@cases("language", sorted(STOP_WORDS))
def test_every_language_has_a_stemmer(language: str) -> None:
    """Whatever language a text is taken to be in, its words can be stemmed."""
    assert stem("information", language)


def test_known_stems_are_the_stemmers_own() -> None:
    """Whatever stands in the table of stems that were looked up beforehand, in both languages."""
    for key, known in known_stems().items():
        language, _, word = key.partition(" ")
        assert stemmer_of(language)(word) == known, key


def test_our_tables_are_known() -> None:
    """Nearly every word of them: else a prompt waits for it (`docs/measure/known_stems.py` writes the table)."""
    table = Path(__file__).parents[3] / "memsuggest/memory/categories.txt"
    rows = [row for row in table.read_text(encoding="utf-8").lower().splitlines() if not row.startswith("//")]
    words = {word for row in rows for word in row.replace(":", " ").split()}
    missing = {word for word in words if f"en {word}" not in known_stems()}
    assert len(missing) < len(words) / 20, sorted(missing)


def test_several_threads_ask_for_stems_at_once() -> None:
    """A word has the same stem whoever else asks meanwhile: a review prepares files while the person decides."""
    words = [f"{start}{number}ations" for start in ("migr", "rel", "gener", "notific") for number in range(500)]
    alone, together = stemmer_of.__wrapped__("en"), stemmer_of.__wrapped__("en")
    expected = [alone(word) for word in words]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(together, words)) == expected
