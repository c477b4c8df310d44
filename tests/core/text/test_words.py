"""Words, their stems, and the language that a text is in."""

from __future__ import annotations

import pytest
from cases import cases

from memsuggest.core.text.stems import stem
from memsuggest.core.text.words import ASKING_WORDS, STOP_WORDS, main_language, plain, word_list


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


def test_word_list() -> None:
    """Numbers and punctuation are no words, an apostrophe is part of one."""
    assert word_list("we don't need 3 of them, thanks!") == ["we", "don't", "need", "of", "them", "thanks"]


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


def test_stems() -> None:
    """Forms of a word share a stem, in their own language."""
    assert stem("migrations") == stem("migration")
    assert stem("prüfungen", "de") == stem("prüfung", "de")


def test_nobody_asks_in_a_language_without_stop_words() -> None:
    """The words of asking go with the stop words of the same language, and repeat none of them."""
    assert all(STOP_WORDS[language].isdisjoint(words) for language, words in ASKING_WORDS.items())
