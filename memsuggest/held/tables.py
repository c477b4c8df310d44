"""The tables of notes and rules in the state database. By themselves, since every command that opens it loads them."""

from __future__ import annotations

import sqlite3

from memsuggest.core.database import execute_script

_NOTES = """
CREATE TABLE chat_notes (
  place TEXT PRIMARY KEY, size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL, version INTEGER NOT NULL,
  session_id TEXT NOT NULL, format TEXT NOT NULL, assistant TEXT NOT NULL, begun INTEGER,
  touched TEXT NOT NULL, exchanges BLOB NOT NULL, in_use TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE chat_sentences (
  number INTEGER PRIMARY KEY AUTOINCREMENT, place TEXT NOT NULL REFERENCES chat_notes ON DELETE CASCADE,
  turn INTEGER NOT NULL, quote TEXT NOT NULL, rule TEXT NOT NULL, at INTEGER, is_correction INTEGER NOT NULL,
  UNIQUE (place, turn, quote));
"""
_RULES = """
CREATE TABLE compared (
  worktree TEXT NOT NULL, uri TEXT NOT NULL, digest TEXT NOT NULL, upto INTEGER NOT NULL,
  PRIMARY KEY (worktree, uri)) WITHOUT ROWID;
CREATE TABLE said_matches (
  worktree TEXT NOT NULL, uri TEXT NOT NULL, line INTEGER NOT NULL,
  number INTEGER NOT NULL REFERENCES chat_sentences ON DELETE CASCADE,
  PRIMARY KEY (worktree, uri, line, number)) WITHOUT ROWID;
CREATE TABLE standing_rules (
  worktree TEXT NOT NULL, uri TEXT NOT NULL, digest TEXT NOT NULL, rules TEXT NOT NULL,
  PRIMARY KEY (worktree, uri)) WITHOUT ROWID;
CREATE TABLE line_times (
  worktree TEXT NOT NULL, uri TEXT NOT NULL, digest TEXT NOT NULL, times TEXT NOT NULL,
  PRIMARY KEY (worktree, uri)) WITHOUT ROWID;
CREATE TABLE rules_seen (
  worktree TEXT NOT NULL, uri TEXT NOT NULL, id TEXT NOT NULL, at INTEGER NOT NULL,
  PRIMARY KEY (worktree, uri, id)) WITHOUT ROWID;
"""


def chat_notes_m001(connection: sqlite3.Connection) -> None:
    execute_script(connection, _NOTES)


def rules_m001(connection: sqlite3.Connection) -> None:
    execute_script(connection, _RULES)


def rules_m002(connection: sqlite3.Connection) -> None:
    connection.execute("DROP TABLE standing_rules")


MIGRATIONS = (chat_notes_m001, rules_m001, rules_m002)
