"""How often a rule goes to the file and under the heading that its author chose.

    python docs/measure/placement.py DATA_FOLDER [--misses NUMBER]

Per kind of file: right first, among the first three, mean reciprocal rank; and, of those right first, how often the
innermost heading is the author's too (where the author made no new one). Misses are printed with the reasons given.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from placement_cases import Case, plain_heading, read_cases

from memsuggest.suggestions.ranking.match import Ranked, ranked

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class Judged:
    """How one case went."""

    kind: str
    repo: str
    rank: int
    """Of the first right file, from 1; 0 for none."""
    heading: bool | None
    """Whether the heading is right; None where that cannot be said."""


def main() -> None:
    """Rank every case, print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--misses", type=int, default=0, metavar="NUMBER", help="print so many wrong ones")
    wanted = parser.parse_args()
    judged = []
    for case in read_cases(wanted.folder):
        found = ranked(case.rule, case.target_index)
        found[0] = found[0].located
        judged.append(_judge(case, found))
        if judged[-1].rank != 1 and wanted.misses > 0:
            wanted.misses -= 1
            sys.stdout.write(_told(case, found, judged[-1]))
    _print(judged)


def _judge(case: Case, found: Sequence[Ranked]) -> Judged:
    rank = next((place for place, one in enumerate(found, 1) if one.target.uri in case.accept), 0)
    heading = None
    if rank == 1 and case.heading is not None:
        section = found[0].section
        heading = plain_heading(section.heading if section else "") == case.heading
    return Judged(case.kind, case.repo, rank, heading)


def _told(case: Case, found: Sequence[Ranked], judged: Judged) -> str:
    first = found[0]
    return (
        f"{case.id} {case.repo}: {case.rule.content[:300]}\n"
        f"    cited   {', '.join(case.rule.paths[:4])}\n"
        f"    author  {case.path} (here number {judged.rank})\n"
        f"    here    {first.target.uri} ({first.score:.2f}): {first.why}\n"
    )


def _print(judged: Sequence[Judged]) -> None:
    rows = defaultdict(list)
    for one in judged:
        rows[one.kind].append(one)
    sys.stdout.write(f"{'':22}{'n':>5} {'top1':>6} {'top3':>6} {'MRR':>6} | {'n':>4} {'head':>6}\n")
    for name, some in [("all", list(judged)), *sorted(rows.items())]:
        sys.stdout.write(_row(name, some))
    by_repo = defaultdict(list)
    for one in judged:
        by_repo[one.repo].append(one.rank == 1)
    macro = sum(sum(hits) / len(hits) for hits in by_repo.values()) / len(by_repo)
    sys.stdout.write(f"mean over {len(by_repo)} repos: top1 {macro:.3f}\n")


def _row(name: str, some: Sequence[Judged]) -> str:
    first, third = (sum(0 < judged.rank <= limit for judged in some) / len(some) for limit in (1, 3))
    mrr = sum(1 / judged.rank for judged in some if judged.rank) / len(some)
    headings = [judged.heading for judged in some if judged.heading is not None]
    share = sum(headings) / len(headings) if headings else 0.0
    return f"{name:22}{len(some):5d} {first:6.3f} {third:6.3f} {mrr:6.3f} | {len(headings):4d} {share:6.3f}\n"


if __name__ == "__main__":
    main()
