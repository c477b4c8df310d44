"""Measure the ranker of maybes on repositories left out, beside a plain list of cues, and train it. Run by hand:

    python docs/measure/maybes.py FOLDER... [--write]

A folder holds labelled chats: `labels-*.jsonl` (a line a chat: `file`, `facts` with their `evidence`), `index.tsv`
(`file`, `repo`) and `transcripts/`. A sentence is right when its words overlap an evidence by at least 0.6 of the
shorter one. Each repository is judged by what was fitted to the others: the ranker with its threshold, and the list of
cues that was best there (chosen one after the other). The ranker stays in the program only as long as it wins by .05 of
F1. `--write` writes `memsuggest/judging/offline/weights.json`; a word gets a weight only where five repositories use
it.
Needs numpy (`pip install -e '.[dev]'`).
"""

from __future__ import annotations

import csv
import json
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import NamedTuple

import numpy as np

from memsuggest.core.text.words import word_list
from memsuggest.judging.offline import offline as ranker
from memsuggest.judging.offline.statements import statements_of
from memsuggest.transcripts.reading import read_transcript

TARGET = Path(ranker.__file__).with_name("weights.json")
OVERLAP = 0.6
FEWEST_REPOS = 5
PRIOR = 6.0  # strength of the belief that a weight is nought
SMALLEST = 0.02  # a smaller weight is left out


class Row(NamedTuple):
    """A sentence of a labelled chat."""

    repo: str
    features: frozenset[str]
    is_right: bool


class Figures(NamedTuple):
    """Hits, false alarms and misses."""

    hits: int
    false: int
    missed: int

    def __str__(self) -> str:
        """Return the rates."""
        precision = self.hits / max(1, self.hits + self.false)
        recall = self.hits / max(1, self.hits + self.missed)
        return f"precision {precision:.2f}, recall {recall:.2f}, F1 {self.f1:.3f}"

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        return 2 * self.hits / max(1, 2 * self.hits + self.false + self.missed)


def fits(one: str, other: str) -> bool:
    """Tell whether two texts share at least 0.6 of the shorter one's words, close together in the longer one."""
    short, long = sorted((_pieces(one), _pieces(other)), key=len)
    if len(short) < 4:  # so few words stand in any text
        found = any(long[at : at + len(short)] == short for at in range(len(long) - len(short) + 1))
        return bool(short) and found and 3 * len(short) >= len(long)
    wanted = Counter(short)
    width = 2 * len(short)
    starts = range(max(1, len(long) - width + 1))
    return any((wanted & Counter(long[at : at + width])).total() >= OVERLAP * len(short) for at in starts)


def _pieces(text: str) -> list[str]:
    """Return the words of a text, or its characters where words are not spaced."""
    words = word_list(text.lower())
    return [piece for word in words for piece in (word if any("\u3041" <= c <= "\u9fff" for c in word) else [word])]


def labelled(folder: Path) -> list[Row]:
    """Read the labelled chats of a folder."""
    with (folder / "index.tsv").open(encoding="utf-8") as index:
        repos = {row["file"]: row["repo"] for row in csv.DictReader(index, delimiter="\t")}
    found = []
    for path in sorted(folder.glob("labels-*.jsonl")):
        for chat in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
            facts = [fact["evidence"] for fact in chat["facts"]]
            for statement in statements_of(read_transcript(folder / "transcripts" / chat["file"])):
                is_right = any(fits(statement.text, fact) for fact in facts)
                found.append(Row(repos[chat["file"]], frozenset(ranker.features_of(statement)), is_right))
    return found


