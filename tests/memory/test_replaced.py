"""Older values: marked as replaced by what was said of the same thing later."""

from __future__ import annotations

import pytest
from memory.conftest import chat, entry

from memsuggest.facts.profile import Profile
from memsuggest.memory.context_block import Hit
from memsuggest.memory.lookup import Wanted, look_up, with_replacements
from memsuggest.memory.turns import ASSISTANT, PERSON


@pytest.mark.parametrize(
    ("older", "newer", "is_replaced"),
    [
        ("Ada says the partner allows 60 requests a minute.", "Ada: it is 2 per second, not 60.", True),
        ("The basket of a guest lives for 14 days.", "make the basket 30 days instead of 14", True),
        ("Der Korb lebt 14 Tage.", "der Korb soll 30 Tage statt 14 leben", True),
        ("Die Leihfrist ist vier Wochen.", "Leihfrist wird auf sechs Wochen statt vier gesetzt", True),
        ("Der Bestellschluss ist um 18 Uhr.", "bestellschluss 18 uhr ist zu spät. 16 uhr", True),
        ("The link in the mail lasts 48h.", "The link in the mail lasts 72h now.", False),
        ("The basket of a guest lives for 14 days.", "The basket was 12 days, so 14 is good", False),
        ("A basket takes 30 KB.", "make the basket 30 days instead of 14", False),
        ("The oven bakes 14 loaves instead of 8.", "keep the backups 30 days instead of 14", False),
    ],
)
def test_another_value(profile: Profile, older: str, newer: str, is_replaced: bool) -> None:
    """Where the newer one names the older value beside its own; the newer one stays as it is."""
    hits = [Hit(entry=entry(text, days=days), score=1.0) for days, text in ((2, older), (1, newer))]
    marked = {hit.content: hit.replaced_by for hit in with_replacements(profile.entries.connection, hits)}
    assert bool(marked[older]) == is_replaced
    assert not marked[newer]


def test_a_value_that_was_changed_aside_in_another_chat(profile: Profile) -> None:
    """It is found though no word of the question stands there; and a question changes nothing."""
    chat(profile, "rate", (PERSON, "Ada says the gateway takes 60 requests a minute"), (ASSISTANT, "Set to 60."), at=1)
    told = (PERSON, "also Ada mailed, it is 2 per second, not 60")
    chat(profile, "leak", (PERSON, "fix the leak"), told, at=9_000)
    chat(profile, "doubt", (PERSON, "would Ada like 90 requests, not 60?"), at=99_000)
    hits = look_up(profile.entries.connection, "how fast is the gateway?", Wanted(), project="shop", now=10**6)
    assert [hit.replaced_by for hit in hits] == ["1970-01-01: also Ada mailed, it is 2 per second, not 60"]


def test_what_holds_for_the_moment_is_not_given_unasked(profile: Profile) -> None:
    """A turn that says so is left out beside a prompt, and found by who asks."""
    passing = "for now just disable the login page, the harbour master cannot get in"
    turns = ((PERSON, "the harbour master looks at the berth manifests every morning at the quay"), (PERSON, passing))
    chat(profile, "berths", *turns, at=1)
    query = "what did we say about the harbour master and the berth manifests?"
    given = {
        via: "".join(
            turn.text
            for hit in look_up(profile.entries.connection, query, Wanted(via=via), project="shop", now=10**6)
            if hit.passage
            for turn in hit.passage.turns
        )
        for via in ("command", "hook")
    }
    assert passing in given["command"]
    assert "manifests" in given["hook"] and passing not in given["hook"]
