"""Places where each assistant keeps its transcripts, VS Code's kin among them, and which chats nobody else can read."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import unquote

from memsuggest.core.errors import TranscriptError
from memsuggest.core.model import Skipped
from memsuggest.transcripts.discovery.surroundings import (
    FileCandidate,
    Surroundings,
    as_in,
    is_same_or_below,
    json_in,
    text_in,
)
from memsuggest.transcripts.parsing.json_records import decode, fields_of, items_of, path_of, text_of
from memsuggest.transcripts.storage.source import zstd_module
from memsuggest.transcripts.storage.virtual_sessions import sessions_in, status_of

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


def workspace_storages(around: Surroundings) -> Iterator[str]:
    """Yield the folders in which the editors keep what is about the workspace."""
    for user in user_data(around):
        for storage in around.folders_in(user / "workspaceStorage"):
            found = fields_of(json_in(Path(storage.path, "workspace.json")))
            written = found.get("folder") or found.get("workspace")
            place = _folder_behind_container(text_of(written)) or path_of(written)
            folders = [place] if place else []
            if place.endswith(".code-workspace"):
                rows = map(fields_of, items_of(fields_of(json_in(Path(place))).get("folders")))
                named = (text_of(row.get("path")) or path_of(row.get("uri")) for row in rows)
                folders = [os.path.normpath(Path(place).parent / name) for name in named if name]
            if any(as_in(folder, around.root) is not None for folder in folders):
                yield storage.path


def _folder_behind_container(uri: str) -> str:
    """Return the folder of this machine that a development container shows, from the address that VS Code made of it.

    The address holds it in hexadecimal digits, by itself or as `{"hostPath": …}`.
    """
    address = _CONTAINER.match(unquote(uri))
    if address is None:
        return ""
    written = bytes.fromhex(address[1]).decode("utf-8", "replace")
    try:
        return text_of(fields_of(decode(written.encode())).get("hostPath"))
    except ValueError:
        return written if "\0" not in written else ""


def vscode_windows(around: Surroundings) -> Iterator[FileCandidate]:
    """Yield the chats of windows without a folder, and those on their way from one window to another."""
    for user in user_data(around):
        kept = user / "globalStorage"
        of_none = user / "workspaceStorage" / "no-workspace" / "chatSessions"
        folders = (kept / "emptyWindowChatSessions", kept / "transferredChatSessions", of_none)
        yield from around.sessions_in(folders, "*", _LOG_FIRST)


def cline(around: Surroundings) -> Iterator[FileCandidate]:
    """Yield the tasks of Cline and Roo Code, of all workspaces: what was shown, else what was sent."""
    for user in user_data(around):
        for extension in _CLINE:
            for task in around.folders_in(user / "globalStorage" / extension / "tasks"):
                shown = list(around.files_in(task.path, "ui_messages.json"))
                yield from shown or around.files_in(task.path, "api_conversation_history.json")


_NO_WORD = re.compile(r"[^A-Za-z0-9]")


def claude_code(around: Surroundings) -> Iterator[FileCandidate]:
    """Yield Claude Code's sessions in folders that may be the workspace's: the folder's name is lossy."""
    slugs = [_slug(root, around) for root in around.roots()]
    named = around.environ.get("CLAUDE_CONFIG_DIR")
    bases = [Path(named)] if named else [around.home / ".claude", around.home / ".config" / "claude"]
    for base in bases:
        for folder in around.folders_in(base / "projects"):
            # A session may have begun above the root, or below it; then one name is the beginning of the other.
            name = _slug(folder.name, around)
            if any(name.startswith(slug) or slug.startswith(name) for slug in slugs):
                yield from around.files_in(folder.path, "*.jsonl", unless="agent-*")


def _slug(path: str, around: Surroundings) -> str:
    slug = _NO_WORD.sub("-", path)
    return slug.casefold() if around.platform == "win32" else slug


def codex_folders(around: Surroundings) -> Iterator[str]:
    """Yield the folders that Codex keeps sessions in: one a day, and one for those put away."""
    home = around.folder("CODEX_HOME", ".codex")
    for year in around.folders_in(home / "sessions"):
        for month in around.folders_in(year.path):
            yield from (day.path for day in around.folders_in(month.path))
    yield str(home / "archived_sessions")


