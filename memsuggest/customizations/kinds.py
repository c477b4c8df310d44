"""The kinds of customization files: where each lies, what it is called, how it says what it applies to. Pure.

Adding a kind is one row of `KINDS`. Names are compared in lower case; `folder` is looked for at the root and, because
monorepos have them, in any folder below it. Sources: the hosts' own code and pages, in their versions of 2026.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from memsuggest.core.extensions import extensions
from memsuggest.core.model import TargetType
from memsuggest.customizations.frontmatter import FrontMatter, parse

ALWAYS_ON_NAMES = frozenset({"agents.md", "claude.md", "claude.local.md", "gemini.md", "copilot-instructions.md"})
_HOST_FOLDERS = {
    ".github": ("copilot-instructions.md",),
    ".copilot": ("copilot-instructions.md",),
    ".claude": ("claude.md",),
    ".codex": ("agents.md",),
    ".gemini": ("gemini.md",),
}
"""Folders of hosts, and the always-on files that stand in them for the whole root (or home)."""
SETTINGS_NAMES = ("settings.json", "settings.local.json")


@dataclass(frozen=True, slots=True, kw_only=True)
class FileKind:
    """One sort of customization file."""

    name: str
    type: TargetType
    folders: tuple[str, ...]
    """Where it lies in a workspace; a name that is looked up in the root itself has the folder ``."""
    home_folders: tuple[str, ...] = ()
    """Where it lies in the person's home, by the usual names."""
    is_named: Callable[[str], bool]
    """Whether a file with this name, in lower case, is of this kind."""
    depth: tuple[int, int] = (0, 0)
    """How many folders may stand between: fewest and most that VS Code looks into."""
    depth_here: int = 8
    """The most that we look into, since settings may name any sub-folder."""
    always_on: bool = False
    applies_to: Callable[[FrontMatter, str], str | None] = lambda header, folder: None
    """What the host takes as its patterns, from its front matter and the folder that it governs."""


def _ends_with(*suffixes: str) -> Callable[[str], bool]:
    return lambda name: name.endswith(suffixes) and name not in suffixes


def _is_markdown(name: str) -> bool:
    return name.endswith(".md") and name not in ("readme.md", ".md")


def _patterns(header: FrontMatter, folder: str) -> str | None:
    if header.apply_to is not None:
        return header.apply_to
    listed = header.strings("applyTo")
    return ", ".join(listed) if listed else None


def _cursor_globs(header: FrontMatter, folder: str) -> str | None:
    globs = [glob for glob in header.strings("globs") or () if glob]
    return ", ".join(globs) if globs else "**" if header.string("alwaysApply") == "true" else None


def _kind(name: str, type: TargetType, folders: str, homes: str = "", **more: Any) -> FileKind:
    return FileKind(name=name, type=type, folders=tuple(folders.split()), home_folders=tuple(homes.split()), **more)


KINDS: tuple[FileKind, ...] = (
    _kind(
        "instructions",
        TargetType.INSTRUCTIONS,
        ".github/instructions",
        ".copilot/instructions",
        is_named=lambda name: name.endswith(".instructions.md") or name == "copilot-instructions.md",
        depth=(0, 5),
        applies_to=_patterns,
    ),
    _kind(
        "rules",
        TargetType.INSTRUCTIONS,
        ".claude/rules",
        ".claude/rules",
        is_named=_is_markdown,
        depth=(0, 5),
        applies_to=lambda header, folder: ", ".join(header.paths) if header.paths is not None else "**",
    ),
    _kind(
        "cursor-rules", TargetType.INSTRUCTIONS, ".cursor/rules", is_named=_ends_with(".mdc"), applies_to=_cursor_globs
    ),
    _kind(
        "agents",
        TargetType.AGENT,
        ".github/agents .claude/agents",
        ".copilot/agents .claude/agents",
        is_named=_is_markdown,
    ),
    _kind("chatmodes", TargetType.AGENT, ".github/chatmodes", is_named=_ends_with(".chatmode.md", ".agent.md")),
    _kind(
        "skills",
        TargetType.SKILL,
        ".agents/skills .github/skills .claude/skills",
        ".agents/skills .copilot/skills .claude/skills",
        is_named="skill.md".__eq__,
        depth=(1, 1),
    ),
    _kind("prompts", TargetType.PROMPT, ".github/prompts", is_named=_ends_with(".prompt.md")),
    _kind("hooks", TargetType.HOOK, ".github/hooks", ".copilot/hooks", is_named=_ends_with(".json")),
    _kind("hook-settings", TargetType.HOOK, ".claude", ".claude", is_named=SETTINGS_NAMES.__contains__, depth_here=0),
    FileKind(
        name="always-on",
        type=TargetType.INSTRUCTIONS,
        folders=("", ".github", ".claude"),
        home_folders=(".claude", ".copilot", ".codex", ".gemini"),
        is_named=ALWAYS_ON_NAMES.__contains__,
        depth_here=0,
        always_on=True,
        applies_to=lambda header, folder: f"{folder}/**" if folder else "**",
    ),
    *extensions("kinds"),
)
"""Every kind; of two that fit, the first counts."""

