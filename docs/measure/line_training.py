"""Fits the line model of `transcripts/pastes` and prints how well whose words are told on repositories left out.

    python docs/measure/line_training.py /path/to/shared [--figures] [--rows FILE]

The folder holds `chats/` and `corpus/`: real transcripts with labelled lines, facts and negatives, which stay outside
the project. Writes `memsuggest/transcripts/pastes/line_weights.json`; run again on the same data with Python 3.11 or
later it writes the same bytes (pure Python, fixed order and seed, weights rounded, keys sorted). `--figures` prints
the figures only, `--rows` also writes each judged line with its score for looking closer.

Words and pairs of words are kept only if three repositories use them.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import re
import sys
from collections import Counter, defaultdict
from dataclasses import replace
from itertools import chain
from multiprocessing import Pool
from pathlib import Path
from typing import NamedTuple

from memsuggest.core.errors import TranscriptError
from memsuggest.core.model import Role, Turn
from memsuggest.core.redact import clean, redact
from memsuggest.transcripts.pastes import line_model, typed_or_pasted
from memsuggest.transcripts.pastes.line_model import LineFeatures, LineWeights, MessageView, judged, view
from memsuggest.transcripts.pastes.paste_evidence import PasteEvidence, evidence
from memsuggest.transcripts.reading import detect
from memsuggest.transcripts.storage.source import Source

INVENTED = Path(__file__).with_name("line_messages.txt")
FOLDS, INNER = 8, 4
REPOSITORIES = 3
"""That use a feature, for it to be kept."""
EPOCHS, RATE, DECAY = 12, 0.15, 2e-4
COMPOSED = 2.0
"""How much more a composed line weighs: there are few, and their loss is worse."""
SHORT, MARKED, SAID, MADE = 0.3, 0.5, 0.15, 0.7
"""Weights of short messages without labels, of those with labelled sentences, of the assistant's words, of invented
messages."""
OURS = "invented"
ANSWERS = 30
"""Of the assistant's, that are taken from one repository as examples of what pasted prose looks like."""
ROUNDED = 2


class Example(NamedTuple):
    """A message with what is known of its lines."""

    repo: str
    name: str
    text: str
    labels: list[str]
    """Of each line: `p` pasted, `c` composed, or empty."""
    weight: float
    is_measured: bool


class Row(NamedTuple):
    """What is learnt from one line."""

    names: list[str]
    target: float
    """1 if it was pasted."""
    weight: float


class Seen(NamedTuple):
    """An example as the model sees it."""

    example: Example
    found: PasteEvidence
    view: MessageView
    blind: MessageView
    """Without what the rules say: the model has to do without, too, since they know this sample better than others."""
    rows: tuple[list[Row], list[Row]]
    """Of each line of the two."""


