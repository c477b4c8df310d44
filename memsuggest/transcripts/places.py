"""Where each assistant keeps its transcripts, and how a place says which workspace it is about.

VS Code writes a `workspace.json` beside its chats, Gemini CLI a `.project_root`; the others write the folder into the
records. A name that is only a hash or a slug is never trusted by itself. Nothing here opens a transcript.
"""

from __future__ import annotations

import fnmatch
import hashlib
import json
import os
import re
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import TYPE_CHECKING, NamedTuple

from memsuggest.errors import TranscriptError
from memsuggest.transcripts.source import Source
from memsuggest.transcripts.vscode_uris import path_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

EDITORS = ("Code", "Code - Insiders", "VSCodium", "Cursor")
_CLINE = ("saoudrizwan.claude-dev", "rooveterinaryinc.roo-cline")
_SMALL = 1024 * 1024  # bytes of a file that only names folders


class Candidate(NamedTuple):
    """A file that may be a transcript of the workspace, by its place alone."""

    path: str
    status: os.stat_result
    is_here: bool | None
    """Whether its place says that it is about the workspace; None: only its records do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What places depend on."""

    root: Path
    home: Path
    environ: Mapping[str, str]
    platform: str

    def folder(self, variable: str, usual: str) -> Path:
        """Return an assistant's own folder: where its variable says, or below the home folder."""
        named = self.environ.get(variable)
        return Path(named) if named else self.home / usual

    def user_data(self) -> Iterator[Path]:
        """Yield the editors' folders for user data.

        Source: microsoft/vscode `src/vs/platform/environment/node/userDataPath.ts`.
        """
        if portable := self.environ.get("VSCODE_PORTABLE"):
            yield Path(portable, "user-data", "User")
        if named := self.environ.get("VSCODE_APPDATA"):
            base = Path(named)
        elif self.platform == "win32":
            base = Path(self.environ.get("APPDATA") or self.home / "AppData" / "Roaming")
        elif self.platform == "darwin":
            base = self.home / "Library" / "Application Support"
        else:
            base = Path(self.environ.get("XDG_CONFIG_HOME") or self.home / ".config")
        yield from (base / name / "User" for name in EDITORS)


def is_same_or_below(path: str, root: Path) -> bool:
    """Tell whether a folder, as some system wrote it, is the root or lies in it; Windows' paths in any case."""
    base = _parts(str(root))
    return _parts(path)[: len(base)] == base


def _parts(path: str) -> tuple[str, ...]:
    if re.match(r"[A-Za-z]:(?:[\\/]|\Z)|\\\\", path):
        return tuple(part.casefold() for part in PureWindowsPath(path).parts)
    return PurePosixPath(path).parts


def claude_code(around: Surroundings) -> Iterator[Candidate]:
    """Yield Claude Code's sessions in folders that may be the workspace's: the folder's name is lossy."""
    slug = re.sub(r"[^A-Za-z0-9]", "-", str(around.root))
    named = around.environ.get("CLAUDE_CONFIG_DIR")
    bases = [Path(named)] if named else [around.home / ".claude", around.home / ".config" / "claude"]
    for base in bases:
        for folder in _entries(base / "projects"):
            # A session may have begun above the root, or below it; then one name is the beginning of the other.
            if folder.name.startswith(slug) or slug.startswith(folder.name):
                yield from _files(folder.path, "*.jsonl", unless="agent-*")


def vscode_chat(around: Surroundings) -> Iterator[Candidate]:
    """Yield the editors' chats whose `workspace.json` names the workspace, or a folder in it."""
    for storage in _storages(around):
        logs = list(_files(f"{storage}/chatSessions", "*.jsonl", is_here=True))
        names = {log.path.removesuffix(".jsonl") for log in logs}
        yield from logs
        for session in _files(f"{storage}/chatSessions", "*.json", is_here=True):
            if session.path.removesuffix(".json") not in names:  # where both are there, the log is the newer
                yield session


def copilot_hooks(around: Surroundings) -> Iterator[Candidate]:
    """Yield the transcripts that VS Code writes for its hooks."""
    for storage in _storages(around):
        yield from _files(f"{storage}/GitHub.copilot-chat/transcripts", "*.jsonl", is_here=True)


def _storages(around: Surroundings) -> Iterator[str]:
    for user in around.user_data():
        for storage in _entries(user / "workspaceStorage"):
            if _is_about(Path(storage.path, "workspace.json"), around.root):
                yield storage.path


def _is_about(path: Path, root: Path) -> bool:
    found = _json(path)
    named = found.get("folder") or found.get("workspace") if isinstance(found, dict) else None
    place = path_of(named)
    if place.endswith(".code-workspace"):
        return _has_folder(Path(place), root)
    return bool(place) and is_same_or_below(place, root)


def _has_folder(path: Path, root: Path) -> bool:
    """Tell whether a workspace of several folders has one in the root."""
    found = _json(path)
    folders = found.get("folders") if isinstance(found, dict) else None
    for folder in folders if isinstance(folders, list) else ():
        named = folder.get("path") or path_of(folder.get("uri")) if isinstance(folder, dict) else None
        if isinstance(named, str) and is_same_or_below(os.path.normpath(path.parent / named), root):
            return True
    return False


