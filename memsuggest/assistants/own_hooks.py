"""The hook entries that feed memsuggest: which file of which assistant, which events, in which form. Pure.

PascalCase events serve VS Code and Copilot CLI from one file; Claude Code nests its entries.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace

from memsuggest.assistants.assistant_files import before_new_file, is_new_file
from memsuggest.core import json_edit as jsonc
from memsuggest.core.json_edit import JsonPlace, appended, places, reading_of, without

TIMEOUT = 10  # seconds; the command itself hands over and ends at once
CALL = "hook || exit 0"
"""The words behind the program's name; where the program is missing, the hook succeeds and does nothing."""
RECALL_CALL = "hook --recall || exit 0"  # the same where memory is given to the assistant, too
COMMAND = f"memsuggest {CALL}"
"""The command in a repo's files, without a path: everybody has the program somewhere else."""
PROMPT_EVENT = "UserPromptSubmit"
_OURS_INSIDE = re.compile(r"memsuggest[^\n]{0,20} hook")
_COMMAND = re.compile(r'"command": "((?:[^"\\\n]|\\.)*)"')
_OURS = re.compile(r"""(?:^|[\s/\\"'])memsuggest(?:\.exe)?["']? hook(?: --recall)?(?: \|\| exit 0)?\s*$""")
_RECALLING = re.compile(r"\bhook --recall(?: \|\| exit 0)?\s*$")


@dataclass(frozen=True, slots=True, kw_only=True)
class HookHost:
    """An assistant's way of hooks."""

    project: str  # its file in a repo, relative to the root
    user: str  # its file below the person's home
    events: tuple[str, ...]
    local: str = ""  # its file in a repo that is not shared, where it has one
    is_nested: bool = False
    has_version: bool = True  # true if the assistant's own hook file has a `version` key

    def with_recall(self) -> HookHost:
        return replace(self, events=(*self.events, PROMPT_EVENT))

    def entry(self, command: str) -> dict[str, object]:
        entry: dict[str, object] = {"type": "command", "command": command, "timeout": TIMEOUT}
        return {"hooks": [entry]} if self.is_nested else entry

    def new_file(self, command: str) -> str:
        hooks: dict[str, object] = {"hooks": {event: [self.entry(command)] for event in self.events}}
        # The version last: a file that only had a version before we came keeps it first.
        return json.dumps(hooks | ({"version": 1} if self.has_version else {}), indent=2, ensure_ascii=False) + "\n"


_SHARED = HookHost(
    project=".github/hooks/memsuggest.json",
    user=".copilot/hooks/memsuggest.json",
    events=("SessionStart", "Stop", "SessionEnd", "PreCompact"),
)
HOSTS: dict[str, HookHost] = {
    "vscode": _SHARED,
    "copilot-cli": _SHARED,
    "claude-code": HookHost(
        project=".claude/settings.json",
        user=".claude/settings.json",
        local=".claude/settings.local.json",
        events=("SessionStart", "Stop", "SessionEnd", "PreCompact"),
        is_nested=True,
        has_version=False,
    ),
}


_FORMS = (*HOSTS.values(), *(host.with_recall() for host in HOSTS.values()))


def is_recalling(text: str) -> bool:
    """Tell whether a hook file has entries of ours that give memory to the assistant."""
    commands = (command for listed in _hooks_of(text).values() for command in _commands(listed))
    return any(is_ours(command) and _RECALLING.search(str(command)) for command in commands)


def _hooks_of(text: str) -> dict[str, object]:
    parsed = jsonc.loads(text)
    hooks = parsed.get("hooks") if isinstance(parsed, dict) else None
    return hooks if isinstance(hooks, dict) else {}


def is_ours(command: object) -> bool:
    return isinstance(command, str) and _OURS.search(command) is not None


def has_comments(text: str) -> bool:
    """Tell whether a text is JSON but for comments or commas: of such settings Claude Code runs no hook, silently."""
    try:
        json.loads(text.strip() or "{}")
    except (ValueError, RecursionError):
        with suppress(ValueError, RecursionError):
            jsonc.loads(text)
            return True
    return False


