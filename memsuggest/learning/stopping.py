"""Stopping within a second: a signal asks first, and interrupts whatever has not ended soon after.

Everything that writes can be interrupted anywhere: stores take a change back, files are whole or not there.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

PATIENCE = 0.4  # seconds for a step to come to its end by itself


class Stopped(BaseException):
    """It is time to stop, now."""


StopSign = threading.Event  # set once somebody wants an end


@contextmanager
def stopped_by_signals(sign: StopSign) -> Iterator[None]:
    """Let SIGINT, SIGTERM and SIGHUP set the sign; what still runs a moment later ends by `Stopped`.

    A signal that is ignored stays so: that is how `nohup` and shells' background jobs are told to go on.
    """
    is_over = False

    def ask(number: int, frame: FrameType | None) -> None:
        if sign.is_set():  # asked twice
            insist(number, frame)
        sign.set()
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, PATIENCE)

    def insist(_number: int, _frame: FrameType | None) -> None:
        if not is_over:
            raise Stopped

    handlers = {"SIGINT": ask, "SIGTERM": ask, "SIGHUP": ask, "SIGBREAK": ask, "SIGALRM": insist}
    there = {getattr(signal, name): handler for name, handler in handlers.items() if hasattr(signal, name)}
    wanted = {number: handler for number, handler in there.items() if signal.getsignal(number) != signal.SIG_IGN}
    before = {number: signal.signal(number, handler) for number, handler in wanted.items()}
    try:
        yield
    except Stopped:
        pass
    finally:
        is_over = True
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in before.items():
            signal.signal(number, handler)
