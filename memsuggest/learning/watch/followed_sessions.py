"""The transcripts that a watcher follows: which there are, which go on, and where others may appear."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable

from memsuggest.core.context import Context
from memsuggest.core.model import Trust
from memsuggest.learning.schedule import Schedule
from memsuggest.learning.watch.file_changes import Events
from memsuggest.transcripts.discovery import FoundTranscript, named_folders
from memsuggest.transcripts.discovery.surroundings import as_in
from memsuggest.transcripts.find_transcripts import find, found_again, not_too_old
from memsuggest.transcripts.raw_sessions import is_under_way

_DATABASE_SOON = 1000  # milliseconds after which a database is looked into that is written to all the time
_SOON = 200  # milliseconds after which a new file is looked at: others may come with it
_GROWING = ".jsonl"  # the ending of chats that are written row by row
_HEARD = 1_000  # milliseconds after which a change is heard of, at most; a time that is further off is another clock's

_LONG_AGO = 2**62


def clock() -> int:
    return time.monotonic_ns() // 1_000_000


def _age(path: str, *, unknown: int) -> int:
    """Return how many milliseconds ago a file was written; `unknown` for one that is gone, or of a time to come."""
    try:
        age = (time.time_ns() - os.stat(path).st_mtime_ns) // 1_000_000  # noqa: PTH116  (no object for each change)
    except OSError:
        return unknown
    return unknown if age < -_HEARD else max(0, age)


class Following:
    """Knows the transcripts, and tells the schedule which of them go on."""

    def __init__(self, context: Context, *, events: Events, schedule: Schedule) -> None:
        self._context = context
        self._events = events
        self._schedule = schedule
        self._known: dict[str, FoundTranscript] = {}
        self._databases: set[str] = set()
        """Databases that known sessions are kept in: what changes there is told by looking."""
        self._passed: set[str] = set()  # paths that changed and are no transcripts of this workspace
        self._settled: set[str] = set()
        """Those of them that said by now which folder they are about: nothing they say later is waited for."""
        self._missing: frozenset[str] = frozenset()  # folders that transcripts may appear in, and that are not there
        self._next = 0

    def __len__(self) -> int:
        return len(self._known)

    def known(self) -> list[FoundTranscript]:
        return list(self._known.values())

    def search_anew(self, *, after: int = 0) -> None:
        """Search everything at the next step, or so many milliseconds later, as if nothing were known."""
        self._known.clear()
        self._next = clock() + after

    def pause(self, *, most: int) -> int:
        """Return how long there is nothing to do, in milliseconds."""
        return self._schedule.pause(now=clock(), most=max(1, min(most, self._next - clock())))

    def look(self, paths: Iterable[str]) -> None:
        now = clock()
        for path in paths:
            chat = self._known.get(path)
            if chat is not None and chat.trust is not Trust.CLAIMED:  # which a change may make the person's own
                self._touch(path, now)
            elif path.removesuffix("-wal") in self._databases:
                self._next = min(self._next, now + _DATABASE_SOON)
            elif path not in self._passed or self._has_become_ours(path):
                self._passed.add(path)
                self._next = min(self._next, now + _SOON)
        if any(map(os.path.isdir, self._missing)):
            self._next = now

    def _has_become_ours(self, path: str) -> bool:
        """Tell whether a file that was passed over says since now that it is about this workspace; told once.

        A chat need not say it at first: Claude Code's first rows are bookkeeping without a `cwd`. A search for every
        row would be dear, so only the file itself is looked into, and no more once it named a folder.
        """
        if path in self._settled or not path.endswith(_GROWING):
            return False
        folders = set(named_folders(path))
        if folders:
            self._settled.add(path)
        return any(as_in(folder, self._context.root) is not None for folder in folders)

    def search_if_due(self) -> bool:
        if clock() < self._next:
            return False
        passed = self._passed if self._known else set()
        self._settled &= passed
        self.search()
        self._passed = passed - self._known.keys()
        return True

    def search(self) -> None:
        """Find all transcripts; those that changed go on now, and what is followed is where others may appear."""
        for _ in range(3):  # a folder may come while we look
            found = find(self._context, [])
            folders = found.looked_into | {os.path.dirname(transcript.place) for transcript in found.transcripts}  # noqa: PTH120  (thousands)
            if not self._events.follow(folders):
                break
        self._next = clock() + self._schedule.pace.everything
        self._missing = frozenset(folders) - self._events.folders
        before, self._known = self._known, {transcript.place: transcript for transcript in found.transcripts}
        self._databases = {str(transcript.container) for transcript in found.transcripts if transcript.container}
        for chat in self._context.progress.changed(not_too_old(self._context, found.transcripts)):
            if before.get(chat.place) != chat:
                self._touch(chat.place, clock())

    def _touch(self, path: str, now: int) -> None:
        """Note that a session goes on, since it was written: hearing of it takes a while."""
        age = _age(path, unknown=0)
        self._schedule.touch(path, now=now - (age if age <= _HEARD else 0))

    def completed(self) -> list[str]:
        """Take the sessions in which a turn was completed; where the assistant is still at it, its end is waited for.

        Not for ever: a program that was ended in the middle of a turn never says that this one is over.
        """
        now = clock()
        done = []
        for path in self._schedule.completed(now=now):
            chat, left = self._known.get(path), self._schedule.pace.patience - _age(path, unknown=_LONG_AGO)
            if chat is not None and left > 0 and is_under_way(path, chat.format):
                self._schedule.put_off(path, until=now + left)
            else:
                done.append(path)
        return done

    def changed(self, paths: Iterable[str] | None = None) -> list[FoundTranscript]:
        """Return the transcripts that hold more than was learned from; of all, or of these paths."""
        names = self._known if paths is None else [path for path in paths if path in self._known]
        if not names:
            return []
        again = found_again([self._known[name] for name in names])
        self._known |= {transcript.place: transcript for transcript in again}
        return self._context.progress.changed(again)
