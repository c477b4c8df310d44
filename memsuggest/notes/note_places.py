"""Files in which assistants keep notes: found as transcripts are, bounded, and never through a link that leads out.

A new assistant is a function and a row of `KEEPERS` here, and a row of `note_reading.FORMS`.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from memsuggest.core.errors import Skipped
from memsuggest.core.workspace import git_common_folder
from memsuggest.transcripts.discovery import named_folders
from memsuggest.transcripts.discovery.places import gemini_folders, user_data, workspace_storages
from memsuggest.transcripts.discovery.surroundings import Surroundings, as_in, json_in
from memsuggest.transcripts.parsing.json_records import fields_of, text_of

MOST_IN_FOLDER = 20_000  # entries of one folder that are looked at
LARGEST = 256 * 1024  # bytes of a note
_NO_WORD = re.compile(r"[^A-Za-z0-9]")
_LONGEST_NAME = 200
_LOOKED_AT = 3  # transcripts that are asked which folder they are about


@dataclass(frozen=True, slots=True, kw_only=True)
class NotePlace:
    """A file with notes that is there, not opened yet."""

    path: str
    assistant: str
    size: int
    mtime_ns: int
    inode: int
    is_users: bool = False
    """Its folder is the person's for all workspaces."""
    is_shared: bool = False
    """Others may have put it there."""


def notes_in(
    around: Surroundings,
    folder: Path | str,
    assistant: str,
    *,
    ending: str = ".md",
    is_users: bool = False,
    is_shared: bool = False,
) -> Iterator[NotePlace | Skipped]:
    """Yield the notes of a folder, not of the folders in it, and what is left out there."""
    around.note(folder)
    try:
        with os.scandir(folder) as listing:
            entries = list(islice(listing, MOST_IN_FOLDER + 1))
    except OSError:
        return
    if len(entries) > MOST_IN_FOLDER:
        yield Skipped(what=str(folder), why=f"more than {MOST_IN_FOLDER} files; the rest were not read")
    base = os.path.realpath(folder)
    for entry in sorted(entries[:MOST_IN_FOLDER], key=lambda entry: entry.name):
        if not entry.name.lower().endswith(ending) or entry.name.startswith("."):
            continue
        try:
            status = entry.stat()
            leads_out = entry.is_symlink() and os.path.dirname(os.path.realpath(entry.path)) != base  # noqa: PTH120
        except OSError:
            continue  # gone since, or a link to nothing
        if leads_out:
            yield Skipped(what=entry.path, why="a link to another folder")
        elif not stat.S_ISREG(status.st_mode):
            yield Skipped(what=entry.path, why="not a regular file")
        elif hasattr(os, "getuid") and status.st_uid != os.getuid():
            yield Skipped(what=entry.path, why="owned by another user")
        elif status.st_size > LARGEST:
            yield Skipped(what=entry.path, why=f"larger than {LARGEST // 1024} KB")
        else:
            yield NotePlace(
                path=entry.path,
                assistant=assistant,
                size=status.st_size,
                mtime_ns=status.st_mtime_ns,
                inode=status.st_ino,
                is_users=is_users,
                is_shared=is_shared,
            )


def shown(path: str, *, root: str, home: str) -> str:
    """Return a path as people read it: from the root, or from the home folder."""
    for base, sign in ((root, ""), (home, "~/")):
        if path.startswith(base + os.sep):
            return sign + path[len(base) + 1 :].replace(os.sep, "/")
    return path


def homes_of(around: Surroundings) -> tuple[str, ...]:
    """Return the folders by which an assistant may call this workspace: its root, and that of the main worktree."""
    common = git_common_folder(around.root)
    main = str(common.parent) if common is not None and common.name == ".git" else ""
    return tuple(dict.fromkeys(filter(None, (*around.roots(), main))))


def project_folders(around: Surroundings, projects: Path) -> Iterator[str]:
    """Yield the folders that an assistant named after this workspace, unless their sessions are about another one.

    The name is lossy: each sign that is no letter or digit became a dash, and a long one was cut.
    """
    homes = homes_of(around)
    names = {_slug(home, around) for home in homes}
    cut = tuple(f"{name[:_LONGEST_NAME]}-" for name in names if len(name) > _LONGEST_NAME)
    for folder in around.folders_in(projects):
        name = _slug(folder.name, around)
        if name not in names and not name.startswith(cut):
            continue
        try:
            with os.scandir(folder.path) as listing:
                sessions = list(islice((entry.path for entry in listing if entry.name.endswith(".jsonl")), _LOOKED_AT))
        except OSError:
            continue
        named = {place for session in sessions for place in named_folders(session)}
        if not named or any(as_in(place, Path(home)) is not None for place in named for home in homes):
            yield folder.path


