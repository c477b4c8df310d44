"""Patience: how often, and after how long, a question is asked again."""

from __future__ import annotations

from collections.abc import Callable
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, TypeVar

from memsuggest.core.errors import ModelError
from memsuggest.judging.asking.outcomes import OUTCOMES, failure

if TYPE_CHECKING:
    Found = TypeVar("Found")

PAUSES = (1.0, 4.0)
"""Seconds before the second and the third try; there is no fourth."""
LONGEST = 30.0
"""Seconds that a service may ask to wait; for more, the run ends and says so."""


def patiently(ask: Callable[[], Found], *, sleep: Callable[[float], None], now: Callable[[], float]) -> Found:
    """Return what `ask` returns, asking again where that may help; raises ModelError.

    `now` is in seconds since the epoch, for services that name a date.
    """
    for pause in PAUSES:
        try:
            return ask()
        except ModelError as error:
            if not OUTCOMES[error.outcome].again:
                raise
            wait = _asked_pause(getattr(error, "seconds", None), now=now)
            if wait is not None and wait > LONGEST:
                raise failure("wait-too-long", f"{wait:.0f} seconds; {error.message}") from None
            sleep(pause if wait is None else wait)
    return ask()


def _asked_pause(told: str | None, *, now: Callable[[], float]) -> float | None:
    """Return how many seconds a service asks to wait; None where it says nothing that can be understood."""
    if told is None:
        return None
    try:
        seconds = float(told)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(told).timestamp() - now()
        except (ValueError, TypeError, OverflowError):
            return None
    return max(0.0, seconds) if seconds == seconds and seconds < 10**9 else None  # noqa: PLR0124  (not a number)
