"""What must hold of every edit, whatever the file and the rule: checks that tests and `docs/measure/edits.py` share."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path

from memsuggest.core.model import Citation, Kind, MemoryFact, MemorySuggestion, Scope, Target, fact_id
from memsuggest.customizations.blocks.line_kinds import bare, split_lines
from memsuggest.customizations.diff import unified
from memsuggest.customizations.discovery import target_from
from memsuggest.customizations.frontmatter import header_end
from memsuggest.suggestions.ranking.workspace_index import AlreadySaid, WorkspaceIndex
from memsuggest.suggestions.suggest import replan, suggest


@dataclass(frozen=True, slots=True)
class OwnRule:
    """A rule of ours, to be put anywhere."""

    kind: Kind
    content: str
    paths: tuple[str, ...] = ()


def read_rules(path: Path) -> list[OwnRule]:
    """Read `kind | rule | paths` lines."""
    rows = [line.split(" | ") for line in path.read_text(encoding="utf-8").split("\n") if line and line[0] != "#"]
    return [OwnRule(Kind(kind), content, tuple(" ".join(paths).split())) for kind, content, *paths in rows]


def fact_of(
    content: str, *, kind: Kind = Kind.CONVENTION, paths: tuple[str, ...] = (), scope: Scope = Scope.WORKSPACE
) -> MemoryFact:
    """Return a fact that somebody typed."""
    citation = Citation(session_id="s", turn=1, quote=content[:300], paths=paths)
    return MemoryFact(
        id=fact_id(scope, content),
        content=content,
        kind=kind,
        scope=scope,
        confidence=0.9,
        citations=(citation,),
        timestamp=1,
    )


@dataclass(frozen=True, slots=True, eq=False)
class Files:
    """The files of a workspace, and what else is known of it."""

    targets: tuple[Target, ...]
    tracked: tuple[str, ...] = ()
    root: str = "/repo"

    def workspace_index(self) -> WorkspaceIndex:
        """Lay them out."""
        return _workspace_index(self)

    def with_file(self, target: Target) -> Files:
        """Return them with one more, or one instead."""
        others = [one for one in self.targets if one.uri != target.uri]
        return replace(self, targets=(*others, target))


@lru_cache(maxsize=1)
def _workspace_index(files: Files) -> WorkspaceIndex:
    return WorkspaceIndex(files.targets, tracked_paths=files.tracked, root=files.root)


@dataclass(slots=True)
class Judge:
    """Says what is wrong with edits; asks git in a folder of its own."""

    folder: Path
    asked: int = 0
    started: bool = field(default=False)

    def violations(self, made: MemorySuggestion, files: Files) -> list[str]:
        """Name everything that does not hold of a suggestion for one of these files, or for a new one."""
        edit, found = made.edit, []
        before, after = edit.before or "", edit.after or ""
        if after == before:
            found.append("it changes nothing")
        if not keeps_lines(before, after, replaced=made.replaces):
            found.append("old lines are lost or out of order")
        if head_of(before) and head_of(before) != after[: len(head_of(before))]:
            found.append("the front matter is another")
        if before and before.endswith("\n") != after.endswith("\n"):
            found.append("the end of the file is another")
        if "\r\n" in before and before.count("\n") == before.count("\r\n") and after.count("\n") != after.count("\r\n"):
            found.append("line ends are mixed")
        found += self._git(made)
        return found + _again(made, files)

    def _git(self, made: MemorySuggestion) -> list[str]:
        """Let git apply the diff, and compare the bytes."""
        if not self.started:
            subprocess.run(["git", "init", "-q", str(self.folder)], check=True)
            self.started = True
        edit = made.edit
        path = self.folder / edit.path.replace("~", "home")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        if edit.before is not None:
            path.write_bytes(edit.before.encode())
        diff = unified(replace(edit, path=edit.path.replace("~", "home")))
        command = ["git", "-c", "core.autocrlf=false", "apply", "--whitespace=nowarn"]
        self.asked += 1
        for more in (["--check"], []):
            done = subprocess.run(
                [*command, *more], check=False, input=diff.encode(), capture_output=True, cwd=self.folder
            )
            if done.returncode:
                return [f"git: {done.stderr.decode()[:200]}"]
        same = path.read_bytes() == (edit.after or "").encode()
        path.unlink()
        return [] if same else ["what git made of it is something else"]


def head_of(text: str) -> str:
    """Return the front matter of a text, with its fences."""
    lines = split_lines(text)
    return "".join(lines[: header_end([bare(line) for line in lines])])


def keeps_lines(before: str, after: str, *, replaced: str | None) -> bool:
    """Whether every old line is there in order, but for one stretch that is said to be replaced."""
    old, new = split_lines(before), split_lines(after)
    if replaced is not None:
        gone = replaced.split("\n")
        places = [
            at
            for at in range(len(old) - len(gone) + 1)
            if [bare(line) for line in old[at : at + len(gone)]] == [bare(line) for line in gone]
        ]
        return any(_in_order(old[:at] + old[at + len(gone) :], new) for at in places)
    return _in_order(old, new)


def _in_order(old: list[str], new: list[str]) -> bool:
    rest = iter(new)
    return all(any(bare(line) == bare(other) for other in rest) for line in old)


def _again(made: MemorySuggestion, files: Files) -> list[str]:
    """Ask again when it is written: it must be said then, and nothing is left to plan."""
    if made.edit.after is None:
        return []
    there = target_from(made.edit.path, made.edit.after)
    files = files.with_file(there)
    again = suggest(made.fact, WorkspaceIndex(files.targets, tracked_paths=files.tracked, root=files.root))
    found = [] if isinstance(again, AlreadySaid) else [f"a second time it is {type(again).__name__}, not said"]
    if replan(made, there) is not None:
        found.append("it can be planned on top of itself")
    return found


def sides_of(text: str) -> tuple[str, str]:
    """Return a text before and after an edit: `«` begins lines that go, `»` lines that come."""
    lines = text.splitlines(keepends=True)
    before, after = (
        "".join(line.removeprefix(own) for line in lines if not line.startswith(other)) for own, other in ("«»", "»«")
    )
    return before, after
