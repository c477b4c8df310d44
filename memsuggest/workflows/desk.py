"""The desk: everything that workflows work with, opened when first asked for."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from memsuggest import config, workspace
from memsuggest.errors import WorkspaceError

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from memsuggest.config import Settings
    from memsuggest.customizations.discovery import Found as FoundTargets
    from memsuggest.memory.facts_file import FactsFile
    from memsuggest.memory.profile import Profile
    from memsuggest.suggestions.journal import Journal
    from memsuggest.workspace import Folders, Workspace

FACTS_FILE = ".github/memories/facts.json"


class Desk:
    """One workspace with its settings, its stores and its targets."""

    def __init__(
        self,
        *,
        place: Workspace,
        folders: Folders,
        settings: Settings,
        environ: Mapping[str, str],
        platform: str,
        now: Callable[[], int],
        is_dry: bool = False,
    ) -> None:
        self.place = place
        self.folders = folders
        self.settings = settings
        self.environ = environ
        self.platform = platform
        self.now = now
        """Milliseconds since the epoch."""
        self.is_dry = is_dry
        """Nothing may be stored: databases are opened as copies in memory."""

    @property
    def root(self) -> Path:
        """The workspace's root."""
        return self.place.root

    @property
    def state_path(self) -> Path:
        """Where the state database of this clone lies."""
        return self.folders.state / "workspaces" / self.place.key / "state.db"

    @cached_property
    def state(self) -> sqlite3.Connection:
        """Offsets, pending suggestions, the journal: volatile, of this clone."""
        from memsuggest.database import open_database
        from memsuggest.suggestions import journal, pending
        from memsuggest.transcripts import progress

        migrations = (*progress.MIGRATIONS, *pending.MIGRATIONS, *journal.MIGRATIONS)
        return open_database(self.state_path, migrations, read_only=self.is_dry)

    @cached_property
    def journal(self) -> Journal:
        """What `undo` needs."""
        from memsuggest.suggestions.journal import Journal

        return Journal(self.state, worktree=self.place.worktree_key)

    @cached_property
    def profile(self) -> Profile:
        """Every accepted fact of this person."""
        from memsuggest.memory.profile import open_profile

        return open_profile(self.folders.data / "profile.db", read_only=self.is_dry)

    @cached_property
    def facts_file(self) -> FactsFile:
        """The team's facts."""
        from memsuggest.memory.facts_file import FactsFile

        return FactsFile(self.root / FACTS_FILE)

    @cached_property
    def targets(self) -> FoundTargets:
        """The customization files of the workspace and of the person."""
        from memsuggest.customizations.discovery import find_targets

        return find_targets(self.root, home=self.folders.home, environ=self.environ, platform=self.platform)

    def forget_targets(self) -> None:
        """Read the customization files anew when they are asked for next: something was written."""
        self.__dict__.pop("targets", None)

    def dry(self) -> Desk:
        """Return a desk like this one at which nothing is stored."""
        return Desk(
            place=self.place,
            folders=self.folders,
            settings=self.settings,
            environ=self.environ,
            platform=self.platform,
            now=self.now,
            is_dry=True,
        )


def open_desk(
    *,
    start: Path,
    given: bool,
    environ: Mapping[str, str],
    platform: str,
    flags: Mapping[str, object],
    now: Callable[[], int],
) -> Desk:
    """Find the workspace and merge its settings; raises WorkspaceError and ConfigError."""
    folders = workspace.find_folders(environ)
    try:
        place = workspace.find_workspace(start, home=folders.home, given=given)
    except OSError as error:
        raise WorkspaceError(
            f"`{start}` cannot be used: {error}", hint="name another folder with `--repo PATH`"
        ) from None
    settings = config.load_settings(root=place.root, config_folder=folders.config, environ=environ, flags=flags)
    return Desk(place=place, folders=folders, settings=settings, environ=environ, platform=platform, now=now)
