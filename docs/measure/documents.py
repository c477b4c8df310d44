"""Prints how well rules are found in documents that an assistant wrote. Run by hand:

    python docs/measure/documents.py [FILE]...

A file holds invented documents behind `== path` lines; a line that states a lasting rule begins with `+ `. `fresh` and
`others` were written when the rules stood, and read by them once before anything was changed: 13 of 16 were right then,
and of `others`, which tempts with rules about other things than the work, 9 of 16.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import NamedTuple

from memsuggest.core.model import Transcript
from memsuggest.judging.offline.documents import Written, rules_in

FOLDER = Path(__file__).resolve().parent
FILES = ("written_documents.txt", "written_documents_fresh.txt", "written_documents_others.txt")
SESSION = Transcript(session_id="s", format="claude-code", origin="s")


class Labelled(NamedTuple):
    """A document, and the lines of it that state a rule, from 1."""

    path: str
    text: str
    rules: frozenset[int]


class Outcome(NamedTuple):
    """What was found in documents."""

    right: int
    wrong: list[str]
    missed: list[str]


def read_documents(path: Path) -> list[Labelled]:
    """Return the documents of a file."""
    found = []
    for block in path.read_text(encoding="utf-8").removeprefix("== ").split("\n== "):
        name, _, body = block.partition("\n")
        lines = body.split("\n")
        rules = frozenset(number for number, line in enumerate(lines, 1) if line.startswith("+ "))
        found.append(Labelled(name, "\n".join(line.removeprefix("+ ") for line in lines), rules))
    return found


def outcome_of(document: Labelled) -> Outcome:
    """Hold what is found in a document against its labels; what is beyond the limit of one counts as missed."""
    rules = rules_in([Written(path=document.path, text=document.text, turn=2)], SESSION).rules
    found = {int(rule.citations[0].paths[0].rpartition("#L")[2]): rule.content for rule in rules}
    lines = document.text.split("\n")
    return Outcome(
        right=len(document.rules & found.keys()),
        wrong=[found[number] for number in found.keys() - document.rules],
        missed=[lines[number - 1] for number in document.rules - found.keys()],
    )


def main(paths: list[str]) -> None:
    """Print a row for each file, and what was wrong or missed in it."""
    for path in map(Path, paths) if paths else [FOLDER / name for name in FILES]:
        outcomes = [(document, outcome_of(document)) for document in read_documents(path)]
        right = sum(outcome.right for _, outcome in outcomes)
        wrong = [(one.path, text) for one, outcome in outcomes for text in outcome.wrong]
        missed = [(one.path, text) for one, outcome in outcomes for text in outcome.missed]
        print(f"{path.name}: {right} of {right + len(wrong)} right, {right} of {right + len(missed)} found")
        for word, rows in (("wrong ", wrong), ("missed", missed)):
            for name, text in rows:
                print(f"  {word} {name}: {text}")


if __name__ == "__main__":
    main(sys.argv[1:])
