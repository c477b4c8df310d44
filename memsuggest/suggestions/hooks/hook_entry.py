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
    with_entry,
)
from memsuggest.suggestions.placement.plan import planned

if TYPE_CHECKING:
    from memsuggest.model import MemoryFact, Target
    from memsuggest.suggestions.ranking.workspace_index import WorkspaceIndex


def run_already(wish: HookWish, workspace_index: WorkspaceIndex) -> AlreadySaid | None:
    """Say where a file of hooks runs the command already."""
    for target in workspace_index.hooks():
        if has_entry(target.text, wish):
            before = target.text.partition(wish.command)[0]
            return AlreadySaid(uri=target.uri, line=before.count("\n") + 1, text=wish.command)
    return None


def hook(case: Case, wish: HookWish) -> MemorySuggestion | None:
    """Put the command into our own file of hooks, or into Claude Code's settings; None where that cannot be.

    Any other file of hooks may be part of a plugin, and run wherever that is installed.
    """
    why = f"it says what to run, and when: that is a hook, which hosts run by themselves {SAYS_WHEN[wish.event]}"
    files = {target.uri: target for target in case.workspace_index.hooks()}
    is_in_settings = _is_said_to_claude(case.fact) and (CLAUDE_FILE in files or case.workspace_index.keeps_to_claude)
    name = CLAUDE_FILE if is_in_settings else NEW_FILE
    if name in case.shut:
        return None
    if target := files.get(name):
        return with_hook(case.fact, wish, target, why=why)
    if name in case.workspace_index.by_uri:  # its name, and no hooks
        return None
    text = first_file(wish, is_grouped=is_in_settings)
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


def with_hook(fact: MemoryFact, wish: HookWish, target: Target, *, why: str) -> MemorySuggestion | None:
    """Return the suggestion that adds an entry to one of the two files; None for any other, and for an odd form."""
    if target.uri not in (CLAUDE_FILE, NEW_FILE):
        return None
    added = with_entry(target.text, wish, is_grouped=target.uri == CLAUDE_FILE)
    if added is None:
        return None
    made = planned(fact, target, after=added.text, content=added.lines, heading=wish.event, why=why)
    return replace(made, executable=True)


def _is_said_to_claude(fact: MemoryFact) -> bool:
    """Tell whether Claude Code alone was told, which has hooks of its own."""
    told = {citation.format for citation in fact.citations}
    return bool(told) and all(name.startswith("claude") for name in told)
