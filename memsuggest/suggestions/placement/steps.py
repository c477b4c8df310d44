"""The steps of a procedure: cut out of a rule, and found again in a list. Pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memsuggest.suggestions.existing.clauses import put_otherwise

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memsuggest.suggestions.existing.existing_rules import ExistingRules
    from memsuggest.suggestions.existing.rule_lines import ExistingRule

LEAD = re.compile(
    r"(?P<how>when(?:ever)?|how\s+to|to|before|after|for)\s+(?P<what>[\w][\w '/-]{2,70}?)\s*[,:]\s+", re.IGNORECASE
)
"""What a procedure is for, and how it is said."""
_NUMBERED = re.compile(r"(?:^|\s)\(?\d{1,2}[.)]\s+")
_THEN = re.compile(
    r";\s+|[,.]?\s+(?:and\s+)?then[,:]?\s+|[,.]\s+(?:after\s+that|finally|lastly)[,:]?\s+", re.IGNORECASE
)
_FIRST = re.compile(r"first(?:ly)?[,:]?\s+", re.IGNORECASE)


def steps_of(content: str) -> list[str]:
    """Return the steps of a procedure in the order in which they are told; one or none for anything else."""
    lead = LEAD.match(content)
    told = content[lead.end() :] if lead else content
    numbered = [part.strip(" ,;.") for part in _NUMBERED.split(told)]
    parts = numbered[1:] if len(numbered) > 2 else [part.strip(" ,;") for part in _THEN.split(told)]
    return [_FIRST.sub("", part, count=1) for part in parts if part]


def said_in_steps(content: str, existing_rules: ExistingRules) -> list[ExistingRule]:
    """Return the first of some steps wherever one list holds all steps of a procedure, in their order."""
    steps = steps_of(content)
    if len(steps) < 2:
        return []
    starts = existing_rules.said(steps[0])
    rest = [existing_rules.said(step) for step in steps[1:]]
    return [start for start in starts if _goes_on(start, rest)]


def said_otherwise(content: str, existing_rules: ExistingRules) -> list[ExistingRule]:
    """Return where a rule is said step by step, or in another form of the same words."""
    found = said_in_steps(content, existing_rules)
    turned = None if found else put_otherwise(content)
    return found or (existing_rules.said(turned) if turned else [])


def _goes_on(start: ExistingRule, rest: Iterable[list[ExistingRule]]) -> bool:
    """Tell whether the steps after the first follow it in its list."""
    line = start.line
    for said in rest:
        following = [one.line for one in said if one.uri == start.uri and one.line > line and _is_listed(one, start)]
        if not following:
            return False
        line = min(following)
    return True


def _is_listed(one: ExistingRule, start: ExistingRule) -> bool:
    return one.block.group == start.block.group >= 0
