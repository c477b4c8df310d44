"""A verdict: what becomes of one rule, after code has checked a model's answer; kept for each working tree.

Losing what is kept loses nothing but what it cost.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from enum import StrEnum

from memsuggest.core.database import transaction

NEW_FILE = ""  # the place of a rule that deserves a file of its own


class Becomes(StrEnum):
    """The fates of a rule."""

    SAID = "said"
    """A line says it already."""
    REPLACES = "replaces"
    """It takes the place of a line that it corrects or sharpens."""
    CONTRADICTS = "contradicts"
    """A line says the opposite; the person chooses."""
    JOINS = "joins"
    """Known facts say the same: one rule, with the evidence of all."""
    NEW = "new"
    """It is added at a place."""
    NOWHERE = "nowhere"
    """It may be true, but it is no rule for a file."""
    UNUSABLE = "unusable"
    """The answer about it was of no use: it goes where our own ranking puts it. Kept, so that it is not paid twice."""


TAKEN = frozenset({Becomes.REPLACES, Becomes.CONTRADICTS, Becomes.JOINS, Becomes.NEW})
"""What makes a suggestion of a maybe."""


_HALF = 5
_WAVERING = 0.55
"""The confidence of what question one has five readers of ten for; of what is less sure, one more has to want it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The fate of one fact."""

    fact_id: str
    basis: str
    """Digest of what it rests on: with another one the question is asked anew."""
    becomes: Becomes
    uri: str | None = None
    """The file that holds the line, or that the rule is added to; NEW_FILE for one of its own, None for no choice."""
    line: str = ""
    """The words of the line that it is about, as they stand in the file."""
    heading: str | None = None
    content: str = ""
    """The rule's wording; empty for its own."""
    joins: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    of_ten: int | None = None
    """Maintainers of ten who would want the rule, as the model thinks; None where it was not asked."""
    weakens: bool = False
    """Whoever follows it has less safety: checks, reviews, pins, secrets …"""
    why: str = ""
    """Of an unusable answer: what was wrong with it."""

    def raises(self, confidence: float) -> bool:
        """Tell whether a maybe is suggested: it becomes something, and of both questions' readers half would keep it.

        On 40 chats, by readers who saw no labels: question one alone has precision .93 and recall .51 from six of ten
        on, .84 and .60 from five on; with these maybes beside six and more it is .87 and .62.
        """
        least = _HALF if confidence >= _WAVERING else _HALF + 1
        return self.becomes in TAKEN and (self.of_ten is None or self.of_ten >= least)


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
    found: dict[str, Verdict] = {}
    for fact, told in connection.execute("SELECT fact, told FROM verdicts WHERE worktree = ?", (worktree,)):
        with suppress(ValueError, TypeError, KeyError):
            values = json.loads(told)
            lists = {name: tuple(values[name]) for name in ("joins", "others")}
            found[fact] = Verdict(**{**values, **lists, "becomes": Becomes(values["becomes"])})
    return found


def drop_verdicts(connection: sqlite3.Connection, facts: Iterable[str]) -> None:
    """Forget what was said of some facts, in every working tree of the clone."""
    with transaction(connection):
        connection.executemany("DELETE FROM verdicts WHERE fact = ?", [(fact,) for fact in facts])
