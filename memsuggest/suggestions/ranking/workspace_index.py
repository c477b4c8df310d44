"""All customization files of a workspace and of a person, ready for many facts; and those that a fact may go to.

A new file is the last resort. Pure.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from memsuggest.core.model import MemoryFact, MemorySuggestion, Scope, Target, TargetType
from memsuggest.customizations.applyto import is_unconditional, matching_pattern
from memsuggest.customizations.blocks.scan import is_generated_file
from memsuggest.customizations.kept_index import Keep, made_anew
from memsuggest.suggestions.existing_rules import ExistingRules, Like
from memsuggest.suggestions.placement.new_file import NewFile, new_file, of_new_file, pattern_of
from memsuggest.suggestions.ranking.hosts import ROOTS, host_first, host_of
from memsuggest.suggestions.ranking.match import NOT_LOADED, Ranked, Rule, TargetIndex, ranked
from memsuggest.suggestions.ranking.repo_paths import INSIDE

_SHORT = 200
"""Characters of a file that holds no more than a pointer to another one."""


class WorkspaceIndex:
    """Files with what they say, how they are ranked, and which of them are closed."""

    def __init__(
        self,
        targets: Sequence[Target],
        *,
        tracked_paths: Sequence[str] = (),
        root: str = "",
        closed: Collection[str] = (),
        keep: Keep = made_anew,
    ) -> None:
        """Lay the files out; `closed` are those that are read but never written (not ours to change, or refused).

        `keep` has what was made of files before.
        """
        self.keep = keep
        self._targets = tuple(targets)
        self._tracked_paths = tuple(tracked_paths)
        self.root = root
        self._closed = frozenset(closed)
        self.made: dict[tuple[str, frozenset[str]], tuple[object, Any]] = {}
        """What came of facts, by their ids and what was decided: pure, so it holds as long as the files do."""

    @cached_property
    def indexes(self) -> dict[Scope, TargetIndex]:
        return {
            scope: TargetIndex(self.of(scope), tracked_paths=self._tracked_paths, root=self.root, keep=self.keep)
            for scope in Scope
        }

    @cached_property
    def existing_rules(self) -> dict[Scope, ExistingRules]:
        return {scope: ExistingRules(self.of(scope), keep=self.keep) for scope in Scope}

    @cached_property
    def by_uri(self) -> dict[str, Target]:
        return {target.uri: target for target in self._targets}

    @cached_property
    def closed(self) -> frozenset[str]:
        """The files that are never written: closed ones, generated ones, and one person's own inside the repo."""
        own = {target.uri for target in self._targets if target.scope is Scope.WORKSPACE and ".local." in target.uri}
        generated = {target.uri for target in self._targets if is_generated_file(target.text)}
        return self._closed | own | generated

    @cached_property
    def taken(self) -> frozenset[str]:
        return frozenset(self.by_uri).union(self._closed)

    def of(self, scope: Scope) -> tuple[Target, ...]:
        return tuple(target for target in self._targets if target.scope is scope)

    def hooks(self) -> tuple[Target, ...]:
        return tuple(target for target in self.of(Scope.WORKSPACE) if target.type is TargetType.HOOK)

    @property
    def keeps_to_claude(self) -> bool:
        """Tell if the workspace keeps its customizations where Claude Code reads them, and none where Copilot does."""
        uris = [target.uri for target in self.of(Scope.WORKSPACE) if not is_generated_file(target.text)]
        is_claude = any(uri.startswith(".claude/") or uri == "CLAUDE.md" for uri in uris)
        return is_claude and not any(uri.startswith(".github/") for uri in uris)

    @cached_property
    def general(self) -> set[Scope]:
        """The scopes that have a file that holds for everything and is more than a pointer to another one."""
        found = ((target, target.text.strip()) for target in self._targets if is_general(target))
        return {
            target.scope
            for target, words in found
            if len(words) >= _SHORT or "\n- " in words or not ("@" in words or ".md" in words)
        }


def is_general(target: Target) -> bool:
    if target.always_on:
        return target.scope is Scope.USER or target.folder in ROOTS
    is_everywhere = target.type is TargetType.INSTRUCTIONS and target.applies_to is not None
    return is_everywhere and is_unconditional(target.applies_to)


@dataclass(frozen=True, slots=True, kw_only=True)
class AlreadySaid:
    """A fact that a file says already."""

    uri: str
    line: int
    """From 1."""
    text: str


