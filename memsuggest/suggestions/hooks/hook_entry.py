"""A fact that says what to run and when: as an entry in a file of hooks. Pure."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from memsuggest.model import Edit, MemorySuggestion, TargetType
from memsuggest.suggestions.fact_targets import AlreadySaid, Case
from memsuggest.suggestions.hooks.hook_wishes import SAYS_WHEN, HookWish
from memsuggest.suggestions.hooks.suggested_hook_file import (
    CLAUDE_FILE,
    NEW_FILE,
    first_file,
    has_entry,
    is_of_claude,
    with_entry,
)
from memsuggest.suggestions.placement.plan import planned

if TYPE_CHECKING:
    from memsuggest.model import MemoryFact
    from memsuggest.suggestions.ranking.workspace_index import WorkspaceIndex


def run_already(wish: HookWish, workspace_index: WorkspaceIndex) -> AlreadySaid | None:
    """Say where a file of hooks runs the command already."""
    for target in workspace_index.hooks():
        if has_entry(target.text, wish):
            before = target.text.partition(wish.command)[0]
            return AlreadySaid(uri=target.uri, line=before.count("\n") + 1, text=wish.command)
    return None


def hook(case: Case, wish: HookWish) -> MemorySuggestion | None:
    """Put the command into the file of hooks of the assistant that was told; None where that is closed."""
    why = f"it says what to run, and when: that is a hook, which hosts run by themselves {SAYS_WHEN[wish.event]}"
    for_claude = _is_said_to_claude(case.fact)
    for target in sorted(
        case.workspace_index.hooks(), key=lambda one: (is_of_claude(one.uri) is not for_claude, one.uri)
    ):
        if is_of_claude(target.uri) is not for_claude and '"hooks"' not in target.text:
            continue  # another host's settings, in which it keeps no hooks
        grouped = is_of_claude(target.uri)
        if target.uri not in case.shut and (added := with_entry(target.text, wish, is_grouped=grouped)):
            made = planned(case.fact, target, after=added.text, content=added.lines, heading=wish.event, why=why)
            return replace(made, executable=True)
    name = CLAUDE_FILE if for_claude and case.workspace_index.keeps_to_claude else NEW_FILE
    if name in case.shut or name in case.workspace_index.by_uri:
        return None
    text = first_file(wish, is_grouped=name == CLAUDE_FILE)
    return MemorySuggestion(
        id=case.fact.id,
        fact=case.fact,
        target_type=TargetType.HOOK,
        suggested_file_name=name,
        suggested_merge_content=text,
        heading=wish.event,
        why=why,
        edit=Edit(path=name, before=None, after=text),
        executable=True,
    )


def _is_said_to_claude(fact: MemoryFact) -> bool:
    """Tell whether Claude Code alone was told, which has hooks of its own."""
    told = {citation.format for citation in fact.citations}
    return bool(told) and all(name.startswith("claude") for name in told)
