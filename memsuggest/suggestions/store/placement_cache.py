"""A model's places for facts, after code has checked them: kept per working tree, so that they are paid once.

Losing it loses nothing but what it cost: suggestions are then made by our own ranking.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memsuggest.database import transaction

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Mapping

NEW_FILE = ""
"""The place of a rule that deserves a file of its own."""
NO_PLACE = "?"
"""The place of a rule for which the model named none that was shown; kept, so that it is not asked again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacementAdvice:
    """A place and a wording for one fact."""

    fact_id: str
    basis: str
    """Digest of all that the model was told of the fact: other words or other places make a new question."""
    uri: str
    """A target's, or NEW_FILE."""
    heading: str | None
    content: str
    """The rule's wording; the fact's own where the model's would not do."""


def advice_m001(connection: sqlite3.Connection) -> None:
    """Create the table."""
    connection.execute(
        "CREATE TABLE advice (worktree TEXT NOT NULL, fact TEXT NOT NULL, basis TEXT NOT NULL, uri TEXT NOT NULL,"
        " heading TEXT, content TEXT NOT NULL, PRIMARY KEY (worktree, fact))"
    )


MIGRATIONS = (advice_m001,)


def save_advice(connection: sqlite3.Connection, worktree: str, found: Iterable[PlacementAdvice]) -> None:
    """Keep advice in place of what was said of the same facts before."""
    rows = [(worktree, one.fact_id, one.basis, one.uri, one.heading, one.content) for one in found]
    with transaction(connection):
        connection.executemany("INSERT OR REPLACE INTO advice VALUES (?, ?, ?, ?, ?, ?)", rows)


def load_advice(connection: sqlite3.Connection, worktree: str) -> Mapping[str, PlacementAdvice]:
    """Return what is kept, by the facts' ids."""
    rows = connection.execute(
        "SELECT fact, basis, uri, heading, content FROM advice WHERE worktree = ?", (worktree,)
    ).fetchall()
    return {
        name: PlacementAdvice(fact_id=name, basis=basis, uri=uri, heading=heading, content=content)
        for name, basis, uri, heading, content in rows
    }
