"""The team's facts: `.github/memories/facts.json`, changed in its own lines only, and never made for nothing.

The file is a projection of what people remember in their profiles: `project` writes what is worth sharing and is
not there yet, but nothing that was forgotten or taken out of this branch on purpose.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Container, Iterable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memsuggest.core.errors import EditConflict, FileError, OutsideWorkspace, StoreError
from memsuggest.core.git import run_git
from memsuggest.core.model import Decision, FactStatus, MemoryFact, Scope, SuggestionStatus, Tombstone
from memsuggest.facts import codec, entries
from memsuggest.facts.codec import Document
from memsuggest.facts.entries import PARTS
from memsuggest.facts.fact_store import Contents, without_secrets
from memsuggest.files import FileText, digest_of, lock, read_exact, remove_exact, remove_folders, write_exact

if TYPE_CHECKING:
    from memsuggest.facts.revision import Revision

    Step = Callable[[Document], Document]
    """A change, computed anew when somebody else was faster."""

PLACE = ".github/memories/facts.json"  # below the workspace's root

_TRIES = 60
_PAUSE = 0.02  # seconds after a try that met another writer; longer with every try
_LOCK_SECONDS = 10.0
_ADDED_ID = re.compile(rb'^\+\s*(?:\{\s*)?"id"\s*:\s*"([^"\n]{1,80})"', re.MULTILINE)


class FactsFile:
    """The shared file of a workspace."""

    def __init__(self, path: Path, *, lock_path: Path | None = None, share_quotes: bool = False) -> None:
        self.path = path
        self.root = path.parents[2]
        self._lock_path = lock_path
        """A file outside the repo that makes writers queue up; without one they try again when they meet."""
        self._share_quotes = share_quotes
        self._parsed: tuple[str, Document] | None = None  # what was read last, by the digest of its bytes
        self._values: tuple[str, Contents] | None = None

    def contents(self) -> Contents:
        """Return what the file holds; nothing when there is none. StoreError when it is damaged or newer."""
        document, digest = self._read()
        if self._values is None or digest is None or self._values[0] != digest:
            self._values = (digest or "", contents_of(document))
        return self._values[1]

    def add(self, facts: Iterable[MemoryFact]) -> None:
        """Add facts of this workspace; an entry that is there stays as it is. Adding brings a forgotten one back."""
        found = self._entries_of(_ours(facts))
        self.change(lambda old: replace(old, facts=found | dict(old.facts), tombstones=_without(old.tombstones, found)))

    def _entries_of(self, facts: dict[str, MemoryFact]) -> dict[str, entries.Entry]:
        return {key: entries.entry_of(fact, share_quotes=self._share_quotes) for key, fact in facts.items()}

    def update(self, facts: Iterable[MemoryFact]) -> None:
        """Change wording and status of facts that are in the file; others are not added."""
        found = _ours(facts)
        self.change(lambda old: replace(old, facts=revised(old.facts, found)))

    def forget(self, tombstones: Iterable[Tombstone]) -> None:
        """Remove facts and what was decided about them, and leave tombstones; unknown facts leave none."""
        found = tuple(tombstones)
        self.change(lambda old: _forgotten(old, found))

    def decide(self, decisions: Iterable[Decision]) -> None:
        """Remember decisions about facts that are in the file; `pending` lifts what was decided before."""
        found = tuple(decisions)
        self.change(lambda old: replace(old, decisions=_decided(old, found)))

    def text(self) -> str:
        """Return the file's text as it is; empty where there is no file."""
        return "" if self._read()[1] is None else read_exact(self.path).text

    def preview(self, revision: Revision) -> tuple[str, str] | None:
        """Return the file's text before and after a revision; None where that changes nothing."""
        document, digest = self._read()
        changed = self._rewritten(document, revision)
        return None if digest is None or changed == document else (read_exact(self.path).text, codec.render(changed))

    def rewrite(self, revision: Revision) -> None:
        self.change(lambda old: self._rewritten(old, revision))

    def _rewritten(self, old: Document, revision: Revision) -> Document:
        heirs = {tombstone.into for tombstone in revision.gone if tombstone.fact_id in old.facts}
        kept = _ours(revision.facts)
        missing = self._entries_of({key: fact for key, fact in kept.items() if key in heirs - old.facts.keys()})
        left = _forgotten(old, revision.gone)
        changed = replace(left, facts={**revised(left.facts, kept), **missing})
        return replace(changed, decisions=_decided(changed, revision.decisions))

    def turn_back(self, *, before: str, after: str) -> None:
        """Put a text back byte for byte; where others have changed the file since, entry by entry.

        An empty text stands for no file.
        """
        with self._alone():
            _, digest = self._read()
            if digest == (digest_of(after) if after else None):
                if not before and digest is not None:
                    remove_exact(self.path, digest, within=self.root)
                    remove_folders([self.path.parent])
                if not before or self._is_written(before, digest):
                    return
        base, old = (codec.parse(text, name="the journal") if text else codec.Document() for text in (after, before))

        def turned_back(now: Document) -> Document:
            parts: dict[str, Any] = {name: dict(getattr(now, name)) for name in PARTS}
            for name, found in parts.items():
                was, became = getattr(old, name), getattr(base, name)
                for key in {*was, *became}:
                    if found.get(key) == became.get(key) != was.get(key):  # nobody changed it since
                        found.pop(key, None)
                        found.update({key: was[key]} if key in was else {})
            return replace(now, **parts)

        self.change(turned_back)

    def project(self, facts: Iterable[MemoryFact], *, threshold: float) -> tuple[MemoryFact, ...]:
        """Write the facts worth sharing that the file lacks; return those.

        Forgotten ones stay away, and so do those that this branch had once and that were taken out of its file.
        """
        stored = self.read()
        known = stored.facts.keys() | stored.tombstones.keys()
        missing = [
            fact
            for fact in facts
            if fact.id not in known and fact.scope is Scope.WORKSPACE and ARCHIVE not in fact.tags
            if fact.status is FactStatus.ACTIVE and fact.confidence >= threshold
        ]
        removed = self.ids_in_history() if missing else frozenset()
        found = tuple(fact for fact in missing if fact.id not in removed)
        self.add(found)
        return found

    def ids_in_history(self) -> frozenset[str]:
        """Return the ids that the file held in any commit of this branch; asks git, so only where it matters."""
        log = run_git(
            self.root,
            *("log", "--format=", "--patch", "--unified=0", "--no-color", "--no-ext-diff", "--no-textconv"),
            *("--no-renames", "--diff-filter=AM", "--", PLACE),
        )
        return frozenset(found.decode("utf-8", "replace") for found in _ADDED_ID.findall(log or b""))

    def read(self) -> Document:
        """Return the file's entries; an empty document when there is no file."""
        return self._read()[0]

    def change(self, step: Step) -> bool:
        """Change the file by a step; whether it had to be written. Nobody else's change is lost."""
        with self._alone():
            for attempt in range(_TRIES):
                document, digest = self._read()
                changed = step(document)
                is_same = changed == document and not document.repairs
                if is_same or (digest is None and not (changed.facts or changed.decisions or changed.tombstones)):
                    return False
                if self._is_written(codec.render(changed), digest):
                    return True
                time.sleep(_PAUSE * (attempt + 1))
        raise StoreError(f"`{self.path}` keeps changing", hint="try again once no other program is writing to the file")

    def repair(self, step: Step) -> bool:
        """Change the file by a step and write its usual form, whatever form it has; whether that changed anything."""
        is_changed = self.change(step)
        return self.tidy() or is_changed

    def replace_text(self, document: Document, *, expected_digest: str) -> None:
        """Write entries in the place of a text, even of one that cannot be parsed; StoreError when that changed."""
        with self._alone():
            if not self._is_written(codec.render(document), expected_digest):
                raise StoreError(f"`{self.path}` was changed by another program", hint="try again")

    def is_in_usual_form(self) -> bool:
        """Tell whether the file's text is what would be written for its entries; git merges that form best.

        CRLF is fine: git makes it on Windows.
        """
        document, digest = self._read()
        return digest is None or read_exact(self.path).text.replace("\r\n", "\n") == codec.render(document)

    def tidy(self) -> bool:
        """Write the same entries in the usual form; whether that changed anything."""
        document, digest = self._read()
        if digest is None or digest_of(codec.render(document)) == digest:
            return False
        self.replace_text(document, expected_digest=digest)
        return True

    def _is_written(self, text: str, digest: str | None) -> bool:
        try:
            write_exact(self.path, text, expected_digest=digest, within=self.root)
        except EditConflict:
            return False
        except (FileError, OutsideWorkspace) as error:
            raise StoreError(error.message, hint=error.hint) from error
        return True

    def _read(self) -> tuple[Document, str | None]:
        found = read_facts(self.path)
        if found is None:
            return codec.Document(), None
        if self._parsed is None or self._parsed[0] != found.digest:
            self._parsed = (found.digest, codec.parse(found.text, name=f"`{self.path}`"))
        return self._parsed[1], found.digest

    def _alone(self) -> AbstractContextManager[object]:
        return lock(self._lock_path, wait_seconds=_LOCK_SECONDS) if self._lock_path else nullcontext()


