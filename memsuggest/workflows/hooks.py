"""Our entries in the assistants' files of hooks: planned as an edit, written with the journal, found again."""

from __future__ import annotations

import shutil
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from memsuggest import jsonc
from memsuggest.errors import ConfigError, FileError
from memsuggest.integrations.assistant_hooks import CALL, COMMAND, HOSTS, HookHost, installed, uninstalled
from memsuggest.integrations.skills import SKILL_FILES
from memsuggest.model import Edit
from memsuggest.reports.plain import Text
from memsuggest.suggestions.store.journal import HOOKS
from memsuggest.workflows.paths import HOME, HOST, HOST_FILES, current_text
from memsuggest.workflows.skills import files_with_skill
from memsuggest.workflows.writing import FileChange, carry_out, settle

if TYPE_CHECKING:
    from memsuggest.workflows.context import Context


def host_of(name: str) -> HookHost:
    """Return an assistant by its name; raises ConfigError."""
    if name not in HOSTS:
        raise ConfigError(f"`{name}` has no hooks that we know", hint=f"one of: {', '.join(HOSTS)}")
    return HOSTS[name]


def plan(context: Context, name: str, *, is_user: bool, is_removal: bool) -> Edit:
    """Return the edit of an assistant's file; without a change its texts are the same. Raises FileError."""
    host = host_of(name)
    uri = HOST + (HOME + host.user if is_user else host.project)
    before = current_text(context, uri)
    try:
        if is_removal:
            return Edit(path=uri, before=before, after=None if before is None else uninstalled(before))
        return Edit(path=uri, before=before, after=installed(before, host, command_line(is_user=is_user)))
    except ValueError as error:
        raise FileError(f"`{uri.removeprefix(HOST)}` cannot be changed: {error}", hint="mend it by hand") from None


def command_line(*, is_user: bool) -> str:
    """Return what an assistant is to run: by name in a repo's file, where that finds this program; else by its path."""
    if not is_user and is_found_by_name():
        return COMMAND
    here = Path(sys.executable).with_name("memsuggest.exe" if sys.platform == "win32" else "memsuggest").as_posix()
    return f'"{here}" {CALL}' if " " in here else f"{here} {CALL}"


def is_found_by_name() -> bool:
    """Whether an assistant that is started here finds a program by our name, as the team's files should call it."""
    return shutil.which("memsuggest") is not None


def carry(context: Context, edit: Edit) -> Text:
    """Write a planned edit, so that `undo` takes it back."""
    with context.exclusive():
        settle(context)
        carry_out(context, FileChange(edits=(edit,), decisions=(), reworded=(), verb=HOOKS))
    path = edit.path.removeprefix(HOST)
    return Text(text=f"wrote {path}; `memsuggest undo` takes it back", payload={"path": path, "changed": True})


def show(context: Context) -> Text:
    """Say in which files our entries and our skill stand."""
    known = sorted(HOST_FILES | SKILL_FILES)
    found = dict.fromkeys(known, 0) | dict.fromkeys([*files_with_hooks(context), *files_with_skill(context)], 1)
    rows = [f"{'installed' if is_there else 'not there':<10} {name}" for name, is_there in found.items()]
    return Text(text="\n".join(rows), payload={"files": found})


def files_with_hooks(context: Context) -> list[str]:
    """Return the assistants' files in which entries of ours stand."""
    found = []
    for name in sorted(HOST_FILES):
        with suppress(FileError, ValueError):
            text = current_text(context, HOST + name)
            if text is not None and _count(text):
                found.append(name)
    return found


def _count(text: str) -> int:
    jsonc.loads(text)
    return int(uninstalled(text) != text)
