"""Stems that were looked up beforehand are those that Snowball gives."""

from __future__ import annotations

from pathlib import Path

import pytest

from memsuggest.core.text.stems import known_stems, stem, stemmer_of


def test_known_stems_are_the_stemmers_own() -> None:
    """Whatever stands in the table, in both languages."""
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


@pytest.mark.parametrize(
    ("word", "language", "expected"),
    [
        ("deployments", "en", "deploy"),
        ("zzqxing", "en", "zzqxing"),
        ("häuser", "de", "haus"),
        ("chevaux", "fr", "cheval"),
    ],
)
def test_words_of_any_language(word: str, language: str, expected: str) -> None:
    """Known or not."""
    assert stem(word, language) == expected == stemmer_of(language)(word)
