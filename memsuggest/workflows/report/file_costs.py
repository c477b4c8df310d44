"""The cost of each customization file, the assistants that read it, and the sum for each of those."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.customizations.applyto import is_unconditional
from memsuggest.customizations.lint.budget import cost_of
from memsuggest.model import TargetType
from memsuggest.reports.workspace_report import AssistantCost, FileCost, LoadedWhen
from memsuggest.suggestions.ranking.hosts import Host, readers_of
from memsuggest.workflows.inspect import list_targets
from memsuggest.workflows.suggest.file_readers import readers

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memsuggest.model import Target
    from memsuggest.reports.inspection_reports import TargetRow
    from memsuggest.workflows.context import Context

_WITH_OWN_RULES = (Host.CURSOR, Host.GEMINI)
"""Assistants that `readers` does not tell of."""


def file_costs(context: Context) -> tuple[FileCost, ...]:
    """Return the customization files of the repo and of the person, the dearest first."""
    rows = {row.path: row for row in list_targets(context, source_file=None).rows}
    found = [_cost(context, target, rows[target.uri]) for target in context.targets.targets]
    return tuple(sorted(found, key=lambda one: (-one.tokens, one.uri)))


def _cost(context: Context, target: Target, row: TargetRow) -> FileCost:
    others = (str(host) for host in _WITH_OWN_RULES if host in readers_of(target.uri))
    is_read = target.type is not TargetType.HOOK
    return FileCost(
        uri=target.uri,
        type=target.type,
        scope=target.scope,
        tokens=row.tokens if is_read else 0,
        budget=cost_of(target).budget if is_read else None,
        when=_when(target),
        applies_to=target.applies_to,
        assistants=(*readers(context, target.uri).reading, *others) if is_read else (),
        warnings=row.warnings,
    )


def _when(target: Target) -> LoadedWhen:
    if target.type is TargetType.HOOK:
        return LoadedWhen.NEVER
    if target.type is not TargetType.INSTRUCTIONS or not target.applies_to:
        return LoadedWhen.ON_DEMAND
    return LoadedWhen.ALWAYS if is_unconditional(target.applies_to) else LoadedWhen.FOR_PATHS


def assistant_costs(files: Iterable[FileCost]) -> tuple[AssistantCost, ...]:
    """Return what the files come to for each assistant that reads any, the dearest before the first word first."""
    by_assistant: dict[str, list[FileCost]] = {}
    for file in files:
        for name in file.assistants:
            by_assistant.setdefault(name, []).append(file)
    found = [
        AssistantCost(
            assistant=name,
            always=_sum(read, LoadedWhen.ALWAYS),
            for_paths=_sum(read, LoadedWhen.FOR_PATHS),
            on_demand=_sum(read, LoadedWhen.ON_DEMAND),
            files=len(read),
        )
        for name, read in by_assistant.items()
    ]
    return tuple(sorted(found, key=lambda one: (-one.always, -one.tokens, one.assistant)))


def _sum(files: Iterable[FileCost], when: LoadedWhen) -> int:
    return sum(file.tokens for file in files if file.when is when)
