"""Scoring of what was found in sessions against labels: by the words that are cited, never by how a rule is worded.

A fact is found when its evidence and the quotes of a candidate share at least three in five of the words of the shorter
text, close together. Candidates and facts are paired one to one, the best fit first. A candidate that is left over is
`double` when it fits some fact, else `wrong`. A line labelled as no fact counts against the tool when a candidate fits
it better than any fact.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

SAME = 0.6
"""Share of the shorter text's words from which two texts are about the same."""
FEW = 4
"""Words below which a text has to stand in the other as it is, and make up a third of it."""
CLOSE = 2
"""Lengths of the shorter text within which its words have to stand in the longer one."""
_SPACELESS = "\u3005\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af"
_WORD = re.compile(rf"[{_SPACELESS}]+|[^\W{_SPACELESS}]+")
_EMPHASIS = re.compile(r"[`*]|~~|(?<!\w)_+|_+(?!\w)")


def words_of(text: str) -> list[str]:
    """Cut a text into words; of scripts without spaces, into pairs of letters."""
    folded = _EMPHASIS.sub("", unicodedata.normalize("NFKC", text).casefold())
    found: list[str] = []
    for run in _WORD.findall(folded):
        is_spaceless = re.match(f"[{_SPACELESS}]", run) and len(run) > 1
        found += (run[at : at + 2] for at in range(len(run) - 1)) if is_spaceless else (run,)
    return found


def shared(one: Sequence[str], other: Sequence[str]) -> float:
    """Return which share of the shorter text stands close together in the longer one."""
    short, long = sorted((one, other), key=len)
    if not short:
        return 0.0
    if len(short) < FEW:
        stands = any(list(long[at : at + len(short)]) == list(short) for at in range(len(long) - len(short) + 1))
        return float(stands and 3 * len(short) >= len(long))
    wanted = Counter(short)
    if (wanted & Counter(long)).total() < SAME * len(short):
        return 0.0
    width = CLOSE * len(short)
    starts = range(max(1, len(long) - width + 1))
    return max((wanted & Counter(long[at : at + width])).total() for at in starts) / len(short)


def likeness(one: Sequence[str], other: Sequence[str]) -> float:
    return min(len(one), len(other)) / max(len(one), len(other), 1)


@dataclass(frozen=True, kw_only=True)
class Label:
    """A fact that careful readers found."""

    content: str
    evidence: str
    scope: str
    explicit: bool

    @cached_property
    def words(self) -> list[str]:
        return words_of(self.evidence)


@dataclass(frozen=True, kw_only=True)
class Found:
    """A candidate, as far as it is scored."""

    content: str
    scope: str
    confidence: float
    quotes: tuple[str, ...]

    @cached_property
    def texts(self) -> list[list[str]]:
        whole = words_of("\n".join(self.quotes))
        single = [words for quote in self.quotes if len(words := words_of(quote)) >= FEW]
        return [whole, *single] if len(self.quotes) > 1 else [whole]

    def fit(self, words: Sequence[str]) -> float:
        return max(shared(text, words) for text in self.texts)

    def likeness(self, words: Sequence[str]) -> float:
        return max(likeness(text, words) for text in self.texts)


@dataclass(frozen=True, kw_only=True)
class Labelled:
    """The labels of a session."""

    file: str
    facts: tuple[Label, ...]
    others: tuple[str, ...]
    """Lines that are no facts."""


def read_labels(path: Path) -> dict[str, Labelled]:
    """Read a file of labels: a line of JSON per session, with `file`, `facts` and `negatives`."""
    found = {}
    for line in path.read_text(encoding="utf-8").split("\n"):
        if line.strip():
            row = json.loads(line)
            facts = tuple(
                Label(content=one["content"], evidence=one["evidence"], scope=one["scope"], explicit=one["explicit"])
                for one in row["facts"]
            )
            others = tuple(one["quote"] for one in row.get("negatives", ()))
            found[row["file"]] = Labelled(file=row["file"], facts=facts, others=others)
    return found


@dataclass(kw_only=True)
class Scored:
    """What became of the labels and candidates of one session."""

    file: str
    hits: list[tuple[Label, Found]] = field(default_factory=list)
    missed: list[Label] = field(default_factory=list)
    wrong: list[Found] = field(default_factory=list)
    double: list[Found] = field(default_factory=list)
    taken: list[str] = field(default_factory=list)
    """Lines that are no facts, and were taken for some."""
    resisted: int = 0


