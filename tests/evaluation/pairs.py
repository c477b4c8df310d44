"""Prints what becomes of a rule that is said after another one: merged, replaced, paired, kept apart. Run by hand:

    python tests/evaluation/pairs.py [made|fresh] [misses]

Each pair of `pairs/*.txt` is given to `accept` as the person's words of two days, the older one being known already.
"""

from __future__ import annotations

import sys
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from memsuggest.memory.accept import accept
from memsuggest.memory.tags import UPDATE
from memsuggest.model import Candidate, Citation, Scope

FOLDER = Path(__file__).resolve().parent / "pairs"
RIGHT = {
    "same": ("merged",),
    "turned": ("paired", "replaced"),
    "update": ("replaced",),
    "clash": ("paired", "replaced"),
    "apart": ("apart",),
    "scope": ("apart",),
}
"""What should become of a pair, by how its rules stand to each other."""
OUTCOMES = ("merged", "replaced", "paired", "apart")


class Pair(NamedTuple):
    """Two rules of one person."""

    relation: str
    old: str
    new: str


def pairs_of(name: str) -> list[Pair]:
    """Read a set of pairs."""
    lines = (FOLDER / f"{name}.txt").read_text(encoding="utf-8").split("\n")
    rows = (line.partition(": ") for line in lines if line and not line.startswith("#"))
    return [Pair(relation, *rest.split(" => ")) for relation, _, rest in rows]


def said(text: str, *, day: int, is_update: bool = False, scope: Scope = Scope.WORKSPACE) -> Candidate:
    """Make a candidate of what was typed that day."""
    cited = Citation(session_id=f"s{day}", turn=1, quote=text, at=datetime(2026, 3, day, tzinfo=UTC))
    tags = (UPDATE,) if is_update else ()
    return Candidate(content=text, confidence=0.8, citations=(cited,), found_by="pairs", tags=tags, scope=scope)


def outcome(pair: Pair) -> str:
    """Say what becomes of the older rule when the newer one is said."""
    known = accept([said(pair.old, day=2)], known=(), now=0).added
    scope = Scope.USER if pair.relation == "scope" else Scope.WORKSPACE
    newer = said(pair.new, day=5, is_update=pair.relation == "update", scope=scope)
    found = accept([newer], known=known, now=0)
    if found.retired:
        return "replaced"
    if not found.added:
        return "merged"
    return "paired" if found.contradictions else "apart"


def main(arguments: list[str]) -> None:
    """Print the table, and the pairs that went wrong when `misses` is asked for."""
    write = sys.stdout.write
    for name in [one for one in arguments if one != "misses"] or ["made"]:
        pairs = pairs_of(name)
        found = [(pair, outcome(pair)) for pair in pairs]
        table = Counter((pair.relation, came) for pair, came in found)
        write(f"{name}: {len(pairs)} pairs\n{'':9}" + "".join(f"{one:>10}" for one in OUTCOMES) + "     right\n")
        for relation, right in RIGHT.items():
            row = [table[relation, one] for one in OUTCOMES]
            share = sum(table[relation, one] for one in right) / max(1, sum(row))
            write(f"{relation:9}" + "".join(f"{count:>10}" for count in row) + f"{share:>10.0%}\n")
        if "misses" in arguments:
            for pair, came in found:
                if came not in RIGHT[pair.relation]:
                    write(f"    {pair.relation} {came}: {pair.old} => {pair.new}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
