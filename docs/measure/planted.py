"""Rewordings, contradictions and look-alikes of lines that stand in real rule files.

The lines are chosen here; the sentences are written by somebody into `form.json`, as people would type them in a chat,
without looking at how this program compares anything.
"""

from __future__ import annotations

import json
import random
import re
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from verdict_packets import Asked, read_rows, read_trees, repo_of, rule_of, write_questions

from memsuggest.core.model import TargetType
from memsuggest.suggestions.existing_rules import lines_of

KINDS = ("rewording", "contradiction", "lookalike")
FORM = "form.json"
_EACH = 3
"""Lines of one repository, at most."""
_SHORTEST, _LONGEST = 40, 170
_ORDER = re.compile(
    r"^\W*(?:use|prefer|avoid|keep|run|add|put|write|make|name|place|follow|include|ensure|return|document)\b"
    r"|\b(?:always|never|must|should|don't|do not)\b",
    re.IGNORECASE,
)
"""Most of what stands in such files explains; a rule orders something."""
_BROKEN = re.compile(r"[:?]$| {3}")
"""What announces something, asks, or is a row of a table."""
HOW = (
    "Fill in three sentences for each line, as a person would type them to a coding assistant, in lower case if you"
    " like. rewording: somebody who follows the line follows this too, in all its cases, and the other way round; few"
    " words of the line. contradiction: nobody can follow both. lookalike: close in words, but about another object,"
    " tool, number or condition, so that both can hold and neither says the other."
)


def choose(folder: Path, out: Path, *, number: int, seed: int) -> int:
    """Write a form with lines of real rule files, a few of each repository; return how many."""
    rows, chance = read_rows(folder), random.Random(seed)
    last = {rows[tree["case_id"]]["repo"]: tree["case_id"] for tree in read_trees(folder)}
    wanted = set(last.values())
    found: list[dict[str, Any]] = []
    for tree in read_trees(folder):
        if tree["case_id"] in wanted:
            found += _lines(tree, rows[tree["case_id"]]["repo"], chance)
    chance.shuffle(found)
    form = [one | dict.fromkeys(KINDS, "") for one in found[:number]]
    out.mkdir(parents=True, exist_ok=True)
    text = json.dumps({"how": HOW, "lines": form}, indent=1, ensure_ascii=False)
    (out / FORM).write_text(f"{text}\n", encoding="utf-8")
    return len(form)


def _lines(tree: dict[str, Any], repo: str, chance: random.Random) -> list[dict[str, Any]]:
    with tempfile.TemporaryDirectory() as place:
        targets = repo_of(tree, Path(place)).index.by_uri.values()
    lines = [
        line
        for target in targets
        if target.type is TargetType.INSTRUCTIONS
        for line in lines_of(target)
        if _SHORTEST <= len(line.words) <= _LONGEST and _ORDER.search(line.words) and not _BROKEN.search(line.words)
    ]
    chosen = chance.sample(lines, min(_EACH, len(lines)))
    return [
        {"case": tree["case_id"], "repo": repo, "file": one.uri, "under": one.under, "line": one.words}
        for one in chosen
    ]


def _turns(rows: Sequence[dict[str, Any]]) -> list[list[tuple[dict[str, Any], str]]]:
    """Say what is asked at once: of each line one sentence; of a line alone, its look-alike beside its rewording."""
    if len(rows) == 1:
        return [[(rows[0], "rewording"), (rows[0], "lookalike")], [(rows[0], "contradiction")]]
    return [[(row, KINDS[(turn + n) % len(KINDS)]) for n, row in enumerate(rows)] for turn in range(len(KINDS))]


def write_planted(folder: Path, form: Path, out: Path, *, seed: int) -> int:
    """Write the questions about the sentences of a form: of each line one sentence a question, of every kind some."""
    rows: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in json.loads((form / FORM).read_text(encoding="utf-8"))["lines"]:
        rows[row["case"]].append(row)
    asked: list[Asked] = []
    for tree in read_trees(folder):
        if tree["case_id"] not in rows:
            continue
        with tempfile.TemporaryDirectory() as place:
            repo = repo_of(tree, Path(place))
        for pairs in _turns(rows[tree["case_id"]]):
            rules = [(rule_of(row[kind]), row, kind) for row, kind in pairs if row[kind]]
            labels = {rule.id: {"kind": kind, "line": row["line"]} for rule, row, kind in rules}
            cases = [repo.case(rule) for rule, _, _ in rules]
            if cases:
                asked.append(Asked(cases=cases, labels=labels, about=rows[tree["case_id"]][0]["repo"]))
    random.Random(seed).shuffle(asked)
    return write_questions(asked, out, start="l")
