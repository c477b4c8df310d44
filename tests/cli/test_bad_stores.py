"""A store that is damaged or newer: said in a line, and left as it is to the byte."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from cli.conftest import Shop, invoke, json_of, refused, suggestions


def truncated(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def newer(path: Path) -> None:
    if path.suffix == ".json":
        path.write_text(path.read_text().replace('"version": 1', '"version": 99'))
        return
    with sqlite3.connect(path) as connection:
        connection.execute("INSERT INTO migrations (name) VALUES ('from_the_future')")
    connection.close()


NAMES = {"facts": "facts.json", "profile": "profile.db", "state": "state.db"}
CHANGES = """
reconcile
apply {pending} --yes
apply --all --yes
dismiss {pending}
dismiss --here {pending}
remember Brevity
memory edit {fact} --content Mock
memory forget {fact}
undo
reconcile --dry-run
list
show {pending}
"""
OF_FACTS = """
list --status applied
facts list
facts show {fact}
facts search mock
facts export
"""


@pytest.mark.parametrize("damage", [truncated, newer])
@pytest.mark.parametrize("store", NAMES)
def test_a_store_that_cannot_be_read(shop: Shop, store: str, damage: Callable[[Path], None]) -> None:
    """Whatever needs it says what is wrong with the file; nothing is changed anywhere; the rest goes on."""
    invoke("apply", shop.id_of("pnpm"), "--yes")
    names = {"pending": shop.id_of("mock"), "fact": shop.fact_id_of("mock")}
    damage(getattr(shop, store))
    before = shop.files()
    for line in (CHANGES if store == "state" else CHANGES + OF_FACTS.lstrip()).strip().split("\n"):
        assert NAMES[store] in refused(*line.format(**names).split())
        assert shop.files() == before, line
    if store == "state":
        assert "mock" in invoke("memory", "show", names["fact"]).out
    else:
        invoke("status")
        invoke("targets")
        assert "facts.json" in invoke("memory", "check", code=3 if store == "facts" else 0).out


def test_without_its_state_nothing_is_lost(shop: Shop) -> None:
    """The hint's advice works: with the damaged file moved away, the next run finds the same suggestions."""
    before = suggestions()
    shop.state.write_bytes(b"x")
    assert "move the file out of the way" in refused("status")
    shop.state.rename(shop.folder / "away.db")
    again = json_of("reconcile")
    assert [one["id"] for one in again["suggestions"]] == [one["id"] for one in before]
    assert again["newFacts"] == 0
