"""The kept index: a run with a warm, a cold or a damaged one says the same, whatever happened to the files."""

from __future__ import annotations

import os
import random
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path
from typing import Any

from memsuggest.core.model import Scope
from memsuggest.customizations.discovery import FileSearch
from memsuggest.customizations.kept_index import KeptIndex, made_anew
from memsuggest.customizations.staleness.declared_tasks import NO_TASKS
from memsuggest.customizations.staleness.stale_lines import known_paths
from memsuggest.held.rule_outcome import rule_lines_of
from memsuggest.suggestions.ranking.workspace_index import WorkspaceIndex
from memsuggest.suggestions.stale_search import stale_in

WORDS = ("Use pnpm", "never npm", "Run `make lint`", "Keep prices in cents", "Mock nothing in tests")
RULES = ("use pnpm, never npm", "run make lint", "prices are kept in cents", "never mock anything in tests", "use yarn")
HEADS = ("", '---\napplyTo: "src/**"\n---\n', "---\nname: odd\ndescription: An odd one\n---\n", "\ufeff")
RULES_FILE, SKILL = ".github/instructions/a.instructions.md", ".claude/skills/b/SKILL.md"
NAMES = ("AGENTS.md", "docs/AGENTS.md", RULES_FILE, SKILL, "CLAUDE.md")
FORMS = ("- See `docs/old.md`.\n", "## {}\n", "- {}.\n", "{}; {}.\n", "| a | b |\n|---|---|\n| {} | x |\n", "\n")


def some_text(chance: random.Random) -> str:
    lines = [chance.choice(HEADS)]
    for _ in range(chance.randrange(1, 12)):
        words = f"{chance.choice(WORDS)} {chance.choice(WORDS).lower()}"
        lines.append(chance.choice(FORMS).replace("{}", words))
    return "".join(lines)


def change(chance: random.Random, root: Path) -> None:
    """Write, edit, rename or delete a file; or put other words of the same length there, at the same time."""
    path = root / chance.choice(NAMES)
    path.parent.mkdir(parents=True, exist_ok=True)
    kind = chance.randrange(5)
    if not path.exists() or kind == 0:
        path.write_text(some_text(chance), encoding="utf-8")
    elif kind == 1:
        path.unlink()
    elif kind == 2:
        other = root / chance.choice(NAMES)
        other.parent.mkdir(parents=True, exist_ok=True)
        path.rename(other)
    else:
        seen, text = path.stat(), path.read_text(encoding="utf-8")
        other_words = text.replace("pnpm", "yarn").replace("make", "task") if kind == 3 else text[::-1]
        path.write_text(other_words, encoding="utf-8")
        os.utime(path, ns=(seen.st_atime_ns, seen.st_mtime_ns))


def answers(root: Path, keep: Any) -> list[Any]:
    """All that readers of the index ask it for."""
    found = FileSearch(root, home=None, environ={}, platform="linux").targets(keep)
    index = WorkspaceIndex(found.targets, keep=keep)
    lines, files = index.existing_rules[Scope.WORKSPACE], index.indexes[Scope.WORKSPACE]
    likes = [(like.similarity, like.existing_rule, like.text) for rule in RULES for like in lines.like(rule)]
    stale = stale_in(found.targets, known_paths(("src/a.py", *found.tracked_paths)), NO_TASKS, keep)
    rows = [rule_lines_of(target, keep=keep) for target in found.targets]
    return [found, likes, files.files, files.parts, rows, stale]


def damage(chance: random.Random, path: Path) -> None:
    """Break some bytes of the index, or a row, or put something else there."""
    kind = chance.randrange(4)
    content = bytearray(path.read_bytes())
    if kind == 0:
        path.write_bytes(b"")
    elif kind == 1:
        path.write_bytes(b"no database at all" * 100)
    elif kind == 2:
        for _ in range(40):
            content[chance.randrange(len(content))] ^= 255
        path.write_bytes(content)
    else:
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("UPDATE kept SET told = substr(told, 1, length(told) / 2) || x'5d'")
            connection.commit()


def test_the_index_never_changes_an_answer(git_repo: Path, tmp_path: Path) -> None:
    """Random edits, renames, deletions and touches; warm, cold and damaged; two working trees in one index."""
    chance, path = random.Random(7), tmp_path / "state" / "index.db"
    other = tmp_path / "other"
    other.mkdir()
    subprocess.run(["git", "init", "-q", str(other)], check=True)
    stale = 0
    for step in range(24):
        for root in (git_repo, other):
            for _ in range(chance.randrange(1, 4)):
                change(chance, root)
            if path.exists() and step % 4 == 3:
                damage(chance, path)
            kept = KeptIndex(path, worktree=root.name)
            wanted = answers(root, made_anew)
            assert answers(root, kept.of) == wanted, step
            kept.save()
            again = KeptIndex(path, worktree=root.name, read_only=True)
            assert answers(root, again.of) == wanted, step
            stale += len(wanted[-1])
    assert stale  # lines that name a file that is gone were among them


def test_a_warm_index_parses_nothing(git_repo: Path, tmp_path: Path) -> None:
    """What did not change is not made again; what is gone is let go of."""
    chance = random.Random(3)
    for name in NAMES:
        (git_repo / name).parent.mkdir(parents=True, exist_ok=True)
        (git_repo / name).write_text(some_text(chance), encoding="utf-8")
    made: list[str] = []
    for number in range(3):
        if number == 2:
            (git_repo / "AGENTS.md").unlink()
        made.clear()
        kept = KeptIndex(tmp_path / "index.db", worktree="one")

        def noted(part: str, uri: str, digest: str, make: Any, /, kept: KeptIndex = kept) -> Any:
            return kept.of(part, uri, digest, lambda: made.append(uri) or make())

        found = answers(git_repo, noted)[0]
        kept.drop_others({target.uri for target in found.targets})
        assert set(made) == (set(NAMES) if number == 0 else set())
        kept.save()
    with closing(sqlite3.connect(tmp_path / "index.db")) as connection:
        uris = {uri for (uri,) in connection.execute("SELECT uri FROM kept")}
    assert uris == set(NAMES) - {"AGENTS.md"}
