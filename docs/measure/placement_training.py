"""Fit the weights of `memsuggest.suggestions.ranking.match` to real placements; say what each part of the sum is worth.

    python docs/measure/placement_training.py DATA_FOLDER

Conditional logit: of the places of a case, the author's is the likelier the higher its weighted evidence. Newton's
method with a penalty on large weights (of standardised evidence), in plain Python: it takes some minutes.
Prints the tables, ready to be copied, and the figures on folds of owners whose repos the fit has not seen: with all
parts, and without each of them. A part that helps no owner left out is taken out of the code.
"""

from __future__ import annotations

import math
import sys
from collections import Counter
from pathlib import Path

from placement_cases import Case, case_weights, plain_heading, read_cases

from memsuggest.suggestions.ranking.match import FILE_WEIGHTS, SECTION_WEIGHTS, Question

FOLDS = 5
STEPS = 7
PENALTIES = {"FILE_WEIGHTS": 10.0, "SECTION_WEIGHTS": 5.0}

Choice = tuple[list[list[float]], list[bool]]
"""The evidence for each place, and whether it is right."""


def main() -> None:
    """Read the cases, fit both tables, print them."""
    cases, of_files, of_sections = [], [], []
    for case in read_cases(Path(sys.argv[1])):
        question = Question(case.rule, case.target_index)
        cases.append(_without_files(case))
        of_files.append(_file_choice(case, question))
        of_sections.append(_section_choice(case, question))
    _report("FILE_WEIGHTS", list(FILE_WEIGHTS), cases, of_files)
    _report("SECTION_WEIGHTS", list(SECTION_WEIGHTS), cases, of_sections)


def _without_files(case: Case) -> Case:
    # The files of all cases together would take gigabytes.
    return Case(**{name: getattr(case, name) for name in Case.__slots__} | {"target_index": None})  # type: ignore[arg-type]


def _file_choice(case: Case, question: Question) -> Choice | None:
    columns = question.evidence()
    numbers = range(len(case.target_index.files))
    rows = [[columns[name].get(number, 0.0) for name in FILE_WEIGHTS] for number in numbers]
    right = [file.target.uri in case.accept for file in case.target_index.files]
    return (rows, right) if any(right) else None


def _section_choice(case: Case, question: Question) -> Choice | None:
    number = next((n for n, file in enumerate(case.target_index.files) if file.target.uri == case.path), None)
    if number is None or case.heading is None:
        return None
    rows = [[row[name] for name in SECTION_WEIGHTS] for row in question.section_evidence(number)]
    parts = [case.target_index.parts[part] for part in case.target_index.files[number].sections]
    right = [plain_heading(part.section.heading) == case.heading for part in parts]
    return (rows, right) if any(right) else None


def _report(name: str, evidence: list[str], cases: list[Case], choices: list[Choice | None]) -> None:
    kept = [(case, choice) for case, choice in zip(cases, choices, strict=True) if choice]
    known, data = [case for case, _ in kept], [choice for _, choice in kept]
    print(f"{name}: {len(data)} cases, first and among three, owners left out")
    print(f"    {'all parts':16} {_left_out(known, data, PENALTIES[name])}")
    for column, part in enumerate(evidence):
        less = [([row[:column] + row[column + 1 :] for row in rows], right) for rows, right in data]
        print(f"    {'without ' + part:28} {_left_out(known, less, PENALTIES[name])}", flush=True)
    for label, weight in zip(evidence, fit(data, case_weights(known), penalty=PENALTIES[name]), strict=True):
        print(f'    "{label}": {weight:.2f},')


def _left_out(known: list[Case], data: list[Choice], penalty: float) -> str:
    weights, ranks = case_weights(known), dict[int, int]()
    for fold in _folds(known):
        rest = [place for place in range(len(data)) if place not in fold]
        fitted = fit([data[place] for place in rest], [weights[place] for place in rest], penalty=penalty)
        ranks |= {place: _rank(data[place], fitted) for place in fold}
    first, third = (sum(rank < limit for rank in ranks.values()) / len(ranks) for limit in (1, 3))
    return f"{first:.3f} {third:.3f}"


