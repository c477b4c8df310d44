"""Places of chats in VS Code and its kin, and of their extensions, on every system and on remote machines.

A `workspace.json` beside the chats names their folder. Chats of windows without a folder only name files.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from memsuggest.transcripts.discovery.surroundings import as_in, json_in
from memsuggest.transcripts.formats.vscode.uris import path_of
from memsuggest.transcripts.parsing.json_records import decode, fields_of, items_of, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memsuggest.transcripts.discovery.surroundings import FileCandidate, Surroundings

EDITORS = ("Code", "Code - Insiders", "VSCodium", "Cursor")
_SERVERS = (".vscode-server", ".vscode-server-insiders", ".vscodium-server", ".cursor-server")
"""On machines that an editor is connected to, extensions keep their data below these."""
_CLINE = ("saoudrizwan.claude-dev", "rooveterinaryinc.roo-cline")
_CONTAINER = re.compile(r"vscode-remote://dev-container\+((?:[0-9a-f]{2}){1,4000})(?:@[^/]*)?/")
_LOG_FIRST = (".jsonl", ".json")


def user_data(around: Surroundings) -> Iterator[Path]:
    """Yield the editors' folders for user data.

    Source: microsoft/vscode `src/vs/platform/environment/node/userDataPath.ts`.
    """
    environ, home = around.environ, around.home
    if portable := environ.get("VSCODE_PORTABLE"):
        yield Path(portable, "user-data", "User")
    if named := environ.get("VSCODE_APPDATA"):
        base = Path(named)
    elif around.platform == "win32":
        base = Path(environ.get("APPDATA") or home / "AppData" / "Roaming")
    elif around.platform == "darwin":
        base = home / "Library" / "Application Support"
    else:
        base = Path(environ.get("XDG_CONFIG_HOME") or home / ".config")
    yield from (base / name / "User" for name in EDITORS)
    servers = [Path(agent)] if (agent := environ.get("VSCODE_AGENT_FOLDER")) else []
    yield from (server / "data" / "User" for server in (*servers, *(home / name for name in _SERVERS)))


def vscode_chat(around: Surroundings) -> Iterator[FileCandidate]:
    """Yield the editors' chats whose `workspace.json` names the workspace, or a folder in it."""
    for storage in workspace_storages(around):
        yield from around.newest_form(f"{storage}/chatSessions", "*", _LOG_FIRST, is_here=True)


def copilot_hooks(around: Surroundings) -> Iterator[FileCandidate]:
    """Yield the transcripts that VS Code writes for its hooks."""
    for storage in workspace_storages(around):
        yield from around.files_in(f"{storage}/GitHub.copilot-chat/transcripts", "*.jsonl", is_here=True)


def vscode_windows(around: Surroundings) -> Iterator[FileCandidate]:
    """Yield the chats of windows without a folder, and those on their way from one window to another."""
    for user in user_data(around):
        yield from around.newest_form(user / "globalStorage" / "emptyWindowChatSessions", "*", _LOG_FIRST, is_here=None)
        yield from around.newest_form(user / "globalStorage" / "transferredChatSessions", "*", _LOG_FIRST, is_here=None)
        no_workspace = user / "workspaceStorage" / "no-workspace" / "chatSessions"
        yield from around.newest_form(no_workspace, "*", _LOG_FIRST, is_here=None)


def cline(around: Surroundings) -> Iterator[FileCandidate]:
    """Yield the tasks of Cline and Roo Code, of all workspaces: what was shown, else what was sent."""
    for user in user_data(around):
        for extension in _CLINE:
            for task in around.folders_in(user / "globalStorage" / extension / "tasks"):
                shown = list(around.files_in(task.path, "ui_messages.json"))
                yield from shown or around.files_in(task.path, "api_conversation_history.json")


def workspace_storages(around: Surroundings) -> Iterator[str]:
    """Yield the folders in which the editors keep what is about the workspace."""
    for user in user_data(around):
        for storage in around.folders_in(user / "workspaceStorage"):
            if _is_about(Path(storage.path, "workspace.json"), around.root):
                yield storage.path


def _is_about(path: Path, root: Path) -> bool:
    found = fields_of(json_in(path))
    told = found.get("folder") or found.get("workspace")
    place = _folder_behind_container(text_of(told)) or path_of(told)
    if place.endswith(".code-workspace"):
        return _has_folder(Path(place), root)
    return bool(place) and as_in(place, root) is not None


def _folder_behind_container(uri: str) -> str:
    """Return the folder of this machine that a development container shows, from the address that VS Code made of it.

    The address holds it in hexadecimal digits, by itself or as `{"hostPath": …}`.
    """
    address = _CONTAINER.match(unquote(uri))
    if address is None:
        return ""
    told = bytes.fromhex(address[1]).decode("utf-8", "replace")
    try:
        return text_of(fields_of(decode(told.encode())).get("hostPath"))
    except ValueError:
        return told if "\0" not in told else ""


def _has_folder(path: Path, root: Path) -> bool:
    """Tell whether a workspace of several folders has one in the root."""
    for folder in map(fields_of, items_of(fields_of(json_in(path)).get("folders"))):
        named = text_of(folder.get("path")) or path_of(folder.get("uri"))
        if named and as_in(os.path.normpath(path.parent / named), root) is not None:
            return True
    return False
