"""Where each assistant keeps its transcripts, and how a place says which workspace it is about.

From `formats`: VS Code writes a `workspace.json` beside its chats, Claude Code and Copilot CLI a folder into the
records, Gemini CLI a `.project_root`. A name that is only a hash or a slug is never trusted by itself.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

EDITORS = ("Code", "Code - Insiders", "VSCodium", "Cursor")
HEAD = 256 * 1024
"""Bytes of a file in which it says where it was written."""
_CWD = re.compile(rb'"(?:cwd|gitRoot|directory)"\s*:\s*("(?:[^"\\]|\\.){1,4096}")')


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
        """Yield the editors' folders for user data."""
        if self.platform == "win32":
            base = Path(self.environ.get("APPDATA") or self.home / "AppData/Roaming")
        elif self.platform == "darwin":
            base = self.home / "Library/Application Support"
        else:
            base = Path(self.environ.get("XDG_CONFIG_HOME") or self.home / ".config")
        yield from (base / name / "User" for name in EDITORS)
        if self.environ.get("VSCODE_PORTABLE"):
            yield Path(self.environ["VSCODE_PORTABLE"], "user-data/User")


def is_same_or_below(path: str, root: Path) -> bool:
    """Tell whether a folder, as some system wrote it, is the root or lies in it; drive letters in either case."""
    return _parts(path)[: len(_parts(str(root)))] == _parts(str(root))


def _parts(path: str) -> tuple[str, ...]:
    if re.match(r"[A-Za-z]:[\\/]", path):
        return tuple(part.casefold() for part in PureWindowsPath(path).parts)
    return PurePosixPath(path.rstrip("/") or "/").parts


def path_of_uri(uri: str) -> str:
    """Return the path that a `file:` URI names, percent signs decoded; the text itself for anything else."""
    parts = urlsplit(uri)
    if parts.scheme.lower() != "file":
        return uri
    path = unquote(parts.path)
    return path[1:] if re.match(r"/[A-Za-z]:", path) else path


def claude_code(around: Surroundings) -> Iterator[Path]:
    """Yield Claude Code's sessions of the workspace; their lines say the folder, the slug is lossy."""
    projects = around.folder("CLAUDE_CONFIG_DIR", ".claude") / "projects"
    slug = re.sub(r"[^A-Za-z0-9]", "-", str(around.root))
    for folder in _folders(projects):
        # A session may have started above the root and moved into it, or below it; then one slug begins the other.
        if folder.name.startswith(slug) or slug.startswith(folder.name):
            yield from (path for path in _files(folder, "*.jsonl") if _was_in(path, around.root))


def vscode_chat(around: Surroundings) -> Iterator[Path]:
    """Yield the editors' chats whose `workspace.json` names the workspace, or a folder in it."""
    for user in around.user_data():
        for storage in _folders(user / "workspaceStorage"):
            if _is_about(storage / "workspace.json", around.root):
                logs = _files(storage / "chatSessions", "*.jsonl")
                named = {path.stem for path in logs}
                yield from logs
                yield from (one for one in _files(storage / "chatSessions", "*.json") if one.stem not in named)
                yield from _files(storage / "GitHub.copilot-chat/transcripts", "*.jsonl")


def _is_about(path: Path, root: Path) -> bool:
    found = _json(path)
    named = found.get("folder") or found.get("workspace") if isinstance(found, dict) else None
    if not isinstance(named, str):
        return False
    place = path_of_uri(named)
    if place.endswith(".code-workspace"):
        return _has_folder(Path(place), root)
    return is_same_or_below(place, root)


def _has_folder(path: Path, root: Path) -> bool:
    found = _json(path)
    folders = found.get("folders") if isinstance(found, dict) else None
    names = [one.get("path") for one in folders if isinstance(one, dict)] if isinstance(folders, list) else []
    return any(is_same_or_below(str(path.parent / name), root) for name in names if isinstance(name, str))


