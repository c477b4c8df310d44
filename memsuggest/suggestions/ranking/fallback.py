"""The place of a fact that fits no file: one loaded for its files, one that holds for everything, a new one.

Pure. A new file is the last resort: whatever is loaded where the rule is needed will do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.customizations.applyto import is_unconditional, matching_pattern
from memsuggest.model import Edit, MemorySuggestion, Scope, Target, TargetType
from memsuggest.suggestions.placement.headings import near_section
from memsuggest.suggestions.placement.layouts import layout_of
from memsuggest.suggestions.placement.new_file import NewFile, new_file, pattern_of
from memsuggest.suggestions.placement.plan import put_beside
from memsuggest.suggestions.placement.section_veto import settled
from memsuggest.suggestions.ranking.hosts import is_read_by, unread_rank
from memsuggest.suggestions.ranking.match import FITS, Ranked
from memsuggest.suggestions.ranking.workspace_index import is_general

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memsuggest.model import Section
    from memsuggest.suggestions.fact_targets import Case

_ALWAYS_LOADED = "no other file is about this, and this one is always loaded"
_FEWEST = 2
"""Files that a rule must name, one by one or by their folder, to deserve a file of its own."""
_COVERS = "its `applyTo` covers the files that the rule is about"


def founding(case: Case, found: Sequence[Ranked]) -> MemorySuggestion | None:
    """Take the best file that is loaded where the rule is needed; else make a new one."""
    made = (put_beside(case.fact, one) for one in _loaded(case, found))
    return next(filter(None, made), None) or founded(case)


def _loaded(case: Case, found: Sequence[Ranked]) -> Iterator[Ranked]:
    """Yield what is loaded for the files that a fact is about, best first; of nothing in particular, for everything."""
    for one in found:
        if one.target.uri not in case.shut and covers(one.target, case):
            yield Ranked(target=one.target, section=_section(one, case), score=one.score, why=_COVERS)
    if deserves_a_file(case):
        yield from (one for one in _speaking(case, found) if one.section is not None)
        return
    for target in _general(case, found):
        near = near_section(layout_of(target.text), case.fact.content)
        yield Ranked(target=target, section=near, score=0.0, why=_ALWAYS_LOADED)


def _speaking(case: Case, found: Sequence[Ranked]) -> Iterator[Ranked]:
    """Yield the best of the files that hold for everything, where it ranks first: it may speak of the same already."""
    first = next(iter(found), None)
    if first and first.score >= FITS and is_general(first.target) and first.target.uri not in case.shut:
        located = first.located
        if located.section and settled(located, case.fact.content).section == located.section:  # no other that will do
            yield from [located] if _names_place(located.section, located.target.text, case) else []


def _names_place(section: Section, text: str, case: Case) -> bool:
    """Tell whether a section speaks of the folder or the files that a rule names."""
    told = "\n".join(text.split("\n")[section.start : section.end])
    return any(f"{path.partition('/')[0]}/" in told or path in told for path in case.named)


def _section(one: Ranked, case: Case) -> Section | None:
    return settled(one.located, case.fact.content).section


def covers(target: Target, case: Case) -> bool:
    """Tell whether instructions for certain files are loaded for most of those that a fact is about."""
    if target.always_on or target.type is not TargetType.INSTRUCTIONS or is_unconditional(target.applies_to):
        return False
    root = case.workspace_index.root or "/"
    loaded = sum(matching_pattern(target.applies_to, path, root=root) is not None for path in case.files)
    # A folder that is named holds more than one sort of files, and the rule may be about one of them.
    least = 1 if case.named else len(case.files) / 2
    return bool(case.files) and loaded >= least


def _general(case: Case, found: Sequence[Ranked]) -> list[Target]:
    """Return the open files that hold for everything: those of the assistant that was told first, then by rank."""
    order = {one.target.uri: place for place, one in enumerate(found)}
    known = [target for target in case.workspace_index.general(case.fact.scope) if target.uri not in case.shut]
    if case.fact.scope is Scope.USER:
        return [target for target in known if is_read_by(target, case.host)]
    always = [target for target in known if target.always_on]
    others = sorted((one for one in known if not one.always_on), key=lambda one: order.get(one.uri, len(order)))
    return [*sorted(always, key=lambda one: unread_rank(one, case.fact)), *others]


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
        why="no customization file is about this yet",
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
