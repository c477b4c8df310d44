"""Apply suggestions to real customization files through the commands themselves, and take each back.

    python tests/evaluation/edits_undone.py DATA_FOLDER [--limit NUMBER] [--every NUMBER]

For each case the repository is laid out (customization files with their text, all other paths in git's index), its
rule is remembered, and what `list` then shows, care of the files among it, is applied one by one. Of each it is
checked: the diff that was shown is what git makes of it, byte for byte; old lines survive in order unless they are said
to be replaced; front matter stays but for lints; a second look finds nothing left of it; `undo` restores every byte of
the working tree, the team's facts included.
"""

from __future__ import annotations

import argparse
import json
import lzma
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from edit_kit import head_of, keeps_lines
from typer.testing import CliRunner

from memsuggest.cli.app import build_app

EMPTY = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"


def lay_out(tree: dict[str, Any], root: Path) -> None:
    """Write a case's files, and put all paths into an index."""
    for path, text in tree["files"].items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text.encode())
    for link, to in tree["links"].items():
        target = root / link
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.exists():
            target.symlink_to(os.path.relpath(root / to, target.parent))
    subprocess.run(["git", "init", "-q", root], check=True)
    rows = "".join(f"100644 {EMPTY}\t{path}\0" for path in tree["paths"]).encode()
    subprocess.run(["git", "-C", root, "update-index", "-z", "--index-info"], check=True, input=rows)


def bytes_of(root: Path) -> dict[str, bytes]:
    """Return every file of a working tree."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if ".git" not in path.relative_to(root).parts and path.is_file() and not path.is_symlink()
    }


class Case:
    """One repository, and what is wrong with what was done to it."""

    def __init__(self, name: str, root: Path) -> None:
        self.name = name
        self.root = root
        self.broken: list[str] = []

    def run(self, *words: str) -> tuple[int, str]:
        """Run a command in the repository."""
        given = [words[0], "--repo", str(self.root), *words[1:]]
        done = CliRunner().invoke(build_app(given), given)
        if done.exception and not isinstance(done.exception, SystemExit):
            raise done.exception
        return done.exit_code, done.stdout

    def listed(self) -> list[dict[str, Any]]:
        """Return what waits."""
        report = json.loads(self.run("list", "--format", "json")[1])
        return [*report["suggestions"], *report["care"]]

    def check(self, one: dict[str, Any]) -> str:
        """Apply one, look, take it back; return what sort of edit it was."""
        before = bytes_of(self.root)
        wanted = self._by_git(one["diff"], before)
        if one["executable"]:
            return "executable"
        code, _ = self.run("apply", one["id"], "--yes")
        after = bytes_of(self.root)
        path = one["targetUri"] or one["suggestedFileName"]
        told = {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}
        self._require(code == 0, "it cannot be applied")
        self._require(told <= {path, ".github/memories/facts.json"}, "another file changed")
        self._require(after.get(path) == wanted, "git makes something else of the diff")
        old, new = before.get(path, b"").decode(), after.get(path, b"").decode()
        if one["cause"] != "lint":
            self._require(keeps_lines(old, new, replaced=one["replaces"]), "old lines are lost")
            self._require(new.startswith(head_of(old)), "the front matter is another")
        ids = {other["id"] for other in self.listed()}
        self._require(one["id"] not in ids, "it waits again")
        self._require(self.run("apply", one["id"], "--yes")[0] == 1, "it can be applied twice")
        self._require(self.run("undo")[0] == 0, "it cannot be undone")
        self._require(bytes_of(self.root) == before, "undo does not restore the bytes")
        return f"{one['cause']} {'replaces' if one['replaces'] else 'adds' if one['targetUri'] else 'new file'}"

    def _by_git(self, diff: str, before: dict[str, bytes]) -> bytes | None:
        """Return what git makes of a file by its diff, in a folder of its own."""
        with tempfile.TemporaryDirectory() as folder:
            name = diff.split("\n", 1)[0].partition(" b/")[2].strip('"')
            subprocess.run(["git", "init", "-q", folder], check=True)
            if name in before:
                Path(folder, name).parent.mkdir(parents=True, exist_ok=True)
                Path(folder, name).write_bytes(before[name])
            command = ["git", "-C", folder, "-c", "core.autocrlf=false", "apply", "--whitespace=nowarn"]
            for more in (["--check"], []):
                done = subprocess.run([*command, *more], check=False, input=diff.encode(), capture_output=True)
                self._require(done.returncode == 0, f"git: {done.stderr.decode()[:200]}")
            made = Path(folder, name)
            return made.read_bytes() if made.exists() else None

    def _require(self, holds: bool, what: str) -> None:
        if not holds:
            self.broken.append(what)


def main() -> None:
    """Go through the cases, print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--limit", type=int, default=10_000)
    parser.add_argument("--every", type=int, default=1)
    wanted = parser.parse_args()
    rows = {row["id"]: row for row in map(json.loads, (wanted.folder / "cases.jsonl").open(encoding="utf-8"))}
    work = Path(tempfile.mkdtemp())
    os.environ.update({"HOME": str(work / "home"), "NO_COLOR": "1", "TERM": "dumb", "GIT_CONFIG_GLOBAL": os.devnull})
    sorts: Counter[str] = Counter()
    broken: Counter[str] = Counter()
    started = time.perf_counter()
    with lzma.open(wanted.folder / "trees.jsonl.xz", "rt", encoding="utf-8") as trees:
        for number, tree in enumerate(map(json.loads, trees)):
            if number % wanted.every or number // wanted.every >= wanted.limit:
                continue
            row = rows[tree["case_id"]]
            case = Case(f"{row['repo']} {row['id']}", work / "repo")
            shutil.rmtree(work, ignore_errors=True)
            (work / "home").mkdir(parents=True)
            lay_out(tree, case.root)
            cited = [word for path in row["changed_files"] for word in ("--path", path)]
            code, _ = case.run("remember", row["text"], *cited)
            case.run("reconcile", "--quiet")
            listed = case.listed()
            sorts["refused" if code else "nothing to do" if not listed else "cases"] += 1
            for statement in listed:
                sorts[case.check(statement)] += 1
            for what in case.broken:
                broken[what] += 1
                sys.stdout.write(f"BROKEN {case.name}: {what}\n")
    shutil.rmtree(work, ignore_errors=True)
    for name, count in sorted(sorts.items()):
        sys.stdout.write(f"{count:6} {name}\n")
    sys.stdout.write(f"{sum(broken.values())} violations in {time.perf_counter() - started:.0f} s\n")


if __name__ == "__main__":
    main()
