"""The context: everything that workflows work with, opened when first asked for."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from memsuggest.core import config, workspace
from memsuggest.core.config import Settings
from memsuggest.core.errors import MemsuggestError, WorkspaceError
from memsuggest.core.workspace import Folders, Machine, Workspace

if TYPE_CHECKING:
    from memsuggest.core.database import Migration
    from memsuggest.core.model import Target
    from memsuggest.customizations.discovery import FileSearch, FoundTargets
    from memsuggest.customizations.kept_index import KeptIndex
    from memsuggest.facts.contradictions import KnownPairs
    from memsuggest.facts.facts_file import FactsFile
    from memsuggest.facts.profile import Profile
    from memsuggest.files.journal import Journal
    from memsuggest.suggestions.existing_rules import ExistingRules
    from memsuggest.suggestions.ranking.workspace_index import WorkspaceIndex
    from memsuggest.transcripts.progress import Progress

PATIENCE = 30.0
"""Seconds to wait for another memsuggest that is at work in this clone."""
_OF_TARGETS = ("files", "targets", "workspace_index")
"""Properties that hold what the customization files were when they were read."""


def require_on(context: Context) -> None:
    """Raise MemsuggestError in `off` mode, in which nothing is learned from chats or taken from assistants."""
    if context.settings.mode is config.Mode.OFF:
        raise MemsuggestError(
            "memory is off in this workspace, so nothing was recorded",
            hint="only the user can turn memory on, with `memsuggest config set mode occasional`",
        )


def state_migrations() -> list[Migration]:
    """Return the steps to today's state database of a clone."""
    from memsuggest.facts import store_journal
    from memsuggest.files import journal
    from memsuggest.graphiti import outbox
    from memsuggest.held import tables
    from memsuggest.judging.asking import chat_packets
    from memsuggest.judging.verdicts import verdict
    from memsuggest.memory import entry_store
    from memsuggest.notes import note_store
    from memsuggest.suggestions import pending_suggestions
    from memsuggest.transcripts import progress

    owners = (progress, pending_suggestions, journal, store_journal, verdict, chat_packets)
    others = (outbox, entry_store, tables, note_store)
    return [migration for owner in (*owners, *others) for migration in owner.MIGRATIONS]


