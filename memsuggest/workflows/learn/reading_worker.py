"""A process that reads transcripts for another one: a job in by stdin, what was understood out by stdout.

It ends with its parent, however that ends: the system closes its stdin then, and a thread waits for just that.
"""

from __future__ import annotations

import os
import pickle  # nosec B403  (between processes of ours, through pipes that nobody else has)
import sys
import threading
from queue import SimpleQueue
from typing import IO, TYPE_CHECKING

from memsuggest.workflows.learn.read_transcript import understand

if TYPE_CHECKING:
    from memsuggest.workflows.learn.read_transcript import Job


def main() -> None:
    """Answer one job after the other."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever prints must not get between the answers
    jobs: SimpleQueue[Job] = SimpleQueue()
    threading.Thread(target=_listen, args=(sys.stdin.buffer, jobs), daemon=True).start()
    while True:
        pickle.dump(understand(jobs.get()), answers, protocol=pickle.HIGHEST_PROTOCOL)
        answers.flush()


def _listen(stream: IO[bytes], jobs: SimpleQueue[Job]) -> None:
    """Take jobs in; end the process, whatever it is at, when no more can come."""
    try:
        while True:
            jobs.put(pickle.load(stream))  # noqa: S301  (our own parent's words)  # nosec
    except (EOFError, OSError, pickle.UnpicklingError):
        os._exit(0)


if __name__ == "__main__":
    main()
