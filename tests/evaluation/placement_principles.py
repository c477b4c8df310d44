"""Whether places keep to what everybody would expect of them, over real repos: who loads a file, and where in it.

    python tests/evaluation/placement_principles.py FOLDER_OF_REPOS [--show] [--paths NUMBER]

Rules of ours are asked about in every repo of a folder, citing files that each of its instructions covers, or files
that none covers, or none. Counted is each way in which a place would be wrong whatever the rule says.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

from memsuggest.core.model import Citation, Kind, MemoryFact, MemorySuggestion, Scope, TargetType, fact_id
from memsuggest.customizations.applyto import differences, is_unconditional, matching_pattern
from memsuggest.customizations.discovery import find_targets
from memsuggest.customizations.frontmatter import parse
from memsuggest.suggestions.placement.lists import is_about_examples
from memsuggest.suggestions.ranking.hosts import ROOTS, Host, readers_of
from memsuggest.suggestions.ranking.workspace_index import WorkspaceIndex
from memsuggest.suggestions.suggest import suggest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from memsuggest.core.model import Target

OF_FILES = (
    "Functions there have at most three parameters",
    "Never use default exports in `{path}`",
    "Keep helpers private in `{folder}`",
    "Prefer early returns to nested conditions",
    "Log errors with the request id",
)
"""Rules with files: cited beside them, or named in them."""
OF_ALL = (
    "Commit messages have no emojis",
    "Write tests before the code",
    "Never add a dependency without asking first",
    "Use American spelling in comments",
    "Error messages end without a full stop",
)


class Asked(NamedTuple):
    """A rule, the files it is about, and the assistant that was told."""

    content: str
    paths: tuple[str, ...]
    format: str = ""
    scope: Scope = Scope.WORKSPACE


class Repo(NamedTuple):
    """A repo's files, and which of them are for some files only."""

    name: str
    index: WorkspaceIndex
    paths: tuple[str, ...]
    some: tuple[Target, ...]


