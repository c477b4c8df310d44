"""The verdicts on facts, kept for each working tree, so that nothing is asked or paid twice.

Losing them loses nothing but what they cost.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import asdict

from memsuggest.core.database import transaction
from memsuggest.judging.verdicts.verdict import Becomes, Verdict


def advice_m001(connection: sqlite3.Connection) -> None:
    connection.execute(
        "CREATE TABLE advice (worktree TEXT NOT NULL, fact TEXT NOT NULL, basis TEXT NOT NULL, uri TEXT NOT NULL,"
        " heading TEXT, content TEXT NOT NULL, PRIMARY KEY (worktree, fact))"
    )


def verdicts_m002(connection: sqlite3.Connection) -> None:
    """Create the table of verdicts in its place: what a place alone was is asked anew."""
    connection.execute("DROP TABLE advice")
    connection.execute(
        "CREATE TABLE verdicts (worktree TEXT NOT NULL, fact TEXT NOT NULL, told TEXT NOT NULL,"
        " PRIMARY KEY (worktree, fact))"
    )


MIGRATIONS = (advice_m001, verdicts_m002)


def save_verdicts(connection: sqlite3.Connection, worktree: str, found: Iterable[Verdict]) -> None:
    """Keep verdicts in place of what was said of the same facts before."""
    rows = [(worktree, verdict.fact_id, json.dumps(asdict(verdict), ensure_ascii=False)) for verdict in found]
    with transaction(connection):
        connection.executemany("INSERT OR REPLACE INTO verdicts VALUES (?, ?, ?)", rows)


def load_verdicts(connection: sqlite3.Connection, worktree: str) -> Mapping[str, Verdict]:
    """Return what is kept, by the facts' ids; what another version kept and this one cannot read is asked anew."""
    rows = connection.execute("SELECT fact, told FROM verdicts WHERE worktree = ?", (worktree,)).fetchall()
    found = ((fact, _verdict(told)) for fact, told in rows)
    return {fact: verdict for fact, verdict in found if verdict}


def drop_verdicts(connection: sqlite3.Connection, facts: Iterable[str]) -> None:
    """Forget what was said of some facts, in every working tree of the clone."""
    with transaction(connection):
        connection.executemany("DELETE FROM verdicts WHERE fact = ?", [(fact,) for fact in facts])


def _verdict(told: str) -> Verdict | None:
    try:
        values = json.loads(told)
        lists = {name: tuple(values[name]) for name in ("joins", "others")}
        return Verdict(**{**values, **lists, "becomes": Becomes(values["becomes"])})
    except (ValueError, TypeError, KeyError):
        return None
