"""The shared facts.json through many random histories: what two and three branches did, merged as git would have it.

Run by hand: `python tests/evaluation/facts_histories.py [PAIRS] [TRIPLES] [IN_GIT]`. Prints how many histories there
were and how often something was wrong: lost, doubled, brought back, other bytes in another order, a damaged file
touched.
"""

from __future__ import annotations

import itertools
import json
import random
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import chdir
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from cli.conftest import invoke

from memsuggest.core.errors import MemsuggestError, StoreError
from memsuggest.facts.codec import Document, parse, render
from memsuggest.facts.merge_driver import merge_files

PLACE = ".github/memories/facts.json"
IDS = [f"{number:016x}" for number in range(120)]
Branch = tuple[dict[str, dict[str, object]], set[str]]
"""Facts by id, and ids of tombstones."""


def entry(name: str, content: str, **more: object) -> dict[str, object]:
    return {"id": name, "content": content, "status": "active", "confidence": 0.9, **more}


def text_of(branch: Branch) -> str:
    facts, stones = branch
    return render(Document(facts=dict(facts), tombstones={name: {"id": name} for name in sorted(stones)}))


def begun(chance: random.Random) -> Branch:
    names = chance.sample(IDS, chance.randrange(5, 60))
    return {name: entry(name, f"Rule {name[-3:]}", mood="calm") for name in names}, set()


def gone_on(base: Branch, names: list[str], mark: str, chance: random.Random) -> Branch:
    """Add, reword, retire or forget what these ids name."""
    facts, stones = dict(base[0]), set(base[1])
    for name in names:
        if name not in facts:
            facts[name] = entry(name, f"{name[-3:]} as {mark} says")
            continue
        match chance.randrange(3):
            case 0:
                facts[name] = {**facts[name], "content": f"{name[-3:]} as {mark} says"}
            case 1:
                facts[name] = {**facts[name], "status": "inactive"}
            case _:
                del facts[name]
                stones.add(name)
    return facts, stones


def merged(folder: Path, base: str, ours: str, theirs: str) -> str:
    """Merge as git's driver does; where it stops git, since one side forgot what the other reworded, what it wrote."""
    for name, text in (("base", base), ("ours", ours), ("theirs", theirs)):
        (folder / name).write_text(text, encoding="utf-8", newline="")
    try:
        merge_files(folder / "base", folder / "ours", folder / "theirs")
    except StoreError as error:
        if "the new wording stays" not in error.message:
            raise
    return (folder / "ours").read_text(encoding="utf-8")


def expected(base: Branch, *branches: Branch) -> Branch:
    """What branches that changed different facts come to together."""
    facts, stones = dict(base[0]), set(base[1])
    for branch_facts, branch_stones in branches:
        for name in {*base[0], *branch_facts}:
            if branch_facts.get(name) != base[0].get(name):
                if name in branch_facts:
                    facts[name] = branch_facts[name]
                else:
                    facts.pop(name, None)
        stones |= branch_stones
    return facts, stones


def wrongs(text: str, sides: list[Branch], base: Branch) -> Iterator[str]:
    """Say what is wrong with what came of sides that may have changed the same facts."""
    found = parse(text, name="it")
    stones = set().union(*(side[1] for side in sides))
    contents = Counter(str(fact["content"]) for fact in found.facts.values())
    if any(count > 1 for count in contents.values()):
        yield "doubled"
    reworded = {
        name
        for facts, _ in sides
        for name in stones & set(facts)
        if name in base[0] and facts[name]["content"] != base[0][name]["content"]
    }
    if stones & set(found.facts) != reworded or stones - set(found.tombstones):
        yield "brought back"  # or an edit was lost that somebody else's forgetting met
    for facts, _ in sides:
        for name, one in facts.items():
            is_own = name not in base[0] or one["content"] != base[0][name]["content"]
            if name not in stones and (name not in found.facts or (is_own and str(one["content"]) not in contents)):
                yield "lost"


def pairs(folder: Path, count: int, chance: random.Random) -> Counter[str]:
    told: Counter[str] = Counter()
    for number in range(count):
        base = begun(chance)
        names = chance.sample(IDS, 24)
        share = chance.randrange(3) * 4  # ids that both change
        one = gone_on(base, names[:12], "one", chance)
        two = gone_on(base, names[12 - share : 24 - share], "two", chance)
        texts = [text_of(branch) for branch in (base, one, two)]
        text = merged(folder, *texts)
        told.update(wrongs(text, [one, two], base))
        told["other bytes"] += merged(folder, texts[0], texts[2], texts[1]) != text
        told["not what both say"] += not share and text != text_of(expected(base, one, two))
        told["histories"] = number + 1
    return told


def triples(folder: Path, count: int, chance: random.Random) -> Counter[str]:
    told: Counter[str] = Counter()
    for number in range(count):
        base = begun(chance)
        names = chance.sample(IDS, 24)
        sides = [gone_on(base, names[at : at + 8], mark, chance) for at, mark in ((0, "a"), (8, "b"), (16, "c"))]
        start = text_of(base)
        found = set()
        for order in itertools.permutations(sides):
            first = merged(folder, start, text_of(order[0]), text_of(order[1]))
            found.add(merged(folder, start, first, text_of(order[2])))
        told["other bytes"] += len(found) != 1
        told["not what all say"] += found != {text_of(expected(base, *sides))}
        told["histories"] = number + 1
    return told


