"""A watcher's request and its schedule: a turn after its debounce, a session's end after a silence, the interval. Pure.

All times are milliseconds of one clock that never goes back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from memsuggest.core.config import Settings
from memsuggest.learning.stopping import StopSign
from memsuggest.suggestions.status_report import Counts, Notice

MINUTE = 60_000
DEBOUNCE = 300
"""Milliseconds of quiet after which a turn counts as completed (300 to 500)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rhythm:
    """The lengths of the pauses, in milliseconds."""

    debounce: int = DEBOUNCE
    longest: int = 3_000
    """Waiting after which a session that is never quiet is looked at all the same."""
    silence: int = 5 * MINUTE
    """Quiet after which a session counts as ended."""
    interval: int = 15 * MINUTE
    """Between two batches."""


@dataclass(slots=True, kw_only=True)
class _Waiting:
    first: int
    last: int


class Schedule:
    """The times at which sessions were touched."""

    def __init__(self, rhythm: Rhythm, *, now: int) -> None:
        self.rhythm = rhythm
        self._waiting: dict[str, _Waiting] = {}
        self._open: dict[str, int] = {}
        """Sessions that were touched and did not end yet, with the time of the last touch."""
        self._since = now

    def touch(self, session: str, *, now: int) -> None:
        """Note that a session goes on; or that it is to be looked at later, with a time that is still to come."""
        waiting = self._waiting.get(session)
        if waiting is None or now < waiting.first:  # sooner than it was put off to
            self._waiting[session] = _Waiting(first=now, last=now)
        else:
            waiting.last = max(waiting.last, now)
        self._open[session] = max(self._open.get(session, now), now)

    def completed(self, *, now: int) -> tuple[str, ...]:
        """Take the sessions in which a turn was completed: quiet for the debounce, or waiting for too long."""
        done = tuple(session for session, waiting in self._waiting.items() if now >= self._due(waiting))
        for session in done:
            del self._waiting[session]
        return done

    def put_off(self, session: str, *, until: int) -> None:
        """Note that a turn is not completed yet: it is looked at then, or a debounce after the session went on."""
        self._waiting[session] = _Waiting(first=until, last=until)

    def ended(self, *, now: int) -> tuple[str, ...]:
        done = tuple(session for session, last in self._open.items() if now >= last + self.rhythm.silence)
        for session in done:
            del self._open[session]
        return done

    def end_all(self) -> tuple[str, ...]:
        """Take all open sessions: somebody said that they ended."""
        done = tuple(self._open)
        self._open.clear()
        return done

    def is_interval_over(self, *, now: int) -> bool:
        return now >= self._since + self.rhythm.interval

    def begin_interval(self, *, now: int) -> None:
        self._since = now

    def pause(self, *, now: int, most: int) -> int:
        """Return how long nothing will be due, at least 1 and at most `most` milliseconds."""
        due = [self._due(waiting) for waiting in self._waiting.values()]
        due += [last + self.rhythm.silence for last in self._open.values()]
        return max(1, min([most, *(at - now for at in due), self._since + self.rhythm.interval - now]))

    def _due(self, waiting: _Waiting) -> int:
        return min(waiting.last + self.rhythm.debounce, waiting.first + self.rhythm.longest)


class Audience(Protocol):
    """The audience of a watcher."""

    def tell(self, notice: Notice) -> None:
        """Give the person a notice."""
        ...

    def say(self, text: str) -> None:
        """Say one line about the watching itself."""
        ...

    def show(self, counts: Counts) -> None:
        """Show how the watching stands."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """The pace of a watcher's looks at things besides the transcripts, in milliseconds."""

    settings: int = 500
    targets: int = 5_000
    notes: int = 30_000
    """Until notes of assistants are looked at that no chat tells of."""
    everything: int = MINUTE
    """A whole search: for what the system did not tell."""
    retry: int = 10_000
    later: int = 5 * MINUTE
    """Until a model is asked again that could not be."""
    debounce: int = DEBOUNCE
    patience: int = MINUTE
    """Quiet after which a turn counts as completed that the assistant did not end: it was stopped, or works on."""
    delivery: int = 10_000
    """Until what waits for a Graphiti server is looked at again."""
    silence: int | None = None
    interval: int | None = None
    """Instead of those of the settings."""

    def rhythm(self, settings: Settings) -> Rhythm:
        """Return how long each thing takes that is due by itself."""
        silence = int(settings.number("sessionSilence") * MINUTE) if self.silence is None else self.silence
        interval = int(settings.number("extractionInterval") * MINUTE) if self.interval is None else self.interval
        return Rhythm(debounce=self.debounce, silence=silence, interval=interval)


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch:
    """The request to a watcher."""

    sign: StopSign
    audience: Audience
    flags: Mapping[str, object]
    """Settings given on the command line: they stay."""
    is_polling: bool = False
    is_once: bool = False
    """Only catch up, as at the end of a session."""
    is_heard: bool = True
    """Whether a person hears the audience; else nobody was told of anything."""
    on_turn: Callable[[], None] = lambda: None
    """What is done when it is this one's turn to catch up."""
    pace: Pace = Pace()
