"""A store that is damaged, newer, somebody else's or no file at all: said in a line, and left as it is to the byte."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from cli.conftest import Shop, invoke, json_of, refused, suggestions

Damage = Callable[[Path], object]


def written(text: str | bytes) -> Damage:
    """Replace a store's whole content."""
    return lambda path: path.write_bytes(text.encode() if isinstance(text, str) else text)


def truncated(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def conflicted(path: Path) -> None:
    lines = path.read_text().split("\n")
    sides = ["<<<<<<< HEAD", *lines[4:6], "=======", *lines[4:6], ">>>>>>> x"]
    path.write_text("\n".join([*lines[:4], *sides, *lines[6:]]))


def newer(path: Path) -> None:
    if path.suffix == ".json":
        path.write_text(path.read_text().replace('"version": 1', '"version": 99'))
    else:
        change(path, "INSERT INTO migrations (name) VALUES ('from_the_future')")


def foreign(path: Path) -> None:
    path.unlink()
    change(path, "CREATE TABLE bookmarks (url TEXT)")


def change(path: Path, statement: str) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute(statement)
    connection.close()


def scribbled(path: Path) -> None:
    """Keep the first page, and put noise into all others."""
    data = path.read_bytes()
    path.write_bytes(data[:4096] + bytes((number * 37) % 251 for number in range(len(data) - 4096)))


def instead(make: Damage) -> Damage:
    """Put something that is no file in its place."""
    return lambda path: (path.unlink(), make(path))


NO_FILE: dict[str, Damage] = {
    "a folder": instead(Path.mkdir),
    "a pipe": instead(os.mkfifo),
    "dangling": instead(lambda path: path.symlink_to(path.parent / "gone" / "nowhere")),
    "circle": instead(lambda path: path.symlink_to(path.name)),
}
FACTS: dict[str, Damage] = {
    "empty": written(""),
    "truncated": truncated,
    "not UTF-8": written(b'{"version": 1, "facts": ["\xff\xfe"]}'),
    "a list": written("[]"),
    "no fact": written('{"version": 1, "facts": [{"id": 3}]}'),
    "wrong version": written('{"version": "1", "facts": []}'),
    "deep": written("[" * 50_000),
    "conflicted": conflicted,
    "newer": newer,
    **NO_FILE,
}
DATABASES: dict[str, Damage] = {
    "no database": written("This is a letter to a friend, not a database at all. " * 40),
    "one byte": written("x"),
    "truncated": truncated,
    "scribbled": scribbled,
    "newer": newer,
    "foreign": foreign,
    **NO_FILE,
}
ROWS = [
    *(pytest.param("facts", damage, id=f"facts-{name}") for name, damage in FACTS.items()),
    *(
        pytest.param(store, damage, id=f"{store}-{name}")
        for store in ("profile", "state")
        for name, damage in DATABASES.items()
    ),
]
NAMES = {"facts": "facts.json", "profile": "profile.db", "state": "state.db"}


@pytest.mark.parametrize(("store", "damage"), ROWS)
def test_a_store_that_cannot_be_read(shop: Shop, store: str, damage: Damage) -> None:
    """Whatever needs it says what is wrong with the file; nothing is changed anywhere; the rest goes on.

    All commands open a store in the same way, whatever is wrong with it: for most damages a few are tried.
    """
    invoke("apply", shop.id_of("pnpm"), "--yes")
    pending, fact = shop.id_of("mock"), shop.fact_id_of("mock")
    changes = (
        *(
            "reconcile",
            f"apply {pending} --yes",
            "apply --all --yes",
            f"dismiss {pending}",
            f"dismiss --here {pending}",
        ),
        *("remember Brevity", f"memory edit {fact} --content Mock", f"memory forget {fact}", "undo"),
    )
    looks = (
        "reconcile --dry-run",
        "list",
        f"show {pending}",
        *(() if store == "state" else ("list --status applied",)),
    )
    of_facts = ("facts list", f"facts show {fact}", "facts search mock", "facts export")
    commands = (*changes, *looks, *(() if store == "state" else of_facts))
    damage(getattr(shop, store))
    before = shop.files()
    for words in commands if damage in (newer, truncated) else (commands[0], commands[-1]):
        assert NAMES[store] in refused(*words.split())
        assert shop.files() == before, words
    if store == "state":
        assert "mock" in invoke("memory", "show", fact).out
    else:
        invoke("status")
        invoke("targets")
        assert "facts.json" in invoke("memory", "check", code=3 if store == "facts" else 0).out


def test_without_its_state_nothing_is_lost(shop: Shop) -> None:
    """The hint's advice works: with the damaged file moved away, the next run finds the same suggestions."""
    before = suggestions()
    shop.state.write_bytes(b"x")
    assert "move the file away" in refused("status")
    shop.state.rename(shop.folder / "away.db")
    again = json_of("reconcile")
    assert [one["id"] for one in again["suggestions"]] == [one["id"] for one in before]
    assert again["newFacts"] == 0
