"""Say for invented pairs of a rule and a line what becomes of the rule, beside what is right: a table of confusion.

    python tests/evaluation/merging.py [PAIRS.txt] [--misses]

Each line stands in a small file among others, and the rule is suggested as after a chat. Outcomes: `said` (nothing to
do), `replaces` (it takes the line's place, as its fuller wording), `contradicts` (it takes the line's place, or is
added with a word about it), `add` (the line stays as it is). `LOST`
counts what a person said and would never see again.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

from edit_kit import fact_of

from memsuggest.customizations.discovery import target_from
from memsuggest.model import MemorySuggestion
from memsuggest.suggestions.ranking.workspace_index import WorkspaceIndex
from memsuggest.suggestions.suggest import AlreadySaid, suggest

OUTCOMES = ("said", "replaces", "contradicts", "add")
FILE = """# Shop

A small shop in two halves.

## Overview

- The web half lives in `web/`, the other one in `server/`.
- Carts are emptied at midnight.

## Conventions

- Prices have a currency.
- {line}
- Stock is counted by warehouse.

## Workflow

- Tickets are closed by whoever opened them.
- Ada decides about the wording of mails.
"""


def read_pairs(path: Path) -> list[tuple[str, str, str, str]]:
    """Return outcome, sort, rule and line of each pair."""
    pairs, sort = [], ""
    for row in path.read_text(encoding="utf-8").split("\n"):
        if row.startswith("#"):
            sort = row.removeprefix("#").strip()
        elif row:
            outcome, rule, line = row.split(" | ")
            pairs.append((outcome, sort, rule, line))
    return pairs


def outcome_of(rule: str, line: str) -> tuple[str, str]:
    """Return what becomes of a rule, and why."""
    workspace_index = WorkspaceIndex(
        [target_from("AGENTS.md", FILE.replace("{line}", line))], tracked_paths=("web/a.ts", "server/b.py")
    )
    made = suggest(fact_of(rule), workspace_index)
    if isinstance(made, AlreadySaid):
        return "said", made.text
    if not isinstance(made, MemorySuggestion):
        return "nothing", str(made)
    if "it contradicts" in made.why:
        return "contradicts", made.why
    return ("replaces" if made.replaces else "add"), made.why


def main() -> None:
    """Print the table, and the misses when they are wanted."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pairs", type=Path, nargs="?", default=Path(__file__).with_name("merge_pairs.txt"))
    parser.add_argument("--misses", action="store_true")
    wanted = parser.parse_args()
    table: Counter[tuple[str, str]] = Counter()
    pairs = read_pairs(wanted.pairs)
    lost = 0
    for right, sort, rule, line in pairs:
        found, why = outcome_of(rule, line)
        table[right, found] += 1
        lost += found in ("said", "nothing") and right != "said"
        if wanted.misses and found != right:
            sys.stdout.write(f"{right} -> {found} [{sort}]\n    rule: {rule}\n    line: {line}\n    {why[:160]}\n")
    sys.stdout.write(f"{'right':<12}" + "".join(f"{found:>12}" for found in (*OUTCOMES, "nothing")) + "\n")
    for right in OUTCOMES:
        row = "".join(f"{table[right, found]:>12}" for found in (*OUTCOMES, "nothing"))
        sys.stdout.write(f"{right:<12}{row}\n")
    hits = sum(table[one, one] for one in OUTCOMES)
    sys.stdout.write(f"{hits} of {len(pairs)} right ({100 * hits / len(pairs):.1f} %), {lost} LOST\n")


if __name__ == "__main__":
    main()