def _slug(path: str, around: Surroundings) -> str:
    slug = _NO_WORD.sub("-", path)
    return slug.casefold() if around.platform == "win32" else slug


def _claude_code(around: Surroundings) -> Iterator[NotePlace | Skipped]:
    """Yield topic files and indexes: of this project, of its team, and of subagents.

    Source: code.claude.com/docs (memory, settings, sub-agents).
    """
    name, moved = "claude-code", around.environ.get("CLAUDE_CONFIG_DIR")
    for base in [Path(moved)] if moved else [around.home / ".claude", around.home / ".config" / "claude"]:
        folders = [f"{project}/memory" for project in project_folders(around, base / "projects")]
        # Where the person's own settings move this project's memory to; the repo's may not say so.
        named = text_of(fields_of(json_in(base / "settings.json")).get("autoMemoryDirectory"))
        place = Path(str(around.home) + named[1:]) if named.startswith("~/") else Path(named)
        if named and place.is_absolute():
            folders = [*project_folders(around, place), *folders]
        for folder in folders:
            yield from notes_in(around, folder, name)
            yield from notes_in(around, f"{folder}/team", name, is_shared=True)
        for agent in around.folders_in(base / "agent-memory"):
            yield from notes_in(around, agent.path, name, is_users=True)
    for scope in ("agent-memory", "agent-memory-local"):
        for agent in around.folders_in(around.root / ".claude" / scope):
            yield from notes_in(around, agent.path, name)


def _codex(around: Surroundings) -> Iterator[NotePlace | Skipped]:
    """Yield the handbook, and what was noted by hand; the rest of the folder is made from the same."""
    base = around.folder("CODEX_HOME", ".codex") / "memories"
    yield from notes_in(around, base, "codex", ending="memory.md")
    yield from notes_in(around, base / "extensions" / "ad_hoc" / "notes", "codex", is_users=True)


def _gemini_cli(around: Surroundings) -> Iterator[NotePlace | Skipped]:
    base = Path(around.environ.get("GEMINI_CLI_HOME") or around.home, ".gemini")
    yield from notes_in(around, base, "gemini-cli", ending="gemini.md", is_users=True)
    for folder in gemini_folders(around):
        yield from notes_in(around, f"{folder}/memory", "gemini-cli")


def _vscode(around: Surroundings) -> Iterator[NotePlace | Skipped]:
    """Yield the files of Copilot's memory tool: the person's own, and a workspace's; a session's own pass."""
    for user in user_data(around):
        folder = user / "globalStorage" / "github.copilot-chat" / "memory-tool" / "memories"
        yield from notes_in(around, folder, "vscode", is_users=True)
    for storage in workspace_storages(around):
        yield from notes_in(around, f"{storage}/GitHub.copilot-chat/memory-tool/memories/repo", "vscode")


def _qwen_code(around: Surroundings) -> Iterator[NotePlace | Skipped]:
    base = around.home / ".qwen"
    for folder in project_folders(around, base / "projects"):
        yield from notes_in(around, f"{folder}/memory", "qwen-code")
    yield from notes_in(around, base / "memories", "qwen-code", is_users=True)
    yield from notes_in(around, around.root / ".qwen" / "team-memory", "qwen-code")


class Keeper(NamedTuple):
    """An assistant that keeps notes."""

    label: str
    places: Callable[[Surroundings], Iterator[NotePlace | Skipped]]


KEEPERS: Mapping[str, Keeper] = {
    "claude-code": Keeper("Claude Code", _claude_code),
    "codex": Keeper("Codex", _codex),
    "gemini-cli": Keeper("Gemini CLI", _gemini_cli),
    "vscode": Keeper("VS Code", _vscode),
    "qwen-code": Keeper("Qwen Code", _qwen_code),
    "junie": Keeper("Junie", lambda around: notes_in(around, around.root / ".junie" / "memory", "junie")),
    "cline": Keeper("Cline", lambda around: notes_in(around, around.root / "memory-bank", "cline")),
}
