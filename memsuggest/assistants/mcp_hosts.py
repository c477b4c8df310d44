"""Our server in the assistants' files of MCP servers: planned as an edit, written with the journal, found again."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path

from memsuggest.assistants.assistant_files import McpHost, hosts
from memsuggest.assistants.install_hooks import is_found_by_name
from memsuggest.assistants.mcp_entry import entry_in, installed, is_ours, uninstalled
from memsuggest.core.context import Context
from memsuggest.core.errors import ConfigError, FileError, OutsideWorkspace
from memsuggest.core.model import Edit
from memsuggest.core.plain_reports import Text
from memsuggest.files.journal import SERVERS
from memsuggest.suggestions.target_paths import HOME, HOST, current_text
from memsuggest.suggestions.writing import FileChange, carry_out, settle


def host_of(context: Context, name: str) -> McpHost:
    """Return an assistant by its name; raises ConfigError."""
    known = hosts(context.machine.platform)
    if name not in known:
        raise ConfigError(f"memsuggest does not support MCP servers for `{name}`", hint=f"one of: {', '.join(known)}")
    return known[name]


def plan(context: Context, name: str, *, is_user: bool, is_removal: bool) -> Edit:
    """Return the edit of an assistant's file; without a change its texts are the same. Raises FileError."""
    host = host_of(context, name)
    uri = HOST + (HOME + host.user if is_user else host.project)
    before = current_text(context, uri)
    try:
        if is_removal:
            return Edit(path=uri, before=before, after=None if before is None else uninstalled(before, host))
        entry = host.entry(_program(is_user=is_user), is_user=is_user)
        return Edit(path=uri, before=before, after=installed(before, host, entry))
    except ValueError as error:
        raise FileError(f"`{uri.removeprefix(HOST)}` cannot be changed: {error}", hint="fix it by hand") from None


def _program(*, is_user: bool) -> str:
    if not is_user and is_found_by_name():
        return "memsuggest"
    return Path(sys.executable).with_name("memsuggest.exe" if sys.platform == "win32" else "memsuggest").as_posix()


def carry(context: Context, edit: Edit) -> Text:
    """Write a planned edit, so that `undo` takes it back."""
    with context.exclusive():
        settle(context)
        carry_out(context, FileChange(edits=(edit,), decisions=(), reworded=(), verb=SERVERS))
    path = edit.path.removeprefix(HOST)
    did = "removed" if edit.after is None else "wrote"
    return Text(text=f"{did} {path}; `memsuggest undo` reverts it", payload={"path": path, "changed": True})


def is_installed(context: Context, name: str) -> bool:
    """Tell whether an assistant starts our server, from the repo's file or the person's own."""
    host = host_of(context, name)
    return any(_stands_in(context, uri, host) for uri in (host.project, HOME + host.user))


def show(context: Context) -> Text:
    """Say in which files our server stands, and for which assistants."""
    found: dict[str, int] = {}
    names: dict[str, list[str]] = {}
    for name, host in hosts(context.machine.platform).items():
        for uri in (host.project, HOME + host.user):
            found[uri] = int(_stands_in(context, uri, host))
            names.setdefault(uri, []).append(name)
    rows = [
        f"{'installed' if is_there else 'not installed':<13} {uri} ({', '.join(names[uri])})"
        for uri, is_there in found.items()
    ]
    return Text(text="\n".join(rows), payload={"files": found})


def _stands_in(context: Context, uri: str, host: McpHost) -> bool:
    with suppress(FileError, OutsideWorkspace, ValueError):
        text = current_text(context, HOST + uri)
        return bool(text and text.strip()) and is_ours(entry_in(text or "", host))
    return False