def installed(text: str | None, host: HookHost, command: str) -> str:
    """Return a hook file with our entries at every event that lacks one.

    Raises ValueError for what is no JSON, and where taking them out again would not restore the file.
    """
    if text is None:
        return host.new_file(command)
    if not text.strip():
        return text + host.new_file(command).removesuffix("\n")
    changed = text
    for event in host.events:
        parsed = jsonc.loads(changed)
        hooks = parsed.get("hooks", {}) if isinstance(parsed, dict) else None
        entries = hooks.get(event, []) if isinstance(hooks, dict) else None
        if not isinstance(entries, list):
            raise ValueError("`hooks` is not in a format that assistants can read")  # noqa: TRY004  (as for all that is no such file)
        if not any(map(is_ours, _commands(entries))):
            changed = appended(changed, ("hooks", event), host.entry(command))
    if _differ(text, changed) or not (any(_ours(text)) or uninstalled(changed) == text):
        raise ValueError("if added, memsuggest's entries could not be removed cleanly later")
    return changed


def _differ(text: str, other: str) -> bool:
    first, second = reading_of(text), reading_of(other)
    return first.comments != second.comments or _bare(first.value) != _bare(second.value)


def _bare(value: object) -> object:
    """Return what a file of hooks says without our entries, and without hooks that are empty then."""
    hooks = value.get("hooks") if isinstance(value, dict) else None
    if not isinstance(value, dict) or not isinstance(hooks, dict):
        return value
    # The order of the keys does not count: ours may be the first member of an object that was empty.
    events = {event: _others(listed) if isinstance(listed, list) else listed for event, listed in hooks.items()}
    kept = {event: listed for event, listed in events.items() if listed != []}
    rest = {key: inner for key, inner in value.items() if key != "hooks"}
    return rest | ({"hooks": kept} if kept else {})


def _others(entries: list[object]) -> list[object]:
    found: list[object] = []
    for entry in entries:
        commands = [command for command in _commands([entry]) if command]
        if not any(map(is_ours, commands)):
            found.append(entry)
        elif isinstance(entry, dict) and not all(map(is_ours, commands)):
            found.append(entry | {"hooks": _others(entry["hooks"])})
    return found


def _commands(entries: object) -> list[object]:
    found: list[object] = []
    for entry in entries if isinstance(entries, list) else []:
        if isinstance(entry, dict):
            found += [entry.get("command"), *_commands(entry.get("hooks"))]
    return found


def uninstalled(text: str) -> str | None:
    """Return a hook file without our entries, and without what we began for them; None: the file was all ours.

    Raises ValueError with the lines to take out by hand where anything else would change.
    """
    if _OURS_INSIDE.search(text):
        commands = {json.loads(f'"{found}"') for found in _COMMAND.findall(text)}
        wholes = [host.new_file(command) for host in _FORMS for command in commands if is_ours(command)]
        if any(is_new_file(text, whole) for whole in wholes):
            return before_new_file(text)
    changed, why = text, ""
    try:
        while chain := next(_ours(changed), None):
            changed = without(changed, chain)
    except ValueError as error:
        why = str(error)
    if not why and changed != text and _differ(text, changed):
        why = "other settings would change"
    if why:
        numbers = sorted({text.count("\n", 0, chain[-1].key_start) + 1 for chain in _ours(text)})
        lines = f"line{'s' if len(numbers) > 1 else ''} {', '.join(map(str, numbers))}"
        raise ValueError(f"{why}; remove {lines} (`memsuggest hook`) by hand")
    return changed


def _ours(text: str) -> Iterator[tuple[JsonPlace, ...]]:
    """Yield the places of our entries, the last first, each below the places that it lies in."""
    if hooks := _hooks_of(text):
        root = places(text)
        at = root.members["hooks"]
        for event, place in reversed(at.members.items()):
            entries = hooks[event]
            if isinstance(entries, list):
                yield from _ours_among(entries, (root, at, place))


def _ours_among(entries: list[object], above: tuple[JsonPlace, ...]) -> Iterator[tuple[JsonPlace, ...]]:
    for entry, place in reversed(list(zip(entries, above[-1].items, strict=True))):
        commands = [command for command in _commands([entry]) if command]
        if commands and all(map(is_ours, commands)):
            yield (*above, place)
        elif isinstance(entry, dict) and any(map(is_ours, commands)) and isinstance(entry.get("hooks"), list):
            yield from _ours_among(entry["hooks"], (*above, place, place.members["hooks"]))
