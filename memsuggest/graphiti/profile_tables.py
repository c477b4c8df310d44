"""Graphiti in this person's profile: their workspaces' groups and group ids, and what they promoted."""

from __future__ import annotations

import hashlib
import re
import secrets
import sqlite3
from collections.abc import Collection
from dataclasses import astuple, dataclass
from enum import StrEnum

from memsuggest.core.database import execute_script, store_errors, transaction
from memsuggest.core.identity import hash_of

_SCHEMA = """
CREATE TABLE graphiti_groups (
    workspace TEXT PRIMARY KEY,
    group_id TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE graphiti_person (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    key TEXT NOT NULL
);
CREATE TABLE graphiti_promotions (
    endpoint TEXT NOT NULL,
    group_id TEXT NOT NULL,
    name TEXT NOT NULL,
    scope TEXT NOT NULL,
    kind TEXT NOT NULL,
    fact_id TEXT NOT NULL,
    at INTEGER NOT NULL,
    is_forgotten INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (endpoint, group_id, name)
) WITHOUT ROWID;
CREATE INDEX graphiti_promotions_by_fact ON graphiti_promotions (fact_id);
"""


def m008_graphiti(connection: sqlite3.Connection) -> None:
    """Create the tables."""
    execute_script(connection, _SCHEMA)


@dataclass(frozen=True, slots=True, kw_only=True)
class Groups:
    """Under which names a workspace and its person are known to a server."""

    workspace: str
    user: str
    person: str
    """What the person is called there: the same everywhere, and nobody's name."""

    def of(self, scope: str) -> str:
        return {WORKSPACE: self.workspace, USER: self.user}[scope]


@dataclass(frozen=True, slots=True, kw_only=True)
class Promotion:
    """Something that was promoted."""

    endpoint: str
    group_id: str
    name: str
    scope: str
    kind: str
    fact_id: str
    """Empty for a text that was no fact here."""
    at: int
    is_forgotten: bool = False
    """Whether it is to be taken back, and was not yet."""


def known_groups(connection: sqlite3.Connection, workspace: str) -> Groups | None:
    with store_errors(connection):
        if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'graphiti_groups'").fetchone():
            return None  # a profile of an earlier version, which is only looked at
        row = connection.execute("SELECT group_id FROM graphiti_groups WHERE workspace = ?", (workspace,)).fetchone()
        person = connection.execute("SELECT key FROM graphiti_person").fetchone()
    if not row or not person:
        return None
    return Groups(workspace=row[0], user=_group(USER, person[0]), person=f"person-{person[0][:8]}")


def note_groups(connection: sqlite3.Connection, workspace: str, *, repository: str, person: str) -> Groups:
    """Remember the groups of a workspace: of the repository that its clones share, and of the person.

    Both stay as they were first: what was told under a name has to be found again. `person` is empty for one of whom
    nothing is known; they get a key by chance.
    """
    with transaction(connection):
        key = hash_of("person", person) if person else secrets.token_hex(8)
        connection.execute("INSERT OR IGNORE INTO graphiti_person VALUES (1, ?)", (key,))
        group = _group(WORKSPACE, repository)
        connection.execute("INSERT OR IGNORE INTO graphiti_groups VALUES (?, ?)", (workspace, group))
    found = known_groups(connection, workspace)
    assert found
    return found


def note_promotion(connection: sqlite3.Connection, promotion: Promotion) -> None:
    with transaction(connection):
        connection.execute(
            "INSERT INTO graphiti_promotions VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE"
            " SET is_forgotten = 0, fact_id = excluded.fact_id WHERE is_forgotten = 1",
            astuple(promotion),
        )


def promotions_of(connection: sqlite3.Connection, fact_ids: Collection[str]) -> list[Promotion]:
    return [
        promotion
        for fact_id in fact_ids
        for promotion in _promotions(connection, "fact_id = ? AND is_forgotten = 0 ORDER BY at, name", fact_id)
    ]


def promotions_to_take_back(connection: sqlite3.Connection, endpoint: str) -> list[Promotion]:
    return _promotions(connection, "endpoint = ? AND is_forgotten = 1 ORDER BY at, name", endpoint)


