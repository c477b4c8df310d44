"""Typing errors are told from names."""

from __future__ import annotations

import pytest

from memsuggest.text.spelling import is_english, misspelt


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("never log pasword hashes", "pasword"),
        ("tests go beneath the modlue", "modlue"),
        ("use tabs hereYou know why", "reYou"),
        ("sempre valide as a\u00e7~oes", "\u00e7~o"),
        ("use zustand and pnpm for the storefront", ""),
        ("organise behaviours by colour", ""),
        ("never call `pasword()` or lib/modlue", ""),
        ("Wolrd of names", "wolrd"),
        ("the Pasword class is old", ""),
        ("siempre usa tabuladores en archivos nuevos", ""),
    ],
)
def test_one_slip_of_the_fingers_is_an_error(text: str, word: str) -> None:
    """An unknown word beside an ordinary one is an error; names, code and other languages are not."""
    assert misspelt(text, {}) == word


def test_what_is_usual_in_a_place_is_no_error() -> None:
    """A word that a session has twice is one of its words, and shows the errors of other languages."""
    assert misspelt("never log modlue", {"modlue": 2}) == ""
    assert misspelt("primero planeja los archvios", {"archivos": 3, "archvios": 1}) == "archvios"


def test_languages_are_told_apart() -> None:
    """English is what mostly has English words."""
    texts = ("run the tests in CI", "wir schreiben die Kommentare und Namen auf Deutsch", "\u4f7f\u7528 pnpm")
    assert [is_english(one) for one in texts] == [True, False, False]