def codex(around: Surroundings) -> Iterator[Candidate]:
    """Yield Codex's rollouts, of all workspaces."""
    home = around.folder("CODEX_HOME", ".codex")
    for year in _entries(home / "sessions"):
        for month in _entries(year.path):
            for day in _entries(month.path):
                yield from _files(day.path, "rollout-*.jsonl")
    yield from _files(home / "archived_sessions", "rollout-*.jsonl")


def copilot_cli(around: Surroundings) -> Iterator[Candidate]:
    """Yield Copilot CLI's sessions, of all workspaces."""
    homes = [around.folder("COPILOT_HOME", ".copilot")]
    if state := around.environ.get("XDG_STATE_HOME"):
        homes.append(Path(state, ".copilot"))
    for home in homes:
        for session in _entries(home / "session-state"):
            yield from _files(session.path, "events.jsonl")


def gemini_cli(around: Surroundings) -> Iterator[Candidate]:
    """Yield Gemini CLI's sessions of folders that say, or whose digest tells, that they are the workspace's."""
    named = around.environ.get("GEMINI_CLI_HOME")
    digest = hashlib.sha256(str(around.root).encode("utf-8", "surrogateescape")).hexdigest()
    for folder in _entries(Path(named or around.home, ".gemini", "tmp")):
        root = _text(Path(folder.path, ".project_root")).strip()
        if not (is_same_or_below(root, around.root) if root else folder.name == digest):
            continue
        logs = list(_files(f"{folder.path}/chats", "session-*.jsonl", is_here=True))
        names = {log.path.removesuffix(".jsonl") for log in logs}
        yield from logs
        for session in _files(f"{folder.path}/chats", "session-*.json", is_here=True):
            if session.path.removesuffix(".json") not in names:
                yield session


def cursor_agent(around: Surroundings) -> Iterator[Candidate]:
    """Yield Cursor's agent transcripts: they name no folder, so the folder's name has to be exactly the root's."""
    slug = re.sub(r"[^A-Za-z0-9]+", "-", str(around.root)).strip("-")
    for project in _entries(around.home / ".cursor" / "projects"):
        if project.name == slug:
            base = f"{project.path}/agent-transcripts"
            yield from _files(base, "*.jsonl", is_here=True)
            for session in _entries(base):
                yield from _files(session.path, "*.jsonl", is_here=True)


def cline(around: Surroundings) -> Iterator[Candidate]:
    """Yield the tasks of Cline and Roo Code, of all workspaces."""
    for user in around.user_data():
        for extension in _CLINE:
            for task in _entries(user / "globalStorage" / extension / "tasks"):
                yield from _files(task.path, "ui_messages.json")


def specstory(around: Surroundings) -> Iterator[Candidate]:
    """Yield what SpecStory saved in the repo."""
    yield from _files(around.root / ".specstory" / "history", "*.md", is_here=True)


def aider(around: Surroundings) -> Iterator[Candidate]:
    """Yield aider's history in the repo."""
    yield from _files(around.root, ".aider.chat.history.md", is_here=True)


PLACES: dict[str, Callable[[Surroundings], Iterator[Candidate]]] = {
    "claude-code": claude_code,
    "vscode-chat": vscode_chat,
    "copilot-cli": copilot_cli,
    "copilot-hooks": copilot_hooks,
    "codex": codex,
    "gemini-cli": gemini_cli,
    "cursor-agent": cursor_agent,
    "cline": cline,
    "specstory": specstory,
    "aider": aider,
}
"""Every assistant's own place; named after the reader, where there is one for it alone."""

IN_REPO = frozenset({"specstory", "aider"})
"""Places inside the repo, where a transcript may be somebody else's."""


_LOOKED_INTO: ContextVar[set[str] | None] = ContextVar("looked_into", default=None)


@contextmanager
def noted_folders() -> Iterator[set[str]]:
    """Note every folder that is looked into meanwhile, there or not: a new transcript will appear in one of them."""
    folders: set[str] = set()
    token = _LOOKED_INTO.set(folders)
    try:
        yield folders
    finally:
        _LOOKED_INTO.reset(token)


def _note(folder: Path | str) -> None:
    noted = _LOOKED_INTO.get()
    if noted is not None:
        noted.add(str(folder))


def _entries(folder: Path | str) -> list[os.DirEntry[str]]:
    """List the folders in a folder; a folder that is not there, or closed to us, has none."""
    _note(folder)
    try:
        with os.scandir(folder) as listing:
            return sorted((entry for entry in listing if entry.is_dir()), key=lambda entry: entry.name)
    except OSError:
        return []


def _files(folder: Path | str, pattern: str, *, is_here: bool | None = None, unless: str = "") -> Iterator[Candidate]:
    """Yield the files in a folder that a pattern fits."""
    _note(folder)
    is_match = re.compile(fnmatch.translate(pattern)).match
    try:
        with os.scandir(folder) as listing:
            entries = sorted((entry for entry in listing if is_match(entry.name)), key=lambda entry: entry.name)
    except OSError:
        return
    for entry in entries:
        try:
            status = entry.stat()
        except OSError:
            continue  # gone since it was listed
        if not (unless and fnmatch.fnmatchcase(entry.name, unless)) and entry.is_file():
            yield Candidate(entry.path, status, is_here)


def _text(path: Path) -> str:
    try:
        return Source.at(path).whole(limit=_SMALL).decode("utf-8", "replace")
    except TranscriptError:
        return ""


def _json(path: Path) -> object:
    try:
        return json.loads(_text(path))
    except (ValueError, RecursionError):
        return None