def main() -> None:
    """Fit, write and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shared", type=Path)
    parser.add_argument("--figures", action="store_true", help="write no weights")
    parser.add_argument("--rows", type=Path, help="write what was said of each line to this file")
    given = parser.parse_args()
    seen = [seen_of(example) for example in examples(given.shared)]
    scores, _ = left_out(seen, FOLDS)
    print_figures(seen, scores)
    if given.rows:
        given.rows.write_text("".join(rows_of(seen, scores)), encoding="utf-8")
    if not given.figures:
        weights = fitted(seen)
        line_model.WEIGHTS_FILE.write_text(written(weights), encoding="utf-8")
        count = sum(map(len, weights.lines.values()))
        sys.stdout.write(f"{count} weights, {line_model.WEIGHTS_FILE.stat().st_size:,} bytes\n")


def written(weights: LineWeights) -> str:
    """Write the weights down, rounded; those that round to nothing are left out."""
    kept = {
        part: {name: rounded for name, weight in sorted(named.items()) if (rounded := round(weight, ROUNDED))}
        for part, named in weights.lines.items()
    }
    around = [round(weight, ROUNDED + 1) for weight in weights.around]
    told = {"around": around, "base": round(weights.base, ROUNDED), "lines": kept}
    return json.dumps(told, ensure_ascii=True, sort_keys=True, indent=0, separators=(",", ":")) + "\n"


# The examples


def examples(shared: Path) -> list[Example]:
    """Read all that is known of lines."""
    labelled = lines_labelled(shared / "chats" / "lines-train.jsonl")
    marked = {
        **sentences_labelled(shared / "corpus" / "labels-dev.jsonl"),
        **sentences_labelled(shared / "chats" / "labels-train.jsonl"),
    }
    found = invented(INVENTED)
    for folder in (shared / "chats", shared / "corpus"):
        taken: Counter[str] = Counter()
        for path in sorted((folder / "transcripts").iterdir()):
            repo = repository(path.name)
            try:
                turns = turns_of(path)
            except TranscriptError:
                continue
            with_labels = matched(turns, path, labelled.get(path.name, []))
            for number, turn in enumerate(turns):
                if turn.role is Role.ASSISTANT:
                    found += answers_of(turn, repo, taken)
                    continue
                name = f"{path.name} {number}"
                if number in with_labels:
                    labels = with_labels[number]
                    found.append(Example(repo, name, turn.typed, labels, 1.0, is_measured=True))
                elif turn.typed:
                    found += unlabelled(turn, repo, name, marked.get(path.name))
    return found


def invented(path: Path) -> list[Example]:
    """Read the invented messages; they are never left out, and never measured."""
    found = []
    for message in path.read_text(encoding="utf-8").split("\n== ")[1:]:
        marked = message.rstrip("\n").split("\n")[1:]
        text = "\n".join(line[2:] for line in marked)
        labels = [{".": "c", "|": "p"}.get(line[:1], "") if line[2:].strip() else "" for line in marked]
        found.append(Example(OURS, "", text, labels, MADE, is_measured=False))
    return found


def repository(name: str) -> str:
    """Name the repository that a transcript is from, as its file's name begins with it."""
    return "-".join(re.sub(r"^c?\d+-", "", name).rsplit(".", 1)[0].split("-")[:2])


def turns_of(path: Path) -> list[Turn]:
    """Read a transcript, each turn cleaned as sealing does."""
    source = Source.at(path)
    read = detect(source).read(source)
    return [replace(turn, typed=redact(clean(turn.typed)).text.strip()) for turn in read.turns]


def lines_labelled(path: Path) -> dict[str, list[dict[str, str]]]:
    """Read which lines were pasted."""
    found: dict[str, list[dict[str, str]]] = defaultdict(list)
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        found[row["file"]].append(row)
    return found


def sentences_labelled(path: Path) -> dict[str, tuple[list[str], list[str]]]:
    """Read which sentences were typed, and which pasted, by file."""
    found = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        foreign = {id(one) for one in row["negatives"] if re.search(r"past|inject|quot|assistant|templat", one["why"])}
        typed = [fact["evidence"] for fact in row["facts"]]
        typed += [one["quote"] for one in row["negatives"] if id(one) not in foreign]
        pasted = [one["quote"] for one in row["negatives"] if re.search(r"pasted|inject", one["why"])]
        found[row["file"]] = ([*map(folded, typed)], [*map(folded, pasted)])
    return found


def matched(turns: list[Turn], path: Path, rows: list[dict[str, str]]) -> dict[int, list[str]]:
    """Find the turns of the labelled messages; the reader may have left out some of their lines."""
    found: dict[int, list[str]] = {}
    if not rows:
        return found
    messages = json.loads(path.read_text(encoding="utf-8"))
    typed = {number: folded(turn.typed) for number, turn in enumerate(turns) if turn.typed}
    for row in rows:
        content = messages[int(row["message"]) - 1]["content"]
        whole = folded(content)
        best = max(typed, key=lambda number: _likeness(typed[number], whole), default=None)
        if best is not None and _likeness(typed[best], whole) > 0:
            found[best] = aligned(turns[best].typed, content, row)
    return found


