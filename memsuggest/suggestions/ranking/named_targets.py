"""Targets that a rule names itself: an agent, a skill, or the files that it is about. Pure.

Comes after ranking, which weighs hints; this is no hint.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from memsuggest.customizations.applyto import is_unconditional, matching_pattern
from memsuggest.model import Target, TargetType
from memsuggest.suggestions.ranking.hosts import ROOTS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memsuggest.suggestions.ranking.match import Ranked

_ACTORS = {TargetType.AGENT, TargetType.SKILL}
_SUFFIXES = re.compile(r"\.(?:instructions|agent|chatmode|prompt)?\.?md$", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]{3,}")


def called_first(found: Sequence[Ranked], content: str, *, files: Sequence[str], root: str) -> list[Ranked]:
    """Move up what a rule names: an agent or skill as its subject, or the one file for just the files it names.

    Files that are only cited beside a rule say too little: of nine such cases in public commits, one was right.
    """
    named = [one for one in found if is_named(one.target, content)]
    if not named and found and found[0].target.always_on and found[0].target.folder in ROOTS:
        named = [one for one in found if is_for(one.target, content, paths=files, root=root)]
    first = {one.target.uri for one in named}
    return [*map(_surely, named), *(one for one in found if one.target.uri not in first)]


def _surely(one: Ranked) -> Ranked:
    one = one.located
    why = f"the rule names it: {one.why}" if one.why else "the rule names it"
    return replace(one, score=max(one.score, 0.99), why=why)


def is_named(target: Target, content: str) -> bool:
    """Tell whether a rule speaks of an agent or skill, or of what a prompt makes, by name: "the reviewer must …"."""
    name = _name_of(target)
    if name.partition("-")[0].lower() not in content.lower():
        return False
    name = re.escape(name).replace(r"\-", "[ -]")
    if target.type in _ACTORS:
        return re.search(rf"\b(?:the|our) {name}(?: agent| skill)?\b", content, re.IGNORECASE) is not None
    is_made = target.type is TargetType.PROMPT
    return is_made and re.match(rf"(?:(?:the|our|all|every) )?{name}s?\b", content, re.IGNORECASE) is not None


def _name_of(target: Target) -> str:
    parts = target.uri.split("/")
    return parts[-2] if parts[-1].lower() == "skill.md" and len(parts) > 1 else _SUFFIXES.sub("", parts[-1])


def is_for(target: Target, content: str, *, paths: Sequence[str], root: str) -> bool:
    """Tell whether instructions hold for just the files a rule is about, and the rule says a word of their place."""
    if target.type is not TargetType.INSTRUCTIONS or target.always_on or is_unconditional(target.applies_to):
        return False
    covered = [path for path in paths if matching_pattern(target.applies_to, path, root=root)]
    if not paths or 2 * len(covered) < len(paths):
        return False
    places = {word.lower() for word in _WORD.findall(f"{target.applies_to} {_name_of(target)} {target.title}")}
    return not places.isdisjoint(word.lower() for word in _WORD.findall(content))
