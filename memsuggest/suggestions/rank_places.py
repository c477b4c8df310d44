"""Looking around: the customization files, and where a bare rule would go."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memsuggest.core.context import Context
from memsuggest.core.errors import MemsuggestError
from memsuggest.core.model import Edit, Target
from memsuggest.customizations.diff import unified
from memsuggest.customizations.lints import lint
from memsuggest.customizations.loading import TOTAL_BUDGET, Loaded, cost_of, loaded_for, total_for
from memsuggest.customizations.target_reports import RankedPlace, Ranking, TargetRow, TargetRows
from memsuggest.suggestions.placement.content_safety import why_forbidden
from memsuggest.suggestions.placement.place import place
from memsuggest.suggestions.ranking.match import Rule, ranked
from memsuggest.suggestions.ranking.workspace_index import WorkspaceIndex

_SAID_BY_LOADING = {"apply-to-list", "apply-to-dialect"}
"""Lints that say again what was found out for a file."""
PLACES = 10
"""How many places `suggest` offers."""


def rank_places(context: Context, content: str, *, paths: Sequence[str]) -> Ranking:
    """Return the best places for a bare rule, each with its diff."""
    if not content.strip():
        raise MemsuggestError(
            "the rule contains no words", hint="specify a rule, for example `memsuggest suggest --content 'use pnpm'`"
        )
    return Ranking(
        content=content, places=places_of(Rule(content=content, paths=tuple(paths)), context.workspace_index)
    )


def places_of(rule: Rule, workspace_index: WorkspaceIndex) -> tuple[RankedPlace, ...]:
    refused, places = why_forbidden(rule.content), []
    for candidate in ranked(rule, workspace_index.indexes[rule.scope])[:PLACES]:
        found, target = candidate.located, candidate.target
        is_closed = target.uri in workspace_index.closed
        placed = None if is_closed or refused else place(rule.content, target, section=found.section)
        heading = placed.heading if placed else found.section.heading if found.section else None
        made = RankedPlace(
            target_type=target.type,
            path=target.uri,
            heading=heading or None,
            score=found.score,
            why=f"the rule contains {refused}, which is not allowed in customization files" if refused else found.why,
            diff=unified(Edit(path=target.uri, before=target.text, after=placed.text)) if placed else "",
        )
        places.append(made)
    return tuple(places)


def list_targets(context: Context, *, source_file: str | None) -> TargetRows:
    """Return the customization files; with a source file, which of them a host loads for it, and by which pattern."""
    found = context.targets
    loaded = {}
    if source_file is not None:
        answers = loaded_for(source_file, found.targets, str(context.root), settings=found.settings)
        loaded = {answer.target.uri: answer for answer in answers}
    chosen = [target for target in found.targets if source_file is None or target.uri in loaded]
    rows = [_row(target, loaded.get(target.uri), links=found.links) for target in chosen]
    return TargetRows(
        rows=tuple(sorted(rows, key=lambda row: source_file is not None and not row.is_loaded)),
        source_file=source_file,
        tokens=sum(row.tokens for row in rows) if source_file is None else total_for(loaded.values()),
        budget=None if source_file is None else TOTAL_BUDGET,
        skipped=found.skipped,
    )


def _row(target: Target, loaded: Loaded | None, *, links: Mapping[str, str]) -> TargetRow:
    cost = cost_of(target)
    names = (link for link, uri in links.items() if uri == target.uri)
    by_links = [f"Claude Code (as {name})" for name in names if name.rpartition("/")[2].lower() == "claude.md"]
    found = [finding.message for finding in lint(target) if not (loaded and finding.lint in _SAID_BY_LOADING)]
    warnings = [*(loaded.warnings if loaded else ()), *found]
    if cost.is_over:
        warnings.append(f"the file costs about {cost.tokens:,} tokens, but its budget is {cost.budget:,}")
    return TargetRow(
        type=target.type,
        path=target.uri,
        title=target.title,
        description=target.description,
        applies_to=target.applies_to,
        scope=target.scope,
        tokens=cost.tokens,
        matches={"vscode": loaded.vscode, "github": loaded.github} if loaded else None,
        pattern=loaded.pattern if loaded else None,
        warnings=tuple(dict.fromkeys(warnings)),
        others=(*loaded.others, *by_links) if loaded else (),
    )
