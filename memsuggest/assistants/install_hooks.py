"""Our entries in the assistants' files (hooks, skill): planned, written, found again."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from enum import Enum
from pathlib import Path

from memsuggest.assistants.assistant_files import SKILL_FILES, SKILL_OF, is_ours, skill_text
from memsuggest.assistants.own_hooks import (
    CALL,
    HOSTS,
    RECALL_CALL,
    HookHost,
    has_comments,
    installed,
    is_recalling,
    uninstalled,
)
from memsuggest.core import json_edit as jsonc
from memsuggest.core.context import Context
from memsuggest.core.errors import ConfigError, EditConflict, FileError
from memsuggest.core.model import Edit
from memsuggest.core.plain_reports import Text
from memsuggest.files.folder import remove_folders
from memsuggest.files.journal import APPLIED
from memsuggest.suggestions.target_paths import HOME, HOST, HOST_FILES, current_text, path_of
from memsuggest.suggestions.writing import FileChange, carry_out, settle


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
    hooked = _texts_with_hooks(context)
    found = dict.fromkeys(sorted(HOST_FILES | SKILL_FILES), 0)
    found |= dict.fromkeys([*hooked, *_texts(context, SKILL_FILES, is_ours)], 1)
    recalled = [name for name, text in hooked.items() if is_recalling(text)]
    unread = [name for name, text in hooked.items() if ".claude/" in name and has_comments(text)]
    rows = [
        f"{'not run' if name in unread else 'installed' if is_there else 'not installed':<13} {name}"
        + (" (with memory)" if name in recalled else "")
        + (": not plain JSON, so Claude Code ignores its hooks" if name in unread else "")
        for name, is_there in found.items()
    ]
    return Text(text="\n".join(rows), payload={"files": found, "recall": recalled, "notRun": unread})


def files_with_hooks(context: Context) -> list[str]:
    """Return the assistants' files in which entries of ours stand."""
    return list(_texts_with_hooks(context))


def _texts_with_hooks(context: Context) -> dict[str, str]:
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
        if before is not None and not is_ours(before):
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
