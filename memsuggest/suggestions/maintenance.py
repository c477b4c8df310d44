"""What customization files need by themselves, as suggestions: lints put right, lines about files that are gone,
rules that a file past its budget gives twice. Pure.

Nobody said any of it, so it comes after what was said, few at a time, and what is dismissed stays so for these words.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from memsuggest.customizations.blocks.line_kinds import bare, split_lines
from memsuggest.customizations.frontmatter import parse
from memsuggest.customizations.lint.budget import cost_of
from memsuggest.customizations.lint.file_lints import lint
from memsuggest.identity import hash_of
from memsuggest.model import Cause, Edit, Maintenance, MemorySuggestion, SuggestionStatus, Target, TargetType
from memsuggest.suggestions.diff import touched_lines
from memsuggest.suggestions.existing.repeated_rules import repeats
from memsuggest.suggestions.placement.layouts import layout_of
from memsuggest.text.words import word_set

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from memsuggest.customizations.blocks.block import Block
    from memsuggest.customizations.lint import Finding
    from memsuggest.customizations.lint.stale import Stale
    from memsuggest.model import Decision

LIMIT = 5
"""Suggestions of care that are shown at a time."""
PER_FILE = 3
_SHOWN = 60  # characters of a line that a sentence quotes
_LONGEST = 10
"""Lines that are said to be replaced; where a fix touches more, the diff alone tells which."""
_EXECUTABLE = word_set(
    "tools hooks mcp-servers mcpServers permissionMode disallowedTools allowed-tools agents handoffs skills"
)
"""Attributes that let an agent do things."""
_READ_OTHERWISE = "hosts read this file otherwise than it was meant"
_WHY = {
    "description-missing": "hosts choose by descriptions; these words are the file's own, to be changed as you like",
    "apply-to-dialect": "hosts read this pattern differently; the new one means the same to all of them",
    "prompt-mode": "newer hosts know only the new name",
}
_ORDER = {Cause.LINT: 0, Cause.STALE: 1, Cause.BUDGET: 2}


@dataclass(frozen=True, slots=True, kw_only=True)
class PathHistory:
    """What became of a path that a line cites and that the repository does not have."""

    removed_on: str = ""
    """The day, as 2026-03-01, where git knows it."""
    moved_to: str = ""
    """Where it lies now, where git knows it."""


def of_lints(target: Target) -> Iterator[MemorySuggestion]:
    """Suggest what puts a file's lints right, where that is safe; one edit that mends several counts once."""
    found = sorted((one for one in lint(target) if one.fix and one.fix.after and not _is_moot(one)), key=_after)
    for after, group in groupby(found, key=_after):
        findings = list(group)
        messages = dict.fromkeys(finding.message for finding in findings)
        yield _made(
            target,
            cause=Cause.LINT,
            name=" ".join(sorted({finding.lint for finding in findings})),
            content=_sentence("; ".join(messages)),
            why=_WHY.get(findings[0].lint, _READ_OTHERWISE),
            after=after,
        )


def _is_moot(finding: Finding) -> bool:
    """Whether a file may be meant as it is: a plain name in `applyTo` may mean that of the root alone."""
    return finding.lint == "apply-to-dialect" and not finding.message.startswith("`*.")


def _after(finding: Finding) -> str:
    return (finding.fix.after if finding.fix else None) or ""


def of_stale(target: Target, stale: Stale, path_histories: Mapping[str, PathHistory]) -> MemorySuggestion | None:
    """Suggest taking out a line whose files are gone, or giving their new places; None where that is not plain."""
    told = [path_histories.get(path, PathHistory()) for path in stale.gone]
    listed = " and ".join(f"`{path}`" for path in stale.gone)
    if any(path_history.moved_to for path_history in told):
        moves = {path: path_history.moved_to for path, path_history in zip(stale.gone, told, strict=True)}
        after = _with_moves(target, stale, moves)
        content = f"It cites {listed}, which moved to " + " and ".join(f"`{new}`" for new in moves.values())
        return (
            _made(target, cause=Cause.STALE, name="stale", content=content, why=_HISTORY, after=after)
            if after
            else None
        )
    days = sorted({path_history.removed_on for path_history in told if path_history.removed_on})
    is_are = "are" if len(told) > 1 else "is"
    why = (
        f"git knows that it was removed on {days[-1]}" if days else "nothing in the repo has this path, or ends with it"
    )
    content = f"It speaks of {listed}, which {is_are} gone"
    return _made(target, cause=Cause.STALE, name="stale", content=content, why=why, after=stale.edit.after or "")