def _likeness(typed: str, whole: str) -> int:
    if not (typed[:40] in whole or whole[:40] in typed):
        return 0
    return 1 + (typed[:80] == whole[:80]) * 2 + (typed == whole) * 4 + (typed in whole and len(typed) > 20)


def aligned(typed: str, content: str, row: dict[str, str]) -> list[str]:
    """Label the lines of the typed text by those of the message that it was read from."""
    pasted, mixed = numbers(row["pasted"]), numbers(row.get("mixed", ""))
    lines = [folded(line) for line in content.split("\n")]
    labels, at = [], 0
    for line in map(folded, typed.split("\n")):
        place = (
            next((place for place in range(at, len(lines)) if lines[place] == line), None) if len(line) > 2 else None
        )
        if place is None:
            labels.append("")
            continue
        at = place + 1
        labels.append("" if at in mixed else "p" if at in pasted else "c")
    return labels


def numbers(ranges: str) -> set[int]:
    """Read `2-4,7`."""
    found: set[int] = set()
    for part in filter(None, re.split(r"[,\s]+", ranges or "")):
        first, _, last = part.partition("-")
        found |= set(range(int(first), int(last or first) + 1))
    return found


def folded(text: str) -> str:
    """Fold white space and case."""
    return " ".join(text.split()).casefold()


def unlabelled(turn: Turn, repo: str, name: str, marked: tuple[list[str], list[str]] | None) -> list[Example]:
    """Take a message whose lines nobody labelled: short ones are typed, of others only sentences are known."""
    lines = turn.typed.split("\n")
    if len(lines) < 3 and len(turn.typed) < 400:
        return [Example(repo, name, turn.typed, ["c"] * len(lines), SHORT, is_measured=False)]
    typed, pasted = marked or ([], [])
    labels = ["c" if _is_among(line, typed) else "p" if _is_among(line, pasted) else "" for line in map(folded, lines)]
    return [Example(repo, name, turn.typed, labels, MARKED, is_measured=False)] if any(labels) else []


def _is_among(line: str, sentences: list[str]) -> bool:
    return len(line) >= 10 and any(
        line in sentence or sentence in line for sentence in sentences if len(sentence) >= 10
    )


def answers_of(turn: Turn, repo: str, taken: Counter[str]) -> list[Example]:
    """Take what the assistant said as an example of a pasted answer."""
    lines = turn.text[-1000:].split("\n")
    if len(turn.text) >= 290:
        lines = lines[1:]  # the beginning may be cut off
    lines = "\n".join(line for line in lines if not line.startswith("[") and " […] " not in line).strip().split("\n")
    if len(lines) < 3 or taken[repo] >= ANSWERS:
        return []
    taken[repo] += 1
    labels = ["p" if line.strip() else "" for line in lines]
    return [Example(repo, "", "\n".join(lines), labels, SAID, is_measured=False)]


# Fitting


def seen_of(example: Example) -> Seen:
    """Look at an example as the model will; the lines of a message share its weight."""
    found = evidence(example.text)
    looked_at = view(found)
    everything = {place: False for place, line in enumerate(found.lines) if line.text.strip()}
    blind = view(found._replace(left_open=everything))
    return Seen(example, found, looked_at, blind, (rows_in(looked_at, example), rows_in(blind, example)))


def rows_in(looked_at: MessageView, example: Example) -> list[Row]:
    """Name the features of each line and weigh it; nothing is learnt from what is certain."""
    labels = [
        example.labels[place] if line else "" for place, line in zip(looked_at.places, looked_at.lines, strict=True)
    ]
    counts = Counter(labels)
    share = {"p": 1.0, "c": COMPOSED, "": 0.0}
    message = [f"message:{name}" for name in looked_at.message]
    return [
        Row(
            [
                *message,
                *(
                    f"{part}:{name}"
                    for part, names in zip(LineFeatures._fields, line or (), strict=False)
                    for name in names
                ),
            ],
            float(label == "p"),
            example.weight * share[label] / math.sqrt(counts[label]),
        )
        for label, line in zip(labels, looked_at.lines, strict=True)
    ]


