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

    @property
    def has_wildcard(self) -> bool:
        return "*" in self.path and self.kind in ("instructions", "prompts")


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
    """Files are attached by their patterns."""
    refused: tuple[tuple[str, str], ...] = ()
    """Settings that are not honoured: `setting: path`, and why."""


def host_settings(values: Mapping[str, object], *, may_name_home: bool) -> HostSettings:
    """Read the settings; a repository's own may not name places in the person's home."""
    extras: list[Extra] = []
    disabled: set[str] = set()
    refused: list[tuple[str, str]] = []
    for setting, kind in LOCATIONS.items():
        for path, is_on in _switched(values.get(setting)):
            if not is_on:
                disabled.add(_plain(path))
                continue
            why = _why_refused(path, may_name_home=may_name_home)
            if why:
                refused.append((f"{setting}: {path}", why))
            else:
                extras.append(Extra(kind=kind, path=_plain(path.removeprefix("~/")), is_home=path.startswith("~/")))
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


def _switched(value: object) -> list[tuple[str, bool]]:
    if not isinstance(value, dict):
        return []
    pairs = [(str(path).strip(), is_on) for path, is_on in value.items()]
    return [(path, _is(is_on, True)) for path, is_on in pairs if _is(is_on, True) or _is(is_on, False)]


def _plain(path: str) -> str:
    return path.removeprefix("./").rstrip("/") or "."


def _why_refused(path: str, *, may_name_home: bool) -> str | None:
    if path.startswith("~"):
        allowed = may_name_home and path.startswith("~/") and ".." not in path.split("/")
        return None if allowed else "a repo's settings can only name folders inside the repo"
    if not path or path.startswith("/") or "\\" in path or ":" in path:
        return "only paths relative to the workspace are supported"
    return "the path is outside the workspace" if ".." in path.split("/") else None
