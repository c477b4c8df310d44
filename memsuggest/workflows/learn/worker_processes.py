"""Processes beside this one that read transcripts: as many as there are cores, one job each at a time.

Started as programs of their own, so that it is the same on every system and nothing of this process (locks, databases,
a terminal's Ctrl-C) is shared with them. Their stdin is their tie to life: see `reading_worker`.
"""

from __future__ import annotations

import pickle  # nosec B403  (between processes of ours, through pipes that nobody else has)
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from queue import SimpleQueue
from typing import TYPE_CHECKING

from memsuggest.workflows.learn.read_transcript import Gone

if TYPE_CHECKING:
    from concurrent.futures import Future

    from memsuggest.workflows.learn.read_transcript import Job, Understood, Unreadable

_TRIES = 2  # a process may be ended by somebody; a transcript that ends two of them is to blame itself


class Crew:
    """Processes that read; a context, at whose end none of them is left."""

    def __init__(self, size: int) -> None:
        self._lock = threading.Lock()
        self._is_closed = False
        self._idle: SimpleQueue[_Worker] = SimpleQueue()
        self._all = [_Worker() for _ in range(size)]
        for worker in self._all:
            self._idle.put(worker)
        self._threads = ThreadPoolExecutor(size, thread_name_prefix="reading")

    def ask(self, job: Job) -> Future[Understood | Unreadable | Gone]:
        """Have a transcript read by whoever is free first."""
        return self._threads.submit(self._asked, job)

    def close(self) -> None:
        """End all of them, whatever they are at."""
        with self._lock:
            self._is_closed = True
            for worker in self._all:
                worker.kill()
        self._threads.shutdown(wait=True, cancel_futures=True)
        for worker in self._all:
            worker.end()

    def _asked(self, job: Job) -> Understood | Unreadable | Gone:
        code = 0
        for _ in range(_TRIES):
            worker = self._idle.get()
            try:
                answer = worker.answer(job)
            except (OSError, EOFError, ValueError, pickle.UnpicklingError):
                code = worker.end()
                self._idle.put(self._another(worker))
            else:
                self._idle.put(worker)
                return answer
        return Gone(code=code)

    def _another(self, gone: _Worker) -> _Worker:
        """Start a process in the place of one that ended; none any more when all is to end."""
        with self._lock:
            if self._is_closed:
                return gone
            self._all.remove(gone)
            self._all.append(_Worker())
            return self._all[-1]


class _Worker:
    """One process."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "memsuggest.workflows.learn.reading_worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C is this process's own affair
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
            | getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )

    def answer(self, job: Job) -> Understood | Unreadable:
        """Have a transcript read; what is raised means that the process ended."""
        process = self._process
        assert process.stdin
        assert process.stdout
        pickle.dump(job, process.stdin, protocol=pickle.HIGHEST_PROTOCOL)
        process.stdin.flush()
        answer: Understood | Unreadable = pickle.load(process.stdout)  # noqa: S301  (our own child's words)  # nosec
        return answer

    def kill(self) -> None:
        """End the process; whoever waits for its answer hears of it."""
        self._process.kill()

    def end(self) -> int:
        """End the process and let go of it; return its exit code."""
        self._process.kill()
        code = self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            with suppress(OSError):  # what it did not take any more
                stream.close()  # type: ignore[union-attr]  # both are pipes
        return code
