"""The time since when each rule of a file is in force: applied then, else by git, else by the file itself.

Every doubt goes to the later time, so that no chat counts that began before a rule was there.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memsuggest.customizations.blocks.line_kinds import bare, split_lines
from memsuggest.errors import FileError, OutsideWorkspace
from memsuggest.git import run_git
from memsuggest.held.rule_outcome import Force
from memsuggest.identity import normalised
from memsuggest.model import SuggestionStatus
from memsuggest.reports.held_report import SinceFrom
from memsuggest.suggestions.store.journal import KEPT
from memsuggest.workflows.check_rules.notes import rule_store
from memsuggest.workflows.decide.paths import path_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memsuggest.held.standing_rules import RuleLine
    from memsuggest.model import Target
    from memsuggest.suggestions.store.journal import Entry
    from memsuggest.workflows.context import Context

_HOME = "~/"
_COMMIT = re.compile(r"[0-9a-f]{40,64} \d+ \d+")
_UNCOMMITTED = "0" * 40


class RulesInForce:
    """Answers for the rules of all files; the journal is read once."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._store = rule_store(context)
        self._entries: dict[str, list[Entry]] = {}
        for entry in reversed(context.journal.newest(KEPT)):
            for edit in entry.edits:
                self._entries.setdefault(edit.path, []).append(entry)

    @property
    def written(self) -> frozenset[str]:
        """The files that something was applied to."""
        return frozenset(self._entries)

    def of(self, target: Target, rules: Sequence[RuleLine]) -> dict[str, Force]:
        """Return for each rule of a file since when it is in force."""
        lines = [bare(line) for line in split_lines(target.text)]
        seen = self._store.seen(target.uri, [rule.id for rule in rules], now=self._context.now())
        committed = self._committed(target, lines)
        changed = self._changed_at(target)
        return {rule.id: self._force(target, rule, lines, committed, min(changed, seen[rule.id])) for rule in rules}

    def _force(
        self, target: Target, rule: RuleLine, lines: Sequence[str], committed: Sequence[int], there: int
    ) -> Force:
        own = lines[rule.line - 1 : rule.last]
        applied = self._applied(target.uri, own)
        if applied:
            return Force(since=applied.at, source=SinceFrom.APPLIED, fact_id=_fact_of(applied, rule))
        times = committed[rule.line - 1 : rule.last]
        if times and all(times):
            return Force(since=max(times), source=SinceFrom.GIT)
        is_seen = there < self._changed_at(target)
        return Force(since=there, source=SinceFrom.SEEN if is_seen else SinceFrom.FILE)

    def _applied(self, uri: str, own: Sequence[str]) -> Entry | None:
        """Return the last entry of the journal that put these lines into the file."""
        found = None
        for entry in self._entries.get(uri, ()):
            for edit in entry.edits:
                if edit.path == uri and edit.after is not None and not entry.is_open:
                    before, after = _lines_of(edit.before), _lines_of(edit.after)
                    if set(own) <= after and not set(own) <= before:
                        found = entry
        return found

    def _changed_at(self, target: Target) -> int:
        try:
            return path_of(self._context, target.uri).stat().st_mtime_ns // 1_000_000
        except (OSError, FileError, OutsideWorkspace):
            return self._context.now()

    def _committed(self, target: Target, lines: Sequence[str]) -> Sequence[int]:
        """Return when each line was committed as it is, in milliseconds; 0 for one that was not."""
        if target.uri.startswith(_HOME):
            return ()
        known = self._store.line_times(target.uri, target.digest)
        if known is None:
            known = _blamed(self._context, target.uri, lines)
            if known and all(known):  # what is not committed yet may be later, without any other change
                self._store.keep_line_times(target.uri, target.digest, known)
        return known


def _fact_of(entry: Entry, rule: RuleLine) -> str:
    """Return the fact that an entry put into a line; empty where that cannot be told."""
    here = [
        (one.fact_id, about.content)
        for one, about in zip(entry.decisions, entry.about, strict=False)
        if one.status is SuggestionStatus.APPLIED and one.target == rule.uri
    ]
    words = normalised(rule.raw)
    same = [fact for fact, content in here if normalised(content) in words or words in normalised(content)]
    return same[0] if same else here[0][0] if len(here) == 1 else ""


def _lines_of(text: str | None) -> set[str]:
    return {bare(line) for line in split_lines(text or "")}


def _blamed(context: Context, uri: str, lines: Sequence[str]) -> list[int]:
    """Ask git of the commit that brought each line here, which for a merged one is the merge; 0 for none yet."""
    told = run_git(context.root, "blame", "--first-parent", "--no-textconv", "--line-porcelain", "-w", "-M", "--", uri)
    if told is None:
        return []
    found: list[int] = []
    at, is_committed = 0, False
    for line in told.decode("utf-8", "replace").split("\n"):
        if line.startswith("\t"):
            is_same = len(found) < len(lines) and bare(line[1:]) == lines[len(found)]
            found.append(at if is_committed and is_same else 0)
        elif line.startswith("committer-time "):
            at = int(line.partition(" ")[2]) * 1000
        elif _COMMIT.match(line):
            is_committed = not line.startswith(_UNCOMMITTED)
    return [*found, *[0] * len(lines)][: len(lines)]
