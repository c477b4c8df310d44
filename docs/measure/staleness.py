"""Lines about what is gone, found by the tool itself in repositories made anew from lists of their paths. By hand.

    python docs/measure/staleness.py FOLDER [--half first|second] [--old] [--one-commit] [--verdicts FILE]

FOLDER has `cases.jsonl` (a case a line: `id`, `repo`, `date`) and `trees.jsonl.xz` (`case_id`, `files` with the texts
of the customization files, `paths`: all that the commit has). Of each repository a git history is made, a commit for
every tree; a file that is known by its path alone holds its own name, so that git sees where it moved. Then the tool
looks at the last tree. With `--old` the customization files are those of the first tree, as if nobody had cared for
them since; with `--one-commit` there is no history, as in a shallow clone.

Prints every line that is proposed. With `--verdicts`, a file of `gone <digest>` and `wrong <digest>` lines that a
person wrote after checking each, it also says how many are right.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import lzma
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memsuggest.core.context import Context, open_context
from memsuggest.core.model import Cause
from memsuggest.core.workspace import Machine
from memsuggest.suggestions.maintenance import chosen
from memsuggest.suggestions.stale_search import stale_suggestions

Tree = dict[str, Any]


@dataclass(frozen=True)
class Proposal:
    """A line that the tool proposes to take out or to put right."""

    repo: str
    path: str
    before: str
    after: str
    content: str
    why: str

    @property
    def digest(self) -> str:
        """What a verdict is about."""
        return hashlib.sha256(f"{self.repo}\0{self.path}\0{self.before}".encode()).hexdigest()[:12]


def is_in_half(repo: str, half: str) -> bool:
    """Tell whether a repository belongs to a half; the name decides, so that nobody chooses."""
    is_even = int(hashlib.sha256(repo.encode()).hexdigest(), 16) % 2 == 0
    return half == "all" or is_even == (half == "first")


def histories(folder: Path, half: str) -> dict[str, list[Tree]]:
    """Return the trees of each repository, oldest first."""
    cases = {case["id"]: case for case in map(json.loads, (folder / "cases.jsonl").read_text("utf-8").splitlines())}
    found: dict[str, list[tuple[str, Tree]]] = defaultdict(list)
    with lzma.open(folder / "trees.jsonl.xz", "rt", encoding="utf-8") as lines:
        for tree in map(json.loads, lines):
            case = cases[tree["case_id"]]
            if is_in_half(case["repo"], half):
                found[case["repo"]].append((case["date"], tree))
    return {repo: [tree for _, tree in sorted(trees, key=lambda one: one[0])] for repo, trees in sorted(found.items())}


def write_history(root: Path, trees: list[Tree]) -> None:
    """Make a git repository with a commit for every tree, and check out the last one."""
    subprocess.run(["git", "init", "-q", "-b", "main", str(root)], check=True)
    stream: list[bytes] = []
    for number, tree in enumerate(trees):
        files = tree["files"]
        stream.append(b"commit refs/heads/main\ncommitter A <a@example.invalid> %d +0000\n" % (1_700_000_000 + number))
        stream.append(b"data 6\ntree %d\n" % (number % 10))
        stream.append(b"deleteall\n")
        for path in {*tree["paths"], *files}:
            text = files.get(path, f"{path.rpartition('/')[2]}\n" * 4).encode()
            name = json.dumps(path, ensure_ascii=False).encode()
            stream.append(b"M 100644 inline %s\ndata %d\n%s\n" % (name, len(text), text))
    subprocess.run(["git", "-C", str(root), "fast-import", "--quiet"], input=b"".join(stream), check=True)
    subprocess.run(["git", "-C", str(root), "checkout", "-q", "-f", "main"], check=True)


def opened(root: Path, state: Path) -> Context:
    """Return the tool's view of a repository, with folders of its own."""
    names = ("DATA", "STATE", "CONFIG", "CACHE")
    environ = {"HOME": str(state), **{f"MEMSUGGEST_{name}_DIR": str(state / name.lower()) for name in names}}
    machine = Machine(environ=environ, platform=sys.platform, now=lambda: 1_700_000_000_000)
    return open_context(start=root, given=True, machine=machine, flags={})


def proposals(repo: str, trees: list[Tree], seconds: Counter[str]) -> tuple[list[Proposal], int]:
    """Return all that the tool proposes for a repository, and how many of them it shows at a time."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder, "repo")
        write_history(root, trees)
        context = opened(root, Path(folder, "state"))
        targets = [target for target in context.targets.targets if not target.uri.startswith("~/")]
        begun = time.perf_counter()
        found = [suggestion for suggestion in stale_suggestions(context, targets) if suggestion.maintenance]
        seconds[repo] = round(1000 * (time.perf_counter() - begun))
        context.close()
    made = [
        Proposal(repo, one.edit.path, one.replaces or "", one.suggested_merge_content, one.content, one.why)
        for one in found
        if one.maintenance and one.maintenance.cause is Cause.STALE
    ]
    return made, len(chosen(found, []).shown)


def main() -> None:
    """Print what is proposed, and how much of it is right."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--half", choices=("first", "second", "all"), default="first")
    parser.add_argument("--old", action="store_true")
    parser.add_argument("--one-commit", action="store_true")
    parser.add_argument("--verdicts", type=Path)
    asked = parser.parse_args()
    rows = asked.verdicts.read_text("utf-8").split("\n") if asked.verdicts else []
    verdicts = {row.split()[1]: row.split()[0] for row in rows if len(row.split()) > 1}
    counts: Counter[str] = Counter()
    seconds: Counter[str] = Counter()
    for repo, trees in histories(asked.folder, asked.half).items():
        kept = [{**tree, "files": trees[0]["files"]} for tree in trees] if asked.old else trees
        found, shown = proposals(repo, kept[-1:] if asked.one_commit else kept, seconds)
        counts += Counter(verdicts.get(one.digest, "unchecked") for one in found)
        counts["shown"] += shown
        for one in found:
            print(f"{one.digest} {verdicts.get(one.digest, '?'):6} {repo} {one.path}\n  - {one.before}")
            print(f"  + {one.after}\n  {one.content} · {one.why}")
    right, wrong = counts["gone"], counts["wrong"]
    print(f"\n{sum(counts.values()) - counts['shown']} proposed, {counts['shown']} shown at a first look")
    print(f"{right} right, {wrong} wrong, {counts['unchecked']} unchecked; slowest, in ms: {seconds.most_common(3)}")


if __name__ == "__main__":
    main()
