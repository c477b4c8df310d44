"""Train the model that judges statements, and say what it reaches on repositories left out. Run by hand:

    python tests/evaluation/statement_training.py CHATS CORPUS [--write]

CHATS and CORPUS are folders of labelled transcripts: `labels-*.jsonl` (a line a transcript: `file`, `facts` with their
`evidence`, `negatives` with their `quote`), `index.tsv` (`file`, `repo`), `transcripts/`, and where there is one
`lines-*.jsonl` (`file`, `message`, `pasted`: line numbers). The invented chats beside this script are added with a
small weight. `--write` writes `memsuggest/extraction/weights.json`, the same bytes for the same data and code.

A statement counts as right when its words overlap an evidence by at least 0.6 of the shorter one. Words and pairs of
words become features only when at least five repositories use them. Needs numpy (`pip install -e '.[dev]'`).
"""

from __future__ import annotations

import csv
import json
import sys
from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from extraction_sessions import sessions

from memsuggest.extraction import judgement
from memsuggest.extraction.features import features_of
from memsuggest.extraction.offline import MAYBES
from memsuggest.extraction.statements import Statement, statements_of
from memsuggest.extraction.wording import word
from memsuggest.model import Transcript
from memsuggest.text.words import word_list
from memsuggest.transcripts.reading import read_transcript

FOLDER = Path(__file__).resolve().parent
TARGET = Path(judgement.__file__).with_name("weights.json")
OVERLAP = 0.6
FEWEST_REPOS = 5
STRENGTH = 0.15  # of the data against the prior that a weight is nought
INVENTED = 0.15  # what an invented statement counts
FOLDS = 10
SMALLEST = 0.02  # a smaller weight is left out
SUGGEST_FROM = 0.5  # probability
JUST_NOT = 0.49  # of what is no rule by itself


@dataclass(eq=False)
class Session:
    """A labelled chat."""

    repo: str
    statements: list[Statement]
    facts: list[str]
    negatives: list[str]
    is_invented: bool = False
    features: list[frozenset[str]] = field(default_factory=list)
    labels: list[bool] = field(default_factory=list)
    sure: list[bool] = field(default_factory=list)
    stand: list[bool] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Label the statements."""
        self.features = [features_of(statement) for statement in self.statements]
        self.sure = [judgement.is_sure_of(*pair) for pair in zip(self.statements, self.features, strict=True)]
        self.stand = [not word(one.text, before=one.sentence.before).unclear for one in self.statements]
        self.labels = [any(fits(one.text, fact) for fact in self.facts) for one in self.statements]


def fits(one: str, other: str) -> bool:
    """Whether two texts share at least 0.6 of the shorter one's words, close together in the longer one."""
    short, long = sorted((pieces(one), pieces(other)), key=len)
    if len(short) < 4:  # so few words stand in any text
        found = any(long[at : at + len(short)] == short for at in range(len(long) - len(short) + 1))
        return bool(short) and found and 3 * len(short) >= len(long)
    wanted = Counter(short)
    width = 2 * len(short)
    starts = range(max(1, len(long) - width + 1))
    return any((wanted & Counter(long[at : at + width])).total() >= OVERLAP * len(short) for at in starts)


def pieces(text: str) -> list[str]:
    """The words of a text, or its characters where words are not spaced."""
    words = word_list(text.lower())
    return [piece for word in words for piece in (word if any("\u3041" <= c <= "\u9fff" for c in word) else [word])]


