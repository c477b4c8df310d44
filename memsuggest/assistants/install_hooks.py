"""Our entries in the assistants' files (hooks, skill): which events, in which form; planned, written, found again.

PascalCase events serve VS Code and Copilot CLI from one file; Claude Code nests its entries.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path

from memsuggest.assistants.assistant_files import SKILL_FILES, SKILL_OF, before_new_file, is_new_file, skill_text
from memsuggest.assistants.assistant_files import is_ours as is_our_skill
from memsuggest.core import json_edit as jsonc
from memsuggest.core.context import Context
from memsuggest.core.errors import ConfigError, EditConflict, FileError
from memsuggest.core.json_edit import JsonPlace, appended, places, reading_of, without
from memsuggest.core.model import Edit
from memsuggest.core.plain_reports import Text
from memsuggest.files.folder import remove_folders
from memsuggest.files.journal import APPLIED
from memsuggest.suggestions.target_paths import HOME, HOST, HOST_FILES, current_text, path_of
from memsuggest.suggestions.writing import FileChange, carry_out, settle

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


class At(Enum):
    """A file of hooks by its owner: the repo, the person in all repos, or the person in this repo."""

    REPO = "repo"
    USER = "user"
    LOCAL = "local"


def host_of(name: str) -> HookHost:
    if name not in HOSTS:
        raise ConfigError(f"memsuggest does not support hooks for `{name}`", hint=f"one of: {', '.join(HOSTS)}")
    return HOSTS[name]


def plan(context: Context, name: str, *, at: At, is_removal: bool, with_recall: bool = False) -> Edit:
    """Return the edit of an assistant's file; without a change its texts are the same. Raises FileError.

    `with_recall`, entries that give memory to the assistant come in the place of those that do not, or the other way
    round at a removal.
    """
    host = host_of(name)
    if at is At.LOCAL and not host.local:
        raise ConfigError("only Claude Code has a personal hooks file for each repo", hint="remove `--local`")
    file = {At.USER: HOME + host.user, At.LOCAL: host.local}.get(at, host.project)
    before = current_text(context, HOST + file)
    if not is_removal and host.local and has_comments(before or ""):
        instead = ", or run `memsuggest hooks install --for claude-code --local` to use your personal file"
        raise FileError(
            f"`{file}` is not plain JSON (it has comments or a trailing comma), so Claude Code ignores its hooks",
            hint=f"fix the file{instead if at is At.REPO else ''}; nothing was written",
        )
    try:
        is_recalled = before is not None and bool(before.strip()) and is_recalling(before)
        after = before
        if is_removal and not with_recall:
            after = None if before is None else uninstalled(before)
        elif is_recalled or not is_removal:
            wanted = not is_removal and (with_recall or is_recalled)
            start = before if wanted == is_recalled or before is None else uninstalled(before)
            call, program = RECALL_CALL if wanted else CALL, program_of(is_user=at is not At.REPO)
            command = f'"{program}" {call}' if " " in program else f"{program} {call}"
            after = installed(start, host.with_recall() if wanted else host, command)
    except ValueError as error:
        raise FileError(f"`{file}` cannot be changed: {error}", hint="fix the file by hand") from None
    return Edit(path=HOST + file, before=before, after=after)


def program_of(*, is_user: bool) -> str:
    """Return what an assistant is to run: by name in a repo's file, where that finds this program; else by its path."""
    if not is_user and shutil.which("memsuggest"):
        return "memsuggest"
    return Path(sys.executable).with_name("memsuggest.exe" if sys.platform == "win32" else "memsuggest").as_posix()


def note_on_path(environ: Mapping[str, str]) -> str:
    """Return what to know before a repo's file that names this program is used elsewhere; empty where all is well."""
    found = shutil.which("memsuggest")
    if found is None:
        return (
            "note: the hook uses a path on this machine; before sharing the file, put `memsuggest` on your PATH,\n"
            "      then uninstall and reinstall the hook"
        )
    if (own := environ.get("VIRTUAL_ENV")) and Path(found).is_relative_to(own):
        return (
            "note: `memsuggest` is on your PATH only while this virtual environment is active; assistants started\n"
            "      outside the environment skip the hook silently. Use `pipx` or `uv tool` for a permanent installation"
        )
    return ""


def show(context: Context) -> Text:
    """Say in which files our entries and our skill stand."""
    hooked = files_with_hooks(context)
    found = dict.fromkeys(sorted(HOST_FILES | SKILL_FILES), 0)
    found |= dict.fromkeys([*hooked, *_texts(context, SKILL_FILES, is_our_skill)], 1)
    recalled = [name for name, text in hooked.items() if is_recalling(text)]
    unread = [name for name, text in hooked.items() if ".claude/" in name and has_comments(text)]
    rows = [
        f"{'not run' if name in unread else 'installed' if is_there else 'not installed':<13} {name}"
        + (" (with memory)" if name in recalled else "")
        + (": not plain JSON, so Claude Code ignores its hooks" if name in unread else "")
        for name, is_there in found.items()
    ]
    return Text(text="\n".join(rows), payload={"files": found, "recall": recalled, "notRun": unread})


def files_with_hooks(context: Context) -> dict[str, str]:
    """Return the assistants' files in which entries of ours stand, with their texts."""
    return _texts(context, HOST_FILES, lambda text: jsonc.loads(text) is not None and uninstalled(text) != text)


def _texts(context: Context, names: Collection[str], is_wanted: Callable[[str], bool]) -> dict[str, str]:
    """Return the texts of those of some files that are wanted; one that cannot be read is not."""
    found = {}
    for name in sorted(names):
        with suppress(FileError, ValueError):
            text = current_text(context, HOST + name)
            if text is not None and is_wanted(text):
                found[name] = text
    return found


def plan_skill(context: Context, host: str | None, *, is_user: bool, is_removal: bool) -> list[Edit]:
    """Return the edits that bring the skill to an assistant, or to all of them, or take it away; none where it is so.

    Raises ConfigError for an assistant that we do not know, EditConflict for a skill of that name that is not ours.
    """
    if host is not None and host not in SKILL_OF:
        raise ConfigError(f"memsuggest does not support skills for `{host}`", hint=f"one of: {', '.join(SKILL_OF)}")
    edits = []
    for file in dict.fromkeys(SKILL_OF.values() if host is None else [SKILL_OF[host]]):
        name = (HOME if is_user else "") + file
        before, after = current_text(context, HOST + name), None if is_removal else skill_text()
        if before is not None and not is_our_skill(before):
            if not is_removal:
                raise EditConflict(
                    f"`{name}` already exists and is a different skill", hint="move or rename that skill"
                )
            after = before
        if before != after:
            edits.append(Edit(path=HOST + name, before=before, after=after))
    return edits


def carry(context: Context, edits: Sequence[Edit], *, verb: str = APPLIED) -> Text:
    """Write planned edits of assistants' files, all or none, so that `undo` takes them back."""
    with context.exclusive():
        settle(context)
        carry_out(context, FileChange(edits=tuple(edits), verb=verb))
    paths = [edit.path.removeprefix(HOST) for edit in edits]
    for edit, path in zip(edits, paths, strict=True):
        if edit.after is None and path in SKILL_FILES:
            folder = path_of(context, edit.path).parent
            remove_folders([folder.parent.parent, folder.parent, folder])  # as far as nothing else is in them
    did = "removed" if all(edit.after is None for edit in edits) else "wrote"
    text = f"{did} {', '.join(paths)}; `memsuggest undo` reverts this"
    if verb == APPLIED:
        return Text(text=text, payload={"paths": paths})
    return Text(text=text, payload={"path": paths[0], "changed": True})
