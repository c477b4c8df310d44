"""A new file for a fact: the last resort, for a rule about files for which nothing is loaded. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.customizations.applyto import is_unconditional, matching_pattern
from memsuggest.model import Edit, MemorySuggestion, Scope, Target, TargetType
from memsuggest.suggestions.placement.new_file import NewFile, new_file, pattern_of
from memsuggest.suggestions.ranking.repo_paths import INSIDE
from memsuggest.suggestions.ranking.workspace_index import is_general

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memsuggest.suggestions.fact_targets import Case
    from memsuggest.suggestions.ranking.match import Ranked

_FEWEST = 2
"""Files that a rule must name, one by one or by their folder, to deserve a file of its own."""


def needs_a_file(case: Case, found: Sequence[Ranked], places: Sequence[Ranked]) -> bool:
    """Tell whether a rule names its files, none of the best file's, where certain files have instructions of their own.

    Whatever else is loaded there, or speaks of them already, will do.
    """
    if not case.named or not deserves_a_file(case) or any(_covers(one.target, case) for one in places):
        return False
    first = found[0] if found else None
    return first is None or (is_general(first.target) and not _speaks_of_them(first.located, case))


def _speaks_of_them(one: Ranked, case: Case) -> bool:
    """Tell whether the section of a file speaks of the folder or the files that a rule names."""
    if one.section is None:
        return False
    told = "\n".join(one.target.text.split("\n")[one.section.start : one.section.end])
    return any(f"{path.partition('/')[0]}/" in told or path in told for path in case.named)


def _covers(target: Target, case: Case) -> bool:
    """Tell whether instructions for certain files are loaded for one of those that a rule names."""
    if target.always_on or target.type is not TargetType.INSTRUCTIONS or is_unconditional(target.applies_to):
        return False
    root = case.workspace_index.root or "/"
    return any(matching_pattern(target.applies_to, path, root=root) is not None for path in case.files)


def founded(case: Case) -> MemorySuggestion | None:
    """Make a new file for a fact; None where its name is closed, or its like is there and the person said no to it."""
    workspace_index, scope = case.workspace_index, case.fact.scope

    def made(taken: frozenset[str]) -> NewFile:
        has_always_on = bool(workspace_index.general(scope))
        return new_file(case.fact, paths=case.paths, taken=taken, has_always_on=has_always_on, host=case.host)

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
        why=f"no file is loaded for {_first_of(case)}" if case.paths else "no file holds for everything yet",
        edit=Edit(path=uri, before=None, after=text),
    )


def _first_of(case: Case) -> str:
    """Return the first path that a rule is about; a folder with its slash."""
    return case.paths[0].removesuffix(INSIDE)


def deserves_a_file(case: Case) -> bool:
    """Tell whether a fact is about certain files, in a workspace that keeps instructions for certain files.

    One file that is there and that a rule names is too little for a file of instructions.
    """
    if case.fact.scope is Scope.USER or pattern_of(case.paths) is None or (case.named and len(case.files) < _FEWEST):
        return False
    others = [target for target in case.workspace_index.of(case.fact.scope) if target.type is TargetType.INSTRUCTIONS]
    return not others or any(not target.always_on for target in others)
