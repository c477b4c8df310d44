"""Places where each assistant keeps its transcripts, and how a place says which workspace it is about.

VS Code writes a `workspace.json` beside its chats, Gemini CLI a `.project_root`; the others write the folder into the
records. A name that is only a hash or a slug is never trusted by itself. Nothing here opens a transcript.
"""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from memsuggest.errors import TranscriptError
from memsuggest.transcripts.discovery.editor_places import cline, copilot_hooks, vscode_chat, vscode_windows
from memsuggest.transcripts.discovery.surroundings import (
    FileCandidate,
    Surroundings,
    as_in,
    is_same_or_below,
    json_in,
    text_in,
)
from memsuggest.transcripts.parsing.json_records import fields_of
from memsuggest.transcripts.storage.virtual_sessions import sessions_in, status_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = [
    "ASSISTANTS", "PLACES", "READER_OF", "FileCandidate", "Surroundings", "as_in", "is_same_or_below",
]  # fmt: skip

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


def codex(around: Surroundings) -> Iterator[FileCandidate]:
    """Yield Codex's rollouts, of all workspaces."""
    for folder in codex_folders(around):
        yield from around.newest_form(folder, "rollout-*", _PLAIN_FIRST, is_here=None)


def codex_folders(around: Surroundings) -> Iterator[str]:
    """Yield the folders that Codex keeps sessions in: one a day, and one for those put away."""
    home = around.folder("CODEX_HOME", ".codex")
    for year in around.folders_in(home / "sessions"):
        for month in around.folders_in(year.path):
            yield from (day.path for day in around.folders_in(month.path))
    yield str(home / "archived_sessions")


_PLAIN_FIRST = (".jsonl", ".jsonl.zst")


def copilot_cli(around: Surroundings) -> Iterator[FileCandidate]:
    """Yield Copilot CLI's sessions, of all workspaces."""
    homes = [around.folder("COPILOT_HOME", ".copilot")]
    if state := around.environ.get("XDG_STATE_HOME"):
        homes.append(Path(state, ".copilot"))
    for home in homes:
        for session in around.folders_in(home / "session-state"):
            yield from around.files_in(session.path, "events.jsonl")


def gemini_cli(around: Surroundings) -> Iterator[FileCandidate]:
    """Yield Gemini CLI's sessions."""
    for folder in gemini_folders(around):
        yield from around.newest_form(f"{folder}/chats", "session-*", (".jsonl", ".json"), is_here=True)


def gemini_folders(around: Surroundings) -> Iterator[str]:
    """Yield Gemini CLI's folders that say, or whose digest tells, that they are the workspace's."""
    base = Path(around.environ.get("GEMINI_CLI_HOME") or around.home, ".gemini")
    names = None
    digests = {hashlib.sha256(root.encode("utf-8", "surrogateescape")).hexdigest() for root in around.roots()}
    for folder in around.folders_in(base / "tmp"):
        told = text_in(Path(folder.path, ".project_root")).strip()
        if not told and folder.name not in digests:
            names = _registered(base / "projects.json") if names is None else names
            told = names.get(folder.name, "")
        if as_in(told, around.root) is not None if told else folder.name in digests:
            yield folder.path


def _registered(path: Path) -> dict[str, str]:
    """Read which folder each short name stands for; the registry names the folder first."""
    found = fields_of(json_in(path))
    projects = fields_of(found.get("projects")) or found
    return {name: folder for folder, name in projects.items() if isinstance(name, str)}


def cursor_agent(around: Surroundings) -> Iterator[FileCandidate]:
    """Yield Cursor's agent transcripts: they name no folder, so the folder's name has to be exactly the root's."""
    slugs = {re.sub(r"[^A-Za-z0-9]+", "-", root).strip("-") for root in around.roots()}
    for project in around.folders_in(around.home / ".cursor" / "projects"):
        if project.name in slugs:
            base = f"{project.path}/agent-transcripts"
            yield from around.newest_form(base, "*", (".jsonl", ".txt"), is_here=True)
            for session in around.folders_in(base):
                yield from around.newest_form(session.path, "*", (".jsonl", ".txt"), is_here=True)


