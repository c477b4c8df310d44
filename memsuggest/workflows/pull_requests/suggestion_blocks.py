"""Suggestions that concern a change, and as lines in the place of others, as review tools take them.

GitHub takes one suggestion for a line, so several rules for one place are planned after one another into one block.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.customizations.applyto import is_unconditional, matching_pattern
from memsuggest.customizations.discovery import target_from
from memsuggest.model import Edit
from memsuggest.reports.pull_request import Block
from memsuggest.suggestions.diff import line_change
from memsuggest.suggestions.placement.replan import replan

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from memsuggest.model import LineChange, MemorySuggestion, Target
    from memsuggest.reports.pull_request import ReviewProposal

    Hunks = Callable[[str], Sequence[range]]
    """The stretches of lines that the diff shows of a file."""


def why_meets(
    suggestion: MemorySuggestion, target: Target | None, changed: Collection[str], *, root: str
) -> str | None:
    """Say how a suggestion concerns changed files (paths as in the diff); None when it does not.

    It does when its own file changed, when its evidence is about a changed file or a folder of one, or when its file
    is loaded for a changed one but not for all.
    """
    if suggestion.edit.path in changed:
        return "its file is in this change"
    paths = suggestion.fact.cited_paths if suggestion.fact else ()
    cited = next((path for path in paths if _is_among(path, changed)), None)
    if cited:
        return f"it is about {cited}"
    applies_to = target.applies_to if target else None
    if applies_to and not is_unconditional(applies_to):
        loaded = next((path for path in changed if matching_pattern(applies_to, path, root=root)), None)
        return loaded and f"its file is loaded for {loaded}"
    return None


def _is_among(cited: str, changed: Collection[str]) -> bool:
    return cited in changed or (cited.endswith("/") and any(path.startswith(cited) for path in changed))


def find_blocks(proposals: Iterable[ReviewProposal], hunks: Hunks) -> tuple[Block, ...]:
    """Return the blocks by path and line; a suggestion that fits into none is left out."""
    by_path: dict[str, list[ReviewProposal]] = {}
    for proposal in proposals:
        if _may_be_block(proposal):
            by_path.setdefault(proposal.suggestion.edit.path, []).append(proposal)
    return tuple(
        block for path, found in sorted(by_path.items()) for block in _blocks_of_file(path, found, hunks(path))
    )


def is_shown(change: LineChange, hunks: Iterable[range]) -> bool:
    """Tell whether one stretch of a diff shows all lines that a change takes the place of."""
    return any(change.first in shown and change.last in shown for shown in hunks)


def _may_be_block(proposal: ReviewProposal) -> bool:
    suggestion = proposal.suggestion
    # What GitHub makes of a line's end is not known where it is not the plain one.
    is_plain = "\r" not in (suggestion.edit.before or "") + (suggestion.edit.after or "")
    return proposal.is_in_diff and is_plain and not suggestion.executable


def _blocks_of_file(path: str, proposals: Sequence[ReviewProposal], hunks: Sequence[range]) -> list[Block]:
    found: list[Block] = []
    for group in _groups(proposals):
        block = _block(path, group, hunks)
        if block and not any(_meet(block.change, other.change) for other in found):
            found.append(block)
    return sorted(found, key=lambda block: block.change.first)


def _groups(proposals: Sequence[ReviewProposal]) -> list[list[ReviewProposal]]:
    """Put together what changes the same lines, in the order of the lines; within a group the order stays."""
    ranked = [(one.change, place, one) for place, one in enumerate(proposals) if one.change]
    groups: list[list[tuple[int, ReviewProposal]]] = []
    end = 0
    for change, place, proposal in sorted(ranked, key=lambda row: (row[0].first, row[0].last, row[1])):
        if not groups or change.first > end:
            groups.append([])
        groups[-1].append((place, proposal))
        end = max(end, change.last)
    return [[proposal for _, proposal in sorted(group, key=lambda row: row[0])] for group in groups]


def _block(path: str, group: Sequence[ReviewProposal], hunks: Sequence[range]) -> Block | None:
    """Plan one suggestion after the other; one whose lines the diff would not show any more is left out."""
    before = group[0].suggestion.edit.before
    text = before
    change: LineChange | None = None
    taken: list[ReviewProposal] = []
    for proposal in group:
        after = _after(proposal, path, text) if taken else proposal.suggestion.edit.after
        grown = line_change(Edit(path=path, before=before, after=after)) if after is not None else None
        if grown and is_shown(grown, hunks):
            change, text = grown, after
            taken.append(proposal)
    return Block(path=path, change=change, proposals=tuple(taken)) if change else None


def _after(proposal: ReviewProposal, path: str, text: str | None) -> str | None:
    made = replan(proposal.suggestion, target_from(path, text or ""))
    return made.edit.after if made and not made.executable else None


def _meet(one: LineChange, other: LineChange) -> bool:
    return one.first <= other.last and other.first <= one.last
