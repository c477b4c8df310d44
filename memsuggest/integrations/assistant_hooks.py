"""The hook entries that feed memsuggest: which file of which assistant, which events, in which form. Pure.

PascalCase events serve VS Code and Copilot CLI from one file; Claude Code nests its entries.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from memsuggest import jsonc
from memsuggest.integrations.json_edit import Place, appended, places, without

TIMEOUT = 10  # seconds; the command itself hands over and ends at once
CALL = "hook || exit 0"
"""What follows the program's name: where there is no such program, nothing happens either."""
COMMAND = f"memsuggest {CALL}"
"""What the files of a repo should say: everybody has the program somewhere else."""
_OURS = re.compile(r"""(?:^|[\s/\\"'])memsuggest(?:\.exe)?["']? hook(?: \|\| exit 0)?\s*$""")


@dataclass(frozen=True, slots=True, kw_only=True)
class Host:
    """An assistant's way of hooks."""

    project: str
    """Its file in a repo, relative to the root."""
    user: str
    """Its file below the person's home."""
    events: tuple[str, ...]
    is_nested: bool = False
    first: str = '{\n  "version": 1,\n  "hooks": {}\n}\n'
    """What a new file begins as."""


_SHARED = Host(
    project=".github/hooks/memsuggest.json",
    user=".copilot/hooks/memsuggest.json",
    events=("SessionStart", "Stop", "SessionEnd", "PreCompact"),
)
HOSTS: dict[str, Host] = {
    "vscode": _SHARED,
    "copilot-cli": _SHARED,
    "claude-code": Host(
        project=".claude/settings.json",
        user=".claude/settings.json",
        events=("SessionStart", "Stop", "SessionEnd", "PreCompact"),
        is_nested=True,
        first="{}\n",
    ),
}


def is_ours(command: object) -> bool:
    """Whether an entry's command is the one that we write."""
    return isinstance(command, str) and _OURS.search(command) is not None


def installed(text: str | None, host: Host, command: str) -> str:
    """Return a hook file with our entries at every event that lacks one; raises ValueError for what is no JSON."""
    text = host.first if text is None or not text.strip() else text
    for event in host.events:
        if not _has_ours(text, event):
            entry: dict[str, object] = {"type": "command", "command": command, "timeout": TIMEOUT}
            text = appended(text, ("hooks", event), {"hooks": [entry]} if host.is_nested else entry)
    return text


def _has_ours(text: str, event: str) -> bool:
    parsed = jsonc.loads(text)
    hooks = parsed.get("hooks", {}) if isinstance(parsed, dict) else None
    if not isinstance(hooks, dict) or not isinstance(hooks.get(event, []), list):
        raise ValueError("its `hooks` are not in the form that the assistants read")  # noqa: TRY004  (as for all that is no such file)
    return any(map(is_ours, _commands(hooks.get(event, []))))


def _commands(entries: object) -> list[object]:
    found: list[object] = []
    for entry in entries if isinstance(entries, list) else []:
        if isinstance(entry, dict):
            found += [entry.get("command"), *_commands(entry.get("hooks"))]
    return found


def uninstalled(text: str) -> str:
    """Return a hook file without our entries, and without the lists and groups that held nothing else."""
    parsed = jsonc.loads(text)
    hooks = parsed.get("hooks") if isinstance(parsed, dict) else None
    if not isinstance(hooks, dict):
        return text
    at = places(text).members["hooks"]
    gone: list[Place] = []
    for event, listed in hooks.items():
        if isinstance(listed, list):
            gone += _ours_among(listed, at.members[event])
    return without(text, gone)


def _ours_among(entries: list[object], at: Place) -> list[Place]:
    """Return the places of our entries, of the groups that hold nothing else, or of the whole list if that is all."""
    gone: list[Place] = []
    whole = 0
    for entry, place in zip(entries, at.items, strict=True):
        commands = [command for command in _commands([entry]) if command]
        if commands and all(map(is_ours, commands)):
            whole += 1
            gone.append(place)
        elif isinstance(entry, dict) and any(map(is_ours, commands)) and isinstance(entry.get("hooks"), list):
            gone += _ours_among(entry["hooks"], place.members["hooks"])
    return [at] if whole and whole == len(entries) else gone