def _folds(cases: list[Case]) -> list[set[int]]:
    """Share the owners out so that the folds have about as many cases each: repos of one owner are written alike."""
    folds: list[set[int]] = [set() for _ in range(FOLDS)]
    owners = Counter(map(_owner, cases))
    for owner, _ in sorted(owners.items(), key=lambda pair: (-pair[1], pair[0])):
        smallest = min(folds, key=len)
        smallest.update(place for place, case in enumerate(cases) if _owner(case) == owner)
    return [fold for fold in folds if fold]


def _owner(case: Case) -> str:
    return case.repo.partition("/")[0]


def _rank(choice: Choice, weights: list[float]) -> int:
    rows, right = choice
    totals = [sum(weight * value for weight, value in zip(weights, row, strict=True)) for row in rows]
    order = sorted(range(len(rows)), key=lambda place: (-totals[place], place))
    return next(rank for rank, place in enumerate(order) if right[place])


def fit(data: list[Choice], weights: list[float], *, penalty: float) -> list[float]:
    """Return the weight of each kind of evidence that makes the right places likeliest."""
    scales = _scales(data)
    scaled = [([[v / s for v, s in zip(row, scales, strict=True)] for row in rows], right) for rows, right in data]
    found = [0.0] * len(scales)
    for _ in range(STEPS):
        slope, bend = _derivatives(scaled, weights, found, penalty)
        step = solved(bend, slope)
        limit = max(1.0, max(map(abs, step)) / 2)
        found = [value - change / limit for value, change in zip(found, step, strict=True)]
    return [value / scale for value, scale in zip(found, scales, strict=True)]


def _scales(data: list[Choice]) -> list[float]:
    rows = [row for rows, _ in data for row in rows]
    means = [sum(column) / len(rows) for column in zip(*rows, strict=True)]
    squares = [
        sum((value - mean) ** 2 for value in column)
        for column, mean in zip(zip(*rows, strict=True), means, strict=True)
    ]
    return [math.sqrt(square / len(rows)) or 1.0 for square in squares]


def _derivatives(
    data: list[Choice], weights: list[float], found: list[float], penalty: float
) -> tuple[list[float], list[list[float]]]:
    size = len(found)
    slope = [penalty * value for value in found]
    bend = [[penalty if row == column else 0.0 for column in range(size)] for row in range(size)]
    for (rows, right), weight in zip(data, weights, strict=True):
        totals = [sum(map(float.__mul__, found, row)) for row in rows]
        best = max(totals)
        odds = [math.exp(total - best) for total in totals]
        whole, among = sum(odds), sum(one for one, is_right in zip(odds, right, strict=True) if is_right)
        mean = [0.0] * size
        for row, one, is_right in zip(rows, odds, right, strict=True):
            chance = one / whole
            pull = weight * (chance - (one / max(among, 1e-300) if is_right else 0.0))
            for a, value in enumerate(row):
                if value:
                    slope[a] += pull * value
                    mean[a] += chance * value
                    line, factor = bend[a], weight * chance * value
                    for b in range(a + 1):
                        line[b] += factor * row[b]
        for a, value in enumerate(mean):
            for b in range(a + 1):
                bend[a][b] -= weight * value * mean[b]
    for a in range(size):
        for b in range(a):
            bend[b][a] = bend[a][b]
    return slope, bend


def solved(matrix: list[list[float]], right: list[float]) -> list[float]:
    """Solve a system of linear equations (elimination with the largest pivot)."""
    rows = [[*line, value] for line, value in zip(matrix, right, strict=True)]
    size = len(rows)
    for column in range(size):
        pivot = max(range(column, size), key=lambda row: abs(rows[row][column]))
        rows[column], rows[pivot] = rows[pivot], rows[column]
        for row in range(column + 1, size):
            factor = rows[row][column] / rows[column][column]
            if factor:
                rows[row] = [a - factor * b for a, b in zip(rows[row], rows[column], strict=True)]
    found = [0.0] * size
    for row in reversed(range(size)):
        known = sum(rows[row][column] * found[column] for column in range(row + 1, size))
        found[row] = (rows[row][size] - known) / rows[row][row]
    return found


if __name__ == "__main__":
    main()
