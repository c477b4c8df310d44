"""Fits what tells whether an entry helps (`recall/relevance.py`). Run: `python tests/evaluation/recall_training.py`.

On the questions and prompts of `recall_sets/dev_*`: of the entries found for each, the one that answers it against all
others. Prints the weights, and what they let through on `held_*`. Needs numpy.
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from recall_quality import NOW, entry, rows

from memsuggest.memory.profile import open_profile
from memsuggest.recall import entry_search, relevance

SETS = Path(__file__).with_name("recall_sets")
NOISES = (0, 200, 100_000)
TOP = 8
"""Entries of each question that are looked at."""
Measured: TypeAlias = tuple[np.ndarray, np.ndarray, list[tuple[int, bool]]]


def measured(name: str, noises: Sequence[int] = NOISES) -> Measured:
    """Features of what was found, whether it was right, and for which question (and whether that has an answer).

    In memories of several sizes: with all questions' entries among much noise, and with few among little.
    """
    values: list[tuple[float, ...]] = []
    right: list[bool] = []
    asked: list[tuple[int, bool]] = []
    pairs = [*rows(SETS / f"{name}_pairs.jsonl"), *rows(SETS / f"{name}_zh_fr.jsonl")]
    noise = [row["entry"] for row in rows(SETS / f"{name}_noise.jsonl")]
    prompts = rows(SETS / f"{name}_unrelated.jsonl")
    random.Random(1).shuffle(pairs)
    for size in noises:
        groups = [pairs] if size > 1_000 else [pairs[at : at + 20] for at in range(0, len(pairs), 20)]
        for group in groups:
            _measure(group, noise[:size], prompts, values, right, asked)
    return np.array(values), np.array(right, dtype=float), asked


def _measure(
    group: list[dict[str, Any]],
    noise: list[str],
    prompts: list[dict[str, Any]],
    values: list[tuple[float, ...]],
    right: list[bool],
    asked: list[tuple[int, bool]],
) -> None:
    profile = open_profile(Path(tempfile.mkdtemp()) / "profile.db", workspace="w")
    profile.entries.add(entry(text, at % 300) for at, text in enumerate([*noise, *(row["entry"] for row in group)]))
    seen: list[tuple[float, ...]] = []
    features = relevance.features

    def noted(*given: Any) -> tuple[float, ...]:
        seen.append(features(*given))
        return seen[-1]

    relevance.features = noted  # type: ignore[assignment]
    begun = asked[-1][0] + 1 if asked else 0
    for at, row in enumerate([*group, *prompts], begun):
        seen.clear()
        query = row.get("question") or row["prompt"]
        found = entry_search.search(profile.entries.connection, query, entry_search.Filters(project="w"), now=NOW)
        values += seen[:TOP]
        right += [hit.entry.content == row.get("entry") for hit in found[:TOP]]
        asked += [(at, "entry" in row)] * len(found[:TOP])
    relevance.features = features
    profile.close()


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


def show(name: str, weights: np.ndarray, size: int) -> None:
    """Print what each threshold lets through, in a memory with so much noise."""
    values, right, asked = measured(name, [size])
    chances = 1 / (1 + np.exp(-(np.c_[np.ones(len(values)), values] @ weights)))
    pairs = len(rows(SETS / f"{name}_pairs.jsonl")) + len(rows(SETS / f"{name}_zh_fr.jsonl"))
    prompts = len(rows(SETS / f"{name}_unrelated.jsonl")) * (1 if size > 1_000 else -(-pairs // 20))
    for least in (0.2, 0.25, 0.3, 0.4):
        shown = {place for place, chance in zip(asked, chances, strict=True) if chance >= least}
        good = sum(1 for chance, is_right in zip(chances, right, strict=True) if is_right and chance >= least)
        loud = sum(1 for _, has_answer in shown if not has_answer)
        print(f"{name} {size:>6} fit >= {least:.2f}  right shown {good / pairs:.2f}  unrelated {loud / prompts:.2f}")


def main() -> None:
    """Fit and print."""
    values, right, _ = measured("dev")
    weights = fitted(values, right)
    print("base", round(weights[0], 2), "weights", [round(one, 2) for one in weights[1:]])
    for name in ("dev", "held"):
        for size in NOISES:
            show(name, weights, size)


if __name__ == "__main__":
    sys.exit(main())