def labelled(folder: Path) -> list[Session]:
    """Read the labelled chats of a folder."""
    with (folder / "index.tsv").open(encoding="utf-8") as index:
        repos = {row["file"]: row["repo"] for row in csv.DictReader(index, delimiter="\t")}
    pasted = _pasted_lines(folder)
    found = []
    for path in sorted(folder.glob("labels-*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            transcript = read_transcript(folder / "transcripts" / row["file"])
            transcript = _with_pastes(transcript, folder, row["file"], pasted)
            facts = [fact["evidence"] for fact in row["facts"]]
            negatives = [one["quote"] for one in row["negatives"]]
            found.append(Session(repos[row["file"]], statements_of(transcript), facts, negatives))
    return found


def _pasted_lines(folder: Path) -> dict[str, list[str]]:
    """The lines of each file that are labelled as pasted."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in sorted(folder.glob("lines-*.jsonl")):
        for row in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
            messages = json.loads((folder / "transcripts" / row["file"]).read_text(encoding="utf-8"))
            lines = messages[row["message"] - 1]["content"].split("\n")
            for part in filter(None, row["pasted"].split(",")):
                first, _, last = part.partition("-")
                found[row["file"]] += lines[int(first) - 1 : int(last or first)]
    return found


def _with_pastes(transcript: Transcript, folder: Path, name: str, pasted: dict[str, list[str]]) -> Transcript:
    """The transcript with the labelled pastes as its quoted stretches, so that the model does not depend on ours."""
    if not any(folder.glob("lines-*.jsonl")):
        return transcript
    known = {line.strip() for line in pasted.get(name, ()) if line.strip()}
    turns = []
    for turn in transcript.turns:
        at, quoted = 0, []
        for line in turn.typed.split("\n"):
            if line.strip() in known:
                quoted.append((at, at + len(line)))
            at += len(line) + 1
        turns.append(replace(turn, quoted=tuple(quoted), doubtful=()))
    return replace(transcript, turns=tuple(turns))


def invented() -> list[Session]:
    """The invented chats, each file as a repository of its own."""
    found = []
    for path in sorted(FOLDER.glob("extraction_sessions*.txt")):
        for one in sessions(path):
            facts = [label.text for label in one.labels if label.is_fact]
            others = [label.text for label in one.labels if not label.is_fact]
            found.append(Session(path.stem, statements_of(one.transcript), facts, others, is_invented=True))
    return found


class Matrix:
    """Statements by features, sparse: the places of each row's features in the vocabulary, one row after the other."""

    def __init__(self, rows: list[frozenset[str]], vocabulary: dict[str, int]) -> None:
        """Look the features of the rows up."""
        places = [sorted(vocabulary[name] for name in row if name in vocabulary) for row in rows]
        self.columns = np.array([place for row in places for place in row], dtype=np.int64)
        self.rows = np.repeat(np.arange(len(places)), [len(row) for row in places])
        self.shape = (len(places), len(vocabulary))

    def times(self, weights: np.ndarray) -> np.ndarray:
        """The sum of the weights of each row."""
        return np.bincount(self.rows, weights=weights[self.columns], minlength=self.shape[0])

    def transposed_times(self, values: np.ndarray) -> np.ndarray:
        """The sum of the values of each column."""
        return np.bincount(self.columns, weights=values[self.rows], minlength=self.shape[1])


def fit(matrix: Matrix, labels: np.ndarray, counts: np.ndarray, strength: float) -> tuple[float, np.ndarray]:
    """Logistic regression with a quadratic prior, by Newton's method with conjugate gradients; bias and weights."""
    weights = np.zeros(matrix.shape[1] + 1)  # the last one is the bias, which no prior holds back
    prior = np.append(np.ones(matrix.shape[1]), 1e-6)
    for _ in range(30):
        margin = matrix.times(weights[:-1]) + weights[-1]
        chance = 1 / (1 + np.exp(-margin))
        error = strength * counts * (chance - labels)
        gradient = np.append(matrix.transposed_times(error), error.sum()) + prior * weights
        if np.abs(gradient).max() < 1e-9:
            break
        curvature = strength * counts * chance * (1 - chance)

        def bend(step: np.ndarray, curvature: np.ndarray = curvature) -> np.ndarray:
            inner = curvature * (matrix.times(step[:-1]) + step[-1])
            return np.append(matrix.transposed_times(inner), inner.sum()) + prior * step

        weights = weights - _conjugate_gradients(bend, gradient)
    return float(weights[-1]), weights[:-1]


def _conjugate_gradients(bend, target: np.ndarray) -> np.ndarray:
    """Solve `bend(step) = target`."""
    step = np.zeros_like(target)
    rest = target.copy()
    direction = rest.copy()
    size = rest @ rest
    for _ in range(400):
        if size < 1e-22:
            break
        bent = bend(direction)
        length = size / (direction @ bent)
        step += length * direction
        rest -= length * bent
        previous, size = size, rest @ rest
        direction = rest + size / previous * direction
    return step


def vocabulary_of(chosen: list[Session]) -> dict[str, int]:
    """The features in use: words only where enough repositories have them."""
    repos: dict[str, set[str]] = defaultdict(set)
    for session in chosen:
        for row in session.features:
            for name in row:
                repos[name].add(session.repo)
    names = [name for name, used in repos.items() if not name.startswith("word:") or len(used) >= FEWEST_REPOS]
    return {name: place for place, name in enumerate(sorted(names))}


def trained(chosen: list[Session]) -> tuple[float, dict[str, float]]:
    """Fit the weights to some sessions."""
    vocabulary = vocabulary_of(chosen)
    matrix = Matrix([row for session in chosen for row in session.features], vocabulary)
    labels = np.array([label for session in chosen for label in session.labels], dtype=float)
    counts = np.array([INVENTED if one.is_invented else 1.0 for one in chosen for _ in one.labels])
    bias, weights = fit(matrix, labels, counts, STRENGTH)
    return bias, dict(zip(vocabulary, weights, strict=True))


def left_out_totals(chosen: list[Session]) -> list[list[float]]:
    """The sum of the weights for each statement of the real sessions, by a model that never saw its repository."""
    repos = sorted({session.repo for session in chosen if not session.is_invented})
    fold_of = {repo: place % FOLDS for place, repo in enumerate(repos)}
    found: dict[int, list[float]] = {}
    for fold in range(FOLDS):
        bias, weights = trained([one for one in chosen if one.is_invented or fold_of[one.repo] != fold])
        for place, session in enumerate(chosen):
            if not session.is_invented and fold_of[session.repo] == fold:
                found[place] = [bias + sum(weights.get(name, 0.0) for name in row) for row in session.features]
    return [found[place] for place in sorted(found)]


def calibrated(real: list[Session], totals: list[list[float]]) -> tuple[float, float, float]:
    """Fit slope, shift and the bonus of sure readings to the sums of repositories left out."""
    sure = [is_sure for session in real for is_sure in session.sure]
    values = np.array([[total for row in totals for total in row], sure], dtype=float).T
    labels = np.array([label for session in real for label in session.labels], dtype=float)
    weights = np.zeros(3)
    design = np.column_stack([values, np.ones(len(labels))])
    for _ in range(50):
        chance = 1 / (1 + np.exp(-design @ weights))
        bend = design.T @ (design * (chance * (1 - chance))[:, None]) + 1e-6 * np.eye(3)
        weights -= np.linalg.solve(bend, design.T @ (chance - labels))
    slope, bonus, shift = weights
    return float(slope), float(shift), float(bonus)


def report(real: list[Session], totals: list[list[float]], model: judgement.StatementWeights) -> None:
    """Print recall and precision of suggestions, and of suggestions and maybes together."""
    for name, least in (("suggestions", SUGGEST_FROM), ("with maybes", judgement.MAYBE_FROM)):
        hits = facts = chosen = wrong = landed = negatives = 0
        for session, sums in zip(real, totals, strict=True):
            chances = [
                min(model.probability(total, is_sure=is_sure), 1.0 if stands else JUST_NOT)
                for total, is_sure, stands in zip(sums, session.sure, session.stand, strict=True)
            ]
            maybes = sorted((chance for chance in chances if chance < SUGGEST_FROM), reverse=True)[:MAYBES]
            floor = max(least, maybes[-1] if maybes else 0)
            taken = [place for place, chance in enumerate(chances) if chance >= floor]
            texts = [session.statements[place].text for place in taken]
            hits += sum(any(fits(text, fact) for text in texts) for fact in session.facts)
            wrong += sum(not session.labels[place] for place in taken)
            landed += sum(
                any(fits(text, one) and not any(fits(text, fact) for fact in session.facts) for text in texts)
                for one in session.negatives
            )
            facts += len(session.facts)
            chosen += len(taken)
            negatives += len(session.negatives)
        print(
            f"{name}: {chosen} of {facts} facts, recall {hits / facts:.3f}, precision {hits / (hits + wrong):.3f}, "
            f"resistance {1 - landed / negatives:.3f}"
        )


def main() -> None:
    """Measure on repositories left out, fit to all, and write the weights if asked to."""
    folders = [Path(name) for name in sys.argv[1:] if not name.startswith("--")]
    real = [session for folder in folders for session in labelled(folder)]
    chosen = [*real, *invented()]
    totals = left_out_totals(chosen)
    slope, shift, sure = calibrated(real, totals)
    bias, weights = trained(chosen)
    kept = {name: round(weight, 2) for name, weight in sorted(weights.items()) if abs(weight) >= SMALLEST}
    rounded = {"bias": round(bias, 2), "slope": round(slope, 2), "shift": round(shift, 2), "sure": round(sure, 2)}
    print(
        f"{len(real)} real sessions of {len({one.repo for one in real})} repositories, {len(kept)} weights, {rounded}"
    )
    report(real, totals, judgement.StatementWeights(weights={}, **rounded))
    if "--write" in sys.argv:
        TARGET.write_text(json.dumps({**rounded, "weights": kept}, ensure_ascii=False, indent=0) + "\n", "utf-8")
        print(f"wrote {TARGET.name}: {TARGET.stat().st_size // 1024} KB")


if __name__ == "__main__":
    main()
