"""Suggestions for a pull request's files, from the team's facts and the files alone: no transcripts, no profile.

Only of rules that do not hold it is told by the notes of this machine, in numbers; in CI there are none.

Facts and decisions are those of the base, settings those of the checkout; the files are those of the pull request, read
as data and never run. What a pull request itself adds to the facts is a claim until it is merged.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.core.config import Mode
from memsuggest.core.errors import Skipped, StoreError
from memsuggest.core.model import Edit, Scope
from memsuggest.core.redact.redaction_rules import redact
from memsuggest.customizations.diff import line_change
from memsuggest.customizations.discovery import target_from
from memsuggest.facts import codec
from memsuggest.facts.facts_file import PLACE, contents_of
from memsuggest.held.find_held import unheld_in
from memsuggest.pull_requests.comment_text import Block, PullRequestReport, ReviewProposal, meet
from memsuggest.suggestions.dangerous_rules import danger_of
from memsuggest.suggestions.listed import why_meets
from memsuggest.suggestions.ranking.workspace_index import WorkspaceIndex
from memsuggest.suggestions.suggest import replan
from memsuggest.suggestions.suggesting import suggest_all
from memsuggest.suggestions.target_paths import is_writable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from memsuggest.core.context import Context
    from memsuggest.core.model import LineChange, MemorySuggestion, Target
    from memsuggest.facts.fact_store import Contents
    from memsuggest.pull_requests.changes import Change

    Hunks = Callable[[str], Sequence[range]]  # the stretches of lines that the diff shows of a file


def find_proposals(context: Context, change: Change, *, every: bool = False) -> PullRequestReport:
    """Return what is pending for the changed files, or with `every` for all files; in `off` mode, nothing.

    Raises StoreError and WorkspaceError.
    """
    if context.settings.mode is Mode.OFF:
        return PullRequestReport(base=change.base, proposals=())
    base = _contents(change.base_facts(), f"`{PLACE}` of {change.base}")
    skipped: list[Skipped] = []
    try:
        own = _contents(change.own_facts(), f"`{PLACE}` in this change")
    except StoreError as error:  # a file that cannot be read decides nothing, and is named
        own = _contents(None, "")
        skipped.append(Skipped(what=PLACE, why=error.message))
    known = {fact.id for fact in base.facts}
    gone = {tombstone.fact_id for tombstone in own.tombstones}
    targets = _targets(context, change)
    closed = [target.uri for target in targets if not is_writable(context, target.uri)]
    paths = change.all_paths()
    tracked = context.targets.tracked_paths if paths is None else tuple(paths)
    index = WorkspaceIndex(targets, tracked_paths=tracked, root=str(context.root), closed=closed)
    made = suggest_all(
        [fact for fact in base.facts if fact.id not in gone and fact.scope is Scope.WORKSPACE],
        decisions=[*base.decisions, *own.decisions],
        workspace_index=index,
        threshold=context.settings.threshold,
    )
    skipped += made.refused
    clean, met = 0, []
    for suggestion in made.suggestions:
        if why := _why_not_public(suggestion):
            skipped.append(Skipped(what=f"fact {suggestion.about}", why=why))
            continue
        clean += 1
        here = why_meets(suggestion, index.by_uri.get(suggestion.edit.path), change.paths, root=str(context.root))
        if here is not None or every:
            lines = line_change(suggestion.edit)
            is_in_diff = lines is not None and is_shown(lines, change.hunks(suggestion.edit.path))
            met.append(ReviewProposal(suggestion=suggestion, why_here=here or "", change=lines, is_in_diff=is_in_diff))
    return PullRequestReport(
        base=change.base,
        proposals=tuple(met),
        blocks=find_blocks(met, change.hunks),
        elsewhere=clean - len(met),
        unheld=unheld_in(context, targets, change.paths),
        unmerged=sum(fact.id not in known for fact in own.facts),
        skipped=tuple(skipped),
    )


def _contents(text: str | None, name: str) -> Contents:
    return contents_of(codec.parse(text, name=name) if text is not None else codec.Document())


def _why_not_public(suggestion: MemorySuggestion) -> str:
    """Say why a suggestion may not stand in a comment, from where anybody commits it with one click."""
    if redact(suggestion.content).found:
        return "the suggestion contains a secret or personal data; run `memsuggest memory clean --check` for details"
    danger = danger_of(suggestion)
    return f"this rule {danger}; run `memsuggest apply` to apply it separately" if danger else ""


def _targets(context: Context, change: Change) -> list[Target]:
    on_disk = [target for target in context.targets.targets if target.scope is Scope.WORKSPACE]
    texts = change.texts({target.uri: target.text for target in on_disk})
    kept = [target for target in on_disk if target.uri not in texts]
    changed = [target_from(path, text) for path, text in texts.items() if text is not None]
    return sorted([*kept, *changed], key=lambda target: target.uri)


def find_blocks(proposals: Iterable[ReviewProposal], hunks: Hunks) -> tuple[Block, ...]:
    """Return the blocks by path and line; a suggestion that fits into none is left out."""
    by_path: dict[str, list[tuple[LineChange, int, ReviewProposal]]] = {}
    for place, proposal in enumerate(proposals):
        edit = proposal.suggestion.edit
        # What GitHub makes of a line's end is not known where it is not the plain one.
        is_plain = "\r" not in (edit.before or "") + (edit.after or "")
        if proposal.is_in_diff and is_plain and not proposal.suggestion.executable and proposal.change:
            by_path.setdefault(edit.path, []).append((proposal.change, place, proposal))
    found: list[Block] = []
    for path, own in sorted(by_path.items()):
        # What changes the same lines is one group, in which the suggestions keep their order.
        groups: list[list[tuple[int, ReviewProposal]]] = []
        end = 0
        for change, place, proposal in sorted(own, key=lambda row: (row[0].first, row[0].last, row[1])):
            if not groups or change.first > end:
                groups.append([])
            groups[-1].append((place, proposal))
            end = max(end, change.last)
        blocks: list[Block] = []
        for group in groups:
            ordered = [proposal for _, proposal in sorted(group, key=lambda row: row[0])]
            block = _block(path, ordered, hunks(path))
            if block and not any(meet(block.change, other.change) for other in blocks):
                blocks.append(block)
        found += sorted(blocks, key=lambda block: block.change.first)
    return tuple(found)


def is_shown(change: LineChange, hunks: Iterable[range]) -> bool:
    return any(change.first in shown and change.last in shown for shown in hunks)


def _block(path: str, group: Sequence[ReviewProposal], hunks: Sequence[range]) -> Block | None:
    """Plan one suggestion after the other; one whose lines the diff would not show any more is left out."""
    before = text = group[0].suggestion.edit.before
    change: LineChange | None = None
    taken: list[ReviewProposal] = []
    for proposal in group:
        after = proposal.suggestion.edit.after
        if taken:
            made = replan(proposal.suggestion, target_from(path, text or ""))
            after = made.edit.after if made and not made.executable else None
        grown = line_change(Edit(path=path, before=before, after=after)) if after is not None else None
        if grown and is_shown(grown, hunks):
            change, text = grown, after
            taken.append(proposal)
    return Block(path=path, change=change, proposals=tuple(taken)) if change else None