def score(labelled: Labelled, candidates: Iterable[Found], *, least: float = 0.0) -> Scored:
    """Hold the candidates of a session, from a confidence on, against its labels."""
    found = [candidate for candidate in candidates if candidate.confidence >= least]
    fits = [[candidate.fit(label.words) for label in labelled.facts] for candidate in found]
    order = sorted(
        (-fit, -candidate.likeness(label.words), -candidate.confidence, number, place)
        for place, candidate in enumerate(found)
        for number, (label, fit) in enumerate(zip(labelled.facts, fits[place], strict=True))
        if fit >= SAME
    )
    paired: dict[int, int] = {}
    for *_, number, place in order:
        if number not in paired and place not in paired.values():
            paired[number] = place
    outcome = Scored(file=labelled.file)
    outcome.hits = [(labelled.facts[number], found[place]) for number, place in sorted(paired.items())]
    outcome.missed = [label for number, label in enumerate(labelled.facts) if number not in paired]
    for place, one in enumerate(found):
        if place not in paired.values():
            (outcome.double if max(fits[place], default=0.0) >= SAME else outcome.wrong).append(one)
    for line in labelled.others:
        words = words_of(line)
        is_taken = any(
            (fit := candidate.fit(words)) >= SAME and fit > max(fits[place], default=0.0)
            for place, candidate in enumerate(found)
        )
        outcome.taken += [line] if is_taken else []
        outcome.resisted += not is_taken
    return outcome


@dataclass(frozen=True, kw_only=True)
class Figures:
    """The figures of some sessions together."""

    facts: int
    hits: int
    wrong: int
    explicit: tuple[int, int]
    """Found, and all, of the facts that were said outright."""
    scopes: int
    lines: int
    taken: int

    @property
    def recall(self) -> float:
        return self.hits / self.facts if self.facts else 0.0

    @property
    def precision(self) -> float:
        return self.hits / (self.hits + self.wrong) if self.hits + self.wrong else 0.0

    @property
    def f1(self) -> float:
        both = self.recall + self.precision
        return 2 * self.recall * self.precision / both if both else 0.0

    @property
    def resistance(self) -> float:
        return 1 - self.taken / self.lines if self.lines else 1.0

    @property
    def scope(self) -> float:
        return self.scopes / self.hits if self.hits else 0.0


def figures(outcomes: Sequence[Scored]) -> Figures:
    """Add up the outcomes of some sessions."""
    hits = [hit for outcome in outcomes for hit in outcome.hits]
    missed = [label for outcome in outcomes for label in outcome.missed]
    return Figures(
        facts=len(hits) + len(missed),
        hits=len(hits),
        wrong=sum(len(outcome.wrong) for outcome in outcomes),
        explicit=(
            sum(label.explicit for label, _ in hits),
            sum(label.explicit for label in [*missed, *(label for label, _ in hits)]),
        ),
        scopes=sum(label.scope == found.scope for label, found in hits),
        lines=sum(outcome.resisted + len(outcome.taken) for outcome in outcomes),
        taken=sum(len(outcome.taken) for outcome in outcomes),
    )


def calibration(outcomes: Sequence[Scored]) -> Iterator[tuple[float, int, int]]:
    """Yield each confidence that was given, with how many candidates had it and how many of these were right."""
    right = Counter(found.confidence for outcome in outcomes for _, found in outcome.hits)
    wrong = Counter(found.confidence for outcome in outcomes for found in outcome.wrong)
    for confidence in sorted({*right, *wrong}, reverse=True):
        yield confidence, right[confidence] + wrong[confidence], right[confidence]


def fold_of(file: str, folds: int) -> int:
    """Return in which of some parts a file is, so that files of one repository (`c012-owner-name`) stay together."""
    repository = re.sub(r"^[a-z]?\d+-", "", file)[:12]
    return sum(repository.encode()) % folds


def only(labels: Mapping[str, Labelled], fold: tuple[int, int] | None) -> dict[str, Labelled]:
    """Return the labels of the files of a part."""
    return {file: one for file, one in labels.items() if fold is None or fold_of(file, fold[1]) == fold[0]}
