"""The desk: everything that workflows work with, opened when first asked for."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from functools import cached_property
from typing import TYPE_CHECKING

from memsuggest import config, workspace
from memsuggest.errors import WorkspaceError

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from memsuggest.config import Settings
    from memsuggest.customizations.discovery import Found as FoundTargets
    from memsuggest.memory.facts_file import FactsFile
    from memsuggest.memory.profile import Profile
    from memsuggest.suggestions.bench import Bench
    from memsuggest.suggestions.journal import Journal
    from memsuggest.transcripts.progress import Progress
    from memsuggest.workspace import Folders, Machine, Workspace

PATIENCE = 30.0
"""Seconds to wait for another memsuggest that is at work in this clone."""


class Desk:
    """One workspace with its settings, its stores and its targets."""

    def __init__(
        self,
        *,
        place: Workspace,
        folders: Folders,
        settings: Settings,
        machine: Machine,
        opened: ExitStack | None = None,
        is_dry: bool = False,
    ) -> None:
        self.place = place
        self.folders = folders
        self.settings = settings
        self.machine = machine
        self._opened = opened or ExitStack()
        self._is_alone = False
        self.is_dry = is_dry
        """Nothing may be stored: databases are opened as copies in memory."""

    def close(self) -> None:
        """Let go of the databases."""
        self._opened.close()

    @property
    def root(self) -> Path:
        """The workspace's root."""
        return self.place.root

    def now(self) -> int:
        """Return the time, in milliseconds since the epoch."""
        return self.machine.now()

    @property
    def state_path(self) -> Path:
        """Where the state database of this clone lies."""
        return self.folders.state / "workspaces" / self.place.key / "state.db"

    @cached_property
    def state(self) -> sqlite3.Connection:
        """Offsets, pending suggestions, the journal: volatile, of this clone."""
        from memsuggest.database import open_database
        from memsuggest.haiku import chat_packets
        from memsuggest.memory import store_journal
        from memsuggest.notices import ledger, looks
        from memsuggest.suggestions import advice, journal, moves, pending
        from memsuggest.transcripts import progress

        owners = (progress, pending, journal, ledger, store_journal, advice, chat_packets, moves, looks)
        migrations = [migration for owner in owners for migration in owner.MIGRATIONS]
        connection = open_database(self.state_path, migrations, read_only=self.is_dry)
        self._opened.callback(connection.close)
        return connection

    @cached_property
    def progress(self) -> Progress:
        """What is new since last time."""
        from memsuggest.transcripts.progress import Progress

        return Progress(self.state)

    @cached_property
    def journal(self) -> Journal:
        """What `undo` needs."""
        from memsuggest.suggestions.journal import Journal

        return Journal(self.state, worktree=self.place.worktree_key)

    @cached_property
    def profile(self) -> Profile:
        """Every accepted fact of this person."""
        from memsuggest.memory.profile import open_profile

        path = self.folders.data / "profile.db"
        profile = open_profile(path, workspace=self.place.key, read_only=self.is_dry)
        self._opened.callback(profile.close)
        return profile

    @cached_property
    def facts_file(self) -> FactsFile:
        """The team's facts."""
        from memsuggest.memory.facts_file import PLACE, FactsFile

        lock_path = self.state_path.with_name("facts.lock")
        return FactsFile(self.root / PLACE, lock_path=lock_path, share_quotes=self.settings.share_quotes)

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Be the only one to change anything in this clone meanwhile; raises FileError when that cannot be."""
        if self.is_dry or self._is_alone:
            yield
            return
        from memsuggest.files import lock

        with lock(self.state_path.with_name("work.lock"), wait_seconds=PATIENCE):
            self._is_alone = True
            try:
                yield
            finally:
                self._is_alone = False

    @cached_property
    def targets(self) -> FoundTargets:
        """The customization files of the workspace and of the person."""
        from memsuggest.customizations.discovery import find_targets

        return find_targets(
            self.root, home=self.folders.home, environ=self.machine.environ, platform=self.machine.platform
        )

    @cached_property
    def bench(self) -> Bench:
        """The targets, ready for facts."""
        from memsuggest.suggestions.bench import Bench
        from memsuggest.workflows.paths import is_writable

        found = self.targets
        # What was left out stands there all the same: a link out of the repo is neither written nor made anew.
        closed = [target.uri for target in found.targets if not is_writable(self, target.uri)]
        closed += [skipped.what for skipped in found.skipped] + list(found.links)
        return Bench(found.targets, tracked_paths=found.tracked_paths, root=str(self.root), closed=closed)

    def forget_targets(self) -> None:
        """Read the customization files anew when they are asked for next: something was written."""
        self.__dict__.pop("targets", None)
        self.__dict__.pop("bench", None)

    def dry(self) -> Desk:
        """Return a desk like this one at which nothing is stored."""
        return Desk(
            place=self.place,
            folders=self.folders,
            settings=self.settings,
            machine=self.machine,
            opened=self._opened,
            is_dry=True,
        )


def open_desk(
    *,
    start: Path,
    given: bool,
    machine: Machine,
    flags: Mapping[str, object],
    is_lenient: bool = False,
) -> Desk:
    """Find the workspace and merge its settings; raises WorkspaceError and ConfigError."""
    folders = workspace.find_folders(machine.environ)
    try:
        place = workspace.find_workspace(start, home=folders.home, given=given)
    except OSError as error:
        raise WorkspaceError(
            f"`{start}` cannot be used: {error}", hint="name another folder with `--repo PATH`"
        ) from None
    settings = config.load_settings(
        root=place.root,
        config_folder=folders.config,
        environ=machine.environ,
        flags=flags,
        is_lenient=is_lenient,
    )
    return Desk(place=place, folders=folders, settings=settings, machine=machine)
