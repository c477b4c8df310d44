"""Notes as they were read last, in the state database: of a file that is as it was, nothing is read again."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from dataclasses import asdict
from typing import TYPE_CHECKING, NamedTuple

from memsuggest.core.database import light_transaction
from memsuggest.core.model import Scope, Trust
from memsuggest.notes.note import KnownNote, NoteRule, Verdict

if TYPE_CHECKING:
    from memsuggest.notes.note_places import NotePlace

READING = "7"  # changes with what is made of a note, so that all are read once more


class Row(NamedTuple):
    """A file, how it was when it was read, and what came of it."""

    place: NotePlace
    note: KnownNote | None
    """None for a file in which there is nothing about this workspace."""
    why: str = ""


def assistant_notes_m001(connection: sqlite3.Connection) -> None:
    connection.execute(
        "CREATE TABLE assistant_notes (worktree TEXT NOT NULL, path TEXT NOT NULL, seen TEXT NOT NULL,"
        " note TEXT NOT NULL, why TEXT NOT NULL, PRIMARY KEY (worktree, path)) WITHOUT ROWID"
    )
    connection.execute("CREATE TABLE notes_judged (worktree TEXT PRIMARY KEY, key TEXT NOT NULL) WITHOUT ROWID")


MIGRATIONS = (assistant_notes_m001,)


class NoteTable:
    """The notes of a working tree."""

    def __init__(self, connection: sqlite3.Connection, worktree: str) -> None:
        self._connection = connection
        self._worktree = worktree

    def known(self, places: Iterable[NotePlace]) -> tuple[list[Row], list[NotePlace]]:
        """Return what was read of files that are as they were, and the others."""
        rows = self._connection.execute(
            "SELECT path, seen, note, why FROM assistant_notes WHERE worktree = ?", (self._worktree,)
        )
        by_path = {path: (seen, note, why) for path, seen, note, why in rows}
        kept: list[Row] = []
        changed: list[NotePlace] = []
        for place in places:
            row = by_path.get(place.path)
            if row and row[0] == _seen(place):
                kept.append(Row(place, _note_of(row[1]), row[2]))
            else:
                changed.append(place)
        return kept, changed

    def keep(self, rows: Iterable[Row], *, all_paths: Iterable[str]) -> None:
        """Remember what was read, and forget what is gone."""
        there = set(all_paths)
        with light_transaction(self._connection):
            self._write(rows)
            known = self._connection.execute("SELECT path FROM assistant_notes WHERE worktree = ?", (self._worktree,))
            gone = [(self._worktree, path) for (path,) in known.fetchall() if path not in there]
            self._connection.executemany("DELETE FROM assistant_notes WHERE worktree = ? AND path = ?", gone)

    def change(self, rows: Iterable[Row]) -> None:
        with light_transaction(self._connection):
            self._write(rows)

    def judged_key(self) -> str:
        row = self._connection.execute("SELECT key FROM notes_judged WHERE worktree = ?", (self._worktree,)).fetchone()
        return row[0] if row else ""

    def keep_judged(self, rows: Iterable[Row], key: str) -> None:
        with light_transaction(self._connection):
            self._write(rows)
            self._connection.execute("INSERT OR REPLACE INTO notes_judged VALUES (?, ?)", (self._worktree, key))

    def _write(self, rows: Iterable[Row]) -> None:
        self._connection.executemany(
            "INSERT OR REPLACE INTO assistant_notes VALUES (?, ?, ?, ?, ?)",
            [(self._worktree, row.place.path, _seen(row.place), _text_of(row.note), row.why) for row in rows],
        )


def _seen(place: NotePlace) -> str:
    return f"{READING} {place.size} {place.mtime_ns} {place.inode} {place.is_users:d}{place.is_shared:d}"


def _text_of(note: KnownNote | None) -> str:
    return json.dumps(asdict(note), ensure_ascii=False) if note else ""


def _note_of(text: str) -> KnownNote | None:
    if not text:
        return None
    payload = json.loads(text)
    rules = tuple(
        NoteRule(**{**rule, "scope": Scope(rule["scope"]), "verdict": Verdict(rule["verdict"])})
        for rule in payload.pop("rules")
    )
    trust, private = Trust(payload.pop("trust")), tuple(payload.pop("private"))
    return KnownNote(**payload, trust=trust, private=private, rules=rules)
