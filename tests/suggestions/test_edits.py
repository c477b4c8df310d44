"""Edits of files of every sort, by rules of every sort: each does what it says, and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conftest import ROOT
from edit_kit import Files, Judge, fact_of, read_rules

from memsuggest.core.model import Edit, MemorySuggestion, TargetType
from memsuggest.customizations.applyto import matching_pattern
from memsuggest.customizations.discovery import target_from
from memsuggest.suggestions.hook_wishes import wish_of
from memsuggest.suggestions.placement.content_safety import why_forbidden
from memsuggest.suggestions.suggest import replan, suggest

if TYPE_CHECKING:
    from pathlib import Path

    from memsuggest.core.model import MemoryFact, Target

RULES = read_rules(ROOT / "docs/measure/edit_rules.txt")
FACTS = [fact_of(rule.content, kind=rule.kind, paths=rule.paths) for rule in RULES]

BODY = (
    "# Orders\n\nWhat this is about.\n\n## Conventions\n\n* One thing\n* Another\n  on two lines\n\n"
    "## Steps\n\n1. First\n2. Second\n\n| a | b |\n|---|---|\n| c | d |\n\n```sh\n- no list\n```\n\n"
    "<!-- begin made -->\n- made by a tool\n<!-- end made -->\n\n## Notes\n\nProse\u2028with a separator.\n"
)
HEAD = "---\nname: 'orders'   # kept\ndescription: >\n  About orders\napplyTo: \"src/**\"\n---\n"
OURS = {
    "AGENTS.md": BODY,
    "web/AGENTS.md": "\ufeff" + BODY.replace("\n", "\r\n"),
    "CLAUDE.md": BODY.rstrip("\n"),
    ".github/instructions/a.instructions.md": HEAD + BODY,
    ".github/instructions/crlf.instructions.md": (HEAD + BODY).replace("\n", "\r\n").removesuffix("\r\n"),
    ".claude/rules/b.md": "---\npaths:\n  - 'db/**'\n---\nOnly prose, no list and no heading",
    ".github/agents/c.agent.md": HEAD + "You review.\n\n<rules>\n- Be kind\n</rules>\n",
    ".github/prompts/d.prompt.md": HEAD + "Write release notes.\n",
    ".github/skills/orders/SKILL.md": HEAD + "# Orders\n\n## Steps\n\n1. One\n\n2. Two\n",
}


def _is_loaded_for(target: Target, fact: MemoryFact) -> bool:
    """Whether the file is in force for what the fact is about: elsewhere the fact is said and does not hold."""
    paths = fact.cited_paths
    return not (paths and target.applies_to) or any(
        matching_pattern(target.applies_to, path, root="/") for path in paths
    )


def forced(fact: MemoryFact, target: Target, turn: int) -> MemorySuggestion | None:
    """Put a fact into a file, under one of its headings."""
    if target.type is TargetType.HOOK or why_forbidden(fact.content) or wish_of(fact):
        return None
    plan = MemorySuggestion(
        id="x",
        fact=fact,
        target_type=target.type,
        target_uri=target.uri,
        suggested_merge_content="",
        heading=target.sections[turn % len(target.sections)].heading,
        edit=Edit(path=target.uri, before=target.text, after=None),
    )
    return replan(plan, target)


def test_our_own_files(tmp_path: Path) -> None:
    """Every file takes rules of every sort, and git agrees with each edit."""
    targets = [target_from(uri, text) for uri, text in OURS.items()]
    files, judge = Files(tuple(targets), ("src/a.ts", "db/b.sql", "web/c.ts")), Judge(tmp_path)
    wrong = []
    for place, fact in enumerate(FACTS):
        made = suggest(fact, files.workspace_index())
        if isinstance(made, MemorySuggestion):
            wrong += [(fact.content, made.edit.path, what) for what in judge.violations(made, files)]
        for target in (targets[place % len(targets)], targets[(place + 4) % len(targets)]):
            put = forced(fact, target, place)
            if put is not None and _is_loaded_for(target, fact):
                found = judge.violations(put, Files((target,)))
                wrong += [(fact.content, target.uri, what) for what in found]
    assert wrong == []
    assert judge.asked > 150
