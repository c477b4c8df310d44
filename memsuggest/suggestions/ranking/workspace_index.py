"""The bench: all customization files of a workspace and of a person, ready for many facts. Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from memsuggest.core.model import Scope, Target, TargetType
from memsuggest.customizations.applyto import is_unconditional, matching_pattern
from memsuggest.customizations.blocks.scan import is_generated_file
from memsuggest.customizations.kept_index import made_anew
from memsuggest.suggestions.existing_rules import ExistingRule, ExistingRules
from memsuggest.suggestions.ranking.hosts import ROOTS
from memsuggest.suggestions.ranking.match import TargetIndex

if TYPE_CHECKING:
    from memsuggest.customizations.kept_index import Keep

_SHORT = 200
"""Characters of a file that holds no more than a pointer to another one."""


class WorkspaceIndex:
    """Files with what they say, how they are ranked, and which of them are closed."""

    def __init__(
        self,
        targets: Sequence[Target],
        *,
        tracked_paths: Sequence[str] = (),
        root: str = "",
        closed: Collection[str] = (),
        keep: Keep = made_anew,
    ) -> None:
        """Lay the files out; `closed` are those that are read but never written (not ours to change, or refused).

        `keep` has what was made of files before.
        """
        self.keep = keep
        self._targets = tuple(targets)
        self._tracked_paths = tuple(tracked_paths)
        self.root = root
        self._closed = frozenset(closed)
        self.made: dict[tuple[str, frozenset[str]], tuple[object, Any]] = {}
        """What came of facts, by their ids and what was decided: pure, so it holds as long as the files do."""

    @cached_property
    def indexes(self) -> dict[Scope, TargetIndex]:
        """The files of each scope, ready to be ranked."""
        return {
            scope: TargetIndex(self.of(scope), tracked_paths=self._tracked_paths, root=self.root, keep=self.keep)
            for scope in Scope
        }

    @cached_property
    def existing_rules(self) -> dict[Scope, ExistingRules]:
        """The rules of the files of each scope."""
        return {scope: ExistingRules(self.of(scope), keep=self.keep) for scope in Scope}

    @cached_property
    def by_uri(self) -> dict[str, Target]:
        """The files by their names."""
        return {target.uri: target for target in self._targets}

    @cached_property
    def closed(self) -> frozenset[str]:
        """The files that are never written: closed ones, generated ones, and one person's own inside the repo."""
        own = {target.uri for target in self._targets if target.scope is Scope.WORKSPACE and ".local." in target.uri}
        generated = {target.uri for target in self._targets if is_generated_file(target.text)}
        return self._closed | own | generated

    @cached_property
    def taken(self) -> frozenset[str]:
        """The names that no new file can have."""
        return frozenset(self.by_uri).union(self._closed)

    def of(self, scope: Scope) -> tuple[Target, ...]:
        """Return the files that facts of a scope may go to."""
        return tuple(target for target in self._targets if target.scope is scope)

    def hooks(self) -> tuple[Target, ...]:
        """Return the workspace's hook files."""
        return tuple(target for target in self.of(Scope.WORKSPACE) if target.type is TargetType.HOOK)

    @property
    def keeps_to_claude(self) -> bool:
        """Tell if the workspace keeps its customizations where Claude Code reads them, and none where Copilot does."""
        uris = [target.uri for target in self.of(Scope.WORKSPACE) if not is_generated_file(target.text)]
        is_claude = any(uri.startswith(".claude/") or uri == "CLAUDE.md" for uri in uris)
        return is_claude and not any(uri.startswith(".github/") for uri in uris)

    def general(self, scope: Scope) -> tuple[Target, ...]:
        """Return the files that hold for everything, the one in use first: the longest that is always loaded.

        Instructions for all files count, too.
        """
        return self._general[scope]

    @cached_property
    def _general(self) -> dict[Scope, tuple[Target, ...]]:
        found = [target for target in self._targets if is_general(target) and not _is_pointer(target)]
        found.sort(key=lambda target: (not target.always_on, -len(target.text), target.uri))
        return {scope: tuple(target for target in found if target.scope is scope) for scope in Scope}

    def holds_for(self, existing_rule: ExistingRule, paths: Sequence[str]) -> bool:
        """Tell if what a file says is in force for at least one of some files; for none in particular it always is."""
        applies_to = self.by_uri[existing_rule.uri].applies_to
        if not paths or not applies_to or is_unconditional(applies_to):
            return True
        return any(matching_pattern(applies_to, path, root=self.root or "/") for path in paths)


def is_general(target: Target) -> bool:
    """Tell whether what a file says holds for all files."""
    if target.always_on:
        return target.scope is Scope.USER or target.folder in ROOTS
    is_everywhere = target.type is TargetType.INSTRUCTIONS and target.applies_to is not None
    return is_everywhere and is_unconditional(target.applies_to)


def _is_pointer(target: Target) -> bool:
    words = target.text.strip()
    return len(words) < _SHORT and ("@" in words or ".md" in words) and "\n- " not in words
