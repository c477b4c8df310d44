"""Fits what tells whether an entry helps (`recall/relevance.py`). Run: `python tests/evaluation/recall_training.py`.

On the questions and prompts of `recall_sets/dev_*`: of the entries found for each, the one that answers it against all
others. Prints the weights, and what they let through on `held_*`. Needs numpy.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import numpy as np
from recall import NOW, filled, rows

from memsuggest.recall import entry_search, relevance

SETS = Path(__file__).with_name("recall_sets")
TOP = 8
"""Entries of each question that are looked at."""


def measured(name: str) -> tuple[np.ndarray, np.ndarray, list[tuple[int, bool]]]:
    """Features of what was found, whether it was right, and for which question (and whether that has an answer)."""
    seen: list[tuple[float, ...]] = []
    features = relevance.features

    def noted(*given: object) -> tuple[float, ...]:
        seen.append(features(*given))  # type: ignore[arg-type]
        return seen[-1]

    relevance.features = noted  # type: ignore[assignment]
    connection = filled(SETS, name, Path(tempfile.mkdtemp())).entries.connection
    values, right, asked = [], [], []
    questions = [*rows(SETS / f"{name}_pairs.jsonl"), *rows(SETS / f"{name}_zh_fr.jsonl")]
    for at, row in enumerate([*questions, *rows(SETS / f"{name}_unrelated.jsonl")]):
        seen.clear()
        query = row.get("question") or row["prompt"]
        hits = entry_search.search(connection, query, entry_search.Filters(project="w"), now=NOW)[:TOP]
        values += seen[: len(hits)]
        right += [hit.entry.content == row.get("entry") for hit in hits]
        asked += [(at, "entry" in row)] * len(hits)
    relevance.features = features
    return np.array(values), np.array(right, dtype=float), asked


def fitted(values: np.ndarray, right: np.ndarray) -> np.ndarray:
    """The weights of a logistic regression, the base first (Newton's method, a little ridge)."""
    matrix = np.c_[np.ones(len(values)), values]
    ridge = 1.0 * np.diag([0.0] + [1.0] * values.shape[1])
    weights = np.zeros(matrix.shape[1])
    for _ in range(100):
        chance = 1 / (1 + np.exp(-matrix @ weights))
        slope = matrix.T @ (chance - right) + ridge @ weights
        weights -= np.linalg.solve((matrix * (chance * (1 - chance))[:, None]).T @ matrix + ridge, slope)
    return weights


def show(name: str, weights: np.ndarray) -> None:
    """Print what each threshold lets through."""
    values, right, asked = measured(name)
    chances = 1 / (1 + np.exp(-(np.c_[np.ones(len(values)), values] @ weights)))
    questions = len(rows(SETS / f"{name}_pairs.jsonl")) + len(rows(SETS / f"{name}_zh_fr.jsonl"))
    prompts = len(rows(SETS / f"{name}_unrelated.jsonl"))
    for least in (0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5):
        shown = {place for place, chance in zip(asked, chances, strict=True) if chance >= least}
        good = sum(1 for chance, is_right in zip(chances, right, strict=True) if is_right and chance >= least)
        quiet = sum(1 for _, has_answer in shown if not has_answer)
        print(f"{name} fit >= {least:.2f}  right shown {good / questions:.2f}  unrelated {quiet / prompts:.2f}")


def main() -> None:
    """Fit and print."""
    values, right, _ = measured("dev")
    weights = fitted(values, right)
    print("base", round(weights[0], 2), "weights", [round(one, 2) for one in weights[1:]])
    for name in ("dev", "held"):
        show(name, weights)


if __name__ == "__main__":
    sys.exit(main())