BY_NAME = {kind.name: kind for kind in KINDS}

_SUFFIXES: tuple[tuple[str, str], ...] = (
    (".instructions.md", "instructions"),
    (".agent.md", "agents"),
    (".chatmode.md", "agents"),
    (".prompt.md", "prompts"),
    ("skill.md", "skills"),
    (".mdc", "cursor-rules"),
    (".json", "hooks"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class KindPlace:
    """A file's kind by its path, and the folder that has the kind's own folder."""

    kind: FileKind
    base: str
    """POSIX, empty for the root: `packages/web` for `packages/web/.github/instructions/a.instructions.md`."""
    depth: int
    """Folders between the kind's folder and the file."""

    @property
    def is_seen_by_vscode(self) -> bool:
        """Tell whether VS Code looks there without being told by a setting."""
        fewest, most = self.kind.depth
        is_default = self.kind.name not in ("chatmodes", "cursor-rules")
        return is_default and not self.base and fewest <= self.depth <= most


def place_of(path: str) -> KindPlace | None:
    """Say what a file is by its path alone (relative to the root, or to the home); None for no customization."""
    folder, _, name = path.lower().rpartition("/")
    for kind in KINDS:
        if not kind.is_named(name):
            continue
        if kind.always_on:  # it governs a folder; some are only read in a folder of their host
            above, _, own = folder.rpartition("/")
            if name in _HOST_FOLDERS.get(own, ()):
                return KindPlace(kind=kind, base=path[: len(above)], depth=0)
            if name != "copilot-instructions.md":
                return KindPlace(kind=kind, base=path[: len(folder)], depth=0)
            continue
        padded = f"/{folder}/"
        for anchor in (*kind.folders, *kind.home_folders):
            at = padded.find(f"/{anchor}/")
            depth = padded.count("/", at + len(anchor) + 2)
            if at >= 0 and kind.depth[0] <= depth <= kind.depth_here:
                return KindPlace(kind=kind, base=path[: max(at - 1, 0)], depth=depth)
    return None


def kind_by_name_of_file(path: str) -> FileKind:
    """Say what a file that a setting names is, by its suffix; Markdown of no other kind counts as instructions."""
    name = path.lower().rpartition("/")[2]
    found = next((kind for suffix, kind in _SUFFIXES if name.endswith(suffix)), "instructions")
    return BY_NAME[found]


def title_of(path: str, header: FrontMatter, headings: tuple[str, ...]) -> str:
    """Return what a file calls itself: its name, its first heading, or the name of the file or the skill's folder."""
    stem = posixpath.basename(path)
    if stem.lower() == "skill.md":
        stem = posixpath.basename(posixpath.dirname(path))
    for suffix, _ in _SUFFIXES:
        stem = stem[: -len(suffix)] if stem.lower().endswith(suffix) and stem.lower() != suffix else stem
    first = next((heading for heading in headings if heading), "")
    return (header.name or "").strip() or first or stem.removesuffix(".md")


def header_of(kind: FileKind, text: str) -> FrontMatter:
    """Read the front matter, if files of this kind have any."""
    has_none = kind.always_on or kind.type is TargetType.HOOK
    return FrontMatter(body=text) if has_none else parse(text)
