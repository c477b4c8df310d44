"""One fact that is to be suggested, with the files that it may go to and what they say that is like it. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from memsuggest.suggestions.ranking.hosts import host_of

if TYPE_CHECKING:
    from memsuggest.judging.verdict import Verdict
    from memsuggest.model import MemoryFact
    from memsuggest.suggestions.existing.existing_rules import Like
    from memsuggest.suggestions.ranking.hosts import Host
    from memsuggest.suggestions.ranking.repo_paths import Tracked
    from memsuggest.suggestions.ranking.target_index import TargetIndex
    from memsuggest.suggestions.ranking.workspace_index import WorkspaceIndex


@dataclass(frozen=True, slots=True, kw_only=True)
class AlreadySaid:
    """A fact that a file says already."""

    uri: str
    line: int
    """From 1."""
    text: str


@dataclass(frozen=True, kw_only=True)
class Case:
    """A fact, the files, and those of them that it may not go to."""

    fact: MemoryFact
    workspace_index: WorkspaceIndex
    shut: frozenset[str]
    likes: list[Like]
    """What files say that is like the fact."""
    verdict: Verdict | None = None
    """What a model says becomes of it."""
    decided: frozenset[str] = frozenset()
    """Those of the closed files for which the person decided."""

    @cached_property
    def index(self) -> TargetIndex:
        """The files of the fact's scope."""
        return self.workspace_index.indexes[self.fact.scope]

    @property
    def _tracked(self) -> Tracked:
        return self.index.tracked

    @cached_property
    def paths(self) -> tuple[str, ...]:
        """The files that the fact is about: those of its evidence, else those that it names.

        Where it only says that something is added to a file, that file is not what it is about.
        """
        named = self._tracked.named_in(self.fact.content)
        added_to = set(named).difference(self.named)
        cited = [path for path in self._tracked.as_files(self.fact.cited_paths) if path not in added_to]
        return tuple(cited) or self.named

    @cached_property
    def named(self) -> tuple[str, ...]:
        """The files that the fact itself names as what it is about."""
        return tuple(self._tracked.spoken_of(self.fact.content))

    @cached_property
    def files(self) -> tuple[str, ...]:
        """The same as `paths`, with some of its files for each folder."""
        return tuple(self._tracked.shown(self.named or self.paths))

    @cached_property
    def host(self) -> Host | None:
        """The assistant that was told, where it was one."""
        return host_of(self.fact)