def copilot_cli(around: Surroundings) -> Iterator[FileCandidate]:
    homes = [around.folder("COPILOT_HOME", ".copilot")]
    if state := around.environ.get("XDG_STATE_HOME"):
        homes.append(Path(state, ".copilot"))
    sessions = (session.path for home in homes for session in around.folders_in(home / "session-state"))
    yield from around.sessions_in(sessions, "events.jsonl")


def gemini_folders(around: Surroundings) -> Iterator[str]:
    """Yield Gemini CLI's folders that say, or whose digest tells, that they are the workspace's."""
    base = Path(around.environ.get("GEMINI_CLI_HOME") or around.home, ".gemini")
    names: dict[object, str] | None = None
    digests = {hashlib.sha256(root.encode("utf-8", "surrogateescape")).hexdigest() for root in around.roots()}
    for folder in around.folders_in(base / "tmp"):
        written = text_in(Path(folder.path, ".project_root")).strip()
        if not written and folder.name not in digests:
            if names is None:
                found = fields_of(json_in(base / "projects.json"))
                projects = fields_of(found.get("projects")) or found
                names = {name: path for path, name in projects.items() if isinstance(name, str)}
            written = names.get(folder.name, "")
        if as_in(written, around.root) is not None if written else folder.name in digests:
            yield folder.path


def cursor_agent(around: Surroundings) -> Iterator[FileCandidate]:
    """Yield Cursor's agent transcripts: they name no folder, so the folder's name has to be exactly the root's."""
    slugs = {re.sub(r"[^A-Za-z0-9]+", "-", root).strip("-") for root in around.roots()}
    for project in around.folders_in(around.home / ".cursor" / "projects"):
        if project.name in slugs:
            base = f"{project.path}/agent-transcripts"
            folders = [base, *(session.path for session in around.folders_in(base))]
            yield from around.sessions_in(folders, "*", (".jsonl", ".txt"), is_here=True)


def opencode(around: Surroundings) -> Iterator[FileCandidate]:
    """Yield OpenCode's sessions: those in its database, and older ones that were never moved there."""
    data = Path(around.environ.get("XDG_DATA_HOME") or around.home / ".local" / "share", "opencode")
    named = around.environ.get("OPENCODE_DB")
    databases = [data / named] if named else [Path(file.path) for file in around.files_in(data, "opencode*.db")]
    moved: set[str] = set()
    for database in databases:
        around.note(database.parent)
        try:
            stored = sessions_in(database)
        except TranscriptError:
            continue
        moved |= {place.path.name.rpartition("#")[2] for place in stored}
        here = (place for place in stored if as_in(place.folder, around.root) is not None)
        yield from (FileCandidate(str(session.path), session.status, True) for session in here)
    for project in around.folders_in(data / "storage" / "session"):
        for session in around.files_in(project.path, "ses_*.json"):
            if Path(session.path).stem not in moved:
                yield session._replace(status=status_of(Path(session.path)))


def pi(around: Surroundings) -> Iterator[FileCandidate]:
    """Yield Pi's sessions, of all workspaces: how a folder's name is made of the workspace's has changed."""
    named = around.environ.get("PI_CODING_AGENT_SESSION_DIR")
    return _pi_sessions(
        around, Path(named) if named else around.folder("PI_CODING_AGENT_DIR", ".pi/agent") / "sessions"
    )


def oh_my_pi(around: Surroundings) -> Iterator[FileCandidate]:
    base = around.home / (around.environ.get("PI_CONFIG_DIR") or ".omp")
    return _pi_sessions(around, base / "agent" / "sessions")


def _pi_sessions(around: Surroundings, base: Path) -> Iterator[FileCandidate]:
    # In the folder itself stand those of one workspace, where somebody moved them.
    return around.sessions_in([base, *(folder.path for folder in around.folders_in(base))], "*.jsonl")


def entire(around: Surroundings) -> Iterator[FileCandidate]:
    """Yield what `entire` keeps in the repo of each session: the assistant's own record, or else its compact one."""
    for session in around.folders_in(around.root / ".entire" / "metadata"):
        inner = (folder.path for folder in around.folders_in(session.path) if folder.name != "tasks")
        yield from around.sessions_in([session.path, *inner], "", ("full.jsonl", "transcript.jsonl"), is_here=True)


