"""Suggestions for a pull request's files, from the team's facts and the files alone: no transcripts, no profile.

Only of rules that do not hold it is told by the notes of this machine, in numbers; in CI there are none.

Facts and decisions are those of the base, settings those of the checkout; the files are those of the pull request, read
as data and never run. What a pull request itself adds to the facts is a claim until it is merged.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.config import Mode
from memsuggest.customizations.discovery import target_from
from memsuggest.errors import StoreError
from memsuggest.memory import codec
from memsuggest.memory.facts_file import PLACE, contents_of
from memsuggest.model import Scope, Skipped
from memsuggest.redact import redact
from memsuggest.reports.pull_request import PullRequestReport, ReviewProposal
from memsuggest.suggestions.diff import line_change
from memsuggest.suggestions.ranking.workspace_index import WorkspaceIndex
from memsuggest.workflows.check_rules.known_outcomes import unheld_in
from memsuggest.workflows.decide.dangerous_rules import danger_of
from memsuggest.workflows.decide.paths import is_writable
from memsuggest.workflows.pull_requests.suggestion_blocks import find_blocks, is_shown, why_meets
from memsuggest.workflows.suggest.suggesting import suggest_all

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from memsuggest.memory.fact_store import Contents
    from memsuggest.model import Decision, MemorySuggestion, Target
    from memsuggest.workflows.context import Context
    from memsuggest.workflows.pull_requests.changes import Change


def find_proposals(context: Context, change: Change, *, every: bool = False) -> PullRequestReport:
    """Return what waits for the changed files, or with `every` for all files; in the mode `off`, nothing.

    Raises StoreError and WorkspaceError.
    """
    if context.settings.mode is Mode.OFF:
        return PullRequestReport(base=change.base, proposals=())
    base = _contents(change.base_facts(), f"`{PLACE}` of {change.base}")
    own, skipped = _own_contents(change)
    known = {fact.id for fact in base.facts}
    gone = {stone.fact_id for stone in own.tombstones}
    facts = [fact for fact in base.facts if fact.id not in gone and fact.scope is Scope.WORKSPACE]
    targets = _targets(context, change)
    workspace_index = _workspace_index(context, targets, change.all_paths())
    decisions: Sequence[Decision] = [*base.decisions, *own.decisions]
    made = suggest_all(
        facts, decisions=decisions, workspace_index=workspace_index, threshold=context.settings.threshold
    )
    clean = [one for one in made.suggestions if not _why_not_public(one)]
    proposals = [_proposal(context, one, workspace_index, change, every=every) for one in clean]
    met = tuple(proposal for proposal in proposals if proposal)
    return PullRequestReport(
        base=change.base,
        proposals=met,
        blocks=find_blocks(met, change.hunks),
        elsewhere=len(clean) - len(met),
        unheld=unheld_in(context, targets, change.paths),
        unmerged=sum(fact.id not in known for fact in own.facts),
        skipped=(*skipped, *made.refused, *_held_back(made.suggestions, clean)),
    )


def _contents(text: str | None, name: str) -> Contents:
    return contents_of(codec.parse(text, name=name) if text is not None else codec.Document())


def _own_contents(change: Change) -> tuple[Contents, tuple[Skipped, ...]]:
    """Return the facts as the change has them; a file that cannot be read decides nothing, and is told."""
    try:
        return _contents(change.own_facts(), f"`{PLACE}` of this change"), ()
    except StoreError as error:
        return _contents(None, ""), (Skipped(what=PLACE, why=error.message),)


def _held_back(suggestions: Iterable[MemorySuggestion], clean: Collection[MemorySuggestion]) -> Iterable[Skipped]:
    return (Skipped(what=f"fact {one.about}", why=_why_not_public(one)) for one in suggestions if one not in clean)


def _why_not_public(suggestion: MemorySuggestion) -> str:
    """Say why a suggestion may not stand in a comment, from where anybody commits it with one click."""
    if redact(suggestion.content).found:
        return "it holds a secret or personal data; `memsuggest facts check` tells more"
    danger = danger_of(suggestion)
    return f"this rule {danger}; `memsuggest apply` takes it by itself" if danger else ""


def _targets(context: Context, change: Change) -> list[Target]:
    """Return the customization files as the change has them."""
    on_disk = [target for target in context.targets.targets if target.scope is Scope.WORKSPACE]
    texts = change.texts({target.uri: target.text for target in on_disk})
    kept = [target for target in on_disk if target.uri not in texts]
    changed = [target_from(path, text) for path, text in texts.items() if text is not None]
    return sorted([*kept, *changed], key=lambda target: target.uri)


def _workspace_index(context: Context, targets: Sequence[Target], paths: Collection[str] | None) -> WorkspaceIndex:
    closed = [target.uri for target in targets if not is_writable(context, target.uri)]
    tracked = context.targets.tracked_paths if paths is None else tuple(paths)
    return WorkspaceIndex(targets, tracked_paths=tracked, root=str(context.root), closed=closed)


def _proposal(
    context: Context, suggestion: MemorySuggestion, workspace_index: WorkspaceIndex, change: Change, *, every: bool
) -> ReviewProposal | None:
    target = workspace_index.by_uri.get(suggestion.edit.path)
    why = why_meets(suggestion, target, change.paths, root=str(context.root))
    if why is None and not every:
        return None
    lines = line_change(suggestion.edit)
    return ReviewProposal(
        suggestion=suggestion,
        why_here=why or "",
        change=lines,
        is_in_diff=lines is not None and is_shown(lines, change.hunks(suggestion.edit.path)),
    )
