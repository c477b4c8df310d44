"""The hook entries that feed memsuggest: which file of which assistant, which events, in which form. Pure.

PascalCase events serve VS Code and Copilot CLI from one file; Claude Code nests its entries.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from memsuggest import jsonc
from memsuggest.integrations.json_edit import appended, places, without

TIMEOUT = 10  # seconds; the command itself hands over and ends at once
_OURS = re.compile(r"""(?:^|[\s/\\"'])memsuggest(?:\.exe)?["']? hook\s*$""")


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
    gone = []
    for event, listed in hooks.items():
        if not isinstance(listed, list):
            continue
        commands = [[command for command in _commands([entry]) if command] for entry in listed]
        ours = [bool(found) and all(map(is_ours, found)) for found in commands]
        if ours and all(ours):
            gone.append(at.members[event])
        else:
            gone += [place for place, mine in zip(at.members[event].items, ours, strict=True) if mine]
    return without(text, gone)
