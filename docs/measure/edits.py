"""Make very many edits of real customization files, and check that each does what it says and nothing else.

    python docs/measure/edits.py DATA_FOLDER [--rules NUMBER] [--forced NUMBER] [--show FILE] [--only TEXT]

Every rule of `edit_rules.txt` (or the first so many), and the rule of the commit itself, is suggested in every
workspace (the last commit of each repo); besides, each file gets some rules put into it whatever is about them, under
one of its headings. `--show` writes the edits as diffs, to be read.
"""

from __future__ import annotations

import argparse
import json
import lzma
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))

from edit_kit import Files, Judge, OwnRule, fact_of, read_rules

from memsuggest.core.model import Edit, MemoryFact, MemorySuggestion, Target, TargetType
from memsuggest.customizations.diff import unified
from memsuggest.customizations.discovery import target_from
from memsuggest.customizations.kinds import place_of
from memsuggest.suggestions.hook_wishes import wish_of
from memsuggest.suggestions.placement.content_safety import why_forbidden
from memsuggest.suggestions.ranking.workspace_index import AlreadySaid
from memsuggest.suggestions.suggest import replan, suggest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

RULES = Path(__file__).with_name("edit_rules.txt")


@dataclass(frozen=True, slots=True)
class Case:
    """A commit that put a rule into a file, and the files before it."""

    id: str
    repo: str
    fact: MemoryFact
    files: Files


def read_cases(folder: Path) -> Iterator[Case]:
    """Yield the cases of a folder (`cases.jsonl`, `trees.jsonl.xz`)."""
    rows = {row["id"]: row for row in map(json.loads, (folder / "cases.jsonl").open(encoding="utf-8"))}
    with lzma.open(folder / "trees.jsonl.xz", "rt", encoding="utf-8") as trees:
        for tree in map(json.loads, trees):
            row = rows[tree["case_id"]]
            targets = [target_from(uri, text) for uri, text in sorted(tree["files"].items()) if place_of(uri)]
            fact = fact_of(row["text"], paths=tuple(row["changed_files"]))
            yield Case(row["id"], row["repo"], fact, Files(tuple(targets), tuple(tree["paths"])))


@dataclass(slots=True, kw_only=True)
class Run:
    """What was done so far."""

    judge: Judge
    show: TextIO | None
    outcomes: Counter[str] = field(default_factory=Counter)
    broken: Counter[str] = field(default_factory=Counter)

    def natural(self, where: str, fact: MemoryFact, files: Files) -> None:
        """Suggest a fact among all files."""
        made = suggest(fact, files.workspace_index())
        self.outcomes[f"suggest: {_outcome(made)}"] += 1
        if isinstance(made, MemorySuggestion):
            self.check(where, made, files)
        elif self.show:
            self.show.write(f"=== {where}: {fact.content}\n--- {made}\n\n")

    def forced(self, where: str, fact: MemoryFact, target: Target, files: Files, turn: int) -> None:
        """Put a fact into a file, under one of its headings."""
        if target.type is TargetType.HOOK or why_forbidden(fact.content) or wish_of(fact):
            return
        headings = [section.heading for section in target.sections]
        plan = MemorySuggestion(
            id="x",
            fact=fact,
            target_type=target.type,
            target_uri=target.uri,
            suggested_merge_content="",
            heading=headings[turn % len(headings)] if headings else None,
            edit=Edit(path=target.uri, before=target.text, after=None),
        )
        made = replan(plan, target)
        self.outcomes[f"forced: {_outcome(made)}"] += 1
        if made is not None:
            self.check(where, made, files)

    def check(self, where: str, made: MemorySuggestion, files: Files) -> None:
        """Check one edit."""
        found = self.judge.violations(made, files)
        for what in found:
            self.broken[what.split(":")[0]] += 1
            sys.stdout.write(
                f"BROKEN {where} {made.edit.path} [{made.heading}]: {what}\n    {made.fact.content[:150]}\n"
            )
        if self.show:
            about = f"heading {made.heading!r}, why {made.why}\n--- replaces {made.replaces!r}\n"
            self.show.write(f"=== {where}: {made.fact.content}\n--- {about}{unified(made.edit)}\n")


def _outcome(made: object) -> str:
    if isinstance(made, MemorySuggestion):
        return "replaced" if made.replaces else str(made.target_type)
    return "said" if isinstance(made, AlreadySaid) else type(made).__name__


def main() -> None:
    """Make the edits, print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rules", type=int, default=1000, help="rules of ours per workspace")
    parser.add_argument("--forced", type=int, default=3, help="rules put into each file")
    parser.add_argument("--show", type=Path)
    parser.add_argument("--only", default="", help="only workspaces whose name holds this")
    wanted = parser.parse_args()
    rules = read_rules(RULES)
    started = time.perf_counter()
    with (
        tempfile.TemporaryDirectory() as folder,
        (wanted.show or Path("/dev/null")).open("w", encoding="utf-8") as show,
    ):
        run = Run(judge=Judge(Path(folder)), show=show if wanted.show else None)
        for case, is_last in _with_last(case for case in read_cases(wanted.folder) if wanted.only in case.repo):
            _try(run, case, rules if is_last else [], wanted)
    for name, count in sorted(run.outcomes.items()):
        sys.stdout.write(f"{count:7} {name}\n")
    sys.stdout.write(f"{run.judge.asked} edits checked in {time.perf_counter() - started:.0f} s\n")
    for name, count in run.broken.most_common():
        sys.stdout.write(f"{count:7} BROKEN: {name}\n")


def _with_last(cases: Iterable[Case]) -> Iterator[tuple[Case, bool]]:
    """Say of each case whether it is its repo's last one."""
    before: Case | None = None
    for case in cases:
        if before is not None:
            yield before, before.repo != case.repo
        before = case
    if before is not None:
        yield before, True


def _try(run: Run, case: Case, rules: list[OwnRule], wanted: argparse.Namespace) -> None:
    run.natural(f"{case.repo} {case.id}", case.fact, case.files)
    facts = [fact_of(rule.content, kind=rule.kind, paths=rule.paths) for rule in rules]
    for fact in facts[: wanted.rules]:
        run.natural(case.repo, fact, case.files)
    for place, target in enumerate(case.files.targets if facts else ()):
        for turn in range(wanted.forced):
            fact = facts[(place * wanted.forced + turn) % len(facts)]
            run.forced(f"{case.repo} forced", fact, target, Files((target,)), place + 7 * turn)


if __name__ == "__main__":
    main()
