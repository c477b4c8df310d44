"""A store that is damaged, newer, somebody else's or no file at all: said in a line, and left as it is to the byte."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from cli.conftest import Shop, invoke, refused

Damage = Callable[[Path], None]


def written(text: str | bytes) -> Damage:
    """Replace a store's whole content."""

    def damage(path: Path) -> None:
        path.write_bytes(text.encode() if isinstance(text, str) else text)

    return damage


def truncated(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def conflicted(path: Path) -> None:
    lines = path.read_text().split("\n")
    sides = ["<<<<<<< HEAD", *lines[4:6], "=======", *lines[4:6], ">>>>>>> x"]
    path.write_text("\n".join([*lines[:4], *sides, *lines[6:]]))


def newer_json(path: Path) -> None:
    path.write_text(path.read_text().replace('"version": 1', '"version": 99'))


def newer_database(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("INSERT INTO migrations (name) VALUES ('from_the_future')")
    connection.close()


def foreign_database(path: Path) -> None:
    path.unlink()
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE bookmarks (url TEXT)")
    connection.close()


def scribbled(path: Path) -> None:
    """Keep the first page, and put noise into all others."""
    data = path.read_bytes()
    path.write_bytes(data[:4096] + bytes((number * 37) % 251 for number in range(len(data) - 4096)))


def folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def dangling(path: Path) -> None:
    path.unlink()
    path.symlink_to(path.parent / "gone" / "nowhere")


def circle(path: Path) -> None:
    path.unlink()
    path.symlink_to(path.name)


NO_DATABASE = "This is a letter to a friend, not a database at all. " * 40

ALL_COMMANDS = (newer_json, newer_database, truncated)
"""The damages that every command is tried with."""
FACTS = [
    pytest.param(written(""), id="empty"),
    pytest.param(written("{"), id="cut"),
    pytest.param(truncated, id="truncated"),
    pytest.param(written(b'{"version": 1, "facts": ["\xff\xfe"]}'), id="not UTF-8"),
    pytest.param(written("[]"), id="a list"),
    pytest.param(written('{"version": 1, "facts": [{"id": 3}]}'), id="no fact"),
    pytest.param(written('{"version": "1", "facts": []}'), id="wrong version"),
    pytest.param(written("[" * 50_000), id="deep"),
    pytest.param(conflicted, id="conflicted"),
    pytest.param(newer_json, id="newer"),
    pytest.param(folder, id="a folder"),
    pytest.param(pipe, id="a pipe"),
    pytest.param(dangling, id="dangling"),
    pytest.param(circle, id="circle"),
]
DATABASES = [
    pytest.param(written(NO_DATABASE), id="no database"),
    pytest.param(written("x"), id="one byte"),
    pytest.param(truncated, id="truncated"),
    pytest.param(scribbled, id="scribbled"),
    pytest.param(newer_database, id="newer"),
    pytest.param(foreign_database, id="foreign"),
    pytest.param(folder, id="a folder"),
    pytest.param(pipe, id="a pipe"),
    pytest.param(dangling, id="dangling"),
    pytest.param(circle, id="circle"),
]


def decisions_and_changes(shop: Shop) -> list[tuple[str, ...]]:
    """Commands that need every store, because they change something."""
    pending, fact = shop.id_of("mock"), shop.fact_id_of("mock")
    return [
        ("reconcile",),
        ("apply", pending, "--yes"),
        ("apply", "--all", "--yes"),
        ("dismiss", pending),
        ("dismiss", "--here", pending),
        ("remember", "Keep it short"),
        ("remember", "Keep it short"),
        ("memory", "edit", fact, "--content", "Mock nothing"),
        ("memory", "forget", fact),
        ("undo",),
    ]


def looks(shop: Shop) -> list[tuple[str, ...]]:
    """Commands that look at facts or at what is pending."""
    pending, fact = shop.id_of("mock"), shop.fact_id_of("mock")
    return [
        ("reconcile", "--dry-run"),
        ("list",),
        ("list", "--status", "applied"),
        ("show", pending),
    ] + [("facts", *words) for words in (("list",), ("show", fact), ("search", "mock"), ("export",))]


def assert_all_refused(shop: Shop, commands: list[tuple[str, ...]], *, name: str) -> None:
    before = shop.files()
    for words in commands:
        assert name in refused(*words)
        assert shop.files() == before, words


def some_of(commands: list[tuple[str, ...]], damage: Damage) -> list[tuple[str, ...]]:
    """All commands for some damages; for any other, one that changes something and one that looks.

    All commands open a store in the same way, whatever is wrong with it.
    """
    return commands if damage in ALL_COMMANDS else [commands[0], commands[-1]]


@pytest.mark.parametrize("damage", FACTS)
def test_facts_that_cannot_be_read(shop: Shop, damage: Damage) -> None:
    """Whatever needs the team's facts says what is wrong with the file; nothing is changed anywhere."""
    invoke("apply", shop.id_of("pnpm"), "--yes")
    commands = some_of(decisions_and_changes(shop) + looks(shop), damage)
    damage(shop.facts)
    assert_all_refused(shop, commands, name="facts.json")
    invoke("status")
    invoke("targets")
    assert "facts.json" in invoke("memory", "check", code=3).out


@pytest.mark.parametrize("damage", DATABASES)
def test_a_profile_that_cannot_be_read(shop: Shop, damage: Damage) -> None:
    """Whatever needs this person's memory says what is wrong with it; nothing is changed anywhere."""
    invoke("apply", shop.id_of("pnpm"), "--yes")
    commands = some_of(decisions_and_changes(shop) + looks(shop), damage)
    damage(shop.profile)
    assert_all_refused(shop, commands, name="profile.db")
    invoke("status")
    invoke("memory", "check")


@pytest.mark.parametrize("damage", DATABASES)
def test_a_state_that_cannot_be_read(shop: Shop, damage: Damage) -> None:
    """Whatever needs to know what is pending says what is wrong with the state; nothing is changed anywhere."""
    invoke("apply", shop.id_of("pnpm"), "--yes")
    fact = shop.fact_id_of("mock")
    others = [("list",), ("show", shop.id_of("mock")), ("reconcile", "--dry-run")]
    commands = some_of(decisions_and_changes(shop) + others, damage)
    damage(shop.state)
    assert_all_refused(shop, commands, name="state.db")
    assert "mock" in invoke("memory", "show", fact).out


def test_without_its_state_nothing_is_lost(shop: Shop) -> None:
    """The hint's advice works: with the damaged file moved away, the next run finds the same suggestions."""
    before = invoke("list", "--format", "json").json["suggestions"]
    shop.state.write_bytes(b"x")
    assert "move the file away" in refused("status")
    shop.state.rename(shop.folder / "away.db")
    again = invoke("reconcile", "--format", "json").json
    assert [one["id"] for one in again["suggestions"]] == [one["id"] for one in before]
    assert again["newFacts"] == 0
