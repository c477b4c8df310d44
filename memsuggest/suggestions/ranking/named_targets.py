"""Targets that a rule names itself: an agent, a skill, what a prompt makes. Pure.

Comes after ranking, which weighs hints; this is no hint.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from memsuggest.model import Target, TargetType
from memsuggest.suggestions.ranking.target_index import plain_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memsuggest.suggestions.ranking.match import Ranked

_ACTORS = {TargetType.AGENT, TargetType.SKILL}


def called_first(found: Sequence[Ranked], content: str) -> list[Ranked]:
    """Move up the agent, skill or prompt that a rule names as its subject."""
    named = [one for one in found if is_named(one.target, content)]
    first = {one.target.uri for one in named}
    surely = [replace(one.located, score=max(one.score, 0.99), why="the rule names it") for one in named]
    return [*surely, *(one for one in found if one.target.uri not in first)]


def is_named(target: Target, content: str) -> bool:
    """Tell whether a rule speaks of an agent or skill, or of what a prompt makes, by name: "the reviewer must …"."""
    name = plain_name(target)
    if name.partition("-")[0].lower() not in content.lower():
        return False
    name = re.escape(name).replace(r"\-", "[ -]")
    if target.type in _ACTORS:
        return re.search(rf"\b(?:the|our) {name}(?: agent| skill)?\b", content, re.IGNORECASE) is not None
    is_made = target.type is TargetType.PROMPT
    return is_made and re.match(rf"(?:(?:the|our|all|every) )?{name}s?\b", content, re.IGNORECASE) is not None