@dataclass(frozen=True, kw_only=True)
class Case:
    """A fact, the files, and those of them that it may not go to."""

    fact: MemoryFact
    workspace_index: WorkspaceIndex
    shut: frozenset[str]
    likes: list[Like]
    """What files say that is like the fact."""
    decided: frozenset[str] = frozenset()
    """Those of the closed files for which the person decided."""

    @cached_property
    def index(self) -> TargetIndex:
        return self.workspace_index.indexes[self.fact.scope]

    @cached_property
    def paths(self) -> tuple[str, ...]:
        """The files that the fact is about: those of its evidence, else those that it names."""
        return tuple(self.index.tracked.as_files(self.fact.cited_paths)) or self.named

    @cached_property
    def named(self) -> tuple[str, ...]:
        return tuple(self.index.tracked.named_in(self.fact.content))

    @cached_property
    def files(self) -> tuple[str, ...]:
        """The same as `paths`, with some of its files for each folder."""
        return tuple(self.index.tracked.shown(self.named or self.paths))

    @cached_property
    def in_use(self) -> tuple[str, ...]:
        return tuple(name for citation in self.fact.citations for name in citation.in_use)

    def is_covered(self, target: Target) -> bool:
        return self._is_loaded(target, self.files)

    def is_in_force(self, target: Target) -> bool:
        """Tell if what a file says holds for at least one of the cited files; for none in particular it always does."""
        paths, applies_to = self.fact.cited_paths, target.applies_to
        return not paths or not applies_to or is_unconditional(applies_to) or self._is_loaded(target, paths)

    def _is_loaded(self, target: Target, paths: Sequence[str]) -> bool:
        root = self.workspace_index.root or "/"
        return any(matching_pattern(target.applies_to, path, root=root) is not None for path in paths)


_FEWEST = 2
"""Files that a rule must name, one by one or by their folder, to deserve a file of its own."""
NO_FILE = "no file applies to the whole project yet"
_SEVERAL = 2
"""Words of a rule in a section that are more than chance."""


def places_of(case: Case) -> list[Ranked]:
    """Return the files that a fact may go to, best first."""
    fact = case.fact
    rule = Rule(content=fact.content, paths=fact.cited_paths, in_use=case.in_use, scope=fact.scope)
    return [place for place in host_first(ranked(rule, case.index), fact) if place.target.uri not in case.shut]


def is_grounded(place: Ranked, case: Case) -> bool:
    """Tell whether a file is loaded for what a rule is about, or is itself about a word of it, by its name or title.

    Skills, agents and nested files are loaded for their own matter: a word that one says in passing is no ground.
    """
    target, index = place.target, case.index
    has_folder = target.always_on or target.type is TargetType.SKILL
    if (
        is_general(target)
        or (has_folder and any(path.startswith(f"{target.folder}/") for path in case.files))
        or (not has_folder and case.is_covered(target))
    ):
        return True
    if place.located.why == NOT_LOADED:
        return False
    number, file = next((number, file) for number, file in enumerate(index.files) if file.target.uri == target.uri)
    words = set(index.vocabulary.words(case.fact.content))
    if not words.isdisjoint(file.about) or (case.in_use and number in index.called(case.in_use)):
        return True
    if target.type is not TargetType.INSTRUCTIONS or target.always_on or case.files:
        return False
    # Of a rule that names no files, nobody knows where it is needed: what instructions say is all there is.
    least = _SEVERAL if case.fact.scope in case.workspace_index.general else 1
    parts = (index.parts[part] for part in file.sections)
    return any(len(words & part.count.keys()) >= least for part in parts if part.section == place.located.section)


def needs_a_file(case: Case, found: Sequence[Ranked]) -> bool:
    """Tell whether a rule names its files, none of the best file's, where certain files have instructions of their own.

    Whatever else is loaded there, or speaks of them already, will do. One file that is there and that a rule names is
    too little for a file of instructions.
    """
    own = [target for target in case.workspace_index.of(case.fact.scope) if target.type is TargetType.INSTRUCTIONS]
    of_files = [target for target in own if not target.always_on]
    narrow = [target for target in of_files if not is_unconditional(target.applies_to) and target.uri not in case.shut]
    is_usual = bool(of_files) or not own
    names_files = case.fact.scope is Scope.WORKSPACE and bool(case.named) and len(case.files) >= _FEWEST
    if not names_files or not is_usual or pattern_of(case.paths) is None or any(map(case.is_covered, narrow)):
        return False
    if not found or not is_general(found[0].target):
        return not found
    section = found[0].located.section
    text = "\n".join(found[0].target.text.split("\n")[section.start : section.end]) if section else ""
    return not any(f"{path.partition('/')[0]}/" in text or path in text for path in case.named)


def founded(case: Case) -> MemorySuggestion | None:
    """Make a new file for a fact; None where its name is closed, or its like is there and the person said no to it."""
    workspace_index, fact = case.workspace_index, case.fact

    def made(taken: frozenset[str]) -> NewFile:
        has_always_on = fact.scope in workspace_index.general
        return new_file(fact, paths=case.paths, taken=taken, has_always_on=has_always_on, host=host_of(fact))

    uri, text = made(workspace_index.taken)
    # A second `personal` beside the one that was refused would only double it.
    if uri in case.shut or made(workspace_index.taken - case.decided).uri in case.decided:
        return None
    why = f"no file is loaded for {case.paths[0].removesuffix(INSIDE)}" if case.paths else NO_FILE
    return of_new_file(fact, uri, text, why=why)