def _promotions(connection: sqlite3.Connection, where: str, value: str) -> list[Promotion]:
    with store_errors(connection):
        rows = connection.execute(f"SELECT * FROM graphiti_promotions WHERE {where}", (value,)).fetchall()  # noqa: S608  # nosec
    return [Promotion(**{**dict(row), "is_forgotten": bool(row["is_forgotten"])}) for row in rows]


_NAMED = "endpoint = ? AND group_id = ? AND name = ?"


def note_forgotten(connection: sqlite3.Connection, promotion: Promotion) -> None:
    with transaction(connection):
        named = astuple(promotion)[:3]
        connection.execute(f"UPDATE graphiti_promotions SET is_forgotten = 1 WHERE {_NAMED}", named)  # noqa: S608  # nosec


def forget_promotion(connection: sqlite3.Connection, promotion: Promotion) -> None:
    with transaction(connection):
        connection.execute(f"DELETE FROM graphiti_promotions WHERE {_NAMED}", astuple(promotion)[:3])  # noqa: S608  # nosec


class RecallScope(StrEnum):
    """The scope of a search."""

    AUTO = "auto"
    """By the words of the query; both where they do not tell."""
    ALL = "all"
    WORKSPACE = "workspace"
    USER = "user"


_PROJECT = re.compile(
    r"""
      \b(?: branch(?:es)? | prs? | pull[ ]requests? | ci | pipelines? | workspace | repo(?:sitor(?:y|ies))?s?
          | projects? | code[ ]?base | releases? | deploy\w* | build(?:s|ing)? | migrations? | tests?
          | we | our | us | team | here
          | wir | uns\w{0,4} | hier | projekt\w* | nous | notre | nos | ici | nuestr\w+ | aquí | proyecto | projet
        )\b
    | (?<![\w-])[\w-]{1,100}/[\w./-] | (?<![\w-])[\w-]{1,100}\.[a-z]{1,4}\b | `   # a file, a name in code
    | 我们 | 项目 | プロジェクト
    """,
    re.IGNORECASE | re.VERBOSE,
)
_PERSONAL = re.compile(
    r"""
      \b(?: my | mine | mein\w{0,2} | mon | ma | mes | mi | mis | j'ai | yo )\b
    | \b(?: do | did | should | am | was ) [ ] i \b
    | \b(?: i | ich | je ) [ ] (?: prefer | like | call | use | usually | always | never | own | said | told | work
          | hate | mag | nenne | nutze | bevorzuge | préfère | utilise | appelle ) \b
    | 我的 | 私の
    """,
    re.IGNORECASE | re.VERBOSE,
)


def cues_in(query: str) -> tuple[bool, bool]:
    """Tell whether a query is about the person, and about the project.

    >>> cues_in("what is my timezone"), cues_in("how do we deploy src/api"), cues_in("how do I deploy")
    ((True, False), (False, True), (True, True))
    """
    return bool(_PERSONAL.search(query)), bool(_PROJECT.search(query))


SESSION, WORKSPACE, USER, TRIAL = "session", "workspace", "user", "trial"
SCOPES = (SESSION, WORKSPACE, USER)  # what can be recalled from, nearest first. Raw chat never goes to `user`
_DIGITS = 32
_TAKEN = re.compile(r"[a-zA-Z0-9_-]{1,128}")


def session_group(session_id: str) -> str:
    """Return the group of one chat.

    >>> session_group("4f1c")
    'graphiti_session_138023e6a493cfd3cc3b536ac4186969'
    """
    return _group(SESSION, session_id)


def trial_group(mark: str) -> str:
    return _group(TRIAL, mark)


def is_group_id(text: str) -> bool:
    return _TAKEN.fullmatch(text) is not None


def _group(scope: str, key: str) -> str:
    digest = hashlib.sha256(f"{scope}\0{key}".encode("utf-8", "surrogatepass")).hexdigest()
    return f"graphiti_{scope}_{digest[:_DIGITS]}"