def trained(rows: list[Row]) -> tuple[float, dict[str, float]]:
    """Fit a logistic regression with a quadratic prior by Newton's method; return bias and weights."""
    repos: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        for name in row.features:
            repos[name].add(row.repo)
    names = sorted(name for name, used in repos.items() if not name.startswith("word:") or len(used) >= FEWEST_REPOS)
    place = {name: at for at, name in enumerate(names)}
    matrix = np.zeros((len(rows), len(names) + 1))
    matrix[:, -1] = 1  # the bias, which no prior holds back
    for at, row in enumerate(rows):
        matrix[at, [place[name] for name in row.features if name in place]] = 1
    labels = np.array([row.is_right for row in rows], dtype=float)
    prior = np.append(np.full(len(names), PRIOR), 1e-6)
    weights = np.zeros(len(names) + 1)
    for _ in range(8):
        chance = 1 / (1 + np.exp(-matrix @ weights))
        gradient = matrix.T @ (chance - labels) + prior * weights
        curvature = (matrix * (chance * (1 - chance))[:, None]).T @ matrix + np.diag(prior)
        step = np.linalg.solve(curvature, gradient)
        weights -= step
        if np.abs(step).max() < 1e-5:
            break
    return float(weights[-1]), dict(zip(names, weights[:-1].tolist(), strict=True))


def total(row: Row, bias: float, weights: dict[str, float]) -> float:
    """Return the sum of the weights of a sentence."""
    return bias + sum(weights.get(name, 0.0) for name in row.features)


def figures(rows: list[Row], chosen: list[bool]) -> Figures:
    """Count what was chosen rightly, wrongly, and what was not."""
    pairs = Counter(zip((row.is_right for row in rows), chosen, strict=True))
    return Figures(pairs[True, True], pairs[False, True], pairs[True, False])


def best_threshold(rows: list[Row], totals: list[float]) -> float:
    """Return the sum from which choosing gives the best F1."""
    steps = np.quantile(totals, np.linspace(0.5, 0.99, 50))
    return float(max(steps, key=lambda least: figures(rows, [one >= least for one in totals]).f1))


def best_cues(rows: list[Row]) -> set[str]:
    """Return the list of cues, of which any one is enough, that has the best F1; chosen one after the other."""
    left = {name for row in rows for name in row.features if name.startswith("cue:")}
    chosen: set[str] = set()
    best = 0.0
    while left:
        found = max(sorted(left), key=lambda name: _f1_of(rows, chosen | {name}))
        if _f1_of(rows, chosen | {found}) <= best:
            return chosen
        chosen.add(found)
        left.remove(found)
        best = _f1_of(rows, chosen)
    return chosen


def _f1_of(rows: list[Row], cues: set[str]) -> float:
    return figures(rows, [not row.features.isdisjoint(cues) for row in rows]).f1


def main() -> None:
    """Print what both reach on repositories left out, and write the weights if asked to."""
    rows = [row for name in sys.argv[1:] if not name.startswith("--") for row in labelled(Path(name))]
    rows.sort(key=lambda row: row.repo)
    repos = sorted({row.repo for row in rows})
    totals: list[float] = []
    by_cues: list[bool] = []
    for repo in repos:
        others = [row for row in rows if row.repo != repo]
        bias, weights = trained(others)
        cues = best_cues(others)
        own = [row for row in rows if row.repo == repo]
        totals += [total(row, bias, weights) for row in own]
        by_cues += [not row.features.isdisjoint(cues) for row in own]
    by_ranker: list[bool] = []
    for repo in repos:  # the threshold, too, is that of the others
        others = [(row, one) for row, one in zip(rows, totals, strict=True) if row.repo != repo]
        least = best_threshold([row for row, _ in others], [one for _, one in others])
        by_ranker += [one >= least for row, one in zip(rows, totals, strict=True) if row.repo == repo]
    right = sum(row.is_right for row in rows)
    ranked, listed = figures(rows, by_ranker), figures(rows, by_cues)
    print(f"{len(rows)} sentences of {len(repos)} repositories, {right} of them worth remembering")
    print(f"ranker:       {ranked}\nlist of cues: {listed}\nthe ranker wins by {ranked.f1 - listed.f1:+.3f}")
    if "--write" in sys.argv:
        bias, weights = trained(rows)
        kept = {name: round(weight, 2) for name, weight in sorted(weights.items()) if abs(weight) >= SMALLEST}
        table = {"bias": round(bias, 2), "least": round(best_threshold(rows, totals), 2), "weights": kept}
        TARGET.write_text(json.dumps(table, ensure_ascii=False, indent=0) + "\n", "utf-8")
        print(f"wrote {TARGET.name}: {len(kept)} weights")


if __name__ == "__main__":
    main()
