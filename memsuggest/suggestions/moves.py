"""Moves by the person, in the state database: their word counts before any ranking."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from memsuggest.core.database import transaction


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """A file, and the heading in it, that the person chose for a rule."""

    fact_id: str
    uri: str
    heading: str | None = None
    replaces: str | None = None
    """The line that the rule is to stand in the place of, where they chose that."""
    makes: bool = False
    """The file, or the heading, is made with the rule: they agreed to that."""


def moves_m001(connection: sqlite3.Connection) -> None:
    connection.execute(
        "CREATE TABLE moves (entry INTEGER PRIMARY KEY, worktree TEXT NOT NULL, fact TEXT NOT NULL, uri TEXT NOT NULL,"
        " heading TEXT, replaces TEXT)"
    )


def moves_m002(connection: sqlite3.Connection) -> None:
    connection.execute("ALTER TABLE moves ADD COLUMN makes INTEGER NOT NULL DEFAULT 0")


MIGRATIONS = (moves_m001, moves_m002)


def note_move(connection: sqlite3.Connection, worktree: str, move: Move, *, entry: int) -> None:
    """Remember a move as a part of an entry of the journal."""
    with transaction(connection):
        connection.execute(
            "INSERT INTO moves (entry, worktree, fact, uri, heading, replaces, makes) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (entry, worktree, move.fact_id, move.uri, move.heading, move.replaces, move.makes),
        )


def drop_move(connection: sqlite3.Connection, *, entry: int) -> None:
    """Forget the move of an entry that is undone; what was moved before counts again."""
    with transaction(connection):
        connection.execute("DELETE FROM moves WHERE entry = ?", (entry,))


def load_moves(connection: sqlite3.Connection, worktree: str) -> dict[str, Move]:
    """Return what was moved in a working tree, by the ids of the facts."""
    rows = connection.execute(
        "SELECT fact, uri, heading, replaces, makes FROM moves WHERE worktree = ? ORDER BY entry", (worktree,)
    )
    return {
        fact: Move(fact_id=fact, uri=uri, heading=heading, replaces=replaces, makes=bool(makes))
        for fact, uri, heading, replaces, makes in rows
    }
