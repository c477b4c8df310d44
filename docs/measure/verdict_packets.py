"""Question two as files: rules of placement cases, or planted ones, as an engine would be asked about them.

`ID.txt` holds all that is sent; `index.json` says which cases each is about, and what is right, for the scorer alone.
"""

from __future__ import annotations

import json
import lzma
import pickle
import random
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from packets import INDEX, text_of
from placement_cases import lay_out, plain_heading

from memsuggest.core.model import Citation, Kind, MemoryFact, Scope, fact_id
from memsuggest.customizations.discovery import FileSearch
from memsuggest.judging.asking.question import as_sent
from memsuggest.judging.verdicts.cases import KnownFact, RuleCase, portions, question_about
from memsuggest.suggestions.judge_rules import RuleCases
from memsuggest.suggestions.ranking.workspace_index import WorkspaceIndex

TOGETHER = 4
"""Rules of one repository that are asked about at once, at most."""


@dataclass(frozen=True, kw_only=True)
class Asked:
    """Rules that are asked about at once."""

    cases: Sequence[RuleCase]
    labels: dict[str, Any]
    """What is right of each, by the id of its fact."""
    about: str


@dataclass(frozen=True, kw_only=True)
class Repo:
    """The files of a repository at one commit, ready for rules."""

    index: WorkspaceIndex
    links: dict[str, str]

    def case(self, rule: MemoryFact, known: Sequence[MemoryFact] = ()) -> RuleCase:
        """Return what is shown of a rule."""
        pending = [KnownFact(fact=fact, state="pending") for fact in known if fact.id != rule.id]
        return RuleCases(self.index, pending).of(rule)


def rule_of(text: str, paths: Sequence[str] = ()) -> MemoryFact:
    """Return a rule as if it had been typed in a chat."""
    citation = Citation(session_id="chat", turn=1, quote=text[:300], paths=tuple(paths))
    return MemoryFact(
        id=fact_id(Scope.WORKSPACE, text),
        content=text,
        kind=Kind.CONVENTION,
        confidence=0.9,
        citations=(citation,),
        timestamp=1,
    )


def repo_of(tree: dict[str, Any], place: Path) -> Repo:
    """Return a repository as it is found on the disk, and forget the disk."""
    root, home = place / "repo", place / "home"
    home.mkdir()
    lay_out(tree, root)
    found = FileSearch(root, home=home, environ={}, platform="linux").targets()
    return Repo(
        index=WorkspaceIndex(found.targets, tracked_paths=found.tracked_paths, root=str(root)), links=dict(found.links)
    )


def read_rows(folder: Path) -> dict[str, dict[str, Any]]:
    """Read the placement cases of a folder, by their ids."""
    return {row["id"]: row for row in map(json.loads, (folder / "cases.jsonl").open(encoding="utf-8"))}


def read_trees(folder: Path) -> Iterator[dict[str, Any]]:
    """Yield the files before each case's commit."""
    with lzma.open(folder / "trees.jsonl.xz", "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def groups(folder: Path, *, number: int, seed: int) -> list[list[str]]:
    """Choose cases at random over the repositories, some of each that can be asked on the tree of the oldest.

    A later rule can when its file and its heading are there by then, so that no tree holds what is asked about.
    """
    rows, chance = read_rows(folder), random.Random(seed)
    trees = {tree["case_id"]: tree["files"] for tree in read_trees(folder)}
    by_repo: dict[str, list[str]] = defaultdict(list)
    for name in sorted(rows, key=lambda name: (rows[name]["date"], name)):
        by_repo[rows[name]["repo"]].append(name)
    found: list[list[str]] = []
    left = number
    for repo in chance.sample(sorted(by_repo), len(by_repo)):
        names = by_repo[repo]
        base = chance.randrange(max(1, len(names) - TOGETHER))
        fit = [name for name in names[base:] if _stands(rows[name], trees[names[base]])][: min(TOGETHER, left)]
        if fit:
            found.append([names[base], *(name for name in fit if name != names[base])])
            left -= len(found[-1])
        if left <= 0:
            break
    return found


def _stands(row: dict[str, Any], files: dict[str, str]) -> bool:
    """Tell whether a tree has the file and heading of a case, and not yet its rule."""
    text = files.get(row["path"], "")
    plain = " ".join(text.split())
    headings = {plain_heading(line.lstrip("# ")) for line in text.splitlines() if line.startswith("#")}
    wanted = [] if row["new_headings"] else row["heading_path"]
    is_there = all(plain_heading(one) in headings for one in wanted[-1:])
    return bool(text) and is_there and " ".join(row["raw"].split()) not in plain


def write_places(folder: Path, out: Path, *, number: int, seed: int) -> int:
    """Write questions about placement cases; return their number."""
    rows = read_rows(folder)
    chosen = {group[0]: group for group in groups(folder, number=number, seed=seed)}
    found: list[Asked] = []
    for tree in read_trees(folder):
        if tree["case_id"] not in chosen:
            continue
        with tempfile.TemporaryDirectory() as place:
            repo = repo_of(tree, Path(place))
        names = chosen[tree["case_id"]]
        rules = [rule_of(rows[name]["text"], rows[name]["changed_files"]) for name in names]
        cases = [repo.case(rule, rules) for rule in rules]
        labels = {rule.id: _label(rows[name], repo) for rule, name in zip(rules, names, strict=True)}
        found.append(Asked(cases=cases, labels=labels, about=rows[names[0]]["repo"]))
    random.Random(seed).shuffle(found)
    return write_questions(found, out, start="p")


def _label(row: dict[str, Any], repo: Repo) -> dict[str, Any]:
    heading = row["heading_path"][-1] if row["heading_path"] else ""
    return {
        "case": row["id"],
        "accept": sorted({repo.links.get(path, path) for path in row["accept"]}),
        "heading": None if row["new_headings"] else plain_heading(heading),
    }


def write_questions(asked: Sequence[Asked], out: Path, *, start: str) -> int:
    """Write some questions, their index for people, and what the scorer needs; return how many."""
    out.mkdir(parents=True, exist_ok=True)
    index, kept = [], []
    for one in asked:
        for portion in portions(one.cases):
            question = as_sent(question_about(portion, about=one.about))
            name = f"{start}{len(index) + 1:02d}-{question.key[:6]}"
            (out / f"{name}.txt").write_text(text_of(question), encoding="utf-8")
            index.append({"id": name, "about": one.about, "tokens": question.tokens, "rules": len(portion)})
            labels = {case.fact.id: one.labels[case.fact.id] for case in portion}
            kept.append((name, portion, labels))
    (out / INDEX).write_text(json.dumps({"version": 1, "questions": index}, indent=1) + "\n", encoding="utf-8")
    _labels_of(out).write_bytes(pickle.dumps(kept))
    return len(index)


def read_questions(folder: Path) -> list[tuple[str, list[RuleCase], dict[str, Any]]]:
    """Return the questions of a folder that was written here: name, rules, and what is right of each."""
    found: list[tuple[str, list[RuleCase], dict[str, Any]]] = pickle.loads(_labels_of(folder).read_bytes())
    return found


def _labels_of(folder: Path) -> Path:
    """Return the file beside a folder of questions that has what was shown and what is right, for the scorer alone."""
    return folder.with_name(f"{folder.name}.labels")