def specstory(around: Surroundings) -> Iterator[Path]:
    """Yield what SpecStory saved in the repo."""
    yield from _files(around.root / ".specstory/history", "*.md")


def aider(around: Surroundings) -> Iterator[Path]:
    """Yield aider's history in the repo."""
    yield from _files(around.root, ".aider.chat.history.md")


def codex(around: Surroundings) -> Iterator[Path]:
    """Yield Codex's rollouts that were written in the workspace."""
    home = around.folder("CODEX_HOME", ".codex")
    for pattern in ("sessions/*/*/*/rollout-*.jsonl", "archived_sessions/rollout-*.jsonl"):
        yield from (path for path in _files(home, pattern) if _was_in(path, around.root))


def copilot_cli(around: Surroundings) -> Iterator[Path]:
    """Yield Copilot CLI's sessions that were written in the workspace."""
    state = around.folder("COPILOT_HOME", ".copilot") / "session-state"
    yield from (path for path in _files(state, "*/events.jsonl") if _was_in(path, around.root))


def gemini_cli(around: Surroundings) -> Iterator[Path]:
    """Yield Gemini CLI's sessions of folders that say they belong to the workspace."""
    import hashlib  # noqa: PLC0415

    base = around.folder("GEMINI_CLI_HOME", ".gemini")
    temporary = (base / ".gemini" if (base / ".gemini").is_dir() else base) / "tmp"
    digest = hashlib.sha256(str(around.root).encode()).hexdigest()
    for folder in _folders(temporary):
        named = _text(folder / ".project_root").strip()
        if is_same_or_below(named, around.root) if named else folder.name == digest:
            logs = _files(folder / "chats", "session-*.jsonl")
            yield from logs
            stems = {path.stem for path in logs}
            yield from (path for path in _files(folder / "chats", "session-*.json") if path.stem not in stems)


def cline(around: Surroundings) -> Iterator[Path]:
    """Yield the tasks of Cline and Roo Code whose messages name the workspace as their folder."""
    mark = f"Current Working Directory ({around.root.as_posix()})".encode()
    for user in around.user_data():
        for extension in ("saoudrizwan.claude-dev", "rooveterinaryinc.roo-cline"):
            for task in _folders(user / "globalStorage" / extension / "tasks"):
                if mark in _head(task / "api_conversation_history.json"):
                    yield from _files(task, "ui_messages.json")


PLACES: dict[str, Callable[[Surroundings], Iterator[Path]]] = {
    "claude-code": claude_code,
    "vscode-chat": vscode_chat,
    "codex": codex,
    "copilot-cli": copilot_cli,
    "gemini-cli": gemini_cli,
    "cline": cline,
    "specstory": specstory,
    "aider": aider,
}
"""Every assistant's own place."""

IN_REPO = {"specstory", "aider"}
"""Places inside the repo, where a transcript may be somebody else's."""


def _was_in(path: Path, root: Path) -> bool:
    """Tell whether a session says, near its beginning or its end, that it worked in the root."""
    for found in _CWD.findall(_head(path) + _tail(path)):
        try:
            folder = json.loads(found)
        except ValueError:
            continue
        if is_same_or_below(folder, root):
            return True
    return False


def _head(path: Path) -> bytes:
    try:
        with path.open("rb") as stream:
            return stream.read(HEAD)
    except OSError:
        return b""


def _tail(path: Path) -> bytes:
    try:
        with path.open("rb") as stream:
            size = stream.seek(0, 2)
            stream.seek(max(HEAD, size - HEAD))
            return stream.read(HEAD)
    except OSError:
        return b""


def _text(path: Path) -> str:
    return _head(path).decode("utf-8", "replace")


def _json(path: Path) -> object:
    try:
        return json.loads(_text(path).removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return None


def _folders(path: Path) -> list[Path]:
    try:
        return sorted(one for one in path.iterdir() if one.is_dir())
    except OSError:
        return []


def _files(folder: Path, pattern: str) -> list[Path]:
    try:
        return sorted(path for path in folder.glob(pattern) if path.is_file())
    except OSError:
        return []
