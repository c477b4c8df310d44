"""German rules, word by word in English."""

from __future__ import annotations

from cases import cases

from memsuggest.core.text.german import in_english, is_german


@cases(
    ("german", "english"),
    [
        ("Testdateien nie umgarnen", "test file never umgarnen"),
        ("Benutze `npm ci` statt `npm install`", "use `npm ci` instead of `npm install`"),
        ("Neue Spalten nur nach Rückfrage", "new column ask before"),
        ("Commit-Nachrichten auf Englisch", "commit message on English"),
    ],
)
def test_in_english(german: str, english: str) -> None:
    """Words of the table, turns of phrase and compounds are put in English; code and other words stay."""
    assert in_english(german) == english


def test_is_german() -> None:
    """Small words tell; a name in an English sentence does not."""
    assert is_german("Keine Secrets committen")
    assert not is_german("Never commit secrets")
    assert not is_german("Die invalid requests early")
