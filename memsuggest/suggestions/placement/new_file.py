"""New customization files: their names, their heads, their first rule. Pure.

Names are ours, never a fact's: the slug of a folder, `conventions`, `personal`. What stands in a head is made of slugs
and of our own words, so that nothing has to be quoted.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Sequence
from typing import NamedTuple

from memsuggest.core.model import Edit, Kind, MemoryFact, MemorySuggestion, Scope, TargetType
from memsuggest.core.text.words import word_set
from memsuggest.customizations.applyto import infer, portable
from memsuggest.customizations.kinds import place_of
from memsuggest.suggestions.placement.content_safety import one_line
from memsuggest.suggestions.placement.line_format import begin_like
from memsuggest.suggestions.ranking.hosts import Host
from memsuggest.suggestions.ranking.repo_paths import INSIDE

AGENTS_MD = "AGENTS.md"
CLAUDE_MD = "CLAUDE.md"
_OWN_FILES = {Host.CLAUDE: "~/.claude/CLAUDE.md", Host.CODEX: "~/.codex/AGENTS.md"}
"""What assistants read for one person in every project, where that is one file."""
_OWN = "~/.copilot/instructions/{}.instructions.md"
_RULES, _INSTRUCTIONS, _SKILLS = (
    ".claude/rules/{}.md",
    ".github/instructions/{}.instructions.md",
    ".github/skills/{}/SKILL.md",
)
_LEAD = re.compile(r"(?:when(?:ever)?|how\s+to|to|before|after|for)\s+([\w][\w '/-]{2,70}?)\s*[,:]\s+", re.IGNORECASE)
"""What a procedure is for."""
_WORDS = re.compile(r"[\w'-]+")
_NUMBERED = re.compile(r"(?:^|\s)\(?\d{1,2}[.)]\s+")
_PLAIN_FOLDERS = word_set("src lib app apps packages pkg internal cmd main source code java")
SLUG_LIMIT = 40
"""Characters of a name of ours."""
_NOT_SLUG = re.compile(r"[^a-z0-9]+")
_LETTERS = str.maketrans(
    {"ß": "ss", "ä": "ae", "ö": "oe", "ü": "ue", "æ": "ae", "ø": "o", "œ": "oe", "ł": "l", "đ": "d"}
)
"""Letters that have no sign to be left out."""
_CONVENTIONS = "Conventions"
"""The heading in a file that is always loaded, where none was typed."""
_ENDINGS = re.compile(r"(\.instructions)?\.md$", re.IGNORECASE)


class NewFile(NamedTuple):
    """A file that is to be made."""

    uri: str
    text: str


def new_file(
    fact: MemoryFact,
    *,
    paths: Sequence[str],
    taken: Collection[str],
    has_always_on: bool,
    host: Host | None = None,
) -> NewFile:
    """Return a new file that holds a fact, where the assistant that was told (`host`) reads it.

    `taken` are the names of the files that there are; they say, too, where this workspace keeps such files.
    """
    if fact.scope is Scope.USER:
        always_on = _OWN_FILES.get(host) if host else None
        is_free = always_on is not None and always_on not in taken
        uri = always_on if always_on and is_free else _free(_OWN, "personal", taken)
        return NewFile(uri, _text(fact, uri, pattern=None, about="How I like to work, in every project"))
    lead = _LEAD.match(fact.content)
    parts = [part.strip(" ,;.") for part in _NUMBERED.split(fact.content[lead.end() if lead else 0 :])]
    steps = [part for part in parts[1:] if part]
    if fact.kind in {Kind.PROCEDURE, Kind.SKILL} and len(parts) > 2 and len(steps) > 1:
        return _skill(lead[1] if lead else "", steps, taken=taken)
    pattern = pattern_of(paths)
    always_on = CLAUDE_MD if host is Host.CLAUDE else AGENTS_MD
    if pattern is None and not has_always_on and always_on not in taken:
        return NewFile(always_on, _text(fact, always_on, pattern=None))
    is_copilots = any(uri.startswith(".github/") for uri in taken)
    is_for_claude = host is Host.CLAUDE and not is_copilots
    if any(uri.startswith(".claude/rules/") for uri in taken):
        is_for_claude = is_for_claude or not any(uri.startswith(".github/instructions/") for uri in taken)
    split = [path.removeprefix("./").split("/")[:-1] for path in paths] if pattern else []
    common = [slug(names[0]) for names in zip(*split, strict=False) if len(set(names)) == 1]
    folder = next((word for word in reversed(common) if word and word not in _PLAIN_FOLDERS), "")
    uri = _free(_RULES if is_for_claude else _INSTRUCTIONS, folder or "conventions", taken)
    named = (pattern or "").partition(",")[0].partition("*")[0].rstrip("/") or folder
    about = f"Use when working in {named}" if folder else "Project conventions"
    return NewFile(uri, _text(fact, uri, pattern=pattern, about=about))


def in_new_file(fact: MemoryFact, uri: str, *, heading: str | None, why: str) -> MemorySuggestion | None:
    """Return the suggestion that makes a file with a rule as its first; None where only instructions can be made."""
    place = place_of(uri.removeprefix("~/"))
    if place is None or place.kind.type is not TargetType.INSTRUCTIONS:
        return None
    text = _text(fact, uri, pattern=pattern_of(fact.cited_paths), heading=heading)
    return of_new_file(fact, uri, text, why=why, heading=heading)


def of_new_file(
    fact: MemoryFact,
    uri: str,
    text: str,
    *,
    why: str,
    heading: str | None = None,
    type: TargetType = TargetType.NEW_FILE,
) -> MemorySuggestion:
    return MemorySuggestion(
        id=fact.id,
        fact=fact,
        target_type=type,
        suggested_file_name=uri,
        suggested_merge_content=text,
        heading=heading,
        why=why,
        edit=Edit(path=uri, before=None, after=text),
        executable=type is TargetType.HOOK,
    )


def pattern_of(paths: Sequence[str]) -> str | None:
    """Say in a pattern which files a fact is about; folders that are only named count when nothing else is cited."""
    folders = [path.removesuffix(INSIDE) for path in paths if path.endswith(f"/{INSIDE}")]
    if len(folders) < len(paths) or not paths:
        return infer(path for path in paths if not path.endswith(f"/{INSIDE}"))
    try:
        return portable(f"{folder}**" for folder in folders)
    except ValueError:
        return None


def _text(fact: MemoryFact, uri: str, *, pattern: str | None, about: str = "", heading: str | None = None) -> str:
    """Return a file with one rule: the front matter by which hosts know when to load it, a title, the rule."""
    place = place_of(uri.removeprefix("~/"))
    name, is_always_on = (place.kind.name, place.kind.always_on) if place else ("", False)
    words = _ENDINGS.sub("", uri.rpartition("/")[2]).replace("-", " ").replace("_", " ").strip()
    title = "Instructions for agents" if is_always_on else words[:1].upper() + words[1:]
    below = one_line(heading) if heading else _CONVENTIONS if is_always_on else ""
    if fact.scope is Scope.USER and not heading:
        title, below = "Personal", ""
    section = f"## {below}\n\n" if below else ""
    return f"{_head(name, pattern, about)}# {title}\n\n{section}- {begin_like(one_line(fact.content), [])}\n"


def _head(kind: str, pattern: str | None, about: str) -> str:
    said = f'description: "{about}"\n' if about else ""
    if kind == "instructions":
        return f'---\n{said}applyTo: "{pattern or "**"}"\n---\n\n'
    if kind == "rules" and (pattern or said):
        listed = "paths:\n" + "".join(f'  - "{glob}"\n' for glob in pattern.split(",")) if pattern else ""
        return f"---\n{said}{listed}---\n\n"
    if kind == "cursor-rules":
        return f"---\nglobs: {pattern}\nalwaysApply: false\n---\n\n" if pattern else "---\nalwaysApply: true\n---\n\n"
    return ""


def _skill(purpose: str, steps: Sequence[str], *, taken: Collection[str]) -> NewFile:
    uri = _free(_SKILLS, slug(" ".join(_WORDS.findall(purpose))) or "procedure", taken)
    name, what = uri.split("/")[-2], " ".join(_WORDS.findall(purpose)) or "this"
    head = f'---\nname: {name}\ndescription: "Use when the task is about: {what}"\n---\n'
    listed = "".join(f"{number}. {begin_like(one_line(step), [])}\n" for number, step in enumerate(steps, 1))
    return NewFile(uri, f"{head}\n# {name[:1].upper()}{name[1:].replace('-', ' ')}\n\n## Steps\n\n{listed}")


def _free(form: str, name: str, taken: Collection[str]) -> str:
    """Return the first path of a form that is not taken, on file systems of any kind."""
    lowered = {uri.lower() for uri in taken}
    number, uri = 1, form.format(name)
    while uri.lower() in lowered:
        number += 1
        uri = form.format(f"{name}-{number}")
    return uri


def slug(text: str) -> str:
    """Return a text as a name of ours: lower case, ASCII letters, digits and dashes, at most 40 characters."""
    plain = unicodedata.normalize("NFKD", text.lower().translate(_LETTERS))
    ascii_only = "".join(char for char in plain if not unicodedata.combining(char))
    return _NOT_SLUG.sub("-", ascii_only).strip("-")[:SLUG_LIMIT].strip("-")
