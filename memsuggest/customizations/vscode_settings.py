"""VS Code's settings about where customizations lie. Pure: takes the settings as values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

LOCATIONS = {
    "chat.instructionsFilesLocations": "instructions",
    "chat.promptFilesLocations": "prompts",
    "chat.agentFilesLocations": "agents",
    "chat.modeFilesLocations": "chatmodes",
    "chat.agentSkillsLocations": "skills",
    "chat.hookFilesLocations": "hooks",
}
"""Setting (path → on or off), and the kind of file that lies there."""

SWITCHES = {
    "github.copilot.chat.codeGeneration.useInstructionFiles": ("copilot-instructions.md",),
    "chat.useAgentsMdFile": ("agents.md",),
    "chat.useClaudeMdFile": ("claude.md", "claude.local.md"),
}
"""Setting (on unless set to false), and the always-on files that it is about."""
NESTED_AGENTS = "chat.useNestedAgentsMdFiles"
APPLYING = "chat.includeApplyingInstructions"


@dataclass(frozen=True, slots=True, kw_only=True)
class Extra:
    """A folder, file or pattern that a setting adds for one kind."""

    kind: str
    path: str
    """POSIX, relative to the root, or to the home when `is_home`."""
    is_home: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class HostSettings:
    """The settings that change where VS Code looks for files."""

    extras: tuple[Extra, ...] = ()
    disabled: frozenset[str] = frozenset()
    """Folders and files (as the setting spells them) that are switched off."""
    names_off: frozenset[str] = frozenset()
    """Names of always-on files, in lower case, that are switched off."""
    reads_nested_agents: bool = False
    is_applying: bool = True
    refused: tuple[tuple[str, str], ...] = ()
    """Settings that are not honoured: `setting: path`, and why."""


def host_settings(values: Mapping[str, object], *, may_name_home: bool) -> HostSettings:
    """Read the settings; a repository's own may not name places in the person's home."""
    extras: list[Extra] = []
    disabled: set[str] = set()
    refused: list[tuple[str, str]] = []
    for setting, kind in LOCATIONS.items():
        found = values.get(setting)
        for name, is_on in found.items() if isinstance(found, dict) else ():
            path = str(name).strip()
            is_home, climbs = path.startswith("~/"), ".." in path.split("/")
            if _is(is_on, False):
                disabled.add(_plain(path))
            elif not _is(is_on, True):
                continue
            elif path.startswith("~") and not (may_name_home and is_home and not climbs):
                refused.append((f"{setting}: {path}", "a repo's settings can only name folders inside the repo"))
            elif not is_home and (not path or path.startswith("/") or "\\" in path or ":" in path):
                refused.append((f"{setting}: {path}", "only paths relative to the workspace are supported"))
            elif climbs:
                refused.append((f"{setting}: {path}", "the path is outside the workspace"))
            else:
                extras.append(Extra(kind=kind, path=_plain(path.removeprefix("~/")), is_home=is_home))
    off = [name for setting, names in SWITCHES.items() if _is(values.get(setting), False) for name in names]
    return HostSettings(
        extras=tuple(extras),
        disabled=frozenset(disabled),
        names_off=frozenset(off),
        reads_nested_agents=_is(values.get(NESTED_AGENTS), True),
        is_applying=not _is(values.get(APPLYING), False),
        refused=tuple(refused),
    )


def merged_settings(first: HostSettings, second: HostSettings) -> HostSettings:
    return HostSettings(
        extras=tuple(dict.fromkeys((*first.extras, *second.extras))),
        disabled=first.disabled | second.disabled,
        names_off=first.names_off | second.names_off,
        reads_nested_agents=first.reads_nested_agents or second.reads_nested_agents,
        is_applying=first.is_applying and second.is_applying,
        refused=(*first.refused, *second.refused),
    )


def _is(value: object, wanted: bool) -> bool:
    return value is wanted or (isinstance(value, str) and value.strip().lower() == str(wanted).lower())


def _plain(path: str) -> str:
    return path.removeprefix("./").rstrip("/") or "."
