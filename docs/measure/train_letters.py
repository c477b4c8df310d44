"""Learns how letters follow each other in words and names, and prints `memsuggest/core/redact/letters.txt`.

The text is the standard library of the Python that runs this (sources, comments, docstrings): words and identifiers of
every style, and of no secret. Run by hand:
`python docs/measure/train_letters.py > memsuggest/core/redact/letters.txt`.
"""

from __future__ import annotations

import math
import re
import string
import sys
import sysconfig
from collections import Counter
from pathlib import Path

NAME = re.compile(r"[A-Za-z][A-Za-z0-9]{2,}")
EDGE = "^"
DIGIT = "0"
SYMBOLS = string.ascii_lowercase + DIGIT + EDGE
SCALE = 10  # a table's entry is tenths of a nat, as one printable character from `!`


def pieces() -> Counter[str]:
    """Distinct names, each counted a little: keywords must not drown the rest."""
    root = Path(sysconfig.get_paths()["stdlib"])
    counts: Counter[str] = Counter()
    for path in sorted(root.rglob("*.py")):
        if not {"site-packages", "test", "tests", "encodings", "lib2to3"} & set(path.parts):
            counts.update(NAME.findall(path.read_text(encoding="utf-8", errors="replace")))
    return counts


def learn(counts: Counter[str]) -> tuple[dict[tuple[str, str], float], dict[str, float]]:
    """Count what follows what, and how often the case changes."""
    follows: Counter[tuple[str, str]] = Counter()
    cases: Counter[str] = Counter()
    for name, count in counts.items():
        weight = 1 + math.log(count)
        previous, was = EDGE, ""
        for char in name:
            symbol = DIGIT if char.isdigit() else char.lower()
            follows[previous, symbol] += weight
            if char.isalpha() and was.isalpha():
                cases[("u" if was.isupper() else "l") + ("u" if char.isupper() else "l")] += weight
            previous, was = symbol, char
        follows[previous, EDGE] += weight
    return follows, cases


def main() -> None:
    """Print the module."""
    follows, cases = learn(pieces())
    rows = []
    for first in SYMBOLS:
        total = sum(follows[first, second] for second in SYMBOLS) + 0.5 * len(SYMBOLS)
        costs = [-math.log((follows[first, second] + 0.5) / total) for second in SYMBOLS]
        rows.append("".join(chr(ord("!") + min(93, round(cost * SCALE))) for cost in costs))
    lower, upper = cases["ll"] + cases["lu"], cases["ul"] + cases["uu"]
    changes = {pair: -math.log(cases[pair] / (lower if pair[0] == "l" else upper)) for pair in ("ll", "lu", "ul", "uu")}
    sys.stdout.write("".join(f"{row}\n" for row in rows))  # `letters.txt`: rows and columns in the order of SYMBOLS
    sys.stderr.write("CASES = {" + ", ".join(f'"{pair}": {cost:.2f}' for pair, cost in changes.items()) + "}\n")


if __name__ == "__main__":
    main()
