"""Older values: marked as replaced by what was said of the same thing later."""

from __future__ import annotations

import pytest

from memsuggest.memory.entry import Entry, Layer, Source
from memsuggest.memory.lookup import with_replacements
from memsuggest.memory.recalled import Hit


def hit(text: str, at: int) -> Hit:
    entry = Entry(
        id=text, layer=Layer.KNOWLEDGE, content=text, source=Source.USER, created_at=at, updated_at=at, project="w"
    )
    return Hit(entry=entry, score=1.0, fit=1.0)


@pytest.mark.parametrize(
    ("older", "newer", "is_replaced"),
    [
        ("The link in the mail lasts 48h.", "The link in the mail lasts 72h now.", True),
        ("Ada says the partner allows 60 requests a minute.", "Ada: it is 2 per second, not 60.", True),
        ("The basket of a guest lives for 14 days.", "make the basket 30 days instead of 14", True),
        ("Der Korb lebt 14 Tage.", "der Korb soll 30 Tage statt 14 leben", True),
        ("The link in the mail lasts 48h.", "The export takes 72 minutes.", False),
        ("Invoices are kept for 10 years.", "Is the basket 30 days instead of 14?", False),
    ],
)
def test_another_value(older: str, newer: str, is_replaced: bool) -> None:
    """In nearly the same words, or where the newer one names the older value; the newer one stays as it is."""
    first, second = with_replacements([hit(older, 1), hit(newer, 2)])
    assert bool(first.replaced_by) == is_replaced
    assert not second.replaced_by