@dataclass(kw_only=True, eq=False, repr=False)  # its environment may hold keys
class Context:
    """One workspace with its settings, its stores and its targets."""

    place: Workspace
    folders: Folders
    settings: Settings
    machine: Machine
    opened: ExitStack = field(default_factory=ExitStack)
    is_dry: bool = False
    """Nothing may be stored: databases are opened as copies in memory."""
    is_offline: bool = False
    """`--offline`: nobody may be asked and nothing sent, whatever the settings say."""
    looked_for: dict[str, bool] = field(default_factory=dict, init=False)
    """Paths outside of git that lines of files speak of, and whether there was such a thing when it was looked."""
    _is_exclusive: bool = field(default=False, init=False)

    def close(self) -> None:
        self.opened.close()

    @property
    def root(self) -> Path:
        return self.place.root

    def now(self) -> int:
        """Return the time, in milliseconds since the epoch."""
        return self.machine.now()

    @property
    def state_path(self) -> Path:
        return self.folders.state / "workspaces" / self.place.key / "state.db"

    @property
    def report_path(self) -> Path:
        """The page that `report` writes unless told otherwise; it has quotes, so that forgetting removes it."""
        return self.state_path.with_name("report.html")

    @cached_property
    def state(self) -> sqlite3.Connection:
        """Offsets, pending suggestions, the journal: volatile, of this clone."""
        from memsuggest.core.database import open_database

        connection = open_database(self.state_path, state_migrations(), read_only=self.is_dry)
        self.opened.callback(connection.close)
        return connection

    @cached_property
    def progress(self) -> Progress:
        """The record of what was read."""
        from memsuggest.transcripts.progress import Progress

        return Progress(self.state)

    @cached_property
    def journal(self) -> Journal:
        """The journal for `undo`."""
        from memsuggest.files.journal import Journal

        return Journal(self.state, worktree=self.place.worktree_key)

    @cached_property
    def profile(self) -> Profile:
        from memsuggest.facts.profile import open_profile

        path = self.folders.data / "profile.db"
        profile = open_profile(path, workspace=self.place.key, read_only=self.is_dry)
        self.opened.callback(profile.close)
        return profile

    @cached_property
    def known_pairs(self) -> KnownPairs:
        from memsuggest.facts.contradictions import KnownPairs

        return KnownPairs()

    @cached_property
    def facts_file(self) -> FactsFile:
        from memsuggest.facts.facts_file import PLACE, FactsFile

        lock_path = self.state_path.with_name("facts.lock")
        return FactsFile(self.root / PLACE, lock_path=lock_path, share_quotes=self.settings.share_quotes)

    @contextmanager
    def exclusive(self) -> Iterator[None]:
        """Be the only one to change anything in this clone meanwhile; raises FileError when that cannot be."""
        if self.is_dry or self._is_exclusive:
            yield
            return
        from memsuggest.files import lock

        with lock(self.state_path.with_name("work.lock"), wait_seconds=PATIENCE):
            self._is_exclusive = True
            try:
                yield
            finally:
                self._is_exclusive = False

    @cached_property
    def files(self) -> FileSearch:
        """The customization files as they are, listed and read once; not parsed."""
        from memsuggest.customizations.discovery import FileSearch

        return FileSearch(
            self.root, home=self.folders.home, environ=self.machine.environ, platform=self.machine.platform
        )

    @cached_property
    def targets(self) -> FoundTargets:
        targets = self.files.targets(self.kept_index.of)
        self.kept_index.drop_others({target.uri for target in targets.targets})
        return targets

    @cached_property
    def kept_index(self) -> KeptIndex:
        from memsuggest.customizations.kept_index import KeptIndex

        path = self.state_path.with_name("index.db")
        kept = KeptIndex(path, worktree=self.place.worktree_key, read_only=self.is_dry)
        self.opened.callback(kept.save)
        return kept

    @cached_property
    def workspace_index(self) -> WorkspaceIndex:
        from memsuggest.suggestions.ranking.workspace_index import WorkspaceIndex
        from memsuggest.suggestions.target_paths import is_writable

        found = self.targets
        # What was left out stands there all the same: a link out of the repo is neither written nor made anew.
        closed = [target.uri for target in found.targets if not is_writable(self, target.uri)]
        closed += [skipped.what for skipped in found.skipped] + list(found.links)
        return WorkspaceIndex(
            found.targets,
            tracked_paths=found.tracked_paths,
            root=str(self.root),
            closed=closed,
            keep=self.kept_index.of,
        )

    def forget_targets(self) -> None:
        """Read the customization files anew when they are asked for next: something was written."""
        for name in _OF_TARGETS:
            vars(self).pop(name, None)

    def take_targets(self, other: Context) -> None:
        """Work with the customization files as another context of the same workspace has read them."""
        vars(self).update({name: getattr(other, name) for name in _OF_TARGETS})

    def renew_targets(self, *, older_than: float = 0.0) -> bool:
        """Read the customization files anew; whether they say something else. What was made of the same files stays.

        Files that were read less than so many seconds ago are as they were.
        """
        files, before, index = (vars(self).get(name) for name in _OF_TARGETS)
        if files and time.monotonic() - files.read_at < older_than:
            return False
        self.forget_targets()
        if index is None or before != self.targets:
            return True
        self.workspace_index = index
        return False

    def dry(self) -> Context:
        return replace(self, is_dry=True)


def open_context(
    *,
    start: Path,
    given: bool,
    machine: Machine,
    flags: Mapping[str, object],
    is_lenient: bool = False,
    is_offline: bool = False,
) -> Context:
    """Find the workspace and merge its settings; raises WorkspaceError and ConfigError."""
    folders = workspace.find_folders(machine.environ)
    try:
        place = workspace.find_workspace(start, home=folders.home, given=given)
    except OSError as error:
        raise WorkspaceError(
            f"`{start}` cannot be used: {error}", hint="choose another folder with `--repo PATH`"
        ) from None
    settings = config.load_settings(
        root=place.root,
        config_folder=folders.config,
        environ=machine.environ,
        flags=flags,
        is_lenient=is_lenient,
    )
    return Context(place=place, folders=folders, settings=settings, machine=machine, is_offline=is_offline)


def indexed_lines(context: Context, targets: Sequence[Target]) -> ExistingRules:
    """Return the lines of some files of the workspace: of all of them, indexed already, where they are as they were."""
    from memsuggest.core.model import Scope
    from memsuggest.suggestions.existing_rules import ExistingRules

    known = {target.uri: target.digest for target in context.workspace_index.of(Scope.WORKSPACE)}
    if all(known.get(target.uri) == target.digest for target in targets):
        return context.workspace_index.existing_rules[Scope.WORKSPACE]
    return ExistingRules(targets)