def fitted(seen: list[Seen]) -> LineWeights:
    """Fit both steps; the second on what the first says of repositories that it was not fitted on."""
    fold = folds(seen, INNER)
    rows: list[tuple[list[float], float, float]] = []
    for number in range(INNER):
        weights = fit_lines([one for one in seen if fold[one.example.repo] != number])
        for one in seen:
            if fold[one.example.repo] == number:
                for looked_at, told in zip((one.view, one.blind), one.rows, strict=True):
                    around = line_model.surroundings(line_model.first_scores(looked_at, weights), looked_at)
                    rows += [
                        (values, row.target, row.weight)
                        for values, row in zip(around, told, strict=True)
                        if values and row.weight
                    ]
    return fit_lines(seen)._replace(around=fit_around(rows))


def fit_lines(seen: list[Seen]) -> LineWeights:
    """Fit the weights of the features: logistic regression by gradient steps, one line after the other."""
    told = [row for one in seen for rows in one.rows for row in rows if row.weight]
    used: dict[str, set[str]] = defaultdict(set)
    for one in seen:
        for row in chain.from_iterable(one.rows):
            for name in row.names if row.weight else ():
                used[name].add(one.example.repo)
    kept = sorted(name for name, repositories in used.items() if len(repositories) >= REPOSITORIES)
    numbers = {name: number for number, name in enumerate(kept)}
    rows = [([numbers[name] for name in row.names if name in numbers], row.target, row.weight) for row in told]
    weights, squares = [0.0] * len(numbers), [1e-2] * len(numbers)
    base, base_square = 0.0, 1e-2
    order = list(range(len(rows)))
    shuffled = random.Random(1)
    for _ in range(EPOCHS):
        shuffled.shuffle(order)
        for place in order:
            places, target, weight = rows[place]
            slope = (likelihood(base + sum(weights[at] for at in places)) - target) * weight
            base_square += slope * slope
            base -= RATE * slope / math.sqrt(base_square)
            if abs(slope) < 1e-3:
                continue
            for at in places:
                squares[at] += slope * slope
                weights[at] -= RATE * (slope + DECAY * weights[at]) / math.sqrt(squares[at])
    parts: dict[str, dict[str, float]] = {part: {} for part in (*LineFeatures._fields, "message")}
    for name, number in numbers.items():
        part, _, feature = name.partition(":")
        parts[part][feature] = weights[number]
    return LineWeights(base, parts, ())


def likelihood(score: float) -> float:
    """Turn a sum of weights into a likelihood."""
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, score))))


def fit_around(rows: list[tuple[list[float], float, float]]) -> list[float]:
    """Fit the weights of what is said around a line: logistic regression on all lines at once."""
    size = len(rows[0][0])
    weights = [0.0, 1.0, *[0.0] * (size - 2)]
    squares = [1e-8] * size
    for _ in range(240):
        slopes = [1e-5 * len(rows) * weight for weight in weights]
        for values, target, weight in rows:
            score = sum(value * each for value, each in zip(values, weights, strict=True))
            slope = (likelihood(score) - target) * weight
            for at, value in enumerate(values):
                slopes[at] += slope * value
        for at, slope in enumerate(slopes):
            squares[at] += slope * slope
            weights[at] -= 0.3 * slope / math.sqrt(squares[at])
    return weights


# Measuring


