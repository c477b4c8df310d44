"""How well recall finds the right entry, and how quiet it stays.

Run: `python tests/evaluation/recall_quality.py FOLDER SET`.
`recall_sets/make_noise.py` writes the entries beside which they are found. FOLDER holds `SET_pairs.jsonl` (`question`,
`entry`, `lang`), `SET_noise.jsonl` (`entry`) and `SET_unrelated.jsonl` (`prompt`). Prints the share of questions with
the right entry first and among the first five, by language; what share of questions and of unrelated prompts gets any
context at each fit; and how long a recall takes.
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

from memsuggest.memory.profile import Profile, open_profile
from memsuggest.recall.entry import Entry, Layer, Source, entry_id
from memsuggest.recall.entry_search import Filters, search

NOW = 1_790_000_000_000
DAY = 86_400_000
FITS = (0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5)


def rows(path: Path) -> list[dict[str, Any]]:
    """The JSON lines of a file; none where there is no file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []


def entry(text: str, days: int) -> Entry:
    """One entry, so many days old."""
    at = NOW - days * DAY
    made = entry_id(Layer.KNOWLEDGE, "w", text)
    return Entry(
        id=made, layer=Layer.KNOWLEDGE, content=text, source=Source.USER, created_at=at, updated_at=at, project="w"
    )


def filled(folder: Path, name: str, place: Path) -> Profile:
    """A profile with the entries of a set, and so many others."""
    pairs = rows(folder / f"{name}_pairs.jsonl") + rows(folder / f"{name}_zh_fr.jsonl")
    texts = [row["entry"] for row in [*rows(folder / f"{name}_noise.jsonl"), *pairs]]
    profile = open_profile(place / "profile.db", workspace="w")
    profile.entries.add(entry(text, at % 300) for at, text in enumerate(dict.fromkeys(texts)))
    return profile


def main() -> None:
    """Print the figures."""
    folder, name, *flags = sys.argv[1:]
    pairs = rows(Path(folder, f"{name}_pairs.jsonl")) + rows(Path(folder, f"{name}_zh_fr.jsonl"))
    profile = filled(Path(folder), name, Path(tempfile.mkdtemp()))
    filters = Filters(project="w")
    times, ranks, best = [], defaultdict(list), {"asked": [], "unrelated": []}

    def found(query: str) -> list[tuple[str, float]]:
        begun = time.process_time()
        hits = search(profile.entries.connection, query, filters, now=NOW)
        times.append(time.process_time() - begun)
        return [(hit.entry.content, hit.fit) for hit in hits]

    for row in pairs:
        hits = found(row["question"])
        names = [content for content, _ in hits]
        rank = names.index(row["entry"]) + 1 if row["entry"] in names else 0
        ranks[row["lang"]].append(rank)
        best["asked"].append(max((fit for _, fit in hits[:5]), default=0.0))
        if "-v" in flags and not 0 < rank <= 5:
            print(
                rank, "|", row["question"], "|", row["entry"], "|", [(one[:60], round(fit, 2)) for one, fit in hits[:2]]
            )
    for row in rows(Path(folder, f"{name}_unrelated.jsonl")):
        hits = found(row["prompt"])
        best["unrelated"].append(max((fit for _, fit in hits[:8]), default=0.0))
        if "-u" in flags and hits:
            print(round(max(fit for _, fit in hits[:8]), 2), "|", row["prompt"][:100], "|", hits[0][0][:100])
    for language, found_at in sorted(ranks.items()):
        first = sum(rank == 1 for rank in found_at) / len(found_at)
        five = sum(0 < rank <= 5 for rank in found_at) / len(found_at)
        print(f"{language}  {len(found_at):>4}  first {first:.3f}  five {five:.3f}")
    for fit in FITS:
        shares = [
            f"{kind} {sum(one >= fit for one in found_at) / max(1, len(found_at)):.2f}"
            for kind, found_at in best.items()
        ]
        print(f"fit >= {fit:.2f}  {'  '.join(shares)}")
    times.sort()
    print(f"ms of CPU: median {1000 * statistics.median(times):.1f}, 95 % {1000 * times[int(len(times) * 0.95)]:.1f}")


if __name__ == "__main__":
    main()
