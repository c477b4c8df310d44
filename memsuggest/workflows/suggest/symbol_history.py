"""Names of code and of packages that the repo had when a rule was written, and has no more: git is asked.

Where nothing in the tree has a symbol, the commit that wrote the rule's line tells whether the repo itself defined it
then. Of the few that it did, only the files which had it are followed to the commit that took it away.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

from memsuggest.customizations.staleness.references import Reference, ReferenceKind
from memsuggest.customizations.staleness.removal import Removal
from memsuggest.customizations.staleness.removed_names import (
    definition_pattern,
    is_manifest,
    package_key,
    package_pattern,
    removed_packages,
    removed_symbols,
)
from memsuggest.customizations.staleness.stale_lines import cited_names
from memsuggest.git import run_git
from memsuggest.identity import hash_of
from memsuggest.suggestions.store.pending_suggestions import load_answers, save_answers
from memsuggest.workflows.suggest.git_history import PATCHES, commits_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memsuggest.model import Target
    from memsuggest.workflows.context import Context

_NO_TEXTS = tuple(
    f":(exclude,icase,glob)**/{name}"
    for name in (
        *("*.md", "*.mdc", "*.mdx", "*.rst", "changelog", "changelog.*"),
        *("*.lock", "*.lockb", "*-lock.*", "*.lock.*", "npm-shrinkwrap.json", "*.sum"),
    )
)
_GREP = ("grep", "--no-recurse-submodules", "--no-color", "-I", "-w", "-F", "-h", "-o")
_MOST_NAMES = 400
_MOST_FILES = 25  # whose lines' commits are asked for
_MOST_COMMITS = 8  # that wrote rules, and whose trees are looked at
_MOST_MANIFESTS = 40
_BLAMED = re.compile(r"^([0-9a-f]{40,64}) \d+ \d+(?: \d+)?\n(?:[^\t\n].*\n)*\t(.*)$", re.MULTILINE)
"""A line of `git blame --porcelain`: the commit and the line's text."""


def removed_names(context: Context, targets: Sequence[Target]) -> dict[Reference, Removal]:
    """Return the names that some files give and that a commit took out of the repo."""
    cited = {target.uri: cited_names(target) for target in targets}
    wanted = list(dict.fromkeys(one for found in cited.values() for _, one in found))[:_MOST_NAMES]
    head = (run_git(context.root, "rev-parse", "HEAD") or b"").decode("ascii", "replace").strip()
    if not wanted or not head:
        return {}
    key = hash_of("names", head, *(f"{target.uri}\0{target.digest}" for target in targets if cited[target.uri]))
    held = load_answers(context.state, context.place.worktree_key, key)
    if held is None:
        found = _found(context, cited, wanted)
        if not context.is_dry:
            told = [[asdict(one), asdict(removal)] for one, removal in found.items()]
            save_answers(context.state, context.place.worktree_key, head=head, key=key, told=json.dumps(told))
        return found
    return {_reference(one): Removal(**removal) for one, removal in json.loads(held)}


def _reference(fields: dict[str, object]) -> Reference:
    kind = ReferenceKind(str(fields.pop("kind")))
    return Reference(kind=kind, **fields)  # type: ignore[arg-type]  # as they were written from one


def _found(
    context: Context, cited: dict[str, list[tuple[str, Reference]]], wanted: list[Reference]
) -> dict[Reference, Removal]:
    packages = {one.name for one in wanted if one.kind is ReferenceKind.PACKAGE}
    symbols = {one.name for one in wanted if one.kind is ReferenceKind.SYMBOL}
    removed = _packages(context, packages) | _symbols(context, cited, _absent(context, symbols))
    return {one: removed[one.name] for one in wanted if one.name in removed}


def _absent(context: Context, names: set[str], places: Sequence[str] = (".", *_NO_TEXTS)) -> set[str]:
    """Return which names no file has but texts and lock files; none where git does not say."""
    return names - _present(context, names, places)


def _present(context: Context, names: set[str], places: Sequence[str], *how: str) -> set[str]:
    """Return which names some files have, as they are spelled there; all of them where git does not say."""
    told = run_git(context.root, *_GREP, *how, *_each(names), "--", *places, accept=(0, 1)) if names else b""
    return set(told.decode("utf-8", "replace").split("\n")) if told is not None else names


def _each(names: Iterable[str]) -> list[str]:
    return [word for name in sorted(names) for word in ("-e", name)]


def _packages(context: Context, names: set[str]) -> dict[str, Removal]:
    manifests = [path for path in context.targets.tracked_paths if is_manifest(path)]
    places = sorted(manifests, key=lambda path: path.count("/"))[:_MOST_MANIFESTS]
    spellings = {name: {name, *(re.sub(r"[-_.]", mark, name) for mark in "-_.")} for name in names}
    there = {package_key(one) for one in _present(context, set().union(*spellings.values()), places, "-i")}
    undeclared = {name for name in names if package_key(name) not in there} if places and names else set()
    if not undeclared:
        return {}
    told = run_git(context.root, *PATCHES, f"-G{package_pattern(undeclared)}", "--", *places)
    found: dict[str, Removal] = {}
    for removal, patch in commits_of(told):
        for name in removed_packages(undeclared, patch):
            found.setdefault(name, removal)
    unused = _absent(context, set(found))
    return {name: removal for name, removal in found.items() if name in unused}


def _symbols(context: Context, cited: dict[str, list[tuple[str, Reference]]], names: set[str]) -> dict[str, Removal]:
    written: dict[str, set[str]] = defaultdict(set)
    files = [uri for uri, found in cited.items() if any(one.name in names for _, one in found)]
    for uri in files[:_MOST_FILES]:
        commits = _writers(context, uri)
        for line, one in cited[uri]:
            if one.name in names and line in commits:
                written[commits[line]].add(one.name)
    found: dict[str, Removal] = {}
    for commit in list(written)[:_MOST_COMMITS]:
        found |= _gone_since(context, commit, written[commit] - found.keys())
    return found


def _writers(context: Context, uri: str) -> dict[str, str]:
    """Return the commit that wrote each line of a file, as it was committed last; by the lines' texts."""
    told = run_git(context.root, "blame", "--no-textconv", "--porcelain", "HEAD", "--", uri) or b""
    return {line.rstrip("\r"): commit for commit, line in _BLAMED.findall(told.decode("utf-8", "replace"))}


def _gone_since(context: Context, commit: str, names: set[str]) -> dict[str, Removal]:
    """Return which names a commit's tree defines, with the later commit that took each away."""
    if not names:
        return {}
    pattern = definition_pattern(names)
    asked = ("grep", "--no-recurse-submodules", "--no-color", "-I", "-l", "-z", "-E", "-e", pattern, commit)
    told = run_git(context.root, *asked, "--", ".", *_NO_TEXTS, accept=(0, 1)) or b""
    files = [one.partition(":")[2] for one in told.decode("utf-8", "surrogateescape").split("\0") if one]
    if not files:
        return {}
    words = (*PATCHES, f"-G{pattern}", f"{commit}..HEAD", "--", *files[:_MOST_MANIFESTS])
    found: dict[str, Removal] = {}
    for removal, patch in commits_of(run_git(context.root, "--literal-pathspecs", *words)):
        for name, new in removed_symbols(names, patch).items():
            found.setdefault(name, replace(removal, renamed_to=new))
    lost = _absent(context, {one.renamed_to for one in found.values() if one.renamed_to})
    return {
        name: replace(removal, renamed_to="") if removal.renamed_to in lost else removal
        for name, removal in found.items()
    }