def folds(seen: list[Seen], count: int) -> dict[str, int]:
    """Spread the repositories over folds of about the same size."""
    sizes: Counter[str] = Counter()
    for one in seen:
        sizes[one.example.repo] += len(one.view.places)
    loads, fold = [0] * count, {}
    for repo, size in sorted(sizes.items(), key=lambda item: (-item[1], item[0])):
        fold[repo] = loads.index(min(loads))
        loads[fold[repo]] += size
    return fold


def left_out(seen: list[Seen], count: int) -> tuple[list[dict[int, float]], list[int]]:
    """Score each message by weights that were fitted without its repository."""
    fold = folds(seen, count)
    with Pool(2) as pool:
        weights = pool.starmap(_fitted_without, [(seen, fold, number) for number in range(count)], chunksize=1)
    return [judged(one.view, weights[fold[one.example.repo]]) for one in seen], [fold[one.example.repo] for one in seen]


def _fitted_without(seen: list[Seen], fold: dict[str, int], number: int) -> LineWeights:
    return fitted([one for one in seen if one.example.repo == OURS or fold[one.example.repo] != number])


def answers(one: Seen, scores: dict[int, float]) -> list[tuple[int, str, str]]:
    """Number each labelled line, with its label and what the whole decision says: typed, doubtful or quoted."""
    text = one.example.text
    words = typed_or_pasted.whose_words(text, judge=lambda _: scores)
    found = []
    for place, (line, label) in enumerate(zip(one.found.lines, one.example.labels, strict=True)):
        if label:
            start = line.start + len(line.text) - len(line.text.lstrip())
            end = line.start + len(line.text.rstrip())
            found.append((place, label, _answer(words, start, end)))
    return found


def _answer(words: typed_or_pasted.Words, start: int, end: int) -> str:
    if any(first <= start and end <= last for first, last in words.quoted):
        return "quoted"
    return "doubtful" if any(first < end and start < last for first, last in words.doubtful) else "typed"


def print_figures(seen: list[Seen], scores: list[dict[int, float]]) -> None:
    """Print leaks, losses and doubts of the whole decision, over all and by repository."""
    by_repo: dict[str, Counter[str]] = defaultdict(Counter)
    others: Counter[str] = Counter()
    for one, score in zip(seen, scores, strict=True):
        for _, label, answer in answers(one, score):
            if one.example.is_measured:
                by_repo[one.example.repo][label + answer] += 1
            elif one.example.name:
                others[label + answer] += 1
    for repo, counts in sorted(by_repo.items()):
        sys.stdout.write(f"{repo:34} {_figures(counts)}\n")
    sys.stdout.write(f"{'all, repositories left out':34} {_figures(sum(by_repo.values(), Counter()))}\n")
    sys.stdout.write(f"{'messages without labelled lines':34} {_figures(others)}\n")


def _figures(counts: Counter[str]) -> str:
    pasted = sum(count for key, count in counts.items() if key[0] == "p")
    composed = sum(count for key, count in counts.items() if key[0] == "c")
    doubts = counts["pdoubtful"] + counts["cdoubtful"]
    return (
        f"leaks {counts['ptyped']:4} of {pasted:5} ({counts['ptyped'] / max(pasted, 1):.1%}), "
        f"losses {counts['cquoted']:3} of {composed:4} ({counts['cquoted'] / max(composed, 1):.1%}), "
        f"doubtful {doubts:4} ({doubts / max(pasted + composed, 1):.1%}), "
        f"{counts['cdoubtful']} composed ({counts['cdoubtful'] / max(composed, 1):.1%})"
    )


def rows_of(seen: list[Seen], scores: list[dict[int, float]]) -> list[str]:
    """Write each judged line with its score, for a look at what goes wrong."""
    return [
        f"{label} {answer:8} {score.get(place, math.nan):6.2f} {one.example.name} line {place + 1}"
        f" | {one.found.lines[place].text[:120]}\n"
        for one, score in zip(seen, scores, strict=True)
        if one.example.is_measured
        for place, label, answer in answers(one, score)
    ]


if __name__ == "__main__":
    main()