_HISTORY = "git knows where it went"


def _with_moves(target: Target, stale: Stale, moves: Mapping[str, str]) -> str | None:
    """Return the file with the new places of all paths; None where that is not plain."""
    lines = split_lines(target.text)
    block = next((one for one in layout_of(target.text).blocks if one.start == stale.line), None)
    written = "".join(lines[block.start : block.end]) if block else ""
    if block is None or not all(moves.values()) or any(written.count(path) != 1 for path in moves):
        return None
    for old, new in moves.items():
        written = written.replace(old, new + ("/" if old.endswith("/") else ""))
    return "".join([*lines[: block.start], written, *lines[block.end :]])


def of_budget(target: Target) -> Iterator[MemorySuggestion]:
    """Suggest taking out what a file past its budget says twice."""
    cost = cost_of(target)
    if not cost.is_over or target.type is not TargetType.INSTRUCTIONS:
        return  # steps and prompts say things again where they are needed
    why = f"the file costs about {cost.tokens:,} tokens, and its budget is {cost.budget:,}"
    for one in repeats(target):
        yield _made(
            target,
            cause=Cause.BUDGET,
            name="twice",
            content=f"It says again what line {one.kept.start + 1} says: “{_short(one.kept.text)}”",
            why=why,
            after=_without(target, one.needless),
        )


def _without(target: Target, block: Block) -> str:
    lines = split_lines(target.text)
    return "".join(lines[: block.start] + lines[block.end :])


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN].rstrip()} …"


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _made(target: Target, *, cause: Cause, name: str, content: str, why: str, after: str) -> MemorySuggestion:
    old, new = split_lines(target.text), split_lines(after)
    span = touched_lines(old, new)
    taken = [bare(line) for line in old[span.start : span.old_end]]
    words = " ".join(" ".join(taken[:_LONGEST]).split())
    around = [section for section in target.sections if section.start <= span.start < section.end]
    heading = around[-1].heading if around else ""
    maintenance = Maintenance(id=hash_of("care", cause, name, target.uri, heading, words), cause=cause, content=content)
    return MemorySuggestion(
        id=maintenance.id,
        maintenance=maintenance,
        target_type=target.type,
        target_uri=target.uri,
        suggested_merge_content="\n".join(bare(line) for line in new[span.start : span.new_end]),
        heading=heading or None,
        replaces="\n".join(taken) if 0 < len(taken) <= _LONGEST else None,
        why=why,
        base_digest=target.digest,
        edit=Edit(path=target.uri, before=target.text, after=after),
        executable=_lets_do_more(target, after),
    )


def _lets_do_more(target: Target, after: str) -> bool:
    """Whether what an agent may do is another after an edit, as hosts read it."""
    if target.type is TargetType.HOOK:
        return True
    before, now = parse(target.text).attributes or [], parse(after).attributes or []
    return [one for one in before if one[0] in _EXECUTABLE] != [one for one in now if one[0] in _EXECUTABLE]


def chosen(found: Iterable[MemorySuggestion], decisions: Iterable[Decision]) -> tuple[MemorySuggestion, ...]:
    """Return the few that are shown: none that was dismissed, the gravest first, not all of one file."""
    silenced = {decision.fact_id for decision in decisions if decision.status is SuggestionStatus.DISMISSED}
    kept: list[MemorySuggestion] = []
    for one in sorted(found, key=_gravest_first):
        of_file = sum(other.edit.path == one.edit.path for other in kept)
        if one.about not in silenced and of_file < PER_FILE and len(kept) < LIMIT:
            silenced.add(one.about)  # the same words once more wait until these are settled
            kept.append(one)
    return tuple(kept)


def _gravest_first(one: MemorySuggestion) -> tuple[int, str, str]:
    return (_ORDER[one.maintenance.cause] if one.maintenance else 0, one.edit.path, one.id)
