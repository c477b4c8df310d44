"""Stopping by signals, sent for real."""

from __future__ import annotations

import signal
import sys
import time

import pytest
from cases import cases

from memsuggest.learning import stopping
from memsuggest.learning.stopping import StopSign, stopped_by_signals

POSIX = ("SIGINT", "SIGTERM", "SIGHUP")
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")


@cases("name", POSIX)
def test_a_signal_asks(name: str) -> None:
    """The sign is set and nothing is interrupted; afterwards the signal means what it meant before."""
    number = getattr(signal, name)
    before, done = signal.getsignal(number), False
    sign = StopSign()
    with stopped_by_signals(sign):
        assert not sign.is_set()
        signal.raise_signal(number)
        assert sign.is_set()
        assert sign.wait(10)
        done = True
    assert done
    assert signal.getsignal(number) == before
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)


def test_what_does_not_end_is_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    """A moment later, wherever it is; what it opened is closed."""
    monkeypatch.setattr(stopping, "PATIENCE", 0.05)
    closed, begun = False, time.monotonic()
    with stopped_by_signals(StopSign()):
        signal.raise_signal(signal.SIGTERM)
        try:
            time.sleep(30)
        finally:
            closed = True
    assert closed
    assert time.monotonic() - begun < 20


def test_asked_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second time it ends at once."""
    monkeypatch.setattr(stopping, "PATIENCE", 60)
    reached = False
    with stopped_by_signals(StopSign()):
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)
        reached = True
    assert not reached


def test_what_is_ignored_stays_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """As under `nohup`."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    sign = StopSign()
    try:
        with stopped_by_signals(sign):
            signal.raise_signal(signal.SIGHUP)
            assert not sign.is_set()
        assert signal.getsignal(signal.SIGHUP) == signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)
