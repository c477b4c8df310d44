"""A watcher's request and its schedule: a turn after its debounce, a session's end after a silence, the interval. Pure.

All times are milliseconds of one clock that never goes back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Protocol

from memsuggest.core.config import Settings
from memsuggest.learning.stopping import StopSign
from memsuggest.suggestions.status_report import Counts, Notice

MINUTE = 60_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """The lengths of a watcher's pauses, in milliseconds."""

    debounce: int = 300  # quiet after which a turn counts as completed (300 to 500)
    longest: int = 3_000
    """Waiting after which a session that is never quiet is looked at all the same."""
    silence: int = 0
    """Quiet after which a session counts as ended; 0 for what the settings say."""
    interval: int = 0
    """Between two batches; 0 for what the settings say."""
    patience: int = MINUTE
    """Quiet after which a turn counts as completed that the assistant did not end: it was stopped, or works on."""
    everything: int = MINUTE  # between two whole searches: for what the system did not tell
    settings: int = 500
    targets: int = 5_000
    notes: int = 30_000  # until notes of assistants are looked at that no chat tells of
    retry: int = 10_000
    later: int = 5 * MINUTE  # until a model is asked again that could not be
    delivery: int = 10_000  # until what waits for a Graphiti server is looked at again

    def set_by(self, settings: Settings) -> Pace:
        return replace(
            self,
            silence=self.silence or int(settings.number("sessionSilence") * MINUTE),
            interval=self.interval or int(settings.number("extractionInterval") * MINUTE),
        )


class Schedule:
    """The times at which sessions were touched."""

    def __init__(self, pace: Pace, *, now: int) -> None:
        self.pace = pace
        self._waiting: dict[str, tuple[int, int]] = {}
        """Sessions of which a turn may be completed, with the times of the first and the last touch."""
        self._open: dict[str, int] = {}
        """Sessions that were touched and did not end yet, with the time of the last touch."""
        self._since = now

    def touch(self, session: str, *, now: int) -> None:
        """Note that a session goes on; or that it is to be looked at later, with a time that is still to come."""
        first, last = self._waiting.get(session, (now, now))
        # Sooner than it was put off to
        self._waiting[session] = (now, now) if now < first else (first, max(last, now))
        self._open[session] = max(self._open.get(session, now), now)

    def completed(self, *, now: int) -> tuple[str, ...]:
        """Take the sessions in which a turn was completed: quiet for the debounce, or waiting for too long."""
        done = tuple(session for session, touched in self._waiting.items() if now >= self._due(*touched))
        for session in done:
            del self._waiting[session]
        return done

    def put_off(self, session: str, *, until: int) -> None:
        """Note that a turn is not completed yet: it is looked at then, or a debounce after the session went on."""
        self._waiting[session] = (until, until)

    def ended(self, *, now: int) -> tuple[str, ...]:
        done = tuple(session for session, last in self._open.items() if now >= last + self.pace.silence)
        for session in done:
            del self._open[session]
        return done

    def end_all(self) -> None:
        self._open.clear()

    def is_interval_over(self, *, now: int) -> bool:
        return now >= self._since + self.pace.interval

    def begin_interval(self, *, now: int) -> None:
        self._since = now

    def pause(self, *, now: int, most: int) -> int:
        """Return how long nothing will be due, at least 1 and at most `most` milliseconds."""
        due = [self._due(*touched) for touched in self._waiting.values()]
        due += [last + self.pace.silence for last in self._open.values()]
        return max(1, min([most, *(at - now for at in due), self._since + self.pace.interval - now]))

    def _due(self, first: int, last: int) -> int:
        return min(last + self.pace.debounce, first + self.pace.longest)


class Audience(Protocol):
    """The audience of a watcher: it gets notices, words about the watching itself, and how it stands."""

    def tell(self, notice: Notice) -> None: ...

    def say(self, text: str) -> None: ...

    def show(self, counts: Counts) -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch:
    """The request to a watcher."""

    sign: StopSign
    audience: Audience
    flags: Mapping[str, object]  # settings given on the command line: they stay
    is_polling: bool = False
    is_once: bool = False  # only catch up, as at the end of a session
    is_heard: bool = True
    """Whether a person hears the audience; else nobody was told of anything."""
    on_turn: Callable[[], None] = lambda: None
    """What is done when it is this one's turn to catch up."""
    pace: Pace = Pace()
