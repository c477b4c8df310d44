"""Looking around: the customization files, and where a bare rule would go."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.customizations.budget import cost_of
from memsuggest.customizations.lints import lint
from memsuggest.customizations.loading import loaded_for
from memsuggest.errors import MemsuggestError
from memsuggest.reports.looking import RankedPlace, Ranking, TargetRow, TargetRows
from memsuggest.suggestions.bare_rules import rank, rule_of
from memsuggest.suggestions.diff import unified

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memsuggest.customizations.loading import Loaded
    from memsuggest.model import Target
    from memsuggest.workflows.desk import Desk

PLACES = 10
"""How many places `suggest` offers."""


def rank_places(desk: Desk, content: str, *, paths: Sequence[str]) -> Ranking:
    """Return the best places for a bare rule, each with its diff."""
    if not content.strip():
        raise MemsuggestError(
            "there are no words in it", hint="say the rule: `memsuggest suggest --content 'use pnpm'`"
        )
    ranked = rank(rule_of(content, paths=tuple(paths)), desk.bench, limit=PLACES)
    return Ranking(
        content=content,
        places=tuple(
            RankedPlace(
                target_type=one.target_type,
                path=one.uri,
                heading=one.heading,
                score=one.score,
                why=one.why,
                diff=unified(one.edit) if one.edit else "",
            )
            for one in ranked
        ),
    )


def list_targets(desk: Desk, *, source_file: str | None) -> TargetRows:
    """Return the customization files; with a source file, which of them a host loads for it, and by which pattern."""
    found = desk.targets
    loaded = {}
    if source_file is not None:
        answers = loaded_for(source_file, found.targets, str(desk.root), settings=found.settings)
        loaded = {answer.target.uri: answer for answer in answers}
    chosen = [target for target in found.targets if source_file is None or target.uri in loaded]
    return TargetRows(
        rows=tuple(_row(target, loaded.get(target.uri)) for target in chosen),
        source_file=source_file,
        skipped=found.skipped,
    )


def _row(target: Target, loaded: Loaded | None) -> TargetRow:
    cost = cost_of(target)
    warnings = [*(loaded.warnings if loaded else ()), *(finding.message for finding in lint(target))]
    if cost.is_over:
        warnings.append(f"it costs about {cost.tokens:,} tokens, and its budget is {cost.budget:,}")
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
    )
