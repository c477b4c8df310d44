"""Scores rules taken from notes against labels: `python docs/measure/notes.py FOLDER [half]`.

FOLDER holds `labels.jsonl` (`file`, `holds`, `rule`, `more`, `private`) and the notes that it names. The notes are
split by the owner of their repository into the halves `tune` and `rest`: one is read while working, the other scored.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from collections import Counter
from pathlib import Path

from memsuggest.core.model import Scope
from memsuggest.core.redact import clean, redact
from memsuggest.core.text.german import is_german
from memsuggest.core.text.stems import stem
from memsuggest.core.text.words import content_words, plain
from memsuggest.notes.rules_in_note import header_of, note_text, people_in, rules_of

ALIKE = 0.4
"""Share of the words of a label, or of a rule, that the other has, from which they are about the same."""


def words(text: str) -> frozenset[str]:
    """The stems of what a text is about, names in code taken apart."""
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])|[`_/.@<>()-]", " ", text)
    return frozenset(stem(word) for word in content_words(plain(spaced)))


def is_about(label: str, rule: str) -> bool:
    """Tell whether a rule says what a label says, by their words."""
    wanted, said = words(label), words(rule)
    shared = len(wanted & said)
    return shared >= 2 and shared / max(1, min(len(wanted), len(said))) >= ALIKE


def is_foreign(text: str) -> bool:
    """Tell whether a note is in another language than its label: only where it stands can be compared."""
    letters = [char for char in text if char.isalpha()]
    strange = sum(not char.isascii() for char in letters)
    return strange > 0.03 * max(1, len(letters)) or is_german(text)


def half_of(file: str) -> str:
    """The half that a note belongs to, by the owner of its repository."""
    owner = Path(file).name.split("+")[0]
    return ("tune", "rest")[hashlib.sha256(owner.encode()).digest()[0] % 2]


def main() -> None:
    """Print what was found, what was suggested wrongly, and the figures."""
    folder, wanted = Path(sys.argv[1]), sys.argv[2:3]
    counts: Counter[str] = Counter()
    for line in (folder / "labels.jsonl").read_text(encoding="utf-8").splitlines():
        label = json.loads(line)
        if wanted and half_of(label["file"]) != wanted[0]:
            continue
        path = folder / label["file"]
        text = redact(clean(path.read_text(encoding="utf-8"))).text
        rules, private = rules_of(note_text(header_of(text)), names=people_in(text))
        score(label, text, rules, private, counts)
    found, labelled = counts["team files found"], counts["team files"]
    print(f"\n{dict(counts)}")
    print(f"team notes whose rule was found: {found} of {labelled} = {found / max(1, labelled):.2f}")
    right, wrong = counts["right"], counts["wrong"]
    print(f"precision of what goes to the repo: {right} of {right + wrong} = {right / max(1, right + wrong):.2f}")
    print(f"personal notes with a rule for the repo: {counts['personal leak']} of {counts['personal files']}")


def score(label: dict, text: str, rules: tuple, private: tuple, counts: Counter[str]) -> None:
    """Count one note, and print it."""
    labelled = [one for one in (label["rule"], *label["more"]) if one]
    shared = [rule for rule in rules if rule.scope is Scope.WORKSPACE]
    is_team, is_personal = label["holds"] == "team-rule", label["holds"] in ("personal", "machine")
    foreign = is_foreign(text)
    print(f"\n{label['holds']:14} {label['file'].rpartition('/')[2][:80]}  private: {', '.join(private)}")
    for one in labelled:
        print(f"    label  {one}")
    hits = [is_right(rule.content, labelled) and not is_personal for rule in shared]
    if foreign and is_team:  # words of two languages cannot be compared: as many are right as were labelled
        hits = [hit or place < len(labelled) for place, hit in enumerate(hits)]
    for rule, hit in zip(shared, hits, strict=True):
        print(f"    {'right' if hit else 'WRONG'}  {rule.content}")
        counts["right" if hit else "wrong"] += 1
    for rule in rules:
        if rule.scope is Scope.USER:
            print(f"    own    {rule.content}  ({rule.why})")
    if is_team:
        counts["team files"] += 1
        counts["team files found"] += any(hits)
        counts["labelled rules of team notes"] += len(labelled)
        counts["of them found"] += (
            min(len(labelled), len(shared)) if foreign else sum(is_covered(one, shared) for one in labelled)
        )
        if not any(hits):
            print("    MISSED")
    if is_personal:
        counts["personal files"] += 1
        counts["personal leak"] += bool(shared)


def is_right(content: str, labelled: list[str]) -> bool:
    """Tell whether a rule is one that the reader named."""
    return any(is_about(one, content) for one in labelled)


def is_covered(label: str, rules: list) -> bool:
    """Tell whether a rule says what a label says."""
    return any(is_about(label, rule.content) for rule in rules)


if __name__ == "__main__":
    main()
