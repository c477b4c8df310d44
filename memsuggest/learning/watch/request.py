"""A watcher's request: what it is to do, how often it looks, and who hears of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from memsuggest.core.config import Settings
from memsuggest.learning.schedule import DEBOUNCE, MINUTE, Rhythm
from memsuggest.learning.stopping import StopSign
from memsuggest.suggestions.status_report import Counts, Notice


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
