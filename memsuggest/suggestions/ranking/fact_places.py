"""A fact that is to be suggested, and the files that it may go to, best first; a new file is the last resort. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from memsuggest.core.model import Edit, MemoryFact, MemorySuggestion, Scope, Target, TargetType
from memsuggest.customizations.applyto import is_unconditional, matching_pattern
from memsuggest.suggestions.existing_rules import Like
from memsuggest.suggestions.placement.new_file import NewFile, new_file, pattern_of
from memsuggest.suggestions.ranking.hosts import host_first, host_of
from memsuggest.suggestions.ranking.match import NOT_LOADED, Ranked, Rule, TargetIndex, ranked
from memsuggest.suggestions.ranking.repo_paths import INSIDE
from memsuggest.suggestions.ranking.workspace_index import WorkspaceIndex, is_general


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
        """The files of the fact's scope."""
        return self.workspace_index.indexes[self.fact.scope]

    @cached_property
    def paths(self) -> tuple[str, ...]:
        """The files that the fact is about: those of its evidence, else those that it names."""
        return tuple(self.index.tracked.as_files(self.fact.cited_paths)) or self.named

    @cached_property
    def named(self) -> tuple[str, ...]:
        """The files that the fact itself names."""
        return tuple(self.index.tracked.named_in(self.fact.content))

    @cached_property
    def files(self) -> tuple[str, ...]:
        """The same as `paths`, with some of its files for each folder."""
        return tuple(self.index.tracked.shown(self.named or self.paths))

    @cached_property
    def in_use(self) -> tuple[str, ...]:
        """The agents, skills, prompts and instructions in use when it was said."""
        return tuple(name for citation in self.fact.citations for name in citation.in_use)

    def is_covered(self, target: Target) -> bool:
        """Tell whether a file is loaded by its pattern for one of the files."""
        root = self.workspace_index.root or "/"
        return any(matching_pattern(target.applies_to, path, root=root) is not None for path in self.files)


NO_FILE = "no file applies to the whole project yet"
_SEVERAL = 2
"""Words of a rule in a section that are more than chance."""


def places_of(case: Case) -> list[Ranked]:
    """Return the open places for a fact, best first."""
    return [place for place in ranked_for(case) if place.target.uri not in case.shut]


def ranked_for(case: Case) -> list[Ranked]:
    """Return all places for a fact, the closed ones with them, best first."""
    fact = case.fact
    rule = Rule(content=fact.content, paths=fact.cited_paths, in_use=case.in_use, scope=fact.scope)
    return host_first(ranked(rule, case.index), fact)


def is_grounded(one: Ranked, case: Case) -> bool:
    """Tell whether a file is loaded for what a rule is about, or is itself about a word of it, by its name or title.

    Skills, agents and nested files are loaded for their own matter: a word that one says in passing is no ground.
    """
    target = one.target
    if is_general(target):
        return True
    if target.always_on or target.type is TargetType.SKILL:
        is_loaded = any(path.startswith(f"{target.folder}/") for path in case.files)
    else:
        is_loaded = case.is_covered(target)
    if is_loaded:
        return True
    if one.located.why == NOT_LOADED:
        return False
    number = next(number for number, file in enumerate(case.index.files) if file.target.uri == target.uri)
    words = set(case.index.vocabulary.words(case.fact.content))
    if not words.isdisjoint(case.index.files[number].about) or number in case.index.called(case.in_use):
        return True
    # Of a rule that names no files, nobody knows where it is needed: what instructions say is all there is.
    section = one.located.section
    said = [part.count for n in case.index.files[number].sections if (part := case.index.parts[n]).section == section]
    is_spoken_of = target.type is TargetType.INSTRUCTIONS and not target.always_on and not case.files
    least = _SEVERAL if case.workspace_index.general(case.fact.scope) else 1
    return is_spoken_of and any(len(words & count.keys()) >= least for count in said)


_FEWEST = 2
"""Files that a rule must name, one by one or by their folder, to deserve a file of its own."""


def needs_a_file(case: Case, found: Sequence[Ranked], places: Sequence[Ranked]) -> bool:
    """Tell whether a rule names its files, none of the best file's, where certain files have instructions of their own.

    Whatever else is loaded there, or speaks of them already, will do.
    """
    if not case.named or not deserves_a_file(case) or any(_covers(place.target, case) for place in places):
        return False
    first = found[0] if found else None
    return first is None or (is_general(first.target) and not _speaks_of_them(first.located, case))


def _speaks_of_them(one: Ranked, case: Case) -> bool:
    """Tell whether the section of a file speaks of the folder or the files that a rule names."""
    if one.section is None:
        return False
    text = "\n".join(one.target.text.split("\n")[one.section.start : one.section.end])
    return any(f"{path.partition('/')[0]}/" in text or path in text for path in case.named)


def _covers(target: Target, case: Case) -> bool:
    """Tell whether instructions for certain files are loaded for one of those that a rule names."""
    if target.always_on or target.type is not TargetType.INSTRUCTIONS or is_unconditional(target.applies_to):
        return False
    return case.is_covered(target)


def founded(case: Case) -> MemorySuggestion | None:
    """Make a new file for a fact; None where its name is closed, or its like is there and the person said no to it."""
    workspace_index, scope = case.workspace_index, case.fact.scope

    def made(taken: frozenset[str]) -> NewFile:
        has_always_on = bool(workspace_index.general(scope))
        return new_file(case.fact, paths=case.paths, taken=taken, has_always_on=has_always_on, host=host_of(case.fact))

    uri, text = made(workspace_index.taken)
    # A second `personal` beside the one that was refused would only double it.
    if uri in case.shut or made(workspace_index.taken - case.decided).uri in case.decided:
        return None
    return MemorySuggestion(
        id=case.fact.id,
        fact=case.fact,
        target_type=TargetType.NEW_FILE,
        suggested_file_name=uri,
        suggested_merge_content=text,
        why=f"no file is loaded for {case.paths[0].removesuffix(INSIDE)}" if case.paths else NO_FILE,
        edit=Edit(path=uri, before=None, after=text),
    )


def deserves_a_file(case: Case) -> bool:
    """Tell whether a fact is about certain files, in a workspace that keeps instructions for certain files.

    One file that is there and that a rule names is too little for a file of instructions.
    """
    if case.fact.scope is Scope.USER or pattern_of(case.paths) is None or (case.named and len(case.files) < _FEWEST):
        return False
    others = [target for target in case.workspace_index.of(case.fact.scope) if target.type is TargetType.INSTRUCTIONS]
    return not others or any(not target.always_on for target in others)
