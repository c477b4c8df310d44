"""Reading many transcripts on all cores, handed out in their order, so that storing them is as if one had read them.

Reading begins alone: most runs are over before a process would have started. Once it is clear from the first ones that
the rest takes long, processes are started, and a few transcripts are read ahead of the one that is stored.
"""

from __future__ import annotations

import time
from collections import deque
from contextlib import contextmanager
from typing import TYPE_CHECKING

from memsuggest.extraction import offline
from memsuggest.workflows.learn.read_transcript import Gone, Job, Understood, Unreadable
from memsuggest.workflows.learn.worker_processes import Crew

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from concurrent.futures import Future

    from memsuggest.transcripts.discovery import FoundTranscript
    from memsuggest.workflows.context import Context

MOST = 8
"""Processes; storing what more of them read would be what takes the time."""
_AHEAD = 4  # transcripts that wait for their turn, for each process: bounds the memory
TELLING = 0.3  # seconds of reading after which one can tell how long the rest takes
WORTH = 2.0  # seconds of reading that are worth starting processes, which takes half a second of each core

_TICK = 0.2  # seconds after which Ctrl-C is noticed on systems where a wait cannot be interrupted

Early = Understood | Unreadable | Gone
"""What is known of a transcript when its turn comes."""


class ReadingAhead:
    """Hands transcripts out in their order, with what processes found in them meanwhile."""

    def __init__(self, context: Context, *, engine: str, person: str | None, again: Collection[str]) -> None:
        self._context = context
        self._person = person
        self._again = again
        """Places of those that are read once more from their beginning."""
        self._is_ours = engine == offline.NAME
        self._cores = context.machine.cores if self._is_ours else 1  # a model takes far longer than reading
        self._crew: Crew | None = None

    def over(self, found: Sequence[FoundTranscript]) -> Iterator[tuple[FoundTranscript, Future[Early] | None]]:
        """Yield each transcript, and where a process reads it, what it will say: see `result`."""
        begun, alone = time.monotonic(), 0
        while alone < len(found) and not self._pays(time.monotonic() - begun, alone, len(found) - alone):
            yield found[alone], None
            alone += 1
        yield from self._with_crew(found[alone:])

    def result(self, future: Future[Early] | None) -> Early | None:
        """Wait for what a process says of a transcript; None: it is to be read here.

        A process that ends by itself has met a bug of ours, which shows itself here; the others are done with, too.
        """
        while future is not None:
            try:
                early = future.result(timeout=_TICK)
            except TimeoutError:
                continue
            if not isinstance(early, Gone) or early.is_crash:
                return early
            self.close()
            break
        return None

    def job(self, one: FoundTranscript) -> Job:
        """Say what is to be read of a transcript."""
        is_read_on = self._is_ours and one.place not in self._again
        checkpoint = self._context.progress.checkpoint(one) if is_read_on else None
        return Job(one=one, root=self._context.root, person=self._person, checkpoint=checkpoint)

    def close(self) -> None:
        """End the processes."""
        if self._crew is not None:
            self._crew.close()
            self._crew = None

    def _pays(self, seconds: float, taken: int, left: int) -> bool:
        """Tell whether the transcripts that are left take so long, judging by those before them."""
        if self._cores < 2 or left < 2 or not taken or seconds < TELLING:
            return False
        return seconds / taken * left >= WORTH

    def _with_crew(self, found: Sequence[FoundTranscript]) -> Iterator[tuple[FoundTranscript, Future[Early] | None]]:
        size = min(self._cores, MOST)
        waiting: deque[Future[Early] | None] = deque()
        asked: set[str] = set()
        for number, one in enumerate(found):
            if number == 0:
                self._crew = _started(size)
            for other in found[number + len(waiting) : number + size * _AHEAD]:
                # One that was named twice is read for the second time when the first is stored, as by one alone.
                is_first = self._crew is not None and other.place not in asked
                waiting.append(self._crew.ask(self.job(other)) if self._crew and is_first else None)
                asked.add(other.place)
            future = waiting.popleft()
            yield one, future if self._crew else None


def _started(size: int) -> Crew | None:
    """Start processes; None where none can be started: then reading takes longer, that is all."""
    try:
        return Crew(size)
    except OSError:
        return None


@contextmanager
def reading_ahead(
    context: Context, *, engine: str, person: str | None, again: Collection[str] = ()
) -> Iterator[ReadingAhead]:
    """Give a reader for many transcripts; its processes end with the block."""
    reading = ReadingAhead(context, engine=engine, person=person, again=again)
    try:
        yield reading
    finally:
        reading.close()
