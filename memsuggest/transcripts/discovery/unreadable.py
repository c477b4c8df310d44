"""Chats that assistants keep in a form nobody else can read: which there are, and what to do instead.

Only said where the person looks for transcripts; nothing here is an error.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from memsuggest.model import Skipped
from memsuggest.transcripts.discovery.editor_places import user_data
from memsuggest.transcripts.discovery.places import codex_folders
from memsuggest.transcripts.storage.compressed import zstd_module

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from memsuggest.transcripts.discovery.surroundings import Surroundings


class _Kind(NamedTuple):
    find: Callable[[Surroundings], Iterator[str]]
    what: str
    why: str


def _windsurf(around: Surroundings) -> Iterator[str]:
    for one in around.files_in(around.home / ".codeium" / "windsurf" / "cascade", "*.pb"):
        yield one.path


def _cursor(around: Surroundings) -> Iterator[str]:
    for user in user_data(around):
        for one in around.files_in(user / "globalStorage", "state.vscdb"):
            if "cursor" in user.parent.name.casefold():
                yield one.path


def _cursor_cli(around: Surroundings) -> Iterator[str]:
    for workspace in around.folders_in(around.home / ".cursor" / "chats"):
        for session in around.folders_in(workspace.path):
            yield from (one.path for one in around.files_in(session.path, "store.db"))


def _compressed(around: Surroundings) -> Iterator[str]:
    if zstd_module() is not None:
        return
    for folder in codex_folders(around):
        yield from (one.path for one in around.files_in(folder, "rollout-*.zst"))


_KINDS = (
    _Kind(_compressed, "compressed Codex session", "`pip install '.[zstd]'` in the clone opens them"),
    _Kind(_windsurf, "Windsurf session", "encrypted: copy a chat to a text file with `User:` lines, and name it"),
    _Kind(_cursor, "database of Cursor's chats", "only read where you name it: `memsuggest transcripts PATH`"),
    _Kind(_cursor_cli, "session of Cursor's command line", "not read: SpecStory saves such chats as files"),
)


def find_unreadable(around: Surroundings) -> tuple[Skipped, ...]:
    """Say how many chats of each kind there are that nobody can read, of whatever workspace."""
    said = []
    for kind in _KINDS:
        if found := list(kind.find(around)):
            plural = "" if len(found) == 1 else "s"
            what = kind.what.replace("session", f"session{plural}").replace("database", f"database{plural}")
            said.append(Skipped(what=f"{len(found)} {what}", why=kind.why))
    return tuple(said)