def aider(around: Surroundings) -> Iterator[FileCandidate]:
    named = around.environ.get("AIDER_CHAT_HISTORY_FILE")
    history = Path(os.path.normpath(around.root / (named or ".aider.chat.history.md")))
    if is_same_or_below(str(history), around.root):
        yield from around.files_in(history.parent, history.name.replace("[", "[[]"), is_here=True)


def _of_workspace(below: str, pattern: str, *endings: str) -> Callable[[Surroundings], Iterator[FileCandidate]]:
    """Return the place of sessions in a folder below each of the editors' storages of the workspace."""

    def found(around: Surroundings) -> Iterator[FileCandidate]:
        folders = (f"{storage}/{below}" for storage in workspace_storages(around))
        return around.sessions_in(folders, pattern, endings, is_here=True)

    return found


PLACES: dict[str, Callable[[Surroundings], Iterator[FileCandidate]]] = {
    "claude-code": claude_code,
    "vscode-chat": _of_workspace("chatSessions", "*", *_LOG_FIRST),
    "vscode-windows": vscode_windows,
    "copilot-cli": copilot_cli,
    "copilot-hooks": _of_workspace("GitHub.copilot-chat/transcripts", "*", ".jsonl"),
    "codex": lambda around: around.sessions_in(codex_folders(around), "rollout-*", (".jsonl", ".jsonl.zst")),
    "gemini-cli": lambda around: around.sessions_in(
        (f"{folder}/chats" for folder in gemini_folders(around)), "session-*", _LOG_FIRST, is_here=True
    ),
    "cursor-agent": cursor_agent,
    "opencode": opencode,
    "cline": cline,
    "pi": pi,
    "oh-my-pi": oh_my_pi,
    "specstory": lambda around: around.files_in(around.root / ".specstory/history", "*.md", is_here=True),
    "aider": aider,
    "entire": entire,
}
"""Every assistant's own place; named after the reader, where there is one for it alone."""

READER_OF = {"copilot-hooks": "copilot-cli", "oh-my-pi": "pi", "vscode-windows": "vscode-chat"}
"""Who reads what is found in a place that has no reader of its own name."""

ASSISTANTS = (
    "Claude Code", "VS Code and its forks (Copilot Chat, Cline, Roo Code)", "Copilot CLI", "Codex", "Gemini CLI",
    "Cursor's agent", "OpenCode", "Pi and Oh My Pi", "SpecStory", "aider", "entire",
)  # fmt: skip
"""Whose places these are, for people."""


def find_unreadable(around: Surroundings) -> tuple[Skipped, ...]:
    """Say how many chats of each kind there are that nobody can read, of whatever workspace."""
    home = around.home
    folders = codex_folders(around) if zstd_module() is None else ()
    users = [user for user in user_data(around) if "cursor" in user.parent.name.casefold()]
    chats = [chat for group in around.folders_in(home / ".cursor" / "chats") for chat in around.folders_in(group.path)]
    kinds = (
        (
            [file for folder in folders for file in around.files_in(folder, "rollout-*.zst")],
            "compressed Codex session",
            "to read these sessions, run `pip install '.[zstd]'` in your memsuggest clone",
        ),
        (
            list(around.files_in(home / ".codeium" / "windsurf" / "cascade", "*.pb")),
            "Windsurf session",
            "encrypted; copy a chat to a text file, start each of your messages with `User:`, and specify that file",
        ),
        (
            [file for user in users for file in around.files_in(user / "globalStorage", "state.vscdb")],
            "Cursor chat database",
            "not read automatically; to read it, run `memsuggest transcripts PATH`",
        ),
        (
            [file for chat in chats for file in around.files_in(chat.path, "store.db")],
            "Cursor CLI session",
            "not supported; save Cursor CLI chats as files with SpecStory",
        ),
    )
    said = []
    for found, kind, why in kinds:
        if found:
            plural = "" if len(found) == 1 else "s"
            what = kind.replace("session", f"session{plural}").replace("database", f"database{plural}")
            said.append(Skipped(what=f"{len(found)} {what}", why=why))
    return tuple(said)
