"""How well recall finds the right entry among 10,000, and how quiet the prompt hook stays.

Run: `python docs/measure/recall_quality.py FOLDER SET [PROMPTS.jsonl…] [-v] [-u]`.
`recall_sets/make_noise.py` writes the entries beside which they are found. FOLDER holds `SET_pairs.jsonl` (`question`,
`entry`, `lang`), `SET_noise.jsonl` (`entry`) and `SET_unrelated.jsonl` (`prompt`); further files of prompts may follow.
Prints the share of questions with the right entry first and among the first five, by language; what of them the hook
gives right, and else; how many unrelated prompts get anything of it; and how long a recall takes. `-v` shows the
questions that miss, `-u` the unrelated prompts that got something.
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

from memsuggest.facts.profile import Profile, open_profile
from memsuggest.memory.entry import Entry, Layer, Source, entry_id
from memsuggest.memory.lookup import Wanted, look_up

NOW = 1_790_000_000_000
DAY = 86_400_000


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
    folder, name, *others = [one for one in sys.argv[1:] if not one.startswith("-")]
    pairs = rows(Path(folder, f"{name}_pairs.jsonl")) + rows(Path(folder, f"{name}_zh_fr.jsonl"))
    profile = filled(Path(folder), name, Path(tempfile.mkdtemp()))
    times, ranks, given = [], defaultdict(list), {"right": 0, "other": 0}

    def found(query: str, via: str) -> list[str]:
        begun = time.process_time()
        wanted = Wanted(via=via, budget=100_000)
        hits = look_up(profile.entries.connection, query, wanted, project="w", now=NOW)
        times.append(time.process_time() - begun)
        return [hit.entry.content for hit in hits]

    for row in pairs:
        names = found(row["question"], "command")
        rank = names.index(row["entry"]) + 1 if row["entry"] in names else 0
        ranks[row["lang"]].append(rank)
        by_hook = found(row["question"], "hook")
        given["right"] += row["entry"] in by_hook
        given["other"] += bool(by_hook) and row["entry"] not in by_hook
        if "-v" in sys.argv and not 0 < rank <= 5:
            print(rank, "|", row["question"], "|", row["entry"], "|", [content[:60] for content in names[:2]])
    for language, found_at in sorted(ranks.items()):
        first = sum(rank == 1 for rank in found_at) / len(found_at)
        five = sum(0 < rank <= 5 for rank in found_at) / len(found_at)
        print(f"{language}  {len(found_at):>4}  first {first:.3f}  five {five:.3f}")
    print(f"hook: of {len(pairs)} questions {given['right']} get the right entry, {given['other']} only others")
    for path in (Path(folder, f"{name}_unrelated.jsonl"), *map(Path, others)):
        prompts = [row["prompt"] for row in rows(path)]
        loud = [(prompt, hits) for prompt in prompts if (hits := found(prompt, "hook"))]
        print(f"hook: of {len(prompts)} unrelated prompts of {path.name} {len(loud)} get something")
        for prompt, hits in loud if "-u" in sys.argv else ():
            print("   ", prompt[:300].replace("\n", " "), "|", hits)
    times.sort()
    print(f"ms of CPU: median {1000 * statistics.median(times):.1f}, 95 % {1000 * times[int(len(times) * 0.95)]:.1f}")


if __name__ == "__main__":
    main()
