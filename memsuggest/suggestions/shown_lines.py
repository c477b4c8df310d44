"""The lines of customization files as a model is shown them, and found again by their words. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memsuggest.customizations.applyto import is_unconditional
from memsuggest.customizations.blocks.block import BlockKind
from memsuggest.judging.cases import ShownLine, loaded_for
from memsuggest.model import TargetType
from memsuggest.redact import clean, redact
from memsuggest.suggestions.existing.rule_lines import existing_rules_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from memsuggest.model import Target
    from memsuggest.suggestions.existing.rule_lines import ExistingRule

WHOLE = 300
"""Characters of an item or paragraph that is shown as one; of a longer one, its sentences are."""
_MARKS = 12
"""Characters of a bullet, a number, a box, that are no part of a rule."""
_ONLY_IN = {
    TargetType.AGENT: "by this agent only",
    TargetType.SKILL: "with this skill only",
    TargetType.PROMPT: "with this prompt only",
}


def lines_of(target: Target) -> Iterator[ShownLine]:
    """Yield the lines of a file that say something, as they are shown."""
    loaded = _ONLY_IN.get(target.type, loaded_for(target))
    if loaded == "always" or is_unconditional(loaded):
        loaded = ""
    for rule in _units(existing_rules_of(target)):
        says = redact(clean(rule.text)).text
        yield ShownLine(
            uri=target.uri,
            number=rule.line,
            words=rule.raw,
            says=says if says != rule.raw else "",
            under=_heading_above(target, rule.line),
            loaded=loaded,
        )


def line_named(target: Target, words: str) -> ExistingRule | None:
    """Return the line of a file that has these words; None where it is gone."""
    return next((rule for rule in _units(existing_rules_of(target)) if rule.raw == words), None)


def _units(rules: Iterable[ExistingRule]) -> Iterator[ExistingRule]:
    """Yield short items and paragraphs whole, of long ones the sentences, rows of tables, and no headings."""
    whole = -1
    seen: set[tuple[int, str]] = set()
    for rule in rules:
        start = rule.block.start
        if rule.block.kind is BlockKind.HEADING or start == whole or (start, rule.raw) in seen:
            continue
        seen.add((start, rule.raw))
        if rule.block.kind is not BlockKind.TABLE and _is_whole(rule):
            if len(rule.raw) > WHOLE:
                continue
            whole = start
        yield rule


def _is_whole(rule: ExistingRule) -> bool:
    """Tell whether a rule is all of its item or paragraph."""
    return len(rule.raw) + _MARKS >= len(" ".join(rule.lines.replace(">", " ").split()))


def _heading_above(target: Target, line: int) -> str:
    above = [section.heading for section in target.sections if section.start < line]
    return above[-1] if above else ""
