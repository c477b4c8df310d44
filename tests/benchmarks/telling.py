"""What a model is told of real sessions: its share of the transcript, the evidence in it, and what a thousand cost.

Run by hand: `python tests/benchmarks/telling.py FOLDER`, where FOLDER has `transcripts/` and `labels-dev.jsonl`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import mean, median

from memsuggest.core.errors import TranscriptError
from memsuggest.judging.asking.prices import MICROS, Usage, cost
from memsuggest.judging.asking.question import estimate
from memsuggest.judging.by_model.engine import HaikuEngine
from memsuggest.judging.by_model.packets import Planned
from memsuggest.transcripts.reading import read_transcript

MODEL = "claude-haiku-5-5"
ANSWER = 400
"""Tokens of a usual answer: two or three facts."""


class _Nobody:
    """Stands for a model that was never asked."""

    def answers(self, _family: str) -> list[object]:
        return []


def plan(path: Path) -> list[Planned]:
    engine = HaikuEngine(asks=_Nobody(), read_written=lambda _: [])  # type: ignore[arg-type]
    return engine.plan(read_transcript(path), [])


def folded(text: str) -> str:
    return " ".join(text.split()).casefold()


def told(planned: Planned) -> str:
    """The texts as the model reads them, without the JSON around."""
    lines = (json.loads(line) for line in planned.question.data.split("\n"))
    return "\n".join(str(line["typed"]) for line in lines)


def labels(folder: Path) -> dict[str, list[str]]:
    path = folder / "labels-dev.jsonl"
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line] if path.exists() else []
    return {row["file"]: [fact["evidence"] for fact in row["facts"]] for row in rows}


def sessions(folder: Path) -> Iterator[tuple[Path, list[Planned]]]:
    for path in sorted((folder / "transcripts").iterdir()):
        try:
            yield path, plan(path)
        except TranscriptError as error:
            print(f"{path.name}: {error.message}")


def main(folder: Path) -> None:
    """Print the figures."""
    evidence = labels(folder)
    shares, sizes, money, found, wanted = [], [], [], 0, 0
    for path, planned in sessions(folder):
        sent = sum(one.question.tokens for one in planned)
        sizes.append(sent)
        shares.append(sent / estimate(path.read_text(encoding="utf-8", errors="replace")))
        money += [sum(cost(MODEL, Usage(input=one.question.tokens, output=ANSWER)) for one in planned)]
        text = folded("\n".join(map(told, planned)))
        wanted += len(evidence.get(path.name, ()))
        found += sum(folded(quote) in text for quote in evidence.get(path.name, ()))
    print(f"{len(sizes)} sessions: {median(sizes):,.0f} tokens sent (median), prompt and schema included")
    print(f"share of the transcript's tokens: {median(shares):.1%} (median)")
    print(f"labelled evidence inside the requests: {found} of {wanted}")
    print(f"a thousand sessions: ${1000 * mean(money) / MICROS:.2f} (mean, answers of {ANSWER} tokens)")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
