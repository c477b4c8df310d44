"""Sorts of customization files, and what people call a file. Pure."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from memsuggest.model import TargetType

if TYPE_CHECKING:
    from memsuggest.model import Target


class TargetKind(StrEnum):
    """The sort of a file, as far as that says which rules go there."""

    ROOT = "root"
    """Always loaded: AGENTS.md, CLAUDE.md, copilot-instructions.md of the root, and the person's own."""
    NESTED = "nested"
    """AGENTS.md or CLAUDE.md of a folder."""
    INSTRUCTIONS = "instructions"
    RULES = "rules"
    AGENT = "agent"
    SKILL = "skill"
    PROMPT = "prompt"


_KINDS = {TargetType.AGENT: TargetKind.AGENT, TargetType.SKILL: TargetKind.SKILL, TargetType.PROMPT: TargetKind.PROMPT}
_PLAIN_FOLDERS = {
    "",
    "~",
    ".github",
    ".claude",
    ".agents",
    ".copilot",
    "instructions",
    "rules",
    "agents",
    "skills",
    "prompts",
}


def target_kind_of(target: Target) -> TargetKind:
    """Return the sort of a customization file."""
    if target.type in _KINDS:
        return _KINDS[target.type]
    if target.always_on:
        return TargetKind.ROOT if target.applies_to in {None, "**"} else TargetKind.NESTED
    return TargetKind.INSTRUCTIONS if target.uri.endswith(".instructions.md") else TargetKind.RULES


def plain_name(target: Target) -> str:
    """Return what people call a file: a skill's folder, else the file without its endings."""
    if target.type is TargetType.SKILL:
        return target.folder.rpartition("/")[2]
    return target.uri.rpartition("/")[2].partition(".")[0]


def name_of(target: Target) -> str:
    """Return the telling part of a path: the file's own name and the folder that it is for or sorted into."""
    folders = [folder for folder in target.folder.split("/") if folder not in _PLAIN_FOLDERS]
    if target.always_on:
        return " ".join(folders)
    if target.type is TargetType.SKILL:
        folders = folders[:-1]
    return " ".join([*folders[-1:], plain_name(target)])
