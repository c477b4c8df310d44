"""A new file of instructions under a name that the person typed, with its first rule. Pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memsuggest.customizations.kinds import place_of
from memsuggest.model import Edit, MemoryFact, MemorySuggestion, TargetType
from memsuggest.suggestions.placement.content_safety import one_line
from memsuggest.suggestions.placement.line_format import begin_like
from memsuggest.suggestions.placement.new_file import pattern_of

if TYPE_CHECKING:
    from memsuggest.customizations.kinds import FileKind

_CONVENTIONS = "Conventions"
"""The heading in a file that is always loaded, where none was typed."""
_ENDINGS = re.compile(r"(\.instructions)?\.md$", re.IGNORECASE)


def in_new_file(fact: MemoryFact, uri: str, *, heading: str | None, why: str) -> MemorySuggestion | None:
    """Return the suggestion that makes a file with a rule as its first; None where only instructions can be made."""
    place = place_of(uri.removeprefix("~/"))
    if place is None or place.kind.type is not TargetType.INSTRUCTIONS:
        return None
    text = _head(place.kind, fact) + _body(place.kind, fact, uri, heading=heading)
    return MemorySuggestion(
        id=fact.id,
        fact=fact,
        target_type=TargetType.NEW_FILE,
        suggested_file_name=uri,
        suggested_merge_content=text,
        heading=heading,
        why=why,
        edit=Edit(path=uri, before=None, after=text),
    )


def _head(kind: FileKind, fact: MemoryFact) -> str:
    """Return the front matter by which hosts know for which files to load it."""
    pattern = pattern_of(fact.cited_paths)
    if kind.name == "instructions":
        return f'---\napplyTo: "{pattern or "**"}"\n---\n\n'
    if kind.name == "rules" and pattern:
        return "---\npaths:\n" + "".join(f'  - "{one}"\n' for one in pattern.split(",")) + "---\n\n"
    if kind.name == "cursor-rules":
        return f"---\nglobs: {pattern}\nalwaysApply: false\n---\n\n" if pattern else "---\nalwaysApply: true\n---\n\n"
    return ""


def _body(kind: FileKind, fact: MemoryFact, uri: str, *, heading: str | None) -> str:
    words = _ENDINGS.sub("", uri.rpartition("/")[2]).replace("-", " ").replace("_", " ").strip()
    title = "Instructions for agents" if kind.always_on else words[:1].upper() + words[1:]
    below = one_line(heading) if heading else _CONVENTIONS if kind.always_on else ""
    section = f"## {below}\n\n" if below else ""
    return f"# {title}\n\n{section}- {begin_like(one_line(fact.content), [])}\n"
