"""Prints how many dangerous rules are recognised, and how many harmless look-alikes are held back. Run by hand:

    python docs/measure/dangers.py [seen|unseen|all|fresh|third|…|eighteenth] [misses] [--lines FILE]

The sentences of `danger_sentences/` are invented. Patterns may be tuned on those that `is_unseen` does not set aside.
`fresh` to `eighteenth` are later files, each written after the one before it was mended. Only the first look at a set
is a figure for unseen text; those were, found and wrongly held back: unseen third 94.3 % and 2.0 %, fresh 73.5 % and
2.3 %, third 75.2 % and 1.1 %, fourth 90.6 % and 2.3 %, fifth (passive voice) 62.5 % and 0 %, sixth 84.4 % and 0 %,
seventh (half polite) 34.0 % and 2.0 %, eighth (terse, written with the seventh) 16.0 % and 0 %, 74.0 % and 0 % after
the seventh was mended, ninth (talkative, roundabout) 2.0 % and 0 %, tenth (short requests) 45.0 % and 2.5 %, eleventh
(by a fresh reader) 58.0 % and 4.0 %, twelfth (by the same, on other topics) 26.0 % and 4.0 % by the table alone, and
62.0 % and 8.0 % with the model that `train_dangers.py` learns, thirteenth (topics that no set had) 16.0 % and 0 %,
and 50.0 % and 6.0 % with it, fourteenth (thirty topics with look-alikes of the same topics, written to learn from)
35.6 % and 4.3 %. Of topics that are left out, no model finds more than 36 % at 4 % of look-alikes: not with four times
the weights, nor by the vectors of a sentence model (37 %). A model of words and letters alone finds 2 to 42 %.
Fifteenth (by another fresh reader) 80.0 % and 14.0 %, sixteenth to eighteenth (topics that no set
had) 54.0, 26.0 and 34.0 % and 0 %.

What is not plainly harmless is not applied in bulk. At the first look that was so of 96.0, 86.0, 84.0 and 88.0 % of the
dangerous ones of the fifteenth to eighteenth set; with the words and thresholds of now, and models that learned nothing
of a set, of 100, 96, 90 and 94 %. Of ordinary rules nothing was learned from (`ordinary_unseen`) it is 10 %.
`--lines` reads rules of real files, one a line, and prints which of them are held back.
"""

from __future__ import annotations

import sys
import zlib
from collections import Counter
from pathlib import Path
from timeit import timeit
from typing import NamedTuple

from memsuggest.judging.safety import plainly_harmless, refused, weakens_safety

FOLDER = Path(__file__).resolve().parent / "danger_sentences"
PARTS = (
    "seen",
    "unseen",
    "all",
    "fresh",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
)
HARMLESS = "Keep the handlers of the importer small, and let each of them say in one line what it was asked for."


class Sentence(NamedTuple):
    """One invented rule and the class it was written for."""

    group: str
    language: str
    text: str


def sentences(name: str, part: str = "all") -> list[Sentence]:
    """Read a file of sentences: all of them, those to tune on (`seen`) or those set aside (`unseen`)."""
    rows: list[Sentence] = []
    group = language = ""
    for line in (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("[") and line.endswith((" en]", " de]", " fr]", " es]")):
            group, language = line[1:-1].split()
        elif line and not line.startswith("#"):
            rows.append(Sentence(group, language, line))
    return [row for row in rows if part == "all" or is_unseen(row.text) == (part == "unseen")]


def is_unseen(text: str) -> bool:
    """Whether a sentence belongs to the third that no pattern is tuned on."""
    return zlib.crc32(text.encode()) % 3 == 0


def share(part: int, whole: int) -> str:
    """Write a share with its counts."""
    return f"{part}/{whole} = {part / whole:.1%}" if whole else "none"


def report(part: str, *, with_misses: bool) -> None:
    """Print the two shares, by class and by language."""
    suffix, wanted = (f"_{part}", "all") if part in PARTS[3:] else ("", part)
    dangerous, harmless = sentences("dangerous" + suffix, wanted), sentences("harmless" + suffix, wanted)
    missed = [row for row in dangerous if not weakens_safety(row.text)]
    flagged = [row for row in harmless if weakens_safety(row.text)]
    print(f"{part}: dangerous found {share(len(dangerous) - len(missed), len(dangerous))}, ", end="")
    print(f"harmless held back {share(len(flagged), len(harmless))}")
    print(f"  not plain: dangerous {_not_plain(dangerous)}, harmless {_not_plain(harmless)}")
    for name in ("language", "group"):
        whole = Counter(getattr(row, name) for row in dangerous)
        lost = Counter(getattr(row, name) for row in missed)
        print("  " + ", ".join(f"{one} {whole[one] - lost[one]}/{whole[one]}" for one in whole))
    for row in (*missed, *flagged) if with_misses else ():
        said = weakens_safety(row.text)
        print(f"  {'held back: ' + said if said else 'missed'} | {row.group} {row.language} | {row.text}")


def _not_plain(rows: list[Sentence]) -> str:
    return share(sum(not plainly_harmless(row.text) for row in rows), len(rows))


def report_lines(path: Path) -> None:
    """Print which rules of real files are held back or refused."""
    lines = path.read_text(encoding="utf-8").splitlines()
    held = [(why, line) for line in lines if (why := refused(line) or weakens_safety(line))]
    print(f"{path.name}: {share(len(held), len(lines))}")
    for why, line in held:
        print(f"  {why} | {line}")


def main(arguments: list[str]) -> None:
    """Print what is asked for, and the time that a harmless sentence takes."""
    if "--lines" in arguments:
        report_lines(Path(arguments[arguments.index("--lines") + 1]))
        return
    for part in PARTS:
        if part in arguments or not set(PARTS) & set(arguments):
            report(part, with_misses="misses" in arguments)
    print(f"ordinary rules not plain: {_not_plain(sentences('ordinary_unseen'))}")
    weakens_safety(HARMLESS)
    print(f"{timeit(lambda: weakens_safety(HARMLESS), number=2000) / 2000 * 1e6:.0f} µs for a harmless sentence")


if __name__ == "__main__":
    main(sys.argv[1:])
