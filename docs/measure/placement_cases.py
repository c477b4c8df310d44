"""Commits in which somebody put a rule into one of many customization files, read from a folder given by hand.

`cases.jsonl`: `{id, repo, kind, text, changed_files, accept, path, heading_path, new_headings, links}` a line;
`trees.jsonl.xz`: `{case_id, files, links, paths}` a line, the customization files and all paths before the commit.
"""

from __future__ import annotations

import json
import lzma
import re
import subprocess
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memsuggest.core.model import Scope
from memsuggest.customizations.discovery import FileSearch
from memsuggest.suggestions.ranking.match import Rule, TargetIndex

if TYPE_CHECKING:
    from collections.abc import Iterator

_EMPTY_BLOB = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One commit: the rule, the files there were, and where it went."""

    id: str
    repo: str
    kind: str
    subject: str
    rule: Rule
    target_index: TargetIndex
    accept: frozenset[str]
    path: str
    heading: str | None
    """The innermost heading it went under, plain; empty before the first, None for one that was new."""


def read_cases(folder: Path) -> Iterator[Case]:
    """Yield the cases of a folder, each with its files found as in a real repo."""
    rows = {row["id"]: row for row in map(json.loads, (folder / "cases.jsonl").open(encoding="utf-8"))}
    with lzma.open(folder / "trees.jsonl.xz", "rt", encoding="utf-8") as trees:
        for line in trees:
            tree = json.loads(line)
            with tempfile.TemporaryDirectory() as place:
                yield _case(rows[tree["case_id"]], tree, Path(place))


def _case(row: dict[str, Any], tree: dict[str, Any], place: Path) -> Case:
    root, home = place / "repo", place / "home"
    home.mkdir()
    lay_out(tree, root)
    found = FileSearch(root, home=home, environ={}, platform="linux").targets()
    targets = [target for target in found.targets if target.scope is Scope.WORKSPACE]
    accept = {found.links.get(path, path) for path in row["accept"]}
    headings = row["heading_path"]
    return Case(
        id=row["id"],
        repo=row["repo"],
        kind=row["kind"],
        subject=row["subject"],
        rule=Rule(content=row["text"], paths=tuple(row["changed_files"])),
        target_index=TargetIndex(targets, tracked_paths=found.tracked_paths, root=str(root)),
        accept=frozenset(accept),
        path=found.links.get(row["path"], row["path"]),
        heading=None if row["new_headings"] else plain_heading(headings[-1] if headings else ""),
    )


def lay_out(tree: dict[str, Any], root: Path) -> None:
    for path, text in tree["files"].items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text.encode())
    subprocess.run(["git", "init", "-q", root], check=True)
    index = "".join(f"100644 {_EMPTY_BLOB}\t{path}\0" for path in tree["paths"]).encode()
    subprocess.run(["git", "-C", root, "update-index", "-z", "--index-info"], check=True, input=index)


def plain_heading(heading: str) -> str:
    """Return a heading's words without marks and case, for comparing."""
    return " ".join(re.findall(r"[A-Za-z0-9]+", heading.replace("`", "").lower()))


def case_weights(cases: list[Case]) -> list[float]:
    """Weigh cases so that a repo with many does not decide alone: by one over the root of their number."""
    counts = Counter(case.repo for case in cases)
    weights = [counts[case.repo] ** -0.5 for case in cases]
    mean = sum(weights) / len(weights)
    return [weight / mean for weight in weights]
