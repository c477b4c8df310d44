"""The shared file merged by git alone, as a web page does: never a file that is refused, nothing lost."""

from __future__ import annotations

import random
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from facts.fact_branches import branches, lost

from memsuggest.facts.branch_merge import merge, saved
from memsuggest.facts.codec import Document, parse, render

WAYS = [(), ("--diff3",), ("--zdiff3",)]


def merged(folder: Path, *documents: Document, ways: tuple[str, ...] = ()) -> str:
    """What git makes of a base and two sides."""
    for name, document in zip(("base", "ours", "theirs"), documents, strict=True):
        (folder / name).write_bytes(render(document).encode())
    words = ["git", "merge-file", "-p", *ways, "ours", "base", "theirs"]
    return subprocess.run(words, cwd=folder, capture_output=True, check=False).stdout.decode()


@pytest.mark.parametrize(
    "count",
    [pytest.param(200, id="some"), pytest.param(2_000, id="all", marks=[pytest.mark.slow, pytest.mark.timeout(600)])],
)
def test_what_git_merges_by_itself(tmp_path: Path, count: int) -> None:
    """A clean merge is read, with all that either side said; a conflict is one that git shows, and can be saved."""
    chance, told = random.Random(16), Counter[str]()
    for _ in range(count):
        base, ours, theirs = branches(chance)
        text = merged(tmp_path, base, ours, theirs, ways=chance.choice(WAYS))
        is_conflict = "<<<<<<<" in text
        told["conflicts" if is_conflict else "clean"] += 1
        found = saved(text, name="it") if is_conflict else parse(text, name="it")
        told["mended"] += bool(found.repairs)
        assert not lost(base, (ours, theirs), found), text
        assert parse(render(found), name="it").repairs == ()
        resolved = merge(base, ours, theirs).document
        assert not lost(base, (ours, theirs), resolved)
        if not is_conflict and not found.repairs:
            assert {key: one["content"] for key, one in found.facts.items()} == {
                key: one["content"] for key, one in resolved.facts.items()
            }
    assert told["clean"] > count * 0.05
    assert told["mended"] < count * 0.02