def main() -> None:
    """Ask in every repo, count, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--show", action="store_true", help="print every place that is wrong")
    parser.add_argument("--paths", type=int, default=2, help="files to cite of each file of instructions")
    wanted = parser.parse_args()
    counts: Counter[str] = Counter()
    asked: Counter[str] = Counter()
    for root in sorted(path for path in wanted.folder.iterdir() if path.is_dir()):
        repo = _read(root)
        for sort, one in _questions(repo, each=wanted.paths):
            asked[sort] += 1
            for wrong in _wrongs(repo, one):
                counts[wrong] += 1
                if wanted.show:
                    sys.stdout.write(f"{wrong}: {repo.name}: {one.content} {list(one.paths)} {one.format}\n")
                    sys.stdout.write(f"    {_told(repo, one)}\n")
    sys.stdout.write(f"asked: {dict(asked)}\n" + "".join(f"{n:6d} {wrong}\n" for wrong, n in counts.most_common()))


def _read(root: Path) -> Repo:
    with TemporaryDirectory() as home:
        found = find_targets(root, home=Path(home), environ={}, platform="linux")
    index = WorkspaceIndex(found.targets, tracked_paths=found.tracked_paths, root=str(root), closed=list(found.links))
    some = tuple(
        target
        for target in found.targets
        if target.type is TargetType.INSTRUCTIONS
        and target.applies_to
        and not target.always_on
        and not is_unconditional(target.applies_to)
        and not target.uri.startswith(".cursor/")
    )
    return Repo(root.name, index, tuple(found.tracked_paths), some)


def _questions(repo: Repo, *, each: int) -> Iterator[tuple[str, Asked]]:
    chance = random.Random(15)
    own = set(repo.index.by_uri)
    paths = [path for path in repo.paths if path not in own and not path.endswith(".md")]
    for target in repo.some:
        covered = [path for path in paths if _covers(repo, target, path)]
        for path in chance.sample(covered, min(each, len(covered))):
            for rule in OF_FILES:
                yield "covered", _about(rule, path)
    free = [path for path in paths if "/" in path and not any(_covers(repo, target, path) for target in repo.some)]
    for path in chance.sample(free, min(3 * each, len(free))):
        for rule in OF_FILES:
            yield "not covered", _about(rule, path)
    for rule in OF_ALL:
        for form in ("", "claude-code", "codex", "vscode-chat"):
            yield "of all", Asked(rule, (), form)


def _about(rule: str, path: str) -> Asked:
    return Asked(rule.format(path=path, folder=f"{path.rpartition('/')[0]}/"), (path,))


def _covers(repo: Repo, target: Target, path: str) -> bool:
    return matching_pattern(target.applies_to, path, root=repo.index.root) is not None


def _made(repo: Repo, one: Asked) -> MemorySuggestion | object:
    citation = Citation(session_id="s", turn=1, quote=one.content, paths=one.paths, format=one.format)
    fact = MemoryFact(
        id=fact_id(one.scope, one.content),
        content=one.content,
        kind=Kind.CONVENTION,
        scope=one.scope,
        confidence=0.9,
        citations=(citation,),
        timestamp=1,
    )
    return suggest(fact, repo.index)


def _wrongs(repo: Repo, one: Asked) -> Iterator[str]:
    made = _made(repo, one)
    if not isinstance(made, MemorySuggestion):
        return
    covering = [target for target in repo.some for path in one.paths if _covers(repo, target, path)]
    uri, target = made.edit.path, repo.index.by_uri.get(made.edit.path)
    if target is None:
        yield from _wrongs_of_new(repo, one, made, covering)
        return
    if one.paths and not _is_loaded(repo, target, one.paths):
        yield "a file that is not loaded for the files"
    if not one.paths and target not in repo.index.general(Scope.WORKSPACE):
        yield "a file for some things, and the rule is about all"
    if covering and target not in covering and "`" in one.content and target.folder in ROOTS:
        yield "a file for everything, where one for just these files stands"
    if one.format and readers_of(uri) and not _is_read(uri, one.format):
        others = [other.uri for other in repo.index.general(Scope.WORKSPACE) if _is_read(other.uri, one.format)]
        if others:
            yield "a file that the assistant which was told does not read"
    yield from _wrongs_in_file(made, target)


def _wrongs_of_new(repo: Repo, one: Asked, made: MemorySuggestion, covering: Iterable[Target]) -> Iterator[str]:
    if any(covering):
        yield "a new file, where one covers the files"
    elif repo.index.general(Scope.WORKSPACE) and not one.paths:
        yield "a new file, where one holds for everything"
    apply_to = parse(made.edit.after or "").apply_to
    if apply_to and one.paths:
        if not all(matching_pattern(apply_to, path, root=repo.index.root) for path in one.paths):
            yield "a new file that is not loaded for the files"
        if differences(apply_to, one.paths, repo.index.root):
            yield "a new file that hosts load differently"


def _is_loaded(repo: Repo, target: Target, paths: Iterable[str]) -> bool:
    if target in repo.some:
        return any(_covers(repo, target, path) for path in paths)
    if target.type is TargetType.SKILL or (target.always_on and target.folder not in ROOTS):
        return any(path.startswith(f"{target.folder}/") for path in paths)
    return target.type is TargetType.INSTRUCTIONS


def _is_read(uri: str, form: str) -> bool:
    host = {"claude-code": Host.CLAUDE, "codex": Host.CODEX, "vscode-chat": Host.COPILOT}[form]
    return host in readers_of(uri)


def _wrongs_in_file(made: MemorySuggestion, target: Target) -> Iterator[str]:
    heading = made.heading or ""
    if is_about_examples(heading):
        yield "under a heading that explains, or shows examples"
    if heading and f"# {heading}" not in target.text and made.replaces is None:
        yield "a heading of its own"


def _told(repo: Repo, one: Asked) -> str:
    made = _made(repo, one)
    if not isinstance(made, MemorySuggestion):
        return str(made)
    text = re.sub(r"\s+", " ", made.suggested_merge_content or "")[:140]
    return f"{made.edit.path}: {made.why}: {text}"


if __name__ == "__main__":
    main()