ARCHIVE = "archive"  # the tag of what is only kept, as tasks are: no rule for the team


def contents_of(document: Document) -> Contents:
    """Return the values of the entries; what has a tombstone is gone, unless it was reworded by somebody else."""
    contested = document.contested
    gone = {key: entry for key, entry in document.tombstones.items() if key not in contested}
    return Contents(
        facts=tuple(
            without_secrets(entries.fact_of(entry)) for key, entry in sorted(document.facts.items()) if key not in gone
        ),
        decisions=tuple(entries.decision_of(entry) for _, entry in sorted(document.decisions.items())),
        tombstones=tuple(map(entries.tombstone_of, gone.values())),
    )


def _ours(facts: Iterable[MemoryFact]) -> dict[str, MemoryFact]:
    """Return what the file may hold of facts, by their ids."""
    return {fact.id: without_secrets(fact) for fact in facts if fact.scope is Scope.WORKSPACE}


def _without(found: codec.Entries, gone: Container[str]) -> codec.Entries:
    return {key: entry for key, entry in found.items() if key not in gone}


def revised(stored: codec.Entries, facts: dict[str, MemoryFact]) -> codec.Entries:
    return {key: entries.revised(entry, facts[key]) if key in facts else entry for key, entry in stored.items()}


def _forgotten(old: Document, tombstones: Iterable[Tombstone]) -> Document:
    """Return a document without what has a tombstone, and with the tombstones."""
    gone = {item.fact_id: entries.tombstone_entry(item) for item in tombstones if item.fact_id in old.facts}
    return replace(
        old,
        facts=_without(old.facts, gone),
        decisions={key: entry for key, entry in old.decisions.items() if entry["factId"] not in gone},
        tombstones=gone | dict(old.tombstones),
    )


def _decided(old: Document, decisions: Iterable[Decision]) -> codec.Entries:
    result = dict(old.decisions)
    for decision in decisions:
        entry = entries.decision_entry(decision)
        key = entries.key_of("decisions", entry)
        if decision.status is SuggestionStatus.PENDING:
            result.pop(key, None)
        elif decision.fact_id in old.facts:
            result[key] = {**result.get(key, {}), **entry}
    return result


def read_facts(path: Path) -> FileText | None:
    """Read the team's file as text; None where there is none. Raises StoreError, also for a link out of the repo."""
    if not os.path.lexists(path):
        return None
    if not Path(os.path.realpath(path)).is_relative_to(os.path.realpath(path.parents[2])):
        raise StoreError(f"`{path}` is a link to a file outside the repo", hint="replace the link with the file itself")
    try:
        return read_exact(path)
    except FileError as error:
        raise StoreError(error.message, hint=error.hint) from error