def git(repo: Path, *words: str) -> subprocess.CompletedProcess[str]:
    who = ("-c", "user.name=Ada", "-c", "user.email=ada@localhost")
    return subprocess.run(["git", "-C", str(repo), *who, *words], capture_output=True, text=True, check=False)


def in_git(folder: Path, count: int, chance: random.Random, *, has_driver: bool) -> Counter[str]:
    """The same in a real repo: with the driver, or without it and `memory resolve`."""
    told: Counter[str] = Counter()
    repo = folder / f"repo-{has_driver}"
    git(folder, "init", "-q", "-b", "main", str(repo))
    path = repo / PLACE
    path.parent.mkdir(parents=True)
    with chdir(repo):
        if has_driver:
            invoke("memory", "merge-driver", "install")
        for number in range(count):
            base = begun(chance)
            names = chance.sample(IDS, 24)
            sides = [gone_on(base, names[:12], "one", chance), gone_on(base, names[12:], "two", chance)]
            git(repo, "checkout", "-q", "--orphan", f"base{number}")
            for name, branch in ((f"base{number}", base), (f"one{number}", sides[0]), (f"two{number}", sides[1])):
                if branch is not base:
                    git(repo, "checkout", "-q", "-b", name, f"base{number}")
                path.write_text(text_of(branch), encoding="utf-8", newline="")
                git(repo, "add", "-A")
                git(repo, "commit", "-q", "--allow-empty", "-m", name)
            git(repo, "merge", "-q", "-m", "both", f"one{number}")
            if git(repo, "ls-files", "-u").stdout:
                told["conflicts"] += 1
                invoke("memory", "resolve")
                git(repo, "commit", "-q", "-m", "both")
            told["not what both say"] += path.read_text(encoding="utf-8") != text_of(expected(base, *sides))
            told["histories"] = number + 1
    return told


def damages(whole: str) -> Iterator[tuple[str, bytes]]:
    """Two hundred ways in which a file can be damaged."""
    data = whole.encode()
    for percent in range(1, 100):
        yield f"cut at {percent} %", data[: len(data) * percent // 100]
    lines = whole.split("\n")
    for mark in ("<<<<<<< ours", "=======", ">>>>>>> theirs", "||||||| base"):
        for at in range(0, len(lines) - 1, max(1, len(lines) // 10)):
            yield f"{mark} at line {at}", "\n".join([*lines[:at], mark, *lines[at:]]).encode()
    for value in ('"one"', "null", "2", "99", "-1", "[]", "{}", "1.5", "true", "1e99"):
        yield f"version {value}", whole.replace('"version": 1', f'"version": {value}').encode()
    for value in ("[", "{", "NaN", "01", '"\\ud800"', "[" * 5_000, "9" * 5_000, "tru", "'x'", '"\t\x00"'):
        yield f"value {value[:8]}", whole.replace('"version": 1', f'"version": 1, "x": {value}').encode()
    for encoding in ("utf-16", "utf-32", "utf-16-le"):
        yield encoding, whole.encode(encoding)
    for wrong in (
        b"",
        b"\x00" * 100,
        b"[]",
        b"null",
        b"1",
        b'"text"',
        b'{"facts": 3}',
        b'{"version": 1, "facts": [3]}',
    ):
        yield repr(wrong[:20]), wrong
    for at in range(0, len(data), max(1, len(data) // 25)):
        yield f"a byte at {at}", data[:at] + b"\xff" + data[at + 1 :]


def damaged(folder: Path, chance: random.Random) -> Counter[str]:
    """Each damage on each side: what is not sound is said, and no file is touched."""
    told: Counter[str] = Counter()
    base = begun(chance)
    whole = text_of(base)
    for name, data in damages(whole):
        told["damages"] += 1
        for side in ("base", "ours", "theirs"):
            files = {"base": whole.encode(), "ours": whole.encode(), "theirs": whole.encode(), side: data}
            for one, content in files.items():
                (folder / one).write_bytes(content)
            try:
                merge_files(folder / "base", folder / "ours", folder / "theirs")
            except MemsuggestError:
                told["refused"] += 1
                after = {file: (folder / file).read_bytes() for file in files}
                told["touched"] += after != files
            else:
                told["taken"] += 1
                kept = set(parse((folder / "ours").read_text(encoding="utf-8"), name="it").facts)
                if kept != set(base[0]):
                    told[f"lost by `{name}` in {side}"] += 1
    return told


def main(count: int = 2_000, threes: int = 500, real: int = 100) -> None:
    """Print the figures."""
    chance = random.Random(5)
    parts: dict[str, Callable[[Path], Counter[str]]] = {
        "two branches": lambda folder: pairs(folder, count, chance),
        "three branches, in every order": lambda folder: triples(folder, threes, chance),
        "in git, with the driver": lambda folder: in_git(folder, real, chance, has_driver=True),
        "in git, with resolve": lambda folder: in_git(folder, real, chance, has_driver=False),
        "damaged": lambda folder: damaged(folder, chance),
    }
    for name, part in parts.items():
        with tempfile.TemporaryDirectory() as folder:
            print(f"{name}: {json.dumps(dict(part(Path(folder))))}", flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
