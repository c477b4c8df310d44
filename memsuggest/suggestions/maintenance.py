"""Suggestions that customization files need by themselves: lints put right, rules that a file past its budget gives
twice; and which of all of it is shown. Pure.

Nobody said any of it, so it comes after what was said, few at a time, and what is dismissed stays so for these words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from memsuggest.core.identity import hash_of, normalised
from memsuggest.core.model import (
    Cause,
    Decision,
    Edit,
    Maintenance,
    MemorySuggestion,
    SuggestionStatus,
    Target,
    TargetType,
)
from memsuggest.core.text.words import word_set
from memsuggest.customizations.blocks.line_kinds import bare, split_lines
from memsuggest.customizations.blocks.scan import BlockKind
from memsuggest.customizations.blocks.sections import Passage, passages
from memsuggest.customizations.diff import touched_lines
from memsuggest.customizations.frontmatter import parse
from memsuggest.customizations.lints import Finding, lint
from memsuggest.customizations.loading import cost_of

LIMIT = 5
"""Suggestions of care that are shown at a time."""
PER_FILE = 3
_FEWEST_WORDS = 6  # of an item that is no repetition by chance
_SHOWN = 60  # characters of a line that a sentence quotes
_LONGEST = 10
"""Lines that are said to be replaced; where a fix touches more, the diff alone tells which."""
_EXECUTABLE = word_set(
    "tools hooks mcp-servers mcpServers permissionMode disallowedTools allowed-tools agents handoffs skills"
)
"""Attributes that let an agent do things."""
_READ_OTHERWISE = "assistants do not interpret this file as intended"
_WHY = {
    "description-missing": "assistants choose files by their descriptions; this description was taken from the file",
    "apply-to-dialect": (
        "assistants interpret this pattern differently; the new pattern means the same thing to all of them"
    ),
}
_ORDER = (Cause.UNREAD, Cause.UNHELD, Cause.LINT, Cause.STALE, Cause.BUDGET)
"""The gravest first."""


def of_lints(target: Target) -> Iterator[MemorySuggestion]:
    """Suggest what puts a file's lints right, where that is safe; one edit that mends several counts once."""
    by_text: dict[str, list[Finding]] = {}
    for finding in lint(target):
        is_moot = finding.lint == "apply-to-dialect" and not finding.message.startswith("`*.")
        if finding.fix and finding.fix.after and not is_moot:
            by_text.setdefault(finding.fix.after, []).append(finding)
    for after, findings in sorted(by_text.items()):
        messages = "; ".join(dict.fromkeys(finding.message for finding in findings))
        yield made(
            target,
            cause=Cause.LINT,
            name=" ".join(sorted({finding.lint for finding in findings})),
            content=messages[:1].upper() + messages[1:],
            why=_WHY.get(findings[0].lint, _READ_OTHERWISE),
            after=after,
        )


def of_budget(target: Target) -> Iterator[MemorySuggestion]:
    cost = cost_of(target)
    if not cost.is_over or target.type is not TargetType.INSTRUCTIONS:
        return  # steps and prompts say things again where they are needed
    why = f"the file costs about {cost.tokens:,} tokens, but its budget is {cost.budget:,}"
    lines = split_lines(target.text)
    for kept, again in _twice(target):
        short = kept.text if len(kept.text) <= _SHOWN else f"{kept.text[:_SHOWN].rstrip()} …"
        yield made(
            target,
            cause=Cause.BUDGET,
            name="twice",
            content=f"Repeats line {kept.start + 1}: “{short}”",
            why=why,
            after="".join(lines[: again.start] + lines[again.end :]),
        )


def _twice(target: Target) -> Iterator[tuple[Passage, Passage]]:
    """Yield the items that an earlier item of the file says in the same words, each with the earlier one."""
    first: dict[str, Passage] = {}
    for item in passages(target.text):
        words = normalised(item.text)
        if item.kind is BlockKind.ITEM and item.is_whole and len(words.split()) >= _FEWEST_WORDS:
            earlier = first.setdefault(words, item)
            if earlier is not item:
                yield earlier, item


def made(target: Target, *, cause: Cause, name: str, content: str, why: str, after: str) -> MemorySuggestion:
    """Make a suggestion of care from the file as it would be; its id is that of the trouble, whatever the edit."""
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
        executable=target.type is TargetType.HOOK or _powers(target.text) != _powers(after),
    )


def _powers(text: str) -> list[object]:
    """Return the attributes that say what an agent may do, as hosts read them."""
    return [attribute for attribute in parse(text).attributes or [] if attribute[0] in _EXECUTABLE]


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """The care that is shown, and how much is pending behind it."""

    shown: tuple[MemorySuggestion, ...] = ()
    held: Mapping[str, int] = field(default_factory=dict)
    """By the path of a file, how many more there are."""


def chosen(found: Iterable[MemorySuggestion], decisions: Iterable[Decision]) -> Chosen:
    """Choose the few that are shown: none that was dismissed, the gravest first, not all of one file."""
    silenced = {decision.fact_id for decision in decisions if decision.status is SuggestionStatus.DISMISSED}
    kept: list[MemorySuggestion] = []
    held: Counter[str] = Counter()

    def gravest_first(need: MemorySuggestion) -> tuple[int, str, str]:
        return _ORDER.index(need.maintenance.cause) if need.maintenance else 0, need.edit.path, need.id

    for need in sorted(found, key=gravest_first):
        if need.about in silenced:
            continue
        silenced.add(need.about)  # the same words once more wait until these are settled
        if sum(other.edit.path == need.edit.path for other in kept) < PER_FILE and len(kept) < LIMIT:
            kept.append(need)
        else:
            held[need.edit.path] += 1
    return Chosen(shown=tuple(kept), held=dict(held))