def opencode(around: Surroundings) -> Iterator[FileCandidate]:
    """Yield OpenCode's sessions: those in its database, and older ones that were never moved there."""
    data = Path(around.environ.get("XDG_DATA_HOME") or around.home / ".local" / "share", "opencode")
    named = around.environ.get("OPENCODE_DB")
    databases = [data / named] if named else [Path(one.path) for one in around.files_in(data, "opencode*.db")]
    moved: set[str] = set()
    for database in databases:
        around.note(database.parent)
        try:
            stored = sessions_in(database)
        except TranscriptError:
            continue
        moved |= {one.path.name.rpartition("#")[2] for one in stored}
        here = (one for one in stored if as_in(one.folder, around.root) is not None)
        yield from (FileCandidate(str(one.path), one.status, True) for one in here)
    for project in around.folders_in(data / "storage" / "session"):
        for one in around.files_in(project.path, "ses_*.json"):
            if Path(one.path).stem not in moved:
                yield one._replace(status=status_of(Path(one.path)))


def pi(around: Surroundings) -> Iterator[FileCandidate]:
    """Yield Pi's sessions, of all workspaces: how a folder's name is made of the workspace's has changed."""
    named = around.environ.get("PI_CODING_AGENT_SESSION_DIR")
    yield from _pi_sessions(
        around, Path(named) if named else around.folder("PI_CODING_AGENT_DIR", ".pi/agent") / "sessions"
    )


def oh_my_pi(around: Surroundings) -> Iterator[FileCandidate]:
    """Yield Oh My Pi's sessions, of all workspaces; its own variable only names the folder in the home folder."""
    yield from _pi_sessions(
        around, around.home / (around.environ.get("PI_CONFIG_DIR") or ".omp") / "agent" / "sessions"
    )


def _pi_sessions(around: Surroundings, base: Path) -> Iterator[FileCandidate]:
    yield from around.files_in(base, "*.jsonl")  # where somebody moved the sessions of one workspace
    for folder in around.folders_in(base):
        yield from around.files_in(folder.path, "*.jsonl")


def entire(around: Surroundings) -> Iterator[FileCandidate]:
    """Yield what `entire` keeps in the repo of each session: the assistant's own record, or else its compact one."""
    for session in around.folders_in(around.root / ".entire" / "metadata"):
        for place in (session.path, *(one.path for one in around.folders_in(session.path) if one.name != "tasks")):
            yield from around.newest_form(place, "", ("full.jsonl", "transcript.jsonl"), is_here=True)


def specstory(around: Surroundings) -> Iterator[FileCandidate]:
    """Yield what SpecStory saved in the repo."""
    yield from around.files_in(around.root / ".specstory" / "history", "*.md", is_here=True)


def aider(around: Surroundings) -> Iterator[FileCandidate]:
    """Yield aider's history in the repo, or where its variable says."""
    named = around.environ.get("AIDER_CHAT_HISTORY_FILE")
    history = Path(os.path.normpath(around.root / (named or ".aider.chat.history.md")))
    if is_same_or_below(str(history), around.root):
        yield from around.files_in(history.parent, history.name.replace("[", "[[]"), is_here=True)


PLACES: dict[str, Callable[[Surroundings], Iterator[FileCandidate]]] = {
    "claude-code": claude_code,
    "vscode-chat": vscode_chat,
    "vscode-windows": vscode_windows,
    "copilot-cli": copilot_cli,
    "copilot-hooks": copilot_hooks,
    "codex": codex,
    "gemini-cli": gemini_cli,
    "cursor-agent": cursor_agent,
    "opencode": opencode,
    "cline": cline,
    "pi": pi,
    "oh-my-pi": oh_my_pi,
    "specstory": specstory,
    "aider": aider,
    "entire": entire,
}
"""Every assistant's own place; named after the reader, where there is one for it alone."""

READER_OF = {"copilot-hooks": "copilot-cli", "oh-my-pi": "pi", "vscode-windows": "vscode-chat"}
"""Who reads what is found in a place that has no reader of its own name."""

ASSISTANTS = (
    "Claude Code", "VS Code and its kin (Copilot Chat, Cline, Roo Code)", "Copilot CLI", "Codex", "Gemini CLI",
    "Cursor's agent", "OpenCode", "Pi and Oh My Pi", "SpecStory", "aider", "entire",
)  # fmt: skip
"""Whose places these are, for people."""
